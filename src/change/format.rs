//! Writing swap headers, and creating, resizing and removing swap files.

use super::draft::PlanDraft;
use super::fstab::SwaponOptions;
use super::{ChangeAttempt, ChangeError, ObservedMachine, find, new_uuid};
use crate::actions::persist::Goal;
use crate::actions::{Step, shell_quoted, storage};
use crate::model::candidate::{PathKind, Signature};
use crate::model::format::{Format, SwapFileSpec, Uuid};
use crate::model::{Bytes, Missing, Name, Reading};
use crate::probes::{candidate, target};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

/// A swap header to write.
#[derive(Clone, Debug, PartialEq)]
pub struct FormatIntent {
    /// Page size of the machine it is for; `None` for this machine.
    pub page_size: Option<u64>,
    /// UUID of the area.
    pub uuid: Uuid,
    /// Label of the area.
    pub label: Option<Name>,
}

impl FormatIntent {
    /// A header for this machine, with a new UUID and without a label.
    pub fn new() -> ChangeAttempt<Self> {
        Ok(Self { page_size: None, uuid: new_uuid()?, label: None })
    }

    /// Sets a chosen UUID. Fails if another area has it, because a shared UUID identifies neither.
    pub fn with_uuid(
        self,
        machine: &ObservedMachine<'_>,
        path: &Name,
        uuid: Uuid,
    ) -> ChangeAttempt<Self> {
        match find::other_with(machine.root, uuid, path) {
            None => Ok(Self { uuid, ..self }),
            Some(other) => Err(ChangeError::Usage(format!(
                "UUID {uuid} already belongs to {}: choose another, or omit --uuid for a random one",
                other.display()
            ))),
        }
    }

    fn page_size(&self, machine: &ObservedMachine<'_>) -> ChangeAttempt<u64> {
        let own = || Ok(*machine.snapshot.page_size.get()?);
        self.page_size.map_or_else(own, Ok)
    }

    /// The header for an area of this size.
    pub(super) fn with_size(
        &self,
        machine: &ObservedMachine<'_>,
        path: &Name,
        size: Bytes,
    ) -> ChangeAttempt<Format> {
        let format = Format::new(size, self.page_size(machine)?, self.uuid, self.label.clone());
        format.map_err(|why| ChangeError::Usage(format!("{}: {why}", path.safe())))
    }
}

/// The plan that writes a header.
pub(super) fn format(
    machine: &ObservedMachine<'_>,
    path: &Name,
    wanted: &FormatIntent,
) -> ChangeAttempt<PlanDraft> {
    let areas = machine.areas()?;
    let target = target::read(machine.root, path, areas, wanted.page_size(machine)?);
    let thing = target.candidate.thing.known();
    if !matches!(thing, Some(PathKind::Device { .. } | PathKind::File)) {
        let what = format!("{} must be a device or a regular file", path.safe());
        return Err(ChangeError::Usage(format!(
            "{what}; to create a swap file: swapadm file create"
        )));
    }
    let size = *target.candidate.size.get()?;
    let format = wanted.with_size(machine, path, size)?;
    // Users who may not read it still see the plan, and that it needs root.
    let was = target.was.known().cloned().unwrap_or_else(|| format.patch_over_zeros());
    Ok(PlanDraft::from_plan(storage::format(areas, path, size, format, was)))
}

/// The plan that creates a swap file and, if asked, enables it.
pub(super) fn create(
    machine: &ObservedMachine<'_>,
    (path, size): (&Name, Bytes),
    wanted: &FormatIntent,
    on: Option<SwaponOptions>,
) -> ChangeAttempt<PlanDraft> {
    let format = wanted.with_size(machine, path, size)?;
    let activation = on.map(|options| options.activation(path.clone()));
    let form = machine.file_form(path, format, size);
    let plan = storage::create(machine.areas()?, path, form, activation);
    // A file that is only created is not configured as swap yet.
    let goals = plan.steps.iter().filter_map(Step::enabled_area).map(|area| Goal::On(area.into()));
    let goals = on.map(|_| goals.collect());
    Ok(PlanDraft { goals, ..PlanDraft::from_plan(plan) })
}

pub(super) fn resize(
    machine: &ObservedMachine<'_>,
    path: &Name,
    size: Bytes,
) -> ChangeAttempt<PlanDraft> {
    let path = &machine.listed_path(path.clone());
    let from = swap_file(machine, path)?;
    let any = FormatIntent { page_size: Some(from.format.page_size), ..FormatIntent::new()? };
    let pages = any.with_size(machine, path, size)?.pages;
    let to = SwapFileSpec { size, format: Format { pages, ..from.format.clone() }, ..from.clone() };
    let plan = storage::resize(machine.areas()?, machine.discards()?, path, [from, to]);
    // Configuration that names the file stays valid: nothing to change for the boot.
    Ok(PlanDraft::from_plan(plan?))
}

pub(super) fn remove(machine: &ObservedMachine<'_>, path: &Name) -> ChangeAttempt<PlanDraft> {
    let path = &machine.listed_path(path.clone());
    let from = swap_file(machine, path)?;
    let plan = storage::remove(machine.areas()?, machine.discards()?, path, from);
    Ok(PlanDraft::with_goals(plan?, vec![Goal::Gone(path.clone())]))
}

/// The form of an existing swap file.
pub(super) fn swap_file(machine: &ObservedMachine<'_>, path: &Name) -> ChangeAttempt<SwapFileSpec> {
    if machine.root.link(path.as_path()).known().is_some() {
        let text = format!("{} is a symbolic link: name the file itself", path.safe());
        return Err(ChangeError::Usage(text));
    }
    let found = candidate::read(machine.root, path);
    let name = path.safe();
    if let Some(device) = &found.behind {
        return Err(ChangeError::Refused(format!(
            "{name} is attached to {}: detach it first (losetup -d {})",
            device.safe(),
            shell_quoted(device)
        )));
    }
    if let Some(form) = found.swap_file_spec() {
        return Ok(form);
    }
    let why = match (&found.thing, &found.signature) {
        (Reading::Known(PathKind::Device { .. }), _) => format!("{name} is a device, not a file"),
        (Reading::Known(PathKind::Folder), _) => format!("{name} is a directory, not a file"),
        (Reading::Known(PathKind::Other), _) => format!("{name} is not a regular file"),
        (_, Reading::Missing { missing: missing @ Missing::Denied(_) }) => {
            return Err(ChangeError::Refused(format!(
                "{}: the header is needed for a plan: run swapadm with sudo",
                missing.why()
            )));
        }
        (Reading::Missing { missing }, _) | (_, Reading::Missing { missing }) => missing.why(),
        (_, Reading::Known(Signature::Image(_))) => {
            format!("{name} holds a hibernation image")
        }
        (_, Reading::Known(Signature::None | Signature::Old | Signature::Swap(_))) => {
            format!("{name} is not a swap file: it has no valid swap header")
        }
    };
    Err(ChangeError::Usage(format!("{why}; to list active areas: swapadm devices")))
}

impl ObservedMachine<'_> {
    /// Names for new files in a folder. They contain our PID, and skip existing files.
    pub fn new_files(
        &self,
        folder: &Name,
        beginning: &str,
    ) -> Result<impl Iterator<Item = Name> + '_, String> {
        let folder = self.new_folder(folder.as_path())?;
        let beginning = format!("{beginning}-{}", std::process::id());
        let path = move |number: u64| folder.join(format!("{beginning}-{number}"));
        let is_free =
            |path: &PathBuf| !self.root.exists(path) && self.root.link(path).known().is_none();
        Ok((1..).map(path).filter(is_free).map(|path| Name::new(path.as_os_str().as_bytes())))
    }

    /// The folder of a new file, with all links followed.
    pub fn new_folder(&self, folder: &Path) -> Result<PathBuf, String> {
        self.root.real(folder).into_result().map_err(|missing| {
            if !self.root.is_live() && matches!(missing, Missing::Absent(_)) {
                let folder = Name::new(folder.as_os_str().as_bytes());
                let folder = folder.safe();
                return format!(
                    "the captured tree has no {folder}: make this plan on the machine itself"
                );
            }
            format!("{}: create the directory first, or choose another", missing.why())
        })
    }

    /// A new file of this size.
    pub fn file_form(&self, path: &Name, format: Format, size: Bytes) -> SwapFileSpec {
        let place = target::file_location(self.root, path, size);
        let nocow = place.filesystem.known().is_some_and(|kind| kind == "btrfs");
        SwapFileSpec { size, format, nocow }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::root::testing::TestTree;

    #[test]
    fn new_file_names_are_unique_to_this_process() {
        let tree = TestTree::new();
        let own = |number: u32| format!("data/lab-{}-{number}", std::process::id());
        tree.write(&own(1), "x");
        tree.write("data/other", "x");
        tree.link(&own(3), "nowhere");
        tree.link("short", "data");
        let root = tree.root();
        let machine = ObservedMachine::observe_for_settings(&root);
        let names: Vec<Name> =
            machine.new_files(&"/short".into(), "lab").unwrap().take(2).collect();
        assert_eq!(names, [own(2), own(4)].map(|name| Name::from(format!("/{name}").as_str())));
        let why = machine.new_files(&"/none".into(), "lab").err().unwrap();
        assert!(why.contains("/none") && why.contains("on the machine itself"), "{why}");
    }
}
