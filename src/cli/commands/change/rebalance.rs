//! `swapadm rebalance`.

use super::show::{self, RebalanceDetails};
use super::{CommandContext, TypedLimits, carry_out_proposal, find, options, print_failed};
use crate::actions::estimate::Forecast;
use crate::actions::plan::Plan;
use crate::actions::rebalance::{Rebalance, Strategy};
use crate::change::{self, ObservedMachine};
use crate::cli::args::{RebalanceArgs, StrategyName};
use crate::cli::exit::{CommandError, CommandResult, Exit, usage};
use crate::cli::options::Invocation;
use crate::cli::out::Out;
use crate::columns::text::wrap;
use crate::lab::library;
use crate::model::activation::Priority;
use crate::model::name::safe_text;
use crate::model::{Name, Policy};
use std::ffi::OsStr;
use std::io::{self, Read as _};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

/// Rebalances areas: shows what is wrong and the improvement, and does nothing if nothing is wrong.
///
/// # Errors
/// The strategy is wrong or not possible, or the plan cannot be carried out.
pub fn run(args: &RebalanceArgs, invocation: &Invocation) -> CommandResult {
    let title = format!("rebalance {}", args.strategy.word());
    let nothing = Rebalance { findings: Vec::new(), plan: Plan::without_steps(title) };
    let begun = invocation.source.target().and_then(|target| {
        let before = CommandContext::new(&invocation.environment, target, ObservedMachine::observe);
        // An unsupported limit is an error even if nothing is wrong, so that a timer notices it.
        TypedLimits::from_args(&args.change, before.root())?;
        let strategy = strategy(args, &before.machine)?;
        let found = change::rebalance::diagnose(strategy, &before.machine)?;
        Ok((before, found))
    });
    let (before, diagnosis) = match begun {
        Ok(found) => found,
        Err(failure) => return report_failure(args, &nothing, &[], failure),
    };
    let found = &diagnosis.rebalance;
    if args.check || !(found.is_wrong() || args.change.persist) {
        return print_diagnosis(args, found, &before);
    }
    let journal = before.journal();
    let done = options(&before, &args.change).and_then(|options| {
        let machine = &before.machine;
        let proposal = change::propose_rebalance(machine, &journal, &diagnosis, options)?;
        if proposal.plan.steps.is_empty() {
            return print_diagnosis(args, found, &before);
        }
        carry_out_proposal(&before, &proposal, &args.change)
    });
    match done {
        Ok(exit) => Ok(exit),
        Err(failure) => {
            let costs = costs(&before, &found.plan);
            report_failure(args, found, &costs, failure)
        }
    }
}

/// The estimates for the steps of a plan.
fn costs(before: &CommandContext<'_>, plan: &Plan) -> Vec<Forecast> {
    change::propose::costs(&before.machine, plan, &before.journal())
}

/// Returns a failure, after printing it as JSON if that was requested.
fn report_failure(
    args: &RebalanceArgs,
    found: &Rebalance,
    forecasts: &[Forecast],
    failure: CommandError,
) -> CommandResult {
    if args.change.json {
        let story = RebalanceDetails { strategy: args.strategy.word(), findings: &found.findings };
        let error = Some(failure.to_string());
        print_failed(&show::rebalance_document(&found.plan, forecasts, story, error), &failure);
    }
    Err(failure)
}

/// Prints the findings if nothing is to be changed.
fn print_diagnosis(
    args: &RebalanceArgs,
    found: &Rebalance,
    before: &CommandContext<'_>,
) -> CommandResult {
    let mut out = Out::new();
    let story = RebalanceDetails { strategy: args.strategy.word(), findings: &found.findings };
    if args.change.json {
        let forecasts = costs(before, &found.plan);
        out.json(&show::rebalance_document(&found.plan, &forecasts, story, None), true)?;
    } else {
        show::print_findings(&mut out, &found.findings)?;
        if !found.is_wrong() {
            let name = before.machine.snapshot.simulated.as_deref();
            let mark = name.map(|name| format!("SIMULATED {}: ", safe_text(name)));
            let is_none = before.machine.snapshot.swaps.reading.known().is_some_and(Vec::is_empty);
            let why = match found.findings.as_slice() {
                _ if is_none => "no swap area is active",
                [] => "already balanced",
                _ => "this strategy would change no area",
            };
            let mark = mark.unwrap_or_default();
            let strategy = args.strategy.word();
            let text = format!("{mark}rebalance {strategy}: nothing to do: {why}");
            out.lines(wrap(&text, show::width()))?;
        }
    }
    Ok(if args.check && found.is_wrong() { Exit::Wrong } else { Exit::Done })
}

/// The strategy that was typed.
pub(super) fn strategy(
    args: &RebalanceArgs,
    machine: &ObservedMachine<'_>,
) -> CommandResult<Strategy> {
    let wrong = |what: &str| Err(usage(what));
    let custom = args.strategy == StrategyName::Custom;
    match (&args.file, custom) {
        (None, true) => {
            return wrong(
                "custom needs a file of lines such as /dev/zram0 100: swapadm rebalance custom FILE, or - for stdin",
            );
        }
        (Some(_), false) => return wrong("only custom takes a file"),
        (None, false) | (Some(_), true) => {}
    }
    if args.skew.is_some() && args.strategy != StrategyName::Spread {
        return wrong("--skew needs the strategy spread");
    }
    Ok(match args.strategy {
        StrategyName::Equal => Strategy::Equal,
        StrategyName::Tiered => Strategy::Tiered,
        StrategyName::Numa => Strategy::Numa,
        StrategyName::Spread => Strategy::Spread(threshold(args.skew.as_deref())?),
        StrategyName::Custom => {
            let file = args.file.as_deref().unwrap_or_default();
            Strategy::Custom(read_priorities(machine, file)?)
        }
    })
}

/// Parses `--skew`, the smallest imbalance that counts as wrong. Below 1 percent, rounding alone would
/// reach it.
fn threshold(text: Option<&str>) -> CommandResult<f64> {
    let Some(text) = text else { return Ok(Policy::DEFAULT.imbalance_warn) };
    let percent = text.strip_suffix('%').unwrap_or(text).parse::<f64>().ok();
    let percent = percent.filter(|percent| (1.0..=100.0).contains(percent));
    percent.map(|percent| percent / 100.0).ok_or_else(|| {
        let shown = safe_text(text);
        usage(format!("--skew \"{shown}\" is not valid: use a percentage from 1 to 100"))
    })
}

/// The hint for a wrong file of priorities.
const FILE_HINT: &str = "custom takes a file with a line AREA PRIORITY for each area, such as /dev/zram0 100, or - for stdin: see swapadm-rebalance(8)";

/// The largest file of priorities that is read, in bytes.
const LARGEST: usize = 1 << 20;

/// The priorities in a file, or on standard input if it is `-`.
fn read_priorities(
    machine: &ObservedMachine<'_>,
    file: &OsStr,
) -> CommandResult<Vec<(Name, Priority)>> {
    let path = Path::new(file);
    let bytes = read_named(path, LARGEST, FILE_HINT)?;
    if bytes.len() > LARGEST {
        return Err(usage(format!(
            "{} is too long for a list of areas: {FILE_HINT}",
            safe_path(path)
        )));
    }
    let mut wishes = Vec::new();
    for (line, number) in bytes.split(|byte| *byte == b'\n').zip(1..) {
        let at =
            |what: &dyn std::fmt::Display| usage(format!("{}:{number}: {what}", safe_path(path)));
        let Some((area, priority)) = parse_line(line).map_err(|what| at(&what))? else { continue };
        let area = find::active(machine, OsStr::from_bytes(area)).map_err(|what| at(&what))?;
        wishes.push((area.path.clone(), priority));
    }
    if wishes.is_empty() {
        return Err(usage(format!("{} names no area: {FILE_HINT}", safe_path(path))));
    }
    Ok(wishes)
}

/// Parses a line `AREA PRIORITY` or `AREA=PRIORITY`; none if it is empty or a comment. The last blank
/// separates them, or else the last `=`, since paths may contain both.
fn parse_line(line: &[u8]) -> Result<Option<(&[u8], Priority)>, String> {
    let line = strip_comment(line).trim_ascii();
    if line.is_empty() {
        return Ok(None);
    }
    let blank = line.iter().rposition(u8::is_ascii_whitespace);
    let place = blank.or_else(|| line.iter().rposition(|byte| *byte == b'='));
    let (area, rest) = place.and_then(|place| line.split_at_checked(place)).unwrap_or_default();
    let rest = rest.get(1..).unwrap_or_default();
    let area = area.trim_ascii_end();
    let bare = area.strip_suffix(b"=").unwrap_or(area).trim_ascii_end();
    let area = if blank.is_some() { bare } else { area };
    if area.is_empty() {
        let line = safe_text(&String::from_utf8_lossy(line));
        return Err(format!(
            "\"{line}\" should be an area and its priority, such as /dev/zram0 100"
        ));
    }
    let rest = safe_text(&String::from_utf8_lossy(rest));
    Priority::parse(&rest).map(|priority| Some((area, priority)))
}

/// The line without its comment. A comment begins at the start of the line or after a blank, since names
/// may contain `#`.
fn strip_comment(line: &[u8]) -> &[u8] {
    let begins = |place: &usize| {
        let before = place.checked_sub(1).and_then(|before| line.get(before));
        line.get(*place) == Some(&b'#') && before.is_none_or(u8::is_ascii_whitespace)
    };
    let end = (0..line.len()).find(begins).unwrap_or(line.len());
    line.get(..end).unwrap_or_default()
}

/// The path as it is printed.
fn safe_path(path: &Path) -> String {
    safe_text(&path.to_string_lossy())
}

/// Reads a file, or standard input if it is `-`, up to one byte more than the largest size. The error
/// of a missing file includes a hint.
pub(super) fn read_named(path: &Path, largest: usize, rather: &str) -> CommandResult<Vec<u8>> {
    if path == Path::new("-") {
        let mut bytes = Vec::new();
        let most = largest as u64 + 1;
        io::stdin().lock().take(most).read_to_end(&mut bytes).map_err(CommandError::Output)?;
        return Ok(bytes);
    }
    Ok(library::read_file(path, largest, rather)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_name_an_area_and_its_priority() {
        for (line, area, priority) in [
            ("/dev/zram0 100", "/dev/zram0", Priority::Set(100)),
            ("  /dev/zram0\t 0  # best", "/dev/zram0", Priority::Set(0)),
            ("/dev/zram0=default", "/dev/zram0", Priority::Default),
            ("/dev/zram0 = 7", "/dev/zram0", Priority::Set(7)),
            ("UUID=1-2=32767", "UUID=1-2", Priority::Set(32767)),
            ("LABEL=a b 5\r", "LABEL=a b", Priority::Set(5)),
            ("/swap#1 5", "/swap#1", Priority::Set(5)),
            ("/a=b 5", "/a=b", Priority::Set(5)),
        ] {
            assert_eq!(
                parse_line(line.as_bytes()),
                Ok(Some((area.as_bytes(), priority))),
                "{line:?}"
            );
        }
        for line in ["", "   ", "# /dev/zram0 1", "\t# x"] {
            assert_eq!(parse_line(line.as_bytes()), Ok(None), "{line:?}");
        }
    }

    #[test]
    fn bad_priority_lines_are_explained() {
        for (line, word) in [
            (&b"/dev/zram0"[..], "should be an area"),
            (b"=5", "should be an area"),
            (b"/dev/zram0 99999", "\"99999\" is not valid: use 0 to 32767"),
            (b"/dev/zram0 -5", "use default"),
            (b"/dev/zram0=", "\"\" is not valid"),
            (b"\xff\xfe \x1b[2J", "0 to 32767"),
            (b"/dev/zram0 1.5", "1.5"),
        ] {
            let told = parse_line(line).unwrap_err();
            assert!(told.contains(word) && !told.contains('\x1b'), "{told}");
        }
    }
}
