//! Predictions on small machines.

use super::*;
use crate::assumed::SwapTraffic;
use crate::cost::{CostModel, MachineWork};
use crate::layer::ZswapSetup;
use crate::model::load::{FolioAdvice, MemoryAmount, PageContents};
use crate::testing::machine;
use crate::testing::setup;

/// The prediction for areas of these MiB and priorities.
fn predicted(policy: &str, areas: &[(u32, Option<i32>)]) -> Prediction {
    let area = |(number, (mib, priority)): (usize, &(u32, Option<i32>))| AreaSetup {
        path: format!("/dev/zram{number}"),
        priority: *priority,
        ..setup(SimDevice::Zram, mib * 256)
    };
    let areas = areas.iter().enumerate().map(area).collect();
    predict(&MachineSetup { cpus: 2, ..machine(policy, 4096, areas) }).unwrap()
}

/// A workload in a cgroup with this limit.
fn limited(limit: Bytes, work: WorkerGroup) -> AssumedLoad {
    let load = Workload::together("test", vec![work]);
    AssumedLoad::Workload(Box::new(Workload { limit: MemoryAmount::Bytes(limit), ..load }))
}

fn positions_of(prediction: &Prediction) -> Vec<Option<u64>> {
    prediction.areas.iter().map(|area| area.position).collect()
}

#[test]
fn equal_priorities_share_evenly() {
    for policy in ["6.12", "7.2"] {
        let prediction = predicted(policy, &[(128, Some(5)), (128, Some(5))]);
        assert_eq!(positions_of(&prediction), [Some(1), Some(1)], "{policy}");
        for area in &prediction.areas {
            let (count, last) = (area.history.len() as u64, area.history.last().unwrap());
            assert!((254..=257).contains(&count), "{count}");
            assert!((last.0 >> 20).abs_diff(128) <= 3, "{last:?}");
            assert!(((prediction.interval.0 * count) >> 20).abs_diff(256) <= 2);
            for share in area.shares {
                assert!((share.unwrap() - 0.5).abs() < 0.03, "{policy}: {area:?}");
            }
        }
    }
}

#[test]
fn a_higher_priority_fills_first() {
    let prediction = predicted("7.2", &[(64, Some(1)), (192, Some(9))]);
    assert_eq!(positions_of(&prediction), [Some(2), Some(1)]);
    let [low, high] = prediction.areas.as_slice() else { panic!("{prediction:?}") };
    let shares = [low, high].map(|area| area.shares.map(Option::unwrap));
    assert!(shares[0][0] < 1e-9 && shares[1][0] > 0.999, "{shares:?}");
    let begins = low.begins.unwrap().0 >> 20;
    assert!((185..=193).contains(&begins), "{begins}");
    assert!(high.full.unwrap() <= low.begins.unwrap().saturating_add(Bytes(8 << 20)));
}

#[test]
fn default_priorities_fill_one_by_one_up_to_6_18_and_evenly_since() {
    let areas = [(128, None), (128, None)];
    assert_eq!(positions_of(&predicted("6.12", &areas)), [Some(1), Some(2)]);
    assert_eq!(positions_of(&predicted("7.2", &areas)), [Some(1), Some(1)]);
    let priorities =
        |policy| predicted(policy, &areas).areas.iter().map(|it| it.priority).collect();
    let (old, new): (Vec<i32>, Vec<i32>) = (priorities("6.12"), priorities("7.2"));
    assert_eq!((old, new), (vec![-2, -3], vec![-1, -1]));
}

#[test]
fn areas_bound_to_nodes_fill_together() {
    for cpus in [2, 8] {
        let areas = [0, 1].map(|node| AreaSetup {
            path: format!("/dev/sd{node}"),
            node: Some(node),
            ..setup(SimDevice::SolidState, 512 * 256)
        });
        let machine = machine("6.12", 4096, areas.to_vec());
        let prediction = predict(&MachineSetup { cpus, nodes: 2, ..machine }).unwrap();
        assert_eq!(positions_of(&prediction), [Some(1), Some(1)], "{cpus}");
        let share = prediction.areas[0].shares[1].unwrap();
        assert!((share - 0.5).abs() < 0.1, "{cpus}: {share}");
    }
}

/// Small areas that fill one by one behind a large one all begin near the end.
#[test]
fn small_areas_behind_a_large_one_fill_one_by_one() {
    let areas = [(128, None), (128, None), (128, None), (16 << 10, Some(5))];
    let prediction = predicted("6.12", &areas);
    assert_eq!(positions_of(&prediction), [2, 3, 4, 1].map(Some));
}

#[test]
fn metadata_is_that_of_the_fullest_moment() {
    let setup = machine("7.2", 1024, vec![setup(SimDevice::Zram, 64 * 256)]);
    let empty = Machine::new(setup.clone()).metadata_bytes();
    let load = limited(Bytes(4 << 20), WorkerGroup::writing_once(1, Bytes(48 << 20)));
    let prediction = predict_with(&setup, &load).unwrap();
    assert!(prediction.metadata.0 > 10 * empty, "{:?}, empty {empty}", prediction.metadata);
}

#[test]
fn the_first_area_begins_with_empty_swap() {
    let prediction = predicted("6.12", &[(128, None), (128, None)]);
    let [first, second] = prediction.areas.as_slice() else { panic!("{prediction:?}") };
    assert_eq!(first.begins, Some(Bytes(0)));
    assert!(first.full.unwrap() <= first.size, "{first:?}");
    assert_eq!(second.full, Some(Bytes(first.size.0 + second.size.0)), "with all swap");
    assert!(second.begins.unwrap() <= first.size, "{second:?}");
}

#[test]
fn areas_that_are_too_small_are_known_and_not_larger_than_they_are() {
    let prediction = predicted("7.2", &[(64, Some(9)), (1 << 20, Some(1))]);
    let small: Vec<&str> = prediction.enlarged_areas().map(|it| it.path.as_str()).collect();
    assert_eq!(small, ["/dev/zram0"]);
    assert_eq!(prediction.areas[0].peak, Bytes(64 << 20));
    assert!(prediction.areas[0].history.iter().all(|used| *used <= Bytes(64 << 20)));
    assert_eq!(predicted("7.2", &[(64, Some(9)), (64, Some(1))]).enlarged_areas().count(), 0);
}

/// A process that finds no memory is killed; what it had swapped out counts.
#[test]
fn swapoff_of_a_full_area_reads_all_of_it() {
    for cpus in [1, 2, 4] {
        let areas = vec![setup(SimDevice::Rotational, 512 * 256)];
        let prediction = predict(&MachineSetup { cpus, ..machine("7.2", 4096, areas) }).unwrap();
        let read = prediction.areas[0].swapoff.unwrap().read_pages;
        assert!((512 * 250..=512 * 256).contains(&read), "{cpus}: {read}");
    }
}

#[test]
fn swapoff_of_a_small_area_beside_large_ones_reads_no_more_than_its_size() {
    let prediction = predicted("7.2", &[(64, Some(9)), (1 << 20, Some(1))]);
    let [small, large] = [0, 1].map(|area| prediction.areas[area].swapoff.unwrap());
    assert!((64 * 240..=64 * 256).contains(&small.read_pages), "{small:?}");
    assert_eq!(small.entries, large.entries);
    let per_entry = CostModel::builtin()
        .machine_ns(MachineWork { entries_visited: small.entries, ..MachineWork::default() });
    let copies = |it: ModelledSwapoff| (it.ns - per_entry) / it.read_pages as f64;
    assert!((0.9..1.1).contains(&(copies(small) / copies(large))), "{small:?} {large:?}");
}

/// The model of a machine with 512 GiB of swap is smaller; its figures are those of the whole machine.
#[test]
fn large_machines_are_scaled() {
    let prediction = predicted("7.2", &[(1 << 18, Some(9)), (1 << 18, Some(1))]);
    assert_eq!(prediction.scale, 513);
    let begins = prediction.areas[1].begins.unwrap().0 >> 30;
    assert!((250..=257).contains(&begins), "{begins}");
}

/// Memory that zram and processes cannot fill before swap is full does not make the model coarser.
#[test]
fn memory_that_is_never_full_does_not_scale_small_areas() {
    let zram = AreaSetup { priority: Some(9), ..setup(SimDevice::Zram, 128 * 256) };
    let disk = AreaSetup {
        path: "/b".to_owned(),
        priority: Some(1),
        ..setup(SimDevice::SolidState, 128 * 256)
    };
    let setup = machine("6.18", 4096, vec![zram, disk]);
    let large = MachineSetup { memory_pages: 1 << 28, limit_pages: None, ..setup };
    let prediction = predict(&large).unwrap();
    assert_eq!((prediction.scale, prediction.memory_full), (1, None));
    let [zram, disk] = prediction.areas.as_slice() else { panic!("{prediction:?}") };
    for figure in [zram.full, disk.begins] {
        let mib = figure.unwrap().0 >> 20;
        assert!((126..=130).contains(&mib), "{zram:?} {disk:?}");
    }
}

/// A workload that needs a third of swap: most of what is on the areas is on that of higher priority.
#[test]
fn a_workload_uses_what_it_needs() {
    let areas = vec![
        AreaSetup { priority: Some(9), ..setup(SimDevice::Zram, 64 * 256) },
        AreaSetup { path: "/b".to_owned(), priority: Some(1), ..setup(SimDevice::Zram, 128 * 256) },
    ];
    let setup = machine("7.2", 32 * 256, areas);
    let load = limited(Bytes(32 << 20), WorkerGroup::writing_once(2, Bytes(48 << 20)));
    let prediction = predict_with(&setup, &load).unwrap();
    let [high, low] = prediction.areas.as_slice() else { panic!("{prediction:?}") };
    let peak = (high.peak.0 + low.peak.0) >> 20;
    assert!((60..=70).contains(&peak), "{peak}");
    assert!(high.peak_share.unwrap() > 0.9, "{high:?}");
    assert_eq!((high.shares[2], prediction.killed), (None, 0));
    assert!(prediction.swapped_out.0 >= 60 << 20 && prediction.folios.is_empty());
}

/// The memory limit of a machine applies, as for the workload of its file, and that of the assumed workload does not.
#[test]
fn the_limit_of_the_machine_replaces_that_of_the_workload() {
    let areas = vec![setup(SimDevice::SolidState, 64 * 256)];
    let limit_pages = Some(32 * 256);
    let limited = MachineSetup { limit_pages, ..machine("7.2", 256 * 256, areas) };
    for limit in [MemoryAmount::Share(0.25), MemoryAmount::Bytes(Bytes(64 << 20))] {
        let work = WorkerGroup {
            size: MemoryAmount::Share(2.0),
            ..WorkerGroup::writing_once(1, Bytes(0))
        };
        let load = Workload { limit, ..Workload::together("test", vec![work]) };
        let load = AssumedLoad::Workload(Box::new(load));
        let limited = predict_with(&limited, &load).unwrap();
        assert!((32..=33).contains(&(limited.swapped_out.0 >> 20)), "{limit:?}: {limited:?}");
    }
}

/// Half of the workload's memory goes to a pool that is a share of the machine's memory, not of the limit.
#[test]
fn the_pool_of_zswap_does_not_shrink_with_the_limit_of_the_workload() {
    let areas = vec![setup(SimDevice::SolidState, 64 * 256)];
    let zswap = Some(ZswapSetup { max_pool: 0.2, accept: 0.9 });
    let (memory_pages, limit_pages) = (64 * 256, None);
    let setup = MachineSetup { memory_pages, limit_pages, zswap, ..machine("7.2", 0, areas) };
    let work = WorkerGroup {
        contents: PageContents::Ratio(2.0),
        ..WorkerGroup::writing_once(1, Bytes(12 << 20))
    };
    let prediction = predict_with(&setup, &limited(Bytes(8 << 20), work)).unwrap();
    assert!(prediction.areas[0].peak >= Bytes(6 << 20), "{:?}", prediction.areas);
    assert_eq!((prediction.swapped_out, prediction.killed), (Bytes(0), 0));
}

#[test]
fn folios_of_memory_that_asked_for_them_are_counted() {
    let areas = vec![setup(SimDevice::Zram, 64 * 256)];
    let setup = MachineSetup { advised_orders: vec![9], ..machine("6.12", 32 * 256, areas) };
    let work =
        WorkerGroup { advice: FolioAdvice::Large, ..WorkerGroup::writing_once(1, Bytes(64 << 20)) };
    let load = limited(Bytes(32 << 20), work);
    let folios = predict_with(&setup, &load).unwrap().folios;
    assert!(folios.iter().any(|it| it.size == Bytes(2 << 20) && it.whole > 0), "{folios:?}");
}

/// Two machines are drawn on one axis, although they have different numbers of CPUs.
#[test]
fn the_history_of_a_workload_is_as_long_as_its_accesses() {
    let length = |cpus| {
        let areas = vec![setup(SimDevice::Zram, 1 << 17)];
        let setup = MachineSetup { cpus, ..machine("7.2", 4096, areas) };
        let work = WorkerGroup::writing_once(4, Bytes(32 << 20));
        let load = AssumedLoad::Workload(Box::new(Workload::together("x", vec![work])));
        predict_with(&setup, &load).unwrap().areas[0].history.len()
    };
    assert!(length(1).abs_diff(length(4)) <= 2, "{} {}", length(1), length(4));
}

/// Sizes of processes are scaled with the areas.
#[test]
fn a_large_workload_is_scaled_with_the_machine() {
    let areas = vec![setup(SimDevice::Zram, 64 << 18)];
    let setup = machine("7.2", 16 << 18, areas);
    let load = limited(Bytes(16 << 30), WorkerGroup::writing_once(4, Bytes(8 << 30)));
    let prediction = predict_with(&setup, &load).unwrap();
    assert!(prediction.scale > 30, "{}", prediction.scale);
    let peak = prediction.areas[0].peak.0 >> 30;
    assert!((15..=17).contains(&peak), "{peak}");
}

#[test]
fn traffic_fills_swap_or_keeps_it_as_it_is() {
    let areas = [Some(5), Some(5)]
        .map(|priority| AreaSetup { priority, ..setup(SimDevice::Zram, 64 * 256) });
    let setup = machine("7.2", 4096, areas.to_vec());
    let used = Bytes(32 << 20);
    let end = |growth| {
        let traffic = SwapTraffic { used, out: 4e6, back: 1e6, growth };
        let prediction = predict_with(&setup, &AssumedLoad::Traffic(traffic)).unwrap();
        let [first, second] = prediction.areas.as_slice() else { panic!("{prediction:?}") };
        assert!((first.peak_share.unwrap() - 0.5).abs() < 0.03, "{first:?}");
        (first.peak.0 + second.peak.0) >> 20
    };
    assert!(end(3e6) >= 126);
    assert!((32..=40).contains(&end(0.0)), "{}", end(0.0));
}

#[test]
fn a_prediction_tells_its_progress_and_can_be_cancelled() {
    let areas = vec![setup(SimDevice::Zram, 64 * 256)];
    let setup = MachineSetup { folio_orders: vec![4], ..machine("6.12", 4096, areas) };
    let mut shares = Vec::new();
    let whole = predict_watched(&setup, &AssumedLoad::Filling, &mut |share| {
        shares.push(share);
        true
    });
    assert_eq!(whole.unwrap(), predict(&setup).unwrap(), "watching changes nothing");
    assert!(shares.is_sorted() && shares.len() > 10, "{shares:?}");
    assert!(shares.first().unwrap() < &0.2 && shares.last().unwrap() > &0.8, "{shares:?}");
    let counted = shares.iter().filter(|share| **share > FILLING_WORK).count();
    assert!(counted > 5, "folios are part of the work: {shares:?}");
    let mut left = 3;
    let stopped = predict_watched(&setup, &AssumedLoad::Filling, &mut |_| {
        left -= 1;
        left > 0
    });
    assert_eq!((stopped.unwrap_err().as_str(), left), (CANCELLED, 0));
}

#[test]
fn a_handful_of_folios_gives_no_share() {
    let share = |whole| FolioPrediction { size: Bytes(2 << 20), whole, split: 1 }.split_share();
    assert_eq!((share(98), share(99)), (None, Some(0.01)));
}

#[test]
fn folios_are_counted_by_size() {
    let areas = vec![setup(SimDevice::Zram, 64 * 256)];
    let setup = MachineSetup { folio_orders: vec![4], ..machine("6.12", 4096, areas) };
    let prediction = predict(&setup).unwrap();
    let [folios] = prediction.folios.as_slice() else { panic!("{prediction:?}") };
    assert_eq!(folios.size, Bytes(64 << 10));
    assert!(folios.whole > 100 && folios.split_share().is_some(), "{folios:?}");
    let none = predict(&MachineSetup { areas: Vec::new(), ..setup }).unwrap();
    assert!(none.areas.is_empty() && none.folios.is_empty());
}
