#!/bin/bash
# Run the tests of what a condition hides or changes, on one kernel under each condition.
#
#   conditions.sh [LANE]      default: trixie
#
# Ends with a line for each condition. Environment and exit: as run.sh; the status is that of the first
# condition that failed.
set -uo pipefail

here=$(cd "$(dirname "$0")" && pwd)
lane=${1:-trixie}
clusters='clusters|maps|masked|tables_agree|zram'
files='swap_file|full::|fstab|shared_swapfiles|unfit'
conditions=(
    "VMTEST_APPEND=debugfs=off $clusters"
    "VMTEST_APPEND=sysctl.kernel.kptr_restrict=2 $clusters"
    "VMTEST_APPEND=lockdown=integrity $clusters"
    "VMTEST_APPEND=lockdown=confidentiality $clusters"
    "VMTEST_CGROUP=1 lab_cgroups|lost_processes|delegated|pressure|setting|memory"
    "VMTEST_SCRATCH=xfs $files"
    "VMTEST_SCRATCH=btrfs $files"
)

worst=0 said=()
for condition in "${conditions[@]}"; do
    setting=${condition%% *} tests=${condition#* } status=0
    echo "== $lane with $setting"
    env "$setting" VMTEST_TESTS="$tests" "$here/run.sh" "$lane" || status=$?
    said+=("$lane with $setting: status $status")
    [ "$status" = 0 ] || [ "$worst" != 0 ] || worst=$status
done
printf '%s\n' "${said[@]}"
exit "$worst"
