#!/bin/bash
# Run the tests on real swap (tests/live/) on the kernels of Debian releases.
#
#   run.sh [LANE...]      lanes are suites, such as bookworm, trixie, sid; default: trixie
#   run.sh --build        only builds what the lanes run
#
# Fetches the kernels, builds the tests and swapadm as static programs, and runs them, one kernel
# after the other. Environment: see fetch-kernels.sh and vmtest.sh; and
#   VMTEST_REQUIRE   1: what cannot be run is an error
#   VMTEST_PARTS     virtual machines that share the tests of a kernel (one for each processor, but
#                    4 at most), each with a GiB of memory
# Exit: 0 all passed, 77 some could not be run and none failed, otherwise that of the first lane
# that failed (75: its machine did not start).
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
project=$(cd "$here/../.." && pwd)
target=$(rustc -vV | sed -n 's/^host: //p')
[ $# -gt 0 ] || set -- trixie

# What was skipped, and whether that is an error.
skipped() {
    echo "skip: $*" >&2
    if [ "${VMTEST_REQUIRE:-0}" = 1 ]; then
        echo "run.sh: VMTEST_REQUIRE=1, so a skip is an error" >&2
        exit 1
    fi
}

# The path of an executable, from the messages of cargo: of the target with this kind and name, in
# the folder of this profile.
executable() {
    sed -n '/"reason":"compiler-artifact"/p' "$messages" |
        grep -F "\"kind\":[\"$1\"]" | grep -F "\"name\":\"$2\"" | grep -F "/$3/" |
        sed -n 's/.*"executable":"\([^"]*\)".*/\1/p' | tail -n 1
}

# The program as it is released. The packages that the tests use are not optimized, which takes a
# quarter of the time; the tests are: their loads look at each byte of their memory. With --target the
# flag is for the programs only, not for what runs during the build.
build() {
    local flags='-C target-feature=+crt-static' optimized='profile.dev.package.swapadm.opt-level=2'
    (cd "$project" && export RUSTFLAGS="${RUSTFLAGS:-} $flags" CARGO_PROFILE_DEV_DEBUG=none &&
        cargo build --release --target "$target" --message-format=json &&
        cargo test --config "$optimized" --no-run --target "$target" --test live \
            --message-format=json) > "$messages"
    program=$(executable bin swapadm release)
    tests=$(executable test live debug)
    [ -x "$program" ] && [ -x "$tests" ] || {
        echo "run.sh: cargo did not say where the programs are" >&2
        exit 1
    }
}

# Run tests in a lane, and keep what they say.
in_lane() {
    local lane=$1 status
    shift
    set +e
    VMTEST_FILES=$program \
        VMTEST_ENV="SWAPADM_BIN=/swapadm SWAPADM_LIVE_REQUIRE=1 TMPDIR=/scratch RUST_BACKTRACE=1" \
        "$here/vmtest.sh" "$lane" "$tests" --test-threads=1 "$@" 2>&1 | tee "$log"
    status=${PIPESTATUS[0]}
    set -e
    return "$status"
}

# The same; what fails is run once more, alone. Under emulation a moment can be missed that a test
# waits for. What fails twice, fails.
twice_in_lane() {
    local lane=$1 status=0 again
    in_lane "$@" || status=$?
    again=$(failed_tests)
    if [ "$status" = 101 ] && [ -n "$again" ]; then
        echo "== $lane: once more, alone: $again"
        status=0
        # shellcheck disable=SC2086
        in_lane "$lane" --exact $again || status=$?
    fi
    return "$status"
}

# Every so many pairs of neighbours in the list, which shares those that take long about evenly.
# Whoever runs this has a shell of its own for it.
one_part() {
    local lane=$1 parts=$2 part=$3 names
    log=$(mktemp)
    trap 'rm -f "$log"' EXIT
    mapfile -t names < <("$tests" --list --format terse | sed -n 's/: test$//p' |
        awk -v parts="$parts" -v part="$part" 'int((NR - 1) / 2) % parts == part')
    twice_in_lane "$lane" --exact "${names[@]}"
}

# All tests in machines side by side, each with its part of them. What each says is shown when all
# are done.
in_parts() {
    local lane=$1 parts=$2 part status=0 said=() running=()
    for ((part = 0; part < parts; part++)); do
        said+=("$(mktemp)")
        one_part "$lane" "$parts" "$part" > "${said[part]}" 2>&1 &
        running+=($!)
    done
    for ((part = 0; part < parts; part++)); do
        wait "${running[part]}" || status=$?
        echo "== $lane, part $((part + 1)) of $parts"
        cat "${said[part]}"
        rm -f "${said[part]}"
    done
    return "$status"
}

# Some tests use a machine up: they want a small one of their own, with a disk on each of its nodes.
in_small_machine() {
    VMTEST_NUMA=2 VMTEST_MEM=352 twice_in_lane "$1" in_a_machine_
}

# The names of the tests that failed, from the list at the end.
failed_tests() {
    tr -d '\r' < "$log" | sed -n '/^failures:$/,/^test result/s/^    \([a-z0-9_:]*\)$/\1/p' | sort -u | xargs
}

if [ "$1" = --build ]; then
    messages=$(mktemp)
    trap 'rm -f "$messages"' EXIT
    build
    exit
fi
[ "$(uname -sm)" = "Linux x86_64" ] || { skipped "the machines are x86_64 Linux only"; exit 77; }
status=0
"$here/fetch-kernels.sh" "$@" || status=$?
case $status in
    0) ;;
    # Lanes that are there from an earlier day can still be run.
    77) echo "run.sh: going on with the kernels that are there" >&2 ;;
    *) exit "$status" ;;
esac

messages=$(mktemp) log=$(mktemp)
trap 'rm -f "$messages" "$log"' EXIT
build

parts=${VMTEST_PARTS:-$(nproc | awk '{print ($1 < 4 ? $1 : 4)}')}
worst=0 left_out=0
for lane in "$@"; do
    start=$SECONDS status=0
    echo "== $lane"
    in_parts "$lane" "$parts" || status=$?
    [ "$status" != 0 ] || in_small_machine "$lane" || status=$?
    echo "== $lane: $((SECONDS - start)) s, status $status"
    case $status in
        0) ;;
        77) left_out=1; skipped "$lane" ;;
        *) [ "$worst" != 0 ] || worst=$status ;;
    esac
done
[ "$worst" = 0 ] || exit "$worst"
[ "$left_out" = 0 ] || exit 77
