#!/usr/bin/env bash
# Builds the fuzz targets and runs them one after the other, or some at a time with --jobs.
#
#     fuzz/run.sh [SECONDS | --executions N] [--sanitizer NAME] [--jobs N] [TARGET...]
#
# Each target runs for SECONDS (default 10), or for N executions. The sanitizer is none (default, fast), or one of
# cargo-fuzz, such as address. Without names, all targets run. Prints a table at the end. Exit codes: 1 if an input
# failed, 77 if a tool is missing.
set -euo pipefail
cd "$(dirname "$0")"

usage() {
    sed -n '2,8s/^# \{0,1\}//p' run.sh
    exit 2
}

missing() {
    echo "fuzz/run.sh: $1 is missing; to install it: $2" >&2
    exit 77
}

limit=-max_total_time=10
sanitizer=none
jobs=1
chosen=()
while [ $# -gt 0 ]; do
    case $1 in
        --executions) limit=-runs=${2:?}; shift ;;
        --sanitizer) sanitizer=${2:?}; shift ;;
        --jobs) jobs=${2:?}; shift ;;
        -*) usage ;;
        *[!0-9]*) chosen+=("$1") ;;
        *) limit=-max_total_time=$1 ;;
    esac
    shift
done

# Name and longest input of each target.
all=$(sed -n 's/^ *target("\([a-z_]*\)", *\([0-9_]*\),.*/\1 \2/p' targets/mod.rs |
    while read -r name longest; do echo "$name ${longest//_/}"; done)
for name in ${chosen[@]+"${chosen[@]}"}; do
    grep -q "^$name " <<< "$all" || {
        echo "fuzz/run.sh: there is no target $name; there are:" >&2
        cut -d' ' -f1 <<< "$all" >&2
        exit 2
    }
done
if [ ${#chosen[@]} -gt 0 ]; then
    all=$(grep -E "^($(IFS='|'; echo "${chosen[*]}")) " <<< "$all")
fi

rustup toolchain list 2> /dev/null | grep -q '^nightly' ||
    missing "the nightly toolchain" "rustup toolchain install nightly"
cargo fuzz --version > /dev/null 2>&1 || missing cargo-fuzz "cargo install cargo-fuzz"

cargo +nightly fuzz build --fuzz-dir . --sanitizer "$sanitizer" --codegen-units 16 parser
parser=target/$(rustc -vV | sed -n 's/^host: //p')/release/parser
# The parsers read files below this folder: in memory, if possible.
scratch=$(mktemp -d -p "$([ -w /dev/shm ] && echo /dev/shm || echo "${TMPDIR:-/tmp}")")
export TMPDIR=$scratch
trap 'rm -rf "$scratch"' EXIT

# Runs one target. What libFuzzer prints goes to logs/TARGET.
run() {
    local name=$1 longest=$2
    mkdir -p "corpus/$name" "artifacts/$name" logs
    SWAPADM_FUZZ_TARGET=$name "$parser" "corpus/$name" "seeds/$name" "$limit" -fork=0 -reload=0 \
        -max_len="$longest" -timeout=10 -rss_limit_mb=512 -print_final_stats=1 \
        -artifact_prefix="artifacts/$name/" > "logs/$name" 2>&1 || touch "$scratch/failed-$name"
}
export -f run
export parser limit scratch
xargs -P "$jobs" -L 1 bash -c 'run "$0" "$1"' <<< "$all"

figure() {
    sed -n "s/^stat::$2: *//p" "logs/$1" | tail -1
}

printf '%-16s %12s %9s %9s %9s  %s\n' target executions per_s new_units peak_MiB result
status=0 targets=0 total=0
while read -r name _; do
    result=passed
    if [ -e "$scratch/failed-$name" ]; then
        status=1
        input=$(sed -n 's/.*Test unit written to //p' "logs/$name" | tail -1)
        result="FAILED; to repeat: SWAPADM_FUZZ_TARGET=$name fuzz/$parser fuzz/${input:-corpus/$name} (see fuzz/logs/$name)"
    fi
    targets=$((targets + 1)) total=$((total + $(figure "$name" number_of_executed_units || echo 0)))
    printf '%-16s %12s %9s %9s %9s  %s\n' "$name" "$(figure "$name" number_of_executed_units)" \
        "$(figure "$name" average_exec_per_sec)" "$(figure "$name" new_units_added)" \
        "$(figure "$name" peak_rss_mb)" "$result"
done <<< "$all"
echo "measured: $total inputs of $targets targets"
exit $status
