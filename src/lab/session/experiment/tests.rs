use super::*;
use crate::lab::builtin::{self, EXPERIMENTS};
use crate::lab::load::file::Source;
use crate::lab::session::spec;
use crate::model::Stamp;
use crate::model::activation::Priority;

#[test]
fn only_what_was_chosen_is_run() {
    let plan = builtin::find(EXPERIMENTS, "C").unwrap().plan().unwrap();
    let count = |only: &[&str]| {
        let only: Vec<Choice> = only.iter().map(|text| spec::choice(text)).collect();
        chosen(&plan, &only).map(|cases| cases.len())
    };
    assert_eq!(count(&[]).unwrap(), 12);
    assert_eq!(count(&["memory=shared", "page-cluster=0,3"]).unwrap(), 4);
    for wrong in ["memory=x", "colour=red", "memory", "memory=shared,x"] {
        let why = count(&[wrong]).unwrap_err().to_string();
        assert!(why.contains("memory=anonymous,shared"), "{why}");
    }
    let why = |wrong: &str| count(&[wrong]).unwrap_err().to_string();
    let of_factor = why("memroy=shared");
    assert!(of_factor.contains("has no factor memroy: it has "), "{of_factor}");
    assert!(of_factor.contains(" and ") && of_factor.ends_with("; did you mean memory?"));
    let of_value = why("memory=share");
    assert!(of_value.contains("no value share: "), "{of_value}");
    assert!(of_value.ends_with("has memory=anonymous,shared; did you mean shared?"));
}

const MIB: u64 = 1 << 20;

fn loads() -> Folder {
    UserFiles::beside(None).loads
}

fn scale(available: u64) -> Scale {
    let available = Bytes(available * MIB);
    let (swap, limit, kinds, folder) = (Bytes(0), None, None, FOLDER.into());
    Scale { available, memory: available, swap, limit, kinds, folder, factor: 1.0, seed: 1 }
}

#[test]
fn each_that_is_built_in_can_be_made_ready() {
    for it in EXPERIMENTS {
        let plan = it.plan().unwrap_or_else(|wrongs| panic!("{wrongs:?}"));
        assert!(plan.about.ends_with('.') && plan.question.ends_with('?'), "{}", it.name);
        // Of zswap nobody published such a table.
        assert_eq!(plan.published.is_none(), it.name == "zswap", "{}", it.name);
        for case in experiment::cases(&plan) {
            let load =
                read_load(&plan, &case, &loads()).unwrap_or_else(|wrongs| panic!("{wrongs:?}"));
            let spec = run_of(&plan, &case, load, &scale(8192));
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
    let plan = builtin::find(EXPERIMENTS, "a").unwrap().plan().unwrap();
    let case = experiment::cases(&plan).pop().unwrap();
    let load = read_load(&plan, &case, &loads()).unwrap();
    let of = |scale: &Scale| {
        let spec = run_of(&plan, &case, load.clone(), scale);
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
    let plan = file::read("mine", text).unwrap();
    let of = |typed: Option<&str>| -> Vec<Vec<Kind>> {
        let kinds = typed.map(|text| Kinds::parse(text).unwrap());
        let scale = Scale { kinds, ..scale(8000) };
        let of = |case: &Combination| {
            let load = read_load(&plan, case, &loads()).unwrap();
            let devices = run_of(&plan, case, load, &scale).devices;
            devices.iter().map(|device| device.kind).collect()
        };
        experiment::cases(&plan).iter().map(of).collect()
    };
    let fits = |typed: &str| {
        let kinds = Some(Kinds::parse(typed).unwrap());
        let scale = Scale { kinds, ..scale(8000) };
        let cases = experiment::cases(&plan);
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
    let plan = file::read("mine", text).unwrap();
    let kinds = Some(Kinds::parse("file").unwrap());
    let scale = Scale { limit: Some(Amount::Share(0.25)), kinds, ..scale(8000) };
    let of = |case: &Combination| {
        let spec = run_of(&plan, case, read_load(&plan, case, &loads()).unwrap(), &scale);
        (spec.limit.unwrap().0 / MIB, spec.devices[0].kind)
    };
    let all: Vec<_> = experiment::cases(&plan).iter().map(of).collect();
    let (typed, said) = ((2000, Kind::File), (400, Kind::Zram));
    assert_eq!(all, [typed, typed, said, said]);
}

#[test]
fn what_is_to_be_known_depends_on_what_carries_the_areas() {
    let plan = builtin::find(EXPERIMENTS, "C").unwrap().plan().unwrap();
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
    let source =
        Source { name: "mine".to_owned(), file: "./mine.toml".to_owned(), text: text.to_owned() };
    let plan = file::plan(&source).unwrap();
    let told = |case: &Combination| match read_load(&plan, case, &loads()) {
        Ok(_) => String::new(),
        Err(wrongs) => wrongs[0].to_string(),
    };
    let told: Vec<String> = experiment::cases(&plan).iter().map(told).collect();
    assert_eq!(told[0], "");
    assert!(told[1].starts_with("./mine.toml:9: with.memory: \"shard\""), "{}", told[1]);
}

/// What a built-in load says is not what is wrong there.
#[test]
fn what_does_not_go_with_a_load_is_told_of_the_experiment() {
    let text = "about = 'a'\nquestion = 'q'\ncolumns = ['used']\n[base]\nload = 'mthp-churn'\n\
        with.memory = 'shared'\n[[factor]]\nname = 'f'\nkey = 'set.swappiness'\nvalues = [1, 60]\n";
    let plan = file::read("mine.toml", text).unwrap();
    let wrongs = read_load(&plan, &experiment::cases(&plan)[0], &loads()).unwrap_err();
    let told = wrongs.iter().map(ToString::to_string).collect::<String>();
    let wanted = "mine.toml:6: with.memory: conflicts with pattern (mthp-churn:16): churn is for";
    assert!(told.starts_with(wanted), "{told}");
}

#[test]
fn priorities_are_those_of_the_case() {
    let plan = builtin::find(EXPERIMENTS, "balance").unwrap().plan().unwrap();
    let of = |case: &Combination| -> Vec<Priority> {
        let devices = devices(&case.settings, Bytes(64 * MIB), &|_| Kind::Zram);
        devices.iter().map(|device| device.priority).collect()
    };
    let all: Vec<_> = experiment::cases(&plan).iter().map(of).collect();
    assert_eq!(all[0], [Priority::Default; 4]);
    assert!(all[1].windows(2).all(|two| two[0] == two[1]) && all[1][0] != Priority::Default);
    assert!(all[2].windows(2).all(|two| two[0] > two[1]));
}
