//! What a process of a load and whoever wants it tell each other, and looking up from the work now
//! and then: does anybody still want it, and how far is it?

use crate::model::load::{Go, Told, Work};
use crate::sys::process::{self, Port, Worker};
use std::fmt;

/// Why a process does not go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// Nobody wants it any more.
    Deserted,
    /// It cannot.
    Failed(String),
}

impl Stop {
    pub(super) fn failed(error: impl fmt::Display) -> Self {
        Self::Failed(error.to_string())
    }
}

/// Tell something; whom nobody hears is deserted.
pub(super) fn tell(port: &mut Port, told: &Told) -> Result<(), Stop> {
    let line = serde_json::to_string(told).map_err(Stop::failed)?;
    port.tell(&line).map_err(|_| Stop::Deserted)
}

/// Tell something that may be missed.
pub(super) fn mention(port: &Port, told: &Told) -> Result<(), Stop> {
    let line = serde_json::to_string(told).map_err(Stop::failed)?;
    port.mention(&line).map_err(|_| Stop::Deserted)
}

/// Tell that all is there, and wait for the start.
///
/// It waits where it is: woken on another processor, it would have the kernel ask the one that it
/// left, for up to a second, about each page that is swapped out.
pub(super) fn await_start(port: &mut Port, work: &Work) -> Result<(), Stop> {
    if work.cpus.is_none() {
        process::stay().map_err(Stop::failed)?;
    }
    tell(port, &Told::Ready)?;
    await_go(port, Go::Touch)?;
    if work.cpus.is_none() { process::roam().map_err(Stop::failed) } else { Ok(()) }
}

/// Wait to be told to go on.
pub(super) fn await_go(port: &mut Port, go: Go) -> Result<(), Stop> {
    if port.await_go(go).map_err(Stop::failed)? { Ok(()) } else { Err(Stop::Deserted) }
}

/// What a child tells next, while it is watched whether anybody wants that. How far it is goes
/// elsewhere.
pub(super) fn hear(
    child: &mut Worker,
    port: &Port,
    far: &mut dyn FnMut(f64) -> Result<(), Stop>,
) -> Result<Told, Stop> {
    loop {
        match child.answer().map_err(Stop::failed)? {
            process::Answer::Line(line) => {
                match serde_json::from_str(&line).map_err(Stop::failed)? {
                    Told::Far { share } => far(share)?,
                    Told::Failed { why } => return Err(Stop::Failed(why)),
                    told @ (Told::Ready | Told::Touched(_) | Told::Freed { .. }) => {
                        return Ok(told);
                    }
                }
            }
            process::Answer::Closed => {
                let ended = child.end().map_err(Stop::failed)?;
                return Err(Stop::Failed(format!(
                    "a process that it made {} before it had done its part",
                    ended.how
                )));
            }
            process::Answer::Nothing => {
                if child.wait_beside(port).map_err(Stop::failed)? {
                    return Err(Stop::Deserted);
                }
            }
        }
    }
}

/// That a child did not tell what it should have.
pub(super) fn unexpected(told: &Told) -> Stop {
    Stop::Failed(format!("a process that it made told {told:?} out of turn: this is a defect"))
}

/// How often it is looked whether anybody still wants this, in nanoseconds.
pub(super) const LOOK: u64 = 100_000_000;
/// How often it is told how far it is, in nanoseconds. Each line is some 45 bytes, and a pipe holds
/// 64K of them: that is 12 minutes in which nobody reads.
const TELL: u64 = 500_000_000;

/// Whom one works for.
#[derive(Debug)]
pub(super) struct Watch<'a> {
    /// Who wants it; none where nobody can go away.
    port: Option<&'a Port>,
    /// When to look again.
    look: u64,
    /// When to tell again.
    tell: u64,
}

impl<'a> Watch<'a> {
    /// From now on. What is done soon is not told of.
    pub(super) fn begin(now: u64, port: Option<&'a Port>) -> Self {
        let look = if port.is_some() { 0 } else { u64::MAX };
        Self { port, look, tell: now.saturating_add(TELL) }
    }

    /// When to look again.
    pub(super) fn next(&self) -> u64 {
        self.look
    }

    /// Look up, when that is due, and tell how far the work is, where that is known: whether
    /// anything of this was done.
    pub(super) fn look(
        &mut self,
        now: u64,
        share: impl FnOnce() -> Option<f64>,
    ) -> Result<bool, Stop> {
        let Some(port) = self.port.filter(|_| now >= self.look) else { return Ok(false) };
        if port.deserted() {
            return Err(Stop::Deserted);
        }
        self.look = now.saturating_add(LOOK);
        if now >= self.tell
            && let Some(share) = share()
        {
            self.tell = now.saturating_add(TELL);
            mention(port, &Told::Far { share: share.clamp(0.0, 1.0) })?;
        }
        Ok(true)
    }
}

/// How much of a number this is; none of nothing.
pub(super) fn share(done: u64, of: u64) -> Option<f64> {
    (of > 0).then(|| done as f64 / of as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::worker::touch::testing::port;
    use std::fs::File;
    use std::io::{BufRead as _, BufReader};

    fn lines(hearer: File) -> Vec<String> {
        BufReader::new(hearer).lines().map(Result::unwrap).collect()
    }

    #[test]
    fn it_is_told_twice_a_second_and_not_at_once() {
        let (port, (teller, hearer)) = port();
        let mut watch = Watch::begin(0, Some(&port));
        for tenth in 0..20 {
            let share = || share(tenth, 20);
            assert!(watch.look(tenth * LOOK, share).unwrap());
            assert!(!watch.look(tenth * LOOK + LOOK / 2, share).unwrap(), "not due");
        }
        drop((port, teller));
        let told = [0.25, 0.5, 0.75].map(|share| format!("{{\"told\":\"far\",\"share\":{share}}}"));
        assert_eq!(lines(hearer), told);
    }

    #[test]
    fn what_is_unknown_is_not_told_and_nothing_is_told_to_nobody() {
        let (port, (teller, hearer)) = port();
        let mut watch = Watch::begin(0, Some(&port));
        assert!(watch.look(10 * TELL, || None).unwrap());
        assert!(!Watch::begin(0, None).look(10 * TELL, || Some(0.5)).unwrap());
        drop(teller);
        assert_eq!(watch.look(20 * TELL, || None).unwrap_err(), Stop::Deserted);
        drop(port);
        assert!(lines(hearer).is_empty());
    }
}
