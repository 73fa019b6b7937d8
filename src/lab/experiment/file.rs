//! Reads the file of an experiment, in strict TOML. All errors are reported at once, with line and
//! key.

use super::keys::{ExperimentDraft, KEYS, MAX_CASES};
use super::settings::CaseSettings;
use super::{ExperimentPlan, Factor, FactorSettings, Published, cases, check_areas, table};
use crate::config::{Content, KeyLocation, Problem, Problems, Section};
use crate::lab::load::file::SourceText;
use crate::model::text::did_you_mean;

/// Reads an experiment.
pub fn read(name: &str, text: &str) -> Result<ExperimentPlan, Vec<Problem>> {
    let mut problems = Problems::in_file(name);
    let Some(top) = KEYS.read(text, &mut problems) else { return Err(problems.into_list()) };
    let plan = build_plan(name, &top, &mut problems);
    problems.into_result(plan)
}

/// Reads an experiment from a source, under its name.
pub fn plan(source: &SourceText) -> Result<ExperimentPlan, Vec<Problem>> {
    let plan = read(&source.file, &source.text)?;
    Ok(ExperimentPlan { name: source.name.clone(), ..plan })
}

fn build_plan(name: &str, top: &Section, problems: &mut Problems) -> ExperimentPlan {
    let mut draft = ExperimentDraft::default();
    KEYS.fill(top, &mut draft, problems);
    let before = problems.count();
    let base = top.tables("base").next().map(|section| value(section, problems).settings);
    let notes = top.tables("note").map(|section| fill_draft(section, problems).note).collect();
    let published = top.tables("published").next().map(|section| published(section, problems));
    let factors = top.tables("factor").map(|section| factor(section, problems)).collect();
    let (name, file, base) = (name.to_owned(), name.to_owned(), base.unwrap_or_default());
    let plan = ExperimentPlan { name, file, base, factors, notes, published, ..draft.plan };
    // Invalid values are missing in the plan, so the cases are checked only without errors.
    if problems.count() == before && !plan.factors.is_empty() {
        check_cases(top, &plan, problems);
    }
    check_answer(top, &plan, problems);
    check_across(top, &plan, problems);
    check_names(top, &plan, problems);
    plan
}

fn fill_draft(section: &Section, problems: &mut Problems) -> ExperimentDraft {
    let mut draft = ExperimentDraft::default();
    KEYS.fill(section, &mut draft, problems);
    draft
}

/// Reads a value of a factor, or the base.
fn value(section: &Section, problems: &mut Problems) -> FactorSettings {
    let mut value = fill_draft(section, problems).value;
    let lines = section.entries.iter();
    let lines = lines.filter_map(|(path, entry)| Some((path.clone(), entry.place.line?)));
    value.settings.lines = lines.collect();
    value
}

fn factor(section: &Section, problems: &mut Problems) -> Factor {
    let before = problems.count();
    let draft = fill_draft(section, problems);
    let keys = ["values", "key", "name"];
    let line = keys.iter().find_map(|key| section.entries.get(*key)?.place.line);
    let place = problems.file().at_line(line).with_key("factor");
    let name = draft.value.name;
    let mut tables = section.tables("factor.value").peekable();
    let values: Vec<FactorSettings> = match (draft.key, draft.values, tables.peek().is_some()) {
        (Some(key), Some(list), false) => {
            let values =
                list.into_iter().map(|text| single_key_value(&key, text, &place, problems));
            values.collect()
        }
        (None, None, _) => tables.map(|section| value(section, problems)).collect(),
        _ => {
            if problems.count() == before {
                let text =
                    "a factor has either key and values, or a [[factor.value]] for each value";
                problems.add(&place, text);
            }
            return Factor { name, values: Vec::new() };
        }
    };
    if values.len() < 2 && problems.count() == before {
        let text = format!("\"{name}\" has fewer than two values: use two or more");
        problems.add(&place, &text);
    }
    if let Some(name) = first_duplicate(values.iter().map(|value| value.name.as_str())) {
        problems.add(&place, &format!("two values are called \"{name}\": use different names"));
    }
    Factor { name, values }
}

/// Creates a value that sets one key.
fn single_key_value(
    key: &str,
    text: String,
    place: &KeyLocation,
    problems: &mut Problems,
) -> FactorSettings {
    let mut draft = ExperimentDraft::default();
    if let Err(why) = KEYS.set("base", key, (&Content::from_text(&text), place.line), &mut draft) {
        problems.add(&place.with_key(&format!("factor.{key}")), &why);
    }
    let lines = place.line.into_iter().map(|line| (key.to_owned(), line)).collect();
    FactorSettings { name: text, settings: CaseSettings { lines, ..draft.value.settings } }
}

/// Finds the first repeated name.
fn first_duplicate<'n>(names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let mut before = Vec::new();
    for name in names {
        if before.contains(&name) {
            return Some(name);
        }
        before.push(name);
    }
    None
}

fn published(section: &Section, problems: &mut Problems) -> Published {
    let before = problems.count();
    let published = fill_draft(section, problems).published;
    let heads = published.heads.len();
    if problems.count() > before {
        return published;
    }
    if let Some(row) = published.rows.iter().find(|row| row.len() != heads) {
        let text =
            format!("a row has {} values, but heads has {heads}: use the same number", row.len());
        problems.add(&section.location_of("rows"), &text);
    }
    if published.names > heads {
        let text = format!(
            "\"{}\" is not valid: use a whole number from 1 to {heads}, the number of heads",
            published.names
        );
        problems.add(&section.location_of("names"), &text);
    }
    published
}

/// Checks that the columns that answer the question are in the table.
fn check_answer(top: &Section, plan: &ExperimentPlan, problems: &mut Problems) {
    if let Some(id) = plan.answer.iter().find(|id| !plan.columns.contains(id)) {
        let text = format!("\"{id}\" is not in the table: add it to columns");
        problems.add(&top.location_of("answer"), &text);
    }
}

/// Checks that the factor for the second table exists, and that there is a figure to show.
fn check_across(top: &Section, plan: &ExperimentPlan, problems: &mut Problems) {
    let Some(across) = &plan.across else { return };
    let place = top.location_of("across");
    let factors: Vec<&str> = plan.factors.iter().map(|factor| factor.name.as_str()).collect();
    if !factors.contains(&across.as_str()) {
        let meant = did_you_mean(across, factors.iter().copied());
        let known = factors.join(", ");
        problems.add(&place, &format!("unknown factor \"{across}\": use one of {known}{meant}"));
    }
    if !plan.columns.is_empty() && table::first_figure(&plan.columns).is_none() {
        problems.add(&place, "there is no figure to show: add one to columns besides used");
    }
}

/// Checks that factors have different names, which identify the cases, and not those of other columns of JSON
/// and CSV.
fn check_names(top: &Section, plan: &ExperimentPlan, problems: &mut Problems) {
    for (section, factor) in top.tables("factor").zip(&plan.factors) {
        if table::is_exported_column(&factor.name) {
            let text =
                format!("\"{}\" is the name of a column of figures: use another name", factor.name);
            problems.add(&section.location_of("name"), &text);
        }
    }
    let names = plan.factors.iter().map(|factor| factor.name.as_str());
    // A missing name is reported elsewhere.
    let Some(name) = first_duplicate(names.clone().filter(|name| !name.is_empty())) else { return };
    let mut of_name = top.tables("factor").zip(names).filter(|(_, other)| *other == name);
    if let Some((section, _)) = of_name.nth(1) {
        let text = format!("two factors are called \"{name}\": use different names");
        problems.add(&section.location_of("name"), &text);
    }
}

/// Checks all cases together.
fn check_cases(top: &Section, plan: &ExperimentPlan, problems: &mut Problems) {
    let place = top.tables("factor").next().map(|section| section.place.with_key("factor"));
    let counts = plan.factors.iter().map(|factor| factor.values.len());
    let count = counts.fold(1, usize::saturating_mul);
    if count > MAX_CASES {
        let text = format!("{count} cases are too many: use no more than {MAX_CASES}");
        return problems.add(&place.unwrap_or_default(), &text);
    }
    if let Err(it) = check_areas(&cases(plan), &|case| case.settings.kinds.as_ref()) {
        problems.add(&problems.file().at_line(it.line).with_key(it.key), &it.why);
    }
    let has_load = |settings: &CaseSettings| settings.load.is_some();
    let is_varied = plan.factors.iter().any(|it| it.values.iter().all(|it| has_load(&it.settings)));
    if !has_load(&plan.base) && !is_varied {
        let base = top.tables("base").next().map(|section| section.place.clone());
        let place = base.unwrap_or_else(|| problems.file().clone()).with_key("base.load");
        let text = "this key is required: use the name of a workload, or the path of its file";
        problems.add(&place, text);
    }
}

#[cfg(test)]
mod tests;
