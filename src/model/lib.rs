//! Plain data of snapshots and results, without input, output or calculations beyond unit conversions.

pub mod activation;
pub mod block;
pub mod candidate;
pub mod clusters;
pub mod config;
pub mod experiment;
pub mod format;
pub mod kernel;
pub mod knob;
pub mod load;
mod memory;
pub mod name;
pub mod paging;
pub mod parts;
pub mod policy;
pub mod reading;
pub mod run;
mod shared;
pub mod snapshot;
pub mod subject;
pub mod surroundings;
pub mod swaparea;
pub mod text;
pub mod units;
pub mod users;
pub mod zram;

pub use name::Name;
pub use parts::{Part, PartSet};
pub use policy::Policy;
pub use reading::{Missing, Reading};
pub use shared::Shared;
pub use snapshot::{ClusterMaps, Sampled, Snapshot, Stamp};
pub use units::{Bytes, Pages, unit_factor, whole, with_unit};

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
mod worded_tests {
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
