#!/bin/bash
# Run the tests of what a condition hides or changes, under each condition.
#
#   conditions.sh [LANE]      default: trixie
#
# Later Debian kernels have no memory controller for cgroup v1: that condition runs on bookworm. Ends with a line for
# each condition. Environment and exit: as run.sh; the status is that of the first condition that failed.
set -uo pipefail

here=$(cd "$(dirname "$0")" && pwd)
lane=${1:-trixie}
clusters='clusters|maps|masked|tables_agree|zram'
files='swap_file|full::|fstab|shared_swapfiles|unfit'
conditions=(
    "$lane VMTEST_APPEND=debugfs=off $clusters"
    "$lane VMTEST_APPEND=sysctl.kernel.kptr_restrict=2 $clusters"
    "$lane VMTEST_APPEND=lockdown=integrity $clusters"
    "$lane VMTEST_APPEND=lockdown=confidentiality $clusters"
    "$lane VMTEST_HIDE=types $clusters"
    "$lane VMTEST_HIDE=symbols $clusters"
    "bookworm VMTEST_CGROUP=1 lab_cgroups|lost_processes|delegated|pressure|setting|memory"
    "$lane VMTEST_SCRATCH=ext4 $files"
    "$lane VMTEST_SCRATCH=xfs $files"
    "$lane VMTEST_SCRATCH=btrfs $files"
)

worst=0 said=()
for condition in "${conditions[@]}"; do
    read -r kernel setting tests <<< "$condition"
    status=0
    echo "== $kernel with $setting"
    env "$setting" VMTEST_TESTS="$tests" "$here/run.sh" "$kernel" || status=$?
    said+=("$kernel with $setting: status $status")
    [ "$status" = 0 ] || [ "$worst" != 0 ] || worst=$status
done
printf '%s\n' "${said[@]}"
echo "measured: ${#said[@]} conditions, status $worst"
exit "$worst"
