//! A mount namespace of our own, for mounts that only some programs see.

use crate::lab::{Lab, retry};
use crate::{program, syscalls};
use nix::mount::{MsFlags, mount};
use nix::sched::{CloneFlags, unshare};
use std::fs::File;
use std::io;
use std::path::Path;
use std::process::{Command, Output};

/// A mount in the namespace.
#[derive(Clone, Copy)]
pub(crate) enum Mount<'p> {
    /// The first path is bind-mounted over the second.
    Bind(&'p Path, &'p Path),
    /// The path is mounted read-only.
    ReadOnly(&'p Path),
    /// The path is hidden by an empty read-only folder.
    Empty(&'p Path),
}

/// The namespace, while this exists. Areas enabled in it must be dropped before: their names in the kernel
/// are valid only as long.
pub(crate) struct Mounts(File);

impl Mounts {
    pub(crate) fn new(mounts: &[Mount<'_>]) -> Result<Self, String> {
        // A thread has its own namespace, and need not stay.
        let made = std::thread::scope(|scope| scope.spawn(|| make(mounts)).join());
        let file = made.expect("the thread ends");
        file.map(Self).map_err(|error| format!("no mount namespace can be created: {error}"))
    }

    /// The program in the namespace, with the journal of the laboratory.
    pub(crate) fn swapadm(&self, lab: &Lab, arguments: &[&str]) -> Command {
        let mut command = program::journalled(lab, arguments);
        syscalls::enter(&mut command, self.0.try_clone().expect("a descriptor"));
        command
    }
}

/// Runs the program once with these mounts.
pub(crate) fn behind(
    lab: &Lab,
    mounts: &[Mount<'_>],
    arguments: &[&str],
) -> Result<Output, String> {
    let mut command = Mounts::new(mounts)?.swapadm(lab, arguments);
    Ok(retry(|| command.output()).expect("the program starts"))
}

/// A new file in ramfs, whose pages the kernel cannot swap out. It is gone when it is closed.
pub(crate) fn file_in_memory(name: &str) -> io::Result<File> {
    let made = std::thread::scope(|scope| scope.spawn(|| make_in_memory(name)).join());
    made.expect("the thread ends")
}

fn make_in_memory(name: &str) -> io::Result<File> {
    leave_namespace()?;
    let place = std::env::temp_dir();
    mount(None::<&str>, &place, Some("ramfs"), MsFlags::empty(), None::<&str>)?;
    File::options().read(true).write(true).create_new(true).open(place.join(name))
}

/// Gives this thread a mount namespace of its own.
fn leave_namespace() -> nix::Result<()> {
    unshare(CloneFlags::CLONE_NEWNS)?;
    // Otherwise the mounts would be visible outside too.
    set(None, Path::new("/"), MsFlags::MS_REC | MsFlags::MS_PRIVATE)
}

fn make(mounts: &[Mount<'_>]) -> io::Result<File> {
    leave_namespace()?;
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
