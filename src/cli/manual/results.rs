//! What is kept of runs and experiments, what their figures say, and how two are compared.

use super::{columns_of, entry, paragraph, section, text};
use crate::cli::commands::results::experiment::schema::MEMBERS;
use crate::columns::tables::lab::LAB_TABLES;
use crate::columns::tables::lab::comparison::PLUS_MINUS;
use crate::derive::lab::{Measure, PATTERNS};
use crate::derive::statistics::Verdict;
use clap_mangen::roff::Roff;

pub(super) fn sections(roff: &mut Roff) {
    section(roff, "NAMES OF RUNS");
    text(
        roff,
        "A run is named by its number, by last for the newest, last~1 for the one before that and so on, or by a file that export wrote; a file that is called like a number is named ./12. What names none of them ends with 2, and a file that cannot be read, as its name has a point or a slash, with 6.",
    );
    section(roff, "EXPERIMENTS");
    text(
        roff,
        "An experiment is kept with all runs of its cases, and each of those as a result of its own as well. It is named as a run is, and compared with another experiment. show prints its table and how its cases differ, with --json all of it, as JSON OF EXPERIMENTS says, and with --published also what others have published, where that is known: of one that is built in by its name and its question, of another where its file has [published], which is kept with the result; export writes the same, and as html its cases beside each other and the run of each. One that was interrupted has what was measured until then, and is listed as not complete. remove takes its runs away with it, and asks first.",
    );
    section(roff, "ROWS AND COLUMNS");
    text(
        roff,
        "--output, --sort and --filter of list take the names that stand in COLUMNS OF RESULTS below, those of compare the names in COLUMNS OF COMPARISON, or the headings that are shown. To --sort, to --filter and to what --output takes away, a heading means what stands below it: figure is what a figure is called where tables are for people, and its name where all columns are shown, as with --json. Columns that --output chooses or adds go by their names first. swapadm(8) says what a filter can be made of.",
    );
    section(roff, "FIGURES");
    text(
        roff,
        "Each is a number for every repetition that came to its end; tables have the mean of those. What a kernel does not tell is missing, and never 0.",
    );
    for (id, meaning) in PATTERNS {
        entry(roff, id, meaning);
    }
    section(roff, "COMPARISON");
    text(
        roff,
        "Means are compared by Welch's t, which takes different numbers of repetitions and different scatter on both sides: the difference is shown in percent of A; of figures that are in percent themselves in percentage points (pp), where A is 0 in the unit of the figure, and where B is more than 10 times A as how many times that is. Where one process of a run stayed in memory and touched more than 10 times as often as the one in the middle of its group, a remark below the figures says so. Rows that are 0 in both, or that one of the two does not have, are left out; --all shows them, and a filter those of them that pass and that one of the two has. Numbers have as many digits as the deviation or the interval behind +- makes sure of.",
    );
    paragraph(roff, PLUS_MINUS);
    paragraph(roff, "The verdict is one of");
    for (verdict, meaning) in Verdict::ALL {
        entry(roff, verdict.words(), meaning);
    }
    paragraph(
        roff,
        "Better or worse stands behind it where people wish for one of the two. What else differs between the two is told above the table, and is a table of its own with --json and in a page of HTML: the kernel, areas, settings, and the keys of their loads one by one, those of a second work as 2.size. A page of several runs or experiments compares each with the first.",
    );
    paragraph(
        roff,
        "Two experiments are compared case by case, those that have the same name and the same values of the same factors in both: the same experiment on two kernels, for one. Each case has a table, with the figures that the tables of the two experiments have; --all and --filter take the others too, and programs get all of them in one table, with the column case. Above it stands which cases one of the two lacks or has not measured, and what else differs: with the names of cases in brackets where it does in some of them only. A run is compared with a run, and not with an experiment.",
    );
    section(roff, "JSON AND CSV");
    text(
        roff,
        "--csv prints one table: of show that of figures, or that of an experiment, with each number in a column of its own. What --json prints of list, of compare and of show of a run is described by swapadm-results-1.schema.json. What export prints of a run is that as it is kept, with kind, which is run: its form goes with the program's version, which reads no other.",
    );
    paragraph(
        roff,
        "Figures of runs are in the unit that stands beside them, as unit or in table_columns; what else is a number is in the unit that its column below has. A figure counts",
    );
    for (measure, meaning) in Measure::ALL {
        entry(roff, measure.word(), meaning);
    }
    section(roff, "JSON OF EXPERIMENTS");
    text(
        roff,
        "What show --json and export print of an experiment is described by swapadm-experiment-1.schema.json, and read again by all that takes a result. The columns of --csv are those of its table; what a figure counts stands in a column of its own, as in all CSV, where headings are names. The members are",
    );
    for (member, meaning) in MEMBERS {
        entry(roff, member, meaning);
    }
    for spec in LAB_TABLES {
        columns_of(spec, roff);
    }
    section(roff, "FILES");
    entry(
        roff,
        "~/.local/state/swapadm/results/NUMBER-TITLE.json",
        "A run or an experiment. The folder is another one with XDG_STATE_HOME or SWAPADM_RESULTS. A file of more than 64M is not read.",
    );
}
