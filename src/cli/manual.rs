//! The manual: one page for the program, one for each command.
//!
//! What clap knows it renders. Prose stands in the templates of `manual/`; columns, exit codes, files and
//! figures that need a definition are made of the same data as the program itself (`parts`).

mod parts;

use super::generate::{GeneratedFile, command};
use crate::columns::{Spec, TABLES, tables};
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
pub fn pages() -> io::Result<Vec<GeneratedFile>> {
    let program = command();
    let mut pages = vec![page(&program, "swapadm")?];
    for inner in documented(&program) {
        let name = format!("swapadm-{}", inner.get_name());
        pages.push(page(inner, &name)?);
        for below in documented(inner) {
            pages.push(page(below, &format!("{name}-{}", below.get_name()))?);
        }
    }
    Ok(pages)
}

/// The commands below that have a page; `help` is explained by itself.
fn documented(command: &clap::Command) -> impl Iterator<Item = &clap::Command> {
    command.get_subcommands().filter(|it| !it.is_hide_set() && it.get_name() != "help")
}

fn page(command: &clap::Command, name: &str) -> io::Result<GeneratedFile> {
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
    sections(command, name, &mut roff);
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
        prose(roff, include_str!("manual/without-command.in"));
    }
}

/// What stands between the options and the examples of a page.
fn sections(command: &clap::Command, name: &str, roff: &mut Roff) {
    let own = template(name);
    match own {
        Some(own) => prose(roff, own),
        None => columns(name.trim_start_matches("swapadm-"), roff),
    }
    details(name, roff);
    let changes = command.get_arguments().any(|it| it.get_id() == "dry_run");
    // Some say more exactly how they end.
    if changes && !own.is_some_and(|own| own.contains("# EXIT STATUS")) {
        prose(roff, include_str!("manual/changes.in"));
    }
}

/// The template of a page.
fn template(name: &str) -> Option<&'static str> {
    Some(match name {
        "swapadm" => include_str!("manual/swapadm.in"),
        "swapadm-advise" => include_str!("manual/swapadm-advise.in"),
        "swapadm-clusters" => include_str!("manual/swapadm-clusters.in"),
        "swapadm-experiment" => include_str!("manual/swapadm-experiment.in"),
        "swapadm-experiment-keys" => include_str!("manual/swapadm-experiment-keys.in"),
        "swapadm-experiment-run" => include_str!("manual/swapadm-experiment-run.in"),
        "swapadm-journal" => include_str!("manual/swapadm-journal.in"),
        "swapadm-mthp" => include_str!("manual/swapadm-mthp.in"),
        "swapadm-persist-check" => include_str!("manual/swapadm-persist-check.in"),
        "swapadm-rebalance" => include_str!("manual/swapadm-rebalance.in"),
        "swapadm-report" => "{columns-of-others}",
        "swapadm-results" => include_str!("manual/swapadm-results.in"),
        "swapadm-set" => include_str!("manual/swapadm-set.in"),
        "swapadm-status" => include_str!("manual/swapadm-status.in"),
        "swapadm-stress-keys" => include_str!("manual/swapadm-stress-keys.in"),
        "swapadm-stress-run" => include_str!("manual/swapadm-stress-run.in"),
        "swapadm-watch" => include_str!("manual/swapadm-watch.in"),
        _ => return None,
    })
}

/// Blocks that several pages share.
fn fragment(name: &str) -> &'static str {
    match name {
        "change-members" => include_str!("manual/change-members.in"),
        "numbered" => include_str!("manual/numbered.in"),
        _ => include_str!("manual/timer.in"),
    }
}

/// Writes what a page says below DETAILS: the template has a section for one page or several.
fn details(name: &str, roff: &mut Roff) {
    let is_of = |pages: &str| pages.split(' ').any(|page| page == name);
    let mut sections = include_str!("manual/details.in").trim_start_matches("# ").split("\n\n# ");
    let found = sections.find_map(|section| {
        let (pages, words) = section.split_once("\n\n")?;
        is_of(pages).then_some(words)
    });
    if let Some(words) = found {
        prose(roff, &format!("# DETAILS\n\n{words}"));
    }
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

/// Writes a template: blocks with blank lines between. `# ` begins a section, and `- ` an entry, of which the first
/// line is the head. A block `{NAME}` stands for a part that is made of the code.
fn prose(roff: &mut Roff, template: &str) {
    let mut is_first = false;
    for block in template.trim_end().split("\n\n") {
        let part = block.strip_prefix('{').and_then(|block| block.strip_suffix('}'));
        let item = block.strip_prefix("- ").and_then(|block| block.split_once('\n'));
        match (block.strip_prefix("# "), item, part) {
            (Some(heading), ..) => section(roff, heading),
            (_, Some((head, words)), _) => entry(roff, head, words),
            (.., Some(part)) => parts::write(roff, part),
            _ if is_first => text(roff, &parts::figures(block)),
            _ => paragraph(roff, &parts::figures(block)),
        }
        is_first = block.starts_with("# ");
    }
}

fn entry(roff: &mut Roff, head: &str, text: &str) {
    roff.control("TP", []);
    roff.text([bold(head)]);
    roff.text([roman(text)]);
}

#[cfg(test)]
mod tests {
    #[test]
    fn templates_name_only_parts_that_are_known() {
        for (name, page) in super::pages().unwrap() {
            let page = String::from_utf8(page).unwrap();
            let is_part = |line: &&str| line.starts_with('{') && line.ends_with('}');
            let unknown: Vec<&str> = page.lines().filter(is_part).collect();
            assert!(unknown.is_empty(), "{name}: {unknown:?}");
        }
    }
}
