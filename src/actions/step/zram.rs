//! Steps that create, set up and remove zram devices: their state, their descriptions and their
//! shell commands.

use super::{StepState, shell};
use crate::columns::units::size;
use crate::model::zram::ZramSettings;
use crate::model::{Bytes, Name, zram};

/// The state of a zram step. The size is set last, so a device without one that is neither as
/// before nor as after was left half set up.
pub(super) fn state(
    from: Option<&ZramSettings>,
    to: Option<&ZramSettings>,
    shown: Option<&ZramSettings>,
) -> StepState {
    let is = |wanted: Option<&ZramSettings>| match (wanted, shown) {
        (None, None) => true,
        (Some(wanted), Some(shown)) => wanted.matches_shown(shown),
        _ => false,
    };
    let state = StepState::from_matches(is(to), is(from));
    let is_reset = shown.is_some_and(|shown| shown.size == Bytes(0));
    if state == StepState::Other && is_reset { StepState::Missing } else { state }
}

/// Describes a zram step, without a final period.
pub(super) fn describe(
    number: u64,
    from: Option<&ZramSettings>,
    to: Option<&ZramSettings>,
) -> String {
    let name = zram::device_path(number).safe();
    match (from, to) {
        (None, Some(to)) => format!("create {name} {}", describe_disk(to)),
        (Some(from), None) if from.size > Bytes(0) => {
            format!("remove {name} and all its contents")
        }
        (_, None) => format!("remove {name}"),
        (Some(from), Some(to)) if from.eq_except_limit(to) => {
            format!("limit {name} to {} (now {})", limit(to.limit), limit(from.limit))
        }
        (Some(from), Some(to)) if from.size == Bytes(0) => {
            format!("set {name} up {}", describe_disk(to))
        }
        (Some(from), Some(to)) => {
            format!(
                "reset {name} and set it up {} (now {})",
                describe_disk(to),
                describe_difference(from, to)
            )
        }
    }
}

fn describe_disk(disk: &ZramSettings) -> String {
    if disk.size == Bytes(0) {
        return "without a size".to_owned();
    }
    let mut words = vec![format!("with {}", size(disk.size))];
    words.extend(disk.algorithm.clone());
    words.extend(disk.recompression.iter().map(|(_, name)| format!("then {name}")));
    if disk.limit > Bytes(0) {
        words.push(format!("at most {} of memory", size(disk.limit)));
    }
    words.extend(disk.backing.as_ref().map(|backing| format!("backing device {}", backing.safe())));
    words.join(", ")
}

/// Describes the old values of what changes.
fn describe_difference(from: &ZramSettings, to: &ZramSettings) -> String {
    let mut words = Vec::new();
    if from.size != to.size {
        words.push(size(from.size));
    }
    if from.algorithm != to.algorithm {
        words.extend(from.algorithm.clone());
    }
    if from.limit != to.limit {
        words.push(limit(from.limit));
    }
    if words.is_empty() { "a different setup".to_owned() } else { words.join(", ") }
}

fn limit(limit: Bytes) -> String {
    match limit {
        Bytes(0) => "unlimited".to_owned(),
        limit => format!("{} of memory", size(limit)),
    }
}

/// The attribute files to write, and what to write, to set up a bare device. The size comes last:
/// it activates the device.
pub(in crate::actions) fn attribute_writes(
    number: u64,
    disk: &ZramSettings,
    shown: &ZramSettings,
) -> Vec<(Name, String)> {
    let mut orders = Vec::new();
    let mut order = |file: &str, word: String| orders.push((attribute_file(number, file), word));
    if let Some(algorithm) = disk.algorithm.clone().filter(|_| disk.algorithm != shown.algorithm) {
        order("comp_algorithm", algorithm);
    }
    for (priority, algorithm) in &disk.recompression {
        if !shown.recompression.iter().any(|(other, is)| (other, is) == (priority, algorithm)) {
            order("recomp_algorithm", format!("algo={algorithm} priority={priority}"));
        }
    }
    if let Some(backing) = disk.backing.as_ref().filter(|_| disk.backing != shown.backing) {
        order("backing_dev", String::from_utf8_lossy(backing.as_bytes()).into_owned());
    }
    if disk.limit != shown.limit {
        order("mem_limit", disk.limit.0.to_string());
    }
    if disk.size > Bytes(0) {
        order("disksize", disk.size.0.to_string());
    }
    orders
}

/// Path of an attribute file of a device.
pub(in crate::actions) fn attribute_file(number: u64, file: &str) -> Name {
    Name::new([zram::sysfs_folder(number).as_bytes(), b"/", file.as_bytes()].concat())
}

/// A device as it is after creation or reset.
pub(in crate::actions) fn bare_disk(from: Option<&ZramSettings>) -> ZramSettings {
    let algorithm = from.filter(|from| from.size == Bytes(0)).and_then(|it| it.algorithm.clone());
    ZramSettings { algorithm, ..ZramSettings::default() }
}

/// The step as shell commands.
pub(super) fn shell(
    number: u64,
    from: Option<&ZramSettings>,
    to: Option<&ZramSettings>,
) -> Vec<String> {
    let Some(to) = to else {
        return vec![shell::echo(
            &number.to_string(),
            &"/sys/class/zram-control/hot_remove".into(),
        )];
    };
    let lines = |shown: &ZramSettings| {
        let orders = attribute_writes(number, to, shown).into_iter();
        orders.map(|(file, word)| shell::echo(&word, &file)).collect::<Vec<_>>()
    };
    match from {
        Some(from) if from.eq_except_limit(to) => {
            vec![shell::echo(&to.limit.0.to_string(), &attribute_file(number, "mem_limit"))]
        }
        Some(from) if from.size > Bytes(0) => {
            let reset = shell::echo("1", &attribute_file(number, "reset"));
            std::iter::once(reset).chain(lines(&bare_disk(Some(from)))).collect()
        }
        Some(from) => lines(from),
        None => {
            let add = format!(
                "cat /sys/class/zram-control/hot_add    # prints the number: if not {number}, use it below"
            );
            std::iter::once(add).chain(lines(&bare_disk(None))).collect()
        }
    }
}
