#!/bin/bash
# Run the tests on real swap (tests/live/) on the kernels of Debian releases.
#
#   run.sh [LANE...]      lanes are suites, such as bookworm, trixie, sid; default: trixie
#   run.sh --build        only builds the programs
#
# Fetches the kernels, builds the tests and swapadm as static programs, and runs them, one kernel
# after the other. Ends with a table of tests and kernels. Environment: see fetch-kernels.sh and
# vmtest.sh; and
#   VMTEST_REQUIRE   1: skipped tests are an error
#   VMTEST_PARTS     virtual machines among which the tests of a kernel are divided (one per
#                    processor, at most 4), each with 1 GiB of memory
#   VMTEST_TIMEOUT   seconds for each lane (2400)
#   VMTEST_TESTS     only tests whose names match this extended regular expression
#   SWAPADM_KILLS    as for the tests themselves: long tests run too (CONTRIBUTING.md)
# Exit: 0 all passed, 77 some could not be run and none failed, otherwise the status of the first lane
# that failed (75: its machine did not start, 124: the time ended, and no test had failed).
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
project=$(cd "$here/../.." && pwd)
target=$(rustc -vV | sed -n 's/^host: //p')
[ $# -gt 0 ] || set -- trixie

# Report a skip, which may be an error.
skipped() {
    echo "skip: $*" >&2
    if [ "${VMTEST_REQUIRE:-0}" = 1 ]; then
        echo "run.sh: VMTEST_REQUIRE=1, so a skip is an error" >&2
        exit 1
    fi
}

# Print the path of the executable with this target kind, name and profile, from cargo's messages.
executable() {
    sed -n '/"reason":"compiler-artifact"/p' "$messages" |
        grep -F "\"kind\":[\"$1\"]" | grep -F "\"name\":\"$2\"" | grep -F "/$3/" |
        sed -n 's/.*"executable":"\([^"]*\)".*/\1/p' | tail -n 1
}

# Build the release program and the tests. Dependencies of the tests are not optimized, which saves three
# quarters of the build time; the tests are: their loads verify each byte of their memory. With --target
# the flags apply to the programs only, not to build scripts.
build() {
    local flags='-C target-feature=+crt-static' optimized='profile.dev.package.swapadm.opt-level=2'
    (cd "$project" && export RUSTFLAGS="${RUSTFLAGS:-} $flags" CARGO_PROFILE_DEV_DEBUG=none &&
        cargo build --release --target "$target" --message-format=json &&
        cargo test --config "$optimized" --no-run --target "$target" --test live \
            --message-format=json) > "$messages"
    program=$(executable bin swapadm release)
    tests=$(executable test live debug)
    [ -x "$program" ] && [ -x "$tests" ] || {
        echo "run.sh: cargo's messages do not contain the paths of the programs" >&2
        exit 1
    }
}

# Run tests in a lane for at most this many seconds, and keep their output.
in_lane() {
    local seconds=$1 lane=$2 status
    shift 2
    if [ "$seconds" -lt 60 ]; then return 124; fi
    set +e
    VMTEST_TIMEOUT=$seconds VMTEST_FILES=$program \
        VMTEST_ENV="SWAPADM_BIN=/swapadm SWAPADM_LIVE_REQUIRE=1 TMPDIR=/scratch RUST_BACKTRACE=1 $long" \
        "$here/vmtest.sh" "$lane" "$tests" --test-threads=1 "$@" 2>&1 | tee "$log"
    status=${PIPESTATUS[0]}
    set -e
    return "$status"
}

# Run tests in a lane, and repeat failed ones alone: under emulation a test can miss the moment that it
# waits for. A test that fails twice has failed. Some of the time is kept for the repetition.
twice_in_lane() {
    local lane=$1 status=0 again
    in_lane $((deadline - SECONDS - 300)) "$@" || status=$?
    again=$(failed_tests)
    # The time can end after a failure.
    case $status,$again in
        101,?* | 124,?*)
            echo "== $lane: again, alone: $again"
            local second=0
            # shellcheck disable=SC2086
            in_lane $((deadline - SECONDS)) "$lane" --exact $again || second=$?
            case $second in
                0) [ "$status" = 124 ] || status=0 ;;
                124) status=101 ;;
                *) status=$second ;;
            esac
            ;;
    esac
    return "$status"
}

# Print the names of all tests: first those of what differs most between kernels, in case the time ends.
all_tests() {
    local kernels='^(clusters|slots|maps|swapoff_reads|metadata|selection|numa|zram|tables_agree|rates|memory)'
    local names
    names=$("$tests" --list --format terse | sed -n 's/: test$//p' | grep -E "${VMTEST_TESTS:-.}")
    grep -E "$kernels" <<< "$names" || true
    grep -vE "$kernels" <<< "$names" || true
}

# Run one part of the tests: every n-th pair of neighbours in the list, which divides the long tests about
# evenly. Runs in a subshell.
one_part() {
    local lane=$1 parts=$2 part=$3 names
    log=$(mktemp)
    trap 'rm -f "$log"' EXIT
    mapfile -t names < <(all_tests |
        awk -v parts="$parts" -v part="$part" 'int((NR - 1) / 2) % parts == part')
    twice_in_lane "$lane" --exact "${names[@]}"
}

# Run all tests in parallel virtual machines, each with a part of them. The output is shown when all are
# done.
in_parts() {
    local lane=$1 parts=$2 part status=0 code= said=() running=()
    for ((part = 0; part < parts; part++)); do
        said+=("$(mktemp)")
        one_part "$lane" "$parts" "$part" > "${said[part]}" 2>&1 &
        running+=($!)
    done
    for ((part = 0; part < parts; part++)); do
        wait "${running[part]}" || code=$?
        # A failure counts more than the end of the time.
        case $status in 0 | 124) status=${code:-$status} ;; esac
        code=
        echo "== $lane, part $((part + 1)) of $parts"
        tee -a "$results/$lane" < "${said[part]}"
        rm -f "${said[part]}"
    done
    return "$status"
}

# Run the tests that exhaust a machine, in a small one with a disk on each NUMA node.
in_small_machine() {
    all_tests | grep -q in_a_machine_ || return 0
    VMTEST_NUMA=2 VMTEST_MEM=352 twice_in_lane "$1" in_a_machine_
}

# Print a table of tests and lanes, from the output of the lanes: all that is not "ok" everywhere, and the
# number of the others. A test that passed only when it was repeated is "ok alone".
results_table() {
    local lane files=()
    for lane in "$@"; do [ ! -e "$results/$lane" ] || files+=("$lane"); done
    printf '%-70s' TEST
    printf '  %-8s' "${files[@]^^}"
    echo
    (cd "$results" && awk -v lanes="${files[*]}" '
        {sub("\r$", "")}
        /^test [a-z0-9_:]+ \.\.\./ {
            name = $2
            passes = state[name, FILENAME] == "FAILED" ? "ok alone" : "ok"
            names[name]; state[name, FILENAME] = "interrupted"
        }
        name && /skip: / {passes = "skip"}
        name && /(^| )ok$/ {state[name, FILENAME] = passes; name = ""}
        name && /FAILED$/ {state[name, FILENAME] = "FAILED"; name = ""}
        END {
            n = split(lanes, lane, " ")
            for (name in names) {
                line = sprintf("%-70s", name); differs = 0
                for (i = 1; i <= n; i++) {
                    word = (name, lane[i]) in state ? state[name, lane[i]] : "not run"
                    line = line sprintf("  %-8s", word)
                    if (word != "ok") differs = 1
                }
                if (differs) print line | "sort"; else good++
            }
            close("sort")
            print good + 0 " other tests: ok in each lane"
        }' "${files[@]}")
}

# Print the names of failed tests from the log; messages of the kernel can stand between a name and its
# result.
failed_tests() {
    tr -d '\r' < "$log" |
        awk '/^test [a-z0-9_:]+ \.\.\./ {name = $2} /FAILED$/ && name {print name; name = ""}' | sort -u | xargs
}

if [ "$1" = --build ]; then
    messages=$(mktemp)
    trap 'rm -f "$messages"' EXIT
    build
    exit
fi
[ "$(uname -sm)" = "Linux x86_64" ] || { skipped "the virtual machines need an x86_64 Linux host"; exit 77; }
status=0
"$here/fetch-kernels.sh" "$@" || status=$?
case $status in
    0) ;;
    # Kernels downloaded earlier can still be used.
    77) echo "run.sh: continuing with the cached kernels" >&2 ;;
    *) exit "$status" ;;
esac

messages=$(mktemp) log=$(mktemp) results=$(mktemp -d)
trap 'rm -rf "$messages" "$log" "$results"' EXIT
build

long=${SWAPADM_KILLS:+SWAPADM_KILLS=$SWAPADM_KILLS}
parts=${VMTEST_PARTS:-$(nproc | awk '{print ($1 < 4 ? $1 : 4)}')}
worst=0 left_out=0
for lane in "$@"; do
    start=$SECONDS status=0
    deadline=$((SECONDS + ${VMTEST_TIMEOUT:-2400}))
    echo "== $lane"
    # First, because it is short: where the time ends, it has run.
    in_small_machine "$lane" 2>&1 | tee -a "$results/$lane" || status=$?
    # A failure there says nothing about the other tests.
    code=0
    in_parts "$lane" "$parts" || code=$?
    case $status in 0 | 124) [ "$code" = 0 ] || status=$code ;; esac
    echo "== $lane: $((SECONDS - start)) s, status $status"
    case $status in
        0) ;;
        77) left_out=1; skipped "$lane" ;;
        *) [ "$worst" != 0 ] || worst=$status ;;
    esac
done
results_table "$@"
[ "$worst" = 0 ] || exit "$worst"
[ "$left_out" = 0 ] || exit 77
