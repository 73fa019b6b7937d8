//! The parent for a workload cgroup: the hierarchy with the memory controller, and a cgroup in it
//! that permits a child.

use super::CgroupError;
use super::group::PROCS;
use crate::model::Name;
use crate::model::users::CgroupVersion;
use crate::root::scan::{lines, octal_escape, unescape};
use crate::root::{Root, parse_u64, shown};
use std::path::{Component, Path, PathBuf};

/// Unlike the table of mounts, this file shows which part of a hierarchy is mounted.
const MOUNTS: &str = "proc/self/mountinfo";
const OWN: &str = "proc/self/cgroup";
const MEMORY: &[u8] = b"memory";
const OFFERED: &str = "cgroup.controllers";
pub(super) const ENABLED: &str = "cgroup.subtree_control";

/// The hierarchy of the memory controller.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Hierarchy {
    pub(super) version: CgroupVersion,
    /// Mount point.
    mount: PathBuf,
    /// Our own cgroup below it, if visible.
    own: Option<PathBuf>,
}

/// A cgroup that permits ours as a child.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ParentCgroup {
    pub(super) version: CgroupVersion,
    pub(super) folder: PathBuf,
}

/// Why a cgroup cannot be the parent, in order of how close it comes.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum UnsuitableCgroup {
    NoController(String),
    Unwritable(String),
    Occupied(String),
}

impl Hierarchy {
    /// Finds the hierarchy. Version 1 with `memory` wins, because a controller belongs to one
    /// version at a time.
    pub(super) fn find(root: &Root) -> Result<Self, CgroupError> {
        let table = root.read(MOUNTS).into_result().map_err(CgroupError::Unseen)?;
        let mounts: Vec<Mount> = lines(&table).filter_map(Mount::parse).collect();
        let of = |version| {
            let mut mounts = mounts.iter().filter(move |mount| mount.version == version);
            // Mounts hidden by another one are listed as well.
            mounts.find(|mount| root.exists(mount.point.join(PROCS)))
        };
        let Some(mount) = of(CgroupVersion::V1).or_else(|| of(CgroupVersion::V2)) else {
            return Err(CgroupError::NoController(format!(
                "/{MOUNTS} has no cgroup file system with the memory controller"
            )));
        };
        let own = root.read(OWN).into_result().unwrap_or_default();
        let own = own_path(&own, mount.version).and_then(|path| below(path, &mount.top));
        Ok(Self { version: mount.version, mount: mount.point.clone(), own })
    }

    /// Possible parents: the root cgroup, which only root may use, then our own and those above it.
    pub(super) fn candidate_parents(&self) -> Vec<PathBuf> {
        let mut places = vec![self.mount.clone()];
        let above = self.own.iter().flat_map(|own| own.ancestors());
        let above = above.filter(|path| !path.as_os_str().is_empty());
        places.extend(above.map(|path| self.mount.join(path)));
        places
    }

    /// The first suitable parent.
    pub(super) fn choose_parent(&self, root: &Root) -> Result<ParentCgroup, CgroupError> {
        let mut closest: Option<UnsuitableCgroup> = None;
        for folder in self.candidate_parents() {
            match check_suitable(root, self.version, &folder) {
                Ok(()) => return Ok(ParentCgroup { version: self.version, folder }),
                Err(unfit) => closest = closest.max(Some(unfit)),
            }
        }
        Err(match closest {
            Some(UnsuitableCgroup::Unwritable(why) | UnsuitableCgroup::Occupied(why)) => {
                match self.version {
                    CgroupVersion::V1 => CgroupError::NotRoot(why),
                    CgroupVersion::V2 => CgroupError::NotDelegated(why),
                }
            }
            Some(UnsuitableCgroup::NoController(why)) => CgroupError::NoController(why),
            None => CgroupError::NoController(format!("{} has no cgroup", shown(&self.mount))),
        })
    }
}

/// Can a child be created in this cgroup, with the controller enabled?
fn check_suitable(
    root: &Root,
    version: CgroupVersion,
    folder: &Path,
) -> Result<(), UnsuitableCgroup> {
    let writable = |path: &Path| {
        let may = root.may_write(path).into_result();
        may.map_err(|missing| UnsuitableCgroup::Unwritable(missing.why()))
    };
    let off = version == CgroupVersion::V2 && is_controller_off(root, folder)?;
    writable(folder)?;
    if version == CgroupVersion::V2 {
        // Moving a process needs write permission in the common ancestor.
        writable(&folder.join(PROCS))?;
    }
    if off {
        writable(&folder.join(ENABLED))?;
        check_free(root, folder)?;
    }
    Ok(())
}

/// Is the controller available, and not enabled for children yet?
pub(super) fn is_controller_off(root: &Root, folder: &Path) -> Result<bool, UnsuitableCgroup> {
    let has = |file: &str| {
        let listed = root.read(folder.join(file)).into_result();
        listed
            .map(|text| has_word(&text))
            .map_err(|missing| UnsuitableCgroup::Unwritable(missing.why()))
    };
    if !has(OFFERED)? {
        let file = shown(&folder.join(OFFERED));
        return Err(UnsuitableCgroup::NoController(format!("{file} does not list memory")));
    }
    has(ENABLED).map(|on| !on)
}

/// Checks that a cgroup has no processes of its own: with them it cannot have children with
/// controllers, except for the root cgroup, which has no type.
fn check_free(root: &Root, folder: &Path) -> Result<(), UnsuitableCgroup> {
    let listed = root.read(folder.join(PROCS)).into_result().unwrap_or_default();
    if listed.is_empty() || !root.exists(folder.join("cgroup.type")) {
        return Ok(());
    }
    let folder = shown(folder);
    Err(UnsuitableCgroup::Occupied(format!(
        "{folder} has processes of its own, so it cannot have a child with a memory limit"
    )))
}

/// A mounted hierarchy of version 2, or of version 1 with the memory controller.
#[derive(Debug, PartialEq, Eq)]
struct Mount {
    version: CgroupVersion,
    /// The part of the hierarchy that is mounted.
    top: PathBuf,
    point: PathBuf,
}

impl Mount {
    /// Parses a line. Fields: two IDs, device, root, mount point, options, optional fields, a dash,
    /// type, source, and options of the file system.
    fn parse(line: &[u8]) -> Option<Self> {
        let mut fields = line.split(|byte| *byte == b' ');
        let path = |field| Name::new(unescape(field, octal_escape)).as_path().to_owned();
        let top = path(fields.nth(3)?);
        let point = path(fields.next()?);
        let mut rest = fields.skip_while(|field| *field != b"-").skip(1);
        let version = match rest.next()? {
            b"cgroup" => CgroupVersion::V1,
            b"cgroup2" => CgroupVersion::V2,
            _ => return None,
        };
        let mut options = rest.nth(1)?.split(|byte| *byte == b',');
        if version == CgroupVersion::V1 && !options.any(|option| option == MEMORY) {
            return None;
        }
        Some(Self { version, top, point })
    }
}

/// Our own cgroup; lines are `number:controllers:path`.
fn own_path(text: &[u8], version: CgroupVersion) -> Option<&[u8]> {
    lines(text).find_map(|line| {
        let mut parts = line.splitn(3, |byte| *byte == b':');
        let number = parse_u64(parts.next()?)?;
        let mut controllers = parts.next()?.split(|byte| *byte == b',');
        let path = parts.next()?;
        let fits = match version {
            CgroupVersion::V1 => controllers.any(|controller| controller == MEMORY),
            CgroupVersion::V2 => number == 0,
        };
        fits.then_some(path)
    })
}

/// The path of a cgroup below a mount; `None` if it is outside, as in some containers.
fn below(path: &[u8], top: &Path) -> Option<PathBuf> {
    let name = Name::new(path);
    let below = name.as_path().strip_prefix(top).ok()?;
    let is_plain = below.components().all(|part| matches!(part, Component::Normal(_)));
    is_plain.then(|| below.to_owned())
}

fn has_word(text: &[u8]) -> bool {
    text.split(u8::is_ascii_whitespace).any(|word| word == MEMORY)
}

#[cfg(test)]
mod tests;
