#!/usr/bin/env bash
# Unpacks an archive into an empty folder and uses it as a stranger would: nothing but the archive and a compiler.
# Arguments: the archive, the folder to unpack into, and what to try: contents, c, cmake, cpp, go, swift.
set -euo pipefail
archive=$(realpath "$1") folder=$2 what=$3
root=$(pwd)

if [ "$what" = contents ]; then
    (cd "$(dirname "$archive")" && sha256sum --quiet -c "$(basename "$archive").sha256")
    rm -rf "$folder"
    mkdir -p "$folder"
    tar -xzf "$archive" --strip-components=1 -C "$folder"
fi
cd "$folder"
prefix=$PWD examples=$PWD/share/toolbroker/examples work=$PWD/work
mkdir -p "$work"
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig LD_LIBRARY_PATH=$prefix/lib

same() { # name of the expected text, command…
    local expected=$examples/expected/$1.txt
    shift
    diff "$expected" <("$@")
}

case $what in
contents)
    sha256sum --quiet -c SHA256SUMS
    [ "$(readlink lib/libtoolbroker.so)" = "$(readelf -d lib/libtoolbroker.so | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')" ]
    [ -e "lib/$(readlink lib/libtoolbroker.so)" ]
    if grep -rIl -e "$root" lib/pkgconfig lib/cmake share/man share/doc include; then exit 1; fi
    "$root/packaging/links.sh" dead .
    bin/toolbroker --version
    [ "$(bin/toolbroker --version)" = "toolbroker $(pkg-config --modversion toolbroker)" ]
    grep -q "toolbroker $(pkg-config --modversion toolbroker)" share/man/man1/toolbroker.1
    ;;
c)
    for name in hello basic rules_file overrides; do
        cc "$examples/c/$name.c" $(pkg-config --cflags --libs toolbroker) -o "$work/$name"
        cc "$examples/c/$name.c" $(pkg-config --cflags toolbroker) lib/libtoolbroker.a \
            $(pkg-config --static --libs-only-l toolbroker | sed 's/-ltoolbroker//') -o "$work/${name}_static"
        same $name "$work/$name" "$examples/data"
        same $name env -u LD_LIBRARY_PATH "$work/${name}_static" "$examples/data"
    done
    cc "$examples/c/event_loop.c" $(pkg-config --cflags --libs toolbroker) -lpthread -o "$work/event_loop"
    "$work/event_loop" "$examples/data" <"$examples/data/messages.txt" | diff "$examples/expected/event_loop.txt" -
    ;;
cmake)
    unset PKG_CONFIG_PATH LD_LIBRARY_PATH
    cmake -S "$examples/cmake" -B "$work/cmake" -DCMAKE_PREFIX_PATH="$prefix"
    cmake --build "$work/cmake"
    for program in hello hello_static hello_cpp hello_cpp_static; do
        same hello "$work/cmake/$program"
    done
    ;;
cpp)
    for name in hello basic rules_file overrides; do
        c++ -std=c++17 "$examples/cpp/$name.cpp" $(pkg-config --cflags --libs toolbroker) -o "$work/${name}_cpp"
        same $name "$work/${name}_cpp" "$examples/data"
    done
    ;;
go)
    cd "$examples/go"
    for name in hello basic rules_file overrides dropin; do
        go build -tags toolbroker_system -o "$work/${name}_go" ./$name
        ldd "$work/${name}_go" | grep "$prefix/lib/libtoolbroker.so"
        same $name "$work/${name}_go" "$examples/data"
        go build -o "$work/${name}_go_static" ./$name
        same $name env -u LD_LIBRARY_PATH "$work/${name}_go_static" "$examples/data"
    done
    ;;
swift)
    # The words before `swift` may name a script of the checkout, as TOOLBROKER_SWIFT_PREFIX does for the tests.
    swift_runs() { (cd "$root" && ${TOOLBROKER_SWIFT_PREFIX:-} "$@"); }
    swift_runs swift build --package-path "$examples/swift" --scratch-path "$work/swift" -Xlinker -rpath -Xlinker "$prefix/lib"
    for name in hello basic rules_file overrides; do
        same $name env -u LD_LIBRARY_PATH bash -c "cd '$root' && ${TOOLBROKER_SWIFT_PREFIX:-} '$work/swift/debug/$name' '$examples/data'"
    done
    ;;
*)
    echo "nothing named $what to try" >&2
    exit 2
    ;;
esac
