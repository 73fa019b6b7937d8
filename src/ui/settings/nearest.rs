//! Which known name a mistyped one is nearest to.

/// Longer than any name: what is this long was not mistyped.
const LONGEST: usize = 64;

/// The nearest name, if one is near enough to be meant. A key in the wrong table is near to the
/// one in the right table.
pub(super) fn nearest<'n>(
    typed: &str,
    names: impl IntoIterator<Item = &'n str>,
) -> Option<&'n str> {
    if typed.len() > LONGEST {
        return None;
    }
    let last = |name: &str| name.rsplit('.').next().unwrap_or_default().to_owned();
    let far = |name: &str| {
        let whole = distance(typed, name) * 2;
        // Where the tables differ, the same key elsewhere must not win over one mistyped here.
        whole.min(distance(&last(typed), &last(name)) * 2 + 1)
    };
    let best = names.into_iter().map(|name| (far(name), name)).min_by_key(|(far, _)| *far)?;
    let near_enough = 2 * (last(typed).chars().count() / 3).max(1) + 1;
    (best.0 <= near_enough).then_some(best.1)
}

/// How many characters must be put in, taken out or changed (Levenshtein).
fn distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (place, c) in from.chars().enumerate() {
        let mut left = place + 1;
        let mut next = vec![left];
        for ((other, before), above) in to.iter().zip(&row).zip(row.iter().skip(1)) {
            left = (before + usize::from(c != *other)).min(above + 1).min(left + 1);
            next.push(left);
        }
        row = next;
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        let pairs = [("", "ab"), ("ab", "ab"), ("colour", "color"), ("intreval", "interval")];
        assert_eq!(pairs.map(|(from, to)| distance(from, to)), [2, 0, 1, 2]);
    }

    #[test]
    fn what_was_meant() {
        let names = ["color", "columns", "columns.devices", "sort.devices", "thresholds.use_warn"];
        let meant = |typed| nearest(typed, names);
        assert_eq!(meant("colour"), Some("color"));
        assert_eq!(meant("column"), Some("columns"));
        assert_eq!(meant("use_warn"), Some("thresholds.use_warn"));
        assert_eq!(meant("thresholds.color"), Some("color"));
        assert_eq!(meant("sort.devcies"), Some("sort.devices"));
        assert_eq!(meant("something"), None);
        assert_eq!(meant(&"color".repeat(20)), None);
    }
}
