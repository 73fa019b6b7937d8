//! The live machine.

use super::file::{self, CreateFileError};
use super::rewrite::{self, Rewrite};
use super::{Helper, HelperTask, Lock, RunningHelper, Sys, WriteError, open, save, swap_on};
use crate::model::activation::Activation;
use crate::model::format::SwapFileSpec;
use crate::model::{Bytes, Name};
use crate::root::Root;
use nix::errno::Errno;
use std::io;

/// The live machine, while we hold the lock.
#[derive(Debug)]
pub struct LiveSys<'a> {
    lock: &'a Lock,
}

impl<'a> LiveSys<'a> {
    /// The machine behind this root; `None` for a captured tree.
    pub fn for_root(root: &Root, lock: &'a Lock) -> Option<Self> {
        root.is_live().then_some(Self { lock })
    }
}

impl Sys for LiveSys<'_> {
    fn swap_on(&self, area: &Activation) -> Result<(), Errno> {
        swap_on(area)
    }

    fn write(&self, file: &Name, text: &str) -> Result<(), Errno> {
        open::write_setting(file, text)
    }

    fn read_claim(&self, file: &Name) -> Result<String, Errno> {
        open::take_setting(file)
    }

    fn rewrite(&self, rewrite: &Rewrite<'_>) -> Result<(), WriteError> {
        rewrite::rewrite(rewrite)
    }

    fn save(&self, file: &Name, from: Option<&str>, to: Option<&str>) -> Result<(), WriteError> {
        save::save(file, from, to)
    }

    fn make_file(
        &self,
        path: &Name,
        form: &SwapFileSpec,
        go_on: &mut dyn FnMut(Bytes) -> bool,
    ) -> Result<(), CreateFileError> {
        file::make(path, form, go_on)
    }

    fn remove_file(&self, path: &Name, form: &SwapFileSpec) -> Result<(), WriteError> {
        file::remove(path, form)
    }

    fn begin(&self, work: &HelperTask) -> io::Result<Box<dyn RunningHelper>> {
        Ok(Box::new(Helper::start(work, self.lock)?))
    }
}
