# make            the library, the command line and the header's check, into build/
# make demo       picks tools for a few messages from the example data, through C
# make test       every test that this machine's compilers allow; says what it left out and why
# make cross      builds for other systems, and runs there what this machine can run or emulate
# make header     writes include/toolbroker.h anew from the source
# make install    installs what is built below PREFIX (default /usr/local); DESTDIR is honoured
# make uninstall  takes that away again, with the same PREFIX
# make dist       an archive for this platform, with checksums, into build/dist
# make bench      the measurements of docs/benchmarks.md
# make eval       how well the ranking does on TOOLBROKER_DATA's sets of messages, or on the repository's
# make clean      removes build/ and target/
# make help       prints this list

CARGO ?= cargo
RUSTC ?= rustc
CC ?= cc
CXX ?= c++
CFLAGS ?= -O1 -g

STRICT_C = -std=c99 -pedantic -Wall -Wextra -Werror
STRICT_CXX = -std=c++11 -pedantic -Wall -Wextra -Werror
NATIVE_LIBS = $(shell cat include/native-libs.txt)
ABI = $(shell sed -n 's/^.define TB_ABI_VERSION //p' include/toolbroker.h)
COMPILE_C = $(CC) $(STRICT_C) $(CFLAGS) -Iinclude
RPATH = -Wl,-rpath,'$$ORIGIN/../..'
HEADERS = include/toolbroker.h tests/c/check.h tests/c/calls.h
EXAMPLE_HEADERS = include/toolbroker.h examples/c/example.h examples/c/json.h

# Suites that run against every kind of the library.
SUITES = arguments callbacks threads process catalogs files driver
EXAMPLES = hello basic rules_file overrides embedder event_loop

.PHONY: FORCE all help lib cli header-compiles header demo test suites bench eval clean
.DELETE_ON_ERROR:
.SECONDARY:

all: lib cli header-compiles go-library
	@echo "build/: libtoolbroker.so, libtoolbroker.a, toolbroker; include/: toolbroker.h"

help:
	@sed -n 's/^# \(make .*\)/\1/p' Makefile

# Cargo knows what is fresh; a copy is new only where it differs, so that what links it is not made again for nothing.
define take
	@cmp -s $(1) $(2) || cp $(1) $(2)
endef

lib:
	@mkdir -p build
	@$(CARGO) build --quiet --release --lib
	$(call take,target/release/libtoolbroker.so,build/libtoolbroker.so)
	$(call take,target/release/libtoolbroker.a,build/libtoolbroker.a)
	@ln -sf libtoolbroker.so build/libtoolbroker.so.$(ABI)

# In a folder of its own: in one folder, the library with and without the feature would push each other out.
cli: lib
	@$(CARGO) build --quiet --release --features cli --bin toolbroker --target-dir target/cli
	$(call take,target/cli/release/toolbroker,build/toolbroker)

build/libtoolbroker.so build/libtoolbroker.a: lib ;

header-compiles:
	@echo '#include "toolbroker.h"' | $(CC) $(STRICT_C) -Iinclude -fsyntax-only -x c -

header:
	TOOLBROKER_WRITE_HEADER=1 $(CARGO) test --quiet --test header

demo: build/demo
	@build/demo examples/data

build/demo: examples/c/rules_file.c $(EXAMPLE_HEADERS) build/libtoolbroker.a
	@$(COMPILE_C) $< build/libtoolbroker.a $(NATIVE_LIBS) -o $@

# The debug library has the standard library's checks of what unsafe code does.
build/debug/libtoolbroker.a: FORCE
	@mkdir -p build/debug
	@$(CARGO) build --quiet --lib
	$(call take,target/debug/libtoolbroker.a,$@)

# In a folder of its own: it must never be taken for the library that ships.
build/panic/libtoolbroker.a: FORCE
	@mkdir -p build/panic
	@$(CARGO) build --quiet --release --lib --features test-panic --target-dir target/test-panic
	$(call take,target/test-panic/release/libtoolbroker.a,$@)

build/second/libsecond.a: tests/c/second_archive.rs
	@mkdir -p build/second
	@$(RUSTC) --edition 2024 -O --crate-type staticlib $< -o $@

# Cargo says again what rustc said when it has nothing to build.
build/native-libs.txt: FORCE
	@mkdir -p build
	@$(CARGO) rustc --quiet --release --lib --crate-type staticlib -- --print native-static-libs 2>&1 | sed -n 's/^note: native-static-libs: //p' > $@

FORCE:

build/c/dynamic/%: tests/c/%.c $(HEADERS) build/libtoolbroker.so
	@mkdir -p $(@D)
	@$(COMPILE_C) $< -Lbuild -ltoolbroker $(RPATH) -lpthread -o $@

build/c/static/%: tests/c/%.c $(HEADERS) build/libtoolbroker.a
	@mkdir -p $(@D)
	@$(COMPILE_C) $< build/libtoolbroker.a $(NATIVE_LIBS) -o $@

build/c/asan/%: tests/c/%.c $(HEADERS) build/libtoolbroker.a
	@mkdir -p $(@D)
	@$(COMPILE_C) -fsanitize=address,undefined -fno-sanitize-recover=all $< build/libtoolbroker.a $(NATIVE_LIBS) -o $@

build/c/debug/%: tests/c/%.c $(HEADERS) build/debug/libtoolbroker.a
	@mkdir -p $(@D)
	@$(COMPILE_C) $< build/debug/libtoolbroker.a $(NATIVE_LIBS) -o $@

build/c/panic/%: tests/c/%.c $(HEADERS) build/panic/libtoolbroker.a
	@mkdir -p $(@D)
	@$(COMPILE_C) $< build/panic/libtoolbroker.a $(NATIVE_LIBS) -o $@

build/c/second/%: tests/c/%.c $(HEADERS) build/libtoolbroker.a build/second/libsecond.a
	@mkdir -p $(@D)
	@$(COMPILE_C) $< build/libtoolbroker.a build/second/libsecond.a $(NATIVE_LIBS) -o $@

# It opens the library itself.
build/c/dynamic/unload: tests/c/unload.c $(HEADERS)
	@mkdir -p $(@D)
	@$(COMPILE_C) $< -ldl -lpthread -o $@

build/c/dynamic/units-c: tests/c/unit_a.c tests/c/unit_b.c include/toolbroker.h build/libtoolbroker.so
	@mkdir -p $(@D)
	@$(COMPILE_C) tests/c/unit_a.c tests/c/unit_b.c -Lbuild -ltoolbroker $(RPATH) -o $@

build/c/dynamic/units-cxx: tests/c/unit_a.c tests/c/unit_b.c include/toolbroker.h build/libtoolbroker.so
	@mkdir -p $(@D)
	@$(CXX) $(STRICT_CXX) $(CFLAGS) -Iinclude -x c++ tests/c/unit_a.c tests/c/unit_b.c -Lbuild -ltoolbroker $(RPATH) -o $@

build/examples/dynamic/%: examples/c/%.c $(EXAMPLE_HEADERS) build/libtoolbroker.so
	@mkdir -p $(@D)
	@$(COMPILE_C) $< -Lbuild -ltoolbroker $(RPATH) -lpthread -o $@

build/examples/static/%: examples/c/%.c $(EXAMPLE_HEADERS) build/libtoolbroker.a
	@mkdir -p $(@D)
	@$(COMPILE_C) $< build/libtoolbroker.a $(NATIVE_LIBS) -o $@

suites: header-compiles build/native-libs.txt \
	$(SUITES:%=build/c/dynamic/%) $(SUITES:%=build/c/static/%) $(SUITES:%=build/c/asan/%) \
	build/c/debug/arguments build/c/debug/process build/c/panic/panic build/c/second/second_archive build/c/dynamic/unload build/c/dynamic/units-c \
	$(EXAMPLES:%=build/examples/dynamic/%) $(EXAMPLES:%=build/examples/static/%)

test: all suites stage
	@CXX="$(CXX)" MAKE="$(MAKE)" CARGO="$(CARGO)" tests/run.sh

include packaging/rules.mk
include bindings/cpp/rules.mk
include bindings/go/rules.mk
include bindings/swift/rules.mk
include tests/platforms/rules.mk

bench:
	@benches/run.sh

eval: cli
	@build/toolbroker eval --sets $(or $(TOOLBROKER_DATA:%=%/retrieval),tests/ranking) --rounds 10

clean:
	rm -rf build
	$(CARGO) clean
