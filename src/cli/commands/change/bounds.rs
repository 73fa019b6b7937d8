//! What a change may take, on this machine: looked after while it is carried out.

use crate::actions::limits::{Limits, Rest};
use crate::actions::run::{Go, Progress, Watcher};
use crate::clock::Clock;
use crate::model::psi::Stall;
use crate::model::{Reading, Stamp};
use crate::probes;
use crate::root::Root;

/// Limits, from the moment on at which the change begins.
#[derive(Debug)]
pub(super) struct Bounds<'a> {
    root: &'a Root,
    limits: Limits,
    since: Stamp,
}

impl<'a> Bounds<'a> {
    /// From now on.
    pub(super) fn new(root: &'a Root, limits: Limits) -> Self {
        Self { root, limits, since: Clock::Real.now() }
    }

    /// Why it has to be given up, if it has.
    pub(super) fn passed(&self) -> Option<String> {
        let seconds = Clock::Real.now().seconds_since(self.since);
        self.limits.passed(seconds, || self.waits())
    }

    /// Why the emptying of an area has to rest, if it has.
    pub(super) fn rests(&self) -> Option<Rest> {
        self.limits.rests(|| self.waits())
    }

    /// In which percentage of the last 10 seconds all tasks waited for memory.
    fn waits(&self) -> Option<f64> {
        waits(self.root).known().map(|full| full.avg10)
    }
}

/// Why limits cannot be kept here, if that is so.
pub(super) fn hindrance(limits: Limits, root: &Root) -> Option<String> {
    limits.max_psi.or(limits.pace)?;
    waits(root).missing().map(|missing| format!("cannot be kept: {}", missing.why()))
}

/// How long all tasks waited for memory.
fn waits(root: &Root) -> Reading<Stall> {
    probes::psi::pressure(root, "proc/pressure/memory").and_then(|memory| memory.full)
}

/// Somebody who looks on, and these limits.
pub(super) struct Bounded<'a> {
    pub(super) watcher: &'a mut dyn Watcher,
    pub(super) bounds: Bounds<'a>,
}

impl Watcher for Bounded<'_> {
    fn see(&mut self, progress: Progress) -> Go {
        match self.watcher.see(progress) {
            // Going back is given up by a person only.
            Go::On if !progress.back => self.bounds.passed().map_or(Go::On, Go::Stop),
            go @ (Go::On | Go::Stop(_)) => go,
        }
    }

    fn rests(&mut self) -> Option<Rest> {
        self.bounds.rests()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Bytes;
    use crate::root::testing::Tree;
    use std::time::Duration;

    /// Says this, whatever happens.
    struct Says(Go);

    impl Watcher for Says {
        fn see(&mut self, _: Progress) -> Go {
            self.0.clone()
        }
    }

    fn said(limits: Limits, back: bool, go: Go) -> Go {
        let waits = "some avg10=50.00 avg60=0.00 avg300=0.00 total=1\nfull avg10=30.00 avg60=0.00 avg300=0.00 total=1\n";
        let tree = Tree::with(&[("proc/pressure/memory", waits)]);
        let root = tree.root();
        assert_eq!(hindrance(limits, &root), None);
        let bounds = Bounds::new(&root, limits);
        let since = Clock::Real.now();
        let progress = Progress { step: 0, back, of: Bytes(1), left: Bytes(1), since, rest: None };
        Bounded { watcher: &mut Says(go), bounds }.see(progress)
    }

    #[test]
    fn limits_stop_a_change_and_never_its_way_back() {
        let of = |max_psi| Limits { max_psi: Some(max_psi), ..Limits::default() };
        assert_eq!(said(of(30.0), false, Go::On), Go::On);
        let Go::Stop(why) = said(of(29.0), false, Go::On) else { panic!("it goes on") };
        assert!(why.contains("30%"), "{why}");
        assert_eq!(said(of(29.0), true, Go::On), Go::On);
        let late = Limits { timeout: Some(Duration::ZERO), ..Limits::default() };
        assert!(matches!(said(late, false, Go::On), Go::Stop(_)));
        assert_eq!(said(late, true, Go::On), Go::On);
        let person = || Go::Stop("a person".to_owned());
        assert_eq!(said(Limits::default(), true, person()), person());
    }

    #[test]
    fn where_nobody_tells_of_waits_no_limit_on_them_is_kept() {
        let tree = Tree::new();
        let root = tree.root();
        let limits = Limits { timeout: Some(Duration::ZERO), ..Limits::default() };
        assert_eq!(hindrance(limits, &root), None);
        let waits = Limits { max_psi: Some(5.0), ..Limits::default() };
        let pace = Limits { pace: Some(5.0), ..Limits::default() };
        for limits in [waits, pace] {
            assert!(hindrance(limits, &root).unwrap().starts_with("cannot be kept: "));
        }
    }
}
