//! What is said of a load on the command line, over what its file says.

use super::gather::unknown;
use super::{Found, Group, Place, Said, Wrongs};
use crate::stress::keys::{Key, Section};

/// Let a load be changed by this `KEY=VALUE`, or tell why it cannot.
pub(super) fn apply(found: &mut Found, change: &str, wrongs: &mut Wrongs) {
    let Some((whole, text)) = change.split_once('=') else {
        let text = format!("\"{change}\" says nothing of a key: use KEY=VALUE, such as size=1G");
        return wrongs.tell(Place::Typed, None, &text);
    };
    let (whole, text) = (whole.trim(), text.trim());
    match groups(found, whole) {
        Err(sentence) => wrongs.tell(Place::Typed, Some(whole), &sentence),
        Ok((key, groups)) => groups.into_iter().for_each(|group| say(group, key, text)),
    }
}

/// The key that is meant, and all that it is said of.
fn groups<'f>(
    found: &'f mut Found,
    whole: &str,
) -> Result<(&'static Key, Vec<&'f mut Group>), String> {
    let (number, name) = match whole.split_once('.') {
        Some((number, name)) => (Some(number), name),
        None => (None, whole),
    };
    let of_work = number.is_some();
    let fits = |key: &Key| !of_work || key.section() == Section::Work;
    let key = Key::find(name).ok_or_else(|| unknown(name, fits))?;
    let groups = match (key.section(), number) {
        (Section::Top, None) => vec![&mut found.top],
        (Section::Top, Some(_)) => {
            return Err(format!("it is said of the whole load: use {name}=VALUE"));
        }
        (Section::Work, None) => found.works.iter_mut().map(|part| &mut part.said).collect(),
        (Section::Work, Some(number)) => {
            let count = found.works.len();
            let place = number.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
            let part = place.and_then(|place| found.works.get_mut(place));
            let part = part.ok_or_else(|| no_work(number, name, count))?;
            vec![&mut part.said]
        }
    };
    Ok((key, groups))
}

/// That a load has not so many works.
fn no_work(number: &str, name: &str, count: usize) -> String {
    if count == 1 {
        return format!("\"{number}\" is no work of this load, which has one: use {name}=VALUE");
    }
    format!("\"{number}\" is no work of this load: use a number from 1 to {count}")
}

/// Say something of a key. Nothing takes back what was said.
fn say(group: &mut Group, key: &'static Key, text: &str) {
    if text.is_empty() {
        group.remove(key.name);
        return;
    }
    group.insert(key.name, Said { text: Ok(text.to_owned()), place: Place::Typed });
    // What the file says along with another pattern, or another end, was not said for this one.
    let was_for_another = |other: &Key| match key.name {
        "pattern" => other.pattern.is_some_and(|pattern| pattern != text),
        "seconds" => other.name == "passes",
        "passes" => other.name == "seconds",
        _ => false,
    };
    group.retain(|name, said| {
        said.place == Place::Typed || !Key::find(name).is_some_and(was_for_another)
    });
}
