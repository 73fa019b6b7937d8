#!/bin/bash
# All that a fleet uses: metrics with Prometheus and node_exporter, Ansible, and the packages in a fresh Debian root.
#
#   run.sh [PROGRAM]      PROGRAM as for tests/packages/run.sh
#
# Exit: as tests/packages/run.sh.
set -euo pipefail
cd "$(dirname "$0")/../.."
# A Debian has all programs that these tests need; .ci/run installs them.
[ "$(id -u)" != 0 ] || ! command -v dpkg-query > /dev/null || export SWAPADM_FLEET_REQUIRE=1
cargo test --test suite fleet:: -- --include-ignored
exec tests/packages/run.sh "$@"
