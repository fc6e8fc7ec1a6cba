# What the scripts that run checks share: a line for each check, what was left out and why, and the counts. To be sourced in the checkout's folder.
# With CI=true whatever is left out fails.
passed=0 failed=0 left_out=()
mkdir -p build/log

report() { # status, name, log
    local took=$((SECONDS - started))
    if [ "$1" -eq 0 ]; then
        printf 'ok      %4ds  %s\n' $took "$2"
    else
        failed=$((failed + 1))
        printf 'FAILED  %4ds  %s\n' $took "$2"
        tail -n 60 "$3" | sed 's/^/               /'
    fi
}

check() { # name, command…
    local name=$1 log=build/log/${1//[^a-zA-Z0-9]/-}.txt status=0
    shift
    started=$SECONDS
    "$@" >"$log" 2>&1 || status=$?
    [ $status -ne 0 ] || passed=$((passed + 1))
    report $status "$name" "$log"
    return $status
}

# Runs a function of several steps so that the first that fails ends it: `set -e` has no effect in a function whose status is asked for.
strictly() { # function, arguments…
    bash -euo pipefail -c "$(declare -f)"$'\n''"$@"' strictly "$@"
}

# Cargo's own counts are added up.
cargo_tests() { # name, command…
    local name=$1 log=build/log/${1//[^a-zA-Z0-9]/-}.txt status=0 number
    shift
    started=$SECONDS
    "$@" >"$log" 2>&1 || status=$?
    number=$(sed -n 's/^test result: .* \([0-9]*\) passed.*/\1/p' "$log" | awk "{ sum += \$1 } END { print sum + 0 }")
    passed=$((passed + ${number:-0}))
    [ "${number:-0}" -gt 0 ] || status=1
    report $status "$name: ${number:-0} tests" "$log"
}

leave_out() { # what, why
    left_out+=("$1: $2")
}

has() { command -v "$1" >/dev/null 2>&1; }

same_output() { # expected file, command…
    local expected=$1
    shift
    diff "$expected" <("$@")
}

# What was left out, and the counts; fails where a check did.
summary() {
    local line
    echo
    for line in ${left_out[@]+"${left_out[@]}"}; do
        echo "left out: $line"
    done
    if [ "${CI:-}" = true ] && [ ${#left_out[@]} -gt 0 ]; then
        failed=$((failed + ${#left_out[@]}))
        echo "with CI=true nothing may be left out"
    fi
    echo "$passed passed, $failed failed"
    [ $failed -eq 0 ]
}
