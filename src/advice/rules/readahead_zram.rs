//! Pages are read ahead from zram.

use crate::advice::places::{number, setting};
use crate::advice::{Evidence, Finding, Rule, Severity, Verdict};
use crate::derive::{View, defaults, readahead};
use crate::model::{Part, PartSet, Policy};

const ID: &str = "readahead-zram";

pub(super) const RULE: Rule = Rule {
    id: ID,
    title: "pages are read ahead from zram",
    about: "Speaks when all that is in swap lies on zram, the kernel is one up to 6.18, and pages were read ahead between the samples. There is no seek on zram that reading ahead could save: each page costs its own decompression. Those kernels spare pages that one process owns, and read ahead for shared ones and, up to 6.12 at least, for files in memory; from 7.x on nothing is read ahead from zram.",
    needs: PartSet::of(&[
        Part::Meminfo,
        Part::Swaps,
        Part::Zram,
        Part::ZramDetail,
        Part::Knobs,
        Part::Kernel,
        Part::Vmstat,
    ]),
    thresholds: &[],
    check,
};

/// The last release that reads ahead from zram.
const LAST: (u32, u32) = (6, 18);

fn check(view: &View<'_>, _policy: &Policy) -> Verdict {
    let page_cluster = number(view.now, "page-cluster")?;
    let only_zram = readahead::only_zram(view.now).into_result()?;
    let ahead = readahead::in_window(view).0.ahead.into_result()?;
    let is_old = defaults::release(view.now).into_result()? <= LAST;
    if page_cluster == 0 || !only_zram || ahead == 0 || !is_old {
        return Ok(vec![]);
    }
    let sentence = "Reading ahead saves seeks, and zram has none: each page costs its own decompression, whether anybody wants it or not. This kernel does it for pages that several processes share, and up to 6.12 at least for files in memory.";
    let found = Finding::warn(ID, "pages are read ahead from zram", sentence)
        .severe(Severity::Note)
        .shown_by([setting("page-cluster")])
        .shown_by([Evidence::of("readahead", "ahead_rate")])
        .fixed_by("swapadm set page-cluster=0 --persist");
    Ok(vec![found])
}

#[cfg(test)]
mod tests {
    use super::ID;
    use crate::advice::testing::Machine;

    #[test]
    fn reading_ahead_from_zram_alone_is_told_on_kernels_that_do_it() {
        let zram = || {
            Machine::default()
                .zram("zram0", 5, (1000, 10))
                .counted("swap_ra", 7)
                .memory("SwapTotal", 1000)
        };
        assert_eq!(zram().fixes(ID), ["swapadm set page-cluster=0 --persist"]);
        assert!(zram().sentence(ID).contains("up to 6.12"), "later ones may spare files");
        assert_eq!(zram().knob("page-cluster", "0").severities(ID), [""; 0]);
        assert_eq!(zram().on("7.2.1").severities(ID), [""; 0]);
        assert_eq!(zram().counted("swap_ra", 0).severities(ID), [""; 0]);
        assert_eq!(
            zram().disk("sda", 1, (1000, 10)).memory("SwapTotal", 2000).severities(ID),
            [""; 0]
        );
    }
}
