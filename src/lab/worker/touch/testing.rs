//! A task and a port for tests.

use super::*;
use crate::lab::load::file;
use crate::sys::process::page_size;
use nix::unistd::pipe;
use std::fs::File;

/// A task that writes whole pages in order, once, without filling them first.
pub(in crate::lab) fn task(pages: u64) -> Task {
    let page_size = page_size().unwrap();
    let size = Bytes(pages * page_size);
    let text = "about = 'a task'\n[[work]]\nsize = '1M'\nprefault = false";
    let work = file::read("task", text).unwrap().works.remove(0);
    Task { number: 0, seed: 1, size, page_size, work, begun_ns: 0 }
}

/// A port, and the ends that keep it open.
pub(in crate::lab) fn port() -> (Port, (File, File)) {
    let (input, teller) = pipe().unwrap();
    let (hearer, output) = pipe().unwrap();
    (Port::from_pipes(input, output), (teller.into(), hearer.into()))
}
