//! The scene for rebalancing: three zram areas, a slower one, and a load.

use crate::areas::{self, Area, Title};
use crate::hog::Hog;
use crate::lab::Lab;
use crate::memory_limit::MemoryLimit;
use crate::mounts::Mounts;
use crate::program;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;

const MIB: u64 = 1 << 20;
/// Memory limit of the load.
const MEMORY: u64 = 64 * MIB;

/// All parts of the scene, dropped in this order.
pub(crate) struct RebalanceScene<'l> {
    pub(crate) hog: Hog,
    pub(crate) cage: MemoryLimit,
    /// Three on zram, the last on a loop device.
    pub(crate) areas: [Area; 4],
    pub(crate) lab: &'l Lab,
    /// Replacement files that only the program sees. Areas enabled with them must be dropped before.
    pub(crate) mounts: Option<Mounts>,
}

impl<'l> RebalanceScene<'l> {
    /// Creates the scene with these priorities, higher than any other, and without memory in the load.
    pub(crate) fn build(lab: &'l Lab, [a, b, c, d]: [u16; 4]) -> Result<Self, String> {
        let on_loop = areas::on_loop(lab, 64 * MIB, &TITLES[3], d)?;
        let zram = |place: usize, priority| areas::zram(lab, 160 * MIB, &TITLES[place], priority);
        let areas = [zram(0, a)?, zram(1, b)?, zram(2, c)?, on_loop];
        let mut cage = MemoryLimit::new(lab, MEMORY)?;
        cage.keep_fresh();
        let hog = Hog::new(&cage);
        Ok(Self { hog, cage, areas, lab, mounts: None })
    }

    /// The priorities as shown by the kernel; none where an area is not active.
    pub(crate) fn priorities(&self) -> [Option<i32>; 4] {
        [0, 1, 2, 3].map(|place: usize| row(&self.areas[place].path).map(|row| row.0))
    }

    /// Use of the areas, in KiB.
    pub(crate) fn used(&self) -> [u64; 4] {
        let used = |place: usize| row(&self.areas[place].path).map_or(0, |row| row.1);
        [0, 1, 2, 3].map(used)
    }

    /// The path of an area as text.
    pub(crate) fn path(&self, place: usize) -> &str {
        self.areas[place].path.to_str().expect("text")
    }

    /// The program with a journal of its own.
    pub(crate) fn swapadm(&self, arguments: &[&str]) -> Command {
        match &self.mounts {
            Some(mounts) => mounts.swapadm(self.lab, arguments),
            None => program::journalled(self.lab, arguments),
        }
    }

    /// The JSON output of a command that ends with this status.
    pub(crate) fn json_of_command(&self, arguments: &[&str], code: i32) -> Value {
        let output = self.swapadm(arguments).output().expect("the program starts");
        assert_eq!(
            output.status.code(),
            Some(code),
            "{arguments:?}: {}",
            program::describe_failure(&output)
        );
        serde_json::from_slice(&output.stdout).expect("JSON")
    }

    /// Sets these priorities.
    pub(crate) fn set(&self, wishes: &[(usize, i32)]) {
        let wish = |(place, number): &(usize, i32)| format!("{}={number}", self.path(*place));
        let wishes: Vec<String> = wishes.iter().map(wish).collect();
        let mut arguments = vec!["priority", "--yes", "--json"];
        arguments.extend(wishes.iter().map(String::as_str));
        let done = self.json_of_command(&arguments, 0);
        assert_eq!(done["outcome"]["end"], "done", "{done}");
    }
}

/// Priority and use in KiB of an active area.
fn row(path: &Path) -> Option<(i32, u64)> {
    let swaps = fs::read_to_string("/proc/swaps").expect("the file is readable");
    let row = swaps.lines().find(|row| row.split_whitespace().next() == path.to_str())?;
    let mut fields = row.split_whitespace().skip(3);
    let used = fields.next()?.parse().ok()?;
    Some((fields.next()?.parse().ok()?, used))
}

static TITLES: [Title; 4] = [
    Title { label: "swapadm-live-4a", uuid: "5a9c0f3e-7b1d-4e62-8f40-0000004a0de0" },
    Title { label: "swapadm-live-4b", uuid: "5a9c0f3e-7b1d-4e62-8f40-0000004b0de0" },
    Title { label: "swapadm-live-4c", uuid: "5a9c0f3e-7b1d-4e62-8f40-0000004c0de0" },
    Title { label: "swapadm-live-4d", uuid: "5a9c0f3e-7b1d-4e62-8f40-0000004d0de0" },
];
