use super::super::super::machine::Machine;
use super::super::{builtin_machine, read_machine};
use super::*;
use crate::model::kernel::NumaNode;
use crate::model::paging::{BracketedChoice, Counters};
use crate::model::swaparea::testing::area;
use crate::model::{Sampled, Stamp};

#[test]
fn the_newest_preset_up_to_a_release_is_taken() {
    for (release, preset) in [
        ("6.12.43+deb13-amd64", "6.12"),
        ("6.17.0", "6.18+scan-all+prefer-free"),
        ("6.19.0", "6.18+round-robin"),
        ("7.0.9", "7.2"),
        ("7.3.4", "7.2"),
        ("5.4.0-200-generic", "5.10"),
        ("3.10.0", "4.13"),
    ] {
        assert_eq!(kernel_for(release), Some(preset), "{release}");
        KernelPolicy::parse(preset).unwrap();
    }
    assert_eq!(kernel_for("unknown"), None);
}

/// Kernels of distributions have parts of later ones.
#[test]
fn rules_that_the_kernel_shows_decide_before_its_release() {
    use AllocationOrder::{Alike, ByNode};
    use RotationUnit::{Batch, Cluster};
    for (release, order, rotation_unit, kernel) in [
        ("6.12.1", ByNode, Batch, "6.12"),
        ("6.12.1", ByNode, Cluster, "6.18+scan-all+prefer-free"),
        ("6.18.1", Alike, Cluster, "6.18+round-robin"),
        ("6.18.1", ByNode, Batch, "6.12"),
        ("6.19.1", ByNode, Cluster, "6.18"),
        ("7.2.1", ByNode, Cluster, "7.2+per-node"),
    ] {
        let evidence = AllocatorEvidence::Types;
        let shown = Allocator { order, rotation_unit, cluster_slots: None, evidence };
        assert_eq!(kernel_like(release, Some(&shown)).as_deref(), Some(kernel), "{release}");
        KernelPolicy::parse(kernel).unwrap();
        let guessed = Allocator { evidence: AllocatorEvidence::Release, ..shown };
        assert_eq!(kernel_like(release, Some(&guessed)).as_deref(), kernel_for(release));
    }
}

/// The snapshot of a simulated machine leads back to its file.
#[test]
fn a_machine_is_like_its_snapshot() {
    for name in ["two-nodes", "laptop", "small-disk", "zswap-server", "build-server"] {
        let mut setup = builtin_machine(name).unwrap().unwrap();
        setup.areas.iter_mut().for_each(|area| area.discards = false);
        let like = MachineSetup::like(&Machine::new(setup.clone()).snapshot(), name, None).unwrap();
        let notes = ["The area", "zswap"]
            .map(|start| like.notes.iter().filter(|note| note.starts_with(start)).count());
        assert_eq!(notes, [0, 0], "{:?}", like.notes);
        assert_eq!(read_machine(name, "file", &like.to_toml()).unwrap(), like.setup);
        let like = like.setup;
        assert_eq!((like.zswap, &like.folio_orders), (setup.zswap, &setup.folio_orders));
        assert_eq!(like.advised_orders, setup.advised_orders);
        assert_eq!(like.areas, setup.areas);
        let figures = |setup: &MachineSetup| {
            (setup.memory_pages, setup.cpus, setup.nodes, setup.page_cluster)
        };
        assert_eq!(figures(&like), figures(&setup));
        assert_eq!(like.policy, setup.policy);
        let policy = KernelPolicy::parse("6.12+scan-one").unwrap();
        let other = Machine::new(MachineSetup { policy: policy.clone(), ..setup }).snapshot();
        assert_eq!(MachineSetup::like(&other, name, None).unwrap().setup.policy, policy);
    }
}

#[test]
fn after_zswap_large_folios_are_read_back_page_by_page() {
    let like = |stored: u64, kernel: &str| {
        let mut snapshot = Machine::new(builtin_machine("laptop").unwrap().unwrap()).snapshot();
        let counters = Counters::new("/proc/vmstat", vec![("zswpout".into(), stored)]);
        snapshot.vmstat = Sampled::new(None, Reading::Known(counters));
        let mut known = snapshot.kernel.reading.known().unwrap().clone();
        known.release = Reading::Known(kernel.to_owned());
        snapshot.kernel = Sampled::new(None, Reading::Known(known));
        let like = MachineSetup::like(&snapshot, "a", None).unwrap();
        (like.setup.policy.large_reads, like.notes.len())
    };
    assert_eq!(like(0, "6.18.0"), (true, 0));
    assert_eq!(like(1, "6.18.0"), (false, 1));
    assert_eq!(like(1, "6.1.0"), (false, 0));
}

#[test]
fn old_kernels_have_a_setting_for_huge_folios_only() {
    let mut snapshot = Machine::new(builtin_machine("laptop").unwrap().unwrap()).snapshot();
    let mut thp = snapshot.thp.reading.known().unwrap().clone();
    thp.sizes = Reading::absent("before 6.8");
    for (choice, always, advised) in [
        ("[always] madvise never", vec![9], vec![]),
        ("always [madvise] never", vec![], vec![9]),
        ("always madvise [never]", vec![], vec![]),
    ] {
        thp.enabled = Reading::Known(BracketedChoice::parse(choice).unwrap());
        snapshot.thp = Sampled::new(None, Reading::Known(thp.clone()));
        let like = MachineSetup::like(&snapshot, "x", None).unwrap().setup;
        assert_eq!((like.folio_orders, like.advised_orders), (always, advised), "{choice}");
    }
}

#[test]
fn only_a_file_leaves_out_what_is_too_large() {
    let mut snapshot = Machine::new(builtin_machine("laptop").unwrap().unwrap()).snapshot();
    let large = area("/dev/a", 5, 3 << 40, 0);
    snapshot.swaps = Sampled::new(None, Reading::Known(vec![large]));
    let memory = Counters::new("/proc/meminfo", vec![("MemTotal".into(), 3 << 30)]);
    snapshot.meminfo = Sampled::new(None, Reading::Known(memory));
    let like = MachineSetup::like(&snapshot, "x", None).unwrap();
    assert_eq!((like.setup.memory_pages, like.setup.areas.len()), (3 << 28, 1));
    let file = like.to_toml();
    for part in ["/dev/a is left out", "a machine file can: the model has 1T", "memory = \"1T\""] {
        assert!(file.contains(part), "no {part} in {file}");
    }
    let read = read_machine("x", "file", &file).unwrap();
    assert_eq!((read.areas.len(), read.load), (0, None), "usemem writes twice the memory: {file}");
}

#[test]
fn a_file_takes_a_path_of_any_length() {
    let mut snapshot = Machine::new(builtin_machine("laptop").unwrap().unwrap()).snapshot();
    let path = format!("/{}", "directory/".repeat(300));
    let areas = vec![area(&path, 5, 1 << 20, 0)];
    snapshot.swaps = Sampled::new(None, Reading::Known(areas));
    let file = MachineSetup::like(&snapshot, "x", None).unwrap().to_toml();
    assert_eq!(read_machine("x", "file", &file).unwrap().areas[0].path, path);
}

#[test]
fn a_snapshot_without_its_kernel_is_refused_with_the_reason() {
    let empty = Snapshot::empty(Stamp { boot_ns: 0, wall_ms: 0 });
    let error = MachineSetup::like(&empty, "x", None).unwrap_err();
    assert!(error.starts_with("the kernel is missing ("), "{error}");
}

/// Only nodes with CPUs are modelled, and numbered without gaps.
#[test]
fn nodes_without_cpus_are_left_out_and_the_others_numbered() {
    let like = |lists: &[(u32, &str)]| {
        let setup = builtin_machine("two-nodes").unwrap().unwrap();
        let mut snapshot = Machine::new(setup).snapshot();
        let known = snapshot.numa.reading.known().unwrap()[0].clone();
        let node = |(id, cpus): &(u32, &str)| NumaNode {
            id: *id,
            cpus: Reading::Known((*cpus).to_owned()),
            ..known.clone()
        };
        snapshot.numa = Sampled::new(None, Reading::Known(lists.iter().map(node).collect()));
        let mut devices = snapshot.block.reading.known().unwrap().clone();
        for (device, (id, _)) in devices.iter_mut().zip(lists) {
            let mut known = device.known().unwrap().clone();
            known.numa_node = Reading::Known(i32::try_from(*id).unwrap());
            *device = Reading::Known(known);
        }
        snapshot.block = Sampled::new(None, Reading::Known(devices));
        let like = MachineSetup::like(&snapshot, "x", None).unwrap();
        let areas: Vec<_> = like.setup.areas.iter().map(|area| area.node).collect();
        (like.setup.nodes, areas[0], areas[1], like.notes)
    };
    let (count, first, second, said) = like(&[(0, "0-1"), (8, "2-3")]);
    assert_eq!((count, first, second), (2, Some(0), Some(1)));
    assert_eq!(
        said,
        ["NUMA nodes with CPUs are numbered without gaps: 0, 8 are 0, 1 in the model."]
    );
    let (count, first, second, said) = like(&[(0, "0-3"), (1, "")]);
    assert_eq!((count, first, second), (1, Some(0), None));
    assert!(said.len() == 1 && said[0].ends_with("is on node 1, which has no CPU."), "{said:?}");
    let (.., said) = like(&[(0, "0-1,5"), (1, "3")]);
    assert_eq!(said, ["The NUMA nodes have 3, 1 CPUs: in the model they have equal numbers."]);
}

#[test]
fn areas_without_priority_are_enabled_in_the_order_of_their_priorities() {
    let mut snapshot = Machine::new(builtin_machine("laptop").unwrap().unwrap()).snapshot();
    let areas = [("/dev/c", -4), ("/dev/a", 7), ("/dev/b", -2), ("/dev/b", -3)]
        .map(|(path, priority)| area(path, priority, 1 << 20, 1 << 18));
    snapshot.swaps = Sampled::new(None, Reading::Known(areas.to_vec()));
    let like = MachineSetup::like(&snapshot, "x", None).unwrap();
    let paths: Vec<&str> = like.setup.areas.iter().map(|area| area.path.as_str()).collect();
    assert_eq!(paths, ["/dev/a", "/dev/b", "/dev/c"]);
    assert!((like.setup.used_at_start - 0.25).abs() < 1e-9);
    let note = "The area /dev/b is left out: another area has the same path.";
    assert!(like.notes.iter().any(|other| other == note), "{:?}", like.notes);
    assert!(like.to_toml().contains(&format!("# {note}\n")));
}
