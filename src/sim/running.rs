//! A machine in time: it runs its workload, and gives a snapshot for each simulated second.

use super::machine::{LoadRefusal, Machine, MachineSetup};
use crate::model::Snapshot;
use crate::model::load::Workload;

/// A machine that runs. It is deterministic: the sample with a number is always the same.
#[derive(Debug)]
pub struct RunningMachine {
    /// The machine.
    pub machine: Machine,
    samples: u64,
    has_begun: bool,
    has_work: bool,
}

/// Rounds between two reports of progress.
const ROUNDS_PER_REPORT: u64 = 512;

impl RunningMachine {
    /// A machine before its first sample, with the workload that its file names.
    pub fn new(setup: MachineSetup, load: Option<&Workload>) -> Result<Self, LoadRefusal> {
        let mut machine = Machine::new(setup);
        if let Some(load) = load {
            machine.start(load)?;
        }
        Ok(Self { machine, samples: 0, has_begun: false, has_work: load.is_some() })
    }

    /// A machine that goes on from where it is.
    pub fn resumed(machine: Machine) -> Self {
        Self { machine, samples: 1, has_begun: true, has_work: true }
    }

    /// The next sample: the first is taken when swap is used as much as the file says, each other one a
    /// simulated second later. When all processes have ended, the machine stays as it is.
    pub fn next_sample(&mut self) -> Snapshot {
        if self.samples > 0 {
            self.run_rounds(self.machine.setup.rounds_per_second);
        } else {
            self.begin(&mut |_| {});
        }
        self.samples += 1;
        self.machine.snapshot()
    }

    /// Lets the machine reach its first sample, if it has not been taken yet, and reports the share of the used
    /// swap that it has reached.
    pub fn begin(&mut self, report: &mut dyn FnMut(f64)) {
        let until = f64::from(self.machine.swap.total()) * self.machine.setup.used_at_start;
        if self.has_begun || !self.has_work || until <= 0.0 {
            return;
        }
        self.has_begun = true;
        self.has_work = !self.machine.run(|machine| {
            let used = f64::from(machine.swap.used());
            if machine.rounds.is_multiple_of(ROUNDS_PER_REPORT) {
                report(used / until);
            }
            used >= until
        });
    }

    fn run_rounds(&mut self, rounds: u32) {
        for _ in 0..rounds {
            if self.has_work {
                self.has_work = self.machine.step();
            } else {
                self.machine.rounds += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::cost::SimDevice;
    use super::super::testing::setup;
    use super::super::testing::{group, load, machine};
    use super::*;

    #[test]
    fn samples_are_a_second_apart_and_equal_in_each_run() {
        let areas = vec![setup(SimDevice::Zram, 2048)];
        let setup = MachineSetup {
            used_at_start: 0.25,
            rounds_per_second: 100,
            ..machine("7.2", 500, areas)
        };
        let samples = || {
            let load = load(vec![group(1, 2000)]);
            let mut running = RunningMachine::new(setup.clone(), Some(&load)).unwrap();
            std::array::from_fn::<Snapshot, 4, _>(|_| running.next_sample())
        };
        let taken = samples();
        assert_eq!(taken, samples());
        let used = taken
            .each_ref()
            .map(|sample| sample.swaps.reading.known().unwrap()[0].used.known().unwrap().0 / 4096);
        assert!((511..560).contains(&used[0]) && used.is_sorted(), "{used:?}");
        let apart = taken[2].stamp.seconds_since(taken[1].stamp);
        assert!((apart - 1.0).abs() < 1e-6, "{apart}");
    }

    #[test]
    fn time_goes_on_without_work() {
        let setup = MachineSetup { rounds_per_second: 10, ..machine("7.2", 500, Vec::new()) };
        let mut idle = RunningMachine::new(setup, None).unwrap();
        let [first, second] = std::array::from_fn(|_| idle.next_sample());
        assert!((second.stamp.seconds_since(first.stamp) - 1.0).abs() < 1e-6);
    }
}
