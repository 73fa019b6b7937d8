//! Folios of several pages.

use super::*;

const HUGE: u64 = 512;
const OF_64K: u64 = 16;

/// Size of an area in pages, and its device.
type Carried = (u64, Reading<BlockDevice>);

fn rotating(size: u64) -> Carried {
    (size, disk("sda", true, None))
}

fn zram(size: u64) -> Carried {
    (size, solid("zram0"))
}

/// Areas of one priority with this rotation unit; those in `files` are files.
fn equals(rotation_unit: RotationUnit, areas: &[Carried], files: &[usize]) -> Snapshot {
    let areas: Vec<_> = areas.iter().map(|(size, block)| (5, *size, 0, block.clone())).collect();
    let mut snapshot = machine("6.12.1", &areas);
    by_types(&mut snapshot, AllocationOrder::ByNode, rotation_unit);
    let mut rows = snapshot.swaps.reading.known().cloned().unwrap();
    for file in files {
        rows[*file].kind = AreaKind::File;
    }
    snapshot.swaps = Sampled::new(None, Reading::Known(rows));
    snapshot
}

fn line(selection: &Reading<Selection>) -> NodeOrder {
    selection.known().unwrap().lines[0].clone()
}

fn shares(line: &NodeOrder) -> Vec<f64> {
    line.places.iter().map(|place| *place.share.known().unwrap()).collect()
}

fn turns(line: &NodeOrder) -> Vec<Option<u64>> {
    line.places.iter().map(|place| place.turn_slots.known().copied()).collect()
}

fn near(found: &[f64], wanted: &[f64]) {
    let pairs = || found.iter().zip(wanted);
    assert!(pairs().all(|(a, b)| (a - b).abs() < 1e-9), "{found:?}, not {wanted:?}");
    assert_eq!(found.len(), wanted.len());
}

#[test]
fn where_turns_are_clusters_a_rotating_area_gives_one_folio_at_a_turn() {
    let snapshot = equals(RotationUnit::Cluster, &[zram(5120), rotating(5120)], &[]);
    let of = |pages| line(&for_folios(&snapshot, pages));
    assert_eq!(of(1), known(&snapshot).lines[0]);
    assert_eq!(turns(&of(OF_64K)), [Some(512), Some(16)]);
    near(&shares(&of(OF_64K)), &[512.0 / 528.0, 16.0 / 528.0]);
    assert_eq!(turns(&of(HUGE)), [Some(512), Some(512)]);
    near(&shares(&of(HUGE)), &[0.5, 0.5]);
}

#[test]
fn where_turns_are_batches_each_folio_takes_one() {
    let snapshot = equals(RotationUnit::Batch, &[zram(5120), zram(1024)], &[]);
    let told = line(&for_folios(&snapshot, HUGE));
    assert_eq!(turns(&told), [Some(512), Some(512)]);
    assert_eq!(told.phases[0].pages, 2048);
    assert_eq!(turns(&line(&for_folios(&snapshot, OF_64K))), [Some(16), Some(16)]);
}

#[test]
fn where_all_are_split_pages_go_one_by_one() {
    let files = equals(RotationUnit::Cluster, &[zram(512), zram(512)], &[0, 1]);
    let split = line(&for_folios(&files, HUGE));
    assert_eq!(shares(&split), [0.5, 0.5]);
    let why = split.places[0].turn_slots.missing().unwrap().why();
    assert!(why.contains("not take"), "{why}");
    let rotating = equals(RotationUnit::Batch, &[rotating(5120), rotating(5120)], &[]);
    assert_eq!(line(&for_folios(&rotating, HUGE)).phases, known(&rotating).lines[0].phases);
    let before = equals(RotationUnit::Batch, &[zram(5120), zram(5120)], &[]);
    let mut before = Snapshot { kernel: machine("6.8.0", &[]).kernel, ..before };
    by_types(&mut before, AllocationOrder::ByNode, RotationUnit::Batch);
    assert_eq!(turns(&line(&for_folios(&before, OF_64K))), [None, None], "huge ones only");
    assert_eq!(turns(&line(&for_folios(&before, HUGE))), [Some(512), Some(512)]);
}

#[test]
fn where_some_areas_split_folios_nothing_is_predicted() {
    for (rotation_unit, areas, files) in [
        (RotationUnit::Cluster, [zram(512), zram(512)], &[1][..]),
        (RotationUnit::Batch, [zram(512), rotating(512)], &[]),
    ] {
        let snapshot = equals(rotation_unit, &areas, files);
        let told = line(&for_folios(&snapshot, HUGE));
        for place in &told.places {
            let why = place.share.missing().unwrap().why();
            assert!(why.contains("split"), "{why}");
        }
        assert_eq!(told.phases, []);
    }
    // Full areas do not count, and earlier phases are predicted.
    let mut snapshot = equals(RotationUnit::Cluster, &[zram(512), zram(512), zram(512)], &[1]);
    let mut rows = snapshot.swaps.reading.known().cloned().unwrap();
    rows[2].priority = 9;
    snapshot.swaps = Sampled::new(None, Reading::Known(rows.clone()));
    let told = line(&for_folios(&snapshot, HUGE));
    assert_eq!((told.phases.len(), told.unknown.is_some()), (1, true));
    rows[0].used = Reading::Known(rows[0].size);
    snapshot.swaps = Sampled::new(None, Reading::Known(rows));
    let told = line(&for_folios(&snapshot, HUGE));
    assert_eq!((told.phases.len(), told.unknown), (2, None));
}

#[test]
fn pages_and_folios_that_went_out_have_shares_of_their_own() {
    let snapshot = equals(RotationUnit::Cluster, &[zram(51200), rotating(51200)], &[]);
    let told = line(&for_whole_folios(&snapshot, &[(HUGE, 0.25), (OF_64K, 0.5)]));
    let rotates = 0.25 / 513.0 + 0.25 * 0.5 + 0.5 * 16.0 / 528.0;
    near(&shares(&told), &[1.0 - rotates, rotates]);
    assert_eq!(turns(&told), [Some(512), Some(1)], "turns of single pages");
    let none = line(&for_whole_folios(&snapshot, &[]));
    assert_eq!(none, known(&snapshot).lines[0]);
}

#[test]
fn whole_folios_went_to_areas_that_take_them_while_they_had_room() {
    let snapshot = equals(RotationUnit::Cluster, &[zram(1000), zram(5000)], &[1]);
    let told = line(&for_whole_folios(&snapshot, &[(HUGE, 0.5)]));
    near(&shares(&told), &[0.75, 0.25]);
    assert_eq!(told.phases.len(), 2);
    near(&[told.phases[0].pages as f64], &[1333.0]);
    assert_eq!(told.phases[1].shares, [(1, 1.0)]);
    let only = line(&for_whole_folios(&snapshot, &[(HUGE, 1.0)]));
    assert_eq!(only.phases[0].shares, [(0, 1.0)]);
    assert_eq!(only.places[1].begins, Reading::Known(1000));
}
