//! Loads: the cage they run in, what ends them, what is measured, and the files they are made of.

use super::{entry, prose, section};
use crate::cli::commands::change::form::lab::{OF_EXPERIMENT, OF_STRESS};
use crate::config::Line;
use crate::lab::experiment;
use crate::lab::load::keys::KEYS;
use clap_mangen::roff::Roff;

/// What `stress run` does beyond its options.
pub(super) fn run(roff: &mut Roff) {
    prose(roff, include_str!("stress-run.in"), &|roff, part| match part {
        "guards" => {
            for (rail, meaning) in RAILS {
                entry(roff, rail, meaning);
            }
        }
        _ => {
            for (member, meaning) in OF_STRESS {
                entry(roff, member, meaning);
            }
        }
    });
}

const RAILS: [(&str, &str); 5] = [
    (
        "--max-psi",
        "All tasks waited for memory in more than this percentage of the last 10 seconds, for 5 seconds. A load in a cage makes only itself wait; so that counts where the machine itself looks for memory meanwhile (allocstall in /proc/vmstat). 0 is any wait at all, and 100 is none: that ends nothing.",
    ),
    ("--min-available", "Less memory than this is available (MemAvailable)."),
    ("--min-swap", "Less swap than this is free, on all areas together."),
    ("--timeout", "It has run for so long, each repetition by itself."),
    ("Ctrl-C", "Also SIGTERM and a closed terminal."),
];

/// What a file is made of, key by key.
pub(super) fn keys(roff: &mut Roff) {
    prose(roff, include_str!("stress-keys.in"), &|roff, _| {
        of_tables(roff, KEYS.lines());
    });
}

/// The keys of a file, table by table.
pub(super) fn of_tables(roff: &mut Roff, lines: impl IntoIterator<Item = Line>) {
    let mut heading = "";
    for line in lines {
        if line.heading != heading {
            heading = line.heading;
            section(roff, &heading.to_uppercase());
        }
        let words = format!("{}. Takes {}. Without it: {}.", line.help, line.takes, line.default);
        entry(roff, &line.key, &words);
    }
}

/// What `experiment run` tells scripts.
pub(super) fn run_experiment(roff: &mut Roff) {
    prose(roff, include_str!("experiment-run.in"), &|roff, _| {
        for (member, meaning) in OF_EXPERIMENT {
            entry(roff, member, meaning);
        }
    });
}

/// How the runs and the table of an experiment are to be read.
pub(super) fn experiment(roff: &mut Roff) {
    prose(roff, include_str!("experiment.in"), &|_, _| ());
}

/// What a file is made of, key by key.
pub(super) fn experiment_keys(roff: &mut Roff) {
    prose(roff, include_str!("experiment-keys.in"), &|roff, _| {
        of_tables(roff, experiment::keys::lines());
    });
}
