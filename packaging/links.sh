#!/usr/bin/env bash
# Relative links in Markdown files: `dead` lists those that lead nowhere and fails where there are any, `mend` leaves only their text.
# Arguments: dead or mend, then files and folders.
set -euo pipefail
what=$1
shift

# A line for each file and target that is not there, parted by a tab. What stands behind # is a place inside the file.
dead_links() {
    find "$@" -type f -name '*.md' | LC_ALL=C sort | while IFS= read -r file; do
        { grep -oE '\]\([^)]+\)' "$file" || true; } | sed -e 's/^](//' -e 's/)$//' -e '/:/d' -e 's/#.*//' -e '/^$/d' | LC_ALL=C sort -u | while IFS= read -r target; do
            [ -e "$(dirname "$file")/$target" ] || printf '%s\t%s\n' "$file" "$target"
        done
    done
}

dead=$(dead_links "$@")
[ -n "$dead" ] || exit 0
case $what in
dead)
    printf '%s\n' "$dead"
    exit 1
    ;;
mend)
    while IFS=$'\t' read -r file target; do
        sed -i -E "s|\[([^]]*)\]\(${target//./\\.}(#[^)]*)?\)|\1|g" "$file"
    done <<<"$dead"
    ;;
esac
