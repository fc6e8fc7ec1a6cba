#!/usr/bin/env bash
# Runs every check on what `make test` built, one line each, and says what was left out and why.
# With CI=true whatever is left out fails, but for checks on the collected catalogues (TOOLBROKER_DATA).
set -uo pipefail
cd "$(dirname "$0")/.."
. tests/checks.sh

cargo=${CARGO:-cargo}
drivers="build/c/dynamic/driver;build/c/static/driver"
on_folder="examples/data/tools 3 20"
data=${TOOLBROKER_DATA:-}
watched="valgrind --quiet --leak-check=full --show-leak-kinds=all --errors-for-leak-kinds=definite,indirect,possible --error-exitcode=9"

echo "-- Rust"
cargo_tests "Rust, and cases and vectors through C" env TOOLBROKER_DRIVERS="$drivers" "$cargo" test --quiet --all-features
check "without the feature fs" "$cargo" check --quiet --no-default-features
if "$cargo" clippy --version >/dev/null 2>&1; then
    check "clippy" "$cargo" clippy --quiet --all-targets --all-features -- -D warnings
else
    leave_out "clippy" "cargo has no clippy"
fi
if "$cargo" fmt --version >/dev/null 2>&1; then
    check "format" "$cargo" fmt --check
else
    leave_out "format" "cargo has no fmt"
fi

echo "-- C"
for kind in dynamic static asan; do
    for suite in arguments callbacks threads process; do
        check "$suite, $kind" build/c/$kind/$suite
    done
    check "catalogs of the examples, $kind" build/c/$kind/catalogs $on_folder
done
check "arguments, debug library" build/c/debug/arguments
# Without optimization the YAML reader takes about 10 KiB a level; what ships is held to 256 KiB above.
check "process, debug library" build/c/debug/process 2048 nesting
check "panic" build/c/panic/panic
check "unload" build/c/dynamic/unload build/libtoolbroker.so
check "second archive" build/c/second/second_archive
check "header in two units, C" build/c/dynamic/units-c
if has "${CXX:-c++}"; then
    check "header in two units, C++ compiles" "${MAKE:-make}" --no-print-directory build/c/dynamic/units-cxx
    check "header in two units, C++" build/c/dynamic/units-cxx
else
    leave_out "header in two units, C++" "there is no C++ compiler (CXX)"
fi

readme_program() {
    diff <(sed -n '/^```c$/,/^```$/p' README.md | sed '1d;$d') examples/c/hello.c
}

# A faulty rule file must be told with its place, by a program that was written after the examples.
example_tells_a_fault() {
    rm -rf build/faulty
    cp -r examples/data build/faulty
    echo "  - intnt: x" >>build/faulty/rules.yaml
    ! build/examples/static/rules_file build/faulty 2>build/faulty/told && grep -q "unknown key \`intnt\`.*did you mean" build/faulty/told
}

echo "-- Examples"
check "the program of the README is examples/c/hello.c" readme_program
check "hello, dynamic" same_output examples/expected/hello.txt build/examples/dynamic/hello
check "hello, static" same_output examples/expected/hello.txt build/examples/static/hello
check "an example tells a fault" example_tells_a_fault
with_messages() { "$1" examples/data <examples/data/messages.txt; }
for kind in dynamic static; do
    check "event_loop, C $kind" same_output examples/expected/event_loop.txt with_messages build/examples/$kind/event_loop
done
for example in basic rules_file overrides embedder; do
    for kind in dynamic static; do
        check "$example, C $kind" same_output examples/expected/$example.txt build/examples/$kind/$example examples/data
    done
    check "$example, Rust" same_output examples/expected/$example.txt "$cargo" run --quiet --all-features --example $example examples/data
done

for part in bindings/*/tests.sh packaging/tests.sh; do
    . "$part"
done

echo "-- Memory"
if has valgrind; then
    check "arguments under Valgrind" $watched build/c/static/arguments
    check "callbacks under Valgrind" $watched build/c/static/callbacks
    check "threads under Valgrind" $watched build/c/static/threads 5
    check "catalogs of the examples under Valgrind" $watched build/c/static/catalogs $on_folder
    cargo_tests "cases through C under Valgrind" env TOOLBROKER_DRIVERS="$watched build/c/static/driver" \
        "$cargo" test --quiet --all-features --test contract cases::hold_through_c
else
    leave_out "leaks" "there is no valgrind"
fi

echo "-- Artefact"
check "symbols and names" tests/c/artefact.sh build/libtoolbroker.so build/native-libs.txt
if has strace; then
    for kind in dynamic static; do
        check "files that are opened, $kind" tests/c/trace.sh examples/data/rules.yaml build/c/$kind/files examples/data/rules.yaml
        check "nothing is opened, arguments, $kind" tests/c/trace.sh "" build/c/$kind/arguments
        check "nothing is opened, callbacks, $kind" tests/c/trace.sh "" build/c/$kind/callbacks
    done
else
    leave_out "the trace of system calls" "there is no strace"
fi

echo "-- Collected catalogues"
if [ -n "$data" ]; then
    for kind in dynamic static asan; do
        check "122 servers and 3029 tools, $kind" build/c/$kind/catalogs "$data/catalogs" 122 3029
    done
    if has valgrind; then
        check "122 servers and 3029 tools under Valgrind" $watched build/c/static/catalogs "$data/catalogs" 122 3029
    fi
    word_weights_are_the_sets() { build/toolbroker eval --sets "$data/retrieval" --task word-weights | diff - src/rank/tables/word_weights.txt; }
    no_word_of_one_set() { test -z "$(build/toolbroker eval --sets "$data/retrieval" --task words-of-one-set)"; }
    check "word weights are those that the sets teach" word_weights_are_the_sets
    check "no table has a word of one group of sets alone" no_word_of_one_set
    check "the ranking finds the right tools" build/toolbroker eval --sets "$data/retrieval" --least recall@5=0.65 --least ndcg@10=0.65
else
    echo "left out: the collected catalogues and sets of messages (TOOLBROKER_DATA is not set)"
fi

summary
