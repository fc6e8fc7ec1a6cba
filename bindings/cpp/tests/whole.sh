#!/usr/bin/env bash
# Holds the C++ interface to include/exports.txt: every function of the library is used, every call has its two methods, its line in the table of names
# and its place in every_call.hpp. A function that was added to the library and forgotten here fails this.
set -uo pipefail
cd "$(dirname "$0")/../../.."
header=bindings/cpp/toolbroker.hpp faults=0 calls=0

fault() {
    echo "$1"
    faults=$((faults + 1))
}

while read -r function; do
    grep -qw "$function" $header || fault "$function is used nowhere in $header"
    case $function in
    tb_broker_free | tb_builder_* | tb_buf_* | tb_error_* | tb_writer_* | tb_vectors_* | tb_status_name | tb_version | tb_abi_version) continue ;;
    esac
    name=${function#tb_}
    name=${name#broker_}
    calls=$((calls + 1))
    grep -q "^ *\(inline \)\?Result<.*> try_$name(" $header || fault "there is no try_$name()"
    grep -q "^ *\(inline \)\?std::[a-z:_<>]* $name(" $header || fault "there is no $name()"
    grep -q "\btry_$name(" bindings/cpp/tests/every_call.hpp || fault "every_call.hpp does not call try_$name()"
    [ $name = select_indices ] || grep -q "{\"$name\"," $header || fault "call(\"$name\") has no line in the table"
done <include/exports.txt

# Names in the header that the library does not have.
for function in $(grep -ow 'tb_[a-z_]*' $header | grep -vxE 'tb_(broker|builder|error|writer|vectors|buf)' | sort -u); do
    grep -qx "$function" include/exports.txt || fault "$function is no function of the library"
done

echo "$calls calls"
[ $calls -ge 23 ] && [ $faults -eq 0 ]
