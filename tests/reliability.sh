#!/usr/bin/env bash
# Measures the promises in the first table of docs/RELIABILITY.md again, and writes the figures there.
#
#     tests/reliability.sh [--minutes N] [WORD...]
#     tests/reliability.sh --list
#
# Runs the commands of the rows that took less than the time that is left of N minutes (10) when they were last
# measured; with WORDs, those of all rows that contain one of them, for at most N minutes together (600). The
# figure of a command is its last line "measured: FIGURE", otherwise the number of tests that passed; it is written
# with the date and the time that the row took. A failure is written as FAILED. A row that was not run, was not done
# in time, or lacks something on this machine keeps its figure. --list prints the commands. Exit code: 1 if a
# command failed.
set -euo pipefail
cd "$(dirname "$0")/.."
page=docs/RELIABILITY.md

# Print the commands of a row: all that is between backticks in its last column.
commands() {
    local row=${1% |}
    grep -o '`[^`]*`' <<< "${row##* | }" | tr -d '`'
}

# Run a command, and leave its figure in $figure and its status in $status: 77 if it has none.
run() {
    status=0 figure=
    [ "$SECONDS" -lt "$end" ] || { status=124; return; }
    timeout $((end - SECONDS)) bash -c "$1" < /dev/null > "$log" 2>&1 || status=$?
    figure=$(tr -d '\r' < "$log" | sed -n 's/.*measured: //p' | tail -n 1)
    # Tests on real swap pass where they are skipped.
    if [ -z "$figure" ] && [[ $1 != *"--test live"* ]]; then
        figure=$(awk '/^test result: ok/ {n += $4} END {if (n) print n " tests passed"}' "$log")
    fi
    if [ "$status" = 0 ] && [ -z "$figure" ]; then
        # Without a reason, the command measures nothing.
        if grep '^skip: ' "$log"; then status=77; else status=1; fi
    fi
}

# Run the commands of a row, and write what they measure.
measure() {
    local row=$1 begun=$SECONDS figures='' status figure command date
    while read -r command; do
        echo "== $command"
        run "$command"
        [ "$status" = 0 ] || break
        echo "$figure"
        figures+="${figures:+; }$figure"
    done < <(commands "$row")
    case $status in
        0) ;;
        77 | 124 | 127) echo "not measured (status $status)"; return 0 ;;
        *) tail -n 60 "$log"; failed=1 figures=FAILED ;;
    esac
    date=$(date +%F)
    write "$row" "${figures//|/,} ($date, $((SECONDS - begun)) s)"
}

# Replace the figure of a row. The page is read again: a test can have taken hours.
write() {
    local line promise test
    IFS='|' read -r _ promise test _ <<< "$1"
    while IFS= read -r line; do
        [ "$line" != "$1" ] || line="|$promise|$test| $2 | ${1##* | }"
        printf '%s\n' "$line"
    done < "$page" > "$page.new"
    mv "$page.new" "$page"
}

# Does the row contain one of the words?
has_word() {
    local row=$1 word
    shift
    for word in "$@"; do
        ! grep -qiF -- "$word" <<< "$row" || return 0
    done
    return 1
}

minutes=
case ${1:-} in
    --list) ;;
    --minutes) minutes=${2:?}; shift 2 ;;
    -*) sed -n '2,14s/^# \{0,1\}//p' "$0"; exit 2 ;;
esac
mapfile -t rows < <(awk '/^\|/ {if (n++ > 1) print; next} n {exit}' "$page")
if [ "${1:-}" = --list ]; then
    for row in "${rows[@]}"; do commands "$row"; done
    exit
fi
[ -n "$minutes" ] || minutes=$([ $# -gt 0 ] && echo 600 || echo 10)
end=$((SECONDS + minutes * 60)) failed=0 log=$(mktemp)
trap 'rm -f "$log" "$page.new"' EXIT
for row in "${rows[@]}"; do
    IFS='|' read -r _ _ _ figure _ <<< "$row"
    seconds=$(sed -n 's/.*, \([0-9]*\) s) *$/\1/p' <<< "$figure")
    if [ $# -gt 0 ]; then
        has_word "$row" "$@" && [ "$SECONDS" -lt "$end" ] || continue
    else
        [ -n "$seconds" ] && [ "$seconds" -lt $((end - SECONDS)) ] || continue
    fi
    measure "$row"
done
exit "$failed"
