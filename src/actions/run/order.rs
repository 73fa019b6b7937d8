//! What the kernel is told to do once: it may take minutes, and some kernels let nobody stop it.

use super::{HELPER_KILLED, PACE, Progress, Runner, StepFailure, errno_text};
use crate::model::Name;
use crate::sys::{HelperReport, RunningHelper, HelperTask};
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

fn order_error_text(work: &HelperTask, error: Errno) -> &'static str {
    let HelperTask::Order { file, word } = work else { return error.desc() };
    let age = file.as_bytes().ends_with(b"/idle") && word != "all";
    if age && error == Errno::EINVAL { AGELESS } else { errno_text(&ORDER, error) }
}

impl Runner<'_> {
    /// Give an order, look on, and see to its end where it is to stop.
    pub(super) fn order(&mut self, work: &HelperTask, progress: Progress) -> Result<(), StepFailure> {
        let begun = self.sys.begin(work);
        let mut running = begun.map_err(|error| StepFailure::Failed(format!("no helper: {error}")))?;
        let (report, stopped) = self.wait_for_helper(running.as_mut(), progress);
        let name = work.path().safe();
        match (report, stopped) {
            // It was too late to stop it.
            (Some(HelperReport::Done), _) => Ok(()),
            (Some(HelperReport::Failed(Errno::EIO)), None) if self.is_limit_exhausted(work.path()) => Ok(()),
            (Some(_), Some(why)) => Err(StepFailure::HalfDone(why)),
            (None, why) => Err(StepFailure::HalfDone(format!(
                "{}; the kernel goes on with it until it is done, and swapadm changes nothing before that",
                why.unwrap_or_default()
            ))),
            (Some(HelperReport::Stopped | HelperReport::Killed), None) => {
                Err(StepFailure::HalfDone(HELPER_KILLED.to_owned()))
            }
            (
                Some(HelperReport::Failed(error) | HelperReport::OffFailed(error) | HelperReport::OnFailed(error)),
                None,
            ) => {
                let why = format!("{name}: {}", order_error_text(work, error));
                let nothing = NOTHING.contains(&error);
                Err(if nothing { StepFailure::Failed(why) } else { StepFailure::HalfDone(why) })
            }
        }
    }

    /// Was all written back that the limit allows? The kernel calls that an error. A limit that is
    /// not enabled reads as 0 as well, and limits nothing: then the device failed.
    fn is_limit_exhausted(&self, file: &Name) -> bool {
        let reads = |end: &[u8], wanted: &str| {
            let setting = self.look.setting(&Name::new([file.as_bytes(), end].concat()));
            setting.known().is_some_and(|value| value == wanted)
        };
        let is_writeback = file.as_bytes().ends_with(b"/writeback");
        is_writeback && reads(b"_limit_enable", "1") && reads(b"_limit", "0")
    }

    /// Wait for its end, or for as long as one is patient with it that shall end; says why it was
    /// told to, if it was.
    fn wait_for_helper(
        &mut self,
        running: &mut dyn RunningHelper,
        progress: Progress,
    ) -> (Option<HelperReport>, Option<String>) {
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
