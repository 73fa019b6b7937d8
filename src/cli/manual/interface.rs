//! The sections about the terminal interface, made from its own lists.

use super::{entry, paragraph, section, text};
use crate::cli::exit::Exit;
use crate::ui::command::{COMMANDS, Group};
use crate::ui::confirm::KEYS;
use crate::ui::history::Bounds;
use crate::ui::screens::SCREENS;
use crate::ui::settings::{PER_TABLE, SETTINGS, Settings};
use clap_mangen::roff::Roff;

/// All about it.
pub(super) fn sections(roff: &mut Roff) {
    screens(roff);
    keys(roff);
    changes(roff);
    settings(roff);
    looks(roff);
    section(roff, "EXIT STATUS");
    text(
        roff,
        &format!(
            "{} after leaving by a key. A signal that ends a program ends this one too, once the terminal is as it was before. {} when the terminal is gone.",
            Exit::Done.code(),
            Exit::Failed.code()
        ),
    );
}

fn screens(roff: &mut Roff) {
    let Bounds { moments, bytes } = Bounds::LIVE;
    section(roff, "SCREENS");
    for screen in SCREENS {
        entry(roff, &format!("{}  {}", screen.number, screen.id), screen.question);
        for pane in screen.panes {
            paragraph(roff, &format!("{}: {}", pane.title, pane.about));
        }
    }
    paragraph(
        roff,
        "A terminal of 80 by 24 cells shows each screen whole; one of 120 by 36 shows more beside it, a smaller one a pane at a time, and less in a fixed order. Nothing is squeezed.",
    );
    paragraph(
        roff,
        &format!(
            "The last {moments} samples of all that is shown are kept: {} minutes at one a second, one minute at ten a second, and fewer where they would take more than {} MiB. ( and ) go back and forth through them, and the whole screen follows.",
            moments / 60,
            bytes >> 20
        ),
    );
}

fn keys(roff: &mut Roff) {
    section(roff, "KEYS");
    for group in Group::ALL {
        paragraph(roff, group.words());
        for info in COMMANDS.iter().filter(|info| info.group == group) {
            let keys: Vec<String> = info.keys.iter().map(|key| key.words()).collect();
            entry(roff, &keys.join("  "), info.help);
        }
    }
    paragraph(
        roff,
        "The mouse selects, sorts by the heading that is clicked, scrolls the pane that it points at, and opens what is clicked twice; a click beside a page or list closes it.",
    );
}

fn changes(roff: &mut Roff) {
    section(roff, "CHANGES");
    text(
        roff,
        "The interface begins read-only, and the first line says so: RO. W allows changes, after a question; RW stands there until W is pressed again, five minutes pass without a key, or the interface is left. Without the right to change swap (CAP_SYS_ADMIN) it stays read-only; plans are shown all the same, and y copies their commands.",
    );
    paragraph(
        roff,
        "a lists what can be done with the selected row, or with the marked ones. Whatever is chosen is planned first, on the machine as it is then: the steps with what they move, the commands that take them back, the checks, the same by hand, and how the areas stand afterwards. A time is told by how fast this area, or one of its kind, was emptied before, or by trying out what its pages take now: swapadm(8) says which. That dialog begins on Cancel, and nothing is done until Run is chosen. A warning about what is to be moved asks for the name of the area; a risk that a check refuses can be taken by typing its name, as with --force; anything else that is refused is not done.",
    );
    paragraph(
        roff,
        "Above the answers stands how the change is made, where that can be chosen. What a file of the machine cannot say, or a limit that cannot be kept here, is told in the dialog, which stays as it was.",
    );
    for (key, help) in KEYS {
        entry(roff, &key.to_string(), help);
    }
    paragraph(
        roff,
        "A change goes on whatever is looked at; the line above the last one tells how far it is, F9 tells more, and c there stops it and takes back what was done. Leaving meanwhile asks whether to wait for it or to stop it. A signal that ends the program stops it too, and it ends when all is as it was; what came of it is said on the terminal. After a crash the next start says that something was cut off; swapadm-recover(8) or the action of that name puts it right.",
    );
}

fn settings(roff: &mut Roff) {
    section(roff, "SETTINGS");
    text(
        roff,
        "Settings are kept in swapadm/config.toml below $XDG_CONFIG_HOME, or below ~/.config. The environment stands above the file, and options above both. F2 shows, changes and keeps them. A line that cannot be understood is told with its number when the interface opens; the rest holds.",
    );
    let usual = Settings::default();
    for setting in SETTINGS {
        let more = [setting.env, setting.flag].into_iter().flatten();
        let more: Vec<String> = more.map(str::to_owned).collect();
        let more =
            if more.is_empty() { String::new() } else { format!(" Also {}.", more.join(", ")) };
        let default = setting.get.map(|get| get(&usual, "")).unwrap_or_default();
        let what =
            format!("{}: {}; {default} if not set.{more}", setting.help, setting.takes.takes());
        entry(roff, setting.name, &what);
    }
    for setting in PER_TABLE {
        let key = format!("{}.TABLE", setting.name);
        entry(roff, &key, &format!("{}: {}.", setting.help, setting.takes.takes()));
    }
}

fn looks(roff: &mut Roff) {
    section(roff, "TERMINALS");
    text(
        roff,
        "Signs come in four sets: full (rounded frames, eighth blocks, braille), blocks (for fonts without good braille), vt (the console of the kernel) and ascii (no UTF-8 in LC_ALL, LC_CTYPE or LANG, a serial line, or TERM=vt100). Colours come as 16 million, 256, 16 or none: by COLORTERM and TERM, and none when NO_COLOR is set. Whatever a colour says, a word or sign says too; the background is never set.",
    );
    paragraph(
        roff,
        "Copying goes through the terminal (OSC 52), also over ssh, where the terminal allows it. With --plain the same screens are printed as lines, without drawing: each line names its pane and its figures, (warning) and (critical) stand for the marks, and what did not change is said once. A terminal that can only print, such as one with TERM=dumb, gets the same.",
    );
}
