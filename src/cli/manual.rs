//! The manual: one page for the program, one for each command.
//!
//! What clap knows it renders; sections about columns, exit codes, files and the figures that
//! need a definition are made here from the same data as the program itself.

mod changes;
mod interface;
mod rebalance;
mod results;
mod stress;

use super::exit::Exit;
use super::generate::{Document, command};
use crate::actions::check::RISKS;
use crate::advice::RULES;
use crate::columns::{Spec, TABLES, tables};
use crate::derive::clusters;
use crate::derive::state::State;
use crate::model::cgroup::CgroupVersion;
use crate::model::clusters::View as ClusterView;
use crate::model::knob::{CGROUP_KNOBS, KNOBS};
use crate::probes::{self, PROBES, Probe};
use clap::ArgAction;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, italic, roman};
use std::io;

/// When the manual last changed in a way that readers should know of.
const DATE: &str = "2026-11-21";

/// All pages, of section 8.
///
/// # Errors
/// Never in fact: they are written into memory.
pub fn pages() -> io::Result<Vec<Document>> {
    let program = command();
    let mut pages = vec![page(&program, "swapadm", program_sections)?];
    for inner in documented(&program) {
        let name = inner.get_name().to_owned();
        pages.push(page(inner, &format!("swapadm-{name}"), |roff| command_sections(&name, roff))?);
        for below in documented(inner) {
            let whole = format!("swapadm-{name}-{}", below.get_name());
            pages.push(page(below, &whole, |_| ())?);
        }
    }
    Ok(pages)
}

/// The commands below that have a page; `help` is explained by itself.
fn documented(command: &clap::Command) -> impl Iterator<Item = &clap::Command> {
    command.get_subcommands().filter(|it| !it.is_hide_set() && it.get_name() != "help")
}

fn page(command: &clap::Command, name: &str, more: impl FnOnce(&mut Roff)) -> io::Result<Document> {
    let titled = command.clone().name(name.to_owned()).display_name(name).version("");
    let man = Man::new(titled)
        .title(name.to_uppercase())
        .section("8")
        .source(format!("swapadm {}", env!("CARGO_PKG_VERSION")))
        .manual("System Administration")
        .date(DATE);
    let mut bytes = Vec::new();
    man.render_title(&mut bytes)?;
    man.render_name_section(&mut bytes)?;
    let mut head = Roff::new();
    synopsis(command, name, &mut head);
    head.to_writer(&mut bytes)?;
    man.render_options_section(&mut bytes)?;
    let mut roff = Roff::new();
    subcommands(command, name, &mut roff);
    more(&mut roff);
    changes::sections(command, name, &mut roff);
    examples(command, &mut roff);
    see_also(name, &mut roff);
    roff.to_writer(&mut bytes)?;
    Ok((format!("{name}.8"), bytes))
}

/// The pages of the commands below.
fn subcommands(command: &clap::Command, name: &str, roff: &mut Roff) {
    let mut below = documented(command).peekable();
    if below.peek().is_some() {
        section(roff, "SUBCOMMANDS");
    }
    for inner in below {
        let about = inner.get_about().map(ToString::to_string).unwrap_or_default();
        entry(roff, &format!("{name}-{}(8)", inner.get_name()), &about);
    }
}

/// How it is called, and what it does beyond its name.
fn synopsis(command: &clap::Command, name: &str, roff: &mut Roff) {
    section(roff, "SYNOPSIS");
    let is_program = name == "swapadm";
    let called = name.replace('-', " ");
    let places = command.get_positionals().map(|place| {
        let names = place.get_value_names().unwrap_or_default();
        let name = names.first().map_or(place.get_id().as_str(), |name| name.as_str());
        let many = matches!(place.get_action(), ArgAction::Append);
        let name = if place.is_required_set() { name.to_owned() } else { format!("[{name}]") };
        if many { name + "..." } else { name }
    });
    let places: Vec<String> = places.collect();
    let more = match documented(command).next() {
        Some(_) if is_program => "[COMMAND]".to_owned(),
        Some(_) => "COMMAND".to_owned(),
        None => places.join(" "),
    };
    roff.text([bold(called), roman(" [OPTION]... "), italic(more)]);
    section(roff, "DESCRIPTION");
    let table = name.strip_prefix("swapadm-").and_then(tables::find);
    match table {
        Some(spec) => text(roff, &format!("{}.", spec.about)),
        None => {
            text(roff, &command.get_about().map(|about| format!("{about}.")).unwrap_or_default());
        }
    }
    if is_program {
        paragraph(
            roff,
            "Without a command the interface opens, which swapadm-watch(8) describes; where there is no terminal the status is printed. Figures that are rates compare two samples: reports take them half a second apart and say so, --interval goes on with them. A percentage of <0.1% is more than nothing, and >99% is less than all. Sizes are shown in powers of 1024. Those that are typed may have a unit, in capitals or not, as util-linux reads it: K and KiB are 1024 bytes, KB is 1000; likewise M, G, T, P and E.",
        );
    }
}

fn program_sections(roff: &mut Roff) {
    section(roff, "MISSING VALUES");
    text(
        roff,
        "A value that is absent on this kernel, denied to these rights, or unreadable is shown as - in a table and as null in JSON, never as 0. --explain says why below the table; JSON has the reason beside the value, under missing.",
    );
    section(roff, "JSON");
    text(
        roff,
        "Numbers are in base units: bytes, seconds, shares from 0 to 1. The form is described by the schema that comes with the program; its version is the key schema, which grows when a key is removed or changes its meaning. With --interval each sample is one line.",
    );
    paragraph(
        roff,
        "Names of files are bytes. In JSON and CSV a backslash in a name is doubled, and bytes that are not UTF-8 are written \\xNN.",
    );
    section(roff, "FILTERS");
    text(
        roff,
        "COLUMN OP VALUE, joined by & (and), | (or), ! (not) and parentheses. COLUMN is the name of a column or its heading, whatever the case; a word that is neither is told with all names that there are. OP is one of = != > >= < <= ~ !~, where ~ means that the text contains the value, whatever the case. Sizes take K, M, G and T, shares take %, times us, ms, s, m and h. A moment is the same as far as it is typed: 2026-11-21 is all of that day. VALUE - means missing. A bare word is looked for in all that is shown.",
    );
    changing(roff);
    changes::json(roff);
    section(roff, "EXIT STATUS");
    for (exit, meaning) in Exit::ALL {
        entry(roff, &exit.code().to_string(), meaning);
    }
    section(roff, "ENVIRONMENT");
    entry(roff, "SWAPADM_ROOT", "A captured tree to read instead of this machine; --sysroot wins.");
    entry(
        roff,
        "SWAPADM_INTERVAL, SWAPADM_COLOR, SWAPADM_GLYPHS, NO_COLOR",
        "Settings of the interface: see swapadm-watch(8).",
    );
    entry(
        roff,
        "XDG_CONFIG_HOME, XDG_STATE_HOME",
        "Where the settings, the loads and experiments of your own, and the recordings made in the interface are kept, in a folder swapadm; ~/.config and ~/.local/state where they are not set.",
    );
    entry(roff, "SWAPADM_JOURNAL", "The journal, instead of /var/lib/swapadm/journal.jsonl.");
    entry(
        roff,
        "SWAPADM_RESULTS",
        "The folder of results, instead of swapadm/results below XDG_STATE_HOME: see swapadm-results(8).",
    );
    entry(roff, "COLUMNS", "Width of the terminal, where it does not say so itself.");
    section(roff, "FILES");
    for probe in PROBES {
        let files: Vec<String> = probe.files.iter().map(|file| format!("/{file}")).collect();
        // One asks about the files that carry areas, wherever they are.
        let files = if files.is_empty() { "swap files".to_owned() } else { files.join(" ") };
        entry(roff, &files, &format!("{}.", probe.about));
    }
    entry(
        roff,
        "/var/lib/swapadm/journal.jsonl",
        "What was changed, a line of JSON for each event.",
    );
    entry(roff, "/run/swapadm.lock", "Locked while swap is being changed; it says by whom.");
    section(roff, "TABLES");
    for spec in TABLES {
        entry(roff, spec.name, &format!("{}.", spec.about));
    }
}

/// What all commands that change something have in common.
fn changing(roff: &mut Roff) {
    section(roff, "CHANGING SWAP");
    text(
        roff,
        "Commands that change something show a plan: its steps, what must be moved and whether it fits elsewhere, what stands against it, and the same as lines for a shell. They ask before they do it; --yes does not ask, --dry-run only shows, --json is for scripts, and tells of failures under error. A check that refuses ends the command with status 3; where it names a risk that can be taken, --force with its name takes it. A command takes the risks that its checks can name, which are some of these:",
    );
    for (risk, meaning) in RISKS {
        entry(roff, risk, &format!("{}.", capital(meaning)));
    }
    paragraph(
        roff,
        "What fails, or is stopped by Ctrl-C, SIGTERM, a closed terminal, --timeout or --max-psi, is taken back. Each step stands in the journal before it is made; recover puts on what a program that was killed left off. One swapadm changes swap at a time.",
    );
    paragraph(
        roff,
        "--timeout and --wait take seconds, or a time such as 500ms or 5m. --max-psi needs a kernel that tells of waits (PSI, /proc/pressure/memory), and is refused elsewhere. Both limits are looked at before each step, and again and again while an area is emptied, a file is made or zram is at work. The way back is never cut short by them, but before memory runs out: see swapadm-off(8). --pace, which needs PSI as well, lets the emptying of an area rest instead of giving it up, and is refused where none is emptied: see swapadm-off(8).",
    );
    paragraph(
        roff,
        "The kernel cannot change the priority of an area that is on, nor whether its device is told of free space: the area is taken off and put on again. How it discards is known from the kernel's log; where that has no line of it any more, no discarding is assumed. A default priority cannot be asked for by number.",
    );
    paragraph(
        roff,
        "With --persist it is so at every start too: the file that sets an area or a setting up already is changed, else a line of /etc/fstab, or a file in /etc/sysctl.d or /etc/tmpfiles.d, is added. The lines that change are shown with the plan; what the file was stays beside it, its name ending in .swapadm-old. persist check tells what will be otherwise at the next start. zram devices last only where zram-generator is there, which makes them.",
    );
    paragraph(
        roff,
        "format keeps what it overwrites in the journal, and undo puts it back byte by byte, also after a restart; what has been swapped over it since is lost. file makes a swap file whole or not at all, on ext4, xfs or btrfs, with its place on the disk, for root only, and follows no link.",
    );
    paragraph(
        roff,
        "A zram device is reset before it gets another size or algorithm, and with that all that is on it is lost: swap on it is taken off before, formatted again with the same label and UUID, and put on as it was. No device is reset that anybody has open. What compact, idle, writeback and recompress did cannot be taken back; on some kernels nobody can stop them either: then swapadm ends, and the kernel goes on.",
    );
}

/// How advice can end.
const ADVISE: [Exit; 5] = [Exit::Done, Exit::Wrong, Exit::Usage, Exit::Failed, Exit::Critical];
/// How a look at clusters can.
const CLUSTERS: [Exit; 3] = [Exit::Done, Exit::Usage, Exit::Failed];

fn command_sections(name: &str, roff: &mut Roff) {
    match name {
        "advise" => {
            rules_section(roff);
            changes::exits(&ADVISE, roff);
        }
        "status" => status_section(roff),
        "mthp" => {
            causes_section(roff);
            columns(name, roff);
        }
        "watch" => interface::sections(roff),
        "set" => settings_sections(roff),
        "rebalance" => rebalance::sections(roff),
        "results" => results::sections(roff),
        "experiment" => stress::experiment(roff),
        "clusters" => {
            views_section(roff);
            columns(name, roff);
            changes::exits(&CLUSTERS, roff);
        }
        "report" => {
            TABLES.iter().filter(|spec| !has_command(spec)).for_each(|spec| columns_of(spec, roff));
        }
        name => columns(name, roff),
    }
}

/// What stands below the sizes of folios.
fn causes_section(roff: &mut Roff) {
    section(roff, "WHY FOLIOS ARE SPLIT");
    text(
        roff,
        "Below a table that is printed once stands for each of its sizes that was ever split what stands in the way of it now, and how sure that is. The kernel counts that folios are split, and not why: the cause is found from the areas and their clusters as they are. Where no other view of clusters tells, the page tables of all processes are gone through, which takes root. With --interval the column cause says what can be said without that.",
    );
}

/// The views of clusters, by what `--view` takes.
static VIEWS: [(ClusterView, &str, &Probe); 3] = [
    (ClusterView::Kernel, "kernel", &probes::clusters::kernel::PROBE),
    (ClusterView::Stored, "zram", &probes::clusters::stored::PROBE),
    (ClusterView::Mapped, "tables", &probes::clusters::mapped::PROBE),
];

/// Where clusters come from.
fn views_section(roff: &mut Roff) {
    section(roff, "VIEWS");
    text(
        roff,
        "The kernel hands slots out by clusters, and shows none of it. Three views lead there; the best that this kernel and these rights allow is taken for each area, and named.",
    );
    for (view, choice, probe) in VIEWS {
        let head = format!("{} (--view {choice})", clusters::word(view));
        let text = format!("Misses {}. For it, {}.", clusters::misses(view), probe.remedy);
        entry(roff, &head, &text);
    }
    section(roff, "A CLOSER LOOK");
    text(
        roff,
        "Areas that are named, and --json, bring more tables: room by folio size, clusters by use, which cgroups own the slots (kernel 7.2 and later), what zram has stored by its marks and its age, and where each processor takes the next slot. Owners and next slots take the view of the kernel, and what zram has stored takes root, debugfs and a kernel with CONFIG_ZRAM_MEMORY_TRACKING.",
    );
    let [kernel, zram, tables] = VIEWS
        .map(|(view, ..)| format!("{} (view {})", clusters::legend(view), clusters::word(view)));
    let legend = format!(
        "--cluster takes one AREA, goes with neither --map nor --interval, and draws each slot of one cluster: {kernel}; {zram}; {tables}."
    );
    text(roff, &legend);
    text(
        roff,
        "With --interval each table says beside its figures what changed since the one before: clusters that came into use, were emptied, or were filled, the lists of the kernel, and the room for each size of folio.",
    );
}

/// What can be set, with what it takes today.
fn settings_sections(roff: &mut Roff) {
    section(roff, "KNOBS");
    for knob in KNOBS {
        entry(roff, knob.id, &format!("{} Takes {}.", knob.help, knob.kind.takes(None)));
    }
    entry(
        roff,
        "thp.SIZEkB.enabled, thp.SIZEkB.shmem_enabled",
        "The same for huge pages of one size, such as thp.64kB.enabled (kernel 6.8 and later).",
    );
    section(roff, "CONTROL GROUPS");
    text(roff, "With --cgroup, on the version of control groups that holds the memory controller:");
    for knob in CGROUP_KNOBS {
        let version = match knob.version {
            CgroupVersion::V1 => 1,
            CgroupVersion::V2 => 2,
        };
        entry(roff, knob.id, &format!("{} (version {version})", knob.help));
    }
}

/// Has this table a command, and so a page, of its own?
fn has_command(spec: &Spec) -> bool {
    spec.command.is_some() || command().get_subcommands().any(|inner| inner.get_name() == spec.name)
}

/// The columns of the tables that a command shows.
fn columns(command: &str, roff: &mut Roff) {
    let is_shown = |spec: &&Spec| spec.command.unwrap_or(spec.name) == command;
    TABLES.iter().filter(is_shown).for_each(|spec| columns_of(spec, roff));
}

fn columns_of(spec: &Spec, roff: &mut Roff) {
    section(roff, &format!("COLUMNS OF {}", spec.name.to_uppercase()));
    text(
        roff,
        &format!(
            "{}. Behind its name stands the heading of a column, where it is another; columns marked * are shown when none are chosen.",
            spec.about
        ),
    );
    for info in (spec.infos)() {
        let mark = if spec.default.contains(&info.id) { " *" } else { "" };
        roff.control("TP", []);
        let differs = !info.head.eq_ignore_ascii_case(info.id);
        let head = if differs { format!(" {}", info.head) } else { String::new() };
        roff.text([bold(info.id), roman(format!("{head}{mark}  ({})", info.unit.word()))]);
        roff.text([roman(format!("{} From ", info.meaning())), italic(info.source), roman(".")]);
    }
}

/// What advice looks for.
fn rules_section(roff: &mut Roff) {
    section(roff, "RULES");
    text(
        roff,
        "What a rule finds is crit where it hurts now or soon, warn where it costs speed or memory or fails one day, and note where it is good to know and no fault. Behind certain, likely or hint, which say how sure it is, stand the figures that show it, each as TABLE.COLUMN of a report; fix is the command that puts it right, if one does: it shows its plan and asks before it changes anything. A healthy machine gets silence. Thresholds are set in the file of settings: see swapadm-watch(8), which tells what they are otherwise, and advise --explain RULE, which tells what they are set to. The columns of what is printed for scripts are those of findings in swapadm-report(8).",
    );
    for rule in RULES {
        entry(roff, rule.id, rule.about);
    }
}

fn status_section(roff: &mut Roff) {
    section(roff, "STATE");
    for state in State::ALL {
        entry(roff, state.words(), &state.meaning());
    }
    paragraph(
        roff,
        "The other lines are cells of the tables that report prints; each is explained in the page of its command. With --csv, --raw, --output or another option of tables, the row described below is printed instead of the page.",
    );
    columns("status", roff);
}

fn examples(command: &clap::Command, roff: &mut Roff) {
    let Some(text) = command.get_after_help() else { return };
    section(roff, "EXAMPLES");
    roff.control("nf", []);
    for line in text.to_string().lines().skip_while(|line| line.starts_with("Examples")) {
        roff.text([roman(line)]);
    }
    roff.control("fi", []);
}

fn see_also(name: &str, roff: &mut Roff) {
    let own = if name == "swapadm" { "" } else { "swapadm(8), " };
    section(roff, "SEE ALSO");
    text(roff, &format!("{own}swapon(8), zramctl(8), vmstat(8), proc(5)"));
}

/// With a large first letter.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn section(roff: &mut Roff, title: &str) {
    roff.control("SH", [title]);
}

/// The first paragraph of a section.
fn text(roff: &mut Roff, text: &str) {
    roff.text([roman(text)]);
}

/// A further paragraph.
fn paragraph(roff: &mut Roff, text: &str) {
    roff.control("PP", []);
    roff.text([roman(text)]);
}

/// Writes a template: blocks with blank lines between. `# ` begins a section, and `{NAME}` stands
/// for what is made of the code.
fn prose(roff: &mut Roff, template: &str, splice: &dyn Fn(&mut Roff, &str)) {
    let mut is_first = true;
    for block in template.trim_end().split("\n\n") {
        let part = block.strip_prefix('{').and_then(|block| block.strip_suffix('}'));
        match (block.strip_prefix("# "), part) {
            (Some(heading), _) => section(roff, heading),
            (None, Some(part)) => splice(roff, part),
            (None, None) if is_first => text(roff, block),
            (None, None) => paragraph(roff, block),
        }
        is_first = block.starts_with("# ");
    }
}

fn entry(roff: &mut Roff, head: &str, text: &str) {
    roff.control("TP", []);
    roff.text([bold(head)]);
    roff.text([roman(text)]);
}
