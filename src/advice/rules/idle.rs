//! Swap is used, and nothing moves.

use crate::advice::places::{share, whole};
use crate::advice::{Certainty, Evidence, Finding, Rule, Severity, Verdict};
use crate::derive::View;
use crate::derive::state::{Line, stall};
use crate::derive::traffic::{self, Way};
use crate::model::{Bytes, Part, PartSet, Policy};

const ID: &str = "idle";
/// What did not move for so many seconds is hardly needed.
const LONG: f64 = 60.0;

pub(super) const RULE: Rule = Rule {
    id: ID,
    title: "swap is used, and that is harmless",
    about: "Speaks when swap is filled to idle_use and not to use_warn, nothing went in or out between the samples, and tasks waited for memory in less than pressure_some of the last 10 seconds. Then it seems to hold what nobody needs, and the memory serves something else: the use of swap alone is no sign of trouble. How sure that is goes by the time between the samples: under a minute it is a hint only, and never more than likely (advise --interval 60 --count 1 looks that long).",
    needs: PartSet::of(&[Part::Swaps, Part::Psi, Part::Vmstat, Part::Meminfo]),
    thresholds: &["idle_use", "use_warn", "pressure_some"],
    check,
};

fn check(view: &View<'_>, policy: &Policy) -> Verdict {
    let (used, size) = whole(view)?;
    let full = share(used, size);
    if size == Bytes(0) || full < policy.idle_use || full >= policy.use_warn {
        return Ok(vec![]);
    }
    let [into, out] = [Way::In, Way::Out].map(|way| traffic::all(view, way));
    let moves = into.into_result()? + out.into_result()? > 0.0;
    let waited = stall(view, "memory", Line::Some).into_result()?.avg10 / 100.0;
    if moves || waited >= policy.pressure_some {
        return Ok(vec![]);
    }
    let seconds = view.seconds().unwrap_or(0.0);
    let looked = format!("Nothing went in or out in the {} between the samples", time(seconds));
    let (certainty, summary, sentence) = if seconds >= LONG {
        let sentence = format!(
            "{looked}: swap seems to hold what nobody needs, and the memory serves something else. Nothing has to be done; emptying it would only bring back what nobody asks for."
        );
        (Certainty::Likely, "swap is used, and that is harmless", sentence)
    } else {
        let sentence = format!(
            "{looked}, which is no long time. If that stays so, swap holds what nobody needs, and the memory serves something else; swapadm advise --interval 60 --count 1 looks for longer."
        );
        (Certainty::Hint, "swap is used, and nothing moves now", sentence)
    };
    let found = Finding::warn(ID, summary, sentence)
        .severe(Severity::Note)
        .sure(certainty)
        .shown_by(["swap_used", "use"].map(|column| Evidence::of("status", column)))
        .shown_by(["in_rate", "out_rate"].map(|column| Evidence::of("paging", column)));
    Ok(vec![found])
}

/// In words, and whole: they shall not change with each sample.
fn time(seconds: f64) -> String {
    if seconds < 1.0 { "moment".to_owned() } else { format!("{seconds:.0} s") }
}

#[cfg(test)]
mod tests {
    use super::ID;
    use crate::advice::Certainty;
    use crate::advice::testing::Machine;

    #[test]
    fn used_swap_in_which_nothing_moves_is_explained() {
        let machine = |used| Machine::default().disk("sda", -2, (1000, used));
        assert_eq!(machine(100).severities(ID), ["note"]);
        assert_eq!(machine(99).severities(ID), [""; 0]);
        assert_eq!(machine(100).counted("pswpin", 1).severities(ID), [""; 0]);
        assert_eq!(machine(100).stalls(10.0, 0.0).severities(ID), [""; 0]);
        assert!(!machine(100).advice().is_wrong());
    }

    #[test]
    fn how_sure_it_is_goes_by_how_long_it_was_looked_at() {
        let after = |seconds: f64| {
            let machine = Machine::default().disk("sda", -2, (1000, 100));
            let found = machine.advice_after(seconds).findings;
            let found = found.into_iter().find(|found| found.rule == ID).unwrap();
            (found.certainty, found.sentence)
        };
        let (certainty, sentence) = after(0.5);
        assert_eq!(certainty, Certainty::Hint);
        assert!(sentence.starts_with("Nothing went in or out in the moment between"));
        assert_eq!(after(59.0).0, Certainty::Hint);
        let (certainty, sentence) = after(60.0);
        assert_eq!(certainty, Certainty::Likely, "longer than that may be needed all the same");
        assert!(sentence.contains("in the 60 s between"), "{sentence}");
    }
}
