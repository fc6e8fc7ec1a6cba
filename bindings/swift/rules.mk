# Included by the Makefile: the Swift package and its examples against the staged install, each kind in a folder of its own in build/swift.
#
# make swift           builds the package
# make swift-test      runs its tests; swift-test-release, swift-test-thread and swift-test-address optimized and with a sanitizer
# make swift-examples  builds examples/swift

# Words before `swift` and before what it built, such as .ci/swift-root.
TOOLBROKER_SWIFT_PREFIX ?=

SWIFT = $(TOOLBROKER_SWIFT_PREFIX) env PKG_CONFIG_PATH=$(CURDIR)/build/stage/lib/pkgconfig swift
SWIFT_FLAGS = -Xswiftc -warnings-as-errors -Xlinker -rpath -Xlinker $(CURDIR)/build/stage/lib
SWIFT_PACKAGE = --package-path bindings/swift $(SWIFT_FLAGS) --scratch-path build/swift

.PHONY: swift swift-test swift-test-release swift-test-thread swift-test-address swift-examples

swift: stage
	@$(SWIFT) build $(SWIFT_PACKAGE)/debug

swift-test: stage
	@$(SWIFT) test $(SWIFT_PACKAGE)/debug

swift-test-release: stage
	@$(SWIFT) test $(SWIFT_PACKAGE)/release --configuration release -Xswiftc -enable-testing

swift-test-thread: stage
	@$(SWIFT) test $(SWIFT_PACKAGE)/thread --sanitize thread

# XCTest keeps its list of tests for ever: leaks are looked for in the driver.
swift-test-address: stage
	@ASAN_OPTIONS=detect_leaks=0 $(SWIFT) test $(SWIFT_PACKAGE)/address --sanitize address

swift-examples: stage
	@$(SWIFT) build --package-path examples/swift $(SWIFT_FLAGS) --scratch-path build/swift/examples
