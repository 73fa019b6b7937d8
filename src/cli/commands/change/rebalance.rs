//! `swapadm rebalance`.

mod wishes;

use super::show::{self, Story};
use super::{Before, Limits, carry_out, ledger};
use crate::actions::estimate::Forecast;
use crate::actions::plan::Plan;
use crate::actions::rebalance::{Rebalance, Strategy};
use crate::change::{self, Intent};
use crate::cli::args::{RebalanceArgs, StrategyName};
use crate::cli::exit::{Exit, Failure};
use crate::cli::options::{Environment, SourceOptions};
use crate::cli::out::Out;
use crate::model::Policy;

/// Put right how areas share the load; says what is wrong, what will be better, and changes
/// nothing when nothing is wrong.
///
/// # Errors
/// When the strategy makes no sense, or the plan cannot be carried out.
pub fn run(
    args: &RebalanceArgs,
    source: &SourceOptions,
    environment: &Environment,
) -> Result<Exit, Failure> {
    let title = format!("rebalance {}", args.strategy.word());
    let nothing = Rebalance { findings: Vec::new(), plan: Plan::none(title) };
    let begun = source.root().map(Before::of).and_then(|before| {
        // A timer shall be told of a limit that cannot be kept also while nothing is wrong.
        Limits::of(&args.change, before.root())?;
        let strategy = strategy(args, &before)?;
        let found = change::rebalance::found(&strategy, &before.machine)?;
        Ok((before, strategy, found))
    });
    let (before, strategy, found) = match begun {
        Ok(found) => found,
        Err(failure) => return told(args, (&nothing, &[]), failure),
    };
    if args.check || !found.is_wrong() {
        return look(args, &found, &before, environment);
    }
    match carry_out(&before, Intent::Rebalance(strategy), &args.change, environment) {
        Ok(exit) => Ok(exit),
        Err(failure) => {
            let costs = costs(&before, &found.plan, environment);
            told(args, (&found, &costs), failure)
        }
    }
}

/// What the steps of a plan will cost.
fn costs(before: &Before<'_>, plan: &Plan, environment: &Environment) -> Vec<Forecast> {
    change::propose::costs(&before.machine, plan, &ledger(before.root(), environment).journal)
}

/// Whoever reads JSON is told of a failure there too.
fn told(
    args: &RebalanceArgs,
    (found, forecasts): (&Rebalance, &[Forecast]),
    failure: Failure,
) -> Result<Exit, Failure> {
    let is_ours = !matches!(failure, Failure::Output(_) | Failure::BrokenPipe);
    if args.change.json && is_ours {
        let story = Story { strategy: args.strategy.word(), findings: &found.findings };
        let why = failure.to_string();
        // Whether it can be read there changes nothing of it.
        let _ = Out::new().json(&show::failed(&found.plan, forecasts, story, &why), true);
    }
    Err(failure)
}

/// Say what was found, where nothing is to be changed.
fn look(
    args: &RebalanceArgs,
    found: &Rebalance,
    before: &Before<'_>,
    environment: &Environment,
) -> Result<Exit, Failure> {
    let mut out = Out::new();
    let story = Story { strategy: args.strategy.word(), findings: &found.findings };
    if args.change.json {
        let forecasts = costs(before, &found.plan, environment);
        out.json(&show::story(&found.plan, &forecasts, story), true)?;
    } else {
        show::findings(&mut out, &found.findings)?;
        if !found.is_wrong() {
            out.lines([format!("rebalance {}: nothing is wrong", args.strategy.word())])?;
        }
    }
    Ok(if args.check && found.is_wrong() { Exit::Wrong } else { Exit::Done })
}

fn strategy(args: &RebalanceArgs, before: &Before<'_>) -> Result<Strategy, Failure> {
    let wrong = |what: &str| Err(Failure::Usage(what.to_owned()));
    let custom = args.strategy == StrategyName::Custom;
    match (&args.file, custom) {
        (None, true) => {
            return wrong(
                "custom needs a file of lines such as /dev/zram0 100: swapadm rebalance custom FILE, or - for its input",
            );
        }
        (Some(_), false) => return wrong("only custom takes a file"),
        (None, false) | (Some(_), true) => {}
    }
    if args.skew.is_some() && args.strategy != StrategyName::Spread {
        return wrong("--skew goes with spread");
    }
    Ok(match args.strategy {
        StrategyName::Equal => Strategy::Equal,
        StrategyName::Tiered => Strategy::Tiered,
        StrategyName::Numa => Strategy::Numa,
        StrategyName::Spread => Strategy::Spread(threshold(args.skew.as_deref())?),
        StrategyName::Custom => {
            let file = args.file.as_deref().unwrap_or_default();
            Strategy::Custom(wishes::read(before, file)?)
        }
    })
}

/// From which skew on it is wrong: below a percent, the next rounding would be.
fn threshold(text: Option<&str>) -> Result<f64, Failure> {
    let Some(text) = text else { return Ok(Policy::DEFAULT.skew_warn) };
    let percent = text.strip_suffix('%').unwrap_or(text).parse::<f64>().ok();
    let percent = percent.filter(|percent| (1.0..=100.0).contains(percent));
    percent.map(|percent| percent / 100.0).ok_or_else(|| {
        let shown = crate::model::name::safe_text(text);
        Failure::Usage(format!("--skew \"{shown}\" is no percentage from 1 to 100"))
    })
}
