#!/usr/bin/env bash
# Gives the Go module in a folder another path. go.mod has it; imports must repeat it, and are changed here, and so is what documents say of it.
# Arguments: the module's folder, the new path, and folders of what else names it.
set -euo pipefail
module=${1:?the folder of the module} path=${2:?the new path of the module}
old=$(sed -n 's/^module //p' "$module/go.mod")
shift 2

# The path and no longer one that holds it. sed has no way to change a file in place that all systems share.
find "$module" "$@" -type f \( -name '*.go' -o -name go.mod -o -name '*.md' \) | while IFS= read -r file; do
    grep -qF "$old" "$file" || continue
    sed -E "s#(^|[^A-Za-z0-9._~/-])${old//./\\.}([^A-Za-z0-9._~-]|\$)#\\1$path\\2#g" "$file" >"$file.renamed"
    cat "$file.renamed" >"$file"
    rm "$file.renamed"
done
