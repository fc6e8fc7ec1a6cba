#!/usr/bin/env bash
# Gives the Go module in a folder another path. go.mod has it; imports must repeat it, and are changed here. Arguments: the folder, the new path.
set -euo pipefail
folder=$1 path=${2:?the new path of the module}
cd "$folder"
old=$(sed -n 's/^module //p' go.mod)
sed -i "s|^module .*|module $path|" go.mod
grep -rl --include=*.go "\"$old/" . | xargs sed -i "s|\"$old/|\"$path/|g"
