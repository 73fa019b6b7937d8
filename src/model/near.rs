//! Which known word was meant by a mistyped one.

/// Longer than any word: what is this long was not mistyped.
const LONGEST: usize = 32;

/// The nearest word, if one is near enough to be meant.
pub fn near<'w>(typed: &str, words: impl IntoIterator<Item = &'w str>) -> Option<&'w str> {
    let typed = typed.to_lowercase();
    let length = typed.chars().count();
    if length > LONGEST {
        return None;
    }
    let near = |word: &'w str| {
        let far = distance(&typed, word);
        let most = if begins_like(&typed, word) { (length / 3).max(1) } else { 1 };
        let is_near = far <= most && far < length.min(word.chars().count());
        (is_near && (begins_like(&typed, word) || begins_late(&typed, word))).then_some((far, word))
    };
    words.into_iter().filter_map(near).min_by_key(|(far, _)| *far).map(|(_, word)| word)
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

/// How many characters must be put in, taken out or changed, or change places with their
/// neighbours.
pub fn distance(from: &str, to: &str) -> usize {
    let [from, to] = [from, to].map(|word| word.chars().collect::<Vec<char>>());
    rows(&from, &to).last().and_then(|row| row.last()).copied().unwrap_or_default()
}

/// For each beginning of one word its distances to all beginnings of the other.
fn rows(from: &[char], to: &[char]) -> Vec<Vec<usize>> {
    let at = |rows: &[Vec<usize>], row: usize, place: usize| -> usize {
        rows.get(row).and_then(|row| row.get(place)).copied().unwrap_or(usize::MAX / 2)
    };
    let mut rows: Vec<Vec<usize>> = vec![(0..=to.len()).collect()];
    for (up, c) in from.iter().enumerate() {
        let mut next = vec![up + 1];
        for (left, other) in to.iter().enumerate() {
            let changed = at(&rows, up, left) + usize::from(c != other);
            let put_in = next.last().copied().unwrap_or_default() + 1;
            let taken_out = at(&rows, up, left + 1) + 1;
            let crossed = up > 0
                && left > 0
                && from.get(up - 1) == Some(other)
                && to.get(left - 1) == Some(c);
            let swapped = if crossed { at(&rows, up - 1, left - 1) + 1 } else { usize::MAX };
            next.push(changed.min(put_in).min(taken_out).min(swapped));
        }
        rows.push(next);
    }
    rows
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
    fn distances() {
        let pairs = [("", "ab"), ("ab", "ab"), ("szie", "size"), ("colour", "color")];
        assert_eq!(pairs.map(|(from, to)| distance(from, to)), [2, 0, 1, 1]);
    }
}
