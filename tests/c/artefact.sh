#!/usr/bin/env bash
# What the built library is, as others see it. Arguments: the shared library and the file with the system libraries that rustc names.
set -euo pipefail
library=$1 native_libs=$2

# The oldest system that a release is for, as docs/platforms.md says: glibc 2.34 (Debian 12, Ubuntu 22.04, RHEL 9).
newest_glibc=2.34

fail() { echo "$library: $*" >&2; exit 1; }
undefined() { "${NM:-nm}" -D --undefined-only "$library" | awk '{print $2}' | sed 's/@.*//' | sort -u; }

exported=$("${NM:-nm}" -D --defined-only "$library" | awk '{print $3}' | sed 's/@.*//' | LC_ALL=C sort)
diff <(LC_ALL=C sort include/exports.txt) <(echo "$exported") || fail "exports are not those of include/exports.txt"

abi=$(sed -n 's/^#define TB_ABI_VERSION //p' include/toolbroker.h)
dynamic=$(readelf -d "$library")
segments=$(readelf -lW "$library")
soname=$(sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p' <<<"$dynamic")
[ "$soname" = "libtoolbroker.so.$abi" ] || fail "its name is '$soname', not libtoolbroker.so.$abi"
[[ $dynamic == *NODELETE* ]] || fail "it can be unloaded: -z nodelete is missing"
[[ $dynamic != *TEXTREL* ]] || fail "it has text relocations"
[[ $(grep GNU_STACK <<<"$segments") == *" RW "* ]] || fail "its stack is executable"

# No sockets, no processes, no threads, no signals. Locks and thread-local keys of pthreads are fine.
forbidden='^(socket.*|connect|bind|listen|accept.*|send(to|msg)?|recv(from|msg)?|getaddrinfo|gethostby.*|res_.*'
forbidden+='|fork|vfork|clone.*|exec[vl].*|fexecve|posix_spawn.*|system|popen|waitpid|pipe2?|pthread_create|pthread_kill|pthread_sigmask|pthread_atfork'
forbidden+='|sigaction|signal|sigaltstack|sigprocmask|kill|raise|setitimer|timer_create|alarm'
forbidden+='|dlopen|dlsym|setenv|putenv|unsetenv|setlocale|localtime.*|gettimeofday|clock_gettime|time|nanosleep'
forbidden+='|unlink.*|rename.*|mkdir.*|rmdir|chdir|opendir|readdir.*|ftruncate.*|creat.*|mkstemp.*)(64)?$'
found=$(undefined | grep -E "$forbidden" || true)
[ -z "$found" ] || fail "it uses" $found
[ "$(undefined | wc -l)" -gt 10 ] || fail "its undefined symbols cannot be read"

newest=$("${NM:-nm}" -D --undefined-only "$library" | grep -o 'GLIBC_[0-9.]*' | sed 's/GLIBC_//' | sort -V | tail -1)
[ -n "$newest" ] || fail "its GLIBC versions cannot be read"
[ "$(printf '%s\n' "$newest" "$newest_glibc" | sort -V | tail -1)" = "$newest_glibc" ] || fail "it needs GLIBC_$newest, newer than $newest_glibc"
grep -qF "glibc $newest_glibc " docs/platforms.md || fail "docs/platforms.md does not name glibc $newest_glibc"

needed=$(sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' <<<"$dynamic" | grep -vE '^(libc\.so\.6|libgcc_s\.so\.1|ld-linux.*|libm\.so\.6)$' || true)
[ -z "$needed" ] || fail "it needs" $needed

[ "$(cat include/native-libs.txt)" = "$(cat "$native_libs")" ] || fail "include/native-libs.txt is not rustc's list: $(cat "$native_libs")"
