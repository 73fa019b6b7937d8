//! The sections of commands that change swap, and of those that tell what was changed: what each
//! does beyond its plan, what scripts are told, and how it ends.

use super::{entry, paragraph, section, stress, text};
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

const ENDS: [(&str, &str); 6] = [
    ("done", "All steps were made."),
    ("undone", "Something failed or stopped it, and what had been done was taken back."),
    ("in part", "Something failed or stopped it, and some steps stand. recover looks at it."),
    ("returned", "All of it was made for the time of a load, and taken back after it."),
    ("recovered", "It was cut off or left in part, and recover has put right what was to be."),
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
        "What happened, in order: event is try, made, failed or end. step counts from 0, back says whether it was taken back, moved is bytes, seconds how long it took; end is done, undone, partial, recovered or returned. A plan without the event end is cut off.",
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

fn details(name: &str, roff: &mut Roff) {
    let Some((_, paragraphs)) = DETAILS.iter().find(|(page, _)| *page == name) else { return };
    section(roff, "DETAILS");
    let (first, more) = paragraphs.split_first().unwrap_or((&"", &[]));
    text(roff, first);
    for more in more {
        paragraph(roff, more);
    }
}

const ORDERED: &str = "The kernel does this in one go, and nothing of it can be taken back. --timeout, --max-psi and Ctrl-C stop it where the kernel lets them; what was done until then stays, and the exit status is 5. --persist is refused: no file of the machine could say it.";

const GENERATOR: &str = "--persist writes a section of zram-generator, which makes the device and swap on it at each start, and zram remove takes it out; it is refused where that is not there, for a device without swap on it, and for a second algorithm or a backing device.";

/// What a kernel does to numbers that it gave itself: docs/decisions/0017.
const NUMBERED: &str = "Kernels up to 6.18 number areas with a default priority as they are switched on, and fill the first before they take the second. One that goes off makes those behind it move up; one that goes off and on again becomes the last. Later kernels take them in turns.";

const DETAILS: [(&str, &[&str]); 19] = [
    (
        "swapadm-on",
        &[
            "Before, each area is looked at: is it a file or a block device, has it a swap header that this kernel takes and that fits its size and pages, has a file holes, can its file system hold swap, is it mounted or behind another device, may others read it. An area that is on already is left alone; where --priority or --discard asks for another manner than it has, the command is refused: swapadm-priority(8) changes a priority.",
            "With --all, lines of fstab with noauto are left out, and those whose unit of systemd a condition keeps off. Each line stands for itself: one that cannot be switched on (it is not there, two devices share its UUID, a check refuses it) is named with the reason and left out, and the others go on. The exit status is 5 then, unless fstab says nofail of all that was left out. What a line says of pri= and discard wins over --priority and --discard, which are for lines that say nothing. As all of it is in fstab, --persist is refused with it.",
            "--discard alone means both. Its value needs =, as in --discard=once, or nothing between, as in -dpages: a word after a blank is an area.",
        ],
    ),
    (
        "swapadm-off",
        &[
            "With --persist an area stays off at every start: by noauto in its line of fstab, by a condition in a file beside its unit of systemd, and by zram-size=0 beside the section of zram-generator; a section that nobody but swapadm has written is taken out. swapadm on AREA --persist takes that back.",
            "Areas go one after the other, that with the lowest priority first: as long as it lasts the better ones take what does not fit into memory.",
            "What is on an area must fit into memory that can be had and into what is free on the areas that stay, less the memory that zram among them would take for it. If not, or if that is not known, the check memory refuses. cgroup refuses where a control group would get more back than its limit lets it keep and the other areas cannot take it, promises where vm.overcommit_memory is 2 and too much is promised.",
            "Where what is left on an area does not fit any more, or never did (--force memory), it goes on only while memory holds what comes in one go, which is the largest process as a rule, and beyond that a sixteenth of all memory, at most 512M. Then it is given up as with --max-psi, and on the way back as well, before the kernel kills processes. Little memory alone stops nothing as long as other areas take the rest.",
            "swapoff(2) knows no pace: nothing can slow it down. But it can be interrupted, and what was moved stays moved. With --pace it is, whenever all tasks waited for memory in more than that percentage of the last 10 seconds; it rests until they do not, and goes on, in bursts, until it is through. Between the processes whose pages it moves the kernel can be interrupted, not in the middle of one: a burst lasts that long at least. --pace 5 disturbs little; it must be below --max-psi.",
            "While it rests the area is in use as before, and pages may go to it again: it gives up when five bursts in a row leave no less on it. A rest ends with --timeout, which counts rests too, --max-psi or Ctrl-C as fast as a burst does; without --timeout it may last for ever. On a terminal a line shows how much was moved, how fast, and how much time is left at that rate, or that it rests and why; --json tells at the end how often it rested, and how long.",
            "At Ctrl-C the kernel stops, the area stays on with what is left on it, and areas that were off already are put on again as they were. What was moved to memory stays there. A second Ctrl-C gives that way back up; recover goes on with it.",
            NUMBERED,
            "After a change that was taken back or ended in part, and after undo and recover, the order of before is put back at once where areas left their places this way and that moves nothing. It is left, and you are told the command, how much it moves and why, where pages would be moved, where a check of swapadm-priority(8) refuses, where an area in it was deleted, and where the change was given up for --max-psi or before memory ran out, or all tasks waited for memory in more than 1% of the last 10 seconds.",
        ],
    ),
    (
        "swapadm-priority",
        &[
            "Areas that have the priority already are left alone. The others are taken off and put on again one by one, that with the least on it first: it comes back empty, and takes what the next one holds. Each must fit elsewhere while it is off, by the checks that swapadm-off(8) describes.",
            NUMBERED,
            "So those that get default are put on in the order in which they are named, also those that have a default priority but stand in another place.",
        ],
    ),
    (
        "swapadm-format",
        &[
            "A header is written in one step: --timeout and --max-psi are looked at before it only. --persist is refused: swapadm on AREA --persist has it on at every start.",
        ],
    ),
    (
        "swapadm-file-create",
        &[
            "--persist goes with --on. --timeout, --max-psi and Ctrl-C stop the file while it is made, and nothing is left of it.",
        ],
    ),
    (
        "swapadm-set",
        &[
            "What is set lasts until the machine is started again. With --persist it is also written into a file in /etc/sysctl.d or /etc/tmpfiles.d. The limits memory.swap.max, memory.zswap.max and memory.zswap.writeback of a service, slice, socket, mount or swap unit of systemd are written beside the unit, in /etc/systemd/system; other settings of control groups are refused, as they go with their group. persist check does not compare them.",
            "A setting takes no time: --timeout and --max-psi are looked at before each only.",
        ],
    ),
    (
        "swapadm-reset",
        &[
            "The first values are those of an untouched kernel. --persist has them at every start as well; what it wrote of a control group it takes out. A setting takes no time: --timeout and --max-psi are looked at before each only.",
        ],
    ),
    ("swapadm-zram-swap", &[GENERATOR]),
    ("swapadm-zram-resize", &[GENERATOR]),
    ("swapadm-zram-algorithm", &[GENERATOR]),
    ("swapadm-zram-limit", &[GENERATOR]),
    (
        "swapadm-zram-add",
        &[
            "--persist is refused: zram-generator makes swap of each device, and swapadm-zram-swap(8) makes one that lasts. One that is something else has to be made from a script of the machine.",
        ],
    ),
    ("swapadm-zram-compact", &[ORDERED]),
    ("swapadm-zram-idle", &[ORDERED]),
    ("swapadm-zram-writeback", &[ORDERED]),
    ("swapadm-zram-recompress", &[ORDERED]),
    (
        "swapadm-persist-check",
        &[
            "Nothing is changed, and no rights are needed. A difference ends it with 1; each says what to do about it.",
            "What is made last, the commands do with --persist. For zram that needs zram-generator: without it nothing makes such devices at the start, and --persist is refused. Limits of control groups are not compared.",
        ],
    ),
    (
        "swapadm-undo",
        &[
            "The steps of the plan that stand are taken back, the last first, with the same checks and question as any change. It is refused, with exit status 2, where there is no such plan, where nothing of it stands, and where somebody has changed since what it changed: undo that first.",
            "What was done to the kernel ends when the machine is started again. After that only headers, swap files and files of --persist can be taken back. What compact, idle, writeback and recompress did, and what was moved, stays. --persist is refused: undo also takes back what the plan had made last.",
        ],
    ),
    (
        "swapadm-recover",
        &[
            "It looks at plans that are cut off or were left in part. An area that such a plan took off, and that is off, is put on again: with its new priority where its step was under way, with its old one where that had failed or was being taken back. A plan that changed more than areas - settings, zram devices, headers, files - is taken back, unless all of it was made. What a later plan or somebody else has decided since is left alone.",
            "The cgroups of runs of the stress lab that were killed are removed, with what still runs in them, and named; with --dry-run they are only named.",
            "After a restart only what outlasts it is put right: headers, swap files, and files of --persist.",
            "It asks nothing, as it only goes back to what was, and there is no check but that for the rights, which --dry-run needs as well. Each step stands for itself: where one fails the others are made, and the exit status is 5; recover can be run again. --timeout and --max-psi are looked at before each step only, and what was put right stays. --force and --persist are refused: no risk is taken, and files of the machine are put right without being asked for. It waits, as long as --wait says, for a helper that a killed swapadm left behind.",
        ],
    ),
];
