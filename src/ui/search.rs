//! Search in lists: how well a typed text matches an item, best first, and the value typed behind a name.

use super::overlay::MenuItem;
use crate::model::text::nearest_word;

/// How well an item matches, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MatchRank {
    /// The whole name was typed, with or without a value behind it.
    Whole,
    /// Each typed word is a word of the name, in order.
    WholeWords,
    /// The name begins with the text.
    Start,
    /// Each typed word begins a word of the name, in order.
    Words,
    /// Each typed word begins a word of the name, of its other names, or of its note.
    Others,
    /// Each typed word is nearly a word of the name, or its beginning.
    Near,
    /// The name contains the text.
    Inside,
    /// Each typed word begins a word of the description.
    Help,
    /// The name contains all typed characters, in order; shown only where nothing matches better.
    Scattered,
}

/// Minimum length of a mistyped word: shorter ones are near to everything.
const SHORTEST: usize = 4;

/// How well an item matches a text; none if it does not.
pub fn rank(item: &MenuItem, typed: &str) -> Option<MatchRank> {
    let (name, text) = (item.name.to_lowercase(), typed.trim().to_lowercase());
    if name == text {
        return Some(MatchRank::Whole);
    }
    if item.takes_value()
        && let Some((behind, _)) = value_behind(&item.name, typed)
    {
        return Some(behind);
    }
    let wanted: Vec<&str> = words(&text).collect();
    let named: Vec<&str> = words(&name).collect();
    if wanted.len() > 1 && are_in_order(&wanted, &named, |word, other| word == other) {
        return Some(MatchRank::WholeWords);
    }
    if begins(&name, &text) {
        return Some(MatchRank::Start);
    }
    if wanted.is_empty() {
        return name.contains(&text).then_some(MatchRank::Inside);
    }
    if are_in_order(&wanted, &named, |word, other| begins(other, word)) {
        return Some(MatchRank::Words);
    }
    let others = format!("{} {}", item.also, item.note).to_lowercase();
    let all: Vec<&str> = named.iter().copied().chain(words(&others)).collect();
    let begin_any =
        |among: &[&str]| wanted.iter().all(|word| among.iter().any(|other| begins(other, word)));
    if begin_any(&all) {
        return Some(MatchRank::Others);
    }
    if wanted.iter().all(|word| is_near(word, &named)) {
        return Some(MatchRank::Near);
    }
    let mut places = name.match_indices(&text);
    if places.any(|(place, _)| name.get(place..).is_some_and(|rest| begins(rest, &text))) {
        return Some(MatchRank::Inside);
    }
    let help = item.help.to_lowercase();
    if begin_any(&words(&help).collect::<Vec<_>>()) {
        return Some(MatchRank::Help);
    }
    (!has_digit(&text) && has_in_order(&name, &text)).then_some(MatchRank::Scattered)
}

/// The value typed behind a name, such as `10` in `swappiness 10`. Words of the name may be shortened. The last
/// of several may not: it is the object of an action, and a shortened one could mean another object.
pub fn value_behind<'t>(name: &str, typed: &'t str) -> Option<(MatchRank, &'t str)> {
    let (mut rest, mut rank) = (typed.trim_start(), MatchRank::Whole);
    let mut named = name.split_whitespace().peekable();
    let has_object = name.trim().contains(char::is_whitespace);
    while let Some(word) = named.next() {
        let (first, behind) = rest.split_once(char::is_whitespace)?;
        let (first, word) = (first.to_lowercase(), word.to_lowercase());
        if first != word {
            rank = MatchRank::Words;
        }
        let is_object = has_object && named.peek().is_none();
        if first.is_empty() || !word.starts_with(&first) || (is_object && first != word) {
            return None;
        }
        rest = behind.trim_start();
    }
    let value = rest.trim_end();
    (!value.is_empty()).then_some((rank, value))
}

/// The words of a text: letters and digits between other characters.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// Do the typed words fit words of the name, in the same order?
fn are_in_order(wanted: &[&str], named: &[&str], fits: impl Fn(&str, &str) -> bool) -> bool {
    let mut rest = named.iter();
    wanted.iter().all(|word| rest.any(|other| fits(word, other)))
}

/// Does a text begin with the typed one? A number is not the beginning of a longer one: zram1 is not zram12.
fn begins(text: &str, typed: &str) -> bool {
    let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    text.strip_prefix(typed)
        .is_some_and(|rest| !(is_digit(typed.chars().next_back()) && is_digit(rest.chars().next())))
}

/// Is a word a mistyped word of the name, or the mistyped beginning of one? Another number is another device.
fn is_near(typed: &str, named: &[&str]) -> bool {
    let length = typed.chars().count();
    length >= SHORTEST
        && named.iter().any(|word| {
            let start: String = word.chars().take(length).collect();
            let is_mistyped = || nearest_word(typed, [*word, start.as_str()]).is_some();
            begins(word, typed) || (!has_digit(typed) && is_mistyped())
        })
}

fn has_digit(text: &str) -> bool {
    text.contains(|c: char| c.is_ascii_digit())
}

/// Does a text contain all characters of a word, in order?
fn has_in_order(text: &str, word: &str) -> bool {
    let mut rest = text.chars();
    word.chars().filter(|c| !c.is_whitespace()).all(|c| rest.any(|other| other == c))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::input::PromptKind;
    use crate::ui::overlay::{Menu, MenuChoice, MenuPurpose};

    fn item(name: &str, help: &str) -> MenuItem {
        MenuItem::new(name, help, MenuChoice::Save)
    }

    #[test]
    fn beginnings_come_before_near_words_and_those_before_parts() {
        let of = |item: &MenuItem, typed: &str| rank(item, typed);
        let off = item("off zram0", "Disable the area (swapoff).").also("disable");
        assert_eq!(of(&off, "off zram0"), Some(MatchRank::Whole));
        assert_eq!(of(&off, "OFF"), Some(MatchRank::Start));
        assert_eq!(of(&off, "zram"), Some(MatchRank::Words));
        assert_eq!(of(&off, "disab zram0"), Some(MatchRank::Others));
        assert_eq!(of(&item("swappiness", ""), "swapiness"), Some(MatchRank::Near));
        assert_eq!(of(&item("swappiness", ""), "swpap"), Some(MatchRank::Near));
        assert_eq!(of(&item("rebalance", ""), "balance"), Some(MatchRank::Inside));
        assert_eq!(of(&off, "swapo"), Some(MatchRank::Help));
        assert_eq!(of(&item("journal", ""), "jnl"), Some(MatchRank::Scattered));
        assert_eq!(of(&off, "xyz"), None);
    }

    #[test]
    fn a_value_may_follow_the_name() {
        assert_eq!(value_behind("swappiness", "swappiness 10"), Some((MatchRank::Whole, "10")));
        assert_eq!(
            value_behind("swap file", " Swap file  /a b 4G "),
            Some((MatchRank::Whole, "/a b 4G"))
        );
        assert_eq!(
            value_behind("priority zram0", "prio zram0 100"),
            Some((MatchRank::Words, "100"))
        );
        for typed in ["swappiness", "swappiness ", "wappiness 10", "s", ""] {
            assert_eq!(value_behind("swappiness", typed), None, "{typed}");
        }
        let prompt = MenuItem::new("swap file", "", MenuChoice::Type(PromptKind::SwapFile));
        assert_eq!(rank(&prompt, "swap file 4G"), Some(MatchRank::Whole));
        assert_eq!(rank(&item("swap file", ""), "swap file 4G"), None);
    }

    /// An action on a device whose name begins alike or nearly so would change that device instead.
    #[test]
    fn another_number_is_another_object() {
        let other = item("zram resize zram12", "Disable the device.");
        for typed in ["zram resize zram1", "resize zram1", "zram resize zram7"] {
            assert_eq!(rank(&other, typed), None, "{typed}");
        }
        assert_eq!(value_behind("priority zram12", "priority zram1 7"), None);
        assert_eq!(value_behind("priority swapfile2", "priority swapfile 7"), None);
        assert_eq!(rank(&other, "zram resize zram"), Some(MatchRank::Start));
        let (exact, longer) = (item("off /mnt/swapfile", ""), item("off swapfile2", ""));
        assert!(rank(&exact, "off swapfile") < rank(&longer, "off swapfile"));
    }

    #[test]
    fn scattered_characters_count_only_where_nothing_matches_better() {
        let items =
            vec![item("omit fast fields", ""), item("journal and facts", ""), item("off", "")];
        let mut menu = Menu::searched(MenuPurpose::Palette, items);
        let mut found = |typed: &str| {
            menu.typed = Some(crate::ui::input::TextInput::with_text(typed));
            menu.matching_items().iter().map(|item| item.name.clone()).collect::<Vec<_>>()
        };
        assert_eq!(found("off"), ["off"]);
        assert_eq!(found("jf"), ["journal and facts"]);
    }
}
