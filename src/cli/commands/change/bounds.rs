//! What a change may take, on this machine: looked after while it is carried out.

use crate::actions::limits::Limits;
use crate::actions::run::{Go, Progress, Watcher};
use crate::clock::Clock;
use crate::model::Stamp;
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
        let full = || {
            let psi = probes::psi::read(self.root);
            Some(psi.known()?.get("memory")?.known()?.full.known()?.avg10)
        };
        self.limits.passed(seconds, full)
    }
}

/// Why limits cannot be kept here, if that is so.
pub(super) fn hindrance(limits: Limits, root: &Root) -> Option<String> {
    limits.max_psi?;
    probes::psi::read(root).missing().map(|missing| format!("cannot be kept: {}", missing.why()))
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
}
