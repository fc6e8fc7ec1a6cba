# Included by the Makefile: what the Go module takes from the build.

GO_PLATFORM = $(shell uname -s | tr A-Z a-z)_$(shell uname -m | sed -e 's/x86_64/amd64/' -e 's/aarch64/arm64/' -e 's/i[3-6]86/386/')
GO_LIBRARY = bindings/go/internal/lib/$(GO_PLATFORM)

.PHONY: go-library go-module

# The archive and its header beside the Go file that links them; without debug information, of which the standard library's is the most.
go-library: lib
	@mkdir -p $(GO_LIBRARY) build/go
	@cp build/libtoolbroker.a build/go/libtoolbroker.a && $(STRIP) -g build/go/libtoolbroker.a
	$(call take,build/go/libtoolbroker.a,$(GO_LIBRARY)/libtoolbroker.a)
	$(call take,include/toolbroker.h,$(GO_LIBRARY)/toolbroker.h)
	@printf 'static const char toolbroker_archive[] __attribute__((used)) = "%s";\n' "$$(sha256sum < build/go/libtoolbroker.a)" > build/go/archive.h
	$(call take,build/go/archive.h,$(GO_LIBRARY)/archive.h)

# Gives the module another path, here and in what uses it: make go-module GO_MODULE=example.org/toolbroker
go-module:
	bindings/go/rename.sh bindings/go "$(GO_MODULE)" examples/go docs
