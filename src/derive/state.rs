//! The state of swap in one word.

use super::SampleView;
use super::traffic::{self, Direction};
use crate::model::paging::{Pressure, Stall};
use crate::model::{Policy, Reading};

/// State of swap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SwapState {
    /// No area is active.
    NoSwap,
    /// Nothing was swapped in or out between the samples.
    Quiet,
    /// Pages were swapped in or out.
    Working,
    /// Tasks stalled on memory (PSI some).
    Pressed,
    /// Pages were swapped in or out, and all non-idle tasks stalled on memory (PSI full).
    Thrashing,
    /// Needs two samples, or a needed file could not be read.
    Unknown,
}

/// PSI some of the last 10 seconds from which on the state is [`SwapState::Pressed`].
pub const PRESSED: f64 = Policy::DEFAULT.pressure_some;
/// PSI full of the last 10 seconds from which on the state is [`SwapState::Thrashing`].
pub const THRASHING: f64 = Policy::DEFAULT.pressure_full;

impl SwapState {
    /// All states.
    pub const ALL: [SwapState; 6] =
        [Self::NoSwap, Self::Quiet, Self::Working, Self::Pressed, Self::Thrashing, Self::Unknown];

    /// Explains the state in one sentence.
    pub fn meaning(self) -> String {
        let percent = |share: f64| format!("{:.0}%", share * 100.0);
        match self {
            Self::NoSwap => "No area is active.".to_owned(),
            Self::Quiet => "Nothing was swapped in or out between the samples.".to_owned(),
            Self::Working => "Pages were swapped in or out.".to_owned(),
            Self::Pressed => format!(
                "At least one task stalled on memory in at least {} of the last 10 seconds (PSI some).",
                percent(PRESSED)
            ),
            Self::Thrashing => format!(
                "Pages were swapped in or out, and all non-idle tasks stalled on memory in at least {} of the last 10 seconds (PSI full).",
                percent(THRASHING)
            ),
            Self::Unknown => "Needs two samples, which a captured tree does not have, or a needed file could not be read.".to_owned(),
        }
    }

    /// Returns whether tasks stall on memory so much that the cause should be shown.
    pub fn waits(self) -> bool {
        matches!(self, Self::Pressed | Self::Thrashing)
    }

    /// Returns the word in tables.
    pub fn words(self) -> &'static str {
        match self {
            Self::NoSwap => "no swap",
            Self::Quiet => "quiet",
            Self::Working => "working",
            Self::Pressed => "under pressure",
            Self::Thrashing => "thrashing",
            Self::Unknown => "unknown",
        }
    }
}

/// Determines the state from these samples.
pub fn state(view: &SampleView<'_>) -> SwapState {
    match view.now.swaps.reading.known() {
        None => return SwapState::Unknown,
        Some(areas) if areas.is_empty() => return SwapState::NoSwap,
        Some(_) => {}
    }
    let moved = traffic::pages_per_second(view, Direction::In)
        .map2(traffic::pages_per_second(view, Direction::Out), |a, b| a + b);
    let swapping = moved.known().map(|pages| *pages > 0.0);
    let waited =
        |line| stall(view, "memory", line).known().map_or(0.0, |stall| stall.avg10 / 100.0);
    match swapping {
        Some(true) if waited(PsiLine::Full) >= THRASHING => SwapState::Thrashing,
        _ if waited(PsiLine::Some) >= PRESSED => SwapState::Pressed,
        Some(true) => SwapState::Working,
        Some(false) => SwapState::Quiet,
        None => SwapState::Unknown,
    }
}

/// A line of a pressure file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PsiLine {
    /// `some`: at least one task stalled.
    Some,
    /// `full`: all non-idle tasks stalled at once.
    Full,
}

/// Returns a line of the pressure file of one resource.
pub fn stall(view: &SampleView<'_>, resource: &str, line: PsiLine) -> Reading<Stall> {
    let of = |pressure: &Pressure| match line {
        PsiLine::Some => pressure.some.clone(),
        PsiLine::Full => pressure.full.clone(),
    };
    view.now.psi.reading.as_ref().and_then(|psi| match psi.get(resource) {
        Some(pressure) => pressure.as_ref().and_then(of),
        None => Reading::absent(format!("/proc/pressure/{resource} does not exist")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::paging::Counters;
    use crate::model::swaparea::testing;

    use crate::model::{Sampled, Snapshot, Stamp};

    /// A machine with this many pages swapped out, and this PSI some and full of memory.
    fn machine(second: u64, pages: u64, some: f64, full: f64) -> Snapshot {
        let stamp = Stamp { boot_ns: second * 1_000_000_000, wall_ms: second * 1000 };
        let at = Some(stamp);
        let mut snapshot = Snapshot::empty(stamp);
        let area = testing::area("/dev/a", 0, 1, 0);
        snapshot.swaps = Sampled::new(at, Reading::Known(vec![area]));
        let counters = vec![("pswpin".into(), 0), ("pswpout".into(), pages)];
        let vmstat = Counters::new("/proc/vmstat", counters);
        snapshot.vmstat = Sampled::new(at, Reading::Known(vmstat));
        let stall = |avg10| Reading::Known(Stall { avg10, avg60: 0.0, avg300: 0.0, total_us: 0 });
        let memory = Reading::Known(Pressure { some: stall(some), full: stall(full) });
        let psi = [("memory".to_owned(), memory)].into_iter().collect();
        snapshot.psi = Sampled::new(at, Reading::Known(psi));
        snapshot
    }

    fn after(pages: u64, some: f64, full: f64) -> SwapState {
        let (before, now) = (machine(1, 100, 0.0, 0.0), machine(2, 100 + pages, some, full));
        state(&SampleView { now: &now, before: Some(&before) })
    }

    #[test]
    fn each_state_at_its_bound() {
        assert_eq!(after(0, 0.0, 0.0), SwapState::Quiet);
        assert_eq!(after(1, 9.99, 4.99), SwapState::Working);
        assert_eq!(after(1, 10.0, 4.99), SwapState::Pressed);
        assert_eq!(after(1, 10.0, 5.0), SwapState::Thrashing);
        // Waiting for memory without swapping is pressure from somewhere else.
        assert_eq!(after(0, 50.0, 50.0), SwapState::Pressed);
    }

    #[test]
    fn one_sample_shows_pressure_but_not_quiet() {
        assert_eq!(state(&SampleView::single(&machine(1, 5, 0.0, 0.0))), SwapState::Unknown);
        assert_eq!(state(&SampleView::single(&machine(1, 5, 30.0, 0.0))), SwapState::Pressed);
    }

    #[test]
    fn without_areas_there_is_no_swap_and_without_the_list_nothing_is_known() {
        let mut machine = machine(1, 0, 0.0, 0.0);
        machine.swaps.reading = Reading::Known(vec![]).into();
        assert_eq!(state(&SampleView::single(&machine)), SwapState::NoSwap);
        machine.swaps.reading = Reading::absent("no CONFIG_SWAP").into();
        assert_eq!(state(&SampleView::single(&machine)), SwapState::Unknown);
    }
}
