#!/bin/bash
# Run a program as root on another kernel, in a virtual machine.
#
#   vmtest.sh LANE PROGRAM [ARGUMENT...]
#
# The kernel comes from fetch-kernels.sh. The initial RAM disk has a static busybox, the modules for
# swap tests and the program, which must be static as well. A scratch disk has a file system, mounted
# on /scratch, for swap files. The output of the program is shown, and its exit status is
# returned.
#
# Environment:
#   VMTEST_FILES    more files for the root folder of the machine, separated by blanks
#   VMTEST_ENV      NAME=VALUE pairs for the program, separated by blanks
#   VMTEST_MEM      memory in MiB (1024)
#   VMTEST_SMP      processors (2)
#   VMTEST_NUMA     NUMA nodes, each with a disk (0: one node without a disk)
#   VMTEST_TIMEOUT  seconds until the machine is stopped (2400)
#   VMTEST_APPEND   additional kernel parameters
#   VMTEST_SCRATCH  file system of /scratch: ext2, or ext4, xfs or btrfs, which the host makes (ext2)
#   VMTEST_CGROUP   version of cgroups: 1 or 2 (2)
#   VMTEST_HIDE     what the kernel lacks: types (BTF) or symbols (of data in /proc/kallsyms)
#   VMTEST_QEMU     additional arguments for qemu
#   VMTEST_ACCEL    kvm or tcg; detected by a test boot when not set
#   VMTEST_CACHE    folder of the kernels (cache/ in the project)
# Exit: the program's, or 77 skipped (the reason is printed), 75 the machine did not start twice
# in a row, 124 timeout, 70 the machine died.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
cache=${VMTEST_CACHE:-$here/../../cache}

skip() {
    echo "skip: vmtest: $*" >&2
    exit 77
}

[ $# -ge 2 ] || { sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "$0"; exit 1; }
lane=$1 program=$2
shift 2
kernel=$cache/kernels/$lane
busybox=${BUSYBOX:-$(command -v busybox || true)}

# Administration programs may not be in a user's search path.
PATH=$PATH:/usr/sbin:/sbin
command -v qemu-system-x86_64 > /dev/null || skip "no qemu-system-x86_64: install qemu-system-x86"
for tool in cpio depmod flock modinfo timeout xz zstd; do
    command -v "$tool" > /dev/null || skip "no $tool: install cpio, kmod, util-linux, xz-utils and zstd"
done
[ -x "$busybox" ] || skip "no busybox: install busybox-static"
# Reads all output: closing the pipe early makes busybox fail now and then.
"$busybox" --list | grep -x modprobe > /dev/null || skip "$busybox has no modprobe: install busybox-static"
[ -s "$kernel/package" ] || skip "no kernel for $lane: run fetch-kernels.sh $lane"
release=$(cat "$kernel/release")

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

pack() { (cd "$1" && find . | cpio --quiet -o -H newc); }

# Requested modules, their dependencies, and modules that they may request later. The lists that come
# with the kernel are not enough: their package changed with 6.19.
modules=(
    virtio_pci virtio_blk ext4 crc32c crc32c_generic crc32c_intel
    zram zsmalloc lzo lzo-rle lz4 lz4hc zstd deflate 842 loop nvme brd null_blk
    dm-mod dm-delay dm-flakey md-mod raid1 sd_mod virtio_scsi xfs btrfs
)
add_module() {
    local name=${1//-/_} file target other
    [ -z "${added[$name]:-}" ] || return 0
    added[$name]=1
    # Built into the kernel, or missing in this one.
    file=$(grep -E "/${name//_/[-_]}\.ko(\.(xz|zst))?$" "$work/modules" | head -n 1) || return 0
    target=$tree/lib/modules/$release/${file#"$kernel/modules/"}
    mkdir -p "$(dirname "$target")"
    case $file in
        *.xz) xz -dc "$file" > "${target%.xz}" ;;
        *.zst) zstd -dqc "$file" > "${target%.zst}" ;;
        *) cp "$file" "$target" ;;
    esac
    for other in $(modinfo -F depends "$file" | tr ',' ' ') \
        $(modinfo -F softdep "$file" | sed 's/pre: //g; s/post: //g'); do
        add_module "$other"
    done
}

init_script() {
    cat <<'INIT'
#!/bin/sh
export PATH=/bin:/sbin HOME=/
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs devtmpfs /dev
mkdir -p /dev/pts && mount -t devpts devpts /dev/pts 2> /dev/null
mount -t tmpfs -o mode=1777 tmpfs /tmp
mount -t tmpfs tmpfs /run
mount -t debugfs debugfs /sys/kernel/debug 2> /dev/null
mount -t securityfs securityfs /sys/kernel/security 2> /dev/null
option() { sed -n "s/.*vmtest\\.$1=\\([a-z0-9]*\\).*/\\1/p" /proc/cmdline; }
if [ "$(option cgroup)" = 1 ]; then
    mount -t tmpfs tmpfs /sys/fs/cgroup
    for controller in memory cpu blkio; do
        mkdir "/sys/fs/cgroup/$controller"
        mount -t cgroup -o "$controller" cgroup "/sys/fs/cgroup/$controller"
    done
else
    mount -t cgroup2 cgroup2 /sys/fs/cgroup
    echo '+memory +io +cpu' > /sys/fs/cgroup/cgroup.subtree_control
fi
case $(option hide) in
    types) mount -t tmpfs none /sys/kernel/btf ;;
    symbols) grep -v ' [BbDdRr] ' /proc/kallsyms > /run/kallsyms && mount --bind /run/kallsyms /proc/kallsyms ;;
esac
scratch=$(option scratch)
for module in virtio_pci virtio_blk ext4 "$scratch"; do modprobe "$module" 2> /dev/null; done
case $scratch in
    ext4 | xfs | btrfs) mount -t "$scratch" /dev/vda /scratch ;;
    *) mke2fs /dev/vda > /dev/null 2>&1 && mount -t ext4 /dev/vda /scratch 2> /dev/null ;;
esac
# The default folder of swap files.
mkdir -p /scratch/tmp /var/tmp && chmod 1777 /scratch/tmp && mount --bind /scratch/tmp /var/tmp
# The host waits for this line: a failure from here on is a failure of the test.
echo "VMTEST-READY $(uname -r) $(cut -d ' ' -f 1 /proc/uptime)"
sh /test.sh
echo "VMTEST-EXIT $?"
poweroff -f
INIT
}

# Busybox and the modules: the same for every run on this kernel.
build_base() {
    local tree=$work/base applet
    declare -A added
    mkdir -p "$tree"/{bin,dev,etc,proc,run,sbin,scratch,sys,tmp,lib/modules/"$release"}
    chmod 1777 "$tree/scratch"
    cp "$busybox" "$tree/bin/busybox"
    for applet in $("$busybox" --list); do
        [ "$applet" = busybox ] || ln -s busybox "$tree/bin/$applet"
    done
    # The kernel runs modprobe by this path.
    ln -s ../bin/modprobe "$tree/sbin/modprobe"
    printf 'root:x:0:0:root:/:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/false\n' > "$tree/etc/passwd"
    find "$kernel/modules" -name '*.ko*' > "$work/modules"
    for module in "${modules[@]}"; do add_module "$module"; done
    cp "$kernel"/modules/modules.{builtin,builtin.modinfo,order} "$tree/lib/modules/$release/" 2> /dev/null || true
    depmod -b "$tree" "$release" 2> /dev/null
    init_script > "$tree/init"
    chmod 755 "$tree/init"
    pack "$tree" > "$base.new"
    mv "$base.new" "$base"
}

# The program, its files and the start script: a second archive, which the kernel unpacks on top.
build_payload() {
    local tree=$work/payload file
    mkdir -p "$tree"
    install -m 755 "$program" "$tree/program"
    for file in ${VMTEST_FILES:-}; do install -m 755 "$file" "$tree/"; done
    {
        for pair in ${VMTEST_ENV:-}; do printf 'export %q\n' "$pair"; done
        printf 'exec /program'
        [ $# -eq 0 ] || printf ' %q' "$@"
        echo
    } > "$tree/test.sh"
    pack "$tree" > "$work/payload.cpio"
}

# Memory and processors in equal parts, and an NVMe disk behind a bridge of each node. The tests
# recognise the disks that they may overwrite by their serial numbers.
numa_arguments() {
    local count=${VMTEST_NUMA:-0} node memory smp
    memory=$((${VMTEST_MEM:-1024} / (count ? count : 1))) smp=$((${VMTEST_SMP:-2} / (count ? count : 1)))
    for ((node = 0; node < count; node++)); do
        truncate -s 1G "$work/node$node.img"
        printf '%s\n' -object "memory-backend-ram,id=memory$node,size=${memory}M" \
            -numa "node,nodeid=$node,memdev=memory$node,cpus=$((node * smp))-$(((node + 1) * smp - 1))" \
            -device "pxb-pcie,id=bus$node,bus=pcie.0,bus_nr=$((64 + 64 * node)),numa_node=$node" \
            -device "pcie-root-port,id=port$node,bus=bus$node,chassis=$((1 + node))" \
            -drive "file=$work/node$node.img,if=none,id=node$node,format=raw,cache=unsafe" \
            -device "nvme,drive=node$node,serial=swapadm-live-$node,bus=port$node"
    done
}

qemu() {
    local accel=$1 cpu=$2 numa mark=
    shift 2
    mapfile -t numa < <(numa_arguments)
    # On a busy host the timer of the machine may miss the moment in which the kernel checks it, and panics:
    # no_timer_check. The other parameter marks a machine that tests may exhaust.
    [ "${VMTEST_NUMA:-0}" = 0 ] || mark=swapadm.live
    timeout "$@" qemu-system-x86_64 -accel "$accel" -cpu "$cpu" -machine q35 \
        -smp "${VMTEST_SMP:-2}" -m "${VMTEST_MEM:-1024}" \
        -nodefaults -no-reboot -display none -monitor none -serial stdio \
        -kernel "$kernel/vmlinuz" -initrd "$work/initrd" \
        -drive "file=$work/scratch.img,if=none,id=scratch,format=raw,cache=unsafe" \
        -device virtio-blk-pci,drive=scratch,bus=pcie.0 "${numa[@]}" ${VMTEST_QEMU:-} \
        -append "console=ttyS0 quiet panic=1 no_timer_check swapaccount=1 $mark $options ${VMTEST_APPEND:-}" \
        < /dev/null 2>&1
}

# KVM may be present but not work, as in some nested machines: a test boot decides, once.
choose_accel() {
    if [ "${VMTEST_ACCEL:-auto}" = auto ]; then
        VMTEST_ACCEL=tcg
        if [ -w /dev/kvm ]; then
            [ -s "$cache/accel" ] || probe_kvm
            VMTEST_ACCEL=$(cat "$cache/accel")
        fi
    fi
    # Several emulated processors run in one thread: before QEMU 8.1, in several, they lose a race
    # against the kernel patching its own code, in about one boot of thirty.
    case $VMTEST_ACCEL in
        kvm) accel=kvm cpu=host ;;
        *) accel=tcg,thread=single cpu=max ;;
    esac
}

probe_kvm() {
    local found=tcg
    # In a subshell, so that bash does not report an abort of qemu, which is possible here.
    (qemu kvm host 20 > "$work/probe") 2> /dev/null || true
    if grep -q VMTEST-READY "$work/probe"; then found=kvm; fi
    echo "$found" > "$cache/accel"
}

# The name depends on all inputs, so that a change of this script rebuilds the archive.
base=$cache/initrd-$lane-$release-$(cat "$0" "${0%/*}/fetch-kernels.sh" "$busybox" | sha256sum | cut -c 1-12).cpio
build_payload "$@"
# Cached files are made under a lock, while parallel runs wait.
exec 9> "$cache/lock"
flock 9
if [ ! -s "$base" ]; then
    rm -f "$cache/initrd-$lane-"*
    build_base
fi
cat "$base" "$work/payload.cpio" > "$work/initrd"
truncate -s 768M "$work/scratch.img"
options="vmtest.cgroup=${VMTEST_CGROUP:-2} vmtest.scratch=${VMTEST_SCRATCH:-ext2} vmtest.hide=${VMTEST_HIDE:-}"
case ${VMTEST_SCRATCH:-ext2} in
    ext2) ;;
    ext4 | xfs | btrfs)
        command -v "mkfs.$VMTEST_SCRATCH" > /dev/null || skip "no mkfs.$VMTEST_SCRATCH: install e2fsprogs, xfsprogs or btrfs-progs"
        "mkfs.$VMTEST_SCRATCH" -q "$work/scratch.img"
        ;;
    *) skip "VMTEST_SCRATCH=$VMTEST_SCRATCH: ext2, ext4, xfs or btrfs" ;;
esac
choose_accel
exec 9>&-

for attempt in 1 2; do
    status=0
    qemu "$accel" "$cpu" "${VMTEST_TIMEOUT:-2400}" > "$work/serial" || status=$?
    ! grep -q VMTEST-READY "$work/serial" || break
    echo "vmtest: $lane: start $attempt failed (qemu: $status)" >&2
done
if ! grep -q VMTEST-READY "$work/serial"; then
    tail -n 20 "$work/serial" >&2
    exit 75
fi

tr -d '\r' < "$work/serial" | sed -n '/VMTEST-READY/,$p' | grep -v '^VMTEST-EXIT'
# qemu's own status means nothing: it is 0 even when the kernel panics.
result=$(tr -d '\r' < "$work/serial" | sed -n 's/^VMTEST-EXIT //p')
[ -z "$result" ] || exit "$result"
[ "$status" != 124 ] || { echo "vmtest: $lane: timeout after ${VMTEST_TIMEOUT:-2400} s" >&2; exit 124; }
echo "vmtest: $lane: the machine died" >&2
exit 70
