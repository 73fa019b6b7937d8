use super::*;
use crate::lab::builtin::{self, EXPERIMENTS};
use crate::lab::load::file::SourceText;
use crate::lab::session::spec;
use crate::model::Stamp;
use crate::model::activation::Priority;

#[test]
fn only_selected_cases_are_run() {
    let plan = builtin::find(EXPERIMENTS, "C").unwrap().plan().unwrap();
    let count = |only: &[&str]| {
        let only: Vec<FactorChoice> = only.iter().map(|text| spec::parse_choice(text)).collect();
        select_cases(&plan, &only).map(|cases| cases.len())
    };
    assert_eq!(count(&[]).unwrap(), 12);
    assert_eq!(count(&["memory=shared", "page-cluster=0,3"]).unwrap(), 4);
    for wrong in ["memory=x", "colour=red", "memory", "memory=shared,x"] {
        let why = count(&[wrong]).unwrap_err().to_string();
        assert!(why.contains("memory=anonymous,shared"), "{why}");
    }
    let twice = count(&["memory=shared", "memory=anonymous"]).unwrap_err().to_string();
    assert!(twice.starts_with("--only: no case has all these values"), "{twice}");
    let why = |wrong: &str| count(&[wrong]).unwrap_err().to_string();
    let of_factor = why("memroy=shared");
    assert!(of_factor.contains("has no factor memroy: it has "), "{of_factor}");
    assert!(of_factor.contains(" and ") && of_factor.ends_with("; did you mean memory?"));
    let of_value = why("memory=share");
    assert!(of_value.contains("no value share: "), "{of_value}");
    assert!(of_value.ends_with("has memory=anonymous,shared; did you mean shared?"));
}

const MIB: u64 = 1 << 20;

fn loads() -> LibraryFolder {
    UserFiles::next_to(None).loads
}

fn scale(available: u64) -> MachineScale {
    let available = Bytes(available * MIB);
    MachineScale {
        available,
        memory: available,
        first: Priority::Default,
        swap: Bytes(0),
        limit: None,
        kinds: None,
        folder: FOLDER.into(),
        factor: 1.0,
        seed: 1,
    }
}

#[test]
fn limits_of_both_kinds_are_scaled() {
    let plan = builtin::find(EXPERIMENTS, "C").unwrap().plan().unwrap();
    let mut case = experiment::cases(&plan).remove(0);
    let (load, _) = read_load(&plan, &case, &loads()).unwrap();
    let scale = MachineScale { factor: 0.5, ..scale(8192) };
    for (limit, scaled) in [
        (MemoryAmount::Share(0.5), MemoryAmount::Share(0.25)),
        (MemoryAmount::Bytes(Bytes(64 * MIB)), MemoryAmount::Bytes(Bytes(32 * MIB))),
    ] {
        case.settings.limit = Some(limit);
        assert_eq!(scale.limit(&case, &load), scaled);
    }
    case.settings.limit = Some(MemoryAmount::Bytes(Bytes(10 * MIB)));
    assert!(limit_problem(&plan, &case, (&load, &KeyLocations::default()), &scale).is_some());
}

#[test]
fn every_built_in_experiment_can_be_prepared() {
    for it in EXPERIMENTS {
        let plan = it.plan().unwrap_or_else(|wrongs| panic!("{wrongs:?}"));
        assert!(plan.about.ends_with('.') && plan.question.ends_with('?'), "{}", it.name);
        // Figures for zswap have not been published in this form.
        assert_eq!(plan.published.is_none(), it.name == "zswap", "{}", it.name);
        for case in experiment::cases(&plan) {
            let load =
                read_load(&plan, &case, &loads()).unwrap_or_else(|wrongs| panic!("{wrongs:?}"));
            let spec = build_run(&plan, &case, load, &scale(8192));
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
fn sizes_scale_with_machine_and_options() {
    let plan = builtin::find(EXPERIMENTS, "a").unwrap().plan().unwrap();
    let case = experiment::cases(&plan).pop().unwrap();
    let load = read_load(&plan, &case, &loads()).unwrap();
    let of = |scale: &MachineScale| {
        let spec = build_run(&plan, &case, load.clone(), scale);
        (spec.limit.unwrap().0 / MIB, spec.devices[0].size.0 / MIB, spec.devices.len())
    };
    assert_eq!(of(&scale(8000)), (400, 400, 4));
    assert_eq!(of(&MachineScale { factor: 0.5, ..scale(8000) }), (200, 200, 4));
    let limit = Some(MemoryAmount::Bytes(Bytes(64 * MIB)));
    assert_eq!(of(&MachineScale { limit, factor: 0.5, ..scale(8000) }), (64, 64, 4));
}

#[test]
fn kinds_come_from_the_case_or_the_option() {
    let text = "about = 'a'\nquestion = 'q'\ncolumns = ['used']\n[base]\nload = 'usemem'\n\
        devices = '2x100%'\n[[factor]]\nname = 'f'\n\
        [[factor.value]]\nname = 'zram'\n[[factor.value]]\nname = 'file'\nkind = 'file'\n";
    let plan = file::read("mine", text).unwrap();
    let of = |typed: Option<&str>| -> Vec<Vec<TemporaryAreaKind>> {
        let kinds = typed.map(|text| TemporaryAreaKinds::parse(text).unwrap());
        let scale = MachineScale { kinds, ..scale(8000) };
        let of = |case: &Combination| {
            let load = read_load(&plan, case, &loads()).unwrap();
            let devices = build_run(&plan, case, load, &scale).devices;
            devices.iter().map(|device| device.kind).collect()
        };
        experiment::cases(&plan).iter().map(of).collect()
    };
    let fits = |typed: &str| {
        let kinds = Some(TemporaryAreaKinds::parse(typed).unwrap());
        let scale = MachineScale { kinds, ..scale(8000) };
        let cases = experiment::cases(&plan);
        [0, 1].map(|case| scale.check_areas(&cases[case..=case]).map_err(|misfit| misfit.why))
    };
    assert_eq!(fits("file,zram"), [Ok(()), Ok(())]);
    let three = fits("file,zram,zram");
    assert!(three[0].as_ref().is_err_and(|why| why.starts_with("case zram: 3 kinds for 2 areas")));
    assert_eq!(three[1], Ok(()), "the case sets its own kinds");
    assert_eq!(of(None), [[TemporaryAreaKind::Zram; 2], [TemporaryAreaKind::File; 2]]);
    assert_eq!(
        of(Some("file,zram")),
        [[TemporaryAreaKind::File, TemporaryAreaKind::Zram], [TemporaryAreaKind::File; 2]]
    );
}

/// A case that sets the same value as the base counts as setting it.
#[test]
fn options_keep_values_set_by_a_case() {
    let text = "about = 'a'\nquestion = 'q'\ncolumns = ['used']\n[base]\nload = 'usemem'\n\
        limit = '5%'\nkind = 'zram'\ndevices = '1x100%'\n[[factor]]\nname = 'f'\n\
        [[factor.value]]\nname = 'none'\n[[factor.value]]\nname = 'same'\nlimit = '5%'\n\
        kind = 'zram'\n[[factor]]\nname = 'g'\nkey = 'set.swappiness'\nvalues = [1, 60]\n";
    let plan = file::read("mine", text).unwrap();
    let kinds = Some(TemporaryAreaKinds::parse("file").unwrap());
    let scale = MachineScale { limit: Some(MemoryAmount::Share(0.25)), kinds, ..scale(8000) };
    let of = |case: &Combination| {
        let spec = build_run(&plan, case, read_load(&plan, case, &loads()).unwrap(), &scale);
        (spec.limit.unwrap().0 / MIB, spec.devices[0].kind)
    };
    let all: Vec<_> = experiment::cases(&plan).iter().map(of).collect();
    let (typed, said) = ((2000, TemporaryAreaKind::File), (400, TemporaryAreaKind::Zram));
    assert_eq!(all, [typed, typed, said, said]);
}

#[test]
fn notes_depend_on_the_kind_of_areas() {
    let plan = builtin::find(EXPERIMENTS, "C").unwrap().plan().unwrap();
    let now = Stamp { boot_ns: 0, wall_ms: 0 };
    let told = |kinds: &[TemporaryAreaKind]| {
        let all = notes(&plan.notes, &Snapshot::empty(now), kinds).join(" ");
        ["swap_ra", "zram is synchronous", "kept by its host"].map(|it| all.contains(it))
    };
    assert_eq!(told(&[TemporaryAreaKind::File]), [true, false, true]);
    assert_eq!(told(&[TemporaryAreaKind::Zram]), [true, true, false]);
    assert_eq!(told(&[]), [true, false, false]);
}

#[test]
fn load_errors_are_reported_for_the_experiment() {
    let text = "about = 'a'\nquestion = 'q'\ncolumns = ['used']\n[base]\nload = 'usemem'\n\
        [[factor]]\nname = 'f'\nkey = 'with.memory'\nvalues = ['shared', 'shard']\n";
    let source = SourceText {
        name: "mine".to_owned(),
        file: "./mine.toml".to_owned(),
        text: text.to_owned(),
    };
    let plan = file::plan(&source).unwrap();
    let told = |case: &Combination| match read_load(&plan, case, &loads()) {
        Ok(_) => String::new(),
        Err(wrongs) => wrongs[0].to_string(),
    };
    let told: Vec<String> = experiment::cases(&plan).iter().map(told).collect();
    assert_eq!(told[0], "");
    assert!(told[1].starts_with("./mine.toml:9: with.memory: \"shard\""), "{}", told[1]);
}

/// An error is reported in the experiment's file, because the built-in workload is valid.
#[test]
fn load_conflicts_are_reported_for_the_experiment() {
    let text = "about = 'a'\nquestion = 'q'\ncolumns = ['used']\n[base]\nload = 'mthp-churn'\n\
        with.memory = 'shared'\n[[factor]]\nname = 'f'\nkey = 'set.swappiness'\nvalues = [1, 60]\n";
    let plan = file::read("mine.toml", text).unwrap();
    let wrongs = read_load(&plan, &experiment::cases(&plan)[0], &loads()).unwrap_err();
    let told = wrongs.iter().map(ToString::to_string).collect::<String>();
    let wanted = "mine.toml:6: with.memory: conflicts with pattern (mthp-churn:16): churn needs";
    assert!(told.starts_with(wanted), "{told}");
}

#[test]
fn priorities_are_those_of_the_case() {
    let plan = builtin::find(EXPERIMENTS, "balance").unwrap().plan().unwrap();
    let of = |case: &Combination| -> Vec<Priority> {
        let limit = (Bytes(64 * MIB), Priority::Set(7));
        let devices = build_areas(&case.settings, limit, &|_| TemporaryAreaKind::Zram);
        devices.iter().map(|device| device.priority).collect()
    };
    let all: Vec<_> = experiment::cases(&plan).iter().map(of).collect();
    assert_eq!(all[0], [Priority::Default; 4]);
    assert!(all[1].windows(2).all(|two| two[0] == two[1]) && all[1][0] != Priority::Default);
    assert!(all[2].windows(2).all(|two| two[0] > two[1]));
}
