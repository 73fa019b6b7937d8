//! cgroups of ours that nobody needs any more: whoever made them was killed.

use super::group::Group;
use super::owner::Owner;
use super::place::Hierarchy;
use super::{NotRemoved, take_down};
use crate::model::Name;
use crate::root::Root;

/// A cgroup whose owner does not run any more.
#[derive(Debug)]
pub struct Orphan {
    group: Group,
}

/// All of them, in the places where one of ours would be made.
pub fn orphans(root: &Root) -> Vec<Orphan> {
    if !root.is_live() {
        return Vec::new();
    }
    let Ok(hierarchy) = Hierarchy::find(root) else { return Vec::new() };
    let mut orphans = Vec::new();
    for place in hierarchy.places() {
        let children = root.entries(&place).into_result().unwrap_or_default();
        for child in children.into_iter().filter(|child| child.folder) {
            let gone = Owner::parse(&child.name).is_some_and(|owner| !owner.runs(root));
            let folder = place.join(Name::new(child.name).as_path());
            let group = Group { root: root.clone(), version: hierarchy.version, folder };
            // In a container an owner outside of it cannot be seen.
            if gone && !group.is_of_others() {
                orphans.push(Orphan { group });
            }
        }
    }
    orphans
}

impl Orphan {
    /// Its folder, for messages.
    pub fn path(&self) -> String {
        self.group.path()
    }

    /// The processes in it.
    pub fn pids(&self) -> Vec<i32> {
        self.group.pids()
    }

    /// Kill what is inside, which may take a minute, and remove it.
    ///
    /// # Errors
    /// Why it is still there.
    pub fn remove(self) -> Result<(), NotRemoved> {
        take_down(&self.group)
    }
}
