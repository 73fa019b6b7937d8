//! Colours by role.
//!
//! No background is set, except by reversing a cell, so that light and dark terminals both work. Roles
//! that must be told apart also differ in brightness or have a sign.

use ratatui::style::{Color, Modifier, Style};

/// The role of a piece of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// Figures and names.
    Text,
    /// Labels of figures.
    Label,
    /// Less important: frames, missing values, stale values.
    Faint,
    /// The focused pane, the sorted column.
    Accent,
    /// Good.
    Ok,
    /// Warning.
    Warn,
    /// Critical.
    Crit,
    /// Memory.
    Ram,
    /// The zswap pool.
    Pool,
    /// zram.
    Zram,
    /// Disks and files.
    Disk,
    /// Swap-in.
    In,
    /// Swap-out.
    Out,
    /// The selected row or figure.
    Selected,
    /// A marked row.
    Tagged,
    /// A cell of a map, from 0 to 4.
    Heat(u8),
}

impl Role {
    /// All roles.
    pub const ALL: [Role; 20] = [
        Self::Text,
        Self::Label,
        Self::Faint,
        Self::Accent,
        Self::Ok,
        Self::Warn,
        Self::Crit,
        Self::Ram,
        Self::Pool,
        Self::Zram,
        Self::Disk,
        Self::In,
        Self::Out,
        Self::Selected,
        Self::Tagged,
        Self::Heat(0),
        Self::Heat(1),
        Self::Heat(2),
        Self::Heat(3),
        Self::Heat(4),
    ];
}

/// The number of colours of a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Palette {
    /// 16 million.
    True,
    /// 256.
    Many,
    /// 16.
    Sixteen,
    /// No colours.
    Mono,
}

impl Palette {
    /// The style of a role.
    pub fn style(self, role: Role) -> Style {
        let style = match self.color(role) {
            Some(color) => Style::new().fg(color),
            None => Style::new(),
        };
        style.add_modifier(self.modifier(role))
    }

    fn color(self, role: Role) -> Option<Color> {
        let (sixteen, many, rgb) = colors(role)?;
        match self {
            Self::True => {
                let [_, red, green, blue] = rgb.to_be_bytes();
                Some(Color::Rgb(red, green, blue))
            }
            Self::Many => Some(Color::Indexed(many)),
            Self::Sixteen => sixteen,
            Self::Mono => None,
        }
    }

    fn modifier(self, role: Role) -> Modifier {
        match (role, self) {
            (Role::Selected, _) => Modifier::REVERSED,
            (Role::Crit, Self::Mono) => Modifier::BOLD.union(Modifier::REVERSED),
            (Role::Crit | Role::Warn | Role::Tagged, _) | (Role::Accent, Self::Sixteen) => {
                Modifier::BOLD
            }
            (Role::Accent, Self::Mono) => Modifier::BOLD.union(Modifier::UNDERLINED),
            (Role::Faint, Self::Mono) => Modifier::DIM,
            _ => Modifier::empty(),
        }
    }
}

/// The colour of a role with 16, 256 and all colours; none for the default colour of the terminal.
fn colors(role: Role) -> Option<(Option<Color>, u8, u32)> {
    let colors = match role {
        Role::Text | Role::Selected => return None,
        Role::Label => (None, 245, 0x8A_8A_8A),
        Role::Faint => (Some(Color::DarkGray), 240, 0x6C_6C_6C),
        Role::Ok => (None, 72, 0x00_9E_73),
        Role::Warn => (Some(Color::Yellow), 214, 0xE6_9F_00),
        Role::Crit => (Some(Color::LightRed), 202, 0xD5_5E_00),
        Role::Ram => (Some(Color::Blue), 32, 0x00_72_B2),
        Role::Pool | Role::Out => (Some(Color::Magenta), 175, 0xCC_79_A7),
        Role::Accent | Role::Tagged | Role::Zram | Role::In => (Some(Color::Cyan), 38, 0x56_B4_E9),
        Role::Disk => (Some(Color::Yellow), 178, 0xC9_A2_27),
        // With 16 colours, signs alone carry the meaning: these colours would mean something else.
        Role::Heat(heat) => match heat {
            0 => (None, 60, 0x5C_5C_8A),
            1 => (None, 61, 0x41_67_A8),
            2 => (None, 30, 0x21_91_8C),
            3 => (None, 77, 0x5E_C9_62),
            _ => (None, 178, 0xD8_B0_12),
        },
    };
    Some(colors)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_sets_a_background() {
        for palette in [Palette::True, Palette::Many, Palette::Sixteen, Palette::Mono] {
            for role in Role::ALL {
                assert_eq!(palette.style(role).bg, None, "{palette:?} {role:?}");
            }
        }
    }

    #[test]
    fn mono_sets_no_colour_and_keeps_roles_distinct() {
        let mono = |role| Palette::Mono.style(role);
        assert!(Role::ALL.iter().all(|role| mono(*role).fg.is_none()));
        let apart = [Role::Text, Role::Faint, Role::Accent, Role::Warn, Role::Crit, Role::Selected];
        for (place, role) in apart.iter().enumerate() {
            for other in apart.iter().skip(place + 1) {
                assert_ne!(mono(*role), mono(*other), "{role:?} {other:?}");
            }
        }
    }
}
