#!/usr/bin/env bash
# Says what is left to do after an install into a folder that the loader knows: it finds libraries there through a cache, which only ldconfig writes.
# Argument: the folder of the shared library.
folder=$1
PATH=$PATH:/usr/sbin:/sbin
if ldconfig -v -N -X 2>/dev/null | sed -n 's/^\(\/[^:]*\):.*/\1/p' | grep -qxF -- "$folder"; then
    echo "Run ldconfig as root, so that programs find $folder/libtoolbroker.so; or link them with -Wl,-rpath,$folder"
fi
