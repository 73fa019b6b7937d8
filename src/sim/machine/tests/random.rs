//! Machines and workloads drawn from a seed, small enough to be checked after each round.

use super::super::super::dense::SeededRandom;
use super::super::super::policy::{CHANGES, PRESETS};
use super::*;

/// Machines of a usual run; `SWAPADM_MACHINES` sets another number.
const MACHINES: u64 = 200;

fn pick<T: Clone>(random: &mut SeededRandom, things: &[T]) -> T {
    let place = random.below(u32::try_from(things.len()).unwrap());
    things[place as usize].clone()
}

/// A preset with up to two single changes, of those that fit together.
fn policy(random: &mut SeededRandom) -> String {
    let mut name = pick(random, &PRESETS).to_owned();
    for _ in 0..random.below(3) {
        let changed = format!("{name}+{}", pick(random, &CHANGES.map(|change| change.name)));
        if KernelPolicy::parse(&changed).is_ok() {
            name = changed;
        }
    }
    name
}

fn area(random: &mut SeededRandom) -> AreaSetup {
    let devices = [SimDevice::Zram, SimDevice::SolidState, SimDevice::Rotational];
    let mut area = setup(pick(random, &devices), 150 + random.below(1200));
    area.discards = random.below(2) == 0;
    area.priority = pick(random, &[None, Some(5), Some(5), Some(7)]);
    area
}

fn workers(random: &mut SeededRandom) -> WorkerGroup {
    let orders = [
        AccessPattern::Sequential,
        AccessPattern::Random,
        AccessPattern::Churn,
        AccessPattern::Zipf { skew: 1.0 },
        AccessPattern::Strided { stride: 65536 },
    ];
    let contents = [PageContents::Random, PageContents::Zero];
    WorkerGroup {
        order: pick(random, &orders),
        writes: pick(random, &[0.0, 0.5, 1.0]),
        passes: Some(2.0),
        rounds: 1 + random.below(2),
        memory: pick(random, &[MemoryKind::Anonymous, MemoryKind::Shared]),
        advice: pick(random, &[FolioAdvice::None, FolioAdvice::Large]),
        contents: pick(random, &contents),
        ..group(1 + random.below(2), 60 + random.below(200))
    }
}

fn random_machine(seed: u64) -> Machine {
    let random = &mut SeededRandom::new(seed);
    let areas = (0..=random.below(4)).map(|_| area(random)).collect();
    let mut setup = machine(&policy(random), 100 + random.below(200), areas);
    setup.nodes = 1 + random.below(2);
    setup.cpus = setup.nodes * (1 + random.below(3));
    setup.seed = seed;
    setup.page_cluster = random.below(5);
    setup.folio_orders = pick(random, &[vec![], vec![2], vec![2, 4], vec![9]]);
    let zswap = ZswapSetup { max_pool: 0.2, accept: 0.8 };
    setup.zswap = (random.below(3) == 0).then_some(zswap);
    let mut machine = Machine::new(setup);
    machine.start(&load((0..=random.below(3)).map(|_| workers(random)).collect())).unwrap();
    machine
}

#[test]
#[allow(clippy::disallowed_methods, reason = "the environment sets the number of machines")]
fn drawn_machines_agree_after_every_round() {
    let machines = std::env::var("SWAPADM_MACHINES").ok();
    let machines = machines.map_or(MACHINES, |text| text.parse().expect("a number"));
    let (mut rounds, mut swapped) = (0_u64, 0);
    for seed in 1..=machines {
        let mut machine = random_machine(seed);
        println!("seed {seed}: {:?}", machine.setup);
        assert!(machine.run(|machine| {
            rounds += 1;
            machine.check();
            false
        }));
        machine.check();
        machine.swap.drain_slot_caches();
        assert_eq!((machine.resident_pages(), machine.swap.used()), (0, 0), "seed {seed}");
        swapped += u64::from(machine.counters.pswpout > 0);
    }
    assert!(swapped * 2 > machines, "{swapped} of {machines} machines swapped");
    println!("measured: {machines} machines, checked after each of {rounds} rounds, no failure");
}
