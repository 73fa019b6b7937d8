//! Choices among a few words.

use super::form::Form;

/// How many colours to use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColorChoice {
    /// As many as the terminal seems to have.
    #[default]
    Auto,
    /// 24 bits.
    True,
    /// The palette of 256.
    Palette256,
    /// The 16 that every colour terminal has.
    Ansi16,
    /// None: bold, underlined and reversed only.
    Never,
}

impl ColorChoice {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Auto, Self::True, Self::Palette256, Self::Ansi16, Self::Never];
    /// Their words, in the same order.
    pub const WORDS: &[&str] = &[
        Self::Auto.word(),
        Self::True.word(),
        Self::Palette256.word(),
        Self::Ansi16.word(),
        Self::Never.word(),
    ];

    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::True => "true",
            Self::Palette256 => "256",
            Self::Ansi16 => "16",
            Self::Never => "never",
        }
    }

    /// The choice with this word.
    ///
    /// # Errors
    /// A sentence with the words there are.
    pub fn parse(word: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|choice| choice.word() == word);
        found.ok_or_else(|| Form::Word(Self::WORDS).refuse(word))
    }
}

/// Which signs to draw with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GlyphChoice {
    /// Those that the terminal seems to have.
    #[default]
    Auto,
    /// Rounded lines, braille, eighth blocks.
    Full,
    /// Square lines and eighth blocks, for fonts with bad braille.
    Blocks,
    /// What the console of the kernel has.
    Vt,
    /// What every terminal has.
    Ascii,
}

impl GlyphChoice {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Auto, Self::Full, Self::Blocks, Self::Vt, Self::Ascii];
    /// Their words, in the same order.
    pub const WORDS: &[&str] = &[
        Self::Auto.word(),
        Self::Full.word(),
        Self::Blocks.word(),
        Self::Vt.word(),
        Self::Ascii.word(),
    ];

    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Full => "full",
            Self::Blocks => "blocks",
            Self::Vt => "vt",
            Self::Ascii => "ascii",
        }
    }

    /// The choice with this word.
    ///
    /// # Errors
    /// A sentence with the words there are.
    pub fn parse(word: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|choice| choice.word() == word);
        found.ok_or_else(|| Form::Word(Self::WORDS).refuse(word))
    }
}
