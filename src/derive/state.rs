//! The state of swap in one word, and how bad it is.
//!
//! One definition for the status page, the first line and the panes of the interface, JSON, the manual and
//! advice. *Thrashing* means that pages return from swap about as fast as they leave memory while tasks stall:
//! pages that only leave, or only return, are no thrashing, however much tasks stall.

use super::reclaim::{self, Reclaimer};
use super::traffic::{self, Direction};
use super::{SampleView, balance, cgroups};
use crate::model::paging::{Pressure, PsiLine, Stall};
use crate::model::{Missing, Policy, Reading, worded_enum};
use std::collections::BTreeMap;

worded_enum! {
    /// State of swap.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum SwapState {
        /// No area is active.
        NoSwap = "no swap",
        /// Nothing was swapped in or out between the samples.
        Idle = "idle",
        /// Pages were only swapped in.
        SwappingIn = "swapping in",
        /// Pages were only swapped out.
        SwappingOut = "swapping out",
        /// Pages were swapped in and out.
        Swapping = "swapping",
        /// Tasks stalled on memory.
        Pressed = "under pressure",
        /// Tasks of a cgroup at its memory limit stalled on memory, while the machine has room.
        AtCgroupLimit = "at cgroup limit",
        /// Pages returned about as fast as they left, and all non-idle tasks stalled on memory.
        Thrashing = "thrashing",
        /// Needs two samples, or a needed file could not be read.
        Unknown = "unknown",
    }
}

impl SwapState {
    /// Explains the state in one sentence, with the default thresholds.
    pub fn meaning(self) -> String {
        let percent = |share: f64| format!("{:.0}%", share * 100.0);
        let Policy { pressure_some, pressure_full, often, .. } = Policy::DEFAULT;
        match self {
            Self::NoSwap => "No area is active.".to_owned(),
            Self::Idle => "Nothing was swapped in or out between the samples.".to_owned(),
            Self::SwappingIn => "Pages were swapped in, and none out.".to_owned(),
            Self::SwappingOut => "Pages were swapped out, and none in.".to_owned(),
            Self::Swapping => "Pages were swapped in and out.".to_owned(),
            Self::Pressed => format!(
                "In the last 10 seconds at least one task stalled on memory for {} of the time (PSI some), or all non-idle tasks for {} (PSI full), but pages do not return from swap as fast as in thrashing.",
                percent(pressure_some),
                percent(pressure_full)
            ),
            Self::AtCgroupLimit => "As under pressure, but only because a cgroup is at its memory limit: pages are reclaimed for cgroups alone. With one sample it is recognized by stalled tasks in the cgroup while the machine has memory available.".to_owned(),
            Self::Thrashing => format!(
                "All non-idle tasks stalled on memory for at least {} of the last 10 seconds (PSI full), while at least {often:.0} pages per second left memory, and pages returned (swap-ins, or refaults soon after reclaim) at a similar rate: the lower rate is at least {} of the higher one.",
                percent(pressure_full),
                percent(COMPARABLE)
            ),
            Self::Unknown => "Files that the state needs could not be read, or there is only one sample. A captured tree has one: its state is no swap, under pressure, at cgroup limit or unknown.".to_owned(),
        }
    }

    /// Returns whether tasks stall on memory so much that the cause should be shown.
    pub fn waits(self) -> bool {
        matches!(self, Self::Pressed | Self::AtCgroupLimit | Self::Thrashing)
    }
}

worded_enum! {
    /// How bad a state or a figure is, best first.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum AlertLevel {
        /// Nothing to act on.
        Normal = "ok",
        /// Costs speed.
        Warning = "warn",
        /// Harms now.
        Critical = "crit",
    }
}

/// Two rates are comparable if neither is less than this share of the other.
const COMPARABLE: f64 = 0.25;

/// Determines the state from these samples.
pub fn state(view: &SampleView<'_>, policy: &Policy) -> SwapState {
    match view.now.swaps.reading.known() {
        None => return SwapState::Unknown,
        Some(areas) if areas.is_empty() => return SwapState::NoSwap,
        Some(_) => {}
    }
    match severity(view, policy).known() {
        Some(AlertLevel::Critical) if is_thrashing(view, policy) => SwapState::Thrashing,
        Some(AlertLevel::Critical | AlertLevel::Warning) if is_cgroup_limit(view, policy) => {
            SwapState::AtCgroupLimit
        }
        Some(AlertLevel::Critical | AlertLevel::Warning) => SwapState::Pressed,
        Some(AlertLevel::Normal) | None => moving(view),
    }
}

/// Returns whether tasks stall only because a cgroup is at its memory limit.
fn is_cgroup_limit(view: &SampleView<'_>, policy: &Policy) -> bool {
    let Some(group) = cgroups::stalled_at_limit(view, policy) else { return false };
    let is_sure = reclaim::reclaimer(view) == Reading::Known(Reclaimer::Cgroups);
    is_sure || cgroups::stalled_share(group).is_some() && may_be_cgroup(view, policy)
}

/// Determines the state of a machine whose tasks do not stall.
fn moving(view: &SampleView<'_>) -> SwapState {
    let [into, out] =
        [Direction::In, Direction::Out].map(|way| traffic::least_pages_per_second(view, way));
    let exact = |way| traffic::pages_per_second(view, way).known().is_some();
    match into.map2(out, |into, out| (into > 0.0, out > 0.0)).known() {
        // A direction that the kernel counts in part may have had traffic too.
        Some((true, false)) if exact(Direction::Out) => SwapState::SwappingIn,
        Some((false, true)) if exact(Direction::In) => SwapState::SwappingOut,
        Some((true, _) | (_, true)) => SwapState::Swapping,
        Some((false, false)) if exact(Direction::In) && exact(Direction::Out) => SwapState::Idle,
        Some((false, false)) | None => SwapState::Unknown,
    }
}

/// Returns how bad the stalls on memory are: the level of the state and of the finding. It is normal if tasks no
/// longer stall: the averages of the kernel go on for seconds after a load has ended.
pub fn severity(view: &SampleView<'_>, policy: &Policy) -> Reading<AlertLevel> {
    let level = |line| memory_stall(view, line).map(|share| stall_level(line, share, policy));
    // Some kernels have no line for full.
    let highest =
        |some: AlertLevel| some.max(level(PsiLine::Full).known().copied().unwrap_or(some));
    let goes_on = stalls_between(view, policy);
    level(PsiLine::Some).map(|some| if goes_on { highest(some) } else { AlertLevel::Normal })
}

/// Returns whether tasks stalled between the samples. With one sample only the averages are known.
fn stalls_between(view: &SampleView<'_>, policy: &Policy) -> bool {
    let is_high = |line| {
        let share = stall_between(view, "memory", line);
        share.known().is_none_or(|it| stall_level(line, *it, policy) != AlertLevel::Normal)
    };
    is_high(PsiLine::Some) || is_high(PsiLine::Full)
}

/// Returns how bad this share of the last 10 seconds is in a line of PSI memory.
pub fn stall_level(line: PsiLine, share: f64, policy: &Policy) -> AlertLevel {
    match line {
        PsiLine::Full if share >= policy.pressure_full => AlertLevel::Critical,
        PsiLine::Some if share >= policy.pressure_some => AlertLevel::Warning,
        PsiLine::Full | PsiLine::Some => AlertLevel::Normal,
    }
}

/// Returns how bad it is that all areas together are filled to this share: the kernel kills processes next if
/// memory is short too.
pub fn fill_level(full: f64, is_short: bool, policy: &Policy) -> AlertLevel {
    match full {
        full if full >= policy.use_crit && is_short => AlertLevel::Critical,
        full if full >= policy.use_warn => AlertLevel::Warning,
        _ => AlertLevel::Normal,
    }
}

/// Returns how bad it is that some swap is used to this share. A full area is normal while others have room, so
/// it counts at most as the use of all areas does.
pub fn use_level(share: f64, view: &SampleView<'_>, policy: &Policy) -> AlertLevel {
    let all = balance::total_use(view);
    let all = all.map_or(share, |(used, size)| used.0 as f64 / size.0.max(1) as f64);
    fill_level(share.min(all), is_memory_short(view, policy) == Ok(true), policy)
}

/// Returns whether a cgroup at its limit may be why tasks stall: pages are reclaimed for cgroups nearly alone, or,
/// as far as is known, also for them while the machine has memory available.
pub fn may_be_cgroup(view: &SampleView<'_>, policy: &Policy) -> bool {
    let reclaims = || reclaim::reclaimed_in_cgroups(view) != Reading::Known(0.0);
    reclaim::reclaimer(view) == Reading::Known(Reclaimer::Cgroups)
        || reclaims() && is_memory_short(view, policy) == Ok(false)
}

/// Returns whether little memory is available.
pub fn is_memory_short(view: &SampleView<'_>, policy: &Policy) -> Result<bool, Missing> {
    let [available, total] = ["MemAvailable", "MemTotal"].map(|field| view.now.memory(field));
    let (available, total) = (available.into_result()?, total.into_result()?);
    Ok(is_little(available.0 as f64, total.0 as f64, policy))
}

/// Returns whether that is little available memory for a machine with this much memory.
pub fn is_little(available: f64, total: f64, policy: &Policy) -> bool {
    available < policy.memory_low * total
}

/// Returns the share of the last 10 seconds in which tasks stalled on memory.
pub fn memory_stall(view: &SampleView<'_>, line: PsiLine) -> Reading<f64> {
    stall(view, "memory", line).map(|stall| stall.avg10 / 100.0)
}

/// Returns whether all non-idle tasks stall (PSI full) while pages return about as fast as they leave.
pub fn is_thrashing(view: &SampleView<'_>, policy: &Policy) -> bool {
    let full = memory_stall(view, PsiLine::Full).known().copied().unwrap_or(0.0);
    stall_level(PsiLine::Full, full, policy) == AlertLevel::Critical && circulates(view, policy)
}

/// Returns whether pages often leave memory and return at a comparable rate, or refault early at one.
pub fn circulates(view: &SampleView<'_>, policy: &Policy) -> bool {
    let rate = |name| view.vmstat_rate(name);
    let [into, out] =
        [Direction::In, Direction::Out].map(|way| traffic::least_pages_per_second(view, way));
    let known = |rate: Reading<f64>| rate.known().copied().unwrap_or(0.0);
    // A page that is still in its slot unchanged leaves memory without being written again.
    let leaving = known(out).max(known(rate("pgsteal_anon")));
    // Readahead returns pages that nobody asked for; pages of the working set refault early.
    let returning = [known(into), known(rate("workingset_activate_anon"))];
    let is_comparable =
        |rate: f64| rate >= policy.often && rate.min(leaving) >= COMPARABLE * rate.max(leaving);
    leaving >= policy.often && returning.into_iter().any(is_comparable)
}

/// Returns a line of the pressure file of one resource.
pub fn stall(view: &SampleView<'_>, resource: &str, line: PsiLine) -> Reading<Stall> {
    view.now.psi.reading.as_ref().and_then(|psi| line_of(psi, resource, line))
}

/// Returns the share of the time between the samples in which tasks stalled on one resource.
pub fn stall_between(view: &SampleView<'_>, resource: &str, line: PsiLine) -> Reading<f64> {
    let change = view.change(
        |snapshot| &snapshot.psi,
        |psi| line_of(psi, resource, line).map(|stall| stall.total_us),
    );
    change.map(|stalled| stalled.per_second() / 1e6)
}

fn line_of(
    psi: &BTreeMap<String, Reading<Pressure>>,
    resource: &str,
    line: PsiLine,
) -> Reading<Stall> {
    match psi.get(resource) {
        Some(pressure) => pressure.as_ref().and_then(|it| it.line(line)),
        None => Reading::absent(format!("/proc/pressure/{resource} does not exist")),
    }
}

#[cfg(test)]
mod tests;
