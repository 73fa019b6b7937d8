use super::demo::DEMOS;
use super::export::to_markdown;
use super::figure::Figure;
use super::machine::{LessonMachine, builtin_load, scale_sizes};
use super::player::{LineKind, Player, StepPhase, letter, rehearse, rehearse_with};
use super::*;
use crate::advice::AdviceReport;
use crate::cli::commands::change::run_simulated;
use crate::model::Policy;
use crate::sim::dense::SeededRandom;
use crate::sim::machine::RunningMachine;
use std::ops::Range;

fn errors(text: &str) -> Vec<String> {
    read_lesson("mine", "mine.toml", text).err().unwrap_or_default()
}

fn lesson(text: &str) -> Arc<Lesson> {
    let read = read_lesson("mine", "mine.toml", text);
    Arc::new(read.unwrap_or_else(|errors| panic!("{errors:#?}")))
}

fn builtin(name: &str) -> Arc<Lesson> {
    let found = builtin_lessons().iter().find(|lesson| lesson.name == name);
    Arc::clone(found.unwrap())
}

/// Seeds of students: a lesson can go wrong with one of fifty.
const SEEDS: Range<u64> = 0..40;

#[test]
fn built_in_lessons_are_valid_and_can_be_played_with_every_seed() {
    for (name, text) in LESSONS {
        let read = read_lesson(name, name, text);
        let lesson = Arc::new(read.unwrap_or_else(|errors| panic!("{errors:#?}")));
        assert_eq!(rehearse_with(&lesson, SEEDS, run_simulated), Ok(()), "{name}");
        assert!(lesson.steps.iter().any(|step| !step.answers.is_empty()), "{name}");
    }
    assert_eq!(builtin_lessons().len(), LESSONS.len());
}

/// Plays a lesson, and answers each question with the right or with a wrong answer.
fn play(lesson: &Arc<Lesson>, well: bool) -> Vec<LineKind> {
    let mut player = Player::new(Arc::clone(lesson), None).unwrap();
    let mut kinds = Vec::new();
    while player.phase != StepPhase::Finished {
        if player.is_asking() {
            player.run(None).unwrap();
            let StepPhase::Shown { right: Some(right), .. } = player.phase else { panic!() };
            assert!(player.back());
            let count = player.step().unwrap().answers.len();
            let given = if well { right } else { (right + 1) % count };
            assert_eq!(player.answer_of(letter(given)), Some(given));
            assert_eq!(player.answer_of(letter(count)), None);
            player.run(Some(given)).unwrap();
        } else if player.is_repairing() {
            assert!(player.advance().unwrap().is_none(), "a repair waits");
            let solution = player.step().unwrap().solution.clone();
            for line in &solution {
                command(&mut player, line).unwrap();
            }
            assert!(!player.is_repairing(), "{:?}", player.lines());
        } else {
            player.advance().unwrap();
        }
        kinds.extend(player.lines().into_iter().map(|(kind, _)| kind));
    }
    let asked = lesson.steps.iter().filter(|step| !step.answers.is_empty()).count();
    assert_eq!(player.reached(), (lesson.steps.len(), if well { asked } else { 0 }));
    assert!(player.lines().contains(&(LineKind::Command, lesson.real.clone())));
    kinds
}

#[test]
fn every_lesson_accepts_right_answers_and_corrects_wrong_ones() {
    for lesson in builtin_lessons() {
        assert!(!play(lesson, true).contains(&LineKind::Wrong), "{}", lesson.name);
        assert!(play(lesson, false).contains(&LineKind::Wrong), "{}", lesson.name);
    }
}

#[test]
fn going_back_restores_the_machine_and_the_first_prediction_counts() {
    let lesson = builtin("priorities");
    let mut player = Player::new(lesson, None).unwrap();
    assert!(!player.back());
    let start = player.sample();
    player.run(Some(0)).unwrap();
    let after = player.sample();
    assert!(player.back());
    assert_eq!(player.sample(), start);
    player.run(Some(1)).unwrap();
    assert_eq!(player.sample(), after);
    assert_eq!(player.reached(), (1, 0));
    player.advance().unwrap();
    assert_eq!(player.progress().0, 2);
    assert!(player.back());
    assert_eq!((player.progress().0, player.sample()), (1, start));
}

/// The machine of a step is on the screens while its question is asked; nothing has run on it yet.
#[test]
fn the_machine_of_a_question_is_shown_before_the_answer() {
    for lesson in builtin_lessons() {
        let mut player = Player::new(Arc::clone(lesson), None).unwrap();
        while let Some(step) = player.step().cloned() {
            if let Some(set) = &step.set {
                let fresh = lesson.machine.start(set, None).unwrap().snapshot();
                assert!(player.sample() == fresh, "{}: {}", lesson.name, step.ask);
            }
            player.run(None).unwrap();
            player.advance().unwrap();
        }
    }
}

#[test]
fn hints_come_one_by_one() {
    let mut player = Player::new(builtin("defaults"), None).unwrap();
    let hints =
        |player: &Player| player.lines().iter().filter(|(kind, _)| *kind == LineKind::Hint).count();
    assert_eq!(hints(&player), 0);
    assert!(player.hint());
    assert_eq!(hints(&player), 1);
    assert!(!player.hint());
}

#[test]
fn seeds_change_each_lesson_and_the_same_seed_gives_the_same_one() {
    for lesson in builtin_lessons() {
        let exported = |seed| to_markdown(lesson, true, Some(seed)).unwrap();
        assert_eq!(exported(1), exported(1), "{}", lesson.name);
        for seed in [2, 77] {
            assert_ne!(exported(1), exported(seed), "{}", lesson.name);
        }
    }
}

/// Sizes of folios, in K, and of published measurements, in G, stay.
#[test]
fn only_sizes_in_mebibytes_are_scaled() {
    let text = "Two of 7M write 15.5M: \"1.size=16M\", 64K, 10G, 5MB, M. 8M.";
    let scaled = "Two of 8.8M write 19.4M: \"1.size=20M\", 64K, 10G, 5MB, M. 10M.";
    assert_eq!(scale_sizes(text, 1.25), scaled);
    assert_eq!(scale_sizes(text, 1.0), text);
}

#[test]
fn exports_have_questions_and_answers() {
    for lesson in builtin_lessons() {
        let whole = to_markdown(lesson, true, None).unwrap();
        let questions = to_markdown(lesson, false, None).unwrap();
        let asked = lesson.steps.iter().filter(|step| !step.answers.is_empty()).count();
        assert_eq!(whole.matches("\n- a) ").count(), asked, "{whole}");
        assert!(whole.contains("> The answer is ") && !questions.contains("> "), "{whole}");
        assert!(questions.contains(&lesson.real));
    }
}

/// A lesson as the documents describe it.
const OWN: &str = r#"
title = "Two areas"
about = "The first area fills first."
machine = "laptop"
real = "swapadm devices"

[[step]]
text = "The laptop has zram0 with a high priority."
ask = "Which area is used?"
hints = ["Compare the priorities."]
set = ["memory=8M", "area.size=32M", "used=0%", "rounds-per-second=450"]
run = 2
look = ["devices zram0 used"]

[[step.answer]]
text = "zram0"
when = ["devices zram0 used > 0", "devices swapfile used = 0"]
why = "It holds {devices zram0 used}."

[[step.answer]]
text = "the swap file"
when = ["devices swapfile used > 0"]
"#;

/// Another one, with a machine of its own.
const OWN_MACHINE: &str = r#"
title = "swapoff"
about = "swapoff moves pages."
real = "swapadm devices"

[machine]
kernel = "6.12"
memory = "8M"

[[machine.area]]
path = "/dev/sda2"
device = "disk"
size = "16M"

[[machine.area]]
path = "/dev/sdb2"
device = "disk"
size = "16M"

[[step]]
text = """
Processes swap.

The machine then has two areas."""
load = "usemem"
with = ["processes=1", "size=12M"]
run = 3

[[step]]
text = "Now swapoff."
ask = "Where are the pages?"
off = "sda2"

[[step.answer]]
text = "on the other area"
when = ["devices sda2 used = missing", "devices sdb2 used >= before devices sdb2 used"]

[[step.answer]]
text = "lost"
"#;

#[test]
fn lessons_written_from_the_documents_work() {
    for text in [OWN, OWN_MACHINE] {
        let lesson = lesson(text);
        assert_eq!(rehearse(&lesson, run_simulated), Ok(()));
        play(&lesson, true);
        play(&lesson, false);
    }
}

#[test]
fn errors_name_line_key_and_accepted_values() {
    let with = |from: &str, to: &str| errors(&OWN_MACHINE.replacen(from, to, 1)).join("\n");
    for (from, to, expected) in [
        ("kernel = \"6.12\"", "kernel = \"6.13\"", "mine.toml:7: kernel: unknown kernel \"6.13\""),
        ("size = \"16M\"", "size = 16", "mine.toml:13: area.size: "),
        (
            "real = \"swapadm devices\"",
            "real = \"ls\"",
            "mine.toml:4: real: \"ls\" is not a command",
        ),
        (
            "run = 3",
            "run = 3000",
            "mine.toml:27: run: \"3000\" is not valid: use a whole number from 0 to 600",
        ),
        (
            "load = \"usemem\"",
            "load = \"usemen\"",
            "mine.toml:25: load: \"usemen\" is not a built-in workload",
        ),
        ("processes=1", "processes=x", "processes"),
        (
            "off = \"sda2\"",
            "off = \"sdc2\"",
            "mine.toml:32: off: there is no area \"sdc2\": use /dev/sda2, /dev/sdb2",
        ),
        (
            "devices sda2 used = missing",
            "devices sda2 usd = 1",
            "mine.toml:36: when: devices has no column \"usd\"",
        ),
        ("devices sda2 used = missing", "at 9 model used-slots = 1", "step 9 has not run yet"),
        ("ask = \"Where are the pages?\"", "", "the answers need a question"),
        ("title = \"swapoff\"", "titel = \"swapoff\"", "mine.toml:2: titel: unknown key"),
        ("text = \"lost\"", "text = 5", "mine.toml:39: text: "),
        ("Now swapoff.", "Now {model x}", "mine.toml:30: text: the model has no figure \"x\""),
    ] {
        let found = with(from, to);
        assert!(found.contains(expected), "{to}: {found}");
    }
    assert!(errors("").join("\n").contains("the lesson needs a machine"), "{:?}", errors(""));
    let both = errors(&OWN.replacen("[[step]]", "[machine]\nkernel = \"7.2\"\n[[step]]", 1));
    assert!(both.join("\n").contains("a table [machine] too"), "{both:?}");
    let set = errors(&OWN.replacen("area.size=32M", "4.size=1M", 1)).join("\n");
    assert!(set.contains("set: there is no area 4: use 1 to 2, or 3 to add one"), "{set}");
}

#[test]
fn a_lesson_that_contradicts_the_model_is_refused() {
    let lie = OWN.replacen("devices zram0 used > 0\", ", "devices zram0 used < 0\", ", 1);
    let found = rehearse(&lesson(&lie), run_simulated).unwrap_err();
    assert!(found.starts_with("mine.toml:7: step 1: no answer is right"), "{found:?}");
    let both = OWN.replacen("devices swapfile used > 0", "devices zram0 used > 0", 1);
    assert!(
        rehearse(&lesson(&both), run_simulated)
            .unwrap_err()
            .contains("answers a and b are both right")
    );
    let lost = OWN.replacen("look = [\"devices zram0 used\"", "look = [\"devices zram7 used\"", 1);
    let found = rehearse(&lesson(&lost), run_simulated).unwrap_err();
    assert!(found.contains("devices zram7 used: the table has no row \"zram7\""), "{found:?}");
}

/// A person who plays a lesson does not know its file.
#[test]
fn the_error_of_a_step_names_the_lesson_and_the_seed() {
    let lie = OWN.replacen("devices zram0 used > 0\", ", "devices zram0 used < 0\", ", 1);
    let error = |seed| Player::new(lesson(&lie), seed).unwrap().run(None).unwrap_err();
    let why = "no answer is right: check the conditions";
    assert_eq!(error(None), format!("lesson mine, step 1: {why}"));
    assert_eq!(error(Some(7)), format!("lesson mine, step 1, seed 7: {why}"));
}

/// More swap changes nothing, which the figures beside the answer have to show.
#[test]
fn thrashing_goes_on_with_more_swap() {
    for seed in SEEDS {
        let mut player = Player::new(builtin("thrashing"), Some(seed)).unwrap();
        let figure = Figure::parse("model major-faults").unwrap();
        let mut faults = Vec::new();
        while player.step().is_some() {
            player.run(None).unwrap();
            let shown = figure.human(std::slice::from_ref(player.record().unwrap())).unwrap();
            faults.push(shown.parse::<f64>().unwrap());
            player.advance().unwrap();
        }
        let share = faults[2] / faults[1];
        assert!((0.9..1.1).contains(&share), "{seed}: {share}");
    }
}

#[test]
fn damaged_files_are_refused_without_a_panic() {
    let mut random = SeededRandom::new(5);
    let texts: Vec<&str> =
        LESSONS.iter().map(|(_, text)| *text).chain([OWN, OWN_MACHINE]).collect();
    let words = [
        "[",
        "]",
        "\"",
        "\"\"\"",
        "=",
        "{",
        "}",
        "\n",
        "[machine]",
        "[[step]]",
        "at 9",
        "x",
        "-1",
        "\u{e9}",
        "when = []",
        "1e999",
        "set = [\"=\"]",
    ];
    let below = |random: &mut SeededRandom, most: usize| {
        random.below(u32::try_from(most.max(1)).unwrap()) as usize
    };
    for round in 0..1500 {
        let text = texts[round % texts.len()];
        let mut chars: Vec<char> = text.chars().collect();
        for _ in 0..=below(&mut random, 4) {
            let place = below(&mut random, chars.len());
            let end = (place + below(&mut random, 40)).min(chars.len());
            let word: Vec<char> = words[below(&mut random, words.len())].chars().collect();
            match below(&mut random, 3) {
                0 => drop(chars.drain(place..end)),
                1 => drop(chars.splice(place..place, word)),
                _ => chars.truncate(end.max(1)),
            }
        }
        let text: String = chars.into_iter().collect();
        for error in read_lesson("mine", "mine.toml", &text).err().unwrap_or_default() {
            assert!(error.starts_with("mine.toml"), "{error}");
        }
    }
}

#[test]
fn all_figures_of_the_model_have_a_value() {
    let mut player = Player::new(lesson(OWN), None).unwrap();
    player.run(None).unwrap();
    for figure in &super::figure::MODEL_FIGURES {
        Figure::parse(&format!("model {}", figure.name)).unwrap();
        assert!(!figure.help.is_empty());
    }
}

/// The demonstration shows split folios, so whoever watches it sees some within a minute.
#[test]
fn the_demonstration_of_folios_shows_split_ones_within_a_minute() {
    let demo = DEMOS.iter().find(|demo| demo.name == "folios").unwrap();
    let mut machine = LessonMachine::from_table("", "", None);
    machine.use_builtin(Some(demo.machine), false).unwrap();
    let setup = machine.setup(&[], None).unwrap();
    let load = builtin_load(setup.load.as_deref().unwrap(), &setup.load_changes).unwrap();
    let mut running = RunningMachine::new(setup, Some(&load)).unwrap();
    let mut counts = std::iter::repeat_with(|| {
        running.next_sample();
        let counters = &running.machine.counters;
        (counters.swpout[4], counters.swpout_fallback[4])
    });
    assert!(counts.next().is_some_and(|(whole, split)| whole > 0 && split == 0));
    assert!(counts.take(60).any(|(_, split)| split > 100));
}

#[test]
fn a_lesson_runs_on_to_each_event() {
    let mut player = Player::new(builtin("priorities"), None).unwrap();
    player.run(None).unwrap();
    let figures = |player: &Player| {
        let mut lines = player.lines().into_iter();
        lines.find(|line| line.0 == LineKind::Figure).unwrap().1
    };
    let shown = figures(&player);
    let mut events = Vec::new();
    for _ in 0..4 {
        let samples = player.run_to_event();
        assert_eq!(samples.last().unwrap().stamp, player.sample().stamp);
        let (kind, event) = player.lines().pop().unwrap();
        assert_eq!(kind, LineKind::Event);
        events.push(event);
    }
    for wanted in ["/dev/zram0 is full.", "/dev/nvme0n1p2 gets its first page."] {
        assert!(events.iter().any(|event| event == wanted), "{events:?}");
    }
    player.run_on();
    assert!(player.lines().iter().all(|line| line.0 != LineKind::Event), "time has gone on");
    assert_eq!(figures(&player), format!("At the answer:   {shown}"));
}

/// The right answer of the next step follows from the step, and not from seconds that were run to look at them.
#[test]
fn the_next_step_begins_where_the_step_ended() {
    let [mut player, mut other] = [(), ()].map(|()| {
        let mut player = Player::new(builtin("priorities"), None).unwrap();
        player.run(None).unwrap();
        player
    });
    other.run_to_event();
    other.run_on();
    assert_ne!(other.sample().stamp, player.sample().stamp);
    player.advance().unwrap();
    let back = other.advance().unwrap().unwrap();
    assert!(back.restarted, "time goes back");
    assert_eq!(back.samples.last().unwrap().stamp, player.sample().stamp);
    assert_eq!(other.run(None).unwrap().samples.last(), player.run(None).unwrap().samples.last());
}

/// The repair of the last built-in lesson, which its second step waits for.
fn broken(seed: Option<u64>) -> Player {
    let mut player = Player::new(builtin("repair"), seed).unwrap();
    player.run(None).unwrap();
    player.advance().unwrap();
    player
}

/// Runs a command on the machine of the lesson.
fn command(player: &mut Player, command: &str) -> Result<String, String> {
    let ran = run_simulated(player.repaired_machine().unwrap(), command);
    player.run_on();
    ran
}

fn texts(player: &Player, kind: LineKind) -> Vec<String> {
    player.lines().into_iter().filter(|line| line.0 == kind).map(|line| line.1).collect()
}

#[test]
fn a_machine_is_repaired_by_hand() {
    let mut player = broken(None);
    assert!(player.is_repairing() && player.advance().unwrap().is_none(), "it waits");
    let rules = |player: &Player| -> Vec<String> {
        let rule = |line: String| line.rsplit(['(', ')']).nth(1).unwrap().to_owned();
        texts(player, LineKind::Finding).into_iter().map(rule).collect()
    };
    assert_eq!(rules(&player), ["swap-full", "mixed-priority", "zswap-zram"]);
    for refused in ["off zram0", "swapadm priority zram0=100", "rebalance", "off sda2"] {
        let why = command(&mut player, refused).unwrap_err();
        assert!(why.starts_with("REFUSED: ") && why.contains("to move"), "{refused}: {why}");
    }
    assert_eq!(texts(&player, LineKind::Question), ["advise finds 3 problems. Repair them:"]);
    command(&mut player, "on nvme0n1p3").unwrap();
    let remaining = ["mixed-priority", "faster-behind", "zswap-zram"];
    assert_eq!(rules(&player), remaining, "the partition comes after sda2");
    assert_eq!(texts(&player, LineKind::Question), ["3 problems are left:"]);
    command(&mut player, "undo").unwrap();
    assert_eq!(rules(&player).len(), 3);
    command(&mut player, "on nvme0n1p3 --priority 50").unwrap();
    command(&mut player, "rebalance").unwrap();
    assert_eq!(rules(&player), ["zswap-zram"]);
    // The command of a finding is one that this machine takes.
    let advice = AdviceReport::from_view(&player.record().unwrap().view(), &Policy::DEFAULT);
    let fix = advice.findings.iter().find_map(|finding| finding.fix.clone()).unwrap();
    assert_eq!(fix, "swapadm set zswap.enabled off");
    command(&mut player, &fix).unwrap();
    assert!(matches!(player.phase, StepPhase::Shown { .. }), "{:?}", player.lines());
    let done = texts(&player, LineKind::Right).concat();
    assert!(done.starts_with("Repaired with 5 changes: enable /dev/nvme0n1p3; "), "{done}");
    command(&mut player, "undo").unwrap();
    assert_eq!(
        (rules(&player).as_slice(), player.is_repairing()),
        (&["zswap-zram".to_owned()][..], true)
    );
    // Starting again restores the broken machine, and then the step before it.
    assert!(player.back() && player.is_repairing());
    assert_eq!(rules(&player).len(), 3);
    assert!(player.back());
    assert_eq!(player.progress().0, 1);
}

#[test]
fn the_solution_of_a_repair_is_shown_command_by_command() {
    let mut player = broken(None);
    let solution = player.step().unwrap().solution.clone();
    while player.hint() {}
    assert_eq!(
        texts(&player, LineKind::Hint)[1..],
        solution.iter().map(|it| format!("Hint: {it}")).collect::<Vec<_>>()
    );
    player.run(None).unwrap();
    assert_eq!(texts(&player, LineKind::Command), solution);
    // Nothing was done, so nothing says that the machine is repaired, or asks to repair it.
    assert_eq!(texts(&player, LineKind::Text), ["The solution:"]);
    assert_eq!(player.lines().len(), 1 + solution.len(), "{:?}", player.lines());
    command(&mut player, &solution[0]).unwrap();
    assert_eq!(texts(&player, LineKind::Command), solution, "it stays while it is typed");
    assert_eq!(texts(&player, LineKind::Question), ["3 problems are left:"]);
}

/// A repair without a finding or without a true solution is refused, and so is a step that goes on from it.
#[test]
fn a_repair_that_nobody_can_do_is_refused() {
    let (_, text) = LESSONS[9];
    let with = |from: &str, to: &str| {
        let text = text.replacen(from, to, 1);
        assert!(text.contains(to), "{from}");
        let read = read_lesson("mine", "mine.toml", &text).map_err(|errors| errors.concat());
        read.and_then(|lesson| rehearse(&Arc::new(lesson), run_simulated)).unwrap_err()
    };
    let zswap = ", \"swapadm set zswap.enabled=off\"";
    for (from, to, expected) in [
        (zswap, "", "after the solution, advise still finds zswap-zram"),
        (
            "swapadm on nvme0n1p3 --priority 50\"",
            "swapadm on nvme9\"",
            "solution: swapadm on nvme9: the simulated machine has no area \"nvme9\"",
        ),
        (
            "swapadm on nvme0n1p3 --priority 50\", ",
            "swapadm off zram0\", ",
            "solution: swapadm off zram0: REFUSED: /dev/zram0: ",
        ),
        ("swapadm on nvme0n1p3 --priority 50\", ", "swapadm devices\", ", "changes nothing"),
        (
            "swapadm on nvme0n1p3 --priority 50\", ",
            "reboot\", ",
            "solution: \"reboot\" is not a command of swapadm",
        ),
        (
            "\nsolution",
            "\nset = [\"2.priority=5\", \"3.priority=8\", \"zswap=off\"]\nsolution",
            "step 2: advise finds nothing to repair",
        ),
        (
            "[[step]]\ntext = \"Now",
            "[[step]]\nask = \"How?\"\ntext = \"Now",
            "ask: a step with a solution has no question",
        ),
        (
            "why = \"New",
            "[[step]]\ntext = \"New",
            "set: the step after a repair starts the machine again",
        ),
    ] {
        let why = with(from, to);
        assert!(why.starts_with("mine.toml:") && why.contains(expected), "{to}: {why}");
    }
}
