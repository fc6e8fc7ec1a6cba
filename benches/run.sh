#!/bin/sh
# Measures toolbroker through its C ABI beside a plain Go model of the documented algorithm, in one run on one machine, and prints one table a
# workload. docs/benchmarks.md says what the columns mean. What is made on the way stays in build/bench.
set -eu
cd "$(dirname "$0")/.."

if [ -z "${TOOLBROKER_DATA:-}" ] || [ ! -d "$TOOLBROKER_DATA/compat/model" ]; then
    echo "bench: set TOOLBROKER_DATA to the folder that holds compat/model and bench/make_workload.py" >&2
    exit 1
fi
for program in cargo cc go python3; do
    command -v "$program" >/dev/null || { echo "bench: $program is missing" >&2; exit 1; }
done

out=build/bench
mkdir -p "$out"
cargo build --release --quiet
# shellcheck disable=SC2046 # a list of flags
cc -std=c99 -pedantic -Wall -Wextra -O2 -Iinclude benches/select.c "${CARGO_TARGET_DIR:-target}/release/libtoolbroker.a" \
    $(cat include/native-libs.txt 2>/dev/null || echo -lgcc_s -lpthread -lm -ldl) -o "$out/select"

# A copy: the data may be read-only, and the model reads the tables that lie beside it.
rm -rf "$out/compat"
cp -R "$TOOLBROKER_DATA/compat" "$out/compat"
chmod -R u+w "$out/compat"
(cd "$out/compat/model" && go test -c -o ../model.test . && go build -o ../oracle ./cmd/oracle)

model() { # folder pattern calls runs
    (cd "$out/compat/model" && WORKLOAD="$1/workload.json" ../model.test -test.run '^$' -test.bench "$2" -test.benchtime "$3" -test.count "$4")
}

# tools, rules, laps, runs: in each run the model goes through the 20 intents this many times, so that all weigh the same.
while read -r tools rules laps runs; do
    folder="$PWD/$out/${tools}x$rules"
    mkdir -p "$folder"
    python3 "$TOOLBROKER_DATA/bench/make_workload.py" "$tools" "$rules" "$folder/workload.json"
    python3 benches/workload.py "$folder/workload.json" "$folder"
    model "$folder" '(Register|Select|SelectJSON)$' "$((laps * 20))x" "$runs" >"$folder/model.txt"
    model "$folder" 'Detect$' 640x 7 >>"$folder/model.txt"
    for profile in standard go-0.2; do
        "$out/select" "$folder" "$profile" >"$folder/$profile.tsv"
    done
    echo "## $tools tools, $rules rules"
    python3 benches/table.py "$folder"
    python3 benches/agree.py "$folder" "$out"
    echo
done <<SIZES
100 20 20 7
1000 100 5 7
10000 100 1 3
SIZES
