# Sourced by tests/run.sh: the C++ interface.

cpp_builds() { "${MAKE:-make}" --no-print-directory "$@"; }

# The value of a failed result, without exceptions: the process ends with the error's text.
cpp_misuse_ends_the_process() {
    local status=0
    build/cpp/dynamic/no_exceptions misuse 2>build/cpp/misuse.txt || status=$?
    [ $status -eq 134 ] && grep -q "the value of a failed call was asked for: .*EOF" build/cpp/misuse.txt
}

cpp_says_which_standard_it_needs() {
    ! "${CXX:-c++}" -std=c++14 -Iinclude -Ibindings/cpp -fsyntax-only -x c++ bindings/cpp/toolbroker.hpp 2>build/cpp/standard.txt &&
        grep -q "error.*toolbroker.hpp needs C++17 or later: compile with -std=c++17" build/cpp/standard.txt && [ "$(grep -c 'error' build/cpp/standard.txt)" -le 2 ]
}

cpp_json_needs_exceptions() {
    ! "${CXX:-c++}" -std=c++17 -fno-exceptions -Iinclude -Ibindings/cpp -fsyntax-only -x c++ bindings/cpp/toolbroker_json.hpp 2>build/cpp/refused.txt &&
        grep -q "toolbroker_json.hpp needs exceptions" build/cpp/refused.txt
}

# What goes out of scope unread is a mistake that the compiler tells.
cpp_result_is_not_dropped() {
    local program='#include "toolbroker.hpp"
int main() { toolbroker::Broker broker; broker.try_select(); }'
    ! "${CXX:-c++}" -std=c++17 -Wall -Werror -Iinclude -Ibindings/cpp -fsyntax-only -x c++ - <<<"$program" 2>build/cpp/dropped.txt &&
        grep -q "nodiscard" build/cpp/dropped.txt
}

cpp_readme_program() {
    diff <(sed -n '/^```cpp$/,/^```$/p' bindings/cpp/README.md | sed '1d;/^```$/,$d') examples/cpp/hello.cpp
}

# By the staged install, as a newcomer does, and without any JSON library.
cpp_builds_from_the_install() {
    local stage=$PWD/build/stage
    "${CXX:-c++}" -std=c++17 -pthread -I"$stage/include" examples/cpp/hello.cpp -L"$stage/lib" -ltoolbroker -Wl,-rpath,"$stage/lib" -o build/cpp/installed &&
        diff examples/expected/hello.txt <(build/cpp/installed)
}

echo "-- C++"
check "C++: every function of the library is there" bindings/cpp/tests/whole.sh
check "C++: every public name has a comment" bindings/cpp/tests/documented.sh
check "C++: the program of the README is examples/cpp/hello.cpp" cpp_readme_program
if has "${CXX:-c++}"; then
    check "C++: suites compile" cpp_builds cpp-suites
    for suite in lifetime callbacks errors threads; do
        for kind in dynamic static asan cxx20; do
            check "C++: $suite, $kind" build/cpp/$kind/$suite
        done
    done
    check "C++: threads under ThreadSanitizer" env TSAN_OPTIONS=suppressions=bindings/cpp/tests/tsan.txt build/cpp/tsan/threads 20
    check "C++: panic" build/cpp/panic/panic
    check "C++: a header of another ABI" build/cpp/dynamic/abi
    check "C++: without exceptions" build/cpp/dynamic/no_exceptions
    check "C++: misuse without exceptions" cpp_misuse_ends_the_process
    check "C++: an older standard is told" cpp_says_which_standard_it_needs
    check "C++: a result is not dropped" cpp_result_is_not_dropped
    check "C++: header in two units" build/cpp/dynamic/units
    check "C++: header in two units, one without exceptions" build/cpp/dynamic/units-mixed
    check "C++: hello" same_output examples/expected/hello.txt build/examples/cpp/hello
    check "C++: hello, from the install" cpp_builds_from_the_install
    check "C++: basic" same_output examples/expected/basic.txt build/examples/cpp/basic
    cargo_tests "C++: cases and vectors" env TOOLBROKER_DRIVERS=build/cpp/dynamic/driver "$cargo" test --quiet --all-features --test contract hold_through_c
    if has valgrind; then
        for suite in lifetime callbacks errors; do
            check "C++: $suite under Valgrind" $watched build/cpp/static/$suite
        done
        check "C++: threads under Valgrind" $watched build/cpp/static/threads 3
    else
        leave_out "C++: leaks" "there is no valgrind"
    fi
    if echo '#include <nlohmann/json.hpp>' | "${CXX:-c++}" -std=c++17 -fsyntax-only -x c++ - 2>/dev/null; then
        check "C++: what uses nlohmann::json compiles" cpp_builds cpp-json
        for kind in dynamic cxx20; do
            check "C++: values of nlohmann::json, $kind" build/cpp/$kind/json
        done
        check "C++: values need exceptions" cpp_json_needs_exceptions
        for example in rules_file overrides; do
            check "C++: $example" same_output examples/expected/$example.txt build/examples/cpp/$example examples/data
        done
    else
        leave_out "C++: values of nlohmann::json, rules_file, overrides" "there is no <nlohmann/json.hpp> (nlohmann-json3-dev)"
    fi
else
    leave_out "C++" "there is no C++ compiler (CXX)"
fi
if has clang++; then
    check "C++: suites compile, clang" cpp_builds cpp-clang
    for suite in lifetime callbacks errors threads; do
        check "C++: $suite, clang" build/cpp/clang/$suite
    done
else
    leave_out "C++: suites by clang" "there is no clang++"
fi
