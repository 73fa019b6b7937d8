//! The sections of `rebalance`: what each strategy is for, and what scripts can rely on.

use super::{changes, entry, paragraph, section, text};
use crate::actions::rebalance::KINDS;
use crate::cli::exit::Exit;
use clap_mangen::roff::{Roff, roman};

/// Below the options.
pub(super) fn sections(roff: &mut Roff) {
    strategies(roff);
    findings(roff);
    section(roff, "EXIT STATUS");
    text(roff, "These are a contract with scripts, as is the form of what --json prints:");
    for (exit, meaning) in EXITS {
        entry(roff, &exit.code().to_string(), meaning);
    }
    document(roff);
    timer(roff);
}

fn document(roff: &mut Roff) {
    section(roff, "JSON");
    text(
        roff,
        "With --json there is one document on standard output for each of these, but where the options themselves are not understood or the output cannot be written. The form is described by swapadm-change-1.schema.json. With --check, checks is empty. Its members are",
    );
    changes::document(&MEMBERS, roff);
}

/// What others have not.
const MEMBERS: [(&str, &str); 2] = [
    ("strategy", "The strategy."),
    (
        "findings",
        "What was found: each has the id of its kind, wrong (is it put right, or only to be known), the sentences text and better, the areas, and as now and then how much there is and will be of what unit names.",
    ),
];

fn strategies(roff: &mut Roff) {
    section(roff, "STRATEGIES");
    text(
        roff,
        "Areas belong to classes of speed: zram, solid state, rotational, network. A device is rotational when the kernel believes so (queue/rotational), which it does of virtio disks too; a swap file is as its disk, a loop device as what is behind it, and network are nbd, rbd and files on NFS, CIFS, 9p and the like. Of what is not known nothing is decided: it is named, and left as it is.",
    );
    entry(
        roff,
        "tiered",
        "This one, if none is named. Faster classes get higher priorities, and all areas of a class one. As many areas as possible keep theirs; of the others those are changed on which the least lies. New numbers are multiples of 10 where these fit.",
    );
    entry(
        roff,
        "equal",
        "All areas of a class get the highest priority in it, so that they take turns; classes stay in the order they are in. Where the highest would put an area level with one of a faster class or above it that stood below, they get a lower one. A slower class of which all stands above a faster one stays there, and a note says so. Up to kernel 6.18 areas without a priority of their own are filled one after the other: they get a number, and are not preferred by their NUMA nodes any more, which it says.",
    );
    entry(
        roff,
        "numa",
        "Areas get default priorities, with which kernels up to 6.18 let processors prefer areas of their own NUMA node. Behind those of the own node stand all others in the order in which they are switched on, each until it is full: so they are put on faster classes first, and within a class in the order they had, and an area whose default priority comes too early is put on once more. An area of no known class keeps its place among the others. Where that cannot be, where nodes would prefer an area of their own that is slower than others, and on other kernels it is refused, with the reason. zram stays as it is: it belongs to no node, and with a default priority comes after each node's own disks.",
    );
    entry(
        roff,
        "spread",
        "Areas of one priority that hold more than their part are emptied, where the skew (see swapadm-groups(8)) is at least what --skew says and gets well below it by that. What was on them is in memory then; as far as it is swapped out again, it goes to all of them in turns. Full areas that are smaller than the others are no imbalance, areas of several classes cannot be even, large folios lie on block devices alone since files do not take them whole, and of less than 8 MiB for each area nothing is said.",
    );
    entry(
        roff,
        "custom FILE",
        "Each line names an area and its priority, as AREA PRIORITY or AREA=PRIORITY: a path, a name, LABEL= or UUID=, and a number from 0 to 32767 or default. Areas that are not named stay as they are. Of several that get default priorities the one with the least on it is put on first, which decides up to kernel 6.18.",
    );
}

fn findings(roff: &mut Roff) {
    section(roff, "FINDINGS");
    for (id, meaning) in KINDS {
        entry(roff, id, meaning);
    }
    paragraph(
        roff,
        "Something is wrong only where this strategy puts it right: after that, it finds nothing wrong. The rest are notes.",
    );
}

fn timer(roff: &mut Roff) {
    section(roff, "RUN BY A TIMER");
    text(
        roff,
        "A service of systemd, as root, and its timer; swapadm rebalance tiered goes the same way:",
    );
    lines(roff, &SERVICE);
    for (when, what) in TIMED {
        entry(roff, when, what);
    }
    paragraph(
        roff,
        "A monitor, which needs no rights and takes no lock, runs swapadm rebalance spread --check --json.",
    );
}

fn lines(roff: &mut Roff, lines: &[&str]) {
    roff.control("nf", []);
    for line in lines {
        roff.text([roman(*line)]);
    }
    roff.control("fi", []);
}

const SERVICE: [&str; 17] = [
    "# /etc/systemd/system/swap-spread.service",
    "[Unit]",
    "Description=Spread swap over areas of one priority",
    "[Service]",
    "Type=oneshot",
    "ExecStart=swapadm rebalance spread --yes --json --max-psi 10 --timeout 10m --wait 60",
    "# What was stopped in time and is as it was is no failure",
    "SuccessExitStatus=4",
    "",
    "# /etc/systemd/system/swap-spread.timer",
    "[Timer]",
    "OnCalendar=daily",
    "RandomizedDelaySec=1h",
    "[Install]",
    "WantedBy=timers.target",
    "",
    "# systemctl enable --now swap-spread.timer",
];

/// What a timer meets, and what it does then.
const TIMED: [(&str, &str); 7] = [
    (
        "Nothing is wrong",
        "It changes nothing, takes no lock, and ends with 0: steps is empty, and outcome null.",
    ),
    (
        "Another swapadm is changing swap",
        "It waits as long as --wait says, which is not at all if it is not said, and then ends with 3. After a second the plan is checked again on the machine as it is then.",
    ),
    (
        "It takes longer than --timeout",
        "It ends with 4, and all is as it was; with spread what was emptied already stays so, and it ends with 5. To put things back takes the time that it takes.",
    ),
    (
        "Tasks wait for memory",
        "It gives up in the same way when they do for more than --max-psi. Where the kernel does not tell (psi=0, or built without it) it ends with 2 at once, also where nothing is wrong.",
    ),
    (
        "There is too little memory, or a control group is at its limit",
        "A check refuses, which it names, and it ends with 3. Only --force with its name takes the risk; a timer should not.",
    ),
    (
        "The class of an area is not known",
        "The area is left as it is, a finding of the kind unknown says why, and the others are put right. That alone is not wrong: the exit status stays 0.",
    ),
    (
        "It is stopped, or killed",
        "At SIGTERM it goes back as at the end of its time; an area that is off is put on again also when it is killed, and what is left swapadm recover puts right.",
    ),
];

const EXITS: [(Exit, &str); 7] = [
    (
        Exit::Done,
        "Nothing is wrong, or all of the plan was done, or it was only to be shown and no check refuses it.",
    ),
    (Exit::Wrong, "With --check alone: something is wrong. Nothing was changed."),
    (
        Exit::Usage,
        "The arguments or the file make no sense, --max-psi cannot be kept, or nobody can be asked since there is neither a terminal nor --yes.",
    ),
    (
        Exit::Refused,
        "A check stands against it (also with --dry-run), the strategy cannot be had on this machine, the person said no, or another swapadm is changing swap. Nothing was changed.",
    ),
    (Exit::Undone, "It failed or was stopped, and everything is as it was."),
    (
        Exit::Partial,
        "It failed or was stopped, and some of it stands, or an area is off: see swapadm journal. With spread what was emptied stays so, and the next run goes on.",
    ),
    (Exit::Failed, "A file could not be read or written, or the areas could not be read at all."),
];
