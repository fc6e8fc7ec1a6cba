#!/usr/bin/env bash
# Writes what a driver (tests/c/driver.c) reads: every tool list of a folder, and messages that give every tool a score. Argument: the folder.
set -euo pipefail
export LC_ALL=C

request() { # call, text
    printf '%s %d\n%s' "$1" ${#2} "$2"
}

request options ''
for file in "$1"/*.json; do
    server=$(basename "$file" .json)
    request add_tools "{\"server\":\"$server\",\"tools\":$(cat "$file")}"
done
while read -r message; do
    request select "{\"message\":\"$message\",\"explain\":true}"
    request select "{\"message\":\"$message\",\"min_score\":0.1,\"budget\":{\"share\":0.3,\"window\":10007}}"
    request score_by_intent "{\"intent\":\"$message\"}"
done <<'MESSAGES'
create an issue for the failing build
find my notes about the meeting and send them to Anna
what is the weather in 東京 tomorrow
query the database for the last seven orders, then draw a chart
Bitte suche alle Dateien, die gestern geändert wurden
list files
покажи список задач
MESSAGES
request estimate '{}'
