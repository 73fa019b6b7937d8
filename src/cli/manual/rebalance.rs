//! The sections of `rebalance`: what each strategy is for, and what scripts can rely on.

use super::{entry, paragraph, section, text};
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
    paragraph(
        roff,
        "With --json there is a document on standard output for each of them, but where the options themselves are not understood or the output cannot be written: strategy and findings say what was found, steps and commands the plan, checks what stands against it, outcome what came of it, and error why there is no outcome where no check says so. Each finding has the id of its kind, wrong, the sentences text and better, the areas, and as now and then how much there is and will be of what unit names. The form is described by swapadm-change-1.schema.json.",
    );
    timer(roff);
}

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
        "All areas of a class get the highest priority in it, so that they take turns; classes stay in the order they are in. Up to kernel 6.18 areas without a priority of their own are filled one after the other: they get a number.",
    );
    entry(
        roff,
        "numa",
        "Areas get default priorities, with which kernels up to 6.18 let processors prefer areas of their own NUMA node. Where that cannot be, the reason is told. zram that has a number keeps it, since it belongs to no node and would come after the disks.",
    );
    entry(
        roff,
        "spread",
        "Areas of one priority that hold more than their part are emptied, where the skew (see swapadm-groups(8)) is at least what --skew says and gets well below it by that. What was on them is in memory then; as far as it is swapped out again, it goes to all of them in turns. Full areas that are smaller than the others are no imbalance, areas of several classes cannot be even, and of less than 8 MiB for each area nothing is said.",
    );
    entry(
        roff,
        "custom FILE",
        "Each line names an area and its priority, as AREA PRIORITY or AREA=PRIORITY: a path, a name, LABEL= or UUID=, and a number from 0 to 32767 or default. Areas that are not named stay as they are.",
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
        "It changes nothing where nothing is wrong, waits for another swapadm, gives up when it takes too long or tasks wait for memory, and says what it did as JSON. As a service of systemd, started by a timer with OnCalendar=daily:",
    );
    roff.control("nf", []);
    for line in SERVICE {
        roff.text([roman(line)]);
    }
    roff.control("fi", []);
    paragraph(
        roff,
        "A monitor, which needs no rights, runs swapadm rebalance spread --check --json.",
    );
}

const SERVICE: [&str; 5] = [
    "[Service]",
    "Type=oneshot",
    "ExecStart=swapadm rebalance spread --yes --json --max-psi 10 --timeout 10m --wait 60",
    "# Also what it stopped in time is no failure",
    "SuccessExitStatus=4",
];

const EXITS: [(Exit, &str); 7] = [
    (Exit::Done, "Nothing is wrong, or all of the plan was done, or it was only to be shown."),
    (Exit::Wrong, "With --check alone: something is wrong. Nothing was changed."),
    (Exit::Usage, "The arguments or the file make no sense, or nobody can be asked."),
    (
        Exit::Refused,
        "A check stands against it, the strategy cannot be had on this machine, the person said no, or another swapadm is changing swap. Nothing was changed.",
    ),
    (Exit::Undone, "It failed or was stopped, and everything is as it was."),
    (Exit::Partial, "It failed or was stopped, and some of it stands: see swapadm journal."),
    (Exit::Failed, "A file could not be read or written, or the areas could not be read at all."),
];
