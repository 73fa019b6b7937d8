//! This machine.

use super::file::{self, NotMade};
use super::rewrite::{self, NotWritten, Rewrite};
use super::{Helper, Lock, NotSaved, Running, Sys, Work, open, save, swap_on};
use crate::model::activation::Activation;
use crate::model::format::FileForm;
use crate::model::{Bytes, Name};
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
    pub fn of(root: &Root, lock: &'a Lock) -> Option<Self> {
        root.is_live().then_some(Self { lock })
    }
}

impl Sys for Real<'_> {
    fn swap_on(&self, area: &Activation) -> Result<(), Errno> {
        swap_on(area)
    }

    fn write(&self, file: &Name, text: &str) -> Result<(), Errno> {
        open::write_setting(file, text)
    }

    fn take(&self, file: &Name) -> Result<String, Errno> {
        open::take_setting(file)
    }

    fn rewrite(&self, rewrite: &Rewrite<'_>) -> Result<(), NotWritten> {
        rewrite::rewrite(rewrite)
    }

    fn save(&self, file: &Name, from: Option<&str>, to: Option<&str>) -> Result<(), NotSaved> {
        save::save(file, from, to)
    }

    fn make_file(
        &self,
        path: &Name,
        form: &FileForm,
        go_on: &mut dyn FnMut(Bytes) -> bool,
    ) -> Result<(), NotMade> {
        file::make(path, form, go_on)
    }

    fn remove_file(&self, path: &Name, form: &FileForm) -> Result<(), NotWritten> {
        file::remove(path, form)
    }

    fn begin(&self, work: &Work) -> io::Result<Box<dyn Running>> {
        Ok(Box::new(Helper::start(work, self.lock)?))
    }
}
