//! Lesson files: TOML with a machine, and steps that ask before they run.

use super::figure::{Condition, Figure, QuotingText};
use super::machine::{LessonMachine, builtin_load, scale_sizes, size_factor, split_machine};
use crate::config::value::either;
use crate::config::{
    KeyDefault as D, KeyGroup, KeyHelp, KeyInput, KeyLocation, KeySpec, MAX_FILE_BYTES, Problems,
    Schema, Section, ValueType as T, setter,
};
use crate::model::load::Workload;
use crate::sim::describe;
use serde_json::{Value, json};

/// Name of the table of a step.
const STEP: &str = "step";
/// Name of the table of an answer.
const ANSWER: &str = "step.answer";
/// The most steps of a lesson.
const MAX_STEPS: usize = 40;
/// The most answers of a question.
const MAX_ANSWERS: usize = 5;
/// The most characters of a text.
const MAX_TEXT: usize = 2000;

/// The screens of the interface that show a machine.
pub const SCREENS: [&str; 8] =
    ["machine", "overview", "devices", "compression", "mthp", "paging", "processes", "map"];

/// A lesson.
#[derive(Clone, Debug)]
pub struct Lesson {
    /// Name.
    pub name: String,
    /// Title.
    pub title: String,
    /// Subject in one sentence.
    pub about: String,
    /// The machine at the start.
    pub machine: LessonMachine,
    /// The steps.
    pub steps: Vec<LessonStep>,
    /// The command that shows the same on a real machine.
    pub real: String,
    /// Figures to look for in its output.
    pub real_about: String,
    /// The name and the text of its file.
    source: [String; 2],
}

/// A step of a lesson.
#[derive(Clone, Debug, Default)]
pub struct LessonStep {
    /// The text before the question.
    pub text: QuotingText,
    /// The question, or an empty text.
    pub ask: String,
    /// The answers.
    pub answers: Vec<LessonAnswer>,
    /// Hints, one after the other.
    pub hints: Vec<String>,
    /// Commands that repair the machine, if the step is repaired by hand.
    pub solution: Vec<String>,
    /// Changed keys of the machine, with which it starts again.
    pub set: Option<Vec<String>>,
    /// A workload that begins.
    pub load: Option<Box<Workload>>,
    /// An area to disable.
    pub off: Option<String>,
    /// The share of swap until which the machine runs.
    pub used: f64,
    /// Seconds that the machine then runs.
    pub run: u32,
    /// The screen to look at.
    pub show: &'static str,
    /// Figures to look at.
    pub look: Vec<Figure>,
    /// The explanation, whatever the answer.
    pub why: QuotingText,
    /// Where the step is in its file.
    pub place: KeyLocation,
    load_name: String,
    with: Vec<String>,
}

/// An answer.
#[derive(Clone, Debug, Default)]
pub struct LessonAnswer {
    /// The text.
    pub text: String,
    /// Whether this answer is right without a condition on the model.
    pub right: bool,
    /// The conditions under which it is right.
    pub when: Vec<Condition>,
    /// The explanation of this answer.
    pub why: QuotingText,
}

/// A lesson while its file is read, with the current step and answer.
#[derive(Clone, Debug, Default)]
struct LessonDraft {
    title: String,
    about: String,
    machine: String,
    real: String,
    real_about: String,
    step: LessonStep,
    answer: LessonAnswer,
}

type Key = KeySpec<LessonDraft>;

fn set_text(it: &KeyInput<'_>, set: impl FnOnce(QuotingText)) -> Result<(), String> {
    if it.text.chars().count() > MAX_TEXT {
        return Err(format!("the text is longer than {MAX_TEXT} characters: use several steps"));
    }
    QuotingText::parse(it.text).map(set)
}

fn conditions(it: &KeyInput<'_>) -> Result<Vec<Condition>, String> {
    it.list().iter().map(|text| Condition::parse(text)).collect()
}

fn figures(it: &KeyInput<'_>) -> Result<Vec<Figure>, String> {
    it.list().iter().map(|text| Figure::parse(text)).collect()
}

/// All keys of a lesson file.
static LESSON_FILE: Schema<LessonDraft> = Schema {
    groups: &[
        KeyGroup { sections: &[""], heading: "Whole lesson", keys: LESSON_KEYS },
        KeyGroup { sections: &[STEP], heading: "Steps, each in [[step]]", keys: STEP_KEYS },
        KeyGroup {
            sections: &[ANSWER],
            heading: "Answers, each in [[step.answer]] below its step",
            keys: ANSWER_KEYS,
        },
    ],
    bare: true,
    max_bytes: MAX_FILE_BYTES,
};

static LESSON_KEYS: &[Key] = &[
    Key::value("title", T::Line(60), D::Required, setter!(title = text)).says("Title"),
    Key::value("about", T::Line(200), D::Required, setter!(about = text))
        .says("Subject, in one sentence"),
    Key::value("machine", T::Line(100), D::InWords("the table [machine]"), setter!(machine = text))
        .says("Name of a built-in machine; a machine of the lesson itself is in the table [machine] instead, with the keys of a machine file and its areas in [[machine.area]]"),
    Key::value("real", T::Line(200), D::Required, set_real)
        .says("Command that shows the same on a real machine, such as swapadm groups"),
    Key::value("real-about", T::Line(400), D::Is(""), setter!(real_about = text))
        .says("Figures to look for in the output of that command, in one sentence"),
    Key::table(
        STEP,
        T::Tables(MAX_STEPS, || format!("up to {MAX_STEPS} tables [[{STEP}]]")),
        D::Required,
        "Steps, in order",
    ),
];

fn check_command(text: &str) -> Result<(), String> {
    if text.starts_with("swapadm ") {
        return Ok(());
    }
    Err(format!("\"{text}\" is not a command of swapadm: begin with swapadm"))
}

fn set_real(to: &mut LessonDraft, it: &KeyInput<'_>) -> Result<(), String> {
    check_command(it.text)?;
    it.takes.text(it.text).map(|text| to.real = text)
}

static STEP_KEYS: &[Key] = &[
    Key::value("text", T::Text, D::Required, |to, it| set_text(it, |text| to.step.text = text))
        .says("Text of the step; {FIGURE} is replaced by the figure before the step runs"),
    Key::value("ask", T::Line(300), D::InWords("no question"), setter!(step.ask = text))
        .says("Question, which is answered before the step runs"),
    Key::value(
        "hints",
        T::List("a list of texts"),
        D::InWords("no hints"),
        setter!(step.hints = list),
    )
    .says("Hints, shown one after the other on request"),
    Key::value(
        "solution",
        T::List("a list of commands, such as [\"swapadm on sdb2\", \"swapadm priority zram0=100\"]"),
        D::InWords("nothing to repair"),
        |to, it| {
            it.list().iter().try_for_each(|command| check_command(command))?;
            to.step.solution = it.list();
            Ok(())
        },
    )
    .says("Commands that repair the machine: the step first does what load, off, used and run say, then waits until a person has repaired the machine with commands of their own; it is done when swapadm advise finds nothing worse than a note. The solution is shown command by command as further hints, and learn check carries it out"),
    Key::value(
        "set",
        T::List("a list of changed keys of the machine, such as [\"kernel=7.2\", \"area.size=16M\", \"1.priority=5\", \"zswap=off\"]"),
        D::InWords("the machine goes on"),
        setter!(step.set = Some(list)),
    )
    .says("Start the machine again with these keys of its file changed: of the machine, of all areas (area.KEY), of one area (1.KEY; the number behind the last one adds an area) or of zswap (zswap.KEY); the value default removes a key, and an empty list changes nothing"),
    Key::value(
        "load",
        T::Line(60),
        D::InWords("no further processes"),
        setter!(step.load_name = text),
    )
    .says("Built-in workload that begins"),
    Key::value(
        "with",
        T::List("a list of changed keys of the workload, such as [\"processes=2\", \"size=32M\"]"),
        D::InWords("the workload as it is"),
        setter!(step.with = list),
    )
    .says("Changed keys of the workload, as for stress run --with"),
    Key::value(
        "off",
        T::Line(200),
        D::InWords("all areas stay"),
        |to, it| it.takes.text(it.text).map(|text| to.step.off = Some(text)),
    )
    .says("Area to disable (swapoff), by path or name"),
    Key::value("used", T::Percent(0.0, 100.0), D::Is("0%"), setter!(step.used = number))
        .says("Share of swap until which the machine runs"),
    Key::value("run", T::Count(0, 600), D::Is("2"), setter!(step.run = count))
        .says("Simulated seconds that the machine then runs"),
    Key::value(
        "show",
        T::Word(|| SCREENS.to_vec()),
        D::Is("machine"),
        |to, it| it.takes.word(it.text, &SCREENS.map(|id| (id, id))).map(|id| to.step.show = id),
    )
    .says("Screen of the interface to look at; machine shows areas as tanks, the clusters of the area that pages go to, and the decision of the kernel"),
    Key::value(
        "look",
        T::List("a list of figures, such as [\"devices zram0 used\", \"model split-folios\"]"),
        D::InWords("no figures"),
        |to, it| figures(it).map(|look| to.step.look = look),
    )
    .says("Figures to look at: TABLE ROW COLUMN (- for the only row), or model NAME; before FIGURE and at N FIGURE are those at the end of another step"),
    Key::value(
        "why",
        T::Text,
        D::InWords("no text"),
        |to, it| set_text(it, |text| to.step.why = text),
    )
    .says("Explanation after the step has run, whatever the answer; {FIGURE} is replaced by the figure"),
    Key::table(
        "answer",
        T::Tables(MAX_ANSWERS, || format!("2 to {MAX_ANSWERS} tables [[{ANSWER}]]")),
        D::InWords("no answers"),
        "Answers to the question",
    ),
];

static ANSWER_KEYS: &[Key] = &[
    Key::value("text", T::Line(200), D::Required, setter!(answer.text = text))
        .says("The answer"),
    Key::value(
        "when",
        T::List("a list of conditions, such as [\"devices zram0 used > 2 x devices zram1 used\"], with < <= = != >= > or ~ (within 10%); words are in single quotes if there are several"),
        D::InWords("no conditions"),
        |to, it| conditions(it).map(|when| to.answer.when = when),
    )
    .says("Conditions on figures that make the answer right; all must hold after the step has run"),
    Key::value("right", T::Flag, D::Is("false"), setter!(answer.right = flag))
        .says("Whether the answer is right without conditions, for questions that no figure decides"),
    Key::value(
        "why",
        T::Text,
        D::InWords("no text"),
        |to, it| set_text(it, |text| to.answer.why = text),
    )
    .says("Explanation of this answer, shown if it was given or is right; {FIGURE} is replaced by the figure"),
];

/// All keys of a lesson file, for the manual.
pub fn keys() -> impl Iterator<Item = KeyHelp> {
    LESSON_FILE.lines()
}

/// The JSON schema of a lesson file. Its machine is a name, or a table.
pub fn json_schema() -> Value {
    let mut schema = LESSON_FILE.json_schema();
    if let Some(machine) = schema.pointer_mut("/properties/machine") {
        *machine = json!({"anyOf": [machine.take(), describe::json_schema()]});
    }
    schema
}

/// Reads a lesson file, or lists its errors.
pub fn read_lesson(name: &str, file: &str, text: &str) -> Result<Lesson, Vec<String>> {
    let mut problems = Problems::in_file(file);
    let (lesson_text, machine_text) = split_machine(text);
    let mut draft = LessonDraft::default();
    let mut steps = Vec::new();
    let mut machine = LessonMachine::from_table(name, file, machine_text.as_deref());
    if let Some(top) = LESSON_FILE.read(&lesson_text, &mut problems) {
        LESSON_FILE.fill(&top, &mut draft, &mut problems);
        let named = Some(draft.machine.as_str()).filter(|named| !named.is_empty());
        if let Err(why) = machine.use_builtin(named, machine_text.is_some()) {
            problems.add(&top.location_of("machine"), &why);
        }
        let is_valid = machine.setup(&[], None).is_ok();
        for (place, section) in top.tables(STEP).enumerate() {
            let step = read_step(section, place + 1, &mut problems);
            if is_valid
                && let Err((key, why)) = machine.check(step.set.as_deref(), step.off.as_deref())
            {
                problems.add(&section.location_of(key), &why);
            }
            if steps.last().is_some_and(LessonStep::is_repair) && step.set.is_none() {
                let why = "the step after a repair starts the machine again: add the key set";
                problems.add(&section.location_of("set"), why);
            }
            steps.push(step);
        }
    }
    let mut errors: Vec<String> = problems.into_list().iter().map(ToString::to_string).collect();
    if machine_text.is_some() {
        errors.extend(machine.read_errors());
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let LessonDraft { title, about, real, real_about, .. } = draft;
    let (name, source) = (name.to_owned(), [file.to_owned(), text.to_owned()]);
    Ok(Lesson { name, title, about, machine, steps, real, real_about, source })
}

impl Lesson {
    /// The lesson with the sizes of a seed.
    pub(super) fn with_sizes(&self, seed: u64) -> Result<Self, String> {
        let [file, text] = &self.source;
        let text = scale_sizes(text, size_factor(seed));
        read_lesson(&self.name, file, &text).map_err(|errors| errors.join("; "))
    }
}

/// Reads a step with its answers.
fn read_step(section: &Section, number: usize, problems: &mut Problems) -> LessonStep {
    let mut draft = LessonDraft::default();
    LESSON_FILE.fill(section, &mut draft, problems);
    let mut step = draft.step;
    step.place = section.place.clone();
    for section in section.tables(ANSWER) {
        let mut one = LessonDraft::default();
        LESSON_FILE.fill(section, &mut one, problems);
        let late = one.answer.when.iter().filter_map(Condition::step).find(|at| *at > number);
        if let Some(late) = late {
            let text =
                format!("step {late} has not run yet at step {number}: use at 0 to at {number}");
            problems.add(&section.location_of("when"), &text);
        }
        step.answers.push(one.answer);
    }
    let count = step.answers.len();
    if step.ask.is_empty() && count > 0 {
        problems.add(&section.location_of("ask"), "the answers need a question: add the key ask");
    } else if !step.ask.is_empty() && count < 2 {
        let text =
            format!("a question needs 2 to {MAX_ANSWERS} tables [[{ANSWER}]], and has {count}");
        problems.add(&section.location_of("ask"), &text);
    }
    if step.is_repair() && !step.ask.is_empty() {
        let text = "a step with a solution has no question: use a step of its own";
        problems.add(&section.location_of("ask"), text);
    }
    if count > 0 && step.answers.iter().all(|it| !it.right && it.when.is_empty()) {
        let text = "no answer can be right: add the key when or right to one of them";
        problems.add(&section.location_of("answer"), text);
    }
    if !step.load_name.is_empty() {
        match builtin_load(&step.load_name, &step.with) {
            Ok(load) => step.load = Some(Box::new(load)),
            Err(why) => problems.add(&section.location_of("load"), &why),
        }
    }
    step
}

impl LessonStep {
    /// Whether a person repairs the machine by hand.
    pub fn is_repair(&self) -> bool {
        !self.solution.is_empty()
    }

    /// The hints, then the solution command by command.
    pub(super) fn all_hints(&self) -> impl Iterator<Item = &str> {
        self.hints.iter().chain(&self.solution).map(String::as_str)
    }

    /// The letters of the answers, for people: `a, b or c`.
    pub fn letters(&self) -> String {
        let letters: Vec<String> = ('a'..).take(self.answers.len()).map(String::from).collect();
        either(&letters.iter().map(String::as_str).collect::<Vec<_>>())
    }
}
