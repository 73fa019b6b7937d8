//! What is kept of runs and experiments, what their figures say, and how two are compared.

use super::{columns_of, entry, paragraph, prose};
use crate::cli::commands::results::experiment::schema::MEMBERS;
use crate::columns::tables::lab::LAB_TABLES;
use crate::columns::tables::lab::comparison::PLUS_MINUS;
use crate::derive::lab::{Measure, PATTERNS};
use crate::derive::statistics::Verdict;
use clap_mangen::roff::Roff;

pub(super) fn sections(roff: &mut Roff) {
    prose(roff, include_str!("results.in"), &|roff, part| match part {
        "figures" => PATTERNS.iter().for_each(|(id, meaning)| entry(roff, id, meaning)),
        "interval" => paragraph(roff, PLUS_MINUS),
        "verdicts" => {
            for (verdict, meaning) in Verdict::ALL {
                entry(roff, verdict.words(), meaning);
            }
        }
        "measures" => {
            for (measure, meaning) in Measure::ALL {
                entry(roff, measure.word(), meaning);
            }
        }
        "members" => MEMBERS.iter().for_each(|(member, meaning)| entry(roff, member, meaning)),
        "columns" => LAB_TABLES.iter().for_each(|spec| columns_of(spec, roff)),
        _ => entry(roff, FOLDER.0, FOLDER.1),
    });
}

/// Where results are kept.
const FOLDER: (&str, &str) = (
    "~/.local/state/swapadm/results/NUMBER-TITLE.json",
    "A run or an experiment. The folder is another one with XDG_STATE_HOME or SWAPADM_RESULTS. A file of more than 64M is not read.",
);
