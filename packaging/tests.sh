# Sourced by tests/run.sh: what is installed and packed.

# DESTDIR shows in no file, and the files find each other by relative paths, whatever the folders are called.
install_honours_destdir() {
    rm -rf build/destdir
    "${MAKE:-make}" --no-print-directory --silent install DESTDIR="$PWD/build/destdir" PREFIX=/usr LIBDIR=/usr/lib/x86_64-linux-gnu
    cd build/destdir
    if grep -rI "$PWD" .; then return 1; fi
    export PKG_CONFIG_PATH=$PWD/usr/lib/x86_64-linux-gnu/pkgconfig
    cc ../../examples/c/hello.c $(pkg-config --cflags --libs toolbroker) -o hello
    diff ../../examples/expected/hello.txt <(LD_LIBRARY_PATH=usr/lib/x86_64-linux-gnu ./hello)
}

links_lead_somewhere() {
    packaging/links.sh dead README.md CHANGELOG.md docs bindings examples
    rm -rf build/destdir
    "${MAKE:-make}" --no-print-directory --silent install DESTDIR="$PWD/build/destdir" PREFIX=/usr
    packaging/links.sh dead build/destdir
    grep -q "](docs/integration.md)" build/destdir/usr/share/doc/toolbroker/README.md
}

# As root, who may have no compiler and should leave nothing of its own in the checkout.
install_only_copies() {
    touch build/before
    "${MAKE:-make}" --no-print-directory --silent install CARGO=false CC=false DESTDIR="$PWD/build/destdir"
    [ -z "$(find build/libtoolbroker.so build/libtoolbroker.a build/toolbroker target -newer build/before -type f)" ]
}

# Linked as the README says, with nothing in the environment that says where the library is.
installed_program_starts() {
    unset LD_LIBRARY_PATH
    export PKG_CONFIG_PATH=$PWD/build/stage/lib/pkgconfig
    cc examples/c/hello.c $(pkg-config --cflags --libs toolbroker) -Wl,-rpath,"$(pkg-config --variable=libdir toolbroker)" -o build/installed
    diff examples/expected/hello.txt <(build/installed)
}

# The recipes of the README: the archive in the program, and below a program with nothing shared at all.
installed_archive_links() {
    unset LD_LIBRARY_PATH
    export PKG_CONFIG_PATH=$PWD/build/stage/lib/pkgconfig
    pkg-config --static --libs toolbroker | grep -q -- '-ltoolbroker .*-lm'
    cc examples/c/hello.c $(pkg-config --static --cflags --libs toolbroker | sed 's/-ltoolbroker/-l:libtoolbroker.a/') -o build/installed_archive
    if readelf -d build/installed_archive | grep 'NEEDED.*toolbroker'; then return 1; fi
    diff examples/expected/hello.txt <(build/installed_archive)
}

installed_static_program_needs_nothing() {
    export PKG_CONFIG_PATH=$PWD/build/stage/lib/pkgconfig
    cc -static examples/c/hello.c $(pkg-config --static --cflags --libs toolbroker) -o build/installed_static
    if readelf -d build/installed_static | grep NEEDED; then return 1; fi
    diff examples/expected/hello.txt <(build/installed_static)
}

# It is told after an install into a folder of the loader's cache, and nowhere else.
install_tells_of_the_loader() {
    local known
    known=$(PATH=$PATH:/usr/sbin:/sbin ldconfig -v -N -X 2>/dev/null | sed -n 's/^\(\/[^:]*\):.*/\1/p')
    known=${known%%$'\n'*}
    packaging/loader-hint.sh "$known" | grep -qF "Run ldconfig as root, so that programs find $known/libtoolbroker.so"
    [ -z "$(packaging/loader-hint.sh "$PWD/build")" ]
    [ -z "$("${MAKE:-make}" --no-print-directory --silent install DESTDIR="$PWD/build/destdir" PREFIX=/usr LIBDIR="$known")" ]
}

installs_below_a_folder_with_a_space() {
    local prefix="$PWD/build/a place"
    rm -rf "$prefix"
    "${MAKE:-make}" --no-print-directory --silent install DESTDIR= PREFIX="$prefix"
    export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
    # pkg-config escapes the space, which takes a shell that reads its answer again.
    eval "cc examples/c/hello.c $(pkg-config --cflags --libs toolbroker) -o build/spaced"
    diff examples/expected/hello.txt <(LD_LIBRARY_PATH=$prefix/lib build/spaced)
}

uninstall_takes_away_what_install_brought() {
    local prefix="$PWD/build/for a while"
    rm -rf "$prefix"
    "${MAKE:-make}" --no-print-directory --silent install DESTDIR= PREFIX="$prefix"
    touch "$prefix/include/other.h"
    "${MAKE:-make}" --no-print-directory --silent uninstall DESTDIR= PREFIX="$prefix"
    [ "$(find "$prefix" -type f -o -type l)" = "$prefix/include/other.h" ]
    [ ! -e "$prefix/share/doc/toolbroker" ]
}

help_names_every_command() {
    "${MAKE:-make}" --no-print-directory help >build/help.txt
    local command
    for command in demo test cross header install uninstall dist bench clean help; do
        grep -q "^make $command " build/help.txt
    done
}

# What FetchContent does with a checkout. Cargo's folder is shared, so that nothing is built twice.
cmake_builds_from_source() {
    rm -rf build/cmake
    cmake -S examples/cmake -B build/cmake -DTOOLBROKER_SOURCE="$PWD" -DTOOLBROKER_TARGET_DIR="$PWD/target"
    cmake --build build/cmake
    for program in hello hello_static hello_cpp hello_cpp_static; do
        diff examples/expected/hello.txt <(build/cmake/$program)
    done
}

cmake_refuses_another_minor_version() {
    local project=build/cmake-version
    mkdir -p $project
    printf 'cmake_minimum_required(VERSION 3.18)\nproject(v NONE)\nfind_package(toolbroker 0.2 REQUIRED)\n' >$project/CMakeLists.txt
    cmake -S $project -B $project/out -DCMAKE_PREFIX_PATH="$PWD/build/stage" >$project/told.txt 2>&1 && return 1
    grep -q 'compatible with requested version "0.2"' $project/told.txt
}

# The page for `man` names every option of the command line.
man_page_names_every_option() {
    local option
    for option in $(build/toolbroker select --help | grep -o -- '--[a-z-]*' | sort -u | grep -v -- --help); do
        grep -qF -- "$(sed 's/-/\\-/g' <<<"$option")" packaging/toolbroker.1 || { echo "$option" && return 1; }
    done
    grep -qF "toolbroker $(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)" packaging/toolbroker.1
}

pack_twice() {
    "${MAKE:-make}" --no-print-directory dist
    sha256sum build/dist/*.tar.gz >build/dist/first.txt
    "${MAKE:-make}" --no-print-directory dist
    sha256sum -c build/dist/first.txt
}

echo "-- Install and archive"
check "man page" man_page_names_every_option
check "make help" strictly help_names_every_command
check "uninstall" strictly uninstall_takes_away_what_install_brought
check "links of the documents, in the checkout and installed" strictly links_lead_somewhere
if has pkg-config; then
    check "install honours DESTDIR, PREFIX and LIBDIR" strictly install_honours_destdir
    check "install copies what is built" strictly install_only_copies
    check "install below a folder with a space in its name" strictly installs_below_a_folder_with_a_space
    check "a program of an install starts" strictly installed_program_starts
    check "a program of an install, with the archive" strictly installed_archive_links
    if echo 'int main(void) { return 0; }' | cc -static -x c - -o build/static 2>/dev/null; then
        check "a program of an install, all static" strictly installed_static_program_needs_nothing
    else
        leave_out "a program of an install, all static" "there is no static C library"
    fi
    if PATH=$PATH:/usr/sbin:/sbin has ldconfig; then
        check "install tells of the loader's cache" strictly install_tells_of_the_loader
    else
        leave_out "install tells of the loader's cache" "there is no ldconfig"
    fi
    check "archive, the same twice" strictly pack_twice
    check "archive, its contents" packaging/try.sh build/dist/*.tar.gz build/try contents
    check "archive, C from it alone" packaging/try.sh build/dist/*.tar.gz build/try c
    if has "${CXX:-c++}"; then check "archive, C++ from it alone" packaging/try.sh build/dist/*.tar.gz build/try cpp; else leave_out "archive, C++" "there is no C++ compiler"; fi
    if has go; then check "archive, Go from it alone" packaging/try.sh build/dist/*.tar.gz build/try go; else leave_out "archive, Go" "there is no go"; fi
    if [ -n "${TOOLBROKER_SWIFT_PREFIX:-}" ] || has swift; then
        check "archive, Swift from it alone" packaging/try.sh build/dist/*.tar.gz build/try swift
    else
        leave_out "archive, Swift" "there is no swift"
    fi
    if has cmake; then
        check "archive, CMake from it alone" packaging/try.sh build/dist/*.tar.gz build/try cmake
        check "CMake refuses another minor version" cmake_refuses_another_minor_version
        check "CMake from source" strictly cmake_builds_from_source
    else
        leave_out "CMake" "there is no cmake"
    fi
else
    leave_out "install and archive" "there is no pkg-config"
fi
