//! Parts of the manual that are made from the data of the program. A template names one as `{NAME}`.

use super::{columns, columns_of, entry, paragraph, prose, section};
use crate::actions::check::RISKS;
use crate::actions::estimate::BASES;
use crate::actions::rebalance;
use crate::advice::RULES;
use crate::change::setup::{MachineProfile, SetupKey};
use crate::cli::commands::advise::thresholds;
use crate::cli::commands::change::state::file as state_file;
use crate::cli::exit::Exit;
use crate::cli::generate::command;
use crate::cli::schemas::{self, WrittenSchema};
use crate::columns::tables::lab::comparison::PLUS_MINUS;
use crate::columns::tables::lab::{LAB_TABLES, published};
use crate::columns::{Spec, TABLES, text};
use crate::config::KeyHelp;
use crate::derive::clusters;
use crate::derive::lab::{Measure, figure_descriptions};
use crate::derive::state::SwapState;
use crate::derive::statistics::DifferenceVerdict;
use crate::lab::{experiment, load};
use crate::learn::demo::DEMOS;
use crate::learn::figure::MODEL_FIGURES;
use crate::learn::{self, builtin_lessons};
use crate::model::Policy;
use crate::model::clusters::ClusterView;
use crate::model::knob::{CGROUP_KNOBS, KNOBS};
use crate::model::users::CgroupVersion;
use crate::probes::{self, PROBES, Probe};
use crate::report::advice;
use crate::sim::comparison::describe_comparisons;
use crate::sim::describe::{self, BUILTIN_MACHINES, builtin_machine};
use crate::sim::policy::CHANGES;
use crate::ui::command::{COMMANDS, CommandGroup};
use crate::ui::confirm;
use crate::ui::history::Bounds;
use crate::ui::screens::SCREENS;
use crate::ui::settings::{PER_TABLE, SETTINGS, Settings};
use clap_mangen::roff::{Roff, roman};

fn measures() -> impl Iterator<Item = (&'static str, &'static str)> {
    Measure::MEANINGS.into_iter().map(|(measure, text)| (measure.word(), text))
}

/// Writes the named part.
pub(super) fn write(roff: &mut Roff, part: &str) {
    let (name, argument) = part.split_once(' ').unwrap_or((part, ""));
    match name {
        "bases" => entries(roff, BASES),
        "cgroup-knobs" => cgroup_knobs(roff),
        "columns" => columns(argument, roff),
        "columns-of-others" => {
            TABLES.iter().filter(|spec| !has_command(spec)).for_each(|spec| columns_of(spec, roff));
        }
        "columns-of-published" => columns_of(&published::SPEC, roff),
        "columns-of-results" => {
            let results = LAB_TABLES.iter().filter(|spec| spec.name != published::SPEC.name);
            results.for_each(|spec| columns_of(spec, roff));
        }
        "compared" => paragraph(roff, &describe_comparisons()),
        "confirm-keys" => {
            for (key, help) in confirm::KEYS {
                entry(roff, &key.to_string(), help);
            }
        }
        "exits" => exits(roff, argument),
        "experiment-keys" => keys(roff, experiment::keys::lines()),
        "experiment-members" => members(roff, &schemas::EXPERIMENT),
        "figures" => entries(roff, figure_descriptions()),
        "findings" => entries(roff, rebalance::KINDS),
        "include" => prose(roff, super::fragment(argument)),
        "interval" => paragraph(roff, PLUS_MINUS),
        "keys" => keys_of_interface(roff),
        "knobs" => knobs(roff),
        "demos" => entries(roff, DEMOS.map(|demo| (demo.name, demo.look))),
        "lesson-keys" => keys(roff, learn::file::keys()),
        "lessons" => builtin_lessons().iter().for_each(|lesson| {
            entry(roff, &lesson.name, &format!("{}. {}", lesson.title, lesson.about));
        }),
        "model-figures" => MODEL_FIGURES.iter().for_each(|figure| {
            entry(roff, figure.name, &format!("{}.", figure.help));
        }),
        "load-keys" => keys(roff, load::keys::KEYS.lines()),
        "metrics" => {
            for (name, meaning) in crate::report::metrics::described() {
                entry(roff, &name, &meaning);
            }
        }
        "machine-keys" => keys(roff, describe::keys()),
        "machines" => BUILTIN_MACHINES.iter().for_each(|(name, _)| {
            let about = builtin_machine(name).and_then(Result::ok).map(|machine| machine.about);
            entry(roff, name, &about.unwrap_or_default());
        }),
        "measures" => entries(roff, measures()),
        "profiles" => entries(roff, MachineProfile::ALL.map(|it| (it.word(), it.description()))),
        "policy-changes" => entries(roff, CHANGES.map(|change| (change.name, change.about))),
        "probes" => probes(roff),
        "risks" => risks(roff),
        "rules" => RULES.iter().for_each(|rule| {
            entry(
                roff,
                rule.id,
                &advice::with_values(rule.about, &thresholds(rule, &Policy::DEFAULT)),
            );
        }),
        "run-members" => members(roff, &schemas::EXPERIMENT_RUN),
        "screens" => screens(roff),
        "settings" => settings(roff),
        "state-keys" => keys(roff, state_file::lines()),
        "setup-choices" => SetupKey::ALL.iter().for_each(|(_, word, title, values)| {
            let title = if word == title { String::new() } else { format!("{title}: ") };
            entry(roff, word, &format!("{}.", text::capitalize(&format!("{title}{values}"))));
        }),
        "states" => SwapState::ALL.iter().for_each(|it| entry(roff, it.word(), &it.meaning())),
        "stress-members" => members(roff, &schemas::STRESS_RUN),
        "tables" => TABLES.iter().for_each(|it| entry(roff, it.name, &format!("{}.", it.about))),
        "timer" => lines(roff, super::fragment(name)),
        "verdicts" => {
            entries(
                roff,
                DifferenceVerdict::MEANINGS.map(|(verdict, text)| (verdict.word(), text)),
            );
        }
        "views" => views(roff),
        // A test finds unknown parts.
        _ => paragraph(roff, &format!("{{{part}}}")),
    }
}

/// Replaces names of figures in the middle of sentences.
pub(super) fn figures(text: &str) -> String {
    let Bounds { moments, bytes } = Bounds::LIVE;
    let [kernel, zram, tables] =
        VIEWS.map(|(view, ..)| format!("{} (view {})", clusters::legend(view), view.word()));
    let figures = [
        ("{samples}", moments.to_string()),
        ("{minutes}", (moments / 60).to_string()),
        ("{history}", (bytes >> 20).to_string()),
        ("{kernel}", kernel),
        ("{zram}", zram),
        ("{page-tables}", tables),
    ];
    figures.iter().fold(text.to_owned(), |text, (name, figure)| text.replace(name, figure))
}

fn entries<'a>(roff: &mut Roff, entries: impl IntoIterator<Item = (&'a str, &'a str)>) {
    entries.into_iter().for_each(|(head, text)| entry(roff, head, text));
}

fn members(roff: &mut Roff, schema: &WrittenSchema) {
    schema.members().iter().for_each(|(name, text)| entry(roff, name, text));
}

/// Writes the exit statuses: all of them, or those with the given numbers.
fn exits(roff: &mut Roff, codes: &str) {
    let codes: Vec<&str> = codes.split_whitespace().collect();
    // Only changes can be refused.
    let is_report =
        !codes.is_empty() && !codes.contains(&Exit::Refused.code().to_string().as_str());
    for (exit, meaning) in Exit::ALL {
        let code = exit.code().to_string();
        let meaning = exit.meaning_for_reports().filter(|_| is_report).unwrap_or(meaning);
        if codes.is_empty() || codes.contains(&code.as_str()) {
            entry(roff, &code, meaning);
        }
    }
}

fn risks(roff: &mut Roff) {
    for (risk, meaning) in RISKS {
        entry(roff, risk, &format!("{}.", text::capitalize(meaning)));
    }
}

fn probes(roff: &mut Roff) {
    for probe in PROBES {
        let files: Vec<String> = probe.files.iter().map(|file| format!("/{file}")).collect();
        // One probe reads swap files, which can be anywhere.
        let files = if files.is_empty() { "swap files".to_owned() } else { files.join(" ") };
        entry(roff, &files, &format!("{}.", probe.about));
    }
}

/// Whether a table has a command, and so a page, of its own.
fn has_command(spec: &Spec) -> bool {
    spec.command.is_some() || command().get_subcommands().any(|inner| inner.get_name() == spec.name)
}

/// The views of clusters with their values of `--view`.
static VIEWS: [(ClusterView, &str, &Probe); 3] = [
    (ClusterView::Kernel, "kernel", &probes::clusters::kernel::PROBE),
    (ClusterView::Stored, "zram", &probes::clusters::stored::PROBE),
    (ClusterView::Mapped, "tables", &probes::clusters::mapped::PROBE),
];

fn views(roff: &mut Roff) {
    for (view, choice, probe) in VIEWS {
        let head = format!("{} (--view {choice})", view.word());
        let text =
            format!("Misses {}. For it, {}.", clusters::not_shown_by_view(view), probe.remedy);
        entry(roff, &head, &text);
    }
}

fn knobs(roff: &mut Roff) {
    for knob in KNOBS {
        entry(roff, knob.id, &format!("{} Takes {}.", knob.help, knob.kind.accepted_values(None)));
    }
}

fn cgroup_knobs(roff: &mut Roff) {
    for knob in CGROUP_KNOBS {
        let version = match knob.version {
            CgroupVersion::V1 => 1,
            CgroupVersion::V2 => 2,
        };
        entry(roff, knob.id, &format!("{} (version {version})", knob.help));
    }
}

/// Writes the keys of a file, table by table.
fn keys(roff: &mut Roff, lines: impl IntoIterator<Item = KeyHelp>) {
    let mut heading = "";
    for line in lines {
        if line.heading != heading {
            heading = line.heading;
            section(roff, &heading.to_uppercase());
        }
        entry(
            roff,
            &line.key,
            &format!("{}. Takes {}. {}.", line.help, line.takes, line.describe_default()),
        );
    }
}

fn screens(roff: &mut Roff) {
    for screen in SCREENS {
        entry(roff, &format!("{}  {}", screen.number, screen.id), screen.question);
        for pane in screen.panes {
            paragraph(roff, &format!("{}: {}", pane.title, pane.about));
        }
    }
}

fn keys_of_interface(roff: &mut Roff) {
    for group in CommandGroup::ALL {
        paragraph(roff, group.word());
        for info in COMMANDS.iter().filter(|info| info.group == group) {
            let keys: Vec<String> = info.keys.iter().map(|key| key.words()).collect();
            entry(roff, &keys.join("  "), info.help);
        }
    }
}

fn settings(roff: &mut Roff) {
    let usual = Settings::default();
    for setting in SETTINGS {
        let more = [setting.env, setting.flag].into_iter().flatten();
        let more: Vec<String> = more.map(str::to_owned).collect();
        let more =
            if more.is_empty() { String::new() } else { format!(" Also {}.", more.join(", ")) };
        let default = setting.get.map(|get| get(&usual, "")).unwrap_or_default();
        let what =
            format!("{}: {}; default {default}.{more}", setting.help, setting.takes.describe());
        entry(roff, setting.name, &what);
    }
    for setting in PER_TABLE {
        let key = format!("{}.TABLE", setting.name);
        entry(roff, &key, &format!("{}: {}.", setting.help, setting.takes.describe()));
    }
}

/// Writes lines as they are.
fn lines(roff: &mut Roff, text: &str) {
    roff.control("nf", []);
    for line in text.lines() {
        roff.text([roman(line)]);
    }
    roff.control("fi", []);
}
