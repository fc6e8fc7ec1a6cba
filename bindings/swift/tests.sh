# Sourced by tests/run.sh: the Swift package. TOOLBROKER_SWIFT_PREFIX has the words before `swift`, such as .ci/swift-root.

swift_runs() { ${TOOLBROKER_SWIFT_PREFIX:-} "$@"; }

# What the compiler, the linker or the package manager warns of fails.
swift_makes() { # target
    "${MAKE:-make}" --no-print-directory "$1" 2>&1 | tee "build/swift/$1.txt"
    [ "${PIPESTATUS[0]}" -eq 0 ] && ! grep -q 'warning:' "build/swift/$1.txt"
}

# XCTest's own counts are added up.
swift_tests() { # name, target
    local name=$1 log=build/swift/$2.txt status=0 number
    started=$SECONDS
    swift_makes "$2" >/dev/null || status=$?
    number=$(sed -n 's/.*Executed \([0-9]*\) tests*, with 0 failures.*/\1/p' "$log" | sort -n | tail -n 1)
    passed=$((passed + ${number:-0}))
    [ "${number:-0}" -gt 0 ] || status=1
    report $status "$name: ${number:-0} tests" "$log"
}

swift_readme_program() {
    diff <(sed -n '/^```swift$/,/^```$/p' bindings/swift/README.md | sed '1d;/^```$/,$d') examples/swift/hello/main.swift
}

swift_example_tells_a_fault() {
    rm -rf build/swift/faulty
    cp -r examples/data build/swift/faulty
    echo "  - intnt: x" >>build/swift/faulty/rules.yaml
    ! swift_runs build/swift/examples/debug/rules_file build/swift/faulty 2>build/swift/told.txt &&
        grep -q "^invalid_rule: .*rules.yaml:.*unknown key \`intnt\`.*did you mean" build/swift/told.txt
}

echo "-- Swift"
mkdir -p build/swift
check "Swift: every public name is documented" bindings/swift/undocumented.sh
check "Swift: the program of the README is examples/swift/hello" swift_readme_program
if [ -n "${TOOLBROKER_SWIFT_PREFIX:-}" ] || has swift; then
    swift_tests "Swift" swift-test
    swift_tests "Swift, optimized" swift-test-release
    swift_tests "Swift under ThreadSanitizer" swift-test-thread
    swift_tests "Swift under AddressSanitizer" swift-test-address
    cargo_tests "Swift: cases and vectors, optimized, and looking for leaks" \
        env TOOLBROKER_DRIVERS="${TOOLBROKER_SWIFT_PREFIX:-} build/swift/release/release/driver;${TOOLBROKER_SWIFT_PREFIX:-} build/swift/address/debug/driver" \
        "$cargo" test --quiet --all-features --test contract hold_through_c
    check "Swift: examples compile" swift_makes swift-examples
    check "Swift: hello" same_output examples/expected/hello.txt swift_runs build/swift/examples/debug/hello
    for example in basic rules_file overrides; do
        check "Swift: $example" same_output examples/expected/$example.txt swift_runs build/swift/examples/debug/$example examples/data
    done
    check "Swift: an example tells a fault" swift_example_tells_a_fault
else
    leave_out "Swift" "there is no swift, and TOOLBROKER_SWIFT_PREFIX names no way to one (.ci/swift-root)"
fi
