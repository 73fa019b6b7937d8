//! When a change is given up, and taken back, and when it rests.

use super::monitor::StopReason;
use crate::columns::units;
use crate::model::name::safe_text;
use std::time::Duration;

/// When a change is given up; nothing of it unless somebody says so.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ChangeLimits {
    /// When it takes longer.
    pub timeout: Option<Duration>,
    /// When all tasks wait for memory in a larger percentage of 10 seconds.
    pub max_psi: Option<f64>,
    /// As long as they do in a larger percentage than this, the emptying of areas rests.
    pub pace: Option<f64>,
}

/// Why the emptying of an area rests.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrainPause {
    /// In which percentage of the last 10 seconds all tasks waited for memory.
    pub waits: f64,
    /// What it rests above.
    pub pace: f64,
}

impl ChangeLimits {
    /// What can be typed for a time.
    pub const TIME: &str = "a time such as 90, 500ms or 5m";
    /// What can be typed for waits.
    pub const WAITS: &str = "a percentage from 0 to 100";
    /// What can be typed for a pace.
    pub const PACE: &str = "a percentage above 0, up to 100, such as 5 or 0.5";

    /// Understand a time.
    ///
    /// # Errors
    /// What it should have been.
    pub fn parse_time(text: &str) -> Result<Duration, String> {
        units::duration(text)
            .ok_or_else(|| format!("\"{}\" is not {}", safe_text(text), Self::TIME))
    }

    /// Understand a percentage.
    ///
    /// # Errors
    /// What it should have been.
    pub fn parse_max_psi(text: &str) -> Result<f64, String> {
        parse_percent(text).ok_or_else(|| format!("\"{}\" is not {}", safe_text(text), Self::WAITS))
    }

    /// Understand a pace. At 0 nothing would ever go on.
    ///
    /// # Errors
    /// What it should have been.
    pub fn parse_pace(text: &str) -> Result<f64, String> {
        let pace = parse_percent(text).filter(|share| *share > 0.0);
        pace.ok_or_else(|| format!("\"{}\" is not {}", safe_text(text), Self::PACE))
    }

    /// Do they agree with each other?
    ///
    /// # Errors
    /// Which does not, and why.
    pub fn check(&self) -> Result<(), String> {
        match (self.pace, self.max_psi) {
            (Some(pace), Some(most)) if pace >= most => Err(format!(
                "to rest above {pace}% it has to be given up above more than that, not above {most}%"
            )),
            _ => Ok(()),
        }
    }

    /// Why the emptying of an area has to rest, if it has; `full` is asked for the percentage.
    pub fn pause_reason(&self, full: impl FnOnce() -> Option<f64>) -> Option<DrainPause> {
        let pace = self.pace?;
        full().filter(|waits| *waits > pace).map(|waits| DrainPause { waits, pace })
    }

    /// Why it has to be given up after so many seconds, if it has; `full` is asked for the
    /// percentage.
    pub fn stop_reason(&self, seconds: f64, full: impl FnOnce() -> Option<f64>) -> Option<StopReason> {
        if let Some(most) = self.timeout.filter(|most| seconds > most.as_secs_f64()) {
            return Some(StopReason::Timeout(most));
        }
        let most = self.max_psi?;
        full().filter(|full| *full > most).map(StopReason::Pressure)
    }
}

fn parse_percent(text: &str) -> Option<f64> {
    let share = text.trim_end_matches('%').parse::<f64>().ok();
    share.filter(|share| (0.0..=100.0).contains(share))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_parsed_as_people_write_them() {
        let time = |text| ChangeLimits::parse_time(text).ok().map(|time| time.as_millis());
        assert_eq!(["90", "500ms", "5m"].map(time), [90_000, 500, 300_000].map(Some));
        let waits = |text| ChangeLimits::parse_max_psi(text).ok();
        assert_eq!(["0", "12.5%", "100"].map(waits), [0.0, 12.5, 100.0].map(Some));
        for wrong in ["", "-1", "x", "40000", "nan", "101%"] {
            assert_eq!(waits(wrong), None, "{wrong}");
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
        let limits = ChangeLimits { timeout, max_psi: Some(20.0), pace: None };
        assert_eq!(limits.stop_reason(5.0, || Some(20.0)), None);
        let late = limits.stop_reason(5.1, || None).unwrap();
        assert_eq!(
            (late, late.to_string()),
            (StopReason::Timeout(Duration::from_secs(5)), "it took longer than 5s".to_owned())
        );
        assert_eq!(limits.stop_reason(1.0, || Some(20.1)), Some(StopReason::Pressure(20.1)));
        // What cannot be read passes nothing.
        assert_eq!(limits.stop_reason(1.0, || None), None);
        assert_eq!(ChangeLimits::default().stop_reason(1e9, || Some(100.0)), None);
    }

    #[test]
    fn pause_limit_must_be_below_stop_limit() {
        let agree = |pace, max_psi| ChangeLimits { pace, max_psi, timeout: None }.check().is_ok();
        assert!(agree(Some(5.0), Some(5.1)) && agree(Some(5.0), None) && agree(None, Some(0.0)));
        assert!(!agree(Some(5.0), Some(5.0)) && !agree(Some(50.0), Some(5.0)));
    }

    #[test]
    fn drain_pauses_above_its_pace() {
        let pace = |text| ChangeLimits::parse_pace(text).ok();
        assert_eq!(["0.5", "5%", "100"].map(pace), [0.5, 5.0, 100.0].map(Some));
        for wrong in ["0", "101", "", "-1", "x", "nan"] {
            assert!(ChangeLimits::parse_pace(wrong).unwrap_err().contains("above 0, up to 100"), "{wrong}");
        }
        let limits = ChangeLimits { pace: Some(5.0), ..ChangeLimits::default() };
        assert_eq!(limits.pause_reason(|| Some(5.1)), Some(DrainPause { waits: 5.1, pace: 5.0 }));
        assert_eq!([limits.pause_reason(|| Some(5.0)), limits.pause_reason(|| None)], [None; 2]);
        assert_eq!(ChangeLimits::default().pause_reason(|| Some(100.0)), None);
    }
}
