//! Colors by role.
//!
//! No background is set, except by reversing a cell, so that light and dark terminals both work. Roles
//! that must be told apart also differ in brightness or have a sign.

use crate::model::worded_enum;
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

/// The number of colors of a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Palette {
    /// 16 million.
    True,
    /// 256.
    Many,
    /// 16.
    Sixteen,
    /// No colors.
    Mono,
}

worded_enum! {
    /// The colors of roles.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Theme {
        /// For terminals with a dark background.
        #[default]
        Dark = "dark",
        /// For terminals with a light background.
        Light = "light",
        /// Strong colors for a dark background.
        Contrast = "contrast",
        /// The 16 colors that the terminal itself defines.
        Terminal = "terminal",
    }
}

impl Palette {
    /// The style of a role in a theme.
    pub fn style(self, role: Role, theme: Theme) -> Style {
        Style { fg: self.color(role, theme), ..Style::new() }.add_modifier(self.modifier(role))
    }

    fn color(self, role: Role, theme: Theme) -> Option<Color> {
        let [dark, light, strong] = colors(role);
        let (sixteen, many, rgb) = match theme {
            Theme::Dark | Theme::Terminal => dark,
            Theme::Light => light,
            Theme::Contrast => strong,
        }?;
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

/// A color with 16, 256 and all colors; with 16, it can be the default color of the terminal.
type RoleColor = (Option<Color>, u8, u32);

/// The colors of a role: for a dark background, dark enough for a light one, and strong ones for a dark one,
/// with which nothing is gray but frames. None is the default color of the terminal.
#[rustfmt::skip]
fn colors(role: Role) -> [Option<RoleColor>; 3] {
    match role {
        Role::Text | Role::Selected => [None, None, Some((Some(Color::White), 231, 0xFF_FF_FF))],
        Role::Label => [Some((None, 245, 0x8A_8A_8A)), Some((None, 240, 0x58_58_58)), Some((Some(Color::White), 255, 0xEE_EE_EE))],
        Role::Faint => [Some((Some(Color::DarkGray), 240, 0x6C_6C_6C)), Some((Some(Color::DarkGray), 244, 0x80_80_80)), Some((Some(Color::Gray), 250, 0xBC_BC_BC))],
        Role::Ok => [Some((None, 72, 0x00_9E_73)), Some((None, 29, 0x00_6B_4E)), Some((Some(Color::LightGreen), 48, 0x00_FF_87))],
        Role::Warn => [Some((Some(Color::Yellow), 214, 0xE6_9F_00)), Some((Some(Color::Magenta), 130, 0x9A_52_00)), Some((Some(Color::LightYellow), 226, 0xFF_FF_00))],
        Role::Crit => [Some((Some(Color::LightRed), 202, 0xD5_5E_00)), Some((Some(Color::Red), 160, 0xB4_1F_1F)), Some((Some(Color::LightRed), 209, 0xFF_87_5F))],
        Role::Ram => [Some((Some(Color::Blue), 32, 0x00_72_B2)), Some((Some(Color::Blue), 25, 0x00_55_99)), Some((Some(Color::LightBlue), 117, 0x87_D7_FF))],
        Role::Pool | Role::Out => [Some((Some(Color::Magenta), 175, 0xCC_79_A7)), Some((Some(Color::Magenta), 126, 0x99_33_77)), Some((Some(Color::LightMagenta), 213, 0xFF_87_FF))],
        Role::Accent | Role::Tagged | Role::Zram | Role::In => [Some((Some(Color::Cyan), 38, 0x56_B4_E9)), Some((Some(Color::Blue), 31, 0x00_60_90)), Some((Some(Color::LightCyan), 51, 0x00_FF_FF))],
        Role::Disk => [Some((Some(Color::Yellow), 178, 0xC9_A2_27)), Some((None, 94, 0x78_5A_00)), Some((Some(Color::LightYellow), 220, 0xFF_D7_00))],
        // With 16 colors, signs alone carry the meaning: these colors would mean something else.
        Role::Heat(0) => [Some((None, 60, 0x5C_5C_8A)), Some((None, 146, 0xA8_A8_C8)), Some((None, 105, 0x87_87_FF))],
        Role::Heat(1) => [Some((None, 68, 0x4A_82_D0)), Some((None, 74, 0x58_98_C0)), Some((None, 75, 0x5F_AF_FF))],
        Role::Heat(2) => [Some((None, 30, 0x21_91_8C)), Some((None, 30, 0x10_80_78)), Some((None, 45, 0x00_D7_FF))],
        Role::Heat(3) => [Some((None, 77, 0x5E_C9_62)), Some((None, 28, 0x10_60_20)), Some((None, 84, 0x5F_FF_87))],
        Role::Heat(_) => [Some((None, 178, 0xD8_B0_12)), Some((None, 52, 0x60_10_40)), Some((None, 226, 0xFF_FF_00))],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Role; 20] = [
        Role::Text,
        Role::Label,
        Role::Faint,
        Role::Accent,
        Role::Ok,
        Role::Warn,
        Role::Crit,
        Role::Ram,
        Role::Pool,
        Role::Zram,
        Role::Disk,
        Role::In,
        Role::Out,
        Role::Selected,
        Role::Tagged,
        Role::Heat(0),
        Role::Heat(1),
        Role::Heat(2),
        Role::Heat(3),
        Role::Heat(4),
    ];

    #[test]
    fn nothing_sets_a_background() {
        for palette in [Palette::True, Palette::Many, Palette::Sixteen, Palette::Mono] {
            for (theme, role) in Theme::WORDS.iter().flat_map(|it| ALL.map(|role| (it.1, role))) {
                assert_eq!(palette.style(role, theme).bg, None, "{palette:?} {role:?}");
            }
        }
    }

    #[test]
    fn mono_sets_no_color_and_keeps_roles_distinct() {
        let mono = |role| Palette::Mono.style(role, Theme::Contrast);
        assert!(ALL.iter().all(|role| mono(*role).fg.is_none()));
        let apart = [Role::Text, Role::Faint, Role::Accent, Role::Warn, Role::Crit, Role::Selected];
        for (place, role) in apart.iter().enumerate() {
            for other in apart.iter().skip(place + 1) {
                assert_ne!(mono(*role), mono(*other), "{role:?} {other:?}");
            }
        }
    }

    /// The contrast of two colors as WCAG defines it.
    fn contrast(one: u32, other: u32) -> f64 {
        let channel = |byte: u8| {
            let share = f64::from(byte) / 255.0;
            if share <= 0.040_45 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
        };
        let light = |rgb: u32| {
            let [_, red, green, blue] = rgb.to_be_bytes();
            0.2126 * channel(red) + 0.7152 * channel(green) + 0.0722 * channel(blue)
        };
        let (one, other) = (light(one) + 0.05, light(other) + 0.05);
        one.max(other) / one.min(other)
    }

    #[test]
    fn colors_can_be_read_on_the_background_of_their_theme() {
        for (theme, background, least) in [
            (Theme::Dark, 0x1C_1C_1C, 3.0),
            (Theme::Light, 0xFF_FF_FF, 4.5),
            (Theme::Contrast, 0x00_00_00, 7.0),
        ] {
            let is_text = |role: &&Role| !matches!(role, Role::Heat(_) | Role::Faint);
            for role in ALL.iter().filter(is_text) {
                let Some(Color::Rgb(red, green, blue)) = Palette::True.style(*role, theme).fg
                else {
                    continue;
                };
                let seen = contrast(u32::from_be_bytes([0, red, green, blue]), background);
                assert!(seen >= least, "{theme:?} {role:?}: {seen:.1}");
            }
        }
    }
}
