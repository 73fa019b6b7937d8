use super::*;
use crate::columns::value::{Unit, Value};
use crate::derive::selection::policy::testing::kernel;
use crate::derive::selection::testing::{by_types, disk, machine, solid};
use crate::derive::selection::whatif::{AreaChange, after_changes};
use crate::model::activation::Priority;
use crate::model::kernel::{AllocationOrder, Kernel, RotationUnit, SwapTier};
use crate::model::paging::Counters;
use crate::model::zram::testing::{self, device, mm_stat};
use crate::model::zram::{MmStat, ZramDevice};
use crate::model::{Bytes, Sampled};

fn described(snapshot: &Snapshot) -> Vec<String> {
    describe_selection(snapshot, None, 1)
}

#[test]
fn the_next_steps_are_described_in_order() {
    // 1 MiB has 256 pages.
    let areas =
        [(5, 512, 0, solid("zram0")), (5, 1024, 0, solid("zram1")), (1, 256, 0, solid("sda2"))];
    let mut snapshot = machine("6.18.44", &areas);
    by_types(&mut snapshot, AllocationOrder::ByNode, RotationUnit::Cluster);
    let told = described(&snapshot);
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told[0].contains("per cluster (512 slots)") && told[0].contains("type information"));
    assert_eq!(
        told[1],
        "The next 4M are shared by 0 and 1, half each; then 2M go to 1; then 1M go to 2; then all areas are full."
    );
}

#[test]
fn areas_rotate_by_the_slots_of_their_rows() {
    let (ssd, hdd) = (|| solid("zram0"), || disk("sda", true, None));
    for (release, unit, devices, said) in [
        ("6.12.44", RotationUnit::Batch, [ssd(), ssd()], "rotate every 64 slots."),
        ("6.12.44", RotationUnit::Batch, [hdd(), hdd()], "rotate every 57 slots."),
        ("6.12.44", RotationUnit::Batch, [ssd(), hdd()], "rotate every 57 to 64 slots."),
        ("6.18.44", RotationUnit::Cluster, [ssd(), hdd()], "rotate per cluster (512 slots)."),
        ("6.18.44", RotationUnit::Cluster, [hdd(), hdd()], "rotate per slot."),
    ] {
        let mut snapshot = machine(release, &devices.map(|device| (5, 5120, 0, device)));
        by_types(&mut snapshot, AllocationOrder::ByNode, unit);
        let told = &described(&snapshot)[0];
        assert!(told.contains(said), "{said}: {told}");
    }
}

/// An area alone in its group does not rotate with any other.
#[test]
fn an_area_alone_in_its_group_says_nothing_of_the_rotation() {
    let rotational = || disk("sda", true, None);
    let areas =
        [(9, 5120, 0, solid("zram0")), (5, 5120, 0, rotational()), (5, 5120, 0, rotational())];
    let mut snapshot = machine("6.18.44", &areas);
    by_types(&mut snapshot, AllocationOrder::ByNode, RotationUnit::Cluster);
    let told = described(&snapshot);
    assert!(told[0].contains("rotate per slot."), "{told:?}");
}

/// VMA readahead stays off while any area counts as rotational.
#[test]
fn the_remedy_for_a_virtual_disk_names_the_other_rotational_areas() {
    let told = |sdb: bool| {
        let areas = [(9, 5120, 0, disk("vda", true, None)), (5, 5120, 0, disk("sdb", sdb, None))];
        let mut snapshot = machine("6.18.44", &areas);
        by_types(&mut snapshot, AllocationOrder::ByNode, RotationUnit::Cluster);
        described(&snapshot).concat()
    };
    assert!(told(false).contains("and enable it again."), "{}", told(false));
    let other = "and enable it again. VMA readahead stays off while 1 is rotational too.";
    assert!(told(true).contains(other), "{}", told(true));
}

#[test]
fn swap_tiers_are_named_with_their_areas() {
    let areas =
        [(100, 512, 0, solid("zram0")), (100, 512, 0, solid("zram1")), (1, 256, 0, solid("sda2"))];
    let mut snapshot = machine("7.4.0", &areas);
    by_types(&mut snapshot, AllocationOrder::Alike, RotationUnit::Cluster);
    let tier = |name: &str, lowest, highest| SwapTier { name: name.to_owned(), lowest, highest };
    let tiers = [tier("fast", 10, 32767), tier("slow", 0, 9), tier("last", -1, -1)];
    let mut kernel = kernel("7.4.0");
    let set = |kernel: &mut Sampled<Kernel>, tiers: Reading<Vec<SwapTier>>| {
        let facts = kernel.reading.known().cloned().unwrap();
        *kernel = Sampled::new(None, Reading::Known(Kernel { swap_tiers: tiers, ..facts }));
    };
    set(&mut kernel, Reading::Known(tiers.to_vec()));
    snapshot.kernel = kernel.clone();
    assert_eq!(
        described(&snapshot)[2],
        "Swap tiers: fast (0 and 1), slow (2) and last (no area). The order is that of cgroups that may use all of these; for one cgroup: swapadm selection --cgroup PATH."
    );
    let told = rows(&snapshot, NOW, 1).into_result().unwrap();
    let named = told.iter().map(|row| row.tier.known().unwrap().as_str());
    assert_eq!(named.collect::<Vec<_>>(), ["fast", "fast", "slow"]);
    set(&mut kernel, Reading::absent("this kernel has no swap tiers"));
    snapshot.kernel = kernel;
    assert!(!described(&snapshot).concat().contains("tier"));
    let told = rows(&snapshot, NOW, 1).into_result().unwrap();
    assert_eq!(told[0].tier.missing().unwrap().why(), "this kernel has no swap tiers");
}

#[test]
fn zswap_stands_in_front_of_the_areas() {
    let area = [(5, 1024, 0, solid("sda2"))];
    let mut snapshot = machine("6.18.44", &area);
    by_types(&mut snapshot, AllocationOrder::ByNode, RotationUnit::Cluster);
    assert!(!described(&snapshot).concat().contains("zswap"));
    let fields = [("SwapTotal", 4096), ("SwapFree", 1024), ("Zswapped", 3072)];
    let fields = fields.map(|(name, kib)| (name.into(), kib)).to_vec();
    snapshot.meminfo = Sampled::new(None, Reading::Known(Counters::new("/proc/meminfo", fields)));
    let zswap = |enabled| Sampled::new(None, Reading::Known(testing::zswap(enabled, &[])));
    snapshot.zswap = zswap(true);
    let told = described(&snapshot);
    let first = "zswap is on and takes pages first; it holds 3M of the 3M in swap (100%).";
    assert!(told[0].contains(first), "{told:?}");
    assert_eq!(told[1], "The next 4M get slots on 0; then all areas are full.");
    snapshot.zswap = zswap(false);
    let told = described(&snapshot);
    assert!(told[0].contains("zswap is off; it holds 3M of the 3M"), "{told:?}");
    assert!(told[1].contains("go to 0"), "{told:?}");
}

#[test]
fn unequal_shares_are_described_with_their_pitfall() {
    let areas = [(5, 5120, 0, solid("zram0")), (5, 5120, 0, disk("sda", true, None))];
    let mut snapshot = machine("6.18.44", &areas);
    by_types(&mut snapshot, AllocationOrder::ByNode, RotationUnit::Cluster);
    let told = described(&snapshot);
    assert!(told[1].contains("are shared by 0 (>99%) and 1 (0.2%)"), "{told:?}");
    assert!(told[2].starts_with("1 is rotational and shares priority 5"), "{told:?}");
    assert!(
        told[2].contains("amounts to 0.2% of single pages. Huge folios are shared evenly"),
        "{told:?}"
    );
}

/// Shares are for the requested folio size; pitfalls are described for single pages.
#[test]
fn the_folio_size_is_named_and_pitfalls_are_for_single_pages() {
    let areas = [(5, 5120, 0, solid("zram0")), (5, 5120, 0, disk("sda", true, None))];
    let mut snapshot = machine("6.18.44", &areas);
    by_types(&mut snapshot, AllocationOrder::ByNode, RotationUnit::Cluster);
    let huge = describe_selection(&snapshot, None, 512);
    assert_eq!(
        huge[1],
        "In folios of 2M: the next 40M are shared by 0 and 1, half each; then all areas are full."
    );
    let singly = described(&snapshot);
    assert_eq!(huge[2..], singly[2..]);
    let of = |folio, id| cells(rows(&snapshot, NOW, folio).known().unwrap(), id);
    assert_eq!(of(512, "next_share"), [0.5, 0.5].map(Value::Real));
    assert_eq!(of(512, "explanation"), of(1, "explanation"));
    let size = |folio| of(folio, "folio")[0].human(Unit::Bytes, false);
    assert_eq!([size(1), size(16), size(512)], ["4K", "64K", "2M"]);
}

#[test]
fn shares_are_unknown_where_some_areas_split_folios() {
    let areas = [(-2, 9, 0, disk("a", false, Some(1))), (-3, 9, 0, disk("b", true, Some(1)))];
    let mut snapshot = machine("6.12.1", &areas);
    by_types(&mut snapshot, AllocationOrder::ByNode, RotationUnit::Batch);
    let told = describe_selection(&snapshot, Some(1), 512);
    let start = "On node 1, in folios of 2M: what follows is unknown: the group mixes";
    assert!(told[1].starts_with(start), "{told:?}");
    assert!(told[0].contains("rotate per folio."), "{told:?}");
}

#[test]
fn nodes_have_their_own_sentence_and_one_can_be_chosen() {
    let own = |name: &str, node| disk(name, false, Some(node));
    let areas = [(-2, 256, 0, own("a", 0)), (-3, 256, 0, own("b", 1))];
    let snapshot = machine("6.12.1", &areas);
    let all = described(&snapshot);
    assert!(all[1].starts_with("On node 0: the next 1M go to 0; then 1M go to 1;"), "{all:?}");
    assert!(all[2].starts_with("On node 1: the next 1M go to 1; then"), "{all:?}");
    let one = describe_selection(&snapshot, Some(1), 1);
    assert_eq!(one[1..], all[2..]);
}

#[test]
fn no_area_has_no_sentence_and_full_areas_have_one() {
    assert_eq!(described(&machine("6.12.1", &[])), [] as [String; 0]);
    let full = described(&machine("6.12.1", &[(1, 9, 9, solid("a"))]));
    assert_eq!(full[1], "All areas are full: nothing more is swapped out.");
}

#[test]
fn order_and_rotation_can_have_different_evidence() {
    let rules =
        |release, priority| described(&machine(release, &[(priority, 9, 0, solid("a"))])).remove(0);
    let old = rules("6.1.0", -2);
    assert!(old.contains("Source: the priorities shown by the kernel for the order"), "{old}");
    assert!(
        old.contains("the kernel release alone (a patched kernel may differ) for the rotation"),
        "{old}"
    );
    let new = rules("7.2.0", -1);
    assert!(new.ends_with("per cluster. Source: the priorities shown by the kernel."), "{new}");
    let none = rules("6.1.0", 5);
    assert!(none.contains("slots. Source: the kernel release alone"), "{none}");
}

/// The cells of a column, of the rows as they are.
fn column(snapshot: &Snapshot, id: &str) -> Vec<Value> {
    let rows = rows(snapshot, NOW, 1).known().map(|rows| cells(rows, id));
    rows.unwrap()
}

fn cells(rows: &[Row], id: &str) -> Vec<Value> {
    let column = COLUMNS.iter().find(|column| column.info.id == id).unwrap();
    rows.iter().map(|row| (column.get)(row)).collect()
}

#[test]
fn each_area_has_its_pitfalls_with_their_meanings_the_worst_first() {
    let areas = [
        (5, 5120, 0, solid("zram0")),
        (5, 5120, 0, disk("vda", true, None)),
        (-1, 9, 0, solid("b")),
    ];
    let mut snapshot = machine("7.2.1", &areas);
    by_types(&mut snapshot, AllocationOrder::Alike, RotationUnit::Cluster);
    let list =
        |words: &[&str]| Value::from(words.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>());
    let pitfalls = column(&snapshot, "pitfalls");
    assert!(pitfalls[0].missing().is_some_and(|missing| missing.why().contains("no pitfall")));
    assert_eq!(pitfalls[1], list(&["rotational-in-group", "counts-as-rotational"]));
    assert_eq!(pitfalls[2], list(&["default-priority"]));
    let severities = column(&snapshot, "severity");
    assert_eq!(severities[1..], [list(&["warn", "warn"]), list(&["note"])]);
    let Value::List(told) = &column(&snapshot, "explanation")[1] else { panic!("no list") };
    assert!(told[0].starts_with("1 is rotational and shares") && told[1].contains("virtual disk"));
}

/// The meaning of -1 depends on the kernel and the number of areas.
#[test]
fn the_meaning_of_priority_minus_one_is_explained() {
    let told = |release, areas: &[_]| described(&machine(release, areas)).pop().unwrap();
    let own = |name: &str, node| disk(name, false, Some(node));
    let turns = told("7.2.1", &[(-1, 9, 0, solid("a")), (-1, 9, 0, solid("b"))]);
    assert!(turns.ends_with("all such areas have -1 and are used round robin."), "{turns}");
    let turns = told("7.2.1", &[(-1, 9, 0, solid("a")), (5, 9, 0, solid("b"))]);
    assert!(turns.ends_with("round robin after all areas with an explicit priority."), "{turns}");
    let counted = told("6.12.1", &[(-2, 9, 0, solid("a")), (-3, 9, 0, solid("b"))]);
    assert!(counted.contains("-2, -3 and so on") && !counted.contains("-1"), "{counted}");
    let nodes = told("6.12.1", &[(-2, 9, 0, own("a", 0)), (-3, 9, 0, own("b", 1))]);
    assert!(nodes.contains("each of 0 and 1 counts as -1 on its own node"), "{nodes}");
    let one = told("6.12.1", &[(-2, 9, 0, own("a", 0)), (-3, 9, 0, solid("b"))]);
    assert!(one.contains("0 counts as -1 on its own node"), "{one}");
}

#[test]
fn a_virtual_disk_names_the_file_to_write() {
    let told = described(&machine("7.3.4", &[(5, 9, 0, disk("vda", true, None))])).pop().unwrap();
    assert!(told.contains("write 0 to /sys/block/vda/queue/rotational, and"), "{told}");
    assert_eq!(told.matches(". ").count(), 1, "two sentences: {told}");
}

#[test]
fn the_rotation_unit_is_shown_with_its_evidence() {
    let mut snapshot = machine("6.1.0", &[(-2, 9, 0, solid("a"))]);
    let told = |snapshot: &Snapshot| {
        ["rotation_unit", "order_evidence", "rotation_evidence", "cluster_slots"]
            .map(|id| column(snapshot, id)[0].human(Unit::Text, false))
    };
    assert_eq!(told(&snapshot), ["batch", "priorities", "release", "-"]);
    by_types(&mut snapshot, AllocationOrder::Alike, RotationUnit::Cluster);
    assert_eq!(told(&snapshot), ["cluster", "types", "types", "512"]);
}

#[test]
fn a_later_group_has_the_share_it_will_get() {
    let areas = [(5, 9, 0, solid("a")), (1, 9, 0, solid("b")), (1, 9, 0, solid("c"))];
    let mut snapshot = machine("7.2.1", &areas);
    by_types(&mut snapshot, AllocationOrder::Alike, RotationUnit::Cluster);
    let real = |shares: [f64; 3]| shares.map(Value::Real).to_vec();
    assert_eq!(column(&snapshot, "next_share"), real([1.0, 0.0, 0.0]));
    assert_eq!(column(&snapshot, "group_share"), real([1.0, 0.5, 0.5]));
}

#[test]
fn a_change_is_described_by_where_the_next_pages_go() {
    let areas = [(5, 9, 0, solid("a")), (1, 9, 0, disk("b", false, Some(0)))];
    let mut now = machine("7.2.1", &areas);
    by_types(&mut now, AllocationOrder::Alike, RotationUnit::Cluster);
    let own = now.swaps.reading.known().unwrap()[1].clone();
    let come = |priority| {
        let on = AreaChange::On(Box::new((own.clone(), solid("b"))), priority);
        describe_change(&now, &after_changes(&now, &[AreaChange::Off(own.path.clone()), on]))
            .unwrap()
    };
    assert_eq!(come(Priority::Set(5)), "now 0; afterwards 0 and 1, half each");
    assert_eq!(come(Priority::Set(9)), "now 0; afterwards 1");
    assert_eq!(come(Priority::Set(2)), "0, unchanged");
    let off = [AreaChange::Off("/dev/0".into()), AreaChange::Off("/dev/1".into())];
    assert_eq!(
        describe_change(&now, &after_changes(&now, &off)).unwrap(),
        "now 0; afterwards none"
    );
}

#[test]
fn pages_beyond_a_zram_limit_are_reported_as_refused() {
    let areas = [(5, 65536, 22528, solid("zram0")), (1, 256, 0, solid("sda2"))];
    let mut snapshot = machine("7.2.1", &areas);
    let told = |snapshot: &mut Snapshot, limit: u64| {
        let mm = MmStat { mem_limit: Bytes(limit << 20), ..mm_stat(20 << 20, 20 << 20) };
        let device = ZramDevice { bd: Reading::absent("none"), ..device("0", mm) };
        snapshot.zram = Sampled::new(None, Reading::Known(vec![device]));
        described(snapshot)
    };
    let at_limit = told(&mut snapshot, 20);
    assert!(at_limit[1].ends_with("they stay in memory."), "{at_limit:?}");
    assert!(
        at_limit[1].starts_with("The next 168M are meant for 0, which refuses"),
        "{at_limit:?}"
    );
    assert_eq!(
        at_limit[2],
        "0 can use hardly any of its free 168M: it is at its memory limit. The kernel still chooses it while it has free slots; refused pages keep their slot and stay in memory instead of going to lower areas. Raise the limit or shrink the area."
    );
    let near = told(&mut snapshot, 50);
    assert!(
        near[2].starts_with("0 can use about 30M of its free 168M before it reaches"),
        "{near:?}"
    );
    let none = told(&mut snapshot, 0);
    assert!(none[1].starts_with("The next 168M go to 0;") && none.len() == 2, "{none:?}");
}
