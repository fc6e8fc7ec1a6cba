#!/usr/bin/env bash
# Fills in a template. The folders it names are written relative to the folder the file is installed in, so that the tree can be moved.
# Arguments: the template, the folder of the installed file, prefix, folder of libraries, folder of headers.
set -euo pipefail
template=$1 here=$2 prefix=$3 libdir=$4 includedir=$5

relative() { realpath -m -s --relative-to="$here" "$1"; }
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
# rustc names the shared unwinder, but the compiler that links adds the one that it wants, which with -static is another.
native_libs=$(sed 's/-lgcc_s *//' include/native-libs.txt)
abi=$(sed -n 's/^#define TB_ABI_VERSION //p' include/toolbroker.h)
sed -e "s|@VERSION@|$version|g" -e "s|@ABI@|$abi|g" -e "s|@NATIVE_LIBS@|$native_libs|g" \
    -e "s|@PREFIX@|$(relative "$prefix")|g" -e "s|@LIBDIR@|$(relative "$libdir")|g" -e "s|@INCLUDEDIR@|$(relative "$includedir")|g" "$template"
