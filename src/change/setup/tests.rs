//! Proposals for all kinds of machines.

mod at_boot;
mod disks;

use super::facts::{SetupFacts, SwapAtBoot};
use super::*;
use crate::change::zram::ZramIntent;
use crate::columns::units::parse_size;
use crate::derive::speed::testing::device;
use crate::model::block::BlockKind;
use crate::model::config::NoEffect;
use crate::model::kernel::{Hibernation, Kernel};
use crate::model::knob::KnobReading;
use crate::model::paging::Counters;
use crate::model::surroundings::{MemorySample, Surroundings, SwapFilePlace};
use crate::model::swaparea::testing as area;
use crate::model::users::{Process, ProcessTable};
use crate::model::zram::{ZramDevice, Zswap, testing};
use crate::model::{Bytes, Name, Reading, Sampled, Snapshot, Stamp};

const GIB: u64 = 1 << 30;

/// A machine: a server of 32G without swap on a solid state disk, unless changed.
struct TestMachine {
    snapshot: Snapshot,
    around: Surroundings,
    at_boot: SwapAtBoot,
}

fn knob(id: &str, value: &str) -> KnobReading {
    KnobReading { id: id.to_owned(), value: Reading::Known(value.to_owned()) }
}

fn zswap(enabled: bool) -> Zswap {
    Zswap {
        enabled: Reading::Known(enabled),
        compressor: Reading::Known("lzo".to_owned()),
        zpool: Reading::absent("6.18"),
        max_pool_percent: Reading::Known(20),
        accept_threshold_percent: Reading::Known(90),
        shrinker_enabled: Reading::Known(false),
        same_filled_pages_enabled: Reading::absent("6.12"),
        non_same_filled_pages_enabled: Reading::absent("6.1"),
        debug: Reading::absent("x"),
    }
}

impl TestMachine {
    fn new(memory_gib: u64) -> Self {
        let mut snapshot = Snapshot::empty(Stamp { boot_ns: 0, wall_ms: 0 });
        let meminfo = vec![("MemTotal".into(), memory_gib << 20)];
        snapshot.page_size = Reading::Known(4096);
        snapshot.meminfo = known(Counters::new("/proc/meminfo", meminfo));
        snapshot.kernel = known(Kernel {
            release: Reading::Known("6.12.9".to_owned()),
            hostname: Reading::Known("test".to_owned()),
            cpus: Reading::Known(8),
            uptime_s: Reading::Known(1.0),
            swap_tiers: Reading::not_sampled(),
        });
        snapshot.swaps = known(Vec::new());
        snapshot.block = known(Vec::new());
        snapshot.zram = known(Vec::new());
        snapshot.zswap = known(zswap(false));
        snapshot.knobs = known(vec![knob("swappiness", "60"), knob("page-cluster", "3")]);
        let around = Surroundings {
            is_virtual: false,
            board: Reading::absent("no board"),
            has_battery: false,
            zram: Reading::Known(()),
            has_zram_generator: true,
            has_tmpfiles: true,
            places: vec![place("nvme0n1p2", false, 200)],
        };
        Self { snapshot, around, at_boot: SwapAtBoot::default() }
    }

    /// Adds an area: its size and use in GiB and MiB, and its priority.
    fn with_area(mut self, path: &str, (gib, used_mib): (u64, u64), priority: i32) -> Self {
        let mut areas = self.snapshot.swaps.reading.known().cloned().unwrap();
        let mut blocks = self.snapshot.block.reading.known().cloned().unwrap();
        areas.push(area::area(path, priority, gib * GIB, used_mib << 20));
        let name = path.trim_start_matches("/dev/");
        let kinds = [("zram", BlockKind::Zram), ("loop", BlockKind::Loop), ("dm-", BlockKind::Dm)];
        let kind = kinds.into_iter().find(|(start, _)| name.starts_with(start));
        let rotates = name.starts_with('v') || name.starts_with('s');
        let mut block = device(name, kind.map_or(BlockKind::Disk, |(_, kind)| kind), rotates);
        if name.starts_with("nvme") {
            block.parent = Reading::Known("nvme0n1".to_owned());
        }
        blocks.push(Reading::Known(block));
        (self.snapshot.swaps, self.snapshot.block) = (known(areas), known(blocks));
        self.at_boot.configured.push(path.into());
        self
    }

    fn with_processes(mut self, names: &[(&str, u64)]) -> Self {
        let process = |(name, gib): &(&str, u64)| {
            let unknown = || Reading::not_sampled();
            Process {
                pid: 1,
                ppid: 0,
                uid: 0,
                comm: (*name).into(),
                swap: unknown(),
                rss: Reading::Known(Bytes(gib * GIB)),
                shmem: Reading::Known(Bytes(0)),
                major_faults: Reading::not_sampled(),
                cgroup: Reading::not_sampled(),
                command: Reading::not_sampled(),
                swap_pss: unknown(),
                swap_mapped: unknown(),
                thread: None,
            }
            .into()
        };
        self.snapshot.processes = known(ProcessTable {
            processes: names.iter().map(process).collect(),
            unreadable: 0,
            users: Reading::not_sampled(),
            swap_used: Reading::not_sampled(),
            swap_cached: Reading::not_sampled(),
        });
        self
    }

    fn with_resume(mut self, device: &str) -> Self {
        self.snapshot.hibernation = known(Hibernation {
            resume: Reading::Known(device.into()),
            resume_offset: Reading::Known(0),
            image_size: Reading::Known(Bytes(GIB)),
            asked: Reading::Known(device.into()),
        });
        self
    }

    fn with_settings(mut self, swappiness: &str, page_cluster: &str) -> Self {
        let knobs = vec![knob("swappiness", swappiness), knob("page-cluster", page_cluster)];
        self.snapshot.knobs = known(knobs);
        self
    }

    fn facts(&self, request: &SetupRequest) -> SetupFacts {
        let filesystems = vec![None; 8];
        let ratio = RatioBasis::assumed("this is a test");
        let known = (&filesystems[..], &self.at_boot);
        SetupFacts::from_parts(&self.snapshot, &self.around, known, ratio, request).unwrap()
    }

    fn propose_with(&self, with: &[&str]) -> Result<SetupProposal, String> {
        let mut request = SetupRequest::default();
        for choice in with {
            request.choose(choice).map_err(|failure| failure.to_string())?;
        }
        let proposed = propose_from(&self.facts(&request), &request);
        proposed.map_err(|failure| failure.to_string())
    }

    fn propose(&self) -> SetupProposal {
        self.propose_with(&[]).unwrap()
    }
}

fn known<T>(value: T) -> Sampled<T> {
    Sampled::new(None, Reading::Known(value))
}

fn place(disk: &str, rotates: bool, free_gib: u64) -> SwapFilePlace {
    SwapFilePlace {
        file: "/swapfile".into(),
        filesystem: Reading::Known("ext4".to_owned()),
        free: Reading::Known(Bytes(free_gib * GIB)),
        whole: Reading::Known(Bytes(500 * GIB)),
        device: Reading::Known(device(disk, BlockKind::Disk, rotates)),
    }
}

/// The chosen values, and the names of the notes.
fn summary(setup: &SetupProposal) -> String {
    let value = |choice: &SetupChoice| {
        let changed = if choice.changes { "!" } else { "" };
        format!("{}={}{changed}", choice.key.word(), choice.chosen.value)
    };
    let values: Vec<String> = setup.choices.iter().map(value).collect();
    let notes: Vec<&str> = setup.notes.iter().map(|note| note.id).collect();
    format!("{}: {}; {}", setup.profile.word(), values.join(" "), notes.join(" "))
}

/// The kinds of the changes.
fn intents(setup: &SetupProposal) -> Vec<&'static str> {
    let Some(Intent::Setup(parts)) = &setup.intent else { return Vec::new() };
    #[expect(clippy::wildcard_enum_match_arm, reason = "no other is expected")]
    let kind = |intent: &Intent| match intent {
        Intent::Off(_) => "off",
        Intent::On(..) => "on",
        Intent::Set(_) => "set",
        Intent::CreateFile(..) => "file",
        Intent::Rebalance(_) => "rebalance",
        Intent::Zram(ZramIntent::Swap(..)) => "zram",
        Intent::Zram(ZramIntent::Device(..)) => "zram device",
        other => panic!("{other:?}"),
    };
    parts.iter().map(kind).collect()
}

#[test]
fn server_without_swap_and_with_much_memory_gets_zswap_and_a_file() {
    let setup = TestMachine::new(256).propose();
    assert_eq!(
        summary(&setup),
        "server: compression=zswap! algorithm=lzo disk=16G! swappiness=100! page-cluster=3 boot=yes; "
    );
    assert_eq!(intents(&setup), ["set", "file", "set"]);
    assert!(setup.persist);
    for choice in &setup.choices {
        assert!(choice.chosen.reason.len() > 10, "{choice:?}");
    }
    let disk = setup.choices.iter().find(|choice| choice.key == SetupKey::Disk).unwrap();
    assert!(disk.cost.is_some() && disk.file == Some("fstab"), "{disk:?}");
    assert!(disk.others.iter().any(|other| other.value == "none"), "{disk:?}");
}

#[test]
fn desktop_without_swap_gets_zram_that_hibernation_cannot_use() {
    let setup = TestMachine::new(16).with_processes(&[("gnome-shell", 1)]).propose();
    assert_eq!(
        summary(&setup),
        "desktop: compression=zram! size=8G! algorithm=default! disk=none swappiness=150! page-cluster=0! boot=yes; hibernation"
    );
    assert_eq!(intents(&setup), ["zram", "set"]);
    let size = &setup.choices[1];
    assert!(size.cost.as_ref().unwrap().contains("when full 4G"), "{size:?}");
}

#[test]
fn laptop_that_hibernates_keeps_its_partition_behind_zswap() {
    let mut machine = TestMachine::new(16).with_area("/dev/nvme0n1p3", (20, 0), -2);
    machine.around.has_battery = true;
    let setup = machine.with_resume("nvme0n1p3").propose();
    assert_eq!(
        summary(&setup),
        "desktop: compression=zswap! algorithm=lzo disk=keep swappiness=100! page-cluster=3 boot=yes; "
    );
    assert_eq!(intents(&setup), ["set", "set"]);
    let mut machine = TestMachine::new(16);
    machine.around.has_battery = true;
    let setup = machine.with_resume("sda2").propose();
    assert!(summary(&setup).starts_with("desktop: compression=zswap!"), "{}", summary(&setup));
}

#[test]
fn virtual_machine_on_virtio_is_not_taken_for_rotating() {
    let mut machine = TestMachine::new(8).with_area("/dev/vda", (4, 10), -2);
    machine.around.is_virtual = true;
    let setup = machine.propose();
    assert_eq!(
        summary(&setup),
        "server: compression=zswap! algorithm=lzo disk=keep swappiness=100! page-cluster=3 boot=yes; virtio"
    );
    assert!(setup.machine.contains("virtual machine, swap on /dev/vda (4G, virtio"), "{setup:?}");
}

#[test]
fn small_board_spares_its_flash_card() {
    let mut machine = TestMachine::new(1);
    machine.around.board = Reading::Known("Raspberry Pi 3".to_owned());
    machine.around.places = vec![place("mmcblk0p2", false, 20)];
    let setup = machine.propose();
    assert_eq!(
        summary(&setup),
        "small-board: compression=zram! size=1G! algorithm=default! disk=none swappiness=150! page-cluster=0! boot=yes; hibernation"
    );
    assert!(setup.choices[0].chosen.reason.contains("flash card"), "{setup:?}");
}

#[test]
fn database_gets_a_small_file_and_low_swappiness() {
    let setup = TestMachine::new(64).with_processes(&[("postgres", 20), ("sshd", 1)]).propose();
    assert_eq!(
        summary(&setup),
        "database: compression=none disk=8G! swappiness=10! page-cluster=3 boot=yes; "
    );
    assert!(setup.profile_reason.contains("postgres uses 20G of 64G"));
    let idle = TestMachine::new(64).with_processes(&[("postgres", 1)]).propose();
    assert_eq!(idle.profile, MachineProfile::Server);
}

#[test]
fn container_host_gets_zswap_and_a_kubelet_no_swap() {
    let host = TestMachine::new(32).with_processes(&[("dockerd", 1)]).propose();
    assert!(
        summary(&host).starts_with("container-host: compression=zswap! algorithm=lzo disk=16G!")
    );
    let node = TestMachine::new(32).with_processes(&[("kubelet", 1), ("containerd", 1)]).propose();
    assert_eq!(summary(&node), "container-host: compression=none disk=none; no-swap");
    assert_eq!(node.intent, None);
    assert!(node.choices[0].chosen.reason.contains("failSwapOn"), "{node:?}");
}

/// Nothing that needs a disk is proposed without one, and no swap is said to be no swap.
#[test]
fn setup_without_disk_swap_does_not_rely_on_it() {
    let disk = || {
        let mut machine = TestMachine::new(16).with_area("/dev/nvme0n1p3", (8, 100), -2);
        machine.snapshot.zswap = known(zswap(true));
        machine
    };
    let zram = disk().propose_with(&["disk=none"]).unwrap();
    assert_eq!(zram.choices[0].chosen.value, "zram", "{zram:?}");
    let refused = disk().propose_with(&["disk=none", "compression=zswap"]);
    assert!(refused.unwrap_err().contains("use zram or none"));
    let none = disk().propose_with(&["disk=none", "compression=none"]).unwrap();
    let texts = [&none.choices[0], &none.choices[1]].map(|choice| choice.chosen.reason.as_str());
    assert!(
        texts.iter().all(|text| !text.contains("waits for") && !text.contains("other")),
        "{texts:?}"
    );
    assert!(none.notes[0].text.contains("will be without swap"), "{none:?}");
    let inverted = TestMachine::new(16).with_area("/dev/zram0", (4, 4096), 100);
    let inverted = inverted.with_area("/dev/nvme0n1p3", (8, 2048), -2);
    let kept = inverted.propose_with(&["disk=none"]).unwrap();
    assert_eq!(kept.choices[0].chosen.value, "zram", "{kept:?}");
}

#[test]
fn machine_that_is_right_already_is_left_alone() {
    let zram = TestMachine::new(16).with_area("/dev/zram0", (8, 100), 100);
    let zram = zram.with_settings("180", "0").propose();
    assert_eq!(zram.intent, None, "{zram:?}");
    assert!(zram.choices.iter().all(|choice| !choice.changes), "{zram:?}");
    let disk = TestMachine::new(16).with_area("/dev/nvme0n1p3", (8, 100), -2);
    let mut disk = disk.with_settings("100", "3");
    disk.snapshot.zswap = known(zswap(true));
    // Its shrinker is disabled, which the plan enables.
    assert_eq!(intents(&disk.propose()), ["set"]);
    let shrinks = Zswap { shrinker_enabled: Reading::Known(true), ..zswap(true) };
    disk.snapshot.zswap = known(shrinks);
    assert_eq!(disk.propose().intent, None);
}

#[test]
fn zram_above_a_disk_in_use_is_replaced_by_zswap() {
    let used = |mib| {
        let machine = TestMachine::new(16).with_area("/dev/zram0", (4, 4000), 100);
        machine.with_area("/dev/nvme0n1p3", (8, mib), -2).with_settings("100", "0")
    };
    let setup = used(2048).propose();
    assert_eq!(
        summary(&setup),
        "server: compression=zswap! algorithm=lzo disk=keep swappiness=100 page-cluster=0 boot=yes; "
    );
    assert_eq!(intents(&setup), ["set", "zram device"]);
    assert!(setup.choices[0].chosen.reason.contains("LRU inversion"), "{setup:?}");
    // What went to the disk before zram was there is no inversion.
    let machine = TestMachine::new(16).with_area("/dev/zram0", (4, 400), 100);
    let setup = machine.with_area("/dev/nvme0n1p3", (8, 2048), -2).propose();
    assert!(summary(&setup).contains("compression=zram "), "{}", summary(&setup));
    // An unused disk behind zram stays, and the inversion is named.
    let setup = used(0).propose();
    assert_eq!(setup.intent, None, "{}", summary(&setup));
    assert_eq!(setup.notes.iter().map(|note| note.id).collect::<Vec<_>>(), ["lru-inversion"]);
    let mut old = used(2048);
    old.snapshot.zswap = Sampled::new(None, Reading::absent("not built in"));
    assert_eq!(old.propose().intent, None);
}

#[test]
fn areas_in_the_wrong_order_are_rebalanced() {
    let machine = TestMachine::new(16).with_area("/dev/zram0", (4, 0), 5);
    let machine = machine.with_area("/dev/nvme0n1p3", (8, 0), 10).with_settings("100", "0");
    let setup = machine.propose();
    assert_eq!(intents(&setup), ["rebalance"], "{}", summary(&setup));
    assert!(machine.propose_with(&["priorities=keep"]).unwrap().intent.is_none());
    let why = TestMachine::new(32).propose_with(&["disk=keep"]).unwrap_err();
    assert!(why.contains("no disk swap to keep"), "{why}");
}

/// Default priorities fill one device before the next, which advice reports too; chosen ones are kept.
#[test]
fn zram_devices_of_default_priorities_share_the_load() {
    for (second, expected) in [(-3, &["rebalance"][..]), (-2, &[]), (5, &[])] {
        let machine = TestMachine::new(16).with_area("/dev/zram0", (4, 100), -2);
        let machine = machine.with_area("/dev/zram1", (4, 0), second).with_settings("100", "0");
        let setup = machine.propose();
        assert_eq!(intents(&setup), expected, "{second}: {}", summary(&setup));
    }
    let disks = TestMachine::new(16).with_area("/dev/zram0", (4, 0), 100);
    let disks = disks.with_area("/dev/nvme0n1p3", (4, 4096), -2);
    let mut disks = disks.with_area("/dev/nvme0n1p4", (4, 0), -3).with_settings("100", "0");
    let is_fault = |machine: &TestMachine| {
        let setup = machine.propose_with(&["compression=zram", "disk=keep"]).unwrap();
        summary(&setup).contains(" priorities=tiered!")
    };
    assert!(is_fault(&disks));
    let mut blocks = disks.snapshot.block.reading.known().cloned().unwrap();
    if let Reading::Known(block) = &mut blocks[1] {
        block.numa_node = Reading::Known(0);
    }
    disks.snapshot.block = known(blocks);
    assert!(!is_fault(&disks), "its node prefers the first one");
}

#[test]
fn zram_of_a_wrong_size_is_replaced_or_the_reason_is_named() {
    let one = TestMachine::new(16).with_area("/dev/zram0", (1, 0), 100);
    assert!(summary(&one.propose()).contains("size=8G!"), "{}", summary(&one.propose()));
    let two = one.with_area("/dev/zram1", (0, 0), 100).propose();
    let size = two.choices.iter().find(|it| it.key == SetupKey::Size).unwrap();
    assert!(!size.changes && size.chosen.reason.contains("resize each"), "{size:?}");
}

#[test]
fn zram_that_saves_nothing_is_named_and_not_proposed() {
    let request = SetupRequest::default();
    let choice = |machine: &TestMachine| {
        let ratio = RatioBasis { ratio: 1.0, basis: "sampled", text: String::new() };
        let facts = SetupFacts { ratio, ..machine.facts(&request) };
        let chosen = propose_from(&facts, &request).unwrap().choices.swap_remove(0).chosen;
        assert!(
            chosen.reason.ends_with("zram would save hardly any memory: it compresses 1.00:1 here")
        );
        chosen.value
    };
    let desktop = TestMachine::new(16).with_processes(&[("sway", 1)]);
    assert!(summary(&desktop.propose()).contains("compression=zram!"));
    assert_eq!(choice(&desktop), "none");
    assert_eq!(choice(&TestMachine::new(16).with_area("/dev/zram0", (8, 0), 100)), "zram");
}

/// Half of each sampled page is the same byte; zram holds data that does not compress.
#[test]
fn sampled_memory_counts_more_than_what_is_stored() {
    let mut machine = TestMachine::new(16);
    let mm = testing::mm_stat(128 << 20, 128 << 20);
    let device = ZramDevice { bd: Reading::absent("no writeback"), ..testing::device("zram0", mm) };
    machine.snapshot.zram = known(vec![device]);
    let bytes = (0..64 * 4096_u32)
        .map(|at| if at % 4096 < 2048 { at.wrapping_mul(at).to_le_bytes()[1] } else { 7 });
    let sample = MemorySample { page_size: 4096, processes: 3, bytes: bytes.collect() };
    let sampled = RatioBasis::find(&machine.snapshot, || Reading::Known(sample));
    assert_eq!(sampled.basis, "sampled");
    assert!(
        sampled.ratio > 1.1 && sampled.text.contains("; 1.0:1, measured on the 128M"),
        "{sampled:?}"
    );
    let stored = RatioBasis::find(&machine.snapshot, || Reading::absent("not permitted"));
    assert_eq!((stored.basis, stored.no_saving().is_some()), ("stored", true));
}

#[test]
fn missing_zram_generator_and_zram_module_are_named() {
    let mut machine = TestMachine::new(16).with_processes(&[("sway", 1)]);
    machine.around.has_zram_generator = false;
    let ids = |setup: &SetupProposal| setup.notes.iter().map(|note| note.id).collect::<Vec<_>>();
    assert_eq!(ids(&machine.propose()), ["hibernation", "zram-generator"]);
    assert_eq!(ids(&machine.propose_with(&["boot=no"]).unwrap()), ["hibernation"]);
    machine.around.zram = Reading::absent("run modprobe zram");
    // With a disk there is another way.
    assert!(summary(&machine.propose()).starts_with("desktop: compression=zswap!"));
    let zram = machine.propose_with(&["compression=zram"]).unwrap();
    assert!(ids(&zram).contains(&"zram-module"), "{}", summary(&zram));
}

#[test]
fn choices_are_replaced_and_everything_else_follows() {
    let machine = TestMachine::new(32);
    let setup =
        machine.propose_with(&["compression=zram", "size=4G", "disk=8G", "boot=no"]).unwrap();
    assert_eq!(
        summary(&setup),
        "server: compression=zram! size=4G! algorithm=default! disk=8G! priorities=tiered! swappiness=100! page-cluster=3 boot=no; lru-inversion"
    );
    assert!(!setup.persist);
    // The proposed value is still offered.
    assert_eq!(setup.choices[0].others[0].value, "zswap");
    for (with, words) in [
        ("compression=lzo", "use zswap, zram or none"),
        ("compresion=zram", "did you mean compression?"),
        ("size", "size has no value"),
        ("swappiness=300", "use 0 to 200"),
        ("disk=many", "use keep, none, or the size of a new swap file"),
        ("boot=maybe", "use yes or no"),
        ("priorities=x", "priorities \"x\": use tiered (faster areas first) or keep"),
        ("priorities=5", "use tiered"),
        ("size=x", "use a size of 1M or more, such as 4G"),
        ("size=1K", "use a size of 1M or more, such as 4G"),
        ("size=-1G", "use a size of 1M or more, such as 4G"),
        ("algorithm=a b", "use the compression algorithm, such as zstd"),
        ("page-cluster=x", "page-cluster \"x\": "),
        ("swappiness=", "swappiness has no value"),
    ] {
        let why = machine.propose_with(&[with]).unwrap_err();
        assert!(why.contains(words), "{with}: {why}");
    }
}

/// A machine without areas for a choice still refuses a wrong value of it, and says that a right one is unused.
#[test]
fn choices_without_effect_are_checked_and_named() {
    let machine = TestMachine::new(16);
    let with = |choices: &[&str]| {
        let setup = machine.propose_with(choices)?;
        let unused = setup.notes.into_iter().filter(|note| note.id == "unused");
        Ok::<_, String>(unused.map(|note| note.text).collect::<Vec<_>>())
    };
    let none = ["compression=none", "disk=none"];
    for (choice, why) in [
        ("size=4G", "size=4G has no effect: there is no zram in this setup"),
        ("algorithm=zstd", "algorithm=zstd has no effect: nothing is compressed in this setup"),
        (
            "priorities=keep",
            "priorities=keep has no effect: there are fewer than two areas in this setup",
        ),
    ] {
        assert_eq!(with(&[&none[..], &[choice]].concat()).unwrap(), [why]);
        let wrong = choice.split('=').next().map(|key| format!("{key}=!")).unwrap();
        assert!(with(&[&none[..], &[wrong.as_str()]].concat()).is_err(), "{wrong}");
    }
    assert_eq!(with(&none).unwrap(), [""; 0]);
}

#[test]
fn several_zram_devices_count_together() {
    let machine = TestMachine::new(16).with_area("/dev/zram0", (4, 0), 100);
    let machine = machine.with_area("/dev/zram1", (4, 0), 100);
    let setup = machine.propose();
    let size = setup.choices.iter().find(|choice| choice.key == SetupKey::Size).unwrap();
    // With the page of the header of each.
    assert_eq!(parse_size(&size.chosen.value), Some(Bytes(8 * GIB + 2 * 4096)));
    assert!(!size.changes, "{size:?}");
    for choice in ["size=4G", "algorithm=zstd"] {
        let why = machine.propose_with(&[choice]).unwrap_err();
        assert!(why.contains("of one zram device, and 2 are in use"), "{choice}: {why}");
    }
}

#[test]
fn size_and_algorithm_of_a_device_change_one_after_the_other() {
    let machine = TestMachine::new(16).with_area("/dev/zram0", (4, 0), 100);
    assert_eq!(intents(&machine.propose_with(&["size=8G"]).unwrap())[0], "zram device");
    let why = machine.propose_with(&["size=8G", "algorithm=zstd"]).unwrap_err();
    assert!(why.contains("one after the other"), "{why}");
}

/// zswap holds no more than the disk swap behind it, so far too little of that gets a swap file in addition.
#[test]
fn zswap_is_limited_by_the_disk_swap_behind_it() {
    let machine = TestMachine::new(32).with_area("/dev/nvme0n1p3", (1, 0), -2);
    for (choice, cost) in [
        ("disk=keep", "up to about 512M that holds 1G, because each page"),
        ("disk=8G", "up to about 4.5G that holds 9G, because each page"),
        ("disk=16G", "up to 6.4G (20% of memory), which holds about 12.8G"),
    ] {
        let setup = machine.propose_with(&[choice]).unwrap();
        assert!(setup.choices[0].cost.as_ref().unwrap().starts_with(cost), "{choice}: {setup:?}");
    }
    let setup = machine.propose();
    assert!(summary(&setup).contains(" disk=16G! "), "{}", summary(&setup));
    let large = TestMachine::new(32).with_area("/dev/nvme0n1p3", (4, 0), -2).propose();
    assert!(summary(&large).contains(" disk=keep "), "{}", summary(&large));
}

/// zram far below the size that suits is enlarged, if it is one device.
#[test]
fn tiny_zram_does_not_suit_the_machine() {
    let machine = TestMachine::new(32).with_area("/dev/zram0", (1, 0), 100);
    let setup = machine.propose();
    assert!(summary(&setup).starts_with("server: compression=zram size=16G!"), "{setup:?}");
    let why = &setup.choices[0].chosen.reason;
    assert!(why.contains("holds only 1G of the 16G that suit"), "{why}");
    let setup = machine.with_area("/dev/zram1", (1, 0), 100).propose();
    assert!(!setup.choices[1].changes, "{setup:?}");
}

#[test]
fn rotational_and_read_only_places_come_last() {
    let mut machine = TestMachine::new(32);
    let ssd = SwapFilePlace { file: "/var/swapfile".into(), ..place("nvme0n1p5", false, 100) };
    let gone = Reading::absent("/ is mounted read-only");
    let unfit = SwapFilePlace { filesystem: gone, ..place("nvme0n1p2", false, 9) };
    machine.around.places = vec![unfit.clone(), place("sda1", true, 900), ssd];
    let facts = machine.facts(&SetupRequest::default());
    assert_eq!(facts.place.unwrap().file, Name::from("/var/swapfile"));
    machine.around.places = vec![unfit];
    let setup = machine.propose();
    assert!(summary(&setup).starts_with("server: compression=zram!"), "{}", summary(&setup));
    assert!(setup.choices[0].chosen.reason.contains("read-only"), "{setup:?}");
}
