//! The sections of commands that change swap, and of those that tell what was changed: what each
//! does beyond its plan, what scripts are told, and how it ends.

use super::{entry, paragraph, prose, section, stress, text};
use crate::actions::estimate::BASES;
use crate::cli::exit::Exit;
use clap_mangen::roff::Roff;

/// Below what else there is on the page of a command.
pub(super) fn sections(command: &clap::Command, name: &str, roff: &mut Roff) {
    details(name, roff);
    match name {
        // It has both as a contract of its own.
        "swapadm-rebalance" => {}
        "swapadm-journal" => {
            journal(roff);
            exits(&[Exit::Done, Exit::Usage, Exit::Failed], roff);
        }
        "swapadm-stress-run" => {
            stress::run(roff);
            exits(&CHANGES, roff);
        }
        "swapadm-experiment-run" => {
            stress::run_experiment(roff);
            exits(&CHANGES, roff);
        }
        "swapadm-stress-keys" => stress::keys(roff),
        "swapadm-experiment-keys" => stress::experiment_keys(roff),
        "swapadm-persist-check" => {
            differences(roff);
            exits(&[Exit::Done, Exit::Wrong, Exit::Usage, Exit::Failed], roff);
        }
        _ if command.get_arguments().any(|it| it.get_id() == "dry_run") => {
            section(roff, "JSON");
            text(
                roff,
                "What --json prints is described below JSON OF CHANGES in swapadm(8); the form of a plan is described by swapadm-change-1.schema.json.",
            );
            exits(&CHANGES, roff);
        }
        _ => {}
    }
}

/// How a command that changes something can end.
const CHANGES: [Exit; 6] =
    [Exit::Done, Exit::Usage, Exit::Refused, Exit::Undone, Exit::Partial, Exit::Failed];

pub(super) fn exits(which: &[Exit], roff: &mut Roff) {
    section(roff, "EXIT STATUS");
    for (exit, meaning) in Exit::ALL.iter().filter(|(exit, _)| which.contains(exit)) {
        entry(roff, &exit.code().to_string(), meaning);
    }
}

/// What `--json` prints of a change, member by member.
pub(super) fn document(own: &[(&str, &str)], roff: &mut Roff) {
    for (member, meaning) in MEMBERS.iter().chain(own) {
        entry(roff, member, meaning);
    }
    paragraph(roff, "The basis of an estimate is one of");
    for (basis, meaning) in BASES {
        entry(roff, basis, meaning);
    }
}

const MEMBERS: [(&str, &str); 8] = [
    ("schema", "1: the version of the form."),
    ("title", "What the plan is for."),
    (
        "steps",
        "The plan: none where nothing is to be done. Each has its kind (on, off, renew, set, save, zram, order, header or file), what belongs to that, and its estimate. Of kind renew are areas that are taken off and put on again, with from and to; of kind save files that are written for --persist.",
    ),
    (
        "estimate",
        "moves_bytes: what is on the areas that are taken off; seconds: how long that takes to move, and bytes_per_second and measured_ms, how fast it was and when; null is what is not known. The same of all steps together. It is from before the first step.",
    ),
    ("commands", "The same as lines for a shell."),
    (
        "checks",
        "What was looked at: id, which is the name for --force where that takes it, verdict (ok, note, warn, refuse) and text.",
    ),
    (
        "outcome",
        "What came of it: journal, the number there; end (done, undone, partial); why, unless all was done; remark where the order of default priorities was put back or is to be; and seconds, what emptying areas took, where they held something: to be held against the estimate. null where nothing was done.",
    ),
    ("error", "Only where nothing was done and no check says why."),
];

/// What scripts are told of changes, for the page of the program.
pub(super) fn json(roff: &mut Roff) {
    section(roff, "JSON OF CHANGES");
    text(
        roff,
        "A command that changes something prints one document with --json; where no plan could be made, or it was given up before its first step, that has only schema and error. Arguments that are not understood print none. As nobody is asked then, --yes or --dry-run has to be there as well, but for recover. The members are",
    );
    let zram = "With zram commands that were carried out: what the device held before and after.";
    document(&[("zram", zram)], roff);
    paragraph(
        roff,
        "rebalance adds strategy and findings, and has all members also with an error. swapadm-journal(8) and swapadm-persist-check(8) describe what these two print.",
    );
}

fn journal(roff: &mut Roff) {
    section(roff, "HOW A PLAN ENDED");
    for (end, meaning) in ENDS {
        entry(roff, end, meaning);
    }
    section(roff, "JSON");
    text(
        roff,
        "A list of plans, the oldest first; with PLAN that one alone. Nothing is printed where there is no such plan. The members of a plan are",
    );
    for (member, meaning) in PLAN {
        entry(roff, member, meaning);
    }
}

const ENDS: [(&str, &str); 7] = [
    ("done", "All steps were made."),
    ("undone", "Something failed or stopped it, and what had been done was taken back."),
    ("in part", "Something failed or stopped it, and some steps stand. recover looks at it."),
    ("returned", "All of it was made for the time of a load, and taken back after it."),
    ("recovered", "It was cut off or left in part, and recover has put right what was to be."),
    ("dismissed", "It was cut off or left in part, and recover --dismiss has closed it as it is."),
    (
        "cut off",
        "Its end is not in the journal: it runs still, or was killed. recover looks at it.",
    ),
];

const PLAN: [(&str, &str); 7] = [
    ("plan", "Its number, for undo."),
    ("at_ms", "When it was begun, in milliseconds since 1970, UTC."),
    ("boot", "The boot_id of the kernel that ran then."),
    ("title, steps", "As in JSON OF CHANGES of swapadm(8), without estimates."),
    ("undoes", "The plan that it took back, or null."),
    (
        "areas",
        "The areas that were on when it was begun, with path, size in bytes and priority, and of those that it was to take off kind: the speed of what carries them, and whether they are files. Only where it was to take some off.",
    ),
    (
        "events",
        "What happened, in order: event is try, made, failed, killed or end. step counts from 0, back says whether it was taken back, moved is bytes, seconds how long it took; end is done, undone, partial, recovered, returned or dismissed, and why says the reason; killed says how many processes of which cgroup the kernel killed for want of memory meanwhile, and null stands for a cgroup that is not known. A plan without the event end is cut off.",
    ),
];

fn differences(roff: &mut Roff) {
    section(roff, "JSON");
    text(
        roff,
        "schema, which is 1, and differences: a list, empty where nothing will be otherwise. Each has",
    );
    for (member, meaning) in DIFFERENCE {
        entry(roff, member, meaning);
    }
}

const DIFFERENCE: [(&str, &str); 4] = [
    ("what", "The area or setting."),
    ("now, then", "How it is, and how it will be at the next start."),
    ("file, line", "Where that is said; null where nothing says anything."),
    ("fix", "How to make what is now last, or the other way round."),
];

/// Writes what a page says below DETAILS: the template has a section for one page or several.
fn details(name: &str, roff: &mut Roff) {
    let is_of = |pages: &str| pages.split(' ').any(|page| page == name);
    let mut sections = include_str!("details.in").trim_start_matches("# ").split("\n\n# ");
    let found = sections.find_map(|section| {
        let (pages, words) = section.split_once("\n\n")?;
        is_of(pages).then_some(words)
    });
    let Some(words) = found else { return };
    prose(roff, &format!("# DETAILS\n\n{words}"), &|roff, _| paragraph(roff, NUMBERED));
}

/// What a kernel does to numbers that it gave itself: docs/decisions/0017.
const NUMBERED: &str = "Kernels up to 6.18 number areas with a default priority as they are switched on, and fill the first before they take the second. One that goes off makes those behind it move up; one that goes off and on again becomes the last. Later kernels take them in turns.";
