//! Loads: the cage they run in, what ends them, what is measured, and the files they are made of.

use super::{entry, paragraph, section, text};
use crate::cli::commands::change::form::lab::OF_STRESS;
use crate::config::Line;
use crate::stress::keys::KEYS;
use clap_mangen::roff::Roff;

/// What `stress run` does beyond its options.
pub(super) fn run(roff: &mut Roff) {
    section(roff, "THE CAGE");
    text(
        roff,
        "Each process of a load begins in a cgroup of its own with the memory limit of the run: version 1 or 2, whichever has the memory controller. It is called swapadm-lab with the number of swapadm behind it, and is removed after the run. The processes are the first that the kernel kills when memory runs out, and they die with swapadm. What does not fit into the cage goes to swap; when swap is full as well, the kernel ends processes of the cage, and nobody else.",
    );
    paragraph(
        roff,
        "Without root a cage needs a cgroup of version 2 that was delegated to the user, as systemd-run --user --scope -p Delegate=yes has one. Areas and knobs can be lent by root only.",
    );
    paragraph(
        roff,
        "--zram, --file and --set lend the run areas and knobs by a plan like those of other commands: it stands in the journal, is taken back after the run, and by swapadm recover where swapadm was killed. One swapadm changes swap at a time; a run that is lent something holds that lock until it ends.",
    );
    paragraph(
        roff,
        "From zram the kernel reads page by page, with few exceptions: what is said of readahead and page-cluster shows in files. Those of --file are made like the ones of swapadm file create, and under the same conditions: on ext4, xfs or btrfs, in a folder that others cannot change, with room to spare for all of them together, which is looked at before the first is made. They are called swapadm-lab with the number of swapadm and their own behind it, lie in /var/tmp or where --file-in says, and are removed after the run.",
    );
    paragraph(
        roff,
        "Without --limit the cage has what the load says, but no more than lets what goes to swap fill four fifths of it, where the load tells sizes as shares of the limit.",
    );
    section(roff, "GUARD RAILS");
    text(
        roff,
        "Before the first byte it is reckoned whether the machine can hold the load: the cage, what zram takes for what is swapped to it (all of it, where contents need not compress), and what is to stay available. A load that does not fit is refused; one that takes more than swap holds is told to end early. While it runs it is ended by any of these:",
    );
    for (rail, meaning) in RAILS {
        entry(roff, rail, meaning);
    }
    paragraph(
        roff,
        "A run that was ended early has the exit status 4; what was measured until then is kept.",
    );
    section(roff, "MEASUREMENT");
    text(
        roff,
        "Processes of a load are started, take their memory, wait for each other where the load says so, touch it, wait again, and give it back. Throughput counts the bytes a process has touched by the time from the start to its last touch: 8 bytes for each touch of a word, as usemem counts, and a page for each touch of a page, so that loads with another touch are not to be compared by it; free latency is the time that munmap or the end of the process takes. The latency of each touch is in a histogram; what kind of fault it met is asked for one touch in 97, as asking costs more than a touch. What the loop and its clock cost by themselves is measured before each run, and shown as own cost. Counters of the kernel are those of the whole machine: on a busy one they count others too.",
    );
    paragraph(
        roff,
        "swapadm looks at the machine four times a second meanwhile, from outside of the cage, and in the first seconds more often at what is used of the areas, so that runs of less than a second are seen too. The same seed gives the same order of touches and the same contents; where several processes run at once the kernel decides who comes first.",
    );
    paragraph(
        roff,
        "On a terminal a line tells how far it is to make what the run is lent (preparing) and to take that back (giving back), and in between how far the run is: as a mean over all processes which part of the memory is filled, or which part of the touches or of the time is over (whatever is more); or how much has left the areas that are switched off; and for how long that has gone on. How long the rest of it takes the slowest of them follows once it has gone on for two seconds and a twentieth of it is done. Where nobody knows how far it is, the line tells how many of the processes have done their part. They are called swapadm-load in lists of processes.",
    );
    section(roff, "LINES OF USEMEM");
    text(
        roff,
        "--usemem-lines prints, process by process, what the program of that name prints: it counts an eighth more bytes than are touched, and its time begins before the first process is started. All other figures here count what was touched.",
    );
    section(roff, "JSON");
    text(
        roff,
        "--json prints one document, which swapadm-stress-run-1.schema.json describes; where an error comes first there are schema and error alone. Its members are",
    );
    for (member, meaning) in OF_STRESS {
        entry(roff, member, meaning);
    }
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
    section(roff, "FILES OF LOADS");
    text(
        roff,
        "A load is a file in TOML: keys of the whole load, and a table [[work]] for each group of processes that all do the same. swapadm stress show prints those that are built in, to begin with. Sizes have a unit; shares are percentages. What is wrong with a file is told all at once, with line and key, before anything is made.",
    );
    paragraph(
        roff,
        "Files in swapadm/loads below $XDG_CONFIG_HOME, or below ~/.config, are loads of your own: mine.toml there is known as mine to stress run, list and show, to the load of an experiment, and in the Lab. What is built in keeps its names. stress list tells of one that is wrong the first that is, and --json has the file of each, which is null of those that are built in. Under sudo the home folder is mostly that of root.",
    );
    of_tables(roff, KEYS.lines());
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
