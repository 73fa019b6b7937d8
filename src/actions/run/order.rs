//! One-time orders to the kernel: they may take minutes, and some kernels cannot interrupt them.

use super::error_texts::{errno_text, explain_start};
use super::{FailureKind, HELPER_KILLED, PACE, Progress, Runner, StepFailure};
use crate::actions::RECLAIM;
use crate::model::Name;
use crate::sys::{HelperReport, HelperTask, RunningHelper};
use nix::errno::Errno;
use std::ops::ControlFlow;

/// How often to check whether a stopped order has ended, before leaving it alone.
const ASKED: u32 = 20;

/// Reasons why an order failed.
const ORDER: [(Errno, &str); 9] = [
    (Errno::ENOMEM, "stopped before memory ran out"),
    (Errno::ESRCH, "the process has ended"),
    (Errno::EINVAL, "the kernel rejects it, or the device is not set up for it"),
    (Errno::ENODEV, "the device has no backing device"),
    (Errno::ENOSPC, "the backing device is full"),
    (Errno::EIO, "the writeback limit is used up, or the backing device failed"),
    (Errno::EAGAIN, "the same operation is already running"),
    (Errno::EACCES, "CAP_SYS_ADMIN is missing, or the kernel forbids it"),
    (Errno::ENOENT, "this kernel does not support it"),
];
/// Errors after which nothing was done.
const NOTHING: [Errno; 6] =
    [Errno::EINVAL, Errno::ENODEV, Errno::EAGAIN, Errno::EACCES, Errno::ENOENT, Errno::EBUSY];

/// The reason when a kernel does not track page ages.
const AGELESS: &str = "this kernel does not track page ages: it must be built with CONFIG_ZRAM_TRACK_ENTRY_ACTIME (up to 6.6: CONFIG_ZRAM_MEMORY_TRACKING)";

fn order_error_text(work: &HelperTask, error: Errno) -> &'static str {
    let HelperTask::Order { file, word } = work else { return error.desc() };
    let age = file.as_bytes().ends_with(b"/idle") && word != "all";
    if age && error == Errno::EINVAL { AGELESS } else { errno_text(&ORDER, error) }
}

impl Runner<'_> {
    /// Gives an order, watches it, and waits for its end if it is to stop.
    pub(super) fn order(
        &mut self,
        work: &HelperTask,
        progress: Progress,
    ) -> Result<(), StepFailure> {
        let begun = self.sys.begin(work);
        let mut running = begun.map_err(|error| explain_start(&error))?;
        let (report, stopped) = self.wait_for_helper(running.as_mut(), progress);
        let name = work.path().safe();
        match (report, stopped) {
            // The stop came too late.
            (Some(HelperReport::Done), _) => Ok(()),
            // The kernel reclaimed less than was asked; the figures after it say how much.
            (Some(HelperReport::OrderFailed(Errno::EAGAIN)), None)
                if work.path().base() == Name::from(RECLAIM) =>
            {
                Ok(())
            }
            (Some(HelperReport::OrderFailed(Errno::EIO)), None)
                if self.is_limit_exhausted(work.path()) =>
            {
                Ok(())
            }
            (Some(_), Some(why)) => Err(FailureKind::HalfDone.because(why)),
            (None, why) => Err(FailureKind::StillRunning.because(format!(
                "{}; the kernel completes it nevertheless, and swapadm changes nothing until then",
                why.unwrap_or_default()
            ))),
            (Some(HelperReport::Stopped | HelperReport::Killed), None) => {
                Err(FailureKind::HalfDone.because(HELPER_KILLED.to_owned()))
            }
            (
                Some(
                    HelperReport::OrderFailed(error)
                    | HelperReport::OffFailed(error)
                    | HelperReport::OnFailed(error),
                ),
                None,
            ) => {
                let why = format!("{name}: {}", order_error_text(work, error));
                let nothing = NOTHING.contains(&error);
                let kind = if nothing { FailureKind::Failed } else { FailureKind::HalfDone };
                Err(kind.because(why))
            }
        }
    }

    /// Is the writeback limit used up? The kernel reports that as an error. A disabled limit also
    /// reads as 0 and limits nothing: then the device failed.
    fn is_limit_exhausted(&self, file: &Name) -> bool {
        let reads = |end: &[u8], wanted: &str| {
            let setting = self.look.setting(&Name::new([file.as_bytes(), end].concat()));
            setting.known().is_some_and(|value| value == wanted)
        };
        let is_writeback = file.as_bytes().ends_with(b"/writeback");
        is_writeback && reads(b"_limit_enable", "1") && reads(b"_limit", "0")
    }

    /// Waits for the end, or for the patience granted to a stopped order; the result says why it
    /// was stopped, if it was.
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
