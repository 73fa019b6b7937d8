//! The commands of the interface: one table for the keys, the palette, the
//! footer, the help and the manual.

use super::screens::{compression, devices, lab, learn, map, mthp, overview, paging, processes};
use crate::model::name::safe_text;
use crate::model::worded_enum;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// A command of the interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "COMMANDS describes each of them")]
pub enum UiCommand {
    Screen(usize),
    NextPane,
    PreviousPane,
    NextSheet,
    PreviousSheet,
    Metric,
    Closer,
    Farther,
    Up,
    Down,
    Left,
    Right,
    PageUp,
    PageDown,
    Top,
    Bottom,
    Open,
    Cgroup,
    Back,
    Filter,
    NextHit,
    PreviousHit,
    SortLeft,
    SortRight,
    SortMenu,
    Invert,
    Columns,
    Export,
    Tag,
    Untag,
    Tree,
    All,
    Pause,
    Earlier,
    Later,
    MuchEarlier,
    MuchLater,
    Faster,
    Slower,
    SampleNow,
    Record,
    WriteMoment,
    Actions,
    Undo,
    Journal,
    Job,
    SetUp,
    WriteMode,
    RunLoad,
    Compare,
    Explain,
    Describe,
    Copy,
    Palette,
    Help,
    Settings,
    Mouse,
    Redraw,
    Suspend,
    Quit,
    Lesson(LessonCommand),
}

/// A command in a lesson.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "COMMANDS describes each of them")]
pub enum LessonCommand {
    Predict,
    Hint,
    Answer,
    NextStep,
    RunSecond,
    RunToEvent,
    StepBack,
    Leave,
}

worded_enum! {
    /// The section of the help in which a command is listed, in the order of the help.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum CommandGroup {
        /// Screens and panes.
        Screens = "Screens and panes",
        /// Movement and tables.
        Tables = "Movement and tables",
        /// Time.
        Time = "Time",
        /// Changing the machine.
        Changes = "Changes",
        /// Figures.
        Figures = "Figures",
        /// The program.
        Program = "The program",
        /// A lesson, in which these keys come before those of the other sections.
        Lesson = "In a lesson",
    }
}

/// A key with its modifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyPress(pub KeyCode, pub KeyModifiers);

/// The description of a command.
#[derive(Debug)]
pub struct CommandInfo {
    /// The command.
    pub command: UiCommand,
    /// The name in the palette.
    pub name: &'static str,
    /// The help.
    pub help: &'static str,
    /// The keys, the main one first.
    pub keys: &'static [KeyPress],
    /// The section of the help.
    pub group: CommandGroup,
    /// The word in the footer, if it is shown there.
    pub foot: Option<&'static str>,
}

const fn key(c: char) -> KeyPress {
    KeyPress(KeyCode::Char(c), KeyModifiers::NONE)
}

const fn control(c: char) -> KeyPress {
    KeyPress(KeyCode::Char(c), KeyModifiers::CONTROL)
}

const fn code(code: KeyCode) -> KeyPress {
    KeyPress(code, KeyModifiers::NONE)
}

const fn info(
    command: UiCommand,
    name: &'static str,
    keys: &'static [KeyPress],
    group: CommandGroup,
    help: &'static str,
) -> CommandInfo {
    CommandInfo { command, name, help, keys, group, foot: None }
}

impl CommandInfo {
    /// The keys, as they are usually written.
    pub fn key_words(&self) -> String {
        self.keys.iter().map(|key| key.words()).collect::<Vec<_>>().join(" ")
    }

    const fn foot(self, word: &'static str) -> Self {
        Self { foot: Some(word), ..self }
    }
}

use CommandGroup as G;
use {LessonCommand as L, UiCommand as C};

/// All commands, in the order of the help and of the footer.
#[rustfmt::skip]
pub static COMMANDS: &[CommandInfo] = &[
    info(C::Help, "help", &[key('?'), code(KeyCode::F(1))], G::Program, "Help for the focused pane; press again for symbols, colors and state words.").foot("help"),
    info(C::RunLoad, "run workload", &[key('.')], G::Changes, "In the lab: show how the selected workload or experiment would run, and run it after you confirm.").foot("run"),
    info(C::Compare, "compare", &[key('c')], G::Figures, "In the lab: compare two results: the marked one with the selected one, or two marked ones; without marks, the last run of this session with the selected one.").foot("compare"),
    info(C::Filter, "filter", &[key('/'), code(KeyCode::F(4))], G::Tables, "Show only matching rows, such as swap>1G & user=app; a bare word matches anywhere. In the lab: go to the first row that contains the text.").foot("filter"),
    info(C::Palette, "commands", &[key(':'), control('p')], G::Program, "Find anything by name and act on it: off zram0, priority zram0 100, swappiness 10, swap file 4G, what-if add 4G@zram; areas, processes, cgroups, findings, screens, columns and settings.").foot("commands"),
    info(C::Explain, "explain", &[key('e')], G::Figures, "Explain the figure: its meaning, formula, source file, and first kernel.").foot("explain"),
    info(C::Actions, "actions", &[key('a')], G::Changes, "Actions on the row, or on the marked rows; each shows its plan first. what-if asks the model of this machine, and changes nothing.").foot("actions"),
    info(C::SortMenu, "sort", &[key('s'), code(KeyCode::F(6))], G::Tables, "Choose the column to sort by.").foot("sort"),
    info(C::Tree, "tree", &[key('t'), code(KeyCode::F(5))], G::Tables, "Show rows as a tree or as a flat list.").foot("tree"),
    info(C::Pause, "pause", &[key('Z')], G::Time, "Pause at this sample, or return to live; in a recording, play or pause.").foot("pause"),
    info(C::Quit, "quit", &[key('q'), code(KeyCode::F(10)), control('c')], G::Program, "Exit.").foot("quit"),

    info(C::Screen(0), "overview", &[key('1')], G::Screens, overview::SCREEN.question),
    info(C::Screen(1), "devices", &[key('2')], G::Screens, devices::SCREEN.question),
    info(C::Screen(2), "compression", &[key('3')], G::Screens, compression::SCREEN.question),
    info(C::Screen(3), "mthp", &[key('4')], G::Screens, mthp::SCREEN.question),
    info(C::Screen(4), "paging", &[key('5')], G::Screens, paging::SCREEN.question),
    info(C::Screen(5), "processes", &[key('6')], G::Screens, processes::SCREEN.question),
    info(C::Screen(6), "lab", &[key('7')], G::Screens, lab::SCREEN.question),
    info(C::Screen(7), "map", &[key('8')], G::Screens, map::SCREEN.question),
    info(C::Screen(8), "learn", &[key('9')], G::Screens, learn::SCREEN.question),
    info(C::NextPane, "next pane", &[code(KeyCode::Tab)], G::Screens, "Focus the next pane."),
    info(C::PreviousPane, "previous pane", &[code(KeyCode::BackTab)], G::Screens, "Focus the previous pane."),
    info(C::NextSheet, "next table", &[key(']')], G::Screens, "Next table of the pane; on the map, next area.").foot("table"),
    info(C::PreviousSheet, "previous table", &[key('[')], G::Screens, "Previous table or area."),
    info(C::Metric, "metric", &[key('v')], G::Figures, "On the map: change the metric: use, order, list or age.").foot("metric"),
    info(C::Closer, "zoom in", &[key('}')], G::Figures, "On the map: zoom in; a cell shows half as many clusters.").foot("zoom in"),
    info(C::Farther, "zoom out", &[key('{')], G::Figures, "On the map: zoom out; a cell shows twice as many clusters.").foot("zoom out"),

    info(C::Up, "up", &[code(KeyCode::Up), key('k')], G::Tables, "One row or figure up."),
    info(C::Down, "down", &[code(KeyCode::Down), key('j')], G::Tables, "One row or figure down."),
    info(C::Left, "left", &[code(KeyCode::Left), key('h')], G::Tables, "One column to the left."),
    info(C::Right, "right", &[code(KeyCode::Right), key('l')], G::Tables, "One column to the right; behind the last one, the hidden columns follow."),
    info(C::PageUp, "page up", &[code(KeyCode::PageUp), control('u')], G::Tables, "One page up."),
    info(C::PageDown, "page down", &[code(KeyCode::PageDown), control('d')], G::Tables, "One page down."),
    info(C::Top, "first", &[key('g'), code(KeyCode::Home)], G::Tables, "The first row."),
    info(C::Bottom, "last", &[key('G'), code(KeyCode::End)], G::Tables, "The last row."),
    info(C::Open, "open", &[code(KeyCode::Enter)], G::Tables, "Open: the plan of a finding, the page of a process or cgroup, all details of another row, or a full-screen chart of a figure."),
    info(C::Cgroup, "cgroup", &[key('C')], G::Tables, "Open the page of the cgroup of the selected process.").foot("cgroup"),
    info(C::Back, "back", &[code(KeyCode::Esc)], G::Tables, "Close the dialog or page; from the page of a process or cgroup, go back; clear the filter."),
    info(C::NextHit, "next match", &[key('n')], G::Tables, "Next row that matches the last search."),
    info(C::PreviousHit, "previous match", &[key('N')], G::Tables, "Previous row that matches the last search."),
    info(C::SortLeft, "sort left", &[key('<')], G::Tables, "Sort by the previous column."),
    info(C::SortRight, "sort right", &[key('>')], G::Tables, "Sort by the next column."),
    info(C::Invert, "reverse sort", &[key('I')], G::Tables, "Reverse the sort order."),
    info(C::Columns, "columns", &[key('o')], G::Tables, "Choose the columns."),
    info(C::Export, "export", &[key('E')], G::Tables, "Save the table, with its filter, order and columns, as CSV, JSON or Markdown; y in the list copies it.").foot("export"),
    info(C::Tag, "mark", &[key(' ')], G::Tables, "Mark the row; the title counts the marks. In the lab: mark a result to compare."),
    info(C::Untag, "unmark all", &[key('U')], G::Tables, "Remove all marks."),
    info(C::All, "all rows", &[key('*')], G::Tables, "Show or hide the rows left out by default."),

    info(C::Earlier, "earlier", &[key('(')], G::Time, "One sample back."),
    info(C::Later, "later", &[key(')')], G::Time, "One sample forward."),
    info(C::MuchEarlier, "much earlier", &[key('B')], G::Time, "Thirty samples back."),
    info(C::MuchLater, "much later", &[key('F')], G::Time, "Thirty samples forward."),
    info(C::Faster, "faster", &[key('+')], G::Time, "Sample or play faster."),
    info(C::Slower, "slower", &[key('-')], G::Time, "Sample or play slower."),
    info(C::SampleNow, "sample now", &[key('r')], G::Time, "Sample at once."),
    info(C::Record, "record", &[key('R')], G::Time, "Start or stop recording samples to a file."),
    info(C::WriteMoment, "write sample", &[key('w')], G::Time, "Write the sample on screen to a recording of its own."),

    info(C::Undo, "undo", &[key('u')], G::Changes, "Undo the last change still in effect; its plan is shown first."),
    info(C::Journal, "journal", &[key('J')], G::Changes, "Changes and their results; u undoes a change, and interrupted changes can be repaired."),
    info(C::Job, "running change", &[code(KeyCode::F(9))], G::Changes, "Progress of the running change or workload; c stops and undoes it; a second c stops the undo."),
    info(C::SetUp, "setup", &[key('S')], G::Changes, "Set up swap: what suits this machine, each choice with its reason; every one can be changed, and the plan is shown first."),
    info(C::WriteMode, "write mode", &[key('W')], G::Changes, "Enable write mode, or return to read-only mode. swapadm starts read-only, and returns to it after 5 minutes without a key."),

    info(C::Describe, "describe", &[key('d')], G::Figures, "Show all details of the row."),
    info(C::Copy, "copy", &[key('y')], G::Figures, "Copy the value, or the command that fixes the finding; in an explanation, the command that prints it."),

    info(C::Settings, "settings", &[code(KeyCode::F(2))], G::Program, "Change and save settings."),
    info(C::Mouse, "mouse", &[key('m')], G::Program, "Release the mouse so that the terminal can select text, or capture it again."),
    info(C::Redraw, "redraw", &[control('l')], G::Program, "Redraw the screen."),
    info(C::Suspend, "suspend", &[control('z')], G::Program, "Suspend to the shell; fg returns."),

    info(C::Lesson(L::Predict), "predict", &[key('p')], G::Lesson, "Choose a prediction from a list; the letter of an answer predicts at once.").foot("predict"),
    info(C::Lesson(L::Hint), "hint", &[key('?')], G::Lesson, "The next hint; in a repair, then the next command of its solution.").foot("hint"),
    info(C::Lesson(L::Answer), "answer", &[key('=')], G::Lesson, "Run the step and show the right answer, without a prediction, or the solution of a repair.").foot("answer"),
    info(C::Lesson(L::NextStep), "next step", &[key(' ')], G::Lesson, "Run the step if it has no question, then go on to the next one.").foot("next"),
    info(C::Lesson(L::RunSecond), "run on", &[key('r')], G::Lesson, "Run the machine for one more second.").foot("run on"),
    info(C::Lesson(L::RunToEvent), "next event", &[key('g')], G::Lesson, "Run the machine until something happens: an area gets its first page or is full, no cluster is free, a folio is split, a page is read back, zswap writes back, a process is killed.").foot("next event"),
    info(C::Lesson(L::StepBack), "step back", &[code(KeyCode::Backspace)], G::Lesson, "Back to the question of this step, to the broken machine of a repair, or to the previous step.").foot("back"),
    info(C::Lesson(L::Leave), "leave lesson", &[key('q')], G::Lesson, "Leave the lesson, for the list of lessons or the shell.").foot("leave"),
];

/// The description of a command.
pub fn find(command: UiCommand) -> Option<&'static CommandInfo> {
    COMMANDS.iter().find(|info| info.command == command)
}

/// The message about a key that does nothing here. Keys that terminals send by themselves get none:
/// media keys, modifiers alone, and incomplete escape sequences.
pub fn unbound_key_message(event: KeyEvent, rather: &str) -> Option<String> {
    let by_hand = match event.code {
        KeyCode::Char(c) => !c.is_control(),
        KeyCode::F(_) | KeyCode::Insert | KeyCode::Delete | KeyCode::Backspace => true,
        _ => false,
    };
    let is_said = by_hand && !event.modifiers.contains(KeyModifiers::ALT);
    is_said.then(|| {
        format!("{} does nothing here: {rather}", safe_text(&KeyPress::from_event(event).words()))
    })
}

/// The command of a key, in a lesson or outside of it.
fn command_for(event: KeyEvent, in_lesson: bool) -> Option<UiCommand> {
    let pressed = KeyPress::from_event(event);
    let is_it = |info: &&CommandInfo| {
        (info.group == G::Lesson) == in_lesson && info.keys.contains(&pressed)
    };
    COMMANDS.iter().find(is_it).map(|info| info.command)
}

/// The command of a key outside of a lesson.
pub fn for_key(event: KeyEvent) -> Option<UiCommand> {
    command_for(event, false)
}

/// The command of a key that acts on a lesson.
pub fn for_lesson_key(event: KeyEvent) -> Option<LessonCommand> {
    let C::Lesson(command) = command_for(event, true)? else { return None };
    Some(command)
}

impl KeyPress {
    /// The key of an event. Shift is already part of the character.
    pub fn from_event(event: KeyEvent) -> Self {
        let held = event.modifiers & (KeyModifiers::CONTROL | KeyModifiers::ALT);
        // Terminals report Shift-Tab in two ways.
        let code = match event.code {
            KeyCode::Tab if event.modifiers.contains(KeyModifiers::SHIFT) => KeyCode::BackTab,
            code => code,
        };
        Self(code, held)
    }

    /// The key as it is usually written.
    pub fn words(self) -> String {
        let word = match self.0 {
            KeyCode::Char(' ') => "Space".to_owned(),
            KeyCode::Char(c) => c.to_string(),
            KeyCode::F(number) => format!("F{number}"),
            KeyCode::BackTab => "S-Tab".to_owned(),
            KeyCode::PageUp => "PgUp".to_owned(),
            KeyCode::PageDown => "PgDn".to_owned(),
            other => format!("{other}"),
        };
        if self.1.contains(KeyModifiers::CONTROL) { format!("^{word}") } else { word }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::screens::SCREENS;

    #[test]
    fn no_two_commands_share_a_key_or_a_name() {
        for (place, info) in COMMANDS.iter().enumerate() {
            for other in COMMANDS.iter().skip(place + 1) {
                assert_ne!(info.name, other.name);
                let is_context_shared = (info.group == G::Lesson) == (other.group == G::Lesson);
                let shared = info.keys.iter().find(|key| other.keys.contains(key));
                assert_eq!(
                    shared.filter(|_| is_context_shared),
                    None,
                    "{} and {}",
                    info.name,
                    other.name
                );
            }
        }
    }

    #[test]
    fn every_command_has_a_key_and_says_what_it_does() {
        for info in COMMANDS {
            assert!(!info.keys.is_empty(), "{}", info.name);
            assert!(info.help.ends_with(['.', '?']), "{}", info.name);
        }
    }

    /// Screens are named in three places: here, among the settings, and where they are drawn.
    #[test]
    fn screen_names_agree_everywhere() {
        let ids: Vec<&str> = SCREENS.iter().map(|screen| screen.id).collect();
        assert_eq!(ids, crate::ui::settings::SCREENS);
        for (place, screen) in SCREENS.iter().enumerate() {
            let info = find(UiCommand::Screen(place)).unwrap();
            assert_eq!((info.name, info.help), (screen.id, screen.question));
            assert_eq!(info.keys, [key(screen.number)]);
        }
        assert_eq!(find(UiCommand::Screen(SCREENS.len())).map(|info| info.name), None);
    }

    #[test]
    fn keys_are_written_as_people_write_them() {
        let words = [control('c'), key(' '), code(KeyCode::F(4)), code(KeyCode::BackTab)];
        assert_eq!(words.map(KeyPress::words), ["^c", "Space", "F4", "S-Tab"]);
    }
}
