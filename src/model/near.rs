//! Which known word was meant by a mistyped one.

use strsim::osa_distance;

/// Longer than any word: what is this long was not mistyped.
const LONGEST: usize = 32;

/// Finds the nearest word, if one is near enough to be meant: as a whole, or by what stands behind
/// its last dot, as a key can be typed into another table.
pub fn near<'w>(typed: &str, words: impl IntoIterator<Item = &'w str>) -> Option<&'w str> {
    let words: Vec<&str> = words.into_iter().collect();
    let last = |word: &'w str| word.rsplit('.').next().unwrap_or(word);
    let typed = typed.to_lowercase();
    let end = typed.rsplit('.').next().unwrap_or(&typed);
    let elsewhere = words.iter().copied().find(|word| last(word) == end);
    elsewhere
        .or_else(|| nearest(&typed, words.iter().map(|word| (*word, *word))))
        .or_else(|| nearest(end, words.iter().map(|word| (last(word), *word))))
}

fn nearest<'w>(typed: &str, words: impl Iterator<Item = (&'w str, &'w str)>) -> Option<&'w str> {
    let length = typed.chars().count();
    if length > LONGEST {
        return None;
    }
    let near = |(part, word): (&'w str, &'w str)| {
        let far = osa_distance(typed, part);
        let most = if begins_like(typed, part) { (length / 3).max(1) } else { 1 };
        let is_near = far <= most && far < length.min(part.chars().count());
        (is_near && (begins_like(typed, part) || begins_late(typed, part))).then_some((far, word))
    };
    words.filter_map(near).min_by_key(|(far, _)| *far).map(|(_, word)| word)
}

fn begins_like(one: &str, other: &str) -> bool {
    one.chars().next() == other.chars().next()
}

/// Does one of them begin with the second character of the other? Where the first is another one and
/// is not merely too much, left out or in the wrong place, some other word was meant as a rule.
fn begins_late(one: &str, other: &str) -> bool {
    one.chars().nth(1) == other.chars().next() || one.chars().next() == other.chars().nth(1)
}

/// The question that goes behind a sentence about a mistyped word; nothing where none is near, or
/// where it is something else that is wrong.
pub fn question<'w>(typed: &str, words: impl IntoIterator<Item = &'w str>) -> String {
    let near = near(typed, words).filter(|word| *word != typed);
    near.map_or_else(String::new, |word| format!("; did you mean {word}?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_meant() {
        let words = ["size", "seconds", "stride", "skew", "passes"];
        let meant = |typed| near(typed, words);
        assert_eq!(meant("sise"), Some("size"));
        assert_eq!(meant("SIZE"), Some("size"));
        assert_eq!(meant("psases"), Some("passes"));
        assert_eq!(meant("second"), Some("seconds"));
        assert_eq!(meant("sekw"), Some("skew"));
        assert_eq!(meant("limit"), None);
        assert_eq!(meant(""), None);
        assert_eq!(meant(&"size".repeat(20)), None);
    }

    #[test]
    fn what_has_little_in_common_was_not_meant() {
        for (typed, word) in [("5", "f"), ("ab", "xy"), ("mode", "node"), ("device", "advice")] {
            assert_eq!(near(typed, [word]), None, "{typed}");
        }
        for (typed, word) in [("thp", "mthp"), ("zsize", "size"), ("isze", "size"), ("cpu", "cpus")]
        {
            assert_eq!(near(typed, [word]), Some(word), "{typed}");
        }
    }

    #[test]
    fn a_key_in_another_table_is_near() {
        let names = ["color", "columns", "columns.devices", "sort.devices", "thresholds.use_warn"];
        let meant = |typed| near(typed, names);
        assert_eq!(meant("colour"), Some("color"));
        assert_eq!(meant("column"), Some("columns"));
        assert_eq!(meant("use_warn"), Some("thresholds.use_warn"));
        assert_eq!(meant("thresholds.color"), Some("color"));
        assert_eq!(meant("sort.devcies"), Some("sort.devices"));
        assert_eq!(meant("something"), None);
        assert_eq!(meant(&"color".repeat(20)), None);
    }
}
