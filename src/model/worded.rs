//! Enumerations whose variants have words, which options, files, tables and JSON share.

/// Defines an enumeration with a word for each variant.
#[macro_export]
macro_rules! worded_enum {
    (
        $(#[$of_type:meta])*
        $visibility:vis enum $name:ident {
            $($(#[$of_variant:meta])* $variant:ident = $word:literal,)*
        }
    ) => {
        $(#[$of_type])*
        $visibility enum $name {
            $($(#[$of_variant])* $variant,)*
        }

        #[allow(dead_code, reason = "few enumerations need all of them")]
        impl $name {
            /// All variants, in their order.
            $visibility const ALL: [Self; [$($word),*].len()] = [$(Self::$variant),*];

            /// All words, each with its variant.
            $visibility const WORDS: [(&'static str, Self); [$($word),*].len()] =
                [$(($word, Self::$variant)),*];

            /// The word of the variant.
            $visibility const fn word(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)*
                }
            }

            /// Finds the variant with this word.
            $visibility fn from_word(word: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|it| it.word() == word)
            }
        }
    };
}

#[cfg(test)]
mod tests {
    worded_enum! {
        /// A color.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        enum Color {
            /// As leaves.
            Green = "green",
            /// As the sky.
            LightBlue = "light blue",
        }
    }

    #[test]
    fn a_word_names_its_variant() {
        assert_eq!(Color::ALL.map(Color::word), ["green", "light blue"]);
        assert_eq!(Color::WORDS.map(|(_, color)| color), Color::ALL);
        assert_eq!(Color::from_word("light blue"), Some(Color::LightBlue));
        assert_eq!(Color::from_word("LightBlue"), None);
    }
}
