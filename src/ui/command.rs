//! Everything that can be asked of the interface by hand: one table for the keys, the palette, the
//! footer, the help and the manual.

use super::screens::{compression, devices, lab, map, mthp, overview, paging, processes};
use crate::model::name::safe_text;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// Something that can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "COMMANDS says of each what it does")]
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
    Back,
    Filter,
    NextHit,
    PreviousHit,
    SortLeft,
    SortRight,
    SortMenu,
    Invert,
    Columns,
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
}

/// Where a command stands in the help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandGroup {
    /// Screens and panes.
    Screens,
    /// Moving and tables.
    Tables,
    /// Time.
    Time,
    /// Changing the machine.
    Changes,
    /// Figures.
    Figures,
    /// The program.
    Program,
}

impl CommandGroup {
    /// All of them, in the order of the help.
    pub const ALL: [CommandGroup; 6] =
        [Self::Screens, Self::Tables, Self::Time, Self::Changes, Self::Figures, Self::Program];

    /// Its heading.
    pub fn words(self) -> &'static str {
        match self {
            Self::Screens => "Screens and panes",
            Self::Tables => "Moving and tables",
            Self::Time => "Time",
            Self::Changes => "Changes",
            Self::Figures => "Figures",
            Self::Program => "The program",
        }
    }
}

/// A key with what is held down with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyPress(pub KeyCode, pub KeyModifiers);

/// What is known of a command.
#[derive(Debug)]
pub struct CommandInfo {
    /// The command.
    pub command: UiCommand,
    /// Its name in the palette.
    pub name: &'static str,
    /// What it does.
    pub help: &'static str,
    /// The keys, the usual one first.
    pub keys: &'static [KeyPress],
    /// Where it stands in the help.
    pub group: CommandGroup,
    /// Its word in the footer, if it is shown there.
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
    const fn foot(self, word: &'static str) -> Self {
        Self { foot: Some(word), ..self }
    }
}

use UiCommand as C;
use CommandGroup as G;

/// All commands. The order is that of the help and, where they have a word for it, of the footer.
#[rustfmt::skip]
pub static COMMANDS: &[CommandInfo] = &[
    info(C::Help, "help", &[key('?'), code(KeyCode::F(1))], G::Program, "Help for the pane that keys go to; again for signs, colours and words.").foot("help"),
    info(C::RunLoad, "run load", &[key('.')], G::Changes, "In the lab: show how the chosen load or experiment would be run, and run it once that is confirmed.").foot("run"),
    info(C::Compare, "compare", &[key('c')], G::Figures, "In the lab: compare two results: the marked one with the selected one, or the two marked ones; where none is marked, the last from here with the selected one.").foot("compare"),
    info(C::Filter, "filter", &[key('/'), code(KeyCode::F(4))], G::Tables, "Show only rows that pass, such as swap>1G & user=app; a bare word is looked for anywhere. In the lab: go to the first row that holds what is typed.").foot("filter"),
    info(C::Palette, "commands", &[key(':'), control('p')], G::Program, "Find a command, screen, column or setting by name.").foot("commands"),
    info(C::Explain, "explain", &[key('e')], G::Figures, "Explain the figure: what it is, the formula, its file, since which kernel.").foot("explain"),
    info(C::Actions, "actions", &[key('a')], G::Changes, "What can be done with the row, or with the marked ones: each is shown as a plan first.").foot("actions"),
    info(C::SortMenu, "sort", &[key('s'), code(KeyCode::F(6))], G::Tables, "Choose the column to sort by.").foot("sort"),
    info(C::Tree, "tree", &[key('t'), code(KeyCode::F(5))], G::Tables, "Children below their parents, or all rows alike.").foot("tree"),
    info(C::Pause, "pause", &[key('Z')], G::Time, "Hold this moment, or go back to now; in a recording, play or hold.").foot("pause"),
    info(C::Quit, "quit", &[key('q'), code(KeyCode::F(10)), control('c')], G::Program, "Leave.").foot("quit"),

    info(C::Screen(0), "overview", &[key('1')], G::Screens, overview::SCREEN.question),
    info(C::Screen(1), "devices", &[key('2')], G::Screens, devices::SCREEN.question),
    info(C::Screen(2), "compression", &[key('3')], G::Screens, compression::SCREEN.question),
    info(C::Screen(3), "mthp", &[key('4')], G::Screens, mthp::SCREEN.question),
    info(C::Screen(4), "paging", &[key('5')], G::Screens, paging::SCREEN.question),
    info(C::Screen(5), "processes", &[key('6')], G::Screens, processes::SCREEN.question),
    info(C::Screen(6), "lab", &[key('7')], G::Screens, lab::SCREEN.question),
    info(C::Screen(7), "map", &[key('8')], G::Screens, map::SCREEN.question),
    info(C::NextPane, "next pane", &[code(KeyCode::Tab)], G::Screens, "Keys go to the next pane."),
    info(C::PreviousPane, "previous pane", &[code(KeyCode::BackTab)], G::Screens, "Keys go to the pane before."),
    info(C::NextSheet, "next table", &[key(']')], G::Screens, "The next table of the pane; on the map the next area."),
    info(C::PreviousSheet, "previous table", &[key('[')], G::Screens, "The table or area before."),
    info(C::Metric, "metric", &[key('v')], G::Figures, "On the map: show something else in the cells: use, order, list or age.").foot("metric"),
    info(C::Closer, "closer", &[key('}')], G::Figures, "On the map: let a cell stand for half as many clusters.").foot("closer"),
    info(C::Farther, "farther", &[key('{')], G::Figures, "On the map: let a cell stand for twice as many clusters.").foot("farther"),

    info(C::Up, "up", &[code(KeyCode::Up), key('k')], G::Tables, "One row or figure up."),
    info(C::Down, "down", &[code(KeyCode::Down), key('j')], G::Tables, "One row or figure down."),
    info(C::Left, "left", &[code(KeyCode::Left), key('h')], G::Tables, "One column to the left."),
    info(C::Right, "right", &[code(KeyCode::Right), key('l')], G::Tables, "One column to the right."),
    info(C::PageUp, "page up", &[code(KeyCode::PageUp), control('u')], G::Tables, "One page up."),
    info(C::PageDown, "page down", &[code(KeyCode::PageDown), control('d')], G::Tables, "One page down."),
    info(C::Top, "first", &[key('g'), code(KeyCode::Home)], G::Tables, "The first row."),
    info(C::Bottom, "last", &[key('G'), code(KeyCode::End)], G::Tables, "The last row."),
    info(C::Open, "open", &[code(KeyCode::Enter)], G::Tables, "All that is known of the row, or the explanation of the figure."),
    info(C::Back, "back", &[code(KeyCode::Esc)], G::Tables, "Close what is open; clear the filter."),
    info(C::NextHit, "next hit", &[key('n')], G::Tables, "The next row that holds the word looked for last."),
    info(C::PreviousHit, "previous hit", &[key('N')], G::Tables, "The row before that holds it."),
    info(C::SortLeft, "sort left", &[key('<')], G::Tables, "Sort by the column before."),
    info(C::SortRight, "sort right", &[key('>')], G::Tables, "Sort by the next column."),
    info(C::Invert, "invert", &[key('I')], G::Tables, "Turn the order of rows round."),
    info(C::Columns, "columns", &[key('o')], G::Tables, "Choose the columns."),
    info(C::Tag, "tag", &[key(' ')], G::Tables, "Mark the row; the title counts the marks. In the lab: mark a result, to compare it."),
    info(C::Untag, "untag all", &[key('U')], G::Tables, "Take all marks away."),
    info(C::All, "all rows", &[key('*')], G::Tables, "Also rows that hold nothing, or not."),

    info(C::Earlier, "earlier", &[key('(')], G::Time, "One sample back."),
    info(C::Later, "later", &[key(')')], G::Time, "One sample on."),
    info(C::MuchEarlier, "much earlier", &[key('B')], G::Time, "Thirty samples back."),
    info(C::MuchLater, "much later", &[key('F')], G::Time, "Thirty samples on."),
    info(C::Faster, "faster", &[key('+')], G::Time, "Sample, or play, more often."),
    info(C::Slower, "slower", &[key('-')], G::Time, "Sample, or play, less often."),
    info(C::SampleNow, "sample now", &[key('r')], G::Time, "Do not wait for the next sample."),
    info(C::Record, "record", &[key('R')], G::Time, "Write what is seen into a recording, or stop."),
    info(C::WriteMoment, "write moment", &[key('w')], G::Time, "Write the moment on screen into a recording of its own."),

    info(C::Undo, "undo", &[key('u')], G::Changes, "Take back the last change that stands; its plan is shown first."),
    info(C::Journal, "journal", &[key('J')], G::Changes, "What was changed and what came of it; u takes a change back, and what was cut off can be put right."),
    info(C::Job, "change under way", &[code(KeyCode::F(9))], G::Changes, "How far the change or load is that is under way; c stops it and takes it back."),
    info(C::WriteMode, "arm", &[key('W')], G::Changes, "Allow changes from here (RW), or forbid them again (RO). They are forbidden at the start, and after five minutes without a key."),

    info(C::Describe, "describe", &[key('d')], G::Figures, "All that is known of the row."),
    info(C::Copy, "copy", &[key('y')], G::Figures, "Copy the value, or in an explanation the command that prints it."),

    info(C::Settings, "settings", &[code(KeyCode::F(2))], G::Program, "Change and keep settings."),
    info(C::Mouse, "mouse", &[key('m')], G::Program, "Give the mouse back to the terminal, to select text; or take it again."),
    info(C::Redraw, "redraw", &[control('l')], G::Program, "Draw everything anew."),
    info(C::Suspend, "suspend", &[control('z')], G::Program, "Back to the shell; fg returns."),
];

/// What is known of a command.
pub fn find(command: UiCommand) -> Option<&'static CommandInfo> {
    COMMANDS.iter().find(|info| info.command == command)
}

/// The message about a key that does nothing here. There is none for what terminals send by themselves:
/// media keys, modifiers alone, and incomplete escape sequences.
pub fn unbound_key_message(event: KeyEvent, rather: &str) -> Option<String> {
    let by_hand = match event.code {
        KeyCode::Char(c) => !c.is_control(),
        KeyCode::F(_) | KeyCode::Insert | KeyCode::Delete | KeyCode::Backspace => true,
        _ => false,
    };
    let is_said = by_hand && !event.modifiers.contains(KeyModifiers::ALT);
    is_said.then(|| format!("{} does nothing here: {rather}", safe_text(&KeyPress::from_event(event).words())))
}

/// The command of a key.
pub fn for_key(event: KeyEvent) -> Option<UiCommand> {
    let pressed = KeyPress::from_event(event);
    let bound = COMMANDS.iter().find(|info| info.keys.contains(&pressed));
    bound.map(|info| info.command)
}

impl KeyPress {
    /// The key of an event. Shift is in the character already.
    pub fn from_event(event: KeyEvent) -> Self {
        let held = event.modifiers & (KeyModifiers::CONTROL | KeyModifiers::ALT);
        // Terminals report the shifted tabulator in two ways.
        let code = match event.code {
            KeyCode::Tab if event.modifiers.contains(KeyModifiers::SHIFT) => KeyCode::BackTab,
            code => code,
        };
        Self(code, held)
    }

    /// The key as people write it.
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
                let shared = info.keys.iter().find(|key| other.keys.contains(key));
                assert_eq!(shared, None, "{} and {}", info.name, other.name);
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
