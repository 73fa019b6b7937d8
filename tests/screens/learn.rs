//! Lessons in the interface: the list, and each lesson played from beginning to end.

use crate::MACHINES;
use crate::SIZES;
use crate::common::sampled;
use crate::common::screen::{Screen, snapshot};
use swapadm::actions::monitor::Unattended;
use swapadm::cli::commands::change::MachineEngine;
use swapadm::cli::options::Environment;
use swapadm::learn::builtin_lessons;
use swapadm::learn::player::{StepPhase, letter};
use swapadm::model::Stamp;
use swapadm::model::clusters::ClusterMap;
use swapadm::ui::app::SourceKind;
use swapadm::ui::change::{AnyProposal, ChangeEngine as _};
use swapadm::ui::content::{MapRow, PaneLine, Piece, PieceContent, Shade};
use swapadm::ui::msg::{Effect, Msg};

/// The text of a rectangle, without line breaks.
fn words(screen: &mut Screen) -> String {
    let area = screen.app.layout.lesson;
    let text = screen.text();
    let (x, width) = (usize::from(area.x), usize::from(area.width));
    let rows = text.iter().skip(usize::from(area.y)).take(usize::from(area.height));
    let cells = rows.map(|row| row.chars().skip(x).take(width).collect::<String>());
    let text = cells.collect::<Vec<_>>().join(" ").replace(['│', '╭', '╰'], " ");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn all(screen: &mut Screen) -> String {
    screen.text().join("\n")
}

/// The list with the lesson of this index selected.
fn list(place: usize, width: u16, height: u16) -> Screen {
    let mut screen = Screen::machines(&MACHINES, width, height).keys("9 g");
    (0..place).for_each(|_| screen.press("j"));
    screen
}

fn right(screen: &mut Screen) -> Option<usize> {
    let trial = screen.app.learn.player.as_mut().unwrap();
    trial.run(None).unwrap();
    let StepPhase::Shown { right, .. } = trial.phase else { panic!("the step did not run") };
    assert!(trial.back());
    right
}

/// Each area has its tank, the decision its sentence, and the legend the numbers of CPUs that use a cluster.
fn check_machine(screen: &mut Screen, at: &str) {
    let text = all(screen);
    let snapshot = screen.app.moment().unwrap().now.clone();
    for area in snapshot.areas() {
        assert!(text.contains(&area.path.base().safe()), "{at}: {text}");
    }
    assert!(text.contains("next page") || text.contains("areas are full"), "{at}: {text}");
    let is_shown = |path: String| {
        text.lines()
            .any(|line| line.contains(&format!("{path} ")) && line.contains(" clusters of "))
    };
    let maps = snapshot.kernel_clusters.reading.known().unwrap();
    let areas = snapshot.areas().iter().zip(maps.iter());
    let has_next = |map: &ClusterMap| map.next.known().is_some_and(|next| !next.is_empty());
    let mut shown = areas.filter(|(area, _)| is_shown(area.path.safe()));
    let has_cpus = shown.any(|(_, map)| map.known().is_some_and(has_next));
    assert_eq!(text.contains("CPU number"), has_cpus, "{at}: {text}");
    check_cells(screen, at);
}

/// The legend has each sign of the cells, which are large where there is room.
fn check_cells(screen: &Screen, at: &str) {
    let lines = screen.app.state().unwrap().panes[0].visible_lines();
    let rows = |line: &PaneLine| -> Vec<MapRow> {
        let row = |piece: &Piece| match &piece.what {
            PieceContent::Shades(row) => Some(row.clone()),
            _ => None,
        };
        line.pieces.iter().filter_map(row).collect()
    };
    let mut maps: Vec<Vec<MapRow>> = lines.iter().map(|line| rows(line)).collect();
    maps.retain(|rows| !rows.is_empty());
    // A legend has a row of a map for each sign.
    let is_legend = |rows: &Vec<MapRow>| rows.len() > 1;
    let legends = maps.extract_if(.., |rows| is_legend(rows)).flatten();
    let signs: Vec<Shade> = legends.flat_map(|row| row.shades).collect();
    let is_cpu = |shade: &Shade| matches!(shade, Shade::Pointer(_));
    for row in maps.iter().flatten() {
        let missing = row.shades.iter().find(|shade| !is_cpu(shade) && !signs.contains(shade));
        assert_eq!(missing, None, "{at}: not in the legend");
        assert!(screen.app.layout.lesson.height < 30 || row.cell.width >= 3, "{at}: {row:?}");
    }
}

#[test]
fn a_heading_is_dropped_with_its_column() {
    for width in [34, 36, 40, 44, 60] {
        let mut screen = list(1, width, 10).keys("Enter b");
        let text = all(&mut screen);
        let heading = text.lines().find(|line| line.contains("PRIO AREA")).unwrap();
        let tank = text.lines().find(|line| line.contains(" zram0 ") && line.contains("100%"));
        let has_used = tank.unwrap().contains('M');
        assert_eq!(heading.contains("USED"), has_used, "{width}: {text}");
    }
}

/// Plays a lesson with right or wrong answers, and checks that each question and each result is visible.
fn play(place: usize, (width, height): (u16, u16), well: bool) {
    let lesson = &builtin_lessons()[place];
    let mut screen = list(place, width, height).keys("Enter");
    for step in &lesson.steps {
        let at = format!("{} {width}x{height}: {}", lesson.name, step.ask);
        let before = words(&mut screen);
        assert!(!before.contains("9: whole text"), "{at}: {before}");
        assert!(before.contains(step.ask.as_str()), "{at}: {before}");
        for answer in &step.answers {
            assert!(before.contains(&answer.text), "{at}: {before}");
        }
        assert_eq!(screen.app.shown().id, step.show, "{at}");
        if step.is_repair() {
            screen.press("Space");
            assert!(screen.app.notice.is_some(), "{at}: it waits for the repair");
            screen.press("=");
        } else if let Some(right) = right(&mut screen) {
            screen.press("Space");
            assert!(screen.app.notice.is_some(), "{at}: a step ran before its prediction");
            let given = if well { right } else { (right + 1) % step.answers.len() };
            // By letter, and from the list, which also has room on the smallest terminals.
            if place.is_multiple_of(2) {
                screen.press(&letter(given).to_string());
            } else {
                screen.press("p");
                (0..given).for_each(|_| screen.press("Down"));
                screen.press("Enter");
            }
            let verdict = if well { "Right: " } else { "The answer is " };
            let after = words(&mut screen);
            assert!(after.contains(verdict) && !after.contains("9: whole"), "{at}: {after}");
            assert!(after.contains(&step.answers[right].text), "{at}: {after}");
        } else {
            screen.press("Space");
        }
        let text = all(&mut screen);
        assert!(text.contains("SIMULATED"), "{at}: {text}");
        if step.show == "machine" {
            check_machine(&mut screen, &at);
        }
        let before = screen.app.learn.player.as_ref().unwrap().lines().len();
        screen.press("g");
        let lines = screen.app.learn.player.as_ref().unwrap().lines();
        assert_eq!(lines.len(), before + 1, "{at}: no event was named");
        assert!(words(&mut screen).contains(&lines[before].1), "{at}: {}", all(&mut screen));
        screen.press("Space");
    }
    let end = words(&mut screen);
    assert!(end.contains(&lesson.real) && end.contains("Done: "), "{end}");
    screen.press("Space");
    assert_eq!((screen.app.source.kind, screen.app.shown().id), (SourceKind::Live, "learn"));
    assert!(screen.app.learn.player.is_none());
    let saved = screen.effects.iter().rev().find_map(|effect| match effect {
        Effect::SaveProgress(text) => Some(text.clone()),
        _ => None,
    });
    let asked = lesson.steps.iter().filter(|step| !step.answers.is_empty()).count();
    let wanted = format!("{} {} {}", lesson.name, lesson.steps.len(), if well { asked } else { 0 });
    assert!(saved.unwrap().lines().any(|line| line == wanted));
}

#[test]
fn every_lesson_can_be_played_with_right_answers() {
    play_all(0, true);
}

#[test]
fn every_lesson_can_be_played_with_wrong_answers() {
    play_all(1, false);
}

/// Each lesson at one of the sizes in turn, with `SWAPADM_EVENTS` at both.
fn play_all(first: usize, right: bool) {
    for place in 0..builtin_lessons().len() {
        for size in sampled(vec![(80, 24), (120, 40)], 2, first + place) {
            play(place, size, right);
        }
    }
}

#[test]
fn the_list_shows_lessons_and_progress() {
    for (width, height) in [(80, 24), (120, 40)] {
        let mut screen = list(1, width, height);
        let text = all(&mut screen);
        for word in ["Lessons", "0 of 10 lessons done", "Enter begins", "swapadm groups"] {
            assert!(text.contains(word), "{word}: {text}");
        }
        screen.press("Enter = q");
        assert!(all(&mut screen).contains("1/5"), "{}", all(&mut screen));
    }
}

#[test]
fn the_other_screens_show_the_machine_of_the_lesson_and_leaving_restores_this_one() {
    let screen = list(1, 120, 40);
    let live = all(&mut screen.keys("2"));
    let mut screen = list(1, 120, 40).keys("Enter b 2");
    let text = all(&mut screen);
    assert!(text.contains("nvme0n1p2") && text.contains("SIMULATED"), "{text}");
    for key in ["1", "3", "4", "5", "6", "8"] {
        screen.press(key);
        assert!(all(&mut screen).contains("SIMULATED"), "{key}: {}", all(&mut screen));
    }
    screen.press("9");
    assert!(all(&mut screen).contains("Right: b) only zram0"), "{}", all(&mut screen));
    screen.press("q");
    assert_eq!(screen.app.source.kind, SourceKind::Live);
    screen.press("2");
    assert_eq!(all(&mut screen), live);
}

/// A screen whose changes are made on a simulated machine.
pub(crate) struct ChangingScreen {
    pub(crate) screen: Screen,
    pub(crate) engine: Option<MachineEngine>,
}

impl ChangingScreen {
    /// Presses keys, and answers the effects as the program does.
    pub(crate) fn press(&mut self, keys: &str) -> String {
        for key in keys.split(' ') {
            self.screen.press(key);
            for effect in std::mem::take(&mut self.screen.effects) {
                let engine = self.engine.as_ref();
                let answer = match effect {
                    Effect::ChangeMachine(machine) => {
                        let engine =
                            |it| MachineEngine::for_simulated(&it, &Environment::default());
                        self.engine = machine.map(engine);
                        continue;
                    }
                    Effect::Plan(number, request, options) => {
                        let proposal = engine.unwrap().propose(&request, &options);
                        Msg::Planned(number, proposal.map(AnyProposal::Change).map(Box::new))
                    }
                    Effect::CarryOut(plan) => {
                        Msg::Changed(engine.unwrap().carry_out(&plan, &mut Unattended))
                    }
                    Effect::ReadJournal => Msg::JournalRead(engine.unwrap().read_journal()),
                    _ => continue,
                };
                self.screen.send(answer);
            }
        }
        all(&mut self.screen)
    }

    /// Types text for the palette or a line.
    fn type_text(&mut self, text: &str) -> String {
        let key = |letter: char| if letter == ' ' { "Space".to_owned() } else { letter.into() };
        self.press(&text.chars().map(key).collect::<Vec<String>>().join(" "))
    }

    fn lesson(&mut self) -> String {
        words(&mut self.screen)
    }
}

/// The last lesson with right and wrong repairs: by the palette, a list of actions, and Enter on a finding.
#[test]
fn a_machine_is_repaired_by_hand() {
    for (width, height) in [(80, 24), (120, 40)] {
        let mut repair = ChangingScreen { screen: list(9, width, height), engine: None };
        repair.press("Enter b W");
        assert!(repair.screen.app.overlays.is_empty(), "write mode needs a machine to change");
        repair.press("Space W Tab Enter");
        let lesson = repair.lesson();
        assert!(lesson.contains("advise finds 3 problems. Repair them:"), "{lesson}");
        assert!(!lesson.contains("9: whole text") && lesson.contains("(zswap-zram)"), "{lesson}");
        let refused = repair.press("a Enter");
        assert!(refused.contains("REFUSED") && refused.contains("M to move"), "{refused}");
        repair.press("Esc :");
        repair.type_text("on nvme0n1p3");
        let plan = repair.press("Enter");
        assert!(plan.contains("SIMULATED repair: enable /dev/nvme0n1p3"), "{plan}");
        repair.press("Tab Enter Esc");
        let lesson = repair.lesson();
        assert!(lesson.contains("3 problems are left:"), "{lesson}");
        repair.press("1");
        for _ in 0..20 {
            if repair.screen.app.is_on_finding() {
                break;
            }
            repair.press("Tab");
        }
        let plan = repair.press("Enter");
        assert!(plan.contains("SIMULATED repair: rebalance"), "{plan}");
        repair.press("Tab Enter Esc");
        assert!(repair.lesson().contains("1 problem is left:"), "{}", repair.lesson());
        repair.press(":");
        repair.type_text("set zswap.enabled=off");
        repair.press("Enter Tab Enter Esc");
        let lesson = repair.lesson();
        assert!(lesson.contains("Repaired with 3 changes: enable /dev/nvme0n1p3; "), "{lesson}");
        repair.press("u Tab Enter Esc");
        assert!(repair.lesson().contains("1 problem is left:"), "{}", repair.lesson());
        let journal = repair.press("J");
        assert!(journal.contains("undo"), "{journal}");
        repair.press("Esc Backspace");
        assert!(repair.lesson().contains("advise finds 3 problems"), "{}", repair.lesson());
        assert!(repair.press("J").contains("the journal is empty"));
        assert!(repair.screen.app.change.write_until.is_none(), "the machine is another one");
        assert!(repair.press("F9").contains("no change is running"));
        repair.press("q");
        assert!(repair.engine.is_none() && repair.screen.app.source.kind == SourceKind::Live);
    }
}

/// The engine changes the machine outside of the lesson, whose areas may have the same names.
#[test]
fn nothing_is_changed_during_a_lesson() {
    for keys in
        ["u", "J", "S", "W", "a Enter", ": o f f Space z r a m 0 Enter", "7 Enter", "1 a Enter"]
    {
        let mut screen = list(1, 120, 40).keys("Enter b 2");
        screen.effects.clear();
        screen.press(keys);
        let plans = screen.effects.iter().filter(|effect| {
            matches!(
                effect,
                Effect::Plan(..)
                    | Effect::ProposeSetup(..)
                    | Effect::PlanSession(..)
                    | Effect::CarryOut(_)
                    | Effect::ReadJournal
            )
        });
        assert_eq!(plans.count(), 0, "{keys}: {:?}", screen.effects);
    }
    let text = all(&mut list(1, 120, 40).keys("Enter b 2 u"));
    assert!(text.contains("leave the lesson first"), "{text}");
}

#[test]
fn pages_stay_open_while_samples_of_the_other_source_arrive() {
    let mut screen = list(1, 120, 40).keys("Enter b 6 Enter");
    let page = screen.app.screen;
    assert!(screen.app.subject.is_some(), "{}", all(&mut screen));
    screen.send(Msg::Snapshots(vec![snapshot(MACHINES[1], 2000)]));
    assert_eq!(screen.app.screen, page);
    assert!(screen.app.subject.is_some(), "{}", all(&mut screen));
}

#[test]
fn hints_answers_and_steps_back_have_keys() {
    let mut screen = list(1, 80, 24).keys("Enter ?");
    assert!(words(&mut screen).contains("Hint: A quarter of 48M"));
    screen.press("=");
    assert!(words(&mut screen).contains("The answer is b)"));
    screen.press("r");
    assert!(words(&mut screen).contains("The answer is b)"));
    screen.press("Space");
    assert!(words(&mut screen).contains("step 2 of 5"));
    screen.press("Backspace");
    assert!(words(&mut screen).contains("step 1 of 5"));
}

#[test]
fn each_lesson_is_marked_on_small_terminals() {
    for (place, lesson) in builtin_lessons().iter().enumerate() {
        for (width, height) in [(40, 10), (60, 16)] {
            let mut screen = list(place, width, height).keys("Enter");
            assert!(
                all(&mut screen).contains("SIMULATED"),
                "{}: {}",
                lesson.name,
                all(&mut screen)
            );
        }
    }
}

/// The terminal has no room for the lesson.
#[test]
fn a_question_is_answered_from_a_list_where_it_does_not_fit() {
    let mut screen = list(1, 40, 10).keys("Enter p");
    assert!(all(&mut screen).contains("b) only zram0"), "{}", all(&mut screen));
    screen.press("Down Enter");
    let player = screen.app.learn.player.as_ref().unwrap();
    assert!(matches!(player.phase, StepPhase::Shown { given: Some(1), .. }));
    // The letters that the list shows are keys there too, whatever they mean elsewhere.
    let mut screen = list(1, 40, 10).keys("Enter p");
    assert!(all(&mut screen).contains("a letter predicts   Esc close"), "{}", all(&mut screen));
    screen.press("c");
    let player = screen.app.learn.player.as_ref().unwrap();
    assert!(matches!(player.phase, StepPhase::Shown { given: Some(2), .. }), "{:?}", player.phase);
    assert!(screen.app.overlays.is_empty());
    // The letter of an answer leads nowhere else after the answer.
    screen.press("b");
    let player = screen.app.learn.player.as_ref().unwrap();
    assert!(matches!(player.phase, StepPhase::Shown { .. }), "{:?}", player.phase);
}

#[test]
fn cells_of_cpus_are_told_apart_without_color() {
    for (width, height) in SIZES {
        let mut screen = list(4, width, height).keys("Enter =");
        let text = all(&mut screen);
        let is_cells = |line: &&String| line.contains("FF") && line.contains(['1', '@']);
        assert!(screen.text().iter().any(|line| is_cells(&line)), "{text}");
    }
}

#[test]
fn the_palette_finds_lessons() {
    let screen = Screen::machines(&MACHINES, 80, 24).keys(": l e s s o n Space z s w a p Enter");
    let player = screen.app.learn.player.as_ref().unwrap();
    assert_eq!(player.lesson.name, "zswap");
}

#[test]
fn a_lesson_for_a_class_has_more_room_and_keeps_no_progress() {
    for (width, height) in SIZES {
        let mut screen = list(0, width, height);
        screen.app.learn.present = true;
        screen.press("Enter =");
        let saves = |effect: &Effect| matches!(effect, Effect::SaveProgress(_));
        assert!(!screen.effects.iter().any(saves));
        let area = screen.app.layout.lesson;
        assert!(area.right() <= width && area.bottom() <= height, "{area:?}");
        assert!(!words(&mut screen).is_empty() || height < 14);
    }
}

/// A lesson that plays by itself waits until its lines can be read, answers its questions, and stops at the end.
#[test]
fn a_lesson_plays_by_itself() {
    let mut screen = list(0, 120, 40).keys("Enter");
    screen.app.learn.due = Some(screen.app.now);
    let steps = builtin_lessons()[0].steps.len();
    let mut seen = Vec::new();
    while let Some(due) = screen.app.learn.due {
        assert!(seen.len() < 4 * steps, "{seen:?}");
        let early = Stamp { boot_ns: due.boot_ns.saturating_sub(1), ..due };
        for now in [early, due] {
            let before = all(&mut screen);
            screen.send(Msg::Tick(now));
            let is_early = now == early && !seen.is_empty();
            assert!(!is_early || all(&mut screen) == before, "{before}");
        }
        let player = screen.app.learn.player.as_ref().unwrap();
        seen.push((player.progress().0, player.phase.clone()));
    }
    let answered = seen.iter().filter(|(_, phase)| matches!(phase, StepPhase::Shown { .. }));
    assert_eq!(answered.count(), 2 * steps, "each answer, and the event after it: {seen:?}");
    assert!(seen.iter().any(|(_, phase)| *phase == StepPhase::Finished), "{seen:?}");
}
