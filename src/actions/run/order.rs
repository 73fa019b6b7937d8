//! What the kernel is told to do once: it may take minutes, and some kernels let nobody stop it.

use super::{KILLED, PACE, Progress, Runner, Trouble, words};
use crate::model::Name;
use crate::sys::{Report, Running, Work};
use nix::errno::Errno;
use std::ops::ControlFlow;

/// How often it is asked whether an order has ended that shall end, before it is left alone.
const ASKED: u32 = 20;

/// Why an order was not carried out, where the kernel's own words say too little.
const ORDER: [(Errno, &str); 7] = [
    (Errno::EINVAL, "the kernel does not know the word, or the device is not set up for it"),
    (Errno::ENODEV, "the device has no backing device"),
    (Errno::ENOSPC, "the backing device is full"),
    (Errno::EIO, "the limit on writing back is used up, or the backing device failed"),
    (Errno::EAGAIN, "somebody else has it done just now"),
    (Errno::EACCES, "CAP_SYS_ADMIN is missing, or the kernel forbids it"),
    (Errno::ENOENT, "this kernel does not know how"),
];
/// The answers after which nothing was done.
const NOTHING: [Errno; 6] =
    [Errno::EINVAL, Errno::ENODEV, Errno::EAGAIN, Errno::EACCES, Errno::ENOENT, Errno::EBUSY];

/// Why a kernel knows of no age.
const AGELESS: &str = "this kernel does not note when pages were used last: it must be built with CONFIG_ZRAM_TRACK_ENTRY_ACTIME (up to 6.6: CONFIG_ZRAM_MEMORY_TRACKING)";

fn reason(work: &Work, error: Errno) -> &'static str {
    let Work::Order { file, word } = work else { return error.desc() };
    let age = file.as_bytes().ends_with(b"/idle") && word != "all";
    if age && error == Errno::EINVAL { AGELESS } else { words(&ORDER, error) }
}

impl Runner<'_> {
    /// Give an order, look on, and see to its end where it is to stop.
    pub(super) fn order(&mut self, work: &Work, progress: Progress) -> Result<(), Trouble> {
        let begun = self.sys.begin(work);
        let mut running = begun.map_err(|error| Trouble::Failed(format!("no helper: {error}")))?;
        let (report, stopped) = self.until(running.as_mut(), progress);
        let name = work.path().safe();
        match (report, stopped) {
            // It was too late to stop it.
            (Some(Report::Done), _) => Ok(()),
            (Some(Report::Failed(Errno::EIO)), None) if self.is_spent(work.path()) => Ok(()),
            (Some(_), Some(why)) => Err(Trouble::Halfway(why)),
            (None, why) => Err(Trouble::Halfway(format!(
                "{}; the kernel goes on with it until it is done, and swapadm changes nothing before that",
                why.unwrap_or_default()
            ))),
            (Some(Report::Stopped | Report::Killed), None) => {
                Err(Trouble::Halfway(KILLED.to_owned()))
            }
            (
                Some(Report::Failed(error) | Report::OffFailed(error) | Report::OnFailed(error)),
                None,
            ) => {
                let why = format!("{name}: {}", reason(work, error));
                let nothing = NOTHING.contains(&error);
                Err(if nothing { Trouble::Failed(why) } else { Trouble::Halfway(why) })
            }
        }
    }

    /// Was all written back that the limit allows? The kernel calls that an error. A limit that is
    /// not enabled reads as 0 as well, and limits nothing: then the device failed.
    fn is_spent(&self, file: &Name) -> bool {
        let reads = |end: &[u8], wanted: &str| {
            let setting = self.look.setting(&Name::new([file.as_bytes(), end].concat()));
            setting.known().is_some_and(|value| value == wanted)
        };
        let is_writeback = file.as_bytes().ends_with(b"/writeback");
        is_writeback && reads(b"_limit_enable", "1") && reads(b"_limit", "0")
    }

    /// Wait for its end, or for as long as one is patient with it that shall end; says why it was
    /// told to, if it was.
    fn until(
        &mut self,
        running: &mut dyn Running,
        progress: Progress,
    ) -> (Option<Report>, Option<String>) {
        let mut stopped: Option<(String, u32)> = None;
        loop {
            if let Some(report) = running.wait(PACE) {
                return (Some(report), stopped.map(|(why, _)| why));
            }
            if stopped.is_none()
                && let ControlFlow::Break(reason) = self.report(progress)
            {
                stopped = Some((reason.to_string(), ASKED));
            }
            if let Some((why, left)) = &mut stopped {
                running.stop();
                if *left == 0 {
                    return (None, Some(why.clone()));
                }
                *left -= 1;
            }
        }
    }
}
