# Other systems: the library and the test programs for each, into build/cross/<target>/. `make cross` builds and runs what this machine can.

CROSS = i686-unknown-linux-gnu aarch64-unknown-linux-gnu x86_64-pc-windows-gnu x86_64-unknown-linux-musl
# Only compiled: there is neither a linker nor an emulator.
CROSS_COMPILED = aarch64-apple-darwin
CROSS_SUITES = arguments callbacks threads process driver
CROSS_DYNAMIC = arguments driver

CC_i686-unknown-linux-gnu = i686-linux-gnu-gcc
CC_aarch64-unknown-linux-gnu = aarch64-linux-gnu-gcc
CC_x86_64-pc-windows-gnu = x86_64-w64-mingw32-gcc
CC_x86_64-unknown-linux-musl = musl-gcc

SHARED_i686-unknown-linux-gnu = libtoolbroker.so
SHARED_aarch64-unknown-linux-gnu = libtoolbroker.so
SHARED_x86_64-pc-windows-gnu = toolbroker.dll

# What a program links beside the static library.
NATIVE_LIBS_i686-unknown-linux-gnu = include/native-libs.txt
NATIVE_LIBS_aarch64-unknown-linux-gnu = include/native-libs.txt
NATIVE_LIBS_x86_64-pc-windows-gnu = include/native-libs-windows-gnu.txt
NATIVE_LIBS_x86_64-unknown-linux-musl = include/native-libs-linux-musl.txt
NATIVE_LIBS_aarch64-apple-darwin = include/native-libs-macos.txt

# The tests' own threads; on Windows nothing of the compiler's is needed beside the program.
CROSS_FLAGS_x86_64-pc-windows-gnu = -static -lpthread
# Rust's musl brings the unwinder that fits it; the compiler's is glibc's.
CROSS_FLAGS_x86_64-unknown-linux-musl = -static -L$(shell $(RUSTC) --print sysroot)/lib/rustlib/x86_64-unknown-linux-musl/lib/self-contained

# How a program finds the shared library: on Linux in its own folder by the name that the library gives itself, on Windows beside itself.
CROSS_SHARED_i686-unknown-linux-gnu = -L$(@D) -ltoolbroker -Wl,-rpath,'$$ORIGIN' -lpthread
CROSS_SHARED_aarch64-unknown-linux-gnu = $(CROSS_SHARED_i686-unknown-linux-gnu)
CROSS_SHARED_x86_64-pc-windows-gnu = -DTB_SHARED $(@D)/libtoolbroker.dll.a -static -lpthread

# What the shared library needs beside it.
CROSS_BESIDE_i686-unknown-linux-gnu = @ln -sf libtoolbroker.so build/cross/i686-unknown-linux-gnu/dynamic/libtoolbroker.so.$(ABI)
CROSS_BESIDE_aarch64-unknown-linux-gnu = @ln -sf libtoolbroker.so build/cross/aarch64-unknown-linux-gnu/dynamic/libtoolbroker.so.$(ABI)
CROSS_BESIDE_x86_64-pc-windows-gnu = @cp target/x86_64-pc-windows-gnu/release/libtoolbroker.dll.a build/cross/x86_64-pc-windows-gnu/dynamic

.PHONY: cross $(CROSS:%=cross-%) $(CROSS_COMPILED:%=cross-%)

cross: build/c/static/driver
	@CARGO="$(CARGO)" MAKE="$(MAKE)" tests/platforms/run.sh

# The library, and in native-libs.txt what rustc says must be linked beside it.
define cross_library
cross-$(1)/library: FORCE
	@mkdir -p build/cross/$(1)/static build/cross/$(1)/dynamic
	@$$(CARGO) rustc --release --lib --target $(1) --target-dir target $$(if $$(CC_$(1)),--config 'target.$(1).linker="$$(CC_$(1))"') \
		--crate-type staticlib $$(if $$(SHARED_$(1)),--crate-type cdylib) -- --print native-static-libs 2>build/cross/$(1)/rustc.txt \
		|| { cat build/cross/$(1)/rustc.txt; exit 1; }
	@sed -n 's/^note: native-static-libs: //p' build/cross/$(1)/rustc.txt >build/cross/$(1)/native-libs.txt
	$$(call take,target/$(1)/release/libtoolbroker.a,build/cross/$(1)/static/libtoolbroker.a)
	$$(if $$(SHARED_$(1)),$$(call take,target/$(1)/release/$$(SHARED_$(1)),build/cross/$(1)/dynamic/$$(SHARED_$(1))))
	$$(CROSS_BESIDE_$(1))
endef

define cross_programs
build/cross/$(1)/static/%: tests/c/%.c $$(HEADERS) cross-$(1)/library
	@$$(CC_$(1)) $$(STRICT_C) $$(CFLAGS) -Iinclude $$< $$(@D)/libtoolbroker.a $$(shell cat $$(NATIVE_LIBS_$(1))) $$(CROSS_FLAGS_$(1)) -o $$@

build/cross/$(1)/dynamic/%: tests/c/%.c $$(HEADERS) cross-$(1)/library
	@$$(CC_$(1)) $$(STRICT_C) $$(CFLAGS) -Iinclude $$< $$(CROSS_SHARED_$(1)) -o $$@

cross-$(1): $$(CROSS_SUITES:%=build/cross/$(1)/static/%) $$(if $$(SHARED_$(1)),$$(CROSS_DYNAMIC:%=build/cross/$(1)/dynamic/%))
endef

# For a Wine before 9, which lacks it.
build/cross/x86_64-pc-windows-gnu/bcryptprimitives.dll: tests/platforms/bcryptprimitives.c
	@mkdir -p $(@D)
	@$(CC_x86_64-pc-windows-gnu) -shared -O1 -Wall -Werror $< -ladvapi32 -o $@

cross-x86_64-pc-windows-gnu: build/cross/x86_64-pc-windows-gnu/bcryptprimitives.dll

$(foreach target,$(CROSS) $(CROSS_COMPILED),$(eval $(call cross_library,$(target))))
$(foreach target,$(CROSS),$(eval $(call cross_programs,$(target))))
$(CROSS_COMPILED:%=cross-%): cross-%: cross-%/library
