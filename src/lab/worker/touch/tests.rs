//! Tests of touching: contents of touched pages, and the cost of the loop.

use super::testing::{port, task};
use super::*;
use crate::model::load::PageContents;
use crate::sys::process::page_size;
use std::hint::black_box;

/// The memory after touching, and the measurements.
fn touched(task: &Task) -> (TaskMemory, TouchStats) {
    let (port, _ends) = port();
    let mut load = TaskMemory::prepare(task.clone(), 0.0, &Clock::Real, &port).unwrap();
    let told = load.touch(&Clock::Real, &port).unwrap();
    (load, told)
}

fn memory(load: &TaskMemory) -> &Mapping {
    match &load.layout {
        MemoryLayout::Whole(whole) => &whole.memory,
        MemoryLayout::Blocks(_) => panic!("the memory has several pieces"),
    }
}

/// All words of the memory.
fn words(load: &TaskMemory) -> Vec<u64> {
    let memory = memory(load);
    (0..memory.pages()).flat_map(|page| memory.page(page).unwrap().to_vec()).collect()
}

#[test]
fn repeated_writes_keep_the_contents() {
    for (passes, touch) in
        [(1.0, TouchUnit::Page), (2.5, TouchUnit::Page), (2.5, TouchUnit::EachWord)]
    {
        let mut task = task(20);
        (task.work.passes, task.work.touch) = (Some(passes), touch);
        let (load, _) = touched(&task);
        assert!(words(&load).iter().copied().eq(0..20 * task.page_size / 8));
    }
}

#[test]
fn unwritten_pages_stay_zero() {
    for touch in [TouchUnit::Word, TouchUnit::Page, TouchUnit::EachWord] {
        let mut task = task(20);
        (task.work.writes, task.work.touch) = (0.0, touch);
        let (load, told) = touched(&task);
        assert!(words(&load).iter().all(|word| *word == 0));
        assert_eq!((told.touches, told.painted), (20, 0));
        let each = if touch == TouchUnit::Word { 8 } else { task.page_size };
        assert_eq!(told.bytes, Bytes(20 * each));
    }
}

/// Touching a word fills the page first, and then changes only that word; pages whose words are all
/// equal stay so.
#[test]
fn touching_a_word_keeps_the_painted_page() {
    let each = usize::try_from(page_size().unwrap() / 8).unwrap();
    for contents in
        [PageContents::Zero, PageContents::Same, PageContents::Random, PageContents::Ratio(2.0)]
    {
        let mut whole = task(8);
        whole.work.contents = contents.clone();
        let mut word = whole.clone();
        (word.work.touch, word.work.passes) = (TouchUnit::Word, Some(3.0));
        let (painted, told) = touched(&whole);
        let (stepped, more) = touched(&word);
        assert_eq!(told.painted, more.painted);
        let same = matches!(contents, PageContents::Zero | PageContents::Same);
        for (number, (was, is)) in words(&painted).iter().zip(words(&stepped)).enumerate() {
            // The first of three touches has filled the page.
            let steps = if number % each == 0 && !same { 2 } else { 0 };
            assert_eq!(is, was.wrapping_add(steps), "{contents} {number}");
        }
    }
}

#[test]
fn the_checksum_is_independent_of_page_order() {
    let mut task = task(64);
    task.work.contents = PageContents::Random;
    let (_, first) = touched(&task);
    task.work.prefault = true;
    let (_, filled) = touched(&task);
    task.work.prefault = false;
    task.work.order = AccessPattern::Strided { stride: 4 * task.page_size };
    let (_, strided) = touched(&task);
    assert_eq!((first.painted, first.painted), (filled.painted, strided.painted));
    assert_eq!(first.places, filled.places);
    assert_ne!(first.places, strided.places);
    assert!(filled.fill_ns.is_some() && first.fill_ns.is_none());
}

#[test]
fn faults_are_sampled() {
    let (_, told) = touched(&task(970));
    let latency = told.latency;
    assert_eq!((latency.all.count(), latency.sampled), (970, 97));
    let met =
        [&latency.none, &latency.minor, &latency.major].map(crate::model::run::Histogram::count);
    assert_eq!(met.iter().sum::<u64>(), 10);
    assert!(met[1] > 0, "fresh memory faults: {met:?}");
}

#[test]
fn the_pace_is_held_by_sleeping() {
    let (port, _ends) = port();
    let mut task = task(100);
    task.work.pace = Some(Bytes(10 * task.page_size));
    // The clock advances only by sleeping.
    let clock = Clock::at(crate::model::Stamp { boot_ns: 0, wall_ms: 0 });
    let mut load = TaskMemory::prepare(task, 0.0, &clock, &port).unwrap();
    let told = load.touch(&clock, &port).unwrap();
    // There are 99 intervals of a tenth of a second between the first and the last touch.
    assert_eq!((told.touches, told.touch_ns), (100, 9_900_000_000));
    assert_eq!(told.latency.all.max(), Some(0));
}

#[test]
fn the_time_limit_ends_touching_first() {
    let (port, _ends) = port();
    let mut task = task(100);
    (task.work.pace, task.work.seconds) = (Some(Bytes(10 * task.page_size)), Some(3.05));
    let clock = Clock::at(crate::model::Stamp { boot_ns: 0, wall_ms: 0 });
    let mut load = TaskMemory::prepare(task, 0.0, &clock, &port).unwrap();
    let told = load.touch(&clock, &port).unwrap();
    assert_eq!((told.touches, told.touch_ns), (31, 3_000_000_000));
    assert_eq!(clock.nanos(), 3_050_000_000);
}

#[test]
fn a_worker_ends_when_its_parent_is_gone() {
    let (port, ends) = port();
    drop(ends);
    let mut task = task(4096);
    let load = TaskMemory::prepare(task.clone(), 0.0, &Clock::Real, &port);
    assert_eq!(load.unwrap().touch(&Clock::Real, &port).unwrap_err(), WorkerStop::ParentGone);
    task.work.prefault = true;
    let filled = TaskMemory::prepare(task, 0.0, &Clock::Real, &port);
    assert_eq!(filled.unwrap_err(), WorkerStop::ParentGone);
}

#[test]
fn churned_blocks_stay_within_the_size() {
    let mut task = task(4096);
    (task.work.order, task.work.passes) = (AccessPattern::Churn, Some(5.0));
    for prefault in [false, true] {
        task.work.prefault = prefault;
        let (load, told) = touched(&task);
        let MemoryLayout::Blocks(churn) = &load.layout else { panic!("the memory has no blocks") };
        let held = churn.held();
        assert!((4096 - 512..=4096).contains(&held), "{held}");
        assert!(told.touches >= 5 * 4096 && told.latency.all.count() == told.touches);
    }
}

/// Prints the cost of the loop next to the simplest loop that does the same.
#[test]
#[ignore = "it measures: cargo test --release --lib measure_loop_overhead -- --ignored --nocapture"]
fn measure_loop_overhead() {
    let pages = 65536;
    let task = task(pages);
    let (mut plain, mut timed, mut ours) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..15 {
        plain.push(plain_loop(&task, false));
        let (load, told) = touched(&task);
        ours.push(told.touch_ns);
        drop(load);
        timed.push(plain_loop(&task, true));
    }
    for (name, mut times) in [("plain", plain), ("plain with a clock", timed), ("ours", ours)] {
        times.sort_unstable();
        println!("{name}: least {} ns, median {} ns", times[0] / pages, times[7] / pages);
    }
    for touch in [TouchUnit::Word, TouchUnit::Page, TouchUnit::EachWord] {
        for writes in [0.0, 0.5, 1.0] {
            for order in [
                AccessPattern::Sequential,
                AccessPattern::Random,
                AccessPattern::Zipf { skew: 0.9 },
            ] {
                let mut task = task.clone();
                (task.work.touch, task.work.writes, task.work.order) = (touch, writes, order);
                let own = loop_cost(&task, &Clock::Real).unwrap();
                println!("{touch:?} {writes} {}: {own:.0} ns", order.word());
            }
        }
    }
}

/// The time to write its number into each word, and to read the clock for each page.
fn plain_loop(task: &Task, timed: bool) -> u64 {
    let mut memory = Mapping::new(MemoryKind::Anonymous, task.size).unwrap();
    let begun = Clock::Real.nanos();
    let mut number = 0;
    for page in 0..memory.pages() {
        for word in memory.page_mut(page).unwrap() {
            *word = number;
            number += 1;
        }
        if timed {
            black_box(Clock::Real.nanos());
        }
    }
    black_box(&mut memory);
    Clock::Real.nanos() - begun
}
