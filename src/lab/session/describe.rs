//! Descriptions of sessions: what each case runs, in which order, and what stops a run.

use super::{Confirmed, Prepared, Session, SessionCase};
use crate::columns::units::{self, size};
use crate::lab::run_spec::{RunSpec, TemporaryArea, TemporaryAreaKind};
use crate::model::Bytes;
use crate::model::load::{AccessPattern, AfterTouching, PageContents, WorkerGroup, Workload};
use crate::model::name::safe_text;
use std::ptr;

/// Describes how a session would be run, apart from the steps of its setup.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlannedRun {
    /// The processes of a workload, work by work, or the cases of an experiment.
    pub runs: Vec<String>,
    /// The memory limit.
    pub memory_limit: String,
    /// The memory limit of a workload, if it has one.
    pub limit: Option<Bytes>,
    /// The limits that stop a run.
    pub guard: Vec<String>,
    /// The time limit in seconds: of one repetition of a workload, or of all runs of an experiment.
    pub at_most: f64,
    /// More about the cases of an experiment.
    pub cases: Option<PlannedCases>,
    /// The part that must be unchanged when it is run.
    pub confirmed: Confirmed,
}

/// Describes how the cases of an experiment would be run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlannedCases {
    /// The names of the cases.
    pub names: Vec<String>,
    /// The number of runs per case, and their order.
    pub order: String,
    /// The time limit of all runs.
    pub at_most: String,
    /// The temporary areas of each run, if any.
    pub areas: Option<String>,
    /// Whether a run changes the machine.
    pub needs_setup: bool,
}

impl PlannedCases {
    /// Describes the setup of each run.
    pub fn describe_setup(&self) -> String {
        if !self.needs_setup {
            return "none".to_owned();
        }
        let areas = self.areas.as_ref().map(|areas| format!("{areas}, and "));
        format!("for each run: {}the settings of its case", areas.unwrap_or_default())
    }
}

impl Prepared {
    /// Describes the planned session.
    pub fn planned_run(&self) -> PlannedRun {
        let session = &self.session;
        let confirmed = self.confirmed();
        let (memory_limit, guard) = (session.describe_limit(), session.describe_guard());
        let Some(spec) = session.load() else {
            return PlannedRun {
                runs: session.cases.iter().map(describe_case).collect(),
                limit: None,
                at_most: session.at_most(),
                cases: Some(PlannedCases {
                    names: session.cases.iter().map(|case| case.name.clone()).collect(),
                    order: session.describe_order(),
                    at_most: session.describe_most(),
                    areas: session.describe_areas(),
                    needs_setup: confirmed.needs_setup,
                }),
                memory_limit,
                guard,
                confirmed,
            };
        };
        let works = spec.workload.works.iter();
        PlannedRun {
            runs: works.map(|work| describe_work(spec, work)).collect(),
            limit: spec.limit,
            at_most: spec.guard.at_most,
            cases: None,
            memory_limit,
            guard,
            confirmed,
        }
    }
}

impl Session {
    /// The run of a workload; none if it is an experiment.
    pub fn load(&self) -> Option<&RunSpec> {
        self.cases.first().filter(|_| self.experiment.is_none()).map(|case| &case.spec)
    }

    /// The time limit of all runs together, in seconds.
    fn at_most(&self) -> f64 {
        let each: f64 = self.cases.iter().map(|case| case.spec.guard.at_most).sum();
        each * f64::from(self.repetitions)
    }

    /// Describes the number of runs per case, and their order.
    pub fn describe_order(&self) -> String {
        let seed = self.seed;
        match self.repetitions {
            1 => format!("each once, in random order (seed {seed})"),
            count => format!(
                "each {count} times, {} in all, in random order (seed {seed})",
                self.order.len()
            ),
        }
    }

    /// Describes the memory limit of a run.
    pub fn describe_limit(&self) -> String {
        let limits = unique(self.cases.iter().filter_map(|case| case.spec.limit).map(size));
        let each = if self.experiment.is_some() { " for each run" } else { "" };
        match limits.as_slice() {
            [] => "none: the whole machine comes under memory pressure".to_owned(),
            limits => format!("limit {}{each}, in a cgroup of its own", limits.join(" or ")),
        }
    }

    /// Describes the temporary areas of a run, if any case has some.
    fn describe_areas(&self) -> Option<String> {
        let areas = unique(self.cases.iter().filter_map(area_sizes));
        (!areas.is_empty()).then(|| areas.join(" or "))
    }

    /// Describes the time limit of all runs.
    pub fn describe_most(&self) -> String {
        let most = units::seconds(self.at_most());
        format!("{most} for all runs, plus the setup between them")
    }

    /// Describes the limits that stop a run.
    pub fn describe_guard(&self) -> Vec<String> {
        self.per_case(|case| case.spec.guard.describe(case.spec.limit.is_some()))
    }

    /// Describes the keys of the workloads that differ from their defaults.
    pub fn describe_unusual(&self) -> Vec<String> {
        self.per_case(|case| describe_unusual_load(&case.spec.workload))
    }

    /// Collects the descriptions of all cases: first those shared by all, then the others with the
    /// names of their cases.
    fn per_case(&self, words: impl Fn(&SessionCase) -> Vec<String>) -> Vec<String> {
        let said =
            self.cases.iter().flat_map(|case| words(case).into_iter().map(move |it| (case, it)));
        let (all, some): (Vec<_>, Vec<_>) =
            self.group_by_case(said).into_iter().partition(|(_, of)| of.is_none());
        let named = |(words, of): (String, Option<String>)| match of {
            Some(names) => format!("{names}: {words}"),
            None => words,
        };
        all.into_iter().chain(some).map(named).collect()
    }

    /// Groups equal values, each with the names of its cases unless all cases have it.
    pub(super) fn group_by_case<'c, T: PartialEq>(
        &self,
        said: impl IntoIterator<Item = (&'c SessionCase, T)>,
    ) -> Vec<(T, Option<String>)> {
        let mut told: Vec<(T, Vec<&SessionCase>)> = Vec::new();
        for (case, it) in said {
            match told.iter_mut().find(|(known, _)| *known == it) {
                // Two works of a case may have the same value.
                Some((_, cases)) if cases.last().is_some_and(|last| ptr::eq(*last, case)) => {}
                Some((_, cases)) => cases.push(case),
                None => told.push((it, vec![case])),
            }
        }
        let names = |cases: Vec<&SessionCase>| {
            let names: Vec<&str> = cases.iter().map(|case| case.name.as_str()).collect();
            (names.len() < self.cases.len()).then(|| names.join(", "))
        };
        told.into_iter().map(|(it, cases)| (it, names(cases))).collect()
    }
}

/// Removes repeated words.
fn unique(words: impl Iterator<Item = String>) -> Vec<String> {
    let mut all = Vec::new();
    for words in words {
        if !all.contains(&words) {
            all.push(words);
        }
    }
    all
}

/// Describes a case: its workload, its memory limit and its setup.
pub fn describe_case(case: &SessionCase) -> String {
    let spec = &case.spec;
    let mut words = vec![format!("{}: {}", case.name, spec.workload.name)];
    words.push(format!("{} with limit {}", size(spec.total()), size(spec.whole)));
    words.extend(case_areas(case));
    let settings = spec.settings.iter().map(|(knob, value)| format!("{knob}={value}"));
    words.extend(settings);
    words.extend(spec.folios().iter().map(|(size, word)| format!("{size}={word}")));
    words.join(", ")
}

fn case_areas(case: &SessionCase) -> Option<String> {
    let devices = &case.spec.devices;
    let first = devices.first()?;
    let priorities: Vec<String> = devices.iter().map(|it| it.priority.to_string()).collect();
    let is_one = devices.iter().all(|device| device.priority == first.priority);
    let priorities = if is_one { first.priority.to_string() } else { priorities.join(" ") };
    Some(format!("{}, priority {priorities}", area_sizes(case)?))
}

/// Describes the sizes and kinds of the areas of a case.
fn area_sizes(case: &SessionCase) -> Option<String> {
    let devices = &case.spec.devices;
    let all: Bytes = devices.iter().map(|device| device.size).sum();
    let first = devices.first()?;
    let is_alike = devices.iter().all(|device| device.size == first.size);
    let sizes =
        if is_alike { format!("{} x {}", devices.len(), size(first.size)) } else { size(all) };
    let carried = match (
        has_kind(devices, TemporaryAreaKind::Zram),
        has_kind(devices, TemporaryAreaKind::File),
    ) {
        (_, false) => "on zram",
        (false, true) => "in files",
        (true, true) => "on zram and in files",
    };
    Some(format!("{sizes} {carried}"))
}

fn has_kind(devices: &[TemporaryArea], kind: TemporaryAreaKind) -> bool {
    devices.iter().any(|device| device.kind == kind)
}

/// Describes the processes of one work.
pub fn describe_work(spec: &RunSpec, work: &WorkerGroup) -> String {
    let (processes, each) =
        if work.processes == 1 { ("process", "") } else { ("processes", " each") };
    let accessed = match work.writes {
        w if w >= 1.0 => "written",
        w if w <= 0.0 => "read",
        _ => "read and written",
    };
    let mut words = format!(
        "{} {processes} of {} {} memory{each}, {accessed} {}",
        work.processes,
        size(spec.size(work)),
        work.memory.word(),
        order_words(work.order)
    );
    let often = match (work.passes, work.seconds) {
        (_, Some(seconds)) => format!(", for {seconds} s"),
        (Some(passes), None) if (passes - 1.0).abs() > f64::EPSILON => {
            format!(", {passes} passes")
        }
        _ => ", 1 pass".to_owned(),
    };
    words.push_str(&often);
    if work.rounds > 1 {
        let rounds = format!(", in {} rounds", work.rounds);
        words.push_str(&rounds);
    }
    let pages = format!("pages hold {}", contents_words(&work.contents));
    [words, pages].into_iter().chain(describe_unusual_work(work)).collect::<Vec<_>>().join("; ")
}

fn order_words(order: AccessPattern) -> String {
    match order {
        AccessPattern::Sequential => "sequentially".to_owned(),
        AccessPattern::Strided { stride } => {
            format!("with a stride of {}", size(Bytes(stride)))
        }
        AccessPattern::Random => "randomly".to_owned(),
        AccessPattern::Zipf { skew } => format!("zipf-distributed with skew {skew}"),
        AccessPattern::Phases { hot, .. } => {
            format!("mostly in a hot, moving window of {}% of it", percent(hot))
        }
        AccessPattern::Churn => "in blocks that are allocated and freed".to_owned(),
    }
}

/// Converts a share to percent, rounded to a tenth.
fn percent(share: f64) -> f64 {
    (share * 1000.0).round() / 10.0
}

fn contents_words(contents: &PageContents) -> String {
    match contents {
        PageContents::Zero => "zeros".to_owned(),
        PageContents::Same => "one value per page".to_owned(),
        PageContents::Words => "a different number in each word".to_owned(),
        PageContents::Ratio(ratio) => format!("data that compresses {ratio}:1"),
        PageContents::Random => "incompressible data".to_owned(),
        PageContents::File(path) => format!("the contents of {}", safe_text(path)),
    }
}

/// Describes which processes do not wait for each other.
pub fn describe_waits(load: &Workload) -> Option<&'static str> {
    match (load.start_together, load.free_together) {
        (true, true) => None,
        (true, false) => Some("processes free their memory without waiting for each other"),
        (false, true) => Some("processes start without waiting for each other"),
        (false, false) => {
            Some("processes start and free their memory without waiting for each other")
        }
    }
}

/// Describes the keys of a work that differ from their defaults.
fn describe_unusual_work(work: &WorkerGroup) -> Vec<String> {
    let all = [
        (work.vary > 0.0).then(|| format!("sizes vary randomly by up to {}%", percent(work.vary))),
        (!work.prefault).then(|| "memory is not prefaulted".to_owned()),
        work.pace.map(|pace| format!("at most {} per second and process", size(pace))),
        work.cpus.as_deref().map(|cpus| format!("bound to CPUs {}", ranges(cpus))),
        work.node.map(|node| format!("memory on node {node}")),
    ];
    all.into_iter().flatten().collect()
}

/// Describes the same keys of a whole workload, with numbers if it has several works.
fn describe_unusual_load(load: &Workload) -> Vec<String> {
    let several = load.works.len() > 1;
    let works = load.works.iter().zip(1..).filter_map(|(work, number)| {
        let words = describe_unusual_work(work);
        let of = if several { format!("work {number}: ") } else { String::new() };
        (!words.is_empty()).then(|| of + &words.join("; "))
    });
    works
        .chain(describe_waits(load).map(str::to_owned))
        .chain(describe_after(load).map(str::to_owned))
        .collect()
}

/// Describes the end of a workload.
pub fn describe_after(load: &Workload) -> Option<&'static str> {
    match load.after {
        AfterTouching::Nothing => None,
        AfterTouching::Swapoff => Some(
            "swapoff of its temporary areas while processes hold their memory: everything swapped returns to memory",
        ),
    }
}

/// Formats CPU numbers as they would be typed, in their order, in which processes are assigned to
/// them.
fn ranges(cpus: &[u32]) -> String {
    let runs = cpus.chunk_by(|one, next| one.checked_add(1) == Some(*next));
    let word = |run: &[u32]| match run {
        [first, .., last] => format!("{first}-{last}"),
        run => run.iter().map(u32::to_string).collect(),
    };
    runs.map(word).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::load::file::read;

    fn words(text: &str) -> Vec<String> {
        describe_unusual_load(&read("x", text).unwrap())
    }

    #[test]
    fn defaults_are_not_described() {
        assert_eq!(words("[[work]]\nsize = '1M'\n"), [] as [&str; 0]);
    }

    #[test]
    fn every_unusual_value_is_described() {
        let work = "vary = '12.5%'\nprefault = false\npace = '2M'\ncpus = '3,0-1,5'\nnode = 1\n";
        let told = words(&format!("[[work]]\nsize = '1M'\n{work}"));
        let all = "sizes vary randomly by up to 12.5%; memory is not prefaulted; at most 2M per second and process; bound to CPUs 3,0-1,5; memory on node 1";
        assert_eq!(told, [all]);
        let two = "[[work]]\nsize = '1M'\n[[work]]\nsize = '1M'\nnode = 0\n";
        assert_eq!(words(two), ["work 2: memory on node 0"]);
    }

    #[test]
    fn patterns_and_contents_are_described() {
        let hot = order_words(AccessPattern::Phases { hot: 0.07, hits: 0.9, length: 1.0 });
        assert_eq!(hot, "mostly in a hot, moving window of 7% of it");
        assert_eq!(contents_words(&PageContents::Words), "a different number in each word");
    }

    #[test]
    fn swapoff_is_described() {
        let told = words("after = 'swapoff'\n[[work]]\nsize = '1M'\n");
        assert!(told[0].starts_with("swapoff of its temporary areas"), "{told:?}");
    }

    #[test]
    fn processes_that_do_not_wait_are_described() {
        let told = |word: &str| words(&format!("together = '{word}'\n[[work]]\nsize = '1M'\n"));
        let of = |word: &str| told(word).first().cloned().unwrap_or_default();
        assert_eq!(of("start,free"), "");
        assert!(of("start").contains("free their memory without"), "{}", of("start"));
        assert!(of("free").contains("start without"), "{}", of("free"));
        assert!(of("none").contains("start and free their memory"), "{}", of("none"));
    }
}
