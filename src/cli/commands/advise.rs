//! `swapadm advise`.

use super::stream::{self, SampleSchedule};
use crate::advice::{self, AdviceReport, Rule, Severity};
use crate::cli::args::{AdviseArgs, LookArgs, SettingsArgs};
use crate::cli::exit::{CommandError, CommandResult, Exit, usage};
use crate::cli::options::{self, Environment, Invocation};
use crate::cli::out::Out;
use crate::columns::tables::{findings, rules};
use crate::columns::{Query, Request, Spec};
use crate::derive::SampleView;
use crate::model::text::meant_or_all;
use crate::model::{Policy, name};
use crate::report::advice as page;
use crate::report::json::ReportDocument;
use crate::report::table::{self as plain, TableOptions};
use crate::ui::settings::{SETTINGS, Settings};

/// Prints findings, rules, or the explanation of a rule.
///
/// # Errors
/// The rule does not exist, or the areas could not be read.
pub fn run(args: &AdviseArgs, invocation: &Invocation) -> CommandResult {
    let look =
        LookArgs { config: args.config.clone(), no_config: args.no_config, ..LookArgs::default() };
    let settings = SettingsArgs { look, ..SettingsArgs::default() };
    let (policy, problems) = options::policy(&invocation.environment, &settings)?;
    options::remark_problems(&problems);
    let rule = args.explain.as_deref().map(find_rule).transpose()?;
    let pace = SampleSchedule::new(args.interval.as_deref(), args.count)?;
    let mut printer = Printer {
        args,
        rule,
        policy,
        environment: &invocation.environment,
        out: Out::new(),
        printed: 0,
    };
    let mut worst = Severity::Note;
    stream::run(&invocation.source, advice::needs(), true, pace, |view| {
        worst = worst.min(printer.print(view, pace)?);
        Ok(())
    })?;
    Ok(match worst {
        Severity::Crit if args.check => Exit::Critical,
        Severity::Warn if args.check => Exit::Wrong,
        Severity::Crit | Severity::Warn | Severity::Note => Exit::Done,
    })
}

fn find_rule(id: &str) -> CommandResult<&'static Rule> {
    advice::find_rule(id).ok_or_else(|| {
        let ids: Vec<_> = advice::RULES.iter().map(|rule| rule.id).collect();
        let id = name::safe_text(id);
        usage(format!("rule \"{id}\" does not exist{}", meant_or_all(&id, "rules", &ids)))
    })
}

struct Printer<'p> {
    args: &'p AdviseArgs,
    rule: Option<&'static Rule>,
    policy: Policy,
    environment: &'p Environment,
    out: Out,
    printed: u64,
}

impl Printer<'_> {
    /// Prints the findings of a sample, and returns the worst severity.
    fn print(&mut self, view: &SampleView<'_>, pace: SampleSchedule) -> CommandResult<Severity> {
        let advice = AdviceReport::from_view(view, &self.policy);
        if self.args.json {
            self.json(view, pace)?;
        }
        if let Some(missing) = view.now.swaps.reading.missing() {
            return Err(CommandError::missing("advise", missing));
        }
        if !self.args.json {
            let gap = (self.printed > 0).then(String::new);
            let lines = self.lines(view, &advice)?;
            self.out.lines(gap.into_iter().chain(lines))?;
        }
        self.printed += 1;
        Ok(advice.worst())
    }

    fn lines(&self, view: &SampleView<'_>, advice: &AdviceReport) -> CommandResult<Vec<String>> {
        let width = self.environment.width;
        if let Some(rule) = self.rule {
            let thresholds = thresholds(rule, &self.policy);
            return Ok(page::explained(view, (rule, advice), &thresholds, width));
        }
        if !self.args.rules {
            return Ok(page::lines(view, advice, width));
        }
        let rows = query(&rules::SPEC, false)?.rows_with_policy(view, &self.policy);
        let look = TableOptions { width, ..TableOptions::default() };
        Ok(rows.known().map(|rows| plain::lines(rows, look)).unwrap_or_default())
    }

    fn json(&mut self, view: &SampleView<'_>, pace: SampleSchedule) -> CommandResult<()> {
        let ask = |spec: &'static Spec| {
            Ok((spec, query(spec, true)?.rows_with_policy(view, &self.policy)))
        };
        let tables = [&findings::SPEC, &rules::SPEC].map(ask);
        let tables = tables.into_iter().collect::<CommandResult<_>>()?;
        self.out.json(&ReportDocument::new("advise", view, tables), !pace.repeats())
    }
}

fn query(spec: &'static Spec, all: bool) -> CommandResult<Query> {
    let columns = all.then(|| "all".to_owned());
    Query::new(spec, &Request { columns, ..Request::default() }).map_err(CommandError::Usage)
}

/// The thresholds of a rule, with their present values.
pub(crate) fn thresholds(rule: &Rule, policy: &Policy) -> Vec<page::RuleThreshold> {
    let settings = Settings { policy: policy.clone(), ..Settings::default() };
    let named = rule.thresholds.iter().map(|name| format!("thresholds.{name}"));
    let set = named.filter_map(|key| {
        let setting = SETTINGS.iter().find(|setting| setting.name == key)?;
        let value = setting.get?(&settings, "");
        Some(page::RuleThreshold { name: key, value, help: setting.help })
    });
    set.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_threshold_of_a_rule_can_be_set() {
        for rule in advice::RULES {
            let set = thresholds(rule, &Policy::DEFAULT);
            assert_eq!(set.len(), rule.thresholds.len(), "{}", rule.id);
        }
    }
}
