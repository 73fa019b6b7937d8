//! Making, setting up and removing zram devices: several writes, of which all are made or none.

use super::{Runner, not_set, seen};
use crate::actions::step::zram::{bare, in_folder, orders};
use crate::model::zram::Disk;
use crate::model::{Bytes, Name, zram};
use nix::errno::Errno;
use std::time::Duration;

const ADD: &str = "/sys/class/zram-control/hot_add";
const REMOVE: &str = "/sys/class/zram-control/hot_remove";

/// How often, and how long in between, is waited for udev: it looks at a device that has just
/// changed, which nobody can reset meanwhile, and makes nodes late.
const TRIES: u32 = 60;
const PAUSE: Duration = Duration::from_millis(50);

impl Runner<'_> {
    /// Bring a device from one set-up to another, or leave it as it was.
    pub(super) fn set_up(
        &self,
        number: u64,
        from: Option<&Disk>,
        to: Option<&Disk>,
    ) -> Result<(), String> {
        match (from, to) {
            (_, None) => self.remove(number),
            (None, Some(to)) => {
                self.create(number)?;
                let made = self.appear(number).and_then(|()| self.fill(number, to));
                made.map_err(|why| and_back(number, why, self.remove(number)))
            }
            (Some(from), Some(to)) if from.is_alike(to) => {
                self.order_of(&in_folder(number, "mem_limit"), &to.limit.0.to_string())
            }
            (Some(from), Some(to)) => {
                if from.size > Bytes(0) {
                    self.reset(number)?;
                }
                let made = self.fill(number, to);
                made.map_err(|why| and_back(number, why, self.fill(number, from)))
            }
        }
    }

    /// Have the kernel make a device. It takes the lowest free number; if that is another one by
    /// now, the plan does not hold any more.
    fn create(&self, number: u64) -> Result<(), String> {
        let made = self.sys.take(&ADD.into());
        let made = made.map_err(|error| format!("reading {ADD}: {}", error.desc()))?;
        if made == number.to_string() {
            return Ok(());
        }
        let why = format!(
            "the kernel made zram{made} instead of zram{number}: zram was changed by somebody else meanwhile"
        );
        match made.parse() {
            Ok(made) => Err(and_back(made, why, self.remove(made))),
            Err(_) => Err(why),
        }
    }

    /// Wait for its node.
    fn appear(&self, number: u64) -> Result<(), String> {
        for _ in 0..TRIES {
            if self.look.has_node(number) {
                return Ok(());
            }
            self.clock.sleep(PAUSE);
        }
        let node = zram::node(number).safe();
        Err(format!(
            "{node} does not appear, or leads to another device: is devtmpfs mounted on /dev, and udev alive?"
        ))
    }

    /// Set up what is not set up.
    fn fill(&self, number: u64, wanted: &Disk) -> Result<(), String> {
        let mut shown = self.shown(number)?;
        let more = !shown.recompression.is_empty() || shown.backing.is_some();
        if more
            && (&shown.recompression, &shown.backing) != (&wanted.recompression, &wanted.backing)
        {
            // Only a reset takes these away again.
            self.reset(number)?;
            shown = self.shown(number)?;
        }
        for (file, word) in orders(number, wanted, &shown) {
            self.order_of(&file, &word)?;
        }
        Ok(())
    }

    fn shown(&self, number: u64) -> Result<Disk, String> {
        Ok(seen(self.look.disk(number))?.unwrap_or_else(|| bare(None)))
    }

    fn reset(&self, number: u64) -> Result<(), String> {
        self.patiently(number, &in_folder(number, "reset"), "1")
    }

    fn remove(&self, number: u64) -> Result<(), String> {
        self.patiently(number, &REMOVE.into(), &number.to_string())
    }

    /// Write what the kernel refuses for as long as anybody has the device open.
    fn patiently(&self, number: u64, file: &Name, word: &str) -> Result<(), String> {
        for _ in 0..TRIES {
            match self.sys.write(file, word) {
                Err(Errno::EBUSY) => self.clock.sleep(PAUSE),
                Err(error) => return Err(not_set(file, word, error)),
                Ok(()) => return Ok(()),
            }
        }
        let node = zram::node(number).safe();
        Err(format!("{node} is open in some process: end it (fuser -v {node} shows it)"))
    }

    fn order_of(&self, file: &Name, word: &str) -> Result<(), String> {
        self.sys.write(file, word).map_err(|error| not_set(file, word, error))
    }
}

/// Why it failed, and what else went wrong when it was put back.
fn and_back(number: u64, why: String, back: Result<(), String>) -> String {
    match back {
        Ok(()) => why,
        Err(worse) => {
            format!(
                "{why}; and zram{number} IS NOT AS IT WAS: swapadm recover tries again ({worse})"
            )
        }
    }
}

#[cfg(test)]
mod tests;
