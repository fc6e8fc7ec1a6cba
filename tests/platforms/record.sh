#!/usr/bin/env bash
# Stands before a driver (tests/c/driver.c) and keeps what it reads and what it writes, each time in a new folder. Arguments: where, driver.
set -euo pipefail
folder=$(mktemp -d "$1/XXXXXX")
tee "$folder/requests" | "$2" | tee "$folder/answers"
