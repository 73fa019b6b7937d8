//! Swap is used, and nothing moves.

use crate::advice::places::{share, whole};
use crate::advice::{Evidence, Finding, Rule, Severity, Verdict};
use crate::derive::View;
use crate::derive::state::{Line, stall};
use crate::derive::traffic::{self, Way};
use crate::model::{Bytes, Part, PartSet, Policy};

const ID: &str = "idle";

pub(super) const RULE: Rule = Rule {
    id: ID,
    title: "swap is used, and that is harmless",
    about: "Speaks when swap is filled to idle_use, nothing went in or out between the samples, and no task waits for memory. Then it holds what nobody needed since it went out, and the memory serves something else: the use of swap alone is no sign of trouble. Nothing has to be done.",
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
    let sentence = "Swap holds what nobody needed since it went out, and the memory serves something else. Nothing has to be done; emptying it would only bring back what nobody asks for.";
    let found = Finding::warn(ID, "swap is used, and that is harmless", sentence)
        .severe(Severity::Note)
        .shown_by(["swap_used", "use"].map(|column| Evidence::of("status", column)))
        .shown_by(["in_rate", "out_rate"].map(|column| Evidence::of("paging", column)));
    Ok(vec![found])
}

#[cfg(test)]
mod tests {
    use super::ID;
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
}
