#!/usr/bin/env bash
# Fails where a public name of the Swift package has no comment (///) above it, and names it. Cases of public enums count as public.
set -euo pipefail
cd "$(dirname "$0")/Sources/Toolbroker"
found=$(awk '
    FNR == 1 { above = 0; open = 0 }
    { text = $0; sub(/^ +/, "", text) }
    text ~ /^\/\/\// { above = 1; next }
    text ~ /^@/ && text !~ / / { next }
    text ~ /enum [A-Z]/ { open = text ~ /^public/ }
    !above && (text ~ /^public / || open && text ~ /^(indirect )?case [a-z`]/) { print FILENAME ":" FNR ": " text }
    { above = 0 }
' *.swift)
[ -z "$found" ] || { echo "$found"; exit 1; }
