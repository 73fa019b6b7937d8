//! Forbidden phrases in a text, word by word.

use super::phrases::{Group, PHRASES};
use super::text::Text;
use std::collections::HashMap;
use std::sync::LazyLock;

/// A forbidden phrase in a text.
#[derive(Debug, PartialEq)]
pub(crate) struct Found {
    pub(crate) line: usize,
    pub(crate) phrase: &'static str,
    pub(crate) instead: &'static str,
}

/// A word or a single other character, as written.
type Token = (usize, String);

/// The words and signs of a text, without blanks.
fn tokens<'a>(parts: impl Iterator<Item = (usize, &'a str)>) -> Vec<Token> {
    let mut tokens = Vec::new();
    for (line, part) in parts {
        let mut word = String::new();
        for c in part.chars() {
            if c.is_alphanumeric() || c == '_' {
                word.push(c);
                continue;
            }
            if !word.is_empty() {
                tokens.push((line, std::mem::take(&mut word)));
            }
            if !c.is_whitespace() {
                tokens.push((line, c.to_string()));
            }
        }
        if !word.is_empty() {
            tokens.push((line, word));
        }
    }
    tokens
}

/// True when a word is that of a phrase. Phrases with capitals mean exactly these.
fn is_word(word: &str, expected: &str) -> bool {
    if expected.contains(char::is_uppercase) {
        word == expected
    } else {
        word.eq_ignore_ascii_case(expected)
    }
}

/// A phrase of the list, in words.
struct Phrase {
    text: &'static str,
    words: Vec<Token>,
    group: &'static Group,
}

impl Phrase {
    fn is_at(&self, tokens: &[Token]) -> bool {
        let pairs = tokens.iter().zip(&self.words);
        tokens.len() >= self.words.len() && pairs.into_iter().all(|(a, b)| is_word(&a.1, &b.1))
    }
}

/// All phrases, by their first word in small letters.
static BY_FIRST_WORD: LazyLock<HashMap<String, Vec<Phrase>>> = LazyLock::new(|| {
    let mut phrases: HashMap<String, Vec<Phrase>> = HashMap::new();
    for group in PHRASES {
        for text in group.phrases {
            let words = tokens(std::iter::once((0, *text)));
            let first = words.first().map_or(String::new(), |(_, word)| word.to_lowercase());
            phrases.entry(first).or_default().push(Phrase { text, words, group });
        }
    }
    phrases
});

/// The forbidden phrases of a text, in the order in which they stand in it.
pub(crate) fn forbidden_in(text: &Text) -> Vec<Found> {
    let tokens = tokens(text.parts());
    let mut all = Vec::new();
    let mut rest = tokens.as_slice();
    while let Some(((line, word), after)) = rest.split_first() {
        let phrases = BY_FIRST_WORD.get(&word.to_lowercase());
        let here = phrases.into_iter().flatten().filter(|phrase| phrase.is_at(rest));
        all.extend(here.map(|phrase| Found {
            line: *line,
            phrase: phrase.text,
            instead: phrase.group.say,
        }));
        rest = after;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::super::scanner::texts;
    use super::super::text::Text;
    use super::forbidden_in;

    fn hits(source: &str) -> Vec<(usize, &'static str)> {
        let texts = texts(source);
        texts.iter().flat_map(forbidden_in).map(|found| (found.line, found.phrase)).collect()
    }

    #[test]
    fn a_forbidden_phrase_is_found_with_its_line() {
        assert_eq!(hits("\n\nlet a = \"Switch off the area\";"), [(3, "switch off")]);
        assert_eq!(hits("let a = \"Areas take \\\n   turns.\";"), [(1, "take turns")]);
        assert_eq!(hits("r#\"one\nsize is\nnone\"#"), [(2, "is none")]);
        assert_eq!(hits("\"{x} nobody tells\"").len(), 1);
    }

    #[test]
    fn words_count_as_a_whole() {
        assert_eq!(hits("\"stages, switches of\""), []);
        assert_eq!(hits("\"take. Turns\""), []);
        assert_eq!(hits("\"{told} {lent:?}\""), []);
        assert_eq!(hits("fn told() {} // lent"), []);
    }

    #[test]
    fn documents_are_searched_across_lines() {
        let text = Text::plain("# Title\n\nThis is *cut\noff*.\n");
        let found = forbidden_in(&text);
        assert_eq!(found.iter().map(|it| (it.line, it.phrase)).next(), Some((3, "cut off")));
        assert!(found.iter().all(|it| !it.instead.is_empty()));
    }
}
