//! Sessions in words: what each case runs, in which order, and what stops a run.

use super::{SessionCase, Confirmed, Prepared, Session};
use crate::columns::units::{self, size};
use crate::lab::run_spec::{TemporaryArea, TemporaryAreaKind, RunSpec};
use crate::model::Bytes;
use crate::model::load::{AfterTouching, PageContents, AccessPattern, WorkerGroup, Workload};
use crate::model::name::safe_text;

/// How a session would be run, in words, beside the steps of its setup.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlannedRun {
    /// The processes of a load, group by group, or the cases of an experiment.
    pub runs: Vec<String>,
    /// The memory limit.
    pub memory_limit: String,
    /// The memory limit of a load, if it has one.
    pub limit: Option<Bytes>,
    /// What stops a run.
    pub guard: Vec<String>,
    /// The seconds that a repetition of a load may take, or all runs of an experiment.
    pub at_most: f64,
    /// More of the cases of an experiment.
    pub cases: Option<PlannedCases>,
    /// What has to be the same when it is run.
    pub confirmed: Confirmed,
}

/// How the cases of an experiment would be run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlannedCases {
    /// Their names.
    pub names: Vec<String>,
    /// How often each is run, and in which order.
    pub order: String,
    /// How long all runs may take.
    pub at_most: String,
    /// The temporary areas of each run, if there are any.
    pub areas: Option<String>,
    /// Whether anything of the machine is changed for a run.
    pub needs_setup: bool,
}

impl PlannedCases {
    /// The setup of each run.
    pub fn describe_setup(&self) -> String {
        if !self.needs_setup {
            return "nothing".to_owned();
        }
        let areas = self.areas.as_ref().map(|areas| format!("{areas}, and "));
        format!("to each run by itself: {}what its case sets", areas.unwrap_or_default())
    }
}

impl Prepared {
    /// How it would be run.
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
    /// The run of a load; none if it is an experiment.
    pub fn load(&self) -> Option<&RunSpec> {
        self.cases.first().filter(|_| self.experiment.is_none()).map(|case| &case.spec)
    }

    /// The seconds that all runs together may take.
    fn at_most(&self) -> f64 {
        let each: f64 = self.cases.iter().map(|case| case.spec.guard.at_most).sum();
        each * f64::from(self.repetitions)
    }

    /// How often each case is run, and in which order.
    pub fn describe_order(&self) -> String {
        let seed = self.seed;
        match self.repetitions {
            1 => format!("each once, in an order that comes from the seed {seed}"),
            count => format!(
                "each {count} times, {} in all, in an order that comes from the seed {seed}",
                self.order.len()
            ),
        }
    }

    /// The memory limit of a run.
    pub fn describe_limit(&self) -> String {
        let limits = unique(self.cases.iter().filter_map(|case| case.spec.limit).map(size));
        let each = if self.experiment.is_some() { "each run in " } else { "" };
        match limits.as_slice() {
            [] => "none: the whole machine is put under pressure".to_owned(),
            limits => format!("{each}a cgroup of its own with {} of memory", limits.join(" or ")),
        }
    }

    /// The temporary areas of a run, if any case has some.
    fn describe_areas(&self) -> Option<String> {
        let areas = unique(self.cases.iter().filter_map(area_sizes));
        (!areas.is_empty()).then(|| areas.join(" or "))
    }

    /// How long all runs may take.
    pub fn describe_most(&self) -> String {
        let most = units::seconds(self.at_most());
        format!("{most} for all runs, and what lending takes between them")
    }

    /// What stops a run.
    pub fn describe_guard(&self) -> Vec<String> {
        self.per_case(|case| case.spec.guard.describe(case.spec.limit.is_some()))
    }

    /// What of the loads is not as usual.
    pub fn describe_unusual(&self) -> Vec<String> {
        self.per_case(|case| describe_unusual_load(&case.spec.workload))
    }

    /// What is said of each case: first what is the same in all, then the rest with its cases.
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

    /// Each thing that is said once, with the names of its cases where it is not said of all.
    pub(super) fn group_by_case<'c, T: PartialEq>(
        &self,
        said: impl IntoIterator<Item = (&'c SessionCase, T)>,
    ) -> Vec<(T, Option<String>)> {
        let mut told: Vec<(T, Vec<&str>)> = Vec::new();
        for (case, it) in said {
            match told.iter_mut().find(|(known, _)| *known == it) {
                Some((_, names)) => names.push(&case.name),
                None => told.push((it, vec![&case.name])),
            }
        }
        let of = |names: Vec<&str>| (names.len() < self.cases.len()).then(|| names.join(", "));
        told.into_iter().map(|(it, names)| (it, of(names))).collect()
    }
}

/// The same words once.
fn unique(words: impl Iterator<Item = String>) -> Vec<String> {
    let mut all = Vec::new();
    for words in words {
        if !all.contains(&words) {
            all.push(words);
        }
    }
    all
}

/// A case: its load, its memory limit and its setup.
pub fn describe_case(case: &SessionCase) -> String {
    let spec = &case.spec;
    let mut words = vec![format!("{}: {}", case.name, spec.workload.name)];
    words.push(format!("{} in {}", size(spec.total()), size(spec.whole)));
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

/// How large the areas of a case are, and what carries them.
fn area_sizes(case: &SessionCase) -> Option<String> {
    let devices = &case.spec.devices;
    let all: Bytes = devices.iter().map(|device| device.size).sum();
    let first = devices.first()?;
    let is_alike = devices.iter().all(|device| device.size == first.size);
    let sizes =
        if is_alike { format!("{} x {}", devices.len(), size(first.size)) } else { size(all) };
    let carried = match (has_kind(devices, TemporaryAreaKind::Zram), has_kind(devices, TemporaryAreaKind::File)) {
        (_, false) => "on zram",
        (false, true) => "in files",
        (true, true) => "on zram and in files",
    };
    Some(format!("{sizes} {carried}"))
}

fn has_kind(devices: &[TemporaryArea], kind: TemporaryAreaKind) -> bool {
    devices.iter().any(|device| device.kind == kind)
}

/// What one group of its processes does.
pub fn describe_work(spec: &RunSpec, work: &WorkerGroup) -> String {
    let processes = if work.processes == 1 { "process" } else { "processes" };
    let mut words = format!(
        "{} {processes} with {} of {} memory each, {}",
        work.processes,
        size(spec.size(work)),
        work.memory.word(),
        order_words(work.order)
    );
    words.push_str(match work.writes {
        w if w >= 1.0 => ", writing",
        w if w <= 0.0 => ", reading",
        _ => ", reading and writing",
    });
    let often = match (work.passes, work.seconds) {
        (_, Some(seconds)) => format!(", for {seconds} s"),
        (Some(passes), None) if (passes - 1.0).abs() > f64::EPSILON => {
            format!(", {passes} times over")
        }
        _ => ", once over".to_owned(),
    };
    words.push_str(&often);
    if work.rounds > 1 {
        let rounds = format!(", {} of them one after another", work.rounds);
        words.push_str(&rounds);
    }
    let pages = format!("pages hold {}", contents_words(&work.contents));
    [words, pages].into_iter().chain(describe_unusual_work(work)).collect::<Vec<_>>().join("; ")
}

fn order_words(order: AccessPattern) -> String {
    match order {
        AccessPattern::Sequential => "page after page".to_owned(),
        AccessPattern::Strided { stride } => {
            format!("in steps of {}", size(Bytes(stride)))
        }
        AccessPattern::Random => "at random".to_owned(),
        AccessPattern::Zipf { skew } => format!("by a zipf law of {skew}"),
        AccessPattern::Phases { hot, .. } => format!("mostly in {}% of it, in turns", hot * 100.0),
        AccessPattern::Churn => "in blocks that come and go".to_owned(),
    }
}

fn contents_words(contents: &PageContents) -> String {
    match contents {
        PageContents::Zero => "zeroes".to_owned(),
        PageContents::Same => "one value each".to_owned(),
        PageContents::Words => "the numbers of their words".to_owned(),
        PageContents::Ratio(ratio) => format!("what compresses {ratio}:1"),
        PageContents::Random => "what does not compress".to_owned(),
        PageContents::File(path) => format!("what {} holds", safe_text(path)),
    }
}

/// Who does not wait for whom.
pub fn describe_waits(load: &Workload) -> Option<&'static str> {
    match (load.start_together, load.free_together) {
        (true, true) => None,
        (true, false) => Some("each gives its memory back without waiting for the others"),
        (false, true) => Some("each starts without waiting for the others"),
        (false, false) => Some("none waits for the others, to start or to give memory back"),
    }
}

/// What its processes do otherwise.
fn describe_unusual_work(work: &WorkerGroup) -> Vec<String> {
    let percent = |share: f64| (share * 1000.0).round() / 10.0;
    let all = [
        (work.vary > 0.0)
            .then(|| format!("sizes differ by up to {}%, by chance", percent(work.vary))),
        (!work.prefault).then(|| "memory is not filled before the start".to_owned()),
        work.pace.map(|pace| format!("no more than {} a second each", size(pace))),
        work.cpus.as_deref().map(|cpus| format!("bound to processors {}", ranges(cpus))),
        work.node.map(|node| format!("memory from node {node}")),
    ];
    all.into_iter().flatten().collect()
}

/// All of a load, each work by its number where there are several.
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

/// What is done to the areas that it was lent.
pub fn describe_after(load: &Workload) -> Option<&'static str> {
    match load.after {
        AfterTouching::Nothing => None,
        AfterTouching::Swapoff => Some(
            "its areas are switched off while processes hold their memory: all of it comes back into that",
        ),
    }
}

/// Processors as they would be typed. Their order stays: processes take them in turn.
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
        let all = "sizes differ by up to 12.5%, by chance; memory is not filled before the start; no more than 2M a second each; bound to processors 3,0-1,5; memory from node 1";
        assert_eq!(told, [all]);
        let two = "[[work]]\nsize = '1M'\n[[work]]\nsize = '1M'\nnode = 0\n";
        assert_eq!(words(two), ["work 2: memory from node 0"]);
    }

    #[test]
    fn swapoff_is_described() {
        let told = words("after = 'swapoff'\n[[work]]\nsize = '1M'\n");
        assert!(told[0].starts_with("its areas are switched off"), "{told:?}");
    }

    #[test]
    fn processes_that_do_not_wait_are_described() {
        let told = |word: &str| words(&format!("together = '{word}'\n[[work]]\nsize = '1M'\n"));
        let of = |word: &str| told(word).first().cloned().unwrap_or_default();
        assert_eq!(of("start,free"), "");
        assert!(of("start").contains("gives its memory back without"), "{}", of("start"));
        assert!(of("free").contains("starts without"), "{}", of("free"));
        assert!(of("none").contains("to start or to give memory back"), "{}", of("none"));
    }
}
