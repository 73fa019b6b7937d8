//! Rows as a tree: children below their parents.

use super::value::Value;
use crate::model::Name;
use std::collections::BTreeMap;

/// The columns that define a tree.
#[derive(Clone, Copy, Debug)]
pub struct TreeColumns {
    /// Column that names a row.
    pub key: &'static str,
    /// Column that names the parent row.
    pub parent: &'static str,
    /// Text column that is indented.
    pub label: &'static str,
}

/// A row with its number and that of its parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// Number of the row.
    pub key: u64,
    /// Number of the parent row.
    pub parent: u64,
    /// Whether the row itself is wanted; otherwise it is shown only for its descendants.
    pub wanted: bool,
}

/// Indices of the wanted rows and their ancestors in tree order, each with its depth.
///
/// Not recursive, because a chain of parents may be as long as the list of processes. Rows in a cycle, which
/// only a damaged capture has, come last.
pub fn arrange(nodes: &[Node]) -> Vec<(usize, usize)> {
    let place_of: BTreeMap<u64, usize> =
        (0..).zip(nodes).map(|(place, node)| (node.key, place)).collect();
    let parent_of = |place: usize| {
        let node = nodes.get(place)?;
        place_of.get(&node.parent).copied().filter(|parent| *parent != place)
    };
    let kept = with_ancestors(nodes, &parent_of);
    let mut children: BTreeMap<Option<usize>, Vec<usize>> = BTreeMap::new();
    for place in (0..nodes.len()).filter(|place| kept.get(*place) == Some(&true)) {
        children.entry(parent_of(place)).or_default().push(place);
    }
    let mut arranged = Vec::new();
    let mut seen = vec![false; nodes.len()];
    let tops = children.get(&None).cloned().unwrap_or_default();
    // After the roots, every row again: only rows in a cycle are unvisited by then.
    for top in
        tops.into_iter().chain(0..nodes.len()).filter(|place| kept.get(*place) == Some(&true))
    {
        let mut open = vec![(top, 0)];
        while let Some((place, depth)) = open.pop() {
            let Some(seen) = seen.get_mut(place).filter(|seen| !**seen) else { continue };
            *seen = true;
            arranged.push((place, depth));
            let below = children.get(&Some(place)).map(Vec::as_slice).unwrap_or_default();
            open.extend(below.iter().rev().map(|child| (*child, depth + 1)));
        }
    }
    arranged
}

fn with_ancestors(nodes: &[Node], parent_of: &impl Fn(usize) -> Option<usize>) -> Vec<bool> {
    let mut kept = vec![false; nodes.len()];
    for place in (0..nodes.len()).filter(|place| nodes.get(*place).is_some_and(|node| node.wanted))
    {
        let mut above = Some(place);
        while let Some(kept) = above.and_then(|place| kept.get_mut(place)).filter(|kept| !**kept) {
            *kept = true;
            above = above.and_then(parent_of);
        }
    }
    kept
}

/// Deepest level shown as an indentation; deeper ones are shown as a number.
const MAX_INDENT_DEPTH: usize = 16;

/// The label of a row, indented by its depth.
pub fn label(value: Value, depth: usize) -> Value {
    if depth == 0 {
        return value;
    }
    let mark = if depth > MAX_INDENT_DEPTH {
        format!("({depth}) ")
    } else {
        format!("{}\\_ ", "   ".repeat(depth - 1))
    };
    if let Value::Name(name) = value {
        return Value::Name(Name::new([mark.as_bytes(), name.as_bytes()].concat()));
    }
    if let Value::Text(text) = value { Value::Text(mark + &text) } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(nodes: &[(u64, u64, bool)]) -> Vec<(usize, usize)> {
        let node = |(key, parent, wanted): &(u64, u64, bool)| Node {
            key: *key,
            parent: *parent,
            wanted: *wanted,
        };
        arrange(&nodes.iter().map(node).collect::<Vec<_>>())
    }

    #[test]
    fn children_stand_below_their_parents_in_the_given_order() {
        let all = [(9, 1, true), (1, 0, true), (5, 9, true), (7, 1, true)];
        assert_eq!(places(&all), [(1, 0), (0, 1), (2, 2), (3, 1)]);
    }

    #[test]
    fn parents_of_wanted_rows_are_kept_and_others_left_out() {
        let all = [(1, 0, false), (2, 1, false), (3, 2, true), (4, 1, false)];
        assert_eq!(places(&all), [(0, 0), (1, 1), (2, 2)]);
    }

    #[test]
    fn a_deep_row_shows_its_depth_as_a_number() {
        assert_eq!(label(Value::from("x"), 2), Value::from("   \\_ x"));
        assert_eq!(label(Value::from("x"), 90_000), Value::from("(90000) x"));
    }

    #[test]
    fn circles_and_rows_that_are_their_own_parent_end() {
        assert_eq!(places(&[(1, 1, true)]), [(0, 0)]);
        assert_eq!(places(&[(1, 2, true), (2, 1, true)]).len(), 2);
    }

    #[test]
    fn a_chain_of_a_hundred_thousand_needs_no_stack() {
        let chain: Vec<_> = (1..=100_000).map(|key| (key, key - 1, true)).collect();
        assert_eq!(places(&chain).last(), Some(&(99_999, 99_999)));
    }
}
