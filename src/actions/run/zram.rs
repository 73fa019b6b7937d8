//! Creates, sets up and removes zram devices: several writes, all done or none.

use super::error_texts::explain_set;
use super::{FailureKind, Runner, StepFailure, known_or_reason};
use crate::actions::step::zram::{attribute_file, attribute_writes, bare_disk};
use crate::model::zram::ZramSettings;
use crate::model::{Bytes, Name, zram};
use nix::errno::Errno;
use std::time::Duration;

const ADD: &str = "/sys/class/zram-control/hot_add";
const REMOVE: &str = "/sys/class/zram-control/hot_remove";

/// How often and how long to wait for udev: it opens a device that has just changed, which blocks a
/// reset, and creates nodes late.
const TRIES: u32 = 60;
const PAUSE: Duration = Duration::from_millis(50);

impl Runner<'_> {
    /// Takes a device from one setup to another, or leaves it as it was. A new device was created before.
    pub(super) fn set_up(
        &self,
        number: u64,
        from: Option<&ZramSettings>,
        to: Option<&ZramSettings>,
    ) -> Result<(), String> {
        match (from, to) {
            (_, None) => self.remove(number),
            (None, Some(to)) => {
                let made =
                    self.wait_for_node(number).and_then(|()| self.write_attributes(number, to));
                made.map_err(|why| with_rollback_error(number, why, self.remove(number)))
            }
            (Some(from), Some(to)) if from.eq_except_limit(to) => {
                self.write_order(&attribute_file(number, "mem_limit"), &to.limit.0.to_string())
            }
            (Some(from), Some(to)) => {
                if from.size > Bytes(0) {
                    self.reset(number)?;
                }
                let made = self.write_attributes(number, to);
                made.map_err(|why| {
                    with_rollback_error(number, why, self.write_attributes(number, from))
                })
            }
        }
    }

    /// Has the kernel create a device. It takes the lowest free number; if that has changed, the
    /// plan is void.
    pub(super) fn create(&self, number: u64) -> Result<(), StepFailure> {
        let made = self.sys.read_claim(&ADD.into());
        let made = made.map_err(|error| format!("cannot read {ADD}: {}", error.desc()))?;
        if made == number.to_string() {
            return Ok(());
        }
        let why = format!(
            "the kernel created zram{made} instead of zram{number}: someone else changed zram during the plan"
        );
        let Ok(made) = made.parse() else { return Err(why.into()) };
        match self.remove(made) {
            // The device with the planned number belongs to somebody else.
            Ok(()) => Err(FailureKind::NotTried.because(why)),
            kept => Err(with_rollback_error(made, why, kept).into()),
        }
    }

    /// Waits for the device node.
    fn wait_for_node(&self, number: u64) -> Result<(), String> {
        for _ in 0..TRIES {
            if self.look.has_node(number) {
                return Ok(());
            }
            self.clock.sleep(PAUSE);
        }
        let node = zram::device_path(number).safe();
        Err(format!(
            "{node} does not appear, or is another device: check that devtmpfs is mounted on /dev and udev is running"
        ))
    }

    /// Writes the attributes of a bare device, or of one that has a size although that write was reported to have failed.
    fn write_attributes(&self, number: u64, wanted: &ZramSettings) -> Result<(), String> {
        let mut shown = self.read_disk(number)?;
        let more = !shown.recompression.is_empty() || shown.backing.is_some();
        let differs =
            (&shown.recompression, &shown.backing) != (&wanted.recompression, &wanted.backing);
        if shown.size > Bytes(0) || (more && differs) {
            // Only a reset removes these.
            self.reset(number)?;
            shown = self.read_disk(number)?;
        }
        for (file, word) in attribute_writes(number, wanted, &shown) {
            self.write_order(&file, &word)?;
        }
        Ok(())
    }

    fn read_disk(&self, number: u64) -> Result<ZramSettings, String> {
        Ok(known_or_reason(self.look.disk(number))?.unwrap_or_else(|| bare_disk(None)))
    }

    fn reset(&self, number: u64) -> Result<(), String> {
        self.write_with_retry(number, &attribute_file(number, "reset"), "1")
    }

    fn remove(&self, number: u64) -> Result<(), String> {
        self.write_with_retry(number, &REMOVE.into(), &number.to_string())
    }

    /// Repeats a write that the kernel refuses while anybody has the device open.
    fn write_with_retry(&self, number: u64, file: &Name, word: &str) -> Result<(), String> {
        for _ in 0..TRIES {
            match self.sys.write(file, word) {
                Err(Errno::EBUSY) => self.clock.sleep(PAUSE),
                Err(error) => return Err(explain_set(file, word, error)),
                Ok(()) => return Ok(()),
            }
        }
        let node = zram::device_path(number).safe();
        Err(format!("{node} is open in a process: stop it (to find it: fuser -v {node})"))
    }

    fn write_order(&self, file: &Name, word: &str) -> Result<(), String> {
        self.sys.write(file, word).map_err(|error| explain_set(file, word, error))
    }
}

/// Joins the reason of a failure with that of a failed rollback.
fn with_rollback_error(number: u64, why: String, back: Result<(), String>) -> String {
    match back {
        Ok(()) => why,
        Err(worse) => {
            format!(
                "{why}; and zram{number} IS NOT RESTORED ({worse}): run swapadm recover to try again"
            )
        }
    }
}

#[cfg(test)]
mod tests;
