#!/usr/bin/env bash
# Makes bindings/swift/Toolbroker.xcframework: the static library for macOS, iOS and the iOS simulator, with the header.
#
# Untried: it needs a Mac with Xcode, Rust, and these of rustup's targets:
#   rustup target add aarch64-apple-darwin x86_64-apple-darwin aarch64-apple-ios aarch64-apple-ios-sim x86_64-apple-ios
set -euo pipefail
cd "$(dirname "$0")/../.."
[ "$(uname -s)" = Darwin ] || { echo "an XCFramework is made on a Mac" >&2; exit 1; }
out=build/xcframework
rm -rf "$out" bindings/swift/Toolbroker.xcframework
mkdir -p "$out"

# The same oldest systems as in Package.swift.
export MACOSX_DEPLOYMENT_TARGET=15.0 IPHONEOS_DEPLOYMENT_TARGET=18.0

library_for() { # platform, Rust targets: one library that has every processor of the platform
    local platform=$1 target files=()
    shift
    for target in "$@"; do
        cargo build --release --lib --target "$target"
        files+=("target/$target/release/libtoolbroker.a")
    done
    mkdir -p "$out/$platform"
    lipo -create "${files[@]}" -output "$out/$platform/libtoolbroker.a"
}

library_for macos aarch64-apple-darwin x86_64-apple-darwin
library_for ios aarch64-apple-ios
library_for simulator aarch64-apple-ios-sim x86_64-apple-ios

# In a folder of its own: Xcode puts the headers of all frameworks of an app together, and two module maps would collide.
mkdir -p "$out/headers/CToolbroker"
cp include/toolbroker.h "$out/headers/CToolbroker/"
cat > "$out/headers/CToolbroker/module.modulemap" <<'MAP'
module CToolbroker {
    header "toolbroker.h"
    export *
}
MAP

xcodebuild -create-xcframework \
    -library "$out/macos/libtoolbroker.a" -headers "$out/headers" \
    -library "$out/ios/libtoolbroker.a" -headers "$out/headers" \
    -library "$out/simulator/libtoolbroker.a" -headers "$out/headers" \
    -output bindings/swift/Toolbroker.xcframework
