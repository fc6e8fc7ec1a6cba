#!/usr/bin/env bash
# Builds the library for other systems and runs the test programs there, natively or emulated; says what is only compiled and what was left out.
# Every driver must answer a recorded conversation with the bytes that this machine's driver gave. `make cross` runs this.
set -uo pipefail
cd "$(dirname "$0")/../.."
. tests/checks.sh

export cargo=${CARGO:-cargo}
make="${MAKE:-make} --no-print-directory"
export here=build/c/static/driver
export talk=build/cross/conversation

# The cases and the vectors, as the tests of the contract say them to a driver.
record_contract() {
    rm -rf $talk
    mkdir -p $talk/parts
    TOOLBROKER_DRIVERS="tests/platforms/record.sh $talk/parts $here" "$cargo" test --quiet --all-features --test contract hold_through_c
    [ "$(ls $talk/parts | wc -l)" -eq 2 ] || { echo "not two conversations: cases and vectors"; exit 1; }
    cat $talk/parts/*/requests >$talk/contract.requests
    cat $talk/parts/*/answers >$talk/contract.answers
}

record_catalogs() { # name, folder
    tests/platforms/catalog_requests.sh "$2" >$talk/"$1".requests
    $here <$talk/"$1".requests >$talk/"$1".answers
}

same_answers() { # conversation, driver command…
    local conversation=$1 answers=$talk/answers
    shift
    "$@" <$talk/"$conversation".requests >$answers
    cmp $talk/"$conversation".answers $answers
}

has_target() {
    [ -d "$("${RUSTC:-rustc}" --print sysroot)/lib/rustlib/$1" ]
}

builds() { # target, its C compiler, the file with what a program links beside the library
    if ! has_target "$1"; then
        leave_out "$1" "rustup target add $1"
        return 1
    elif [ -n "$2" ] && ! has "$2"; then
        leave_out "$1" "there is no $2"
        return 1
    fi
    check "$1: builds" $make "cross-$1" && check "$1: what rustc says must be linked" diff "$3" "build/cross/$1/native-libs.txt"
}

# The suites, and the bytes of every answer.
runs() { # target, ending of programs, command that runs a program there
    local target=$1 ending=$2 kind
    local folder=build/cross/$target
    shift 2
    for kind in static dynamic; do
        [ -e "$folder/$kind/driver$ending" ] || continue
        for conversation in $conversations; do
            check "$target, $kind: the same bytes, $conversation" strictly same_answers "$conversation" "$@" "$folder/$kind/driver$ending"
        done
        check "$target, $kind: arguments" "$@" "$folder/$kind/arguments$ending"
    done
    check "$target: callbacks" "$@" "$folder/static/callbacks$ending"
    check "$target: threads" "$@" "$folder/static/threads$ending" 20
    check "$target: process" "$@" "$folder/static/process$ending" 256 nesting
}

# The Go module on that system, in a copy that has its library.
go_compiles() { # target, GOOS, GOARCH, C compiler, ending of programs, packages…
    local target=$1 os=$2 arch=$3 compiler=$4 ending=$5 package
    local copy=build/cross/$target/go
    shift 5
    rm -rf "$copy"
    cp -r bindings/go "$copy"
    cp "build/cross/$target/static/libtoolbroker.a" include/toolbroker.h "$copy/internal/lib/${os}_$arch/"
    printf '// %s\n' "$(sha256sum <"build/cross/$target/static/libtoolbroker.a")" >"$copy/internal/lib/${os}_$arch/archive.h"
    cd "$copy"
    for package in "$@"; do
        CGO_ENABLED=1 GOOS=$os GOARCH=$arch CC=$compiler go test -c -o "$package.test$ending" "./$package"
    done
}

# In the package's own folder, since the tests read cases and vectors beside it.
go_runs() { # target, package, ending of programs, command that runs a program there
    local program=$PWD/build/cross/$1/go/$2.test$3
    cd "bindings/go/$2"
    shift 3
    "$@" "$program"
}

go_on() { # target, GOOS, GOARCH, C compiler, ending of programs, packages, command that runs a program there
    local target=$1 ending=$5 packages=$6 package
    if ! has go; then
        leave_out "$target: Go" "there is no go"
        return
    fi
    # shellcheck disable=SC2086 # a list
    check "$target: Go compiles" strictly go_compiles "$target" "$2" "$3" "$4" "$ending" $packages || return
    shift 6
    [ $# -gt 0 ] || return
    for package in $packages; do
        check "$target: Go, package $package" strictly go_runs "$target" "$package" "$ending" "$@"
    done
}

exports_of_dll() {
    diff <(LC_ALL=C sort include/exports.txt) \
        <(x86_64-w64-mingw32-objdump -p "$1" | sed -n '/Ordinal\/Name Pointer/,/^$/s/.*\[[ 0-9]*\].* //p' | LC_ALL=C sort)
}

echo "-- Least Rust"
least=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
for page in README.md docs/platforms.md; do
    check "$page names Rust $least" grep -F "Rust $least " $page
done
if "$cargo" "+$least" --version >/dev/null 2>&1; then
    check "the library and the command line with Rust $least" "$cargo" "+$least" check --quiet --all-features
else
    leave_out "Rust $least" "rustup toolchain install $least --profile minimal"
fi

echo "-- Answers of this machine"
check "cases and vectors" strictly record_contract
check "catalogs of the examples" strictly record_catalogs examples examples/data/tools
conversations="contract examples"
if [ -n "${TOOLBROKER_DATA:-}" ]; then
    check "collected catalogues" strictly record_catalogs catalogs "$TOOLBROKER_DATA/catalogs"
    conversations+=" catalogs"
fi

echo "-- Linux, 32 bits"
target=i686-unknown-linux-gnu
if builds $target i686-linux-gnu-gcc include/native-libs.txt; then
    # The processor runs it; the system's own loader may not be for 32 bits.
    root=/usr/i686-linux-gnu/lib
    runs $target "" $root/ld-linux.so.2 --library-path $root
    # Not package broker: a rule's priority is an int, as in the replaced package, and some vectors have one of more than 32 bits.
    go_on $target linux 386 i686-linux-gnu-gcc "" toolbroker $root/ld-linux.so.2 --library-path $root
    check "$target: large texts" $root/ld-linux.so.2 --library-path $root build/cross/$target/static/process
    check "$target: symbols and names" tests/c/artefact.sh build/cross/$target/dynamic/libtoolbroker.so build/cross/$target/native-libs.txt
fi

echo "-- Linux, ARM"
target=aarch64-unknown-linux-gnu
if builds $target aarch64-linux-gnu-gcc include/native-libs.txt; then
    if has qemu-aarch64; then
        runs $target "" qemu-aarch64 -L /usr/aarch64-linux-gnu
        go_on $target linux arm64 aarch64-linux-gnu-gcc "" "broker toolbroker" qemu-aarch64 -L /usr/aarch64-linux-gnu
    else
        leave_out "running $target" "there is no qemu-aarch64"
    fi
    check "$target: symbols and names" env NM=aarch64-linux-gnu-nm \
        tests/c/artefact.sh build/cross/$target/dynamic/libtoolbroker.so build/cross/$target/native-libs.txt
fi

echo "-- Linux, musl"
target=x86_64-unknown-linux-musl
builds $target musl-gcc include/native-libs-linux-musl.txt && runs $target "" env

echo "-- Windows"
target=x86_64-pc-windows-gnu
if builds $target x86_64-w64-mingw32-gcc include/native-libs-windows-gnu.txt; then
    check "$target: exports" strictly exports_of_dll build/cross/$target/dynamic/toolbroker.dll
    if has wine; then
        WINEPREFIX=$PWD/build/cross/wine
        WINEPATH=$PWD/build/cross/$target
        WINEDEBUG=-all
        export WINEPREFIX WINEPATH WINEDEBUG
        check "$target: Wine starts" wineboot --init
        runs $target .exe wine
        # Not package broker: Wine 8 cannot remove the files that its tests make.
        go_on $target windows amd64 x86_64-w64-mingw32-gcc .exe toolbroker wine
    else
        leave_out "running $target" "there is no wine"
    fi
fi

echo "-- macOS, only compiled"
builds aarch64-apple-darwin "" include/native-libs-macos.txt

summary
