use super::sentences::describe_times;
use super::*;
use crate::model::load::Workload;
use crate::sim::cost::SimDevice;
use crate::sim::describe::read_machine;
use crate::sim::policy::KernelPolicy;
use crate::sim::what_if::predict;

fn growth(measured: Option<f64>) -> Reading<AssumedGrowth> {
    Reading::Known(AssumedGrowth { rate: f64::from(1 << 20), measured })
}

fn case(priority: &str) -> PredictedCase {
    case_with_memory("64M", priority)
}

fn case_with_memory(memory: &str, priority: &str) -> PredictedCase {
    let text = format!(
        "kernel = \"7.2\"\nmemory = \"{memory}\"\n[[area]]\npath = \"/a\"\ndevice = \"zram\"\nsize = \"64M\"\n\
         priority = 5\n[[area]]\npath = \"/b\"\ndevice = \"ssd\"\nsize = \"64M\"\npriority = {priority}\n"
    );
    let prediction = predict(&read_machine("m", "m", &text).unwrap()).unwrap();
    let used = Reading::Known(Bytes(28 << 20));
    PredictedCase { name: "now", prediction, used, growth: growth(Some(30.0)) }
}

#[test]
fn sentences_say_the_order_and_the_time() {
    let equal = describe(&[case("5")]);
    assert_eq!(equal[0], "Now (model of kernel 7.2): /a, /b first together.");
    let measured = "Assumed growth: 1M/s, measured for 30s.";
    assert_eq!(equal[1], format!("Now: all swap is full in 1m40s. {measured}"));
    let given = describe(&[PredictedCase { growth: growth(None), ..case("5") }]);
    assert_eq!(given[1], "Now: all swap is full in 1m40s. Assumed growth: 1M/s.");
    let order = describe(&[case("1")]);
    let start = "Now (model of kernel 7.2): /a first, then /b once 6";
    assert!(order[0].starts_with(start) && order[0].ends_with("of swap are in use."), "{order:?}");
}

#[test]
fn too_few_folios_for_a_share_are_named() {
    let mut case = case("5");
    case.prediction.folios = [(5, 1), (0, 0), (150, 50)]
        .map(|(whole, split)| FolioPrediction { size: Bytes(2 << 20), whole, split })
        .into();
    let shares = case.prediction.folios.iter().map(|folios| fallback_share(folios).into_result());
    let shares: Vec<_> = shares.map(|share| share.map_err(|missing| missing.why())).collect();
    let missing = |why: &str| Err(why.to_owned());
    assert_eq!(shares[..2], [missing("too few (6)"), missing("too few (0)")]);
    assert_eq!(shares[2], Ok(0.25));
    let said = describe(&[case]).join(" ");
    assert!(said.contains("Now: FALLBACK% of 2M: too few (6). "), "{said}");
}

/// A swapoff reads pages in the order of page tables, which is random for the disk.
#[test]
fn the_time_of_a_swapoff_is_unknown_where_the_disk_seeks() {
    let area = case("5").prediction.areas[1].clone();
    assert!(swapoff_time(&area).known().is_some());
    for device in [SimDevice::Rotational, SimDevice::RotationalFile] {
        let disk = AreaPrediction { device, ..area.clone() };
        assert!(swapoff_time(&disk).missing().unwrap().why().contains("seeks"));
    }
}

/// zram of 64M takes a third of that, and memory has 16M.
#[test]
fn memory_can_be_full_before_swap_is() {
    let case = case_with_memory("16M", "1");
    let said = describe_times(std::slice::from_ref(&case));
    assert!(said.starts_with("Now: memory is full in "), "{said}");
    let rest = "of 128M of swap are in use: compressed pages take 16M of it. Assumed growth: 1M/s, measured for 30s.";
    assert!(said.ends_with(rest), "{said}");
    assert_eq!(case.full_in().missing().unwrap().why(), "memory is full before swap is");
    assert_eq!(case.end(), "memory is full");
    let unknown = PredictedCase { growth: Reading::absent("no growth"), ..case };
    let said = describe_times(&[unknown]);
    assert!(said.starts_with("Now: memory is full once 4"), "{said}");
}

fn case_with_limit(keys: &str) -> PredictedCase {
    let text = format!("kernel = \"7.2\"\nlimit = \"16M\"\n{keys}");
    let prediction = predict(&read_machine("m", "m", &text).unwrap()).unwrap();
    PredictedCase { prediction, ..case("1") }
}

/// The pool of zswap, a third of swap, is part of the limit; memory has room for all of it.
#[test]
fn a_memory_limit_can_be_reached_before_swap_is_full() {
    let case = case_with_limit(
        "memory = \"1G\"\n[zswap]\nmax-pool = \"20%\"\n[[area]]\npath = \"/b\"\ndevice = \"ssd\"\nsize = \"64M\"\n",
    );
    let said = describe_times(std::slice::from_ref(&case));
    assert!(said.starts_with("Now: the memory limit is reached in "), "{said}");
    let rest = "of 64M of swap are in use: the pool of zswap counts towards it. \
                Assumed growth: 1M/s, measured for 30s.";
    assert!(said.ends_with(rest), "{said}");
    let why = case.full_in().missing().unwrap().why();
    assert_eq!(why, "the memory limit is reached before swap is full");
    assert_eq!(case.end(), "the memory limit is reached");
}

/// Pages on zram count for memory, not for the limit: 32M of memory are full before 128M of zram are.
#[test]
fn memory_can_be_full_beside_a_memory_limit() {
    let case = case_with_limit(
        "memory = \"32M\"\n[[area]]\npath = \"/a\"\ndevice = \"zram\"\nsize = \"128M\"\n",
    );
    let said = describe_times(std::slice::from_ref(&case));
    assert!(said.starts_with("Now: memory is full in "), "{said}");
    assert_eq!(case.end(), "memory is full");
}

#[test]
fn the_limits_say_how_pages_compress() {
    let said = "compress to a third";
    assert!(describe_limits(&[case("5")]).contains(said));
    let mut disks = case("5");
    disks.prediction.setup.areas.remove(0);
    assert!(!describe_limits(&[disks]).contains(said));
}

#[test]
fn each_kernel_says_whether_it_was_compared() {
    let with = |policy: &str| {
        let mut case = case("5");
        case.prediction.setup.policy = KernelPolicy::parse(policy).unwrap();
        case
    };
    let both = describe_limits(&[with("7.2"), with("6.12+scan-one")]);
    assert!(
        both.contains("7.2 was compared with the running one: used space, split folios;"),
        "{both}"
    );
    assert!(both.contains("6.12+scan-one was compared with no running kernel"), "{both}");
    let same = describe_limits(&[with("7.2"), with("7.2")]);
    assert_eq!(same.matches("compared with").count(), 1, "{same}");
}

#[test]
fn swap_is_full_although_cpus_hold_its_last_slots() {
    let load = Workload::together("test", Vec::new());
    for (left, killed, said) in [
        (40, 2, "Now: swap is full (>99%), and 2 processes are killed."),
        (0, 1, "Now: swap is full (100%), and 1 process is killed."),
        (40, 0, "Now: swap is full (>99%)."),
        (16 << 20, 0, "Now: at most 112M of 128M of swap are in use."),
        (16 << 20, 3, "Now: at most 112M of 128M of swap are in use, and 3 processes are killed."),
    ] {
        let mut case = PredictedCase { growth: Reading::absent("no growth"), ..case("5") };
        case.prediction.assumed = AssumedLoad::Workload(Box::new(load.clone()));
        case.prediction.killed = killed;
        for area in &mut case.prediction.areas {
            area.peak = Bytes(area.size.0 - left / 2);
        }
        assert_eq!(describe_times(&[case]), said);
    }
}

#[test]
fn a_machine_without_areas_has_no_swap_to_fill() {
    let mut case = case("1");
    case.prediction.areas.clear();
    assert_eq!(describe_times(std::slice::from_ref(&case)), "Now: there is no swap.");
    assert_eq!(case.full_in().missing().unwrap().why(), "there is no swap");
}

#[test]
fn unknown_growth_is_missing_with_its_reason() {
    let case = PredictedCase { growth: Reading::absent("used swap does not grow"), ..case("1") };
    let answer = WhatIfAnswer { cases: vec![case], notes: Vec::new() };
    let tables = answer.tables(Some("all")).unwrap();
    let cell = tables[2].1.value(0, "full_in").unwrap();
    assert_eq!(cell.missing().unwrap().why(), "used swap does not grow");
    assert_eq!(tables[0].1.text(0, "share_25"), "100%");
    assert!(tables[1].1.cells.is_empty());
}
