//! Limits at which a change stops and is undone, and at which it pauses.

use super::monitor::StopReason;
use crate::columns::units;
use crate::model::name::safe_text;
use std::time::Duration;

/// Limits at which a change stops, or its drains pause. None is set by default.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ChangeLimits {
    /// Maximum duration.
    pub timeout: Option<Duration>,
    /// Maximum PSI "full" of memory over 10 seconds, in percent.
    pub max_psi: Option<f64>,
    /// PSI "full" of memory over 10 seconds above which drains pause, in percent.
    pub pace: Option<f64>,
    /// Whether drains go on when pages cannot be read, and lose them.
    pub loses_pages: bool,
    /// Whether drains go on while the kernel kills processes for lack of memory.
    pub may_kill: bool,
}

/// Why a drain pauses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrainPause {
    /// PSI "full" of memory over the last 10 seconds, in percent.
    pub psi_full: f64,
    /// The value above which the drain pauses.
    pub pace: f64,
}

impl ChangeLimits {
    /// The format of a duration.
    pub const TIME_FORM: &str = "a time such as 90, 500ms or 5m";
    /// The format of a PSI limit.
    pub const PSI_FORM: &str = "a percentage from 0 to 100";
    /// The format of a pace.
    pub const PACE_FORM: &str = "a percentage above 0, up to 100, such as 5 or 0.5";

    /// Parses a duration.
    pub fn parse_time(text: &str) -> Result<Duration, String> {
        units::duration(text).ok_or_else(|| not_valid(text, Self::TIME_FORM))
    }

    /// Parses a PSI limit.
    pub fn parse_max_psi(text: &str) -> Result<f64, String> {
        parse_percent(text).ok_or_else(|| not_valid(text, Self::PSI_FORM))
    }

    /// Parses a pace. With 0 the drain would pause at the slightest pressure.
    pub fn parse_pace(text: &str) -> Result<f64, String> {
        let pace = parse_percent(text).filter(|share| *share > 0.0);
        pace.ok_or_else(|| not_valid(text, Self::PACE_FORM))
    }

    /// Checks that the pause limit is below the stop limit.
    pub fn check(&self) -> Result<(), String> {
        match (self.pace, self.max_psi) {
            (Some(pace), Some(most)) if pace >= most => Err(format!(
                "--pace {pace} must be below --max-psi {most}: otherwise the change stops before it pauses"
            )),
            _ => Ok(()),
        }
    }

    /// Why a drain has to pause, if it has; `read_psi` reads PSI "full".
    pub fn pause_reason(&self, read_psi: impl FnOnce() -> Option<f64>) -> Option<DrainPause> {
        let pace = self.pace?;
        read_psi().filter(|psi| *psi > pace).map(|psi_full| DrainPause { psi_full, pace })
    }

    /// Why the change has to stop after this many seconds, if it has; `read_psi` reads PSI "full".
    pub fn stop_reason(
        &self,
        seconds: f64,
        read_psi: impl FnOnce() -> Option<f64>,
    ) -> Option<StopReason> {
        if let Some(most) = self.timeout.filter(|most| seconds > most.as_secs_f64()) {
            return Some(StopReason::Timeout(most));
        }
        let most = self.max_psi?;
        read_psi().filter(|psi| *psi > most).map(StopReason::Pressure)
    }
}

fn not_valid(text: &str, form: &str) -> String {
    format!("\"{}\" is not {form}", safe_text(text))
}

fn parse_percent(text: &str) -> Option<f64> {
    let share = text.strip_suffix('%').unwrap_or(text).parse::<f64>().ok();
    share.filter(|share| (0.0..=100.0).contains(share))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_parsed_as_people_write_them() {
        let time = |text| ChangeLimits::parse_time(text).ok().map(|time| time.as_millis());
        assert_eq!(["90", "500ms", "5m"].map(time), [90_000, 500, 300_000].map(Some));
        let psi = |text| ChangeLimits::parse_max_psi(text).ok();
        assert_eq!(["0", "12.5%", "100"].map(psi), [0.0, 12.5, 100.0].map(Some));
        for wrong in ["", "-1", "x", "40000", "nan", "101%", "5%%"] {
            assert_eq!(psi(wrong), None, "{wrong}");
        }
        for wrong in ["", "-1", "x", "5 parsecs", "nan"] {
            assert_eq!(time(wrong), None, "{wrong}");
        }
        let said = ChangeLimits::parse_max_psi("40000").unwrap_err();
        assert!(said.contains("\"40000\"") && said.contains("0 to 100"), "{said}");
    }

    #[test]
    fn exceeded_limit_is_reported() {
        let timeout = Some(Duration::from_secs(5));
        let limits = ChangeLimits { timeout, max_psi: Some(20.0), ..ChangeLimits::default() };
        assert_eq!(limits.stop_reason(5.0, || Some(20.0)), None);
        let late = limits.stop_reason(5.1, || None).unwrap();
        assert_eq!(
            (late, late.to_string()),
            (StopReason::Timeout(Duration::from_secs(5)), "it took longer than 5s".to_owned())
        );
        assert_eq!(limits.stop_reason(1.0, || Some(20.1)), Some(StopReason::Pressure(20.1)));
        // A missing value exceeds nothing.
        assert_eq!(limits.stop_reason(1.0, || None), None);
        assert_eq!(ChangeLimits::default().stop_reason(1e9, || Some(100.0)), None);
    }

    #[test]
    fn pause_limit_must_be_below_stop_limit() {
        let agree = |pace, max_psi| {
            ChangeLimits { max_psi, pace, ..ChangeLimits::default() }.check().is_ok()
        };
        assert!(agree(Some(5.0), Some(5.1)) && agree(Some(5.0), None) && agree(None, Some(0.0)));
        assert!(!agree(Some(5.0), Some(5.0)) && !agree(Some(50.0), Some(5.0)));
    }

    #[test]
    fn drain_pauses_above_its_pace() {
        let pace = |text| ChangeLimits::parse_pace(text).ok();
        assert_eq!(["0.5", "5%", "100"].map(pace), [0.5, 5.0, 100.0].map(Some));
        for wrong in ["0", "101", "", "-1", "x", "nan"] {
            assert!(
                ChangeLimits::parse_pace(wrong).unwrap_err().contains("above 0, up to 100"),
                "{wrong}"
            );
        }
        let limits = ChangeLimits { pace: Some(5.0), ..ChangeLimits::default() };
        assert_eq!(
            limits.pause_reason(|| Some(5.1)),
            Some(DrainPause { psi_full: 5.1, pace: 5.0 })
        );
        assert_eq!([limits.pause_reason(|| Some(5.0)), limits.pause_reason(|| None)], [None; 2]);
        assert_eq!(ChangeLimits::default().pause_reason(|| Some(100.0)), None);
    }
}
