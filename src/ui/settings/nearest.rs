//! Which known name a mistyped one is nearest to.

use crate::model::near::distance;

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

#[cfg(test)]
mod tests {
    use super::*;

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
