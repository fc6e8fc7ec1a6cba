#!/usr/bin/env bash
# Fails where a public name of the Go packages has no comment, and names it. A comment above or behind a name, or above its group, counts.
set -euo pipefail
cd "$(dirname "$0")"
found=$(awk '
    FNR == 1 { above = 0; group = 0 }
    /^\/\// { above = 1; next }
    /^(const|var) \($/ { group = 1; grouped = above; above = 0; next }
    /^\)/ { group = 0 }
    /^(func|type|const|var) (\([a-z]+ \*?[A-Z][A-Za-z]*\) )?[A-Z]/ && !above && !/\/\// { print FILENAME ":" FNR ": " $0 }
    group && /^\t[A-Z]/ && !/\/\// && !inner && !grouped { print FILENAME ":" FNR ": " $0 }
    { inner = /^\t\/\// ; above = 0 }
' $(ls broker/*.go toolbroker/*.go | grep -v _test.go))
[ -z "$found" ] || { echo "$found"; exit 1; }
