//! Accuracy of the estimated duration of a swapoff: on areas of all kinds, and on the disks of a virtual
//! machine made for these tests. The journal has only the earlier rounds.

use crate::areas::{self, Area, Title};
use crate::hog::Hog;
use crate::lab::{Lab, when_time_allows};
use crate::memory_limit::MemoryLimit;
use crate::program::{describe_failure, journalled};
use crate::test_vm;
use serde_json::Value;

const MIB: u64 = 1 << 20;
const KEPT: u64 = 32 * MIB;
/// Factor by which an estimate may be off, and number of ten that must be nearer.
const FAR: f64 = 1.5;
const NEAR_OF_TEN: usize = 9;
const ROUNDS: usize = 2;
/// Higher than any other priority.
const TOP: u16 = 32_000;

/// The device of an area.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Zram,
    Loop,
    File,
    /// The disk of a node of a virtual machine made for this.
    Disk(usize),
}

/// An area, and its content.
#[derive(Clone, Copy, Debug)]
struct Case {
    kind: Kind,
    mib: u64,
    /// Memory of each process, in MiB.
    processes: &'static [u64],
    /// Whether the content is incompressible.
    is_noise: bool,
}

const CASES: [Case; 8] = [
    Case { kind: Kind::Zram, mib: 64, processes: &[80], is_noise: false },
    Case { kind: Kind::Zram, mib: 160, processes: &[60, 60, 60], is_noise: false },
    Case { kind: Kind::Zram, mib: 96, processes: &[112], is_noise: true },
    Case { kind: Kind::File, mib: 64, processes: &[80], is_noise: false },
    Case { kind: Kind::File, mib: 160, processes: &[60, 60, 60], is_noise: false },
    Case { kind: Kind::File, mib: 96, processes: &[112], is_noise: true },
    Case { kind: Kind::Loop, mib: 64, processes: &[80], is_noise: false },
    Case { kind: Kind::Loop, mib: 160, processes: &[60, 60, 60], is_noise: true },
];
const ON_DISKS: [Case; 4] = [
    Case { kind: Kind::Disk(0), mib: 64, processes: &[80], is_noise: false },
    Case { kind: Kind::Disk(1), mib: 160, processes: &[60, 60, 60], is_noise: false },
    Case { kind: Kind::Disk(1), mib: 96, processes: &[112], is_noise: true },
    Case { kind: Kind::Disk(0), mib: 200, processes: &[200], is_noise: true },
];

#[test]
fn estimates_of_swapoffs_are_near() {
    when_time_allows("estimates_of_swapoffs_are_near", |lab| {
        let disks = if test_vm::is_test_vm() { &ON_DISKS[..] } else { &[] };
        let mut near = 0;
        for _ in 0..ROUNDS {
            for case in CASES.iter().chain(disks) {
                near += usize::from(case.is_near(lab)?);
            }
        }
        let all = ROUNDS * (CASES.len() + disks.len());
        println!("{near} of {all} within {FAR} times");
        assert!(near * 10 >= all * NEAR_OF_TEN, "{near} of {all}");
        Ok(())
    });
}

impl Case {
    fn is_near(&self, lab: &Lab) -> Result<bool, String> {
        let area = self.area(lab)?;
        let cage = MemoryLimit::new(lab, KEPT)?;
        let hogs = self.processes.iter().map(|mib| self.hog(&cage, *mib));
        let _hogs: Vec<Hog> = hogs.collect();
        cage.lift();
        let ended = switched_off(lab, &area);
        let [said, took] = [&ended["estimate"], &ended["outcome"]].map(|it| it["seconds"].as_f64());
        let (said, took) = (said.ok_or("there was no estimate")?, took.ok_or("it did not end")?);
        let off = (said / took).max(took / said);
        println!("{self:?}: {said:.3} s said, took {took:.3} s, {off:.2} times off");
        Ok(off <= FAR)
    }

    fn area(&self, lab: &Lab) -> Result<Area, String> {
        let size = self.mib * MIB;
        match self.kind {
            Kind::Zram => areas::zram(lab, size, &TITLE, TOP),
            Kind::Loop => areas::on_loop(lab, size, &TITLE, TOP),
            Kind::File => areas::file(lab, size, &TITLE, TOP),
            Kind::Disk(node) => test_vm::disks()?[node].area(size, &TITLE, TOP),
        }
    }

    fn hog(&self, cage: &MemoryLimit, mib: u64) -> Hog {
        let mut hog = Hog::new(cage);
        if self.is_noise {
            hog.noise(mib);
        } else {
            hog.fill(mib);
        }
        hog
    }
}

fn switched_off(lab: &Lab, area: &Area) -> Value {
    let path = area.path.to_str().expect("text");
    let output =
        journalled(lab, &["off", path, "--yes", "--json"]).output().expect("the program starts");
    assert!(output.status.success(), "{path}: {}", describe_failure(&output));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

static TITLE: Title =
    Title { label: "swapadm-live-es", uuid: "5a9c0f3e-7b1d-4e62-8f40-0000e5717a7e" };
