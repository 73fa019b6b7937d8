//! Looking up from the work now and then: does anybody still want it, and how far is it?

use super::{Stop, mention};
use crate::model::load::Told;
use crate::sys::process::Port;

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
