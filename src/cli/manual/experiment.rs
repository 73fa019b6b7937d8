//! What the file of an experiment is made of, and how its result is to be read.

use super::{entry, paragraph, section, text};
use crate::cli::commands::change::form::lab::OF_EXPERIMENT;
use crate::lab::experiment::keys;
use clap_mangen::roff::Roff;

/// What `experiment run` tells scripts.
pub(super) fn run(roff: &mut Roff) {
    section(roff, "JSON");
    text(
        roff,
        "--json prints one document, also with --dry-run; as nobody is asked then, --yes or --dry-run has to be there as well. swapadm-experiment-run-1.schema.json describes it; where an error comes first there are schema and error alone. Its members are",
    );
    for (member, meaning) in OF_EXPERIMENT {
        entry(roff, member, meaning);
    }
}

pub(super) fn sections(roff: &mut Roff) {
    section(roff, "RUNS");
    text(
        roff,
        "The values of all factors make a matrix of cases. Each case is run as often as the others, all of them mixed by the seed, so that what changes on the machine with time does not look like a difference between cases. A run is lent what it needs by a plan that is taken back after it; whoever is killed meanwhile leaves what recover takes back. The lock is held from the first run to the last. Ctrl-C ends it: what was measured until then is told and kept, as an experiment that is not complete: see swapadm-results(8).",
    );
    section(roff, "TABLE");
    text(
        roff,
        "A row for each case: means, and behind +- the sample standard deviation where there is more than one repetition. used is what was used of each area when all together held the most, and its priority. Where the experiment names a factor as across, its values stand beside each other in a table of their own, which has one figure and, of two values, what changes from the first to the second. With --published what others have measured stands below these rows, under a line that says so, in the same columns and units: in that of the two tables which has most of them. - stands for what was not published, and a row is left out beside columns of which it has none. What the table has no column for is added to it where that fits on a line, or else stands in a table of its own. Figures are theirs, and no more than their units are converted; below them stands on what they were measured, and what is different here. Below, each value of a factor is compared with the first one, all other factors and the load being the same: by how many percent (percentage points, pp, of what is in percent itself), with what that may be off by Welch's t, 95 % certain. In brackets stands what may well be noise. Figures are explained in swapadm-results(8).",
    );
    section(roff, "FILE");
    text(
        roff,
        "An experiment is a file of TOML: swapadm experiment show prints those that are built in. Whatever cannot be followed is told with its line and key, and nothing runs.",
    );
    paragraph(
        roff,
        "Files in swapadm/experiments below $XDG_CONFIG_HOME, or below ~/.config, are experiments of your own, known by their names as loads are: see swapadm-stress-keys(8).",
    );
    paragraph(roff, "Its keys are in swapadm-experiment-keys(8).");
}

/// What a file is made of, key by key.
pub(super) fn keys(roff: &mut Roff) {
    section(roff, "FILES OF EXPERIMENTS");
    text(
        roff,
        "An experiment is a file in TOML: keys of the whole experiment, settings of all cases in [base], and a table [[factor]] for each thing that differs. swapadm experiment show prints those that are built in, to begin with. What is wrong with a file is told all at once, with line and key, before anything is made.",
    );
    super::stress::of_tables(roff, keys::lines());
}
