//! Checks whether a change agrees with the boot configuration.

use super::Check;
use crate::actions::persist::disables_unit;
use crate::actions::plan::Plan;
use crate::actions::{Step, shell_quoted};
use crate::model::activation::Priority;
use crate::model::candidate::{Candidate, Signature};
use crate::model::config::{ConfigEntry, ConfigKind, path_for};
use crate::model::format::{Format, Uuid};
use crate::model::{Name, Reading, Snapshot};

/// Warns of removed files that the boot configuration still names, unless the plan removes that
/// too.
pub(super) fn still_named(plan: &Plan, snapshot: &Snapshot) -> Vec<Check> {
    let goes = |(place, step): (usize, &Step)| {
        let Step::File { path, from: Some(form), to: None } = step else { return None };
        let comes_back = |other: &Step| other.formats() && other.subject() == path;
        let stays = plan.steps.iter().skip(place).any(comes_back);
        (!stays).then(|| (path.clone(), form.format.clone()))
    };
    let gone: Vec<_> = plan.steps.iter().enumerate().filter_map(goes).collect();
    let warning = |entry: &ConfigEntry| {
        let is = |(path, format): &&(Name, Format)| {
            names(entry, path, (format.label.as_ref(), format.uuid))
        };
        let (path, _) = gone.iter().find(is)?;
        let is_out =
            |step: &Step| step.removes_line(&entry.file, entry.line) || disables_unit(step, entry);
        if entry.leaves_area_disabled() || plan.steps.iter().any(is_out) {
            return None;
        }
        let text = format!(
            "{} line {} enables {} at the next boot: remove that line",
            entry.file.safe(),
            entry.line,
            path.safe()
        );
        Some(Check::warn("config", text))
    };
    entries(snapshot).iter().filter_map(warning).collect()
}

/// Notes areas that are enabled with a default priority although fstab gives them one at boot.
pub(super) fn differs_at_boot(
    plan: &Plan,
    snapshot: &Snapshot,
    candidates: &[Candidate],
) -> Vec<Check> {
    let now = plan.steps.iter().filter_map(|step| {
        let Step::On { area } = step else { return None };
        (area.priority == Priority::Default).then_some(&area.path)
    });
    let warning = |path: &Name| {
        let is = |entry: &&ConfigEntry| names(entry, path, label_and_uuid(path, candidates));
        let entry = entries(snapshot).iter().filter(is).find(|entry| entry_remains(plan, entry))?;
        let number = entry.area.known()?.priority.known().filter(|number| **number >= 0)?;
        let text = format!(
            "{} gets a default priority now, but {} line {} gives it {number} at boot. To match afterwards: swapadm priority {}={number}",
            path.safe(),
            entry.file.safe(),
            entry.line,
            shell_quoted(path)
        );
        Some(Check::warn("config", text))
    };
    now.filter_map(warning).collect()
}

/// Does this line of fstab still give a priority after the plan?
fn entry_remains(plan: &Plan, entry: &ConfigEntry) -> bool {
    let saved = plan.steps.iter().find_map(|step| {
        let Step::Save { path, to: Some(to), .. } = step else { return None };
        (*path == entry.file).then_some(to)
    });
    let line = |text: &String| {
        let number = usize::try_from(entry.line).unwrap_or(0).saturating_sub(1);
        text.lines().nth(number).is_some_and(|line| line.contains("pri="))
    };
    entry.kind == ConfigKind::Fstab && saved.map_or_else(|| !entry.leaves_area_disabled(), line)
}

fn entries(snapshot: &Snapshot) -> &[ConfigEntry] {
    snapshot.config.reading.known_items()
}

/// The label and the UUID of an area to enable.
fn label_and_uuid<'c>(
    path: &Name,
    candidates: &'c [Candidate],
) -> (Option<&'c Name>, Option<Uuid>) {
    let own = candidates.iter().find(|candidate| candidate.path == *path);
    match own.and_then(|candidate| candidate.signature.known()) {
        Some(Signature::Swap(header)) => (header.label.as_ref(), header.uuid),
        _ => (None, None),
    }
}

/// Does the entry refer to that area? A tag that leads nowhere, as without udev, is compared with label and UUID.
fn names(entry: &ConfigEntry, path: &Name, (label, uuid): (Option<&Name>, Option<Uuid>)) -> bool {
    if let Reading::Known(real) = &entry.leads_to {
        return real == path;
    }
    let Reading::Known(area) = &entry.area else { return false };
    let what = path_for(&area.what);
    let link = |tag: &str, value: &[u8]| path_for(&Name::new([tag.as_bytes(), value].concat()));
    let is_uuid = |uuid: Uuid| {
        let link = link("UUID=", uuid.to_string().as_bytes());
        what.as_bytes().eq_ignore_ascii_case(link.as_bytes())
    };
    what == *path
        || uuid.is_some_and(is_uuid)
        || label.is_some_and(|label| what == link("LABEL=", label.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::activation::{Activation, Discard};
    use crate::model::config::ConfiguredArea;
    use crate::model::format::SwapFileSpec;
    use crate::model::{Bytes, Sampled, Stamp};

    const UUID: &str = "5a9c0f3e-7b1d-4e62-8f40-00000000c0de";

    /// A machine whose fstab has this entry on its second line.
    fn machine(what: &str, options: &str) -> Snapshot {
        machine_with_link(what, options, Reading::not_sampled())
    }

    fn machine_with_link(what: &str, options: &str, leads_to: Reading<Name>) -> Snapshot {
        let number = options.split(',').find_map(|it| it.strip_prefix("pri=")?.parse().ok());
        let area = ConfiguredArea {
            what: what.into(),
            priority: number.map_or_else(|| Reading::absent("none"), Reading::Known),
            options: options.split(',').map(str::to_owned).collect(),
        };
        let (kind, area) = (ConfigKind::Fstab, Reading::Known(area));
        let entry = ConfigEntry {
            file: "/etc/fstab".into(),
            line: 2,
            kind,
            area,
            leads_to,
            no_effect: None,
            from_command_line: false,
        };
        let mut snapshot = Snapshot::empty(Stamp { boot_ns: 0, wall_ms: 0 });
        snapshot.config = Sampled::new(None, Reading::Known(vec![entry]));
        snapshot
    }

    fn save(from: &str, to: &str) -> Step {
        let (from, to) = (Some(from.to_owned()), Some(to.to_owned()));
        Step::Save { path: "/etc/fstab".into(), from, to }
    }

    fn plan(steps: &[Step]) -> Plan {
        Plan { steps: steps.to_vec(), ..Plan::without_steps(String::new()) }
    }

    #[test]
    fn removed_file_is_silent_when_its_line_is_removed() {
        let format = Format::new(Bytes(1 << 20), 4096, Uuid::parse(UUID).unwrap(), None).unwrap();
        let from = Some(SwapFileSpec { size: Bytes(1 << 20), format, nocow: false });
        let removed = || Step::File { path: "/f".into(), from: from.clone(), to: None };
        let of = |what: &str, steps: &[Step]| still_named(&plan(steps), &machine(what, "sw")).len();
        assert_eq!(of("/f", &[removed()]), 1);
        assert_eq!(of(&format!("UUID={UUID}"), &[removed()]), 1);
        assert_eq!(of("/other", &[removed()]), 0);
        assert_eq!(of("/f", &[removed(), save("# x\n/f none swap\n", "# x\n")]), 0);
        assert_eq!(of("/f", &[removed(), save("# x\n/f none swap\n", "/f none swap\n")]), 1);
        let other = "# x\n/f none swap noauto\n";
        assert_eq!(of("/f", &[removed(), save("# x\n/f none swap\n", other)]), 1);
    }

    #[test]
    fn a_line_names_the_file_that_it_leads_to() {
        let uuid = Uuid::parse(UUID).unwrap();
        let format = Format::new(Bytes(1 << 20), 4096, uuid, Some("plain".into())).unwrap();
        let from = Some(SwapFileSpec { size: Bytes(1 << 20), format, nocow: false });
        let removed = plan(&[Step::File { path: "/f".into(), from, to: None }]);
        let of = |what: &str, leads_to: Option<&str>| {
            let leads_to = Reading::or_absent(leads_to.map(Name::from), "no such device");
            still_named(&removed, &machine_with_link(what, "sw", leads_to)).len()
        };
        assert_eq!([of("/link/f", Some("/f")), of(&format!("UUID={UUID}"), Some("/g"))], [1, 0]);
        assert_eq!(of(&format!("UUID=\"{}\"", UUID.to_uppercase()), None), 1);
        assert_eq!([of("LABEL=plain", None), of("LABEL=PLAIN", None)], [1, 0]);
    }

    #[test]
    fn priority_set_only_at_boot_is_reported() {
        let on = |priority| {
            let (path, discard) = ("/f".into(), Discard::Pages);
            Step::On { area: Activation { path, priority, discard } }
        };
        let default = || on(Priority::Default);
        let of =
            |options, steps: &[Step]| differs_at_boot(&plan(steps), &machine("/f", options), &[]);
        let text = &of("pri=7", &[default()])[0].text;
        assert!(text.contains("/etc/fstab line 2 gives it 7"), "{text}");
        assert_eq!(of("pri=7", &[on(Priority::Set(7))]), []);
        assert_eq!((of("sw", &[default()]), of("pri=-1", &[default()])), (vec![], vec![]));
        assert_eq!(of("pri=7,noauto", &[default()]), []);
        let was = "# x\n/f none swap pri=7,noauto\n";
        let kept = save(was, "# x\n/f none swap pri=7,discard=pages\n");
        assert_eq!(of("pri=7,noauto", &[default(), kept]).len(), 1);
        let changed = save(was, "# x\n/f none swap discard=pages\n");
        assert_eq!(of("pri=7", &[default(), changed]), []);
    }
}
