//! Mounts that only some programs see: a mount namespace of our own.

use crate::lab::{Lab, retry};
use crate::{program, syscalls};
use nix::mount::{MsFlags, mount};
use nix::sched::{CloneFlags, unshare};
use std::fs::File;
use std::io;
use std::path::Path;
use std::process::{Command, Output};

/// What is mounted in it.
#[derive(Clone, Copy)]
pub(crate) enum Mount<'p> {
    /// The first one is seen at the place of the second.
    Bind(&'p Path, &'p Path),
    /// What is there can be read only.
    ReadOnly(&'p Path),
    /// Nothing is there, and nothing can be made there.
    Empty(&'p Path),
}

/// The namespace, for as long as this is held. Areas that are switched on in it have to go before:
/// the kernel has their proper names no longer than that.
pub(crate) struct Mounts(File);

impl Mounts {
    pub(crate) fn new(mounts: &[Mount<'_>]) -> Result<Self, String> {
        // A thread has its own, and need not stay.
        let made = std::thread::scope(|scope| scope.spawn(|| make(mounts)).join());
        let file = made.expect("the thread ends");
        file.map(Self).map_err(|error| format!("no mount namespace can be made: {error}"))
    }

    /// The program in it, writing into a journal of the laboratory.
    pub(crate) fn swapadm(&self, lab: &Lab, arguments: &[&str]) -> Command {
        let mut command = program::journalled(lab, arguments);
        syscalls::enter(&mut command, self.0.try_clone().expect("a descriptor"));
        command
    }
}

/// Run the program once behind these mounts.
pub(crate) fn behind(
    lab: &Lab,
    mounts: &[Mount<'_>],
    arguments: &[&str],
) -> Result<Output, String> {
    let mut command = Mounts::new(mounts)?.swapadm(lab, arguments);
    Ok(retry(|| command.output()).expect("the program starts"))
}

fn make(mounts: &[Mount<'_>]) -> io::Result<File> {
    unshare(CloneFlags::CLONE_NEWNS)?;
    // Otherwise they would be seen outside too.
    set(None, Path::new("/"), MsFlags::MS_REC | MsFlags::MS_PRIVATE)?;
    for one in mounts {
        one.mount()?;
    }
    File::open("/proc/thread-self/ns/mnt")
}

impl Mount<'_> {
    fn mount(self) -> nix::Result<()> {
        let bind = MsFlags::MS_BIND;
        match self {
            Self::Bind(what, place) => set(Some(what), place, bind),
            Self::ReadOnly(place) => {
                set(Some(place), place, bind)?;
                set(None, place, bind | MsFlags::MS_REMOUNT | MsFlags::MS_RDONLY)
            }
            Self::Empty(place) => {
                let (kind, none) = (Some("tmpfs"), None::<&str>);
                mount(none, place, kind, MsFlags::MS_RDONLY, none)
            }
        }
    }
}

fn set(what: Option<&Path>, place: &Path, flags: MsFlags) -> nix::Result<()> {
    mount(what, place, None::<&str>, flags, None::<&str>)
}
