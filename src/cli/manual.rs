//! The manual: a page for the program, and one for each command.
//!
//! Options and examples come from clap, which has the examples from `manual/examples.in`. A page
//! begins with its paragraph in `manual/descriptions.in`; further prose is in the other templates of
//! `manual/`. Tables of columns, exit codes, files and figures are made from the data of the program
//! (`parts`).

mod parts;

use super::args::groups::GROUPS;
use super::args::page_section;
use super::generate::{GeneratedFile, command};
use crate::columns::select::column_names;
use crate::columns::{Info, Spec, TABLES};
use clap::ArgAction;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, italic, roman};
use std::io;

/// The date of the last change of the manual that matters to readers.
const DATE: &str = "2026-11-21";

/// The page on designs, which belongs to no command.
const DESIGNS: &str = "swapadm-designs";
/// Pages of commands that refer to it.
const USERS_OF_DESIGNS: [&str; 5] =
    ["swapadm", "swapadm-demo", "swapadm-learn", "swapadm-machine", "swapadm-what-if"];

/// All pages: of section 8 for commands, and of section 7 for designs. They are written into memory, so that errors do not occur in practice.
///
/// # Errors
/// Those of the roff writer.
pub fn pages() -> io::Result<Vec<GeneratedFile>> {
    let program = command();
    let mut pages = vec![page(&program, "swapadm")?, designs()?];
    for inner in documented(&program) {
        let name = format!("swapadm-{}", inner.get_name());
        pages.push(page(inner, &name)?);
        for below in documented(inner) {
            pages.push(page(below, &format!("{name}-{}", below.get_name()))?);
        }
    }
    Ok(pages)
}

/// The page that describes each design of the simulated machine.
fn designs() -> io::Result<GeneratedFile> {
    let mut roff = Roff::new();
    let source = format!("swapadm {}", env!("CARGO_PKG_VERSION"));
    let title = DESIGNS.to_uppercase();
    roff.control("TH", [title.as_str(), "7", DATE, source.as_str(), "System Administration"]);
    section(&mut roff, "NAME");
    text(
        &mut roff,
        "swapadm-designs - How kernels select swap areas, allocate slots and read ahead",
    );
    prose(&mut roff, include_str!("manual/swapadm-designs.in"));
    see_also(DESIGNS, &mut roff);
    let mut bytes = Vec::new();
    roff.to_writer(&mut bytes)?;
    Ok((format!("{DESIGNS}.7"), bytes))
}

/// The subcommands that have a page: all but hidden ones and `help`.
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

/// Lists the subcommands with their pages; those of the program by group.
fn subcommands(command: &clap::Command, name: &str, roff: &mut Roff) {
    let list = |roff: &mut Roff, inner: &clap::Command| {
        let about = inner.get_about().map(ToString::to_string).unwrap_or_default();
        entry(roff, &format!("{name}-{}(8)", inner.get_name()), &about);
    };
    if documented(command).next().is_none() {
        return;
    }
    section(roff, "SUBCOMMANDS");
    if name != "swapadm" {
        documented(command).for_each(|inner| list(roff, inner));
        return;
    }
    for group in GROUPS {
        roff.control("SS", [group.title]);
        group.members(command).for_each(|inner| list(roff, inner));
    }
}

/// Writes the synopsis and the description.
fn synopsis(command: &clap::Command, name: &str, roff: &mut Roff) {
    section(roff, "SYNOPSIS");
    let is_program = name == "swapadm";
    // Names of commands may have hyphens of their own.
    let own = command.get_name();
    let parents = name.strip_suffix(own).unwrap_or_default().replace('-', " ");
    let called = parents + own;
    let places = command.get_positionals().map(|place| {
        let names = place.get_value_names().unwrap_or_default();
        let name = names.first().map_or(place.get_id().as_str(), |name| name.as_str());
        let many = matches!(place.get_action(), ArgAction::Append);
        let name = if place.is_required_set() { name.to_owned() } else { format!("[{name}]") };
        if many { name + "..." } else { name }
    });
    let places: Vec<String> = places.collect();
    let more = match documented(command).next() {
        Some(_) if !command.is_subcommand_required_set() => "[COMMAND]".to_owned(),
        Some(_) => "COMMAND".to_owned(),
        None => places.join(" "),
    };
    roff.text([bold(called), roman(" [OPTION]... "), italic(more)]);
    section(roff, "DESCRIPTION");
    text(roff, description(name).unwrap_or_default());
    if is_program {
        prose(roff, include_str!("manual/without-command.in"));
    }
}

/// Writes the sections between the options and the examples.
fn sections(command: &clap::Command, name: &str, roff: &mut Roff) {
    let own = template(name);
    match own {
        Some(own) => prose(roff, own),
        None => columns(name.trim_start_matches("swapadm-"), roff),
    }
    details(name, roff);
    let changes = command.get_arguments().any(|it| it.get_id() == "dry_run");
    // Some pages describe their exit status themselves.
    if changes && !own.is_some_and(|own| own.contains("# EXIT STATUS")) {
        let text = include_str!("manual/changes.in");
        let checks = command.get_arguments().any(|it| it.get_id() == "check");
        // --check has an exit status of its own.
        let text = if checks { text.replace("{exits 0 ", "{exits 0 1 ") } else { text.to_owned() };
        prose(roff, &text);
    }
}

/// The template of the sections of a page.
fn template(name: &str) -> Option<&'static str> {
    Some(match name {
        "swapadm" => include_str!("manual/swapadm.in"),
        "swapadm-advise" => include_str!("manual/swapadm-advise.in"),
        "swapadm-apply" => include_str!("manual/swapadm-apply.in"),
        "swapadm-clusters" => include_str!("manual/swapadm-clusters.in"),
        "swapadm-experiment" => include_str!("manual/swapadm-experiment.in"),
        "swapadm-experiment-keys" => include_str!("manual/swapadm-experiment-keys.in"),
        "swapadm-experiment-run" => include_str!("manual/swapadm-experiment-run.in"),
        "swapadm-demo" => "# DEMONSTRATIONS\n\n{demos}",
        "swapadm-learn" => include_str!("manual/swapadm-learn.in"),
        "swapadm-learn-keys" => include_str!("manual/swapadm-learn-keys.in"),
        "swapadm-journal" => include_str!("manual/swapadm-journal.in"),
        "swapadm-metrics" => include_str!("manual/swapadm-metrics.in"),
        "swapadm-machine" => include_str!("manual/swapadm-machine.in"),
        "swapadm-machine-keys" => include_str!("manual/swapadm-machine-keys.in"),
        "swapadm-mthp" => include_str!("manual/swapadm-mthp.in"),
        "swapadm-persist-check" => include_str!("manual/swapadm-persist-check.in"),
        "swapadm-rebalance" => include_str!("manual/swapadm-rebalance.in"),
        "swapadm-report" => "{columns-of-others}",
        "swapadm-results" => include_str!("manual/swapadm-results.in"),
        "swapadm-results-compare" => "# EXIT STATUS\n\n{exits 0 2 6}",
        "swapadm-setup" => include_str!("manual/swapadm-setup.in"),
        "swapadm-set" => include_str!("manual/swapadm-set.in"),
        "swapadm-status" => include_str!("manual/swapadm-status.in"),
        "swapadm-stress-keys" => include_str!("manual/swapadm-stress-keys.in"),
        "swapadm-stress-run" => include_str!("manual/swapadm-stress-run.in"),
        "swapadm-watch" => include_str!("manual/swapadm-watch.in"),
        "swapadm-what-if" => include_str!("manual/swapadm-what-if.in"),
        _ => return None,
    })
}

/// Text that several pages share.
fn fragment(name: &str) -> &'static str {
    match name {
        "change-members" => include_str!("manual/change-members.in"),
        "numbered" => include_str!("manual/numbered.in"),
        _ => include_str!("manual/timer.in"),
    }
}

/// The paragraphs that describe pages, each below a heading with the name of its page.
const DESCRIPTIONS: &str = include_str!("manual/descriptions.in");

/// The paragraph with which a page begins.
fn description(name: &str) -> Option<&'static str> {
    page_section(DESCRIPTIONS, name)
}

/// Writes the section DETAILS of a page, if it has one.
fn details(name: &str, roff: &mut Roff) {
    if let Some(words) = page_section(include_str!("manual/details.in"), name) {
        prose(roff, &format!("# DETAILS\n\n{words}"));
    }
}

/// Writes the columns of the tables that a command shows.
fn columns(command: &str, roff: &mut Roff) {
    let is_shown = |spec: &&Spec| spec.command.unwrap_or(spec.name) == command;
    TABLES.iter().filter(is_shown).for_each(|spec| columns_of(spec, roff));
}

/// The source of most columns, which is printed once instead of with each.
fn common_source(infos: &[&'static Info]) -> Option<&'static str> {
    let count = |source: &str| infos.iter().filter(|info| info.source == source).count();
    infos.iter().map(|info| info.source).find(|source| count(source) * 2 > infos.len())
}

fn columns_of(spec: &Spec, roff: &mut Roff) {
    section(roff, &format!("COLUMNS OF {}", spec.name.to_uppercase()));
    let infos = (spec.infos)();
    let common = common_source(&infos).filter(|_| infos.len() > 1);
    text(
        roff,
        &format!(
            "{}. The heading of a column follows its name if it differs. Columns marked * are shown by default.",
            spec.about
        ),
    );
    if let Some(common) = common {
        paragraph(roff, &format!("Columns without a source of their own are from {common}."));
    }
    for info in infos {
        let mark = if column_names(spec.default).any(|id| id == info.id) { " *" } else { "" };
        roff.control("TP", []);
        let differs = !info.head.eq_ignore_ascii_case(info.id);
        let head = if differs { format!(" {}", info.head) } else { String::new() };
        roff.text([bold(info.id), roman(format!("{head}{mark}  ({})", info.unit.word()))]);
        if Some(info.source) == common {
            roff.text([roman(info.meaning())]);
        } else {
            let meaning = roman(format!("{} From ", info.meaning()));
            roff.text([meaning, italic(info.source), roman(".")]);
        }
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
    let designs = if USERS_OF_DESIGNS.contains(&name) { "swapadm-designs(7), " } else { "" };
    section(roff, "SEE ALSO");
    text(roff, &format!("{own}{designs}swapon(8), zramctl(8), vmstat(8), proc(5)"));
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

/// Writes a template: blocks separated by blank lines. `# ` begins a section and `- ` an entry, whose
/// first line is its heading. A block `{NAME}` is replaced by a part made from the program's data.
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
    use super::*;
    use crate::learn::demo::DEMOS;
    use crate::sim::policy::{CHANGES, KernelPolicy, PRESETS};

    fn collect_pages(command: &clap::Command, name: &str, pages: &mut Vec<(String, bool)>) {
        pages.push((name.to_owned(), command.get_after_help().is_some()));
        for inner in documented(command) {
            collect_pages(inner, &format!("{name}-{}", inner.get_name()), pages);
        }
    }

    #[test]
    fn each_page_has_a_description_and_examples() {
        let mut pages = Vec::new();
        collect_pages(&command(), "swapadm", &mut pages);
        for (name, has_examples) in &pages {
            let words = description(name).unwrap_or_else(|| panic!("{name} has no description"));
            assert!(words.ends_with('.') && !words.contains("\n\n"), "{name}: {words}");
            assert!(has_examples, "{name} has no examples");
        }
        for line in DESCRIPTIONS.lines().filter_map(|line| line.strip_prefix("# ")) {
            assert!(pages.iter().any(|(name, _)| name == line), "{line} is no page");
        }
    }

    /// The entry of a section of the page on designs.
    fn entry_of<'t>(section: &'t str, head: &str) -> &'t str {
        let found = section.split("\n\n").find_map(|block| {
            let (name, text) = block.strip_prefix("- ")?.split_once('\n')?;
            (name == head).then_some(text)
        });
        found.unwrap_or_else(|| panic!("no {head} in {section}"))
    }

    #[test]
    fn each_kernel_change_and_demonstration_is_on_the_page_on_designs() {
        let template = include_str!("manual/swapadm-designs.in").trim();
        let sections: Vec<&str> = template.split("\n\n# ").skip(1).collect();
        let entries = |head: &str| -> Vec<&str> {
            sections.iter().map(|section| entry_of(section, head)).collect()
        };
        let (kernels, tries) = (entries("Kernels"), entries("Try"));
        assert!(entries("Source").iter().all(|source| source.len() > 15));
        let is_word = |text: &&str, name: &str| {
            text.split([' ', ',', ';', ':']).any(|word| word.trim_end_matches('.') == name)
        };
        let names = PRESETS.into_iter().chain(CHANGES.map(|change| change.name));
        for name in names {
            assert!(kernels.iter().any(|text| is_word(text, name)), "{name} has no section");
        }
        let commands: Vec<&str> = tries.iter().flat_map(|text| text.split("; ")).collect();
        for demo in DEMOS {
            let command = format!("swapadm demo {}", demo.name);
            assert!(commands.contains(&command.as_str()), "{command} is in no section");
        }
        for line in commands {
            let parsed = command().try_get_matches_from(line.split(' '));
            assert!(parsed.is_ok(), "{line}");
            let policy = line.split_once("--kernel ").map(|(_, rest)| rest);
            assert!(policy.is_none_or(|name| KernelPolicy::parse(name).is_ok()), "{line}");
        }
    }

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
