#!/usr/bin/env bash
# The library opens no file but the one that a call names, no socket, and starts no process: seen from outside.
# Arguments: the file that may be opened ("" for none), the program and its arguments.
set -euo pipefail
allowed=$1
shift
trace=$(mktemp)
trap 'rm -f "$trace"' EXIT
# No backtrace is asked for, so that a caught panic reads nothing either.
env -u RUST_BACKTRACE strace -f -qq -e signal=none -e trace=%file,%network,%process -o "$trace" "$@" >/dev/null

grep -q '"/suite-begins"' "$trace" || { echo "$1: its beginning is not in the trace" >&2; exit 1; }
# stdio asks what standard output is; that is no file that anyone opened.
rest=$(sed '1,/"\/suite-begins"/d' "$trace" | grep -vE '(fstat|newfstatat|statx)(64)?\([0-9]+, ""|exit_group|exited with 0' || true)
wanted=0
if [ -n "$allowed" ]; then
    wanted=$(grep -cF "\"$allowed\", O_RDONLY" <<<"$rest" || true)
    [ "$wanted" -ge 1 ] || { echo "$1: it never opened $allowed" >&2; exit 1; }
    rest=$(grep -vF "\"$allowed\", O_RDONLY" <<<"$rest" || true)
fi
[ -z "$rest" ] || { echo "$1 does more than it may:" >&2; echo "$rest" >&2; exit 1; }
