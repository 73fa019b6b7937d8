//! This machine.

use super::rewrite::{self, NotWritten, Rewrite};
use super::{Helper, Lock, Running, Sys, Work, setting, swap_on};
use crate::model::Name;
use crate::model::activation::Activation;
use crate::root::Root;
use nix::errno::Errno;
use std::io;

/// The machine we run on, for as long as the lock is ours.
#[derive(Debug)]
pub struct Real<'a> {
    lock: &'a Lock,
}

impl<'a> Real<'a> {
    /// The machine behind this root; none behind a captured tree.
    #[must_use]
    pub fn of(root: &Root, lock: &'a Lock) -> Option<Self> {
        root.is_live().then_some(Self { lock })
    }
}

impl Sys for Real<'_> {
    fn swap_on(&self, area: &Activation) -> Result<(), Errno> {
        swap_on(area)
    }

    fn write(&self, file: &Name, text: &str) -> Result<(), Errno> {
        setting::write(file, text)
    }

    fn take(&self, file: &Name) -> Result<String, Errno> {
        setting::take(file)
    }

    fn rewrite(&self, rewrite: &Rewrite<'_>) -> Result<(), NotWritten> {
        rewrite::rewrite(rewrite)
    }

    fn begin(&self, work: &Work) -> io::Result<Box<dyn Running>> {
        Ok(Box::new(Helper::start(work, self.lock)?))
    }
}
