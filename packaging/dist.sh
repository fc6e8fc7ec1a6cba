#!/usr/bin/env bash
# Packs an installed tree, the sources of the bindings, the examples and the documents. The same input gives the same bytes.
# Arguments: the installed tree, the folder for the archive, the archive's name without an ending.
set -euo pipefail
stage=$1 out=$2 name=$3
tree=$out/$name
rm -rf "$tree" "$tree.tar.gz" "$tree.tar.gz.sha256"
mkdir -p "$tree/share/toolbroker/bindings"
cp -a "$stage/." "$tree/"
cp -a examples "$tree/share/toolbroker/"
for binding in bindings/cpp bindings/go bindings/swift; do
    [ ! -d "$binding" ] || cp -a "$binding" "$tree/share/toolbroker/bindings/"
done
find "$tree" -name .build -prune -exec rm -rf {} +

# The documents as they are in the checkout, and what they name where they look for it; links to what is not packed become text.
cp -a README.md CHANGELOG.md docs "$tree/share/doc/toolbroker/"
ln -s ../../toolbroker/examples ../../toolbroker/bindings ../../../include "$tree/share/doc/toolbroker/"
ln -s ../doc/toolbroker/README.md ../doc/toolbroker/docs "$tree/share/toolbroker/"
packaging/links.sh mend "$tree"

(cd "$tree" && find . -type f ! -name SHA256SUMS | LC_ALL=C sort | sed 's|^\./||' | tr '\n' '\0' | xargs -0 sha256sum > SHA256SUMS)
time=$(git log -1 --format=%ct 2>/dev/null || echo 0)
tar --create --sort=name --mtime="@${SOURCE_DATE_EPOCH:-$time}" --owner=0 --group=0 --numeric-owner --mode=u+w,go-w,a+rX -C "$out" "$name" | gzip -n > "$tree.tar.gz"
(cd "$out" && sha256sum "$name.tar.gz" > "$name.tar.gz.sha256")
rm -rf "$tree"
echo "$tree.tar.gz"
