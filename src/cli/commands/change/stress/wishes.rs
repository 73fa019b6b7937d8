//! What was typed becomes a load on this machine.

use crate::change::Machine;
use crate::cli::args::stress::RunArgs;
use crate::cli::exit::Failure;
use crate::columns::units;
use crate::config::Problem;
use crate::lab::fits;
use crate::lab::guard::{Rails, free_swap};
use crate::lab::library::UserFiles;
use crate::lab::load::file::{Change, Places};
use crate::lab::load::keys::LEAST_LIMIT;
use crate::lab::run_spec::{Device, FOLDER, Kind, RunSpec, most};
use crate::model::activation::{Discard, Priority};
use crate::model::format;
use crate::model::load::{Amount, Workload};
use crate::model::name::safe_text;
use crate::model::{Bytes, Missing, Name};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;

fn usage(why: String) -> Failure {
    Failure::Usage(why)
}

/// The load with all that was said of it, and where.
fn workload(args: &RunArgs, own: &UserFiles) -> Result<(Workload, Places), Failure> {
    let source = own.loads.source(&args.load)?;
    let changes: Vec<Change> = args.with.iter().map(|text| Change::typed(text)).collect();
    source.load(&changes).map_err(|problems| wrong(&problems))
}

/// All that is wrong with a file, line by line.
pub(in crate::cli::commands::change) fn wrong(problems: &[Problem]) -> Failure {
    let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
    usage(lines.join("\nswapadm: "))
}

/// All of what is wished, on this machine.
pub(super) fn wish(
    args: &RunArgs,
    own: &UserFiles,
    machine: &Machine<'_>,
) -> Result<RunSpec, Failure> {
    let (workload, places) = workload(args, own)?;
    let memory = |field: &str| machine.snapshot.memory(field).into_result();
    let missing = |missing: Missing| Failure::Nothing(missing.why());
    let available = memory("MemAvailable").map_err(missing)?;
    let devices = devices(args, machine.snapshot.page_size.known().copied())?;
    let made: Bytes = devices.iter().map(|device| device.size).sum();
    let swap = free_swap(&machine.snapshot).unwrap_or(Bytes(0)).saturating_add(made);
    let typed = args.limit.as_deref().map(|text| amount("limit", text)).transpose()?;
    if !args.whole_machine {
        holds(&workload, &places, typed)?;
    }
    let limit = match typed {
        Some(typed) => typed.of(available),
        None => fitting(&workload, workload.limit.of(available), swap),
    };
    let limit = (!args.whole_machine).then(|| whole_pages(limit));
    let rails = rails(args, memory("MemTotal").map_err(missing)?, swap, &workload)?;
    Ok(RunSpec {
        title: args.title.clone().unwrap_or_else(|| workload.name.clone()),
        whole: limit.unwrap_or(available),
        limit,
        workload,
        places,
        devices,
        folder: folder(args.file_in.as_deref())?,
        settings: args.set.iter().map(|text| setting(text)).collect::<Result<_, _>>()?,
        seed: args.seed,
        repetitions: args.repeat,
        rails,
    })
}

/// A limit in bytes that was said has to hold the processes themselves.
fn holds(workload: &Workload, places: &Places, typed: Option<Amount>) -> Result<(), Failure> {
    let Amount::Bytes(limit) = typed.unwrap_or(workload.limit) else { return Ok(()) };
    let Some(why) = fits::too_little(limit, workload) else { return Ok(()) };
    Err(match typed {
        Some(_) => usage(format!("--limit: {why}")),
        None => wrong(&[places.problem("limit", &why)]),
    })
}

/// What of swap a load may fill that nobody has given another limit.
const FILLED: f64 = 0.8;

/// The limit of a load; where all is told in shares of it, no more than lets what goes to swap fit
/// there. One that takes whatever there is keeps its own.
fn fitting(workload: &Workload, limit: Bytes, swap: Bytes) -> Bytes {
    let shares = workload.works.iter().map(|work| match work.size {
        Amount::Share(share) if share <= ALL => Some(share * most(work)),
        Amount::Share(_) | Amount::Bytes(_) => None,
    });
    let Some(beyond) = shares.sum::<Option<f64>>().map(|all| all - 1.0) else { return limit };
    if beyond <= 0.0 || swap == Bytes(0) {
        return limit;
    }
    limit.min(Amount::Share(FILLED / beyond).of(swap)).max(LEAST_LIMIT)
}

/// A process that takes more than so many times the limit takes all that it gets.
const ALL: f64 = 5.0;

/// The kernel takes limits in whole pages.
fn whole_pages(bytes: Bytes) -> Bytes {
    Bytes(bytes.0 & !0xffff)
}

/// A size with a unit, or a share.
pub(in crate::cli::commands::change) fn amount(
    option: &str,
    text: &str,
) -> Result<Amount, Failure> {
    if let Some(share) = text.strip_suffix('%') {
        let share = share.parse::<f64>().ok().filter(|share| *share > 0.0 && *share <= 100.0);
        return share.map(|share| Amount::Share(share / 100.0)).ok_or_else(|| {
            let text = safe_text(text);
            usage(format!("--{option} \"{text}\": a share is from above 0% to 100%, such as 25%"))
        });
    }
    size(option, text).map(Amount::Bytes)
}

/// What is to be said of a size below nothing.
const NEGATIVE: &str = "a size is not negative: use one with a unit, such as 512M or 2G";

/// The same, or nothing at all, with any unit or without one.
fn size_or_none(option: &str, text: &str) -> Result<Bytes, Failure> {
    if units::parse_size(text) == Some(Bytes(0)) { Ok(Bytes(0)) } else { size(option, text) }
}

/// A size with its unit: a bare number is more often a mistake than so many bytes.
fn size(option: &str, text: &str) -> Result<Bytes, Failure> {
    size_in(option, text, text)
}

/// A size that is a part of what was typed.
fn size_in(option: &str, typed: &str, part: &str) -> Result<Bytes, Failure> {
    let has_unit = part.ends_with(|last: char| last.is_ascii_alphabetic());
    let size = units::parse_size(part).filter(|size| has_unit && *size > Bytes(0));
    size.ok_or_else(|| {
        let text = safe_text(typed);
        if typed.starts_with('-') || part.starts_with('-') {
            return usage(format!("--{option} \"{text}\": {NEGATIVE}"));
        }
        usage(format!("--{option} \"{text}\" is no size with a unit, such as 512M or 2G"))
    })
}

/// The folder of files that are made, whole; no link in it is followed yet.
pub(in crate::cli::commands::change) fn folder(typed: Option<&OsStr>) -> Result<Name, Failure> {
    let Some(typed) = typed else { return Ok(FOLDER.into()) };
    let whole = std::path::absolute(typed).map_err(|error| Failure::file(typed.as_ref(), error))?;
    Ok(Name::new(whole.as_os_str().as_bytes()))
}

/// The areas that were typed, each large enough for pages of this size.
fn devices(args: &RunArgs, page: Option<u64>) -> Result<Vec<Device>, Failure> {
    let priority = Priority::parse(&args.priority).map_err(usage)?;
    let zram = args.zram.iter().map(|text| (Kind::Zram, text));
    let mut devices = Vec::new();
    for (kind, text) in zram.chain(args.file.iter().map(|text| (Kind::File, text))) {
        let (count, each) = match text.split_once('x') {
            Some((count, each)) => (count.parse::<usize>().ok(), each),
            None => (Some(1), text.as_str()),
        };
        let count = count.filter(|count| (1..=32).contains(count)).ok_or_else(|| {
            let text = safe_text(text);
            let option = kind.word();
            let is_negative = text.starts_with('-');
            let why =
                if is_negative { NEGATIVE } else { "from 1 to 32 areas can be made, such as 4x1G" };
            usage(format!("--{option} \"{text}\": {why}"))
        })?;
        let size = size_in(kind.word(), text, each)?;
        if let Some(Err(why)) = page.map(|page| format::pages(size, page)) {
            return Err(usage(format!("--{} \"{}\": {why}", kind.word(), safe_text(text))));
        }
        let device = Device {
            kind,
            size,
            algorithm: args.algorithm.clone(),
            priority,
            discard: Discard::None,
        };
        devices.extend(std::iter::repeat_n(device, count));
    }
    Ok(devices)
}

fn setting(text: &str) -> Result<(String, String), Failure> {
    let pair = text.split_once('=').filter(|(knob, _)| !knob.is_empty());
    let pair = pair.map(|(knob, value)| (knob.to_owned(), value.to_owned()));
    pair.ok_or_else(|| {
        let text = safe_text(text);
        usage(format!(
            "--set \"{text}\": KNOB=VALUE, such as page-cluster=0; swapadm knobs lists them"
        ))
    })
}

fn rails(
    args: &RunArgs,
    memory: Bytes,
    swap: Bytes,
    workload: &Workload,
) -> Result<Rails, Failure> {
    let kept = super::super::Limits::of_run(&args.change)?.kept;
    let usual = Rails::usual(memory, swap, workload.at_most);
    let typed = |option: &str, text: &Option<String>, usual: Bytes| match text.as_deref() {
        Some(text) => size_or_none(option, text),
        None => Ok(usual),
    };
    Ok(Rails {
        max_psi: kept.max_psi.unwrap_or(usual.max_psi),
        available: typed("min-available", &args.min_available, usual.available)?,
        swap: typed("min-swap", &args.min_swap, usual.swap)?,
        at_most: kept.timeout.map_or(usual.at_most, |time| time.as_secs_f64()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::args::stress::StressCommand;
    use crate::cli::args::{Cli, Command};
    use clap::Parser as _;

    #[test]
    fn a_limit_that_nobody_typed_lets_the_load_fit_into_swap() {
        let load = |text: &str| crate::lab::load::file::read("x", text).unwrap();
        let twice = load("[[work]]\nprocesses = 4\nsize = \"50%\"\n");
        let of = |load: &Workload, limit, swap| fitting(load, Bytes(limit), Bytes(swap)).0 >> 20;
        let mib = |mib: u64| mib << 20;
        assert_eq!(of(&twice, mib(1000), mib(1000)), 800);
        assert_eq!(of(&twice, mib(100), mib(1000)), 100);
        assert_eq!(of(&twice, mib(1000), 0), 1000, "that is refused for another reason");
        let one =
            |memory: &str| load(&format!("[[work]]\nsize = \"150%\"\nmemory = \"{memory}\"\n"));
        assert_eq!(of(&one("anonymous"), mib(1000), mib(400)), 640, "half of it goes to swap");
        assert_eq!(of(&one("forked"), mib(1000), mib(400)), 160, "and a copy of all of it");
        let leak = load("[[work]]\nsize = \"1000%\"\n");
        assert_eq!(of(&leak, mib(1000), mib(1000)), 1000);
        let fixed = load("[[work]]\nsize = \"3G\"\n");
        assert_eq!(of(&fixed, mib(1000), mib(1000)), 1000);
    }

    fn typed(words: &[&str]) -> Result<RunArgs, String> {
        let all = ["swapadm", "stress", "run", "usemem"].iter().chain(words);
        let cli = Cli::try_parse_from(all).map_err(|error| error.to_string())?;
        let Some(Command::Stress(args)) = cli.command else { return Err(format!("{cli:?}")) };
        let StressCommand::Run(args) = args.into_inner().command else {
            return Err("another command than stress run".to_owned());
        };
        Ok(*args)
    }

    #[test]
    fn areas_are_made_on_zram_and_in_files() {
        let args = typed(&["--file", "1G", "--zram", "2x64M", "--priority", "5"]).unwrap();
        let made = devices(&args, None).unwrap();
        let kinds: Vec<_> = made.iter().map(|it| (it.kind, it.size.0 >> 20)).collect();
        assert_eq!(kinds, [(Kind::Zram, 64), (Kind::Zram, 64), (Kind::File, 1024)]);
        assert!(made.iter().all(|it| it.priority == Priority::Set(5)));
        assert_eq!(folder(args.file_in.as_deref()).unwrap(), FOLDER.into());
        let args = typed(&["--file", "33x1G"]).unwrap();
        assert!(devices(&args, None).unwrap_err().to_string().contains("--file \"33x1G\""));
        for wrong in ["4x1", "4x", "1"] {
            let why = devices(&typed(&["--zram", wrong]).unwrap(), None).unwrap_err().to_string();
            assert!(why.contains(&format!("--zram \"{wrong}\" is no size")), "{why}");
        }
        for alone in [["--priority", "5"], ["--file-in", "/srv"], ["--algorithm", "lz4"]] {
            assert!(typed(&alone).unwrap_err().contains("required"), "{alone:?}");
        }
    }

    #[test]
    fn sizes_have_units_and_devices_a_number() {
        assert_eq!(size("zram", "512M").unwrap(), Bytes(512 << 20));
        for wrong in ["512", "0M", "", "x", "-1G"] {
            let said = size("zram", wrong).unwrap_err().to_string();
            assert!(said.contains("--zram") && said.contains("512M or 2G"), "{said}");
            assert_eq!(said.contains("is not negative"), wrong.starts_with('-'), "{said}");
        }
        for wrong in ["0%", "101%", "x%", "5"] {
            assert!(amount("limit", wrong).is_err(), "{wrong}");
        }
    }
}
