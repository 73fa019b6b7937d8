//! A case becomes a spec on this machine: sizes are shares of what it has.

use super::matrix::{Combination, Misfit, fits as fit};
use super::settings::{Kinds, Priorities, Said, Settings};
use super::{Note, Plan, When};
use crate::change::Machine;
use crate::config::{Place, Problem};
use crate::lab::fits;
use crate::lab::guard::{GuardLimits, free_swap};
use crate::lab::load::file::{Change, Places, Source};
use crate::lab::run_spec::{self, Device, FOLDER, Kind, RunSpec};
use crate::model::activation::Discard;
use crate::model::load::{Amount, Workload};
use crate::model::{Bytes, Missing, Name, Snapshot};

/// What is the same for all cases.
#[derive(Clone, Debug, PartialEq)]
pub struct Scale {
    /// Memory that is available.
    pub available: Bytes,
    /// Memory in all.
    pub memory: Bytes,
    /// Swap that is free without the areas that are made.
    pub swap: Bytes,
    /// The limit that was typed, where the case itself says none.
    pub limit: Option<Amount>,
    /// What carries areas as it was typed, where the case itself says nothing.
    pub kinds: Option<Kinds>,
    /// The folder of files that carry areas.
    pub folder: Name,
    /// Limits that are shares are so many times as large.
    pub factor: f64,
    /// What all chance comes from.
    pub seed: u64,
}

impl Scale {
    /// Of this machine.
    ///
    /// # Errors
    /// When it does not tell how much memory it has.
    pub fn of(snapshot: &Snapshot) -> Result<Self, Missing> {
        let memory = |field: &str| snapshot.memory(field).into_result();
        Ok(Self {
            available: memory("MemAvailable")?,
            memory: memory("MemTotal")?,
            swap: free_swap(snapshot).unwrap_or(Bytes(0)),
            limit: None,
            kinds: None,
            folder: FOLDER.into(),
            factor: 1.0,
            seed: 1,
        })
    }

    fn limit(&self, case: &Combination, load: &Workload) -> Bytes {
        let typed = self.limit.filter(|_| case.own.limit.is_none());
        let limit = match (typed, case.settings.limit.unwrap_or(load.limit)) {
            (Some(typed), _) => typed,
            (None, Amount::Share(share)) => Amount::Share(share * self.factor),
            (None, bytes @ Amount::Bytes(_)) => bytes,
        };
        whole_pages(limit.of(self.available))
    }

    fn kinds<'k>(&'k self, case: &'k Combination) -> Option<&'k Kinds> {
        let typed = self.kinds.as_ref().filter(|_| case.own.kinds.is_none());
        typed.or(case.settings.kinds.as_ref())
    }

    /// Does what carries areas, as it was typed, fit these cases?
    ///
    /// # Errors
    /// What does not, and why.
    pub fn fits(&self, cases: &[Combination]) -> Result<(), Misfit> {
        if self.kinds.is_none() {
            return Ok(());
        }
        let kinds = |case| self.kinds(case);
        fit(cases, &kinds)
    }
}

/// The kernel takes limits in whole pages, of which the largest have 64K.
fn whole_pages(bytes: Bytes) -> Bytes {
    Bytes(bytes.0 & !0xffff)
}

/// A load, and where each thing was said of it.
pub type Located = (Workload, Places);

/// The text of a load, by its name.
pub type Loads<'l> = &'l dyn Fn(&str) -> Result<Source, String>;

/// Reads the load of a case. What the experiment's file changes in it is wrong there.
pub fn load(plan: &Plan, case: &Combination, loads: Loads<'_>) -> Result<Located, Vec<Problem>> {
    let Some(said) = &case.settings.load else {
        let text = format!("the case {} has no load", case.name);
        return Err(vec![place(plan, "load", None).problem(&text)]);
    };
    let source = loads(&said.text);
    let source = source.map_err(|why| vec![place(plan, "load", said.line).problem(&why)])?;
    let change = |(key, said): (&String, &Said)| Change {
        key: key.clone(),
        value: Some(said.text.clone()),
        place: place(plan, &format!("with.{key}"), said.line),
    };
    source.load(&case.settings.with.iter().map(change).collect::<Vec<_>>())
}

/// A key of the experiment's file.
fn place(plan: &Plan, key: &str, line: Option<usize>) -> Place {
    Place::of(&plan.file).at(line).key(key)
}

/// What of a load this machine does not have, or what the limit of the case does not hold.
pub fn unfit(
    plan: &Plan,
    case: &Combination,
    (load, places): &Located,
    (scale, snapshot): (&Scale, &Snapshot),
) -> Vec<Problem> {
    let folios = run_spec::folios(load, places, snapshot);
    folios.into_iter().chain(too_little(plan, case, (load, places), scale)).collect()
}

/// A share of what the machine has is looked at with all else that the machine does not have.
fn too_little(
    plan: &Plan,
    case: &Combination,
    (load, places): (&Workload, &Places),
    scale: &Scale,
) -> Option<Problem> {
    let typed = scale.limit.filter(|_| case.own.limit.is_none());
    let Amount::Bytes(limit) = typed.or(case.settings.limit).unwrap_or(load.limit) else {
        return None;
    };
    let text = fits::too_little(limit, load)?;
    Some(match (typed, case.settings.limit) {
        (Some(_), _) => Place::of("--limit").problem(&text),
        (None, Some(_)) => {
            place(plan, "limit", case.settings.lines.get("limit").copied()).problem(&text)
        }
        (None, None) => places.problem("limit", &text),
    })
}

/// The knobs of a case that this machine does not have, or not with these values.
pub fn unset(plan: &Plan, case: &Combination, machine: &Machine<'_>) -> Vec<Problem> {
    let settings = &case.settings;
    let problem = |(knob, value): (&String, &String)| {
        let key = format!("set.{knob}");
        let text = run_spec::knob(knob, value, machine).err()?;
        Some(place(plan, &key, settings.lines.get(&key).copied()).problem(&text))
    };
    settings.set.iter().filter_map(problem).collect()
}

/// What is wished for one run of a case.
pub fn spec(plan: &Plan, case: &Combination, (load, places): Located, scale: &Scale) -> RunSpec {
    let limit = scale.limit(case, &load);
    let kinds = scale.kinds(case);
    let kind = |place| kinds.map_or(Kind::Zram, |kinds| kinds.of(place));
    let devices = devices(&case.settings, limit, &kind);
    let made: Bytes = devices.iter().map(|device| device.size).sum();
    let swap = scale.swap.saturating_add(made);
    RunSpec {
        title: format!("{}: {}", plan.name, case.name),
        guard: GuardLimits::usual(scale.memory, swap, load.at_most),
        workload: load,
        places,
        limit: Some(limit),
        whole: limit,
        devices,
        folder: scale.folder.clone(),
        settings: case.settings.set.clone().into_iter().collect(),
        seed: scale.seed,
        repetitions: 1,
    }
}

fn devices(settings: &Settings, limit: Bytes, kind: &dyn Fn(usize) -> Kind) -> Vec<Device> {
    let sizes = settings.devices.as_deref().unwrap_or_default();
    let priorities = settings.priorities.as_ref().unwrap_or(&Priorities::Default);
    let device = |(place, size): (usize, &Amount)| Device {
        kind: kind(place),
        size: whole_pages(size.of(limit)).max(LEAST),
        algorithm: settings.algorithm.clone(),
        priority: priorities.of(place, sizes.len()),
        discard: settings.discard.unwrap_or(Discard::None),
    };
    sizes.iter().enumerate().map(device).collect()
}

/// The smallest area that is made.
const LEAST: Bytes = Bytes(1 << 20);

/// The notes that hold on this machine, for areas that are carried so.
pub fn notes(notes: &[Note], snapshot: &Snapshot, kinds: &[Kind]) -> Vec<String> {
    let count = snapshot.numa.reading.known().map(Vec::len);
    let holds = |when| match when {
        When::Always => true,
        When::OneNode => count.is_none_or(|count| count < 2),
        When::SeveralNodes => count.is_some_and(|count| count > 1),
        When::Made(kind) => kinds.contains(&kind),
    };
    notes.iter().filter(|note| holds(note.when)).map(|note| note.text.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::super::{builtin, file as own, matrix};
    use super::*;
    use crate::lab::load::builtin as loads;
    use crate::model::Stamp;
    use crate::model::activation::Priority;

    const MIB: u64 = 1 << 20;

    fn known(name: &str) -> Result<Source, String> {
        let found = loads::builtin().find(|it| it.name == name);
        found.map(loads::Builtin::source).ok_or_else(|| "no such load".into())
    }

    fn scale(available: u64) -> Scale {
        let available = Bytes(available * MIB);
        let (swap, limit, kinds, folder) = (Bytes(0), None, None, FOLDER.into());
        Scale { available, memory: available, swap, limit, kinds, folder, factor: 1.0, seed: 1 }
    }

    #[test]
    fn each_that_is_built_in_can_be_made_ready() {
        for it in builtin::builtin() {
            let plan = it.plan().unwrap_or_else(|wrongs| panic!("{wrongs:?}"));
            assert!(plan.about.ends_with('.') && plan.question.ends_with('?'), "{}", it.name);
            // Of zswap nobody published such a table.
            assert_eq!(plan.published.is_none(), it.name == "zswap", "{}", it.name);
            for case in matrix::cases(&plan) {
                let load = load(&plan, &case, &known).unwrap_or_else(|wrongs| panic!("{wrongs:?}"));
                let spec = spec(&plan, &case, load, &scale(8192));
                let swap: Bytes = spec.devices.iter().map(|device| device.size).sum();
                let swapped = spec.total().saturating_sub(spec.whole);
                assert!(swapped > Bytes(0), "{}", spec.title);
                assert!(
                    swapped.0 as f64 <= 0.95 * swap.0 as f64,
                    "{}: {swapped:?} {swap:?}",
                    spec.title
                );
                assert!(spec.limit < Some(Bytes(2048 * MIB)), "{}", spec.title);
            }
        }
    }

    #[test]
    fn sizes_scale_with_the_machine_and_with_what_is_typed() {
        let plan = builtin::find("a").unwrap().plan().unwrap();
        let case = matrix::cases(&plan).pop().unwrap();
        let load = load(&plan, &case, &known).unwrap();
        let of = |scale: &Scale| {
            let spec = spec(&plan, &case, load.clone(), scale);
            (spec.limit.unwrap().0 / MIB, spec.devices[0].size.0 / MIB, spec.devices.len())
        };
        assert_eq!(of(&scale(8000)), (400, 400, 4));
        assert_eq!(of(&Scale { factor: 0.5, ..scale(8000) }), (200, 200, 4));
        let limit = Some(Amount::Bytes(Bytes(64 * MIB)));
        assert_eq!(of(&Scale { limit, factor: 0.5, ..scale(8000) }), (64, 64, 4));
    }

    #[test]
    fn kinds_are_those_of_the_case_or_as_typed() {
        let text = "about = 'a'\nquestion = 'q'\ncolumns = ['used']\n[base]\nload = 'usemem'\n\
            devices = '2x100%'\n[[factor]]\nname = 'f'\n\
            [[factor.value]]\nname = 'zram'\n[[factor.value]]\nname = 'file'\nkind = 'file'\n";
        let plan = own::read("mine", text).unwrap();
        let of = |typed: Option<&str>| -> Vec<Vec<Kind>> {
            let kinds = typed.map(|text| Kinds::parse(text).unwrap());
            let scale = Scale { kinds, ..scale(8000) };
            let of = |case: &Combination| {
                let load = load(&plan, case, &known).unwrap();
                let devices = spec(&plan, case, load, &scale).devices;
                devices.iter().map(|device| device.kind).collect()
            };
            matrix::cases(&plan).iter().map(of).collect()
        };
        let fits = |typed: &str| {
            let kinds = Some(Kinds::parse(typed).unwrap());
            let scale = Scale { kinds, ..scale(8000) };
            let cases = matrix::cases(&plan);
            [0, 1].map(|case| scale.fits(&cases[case..=case]).map_err(|misfit| misfit.why))
        };
        assert_eq!(fits("file,zram"), [Ok(()), Ok(())]);
        let three = fits("file,zram,zram");
        assert!(three[0].as_ref().is_err_and(|why| why.starts_with("zram: 3 kinds for 2 areas")));
        assert_eq!(three[1], Ok(()), "it says itself what it has");
        assert_eq!(of(None), [[Kind::Zram; 2], [Kind::File; 2]]);
        assert_eq!(of(Some("file,zram")), [[Kind::File, Kind::Zram], [Kind::File; 2]]);
    }

    /// A case that says the same as the base has said it all the same.
    #[test]
    fn what_is_typed_leaves_alone_what_a_case_says_itself() {
        let text = "about = 'a'\nquestion = 'q'\ncolumns = ['used']\n[base]\nload = 'usemem'\n\
            limit = '5%'\nkind = 'zram'\ndevices = '1x100%'\n[[factor]]\nname = 'f'\n\
            [[factor.value]]\nname = 'none'\n[[factor.value]]\nname = 'same'\nlimit = '5%'\n\
            kind = 'zram'\n[[factor]]\nname = 'g'\nkey = 'set.swappiness'\nvalues = [1, 60]\n";
        let plan = own::read("mine", text).unwrap();
        let kinds = Some(Kinds::parse("file").unwrap());
        let scale = Scale { limit: Some(Amount::Share(0.25)), kinds, ..scale(8000) };
        let of = |case: &Combination| {
            let spec = spec(&plan, case, load(&plan, case, &known).unwrap(), &scale);
            (spec.limit.unwrap().0 / MIB, spec.devices[0].kind)
        };
        let all: Vec<_> = matrix::cases(&plan).iter().map(of).collect();
        let (typed, said) = ((2000, Kind::File), (400, Kind::Zram));
        assert_eq!(all, [typed, typed, said, said]);
    }

    #[test]
    fn what_is_to_be_known_depends_on_what_carries_the_areas() {
        let plan = builtin::find("C").unwrap().plan().unwrap();
        let now = Stamp { boot_ns: 0, wall_ms: 0 };
        let told = |kinds: &[Kind]| {
            let all = notes(&plan.notes, &Snapshot::empty(now), kinds).join(" ");
            ["swap_ra", "zram is synchronous", "kept by its host"].map(|it| all.contains(it))
        };
        assert_eq!(told(&[Kind::File]), [true, false, true]);
        assert_eq!(told(&[Kind::Zram]), [true, true, false]);
        assert_eq!(told(&[]), [true, false, false]);
    }

    #[test]
    fn what_is_wrong_of_the_load_is_told_of_the_experiment() {
        let text = "about = 'a'\nquestion = 'q'\ncolumns = ['used']\n[base]\nload = 'usemem'\n\
            [[factor]]\nname = 'f'\nkey = 'with.memory'\nvalues = ['shared', 'shard']\n";
        let source = Source {
            name: "mine".to_owned(),
            file: "./mine.toml".to_owned(),
            text: text.to_owned(),
        };
        let plan = own::plan(&source).unwrap();
        let told = |case: &Combination| match load(&plan, case, &known) {
            Ok(_) => String::new(),
            Err(wrongs) => wrongs[0].to_string(),
        };
        let told: Vec<String> = matrix::cases(&plan).iter().map(told).collect();
        assert_eq!(told[0], "");
        assert!(told[1].starts_with("./mine.toml:9: with.memory: \"shard\""), "{}", told[1]);
    }

    /// What a built-in load says is not what is wrong there.
    #[test]
    fn what_does_not_go_with_a_load_is_told_of_the_experiment() {
        let text = "about = 'a'\nquestion = 'q'\ncolumns = ['used']\n[base]\nload = 'mthp-churn'\n\
            with.memory = 'shared'\n[[factor]]\nname = 'f'\nkey = 'set.swappiness'\nvalues = [1, 60]\n";
        let plan = own::read("mine.toml", text).unwrap();
        let wrongs = load(&plan, &matrix::cases(&plan)[0], &known).unwrap_err();
        let told = wrongs.iter().map(ToString::to_string).collect::<String>();
        let wanted =
            "mine.toml:6: with.memory: conflicts with pattern (mthp-churn:16): churn is for";
        assert!(told.starts_with(wanted), "{told}");
    }

    #[test]
    fn priorities_are_those_of_the_case() {
        let plan = builtin::find("balance").unwrap().plan().unwrap();
        let of = |case: &Combination| -> Vec<Priority> {
            let devices = devices(&case.settings, Bytes(64 * MIB), &|_| Kind::Zram);
            devices.iter().map(|device| device.priority).collect()
        };
        let all: Vec<_> = matrix::cases(&plan).iter().map(of).collect();
        assert_eq!(all[0], [Priority::Default; 4]);
        assert!(all[1].windows(2).all(|two| two[0] == two[1]) && all[1][0] != Priority::Default);
        assert!(all[2].windows(2).all(|two| two[0] > two[1]));
    }
}
