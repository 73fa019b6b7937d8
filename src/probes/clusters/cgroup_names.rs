//! Names of the cgroups whose numbers are stored with slots.
//!
//! Kernel: `mem_cgroup_private_ids` of `mm/memcontrol.c` since 6.19, an array as in `lib/xarray.c`, leads
//! from a number to a cgroup, and from there to its folder (`fs/kernfs`), whose name and parents form the
//! path. The number is kept as long as something is charged to it, so removed cgroups are found too. Files
//! show inode numbers of cgroups only, never these numbers.

use super::layout::ArrayField;
use super::memory::{KernelMemory, NumberField, ReadFault, bytes, value};
use crate::model::Name;
use crate::model::clusters::SlotOwner;
use crate::probes::btf::{Type, TypeKind, Types};
use std::collections::BTreeMap;

/// Limit of nested cgroups; the kernel has none, but real hierarchies are shallower.
const DEEPEST: usize = 64;
/// Limit of the length of a folder name.
const LONGEST: usize = 255;
/// Bytes of a name read at once.
const PIECE: u64 = 32;
/// Mask of xarray tags, the tag of a node pointer, and the smallest node pointer.
const MARKS: u64 = 3;
const NODE: u64 = 2;
const LEAST_NODE: u64 = 4096;
/// Bits of an index per level of the array.
const NODE_BITS: u64 = 6;
/// `CSS_ONLINE`: the cgroup was not removed. The constant is in an unnamed enumeration, and has had this
/// value since its introduction.
const ONLINE: u64 = 2;

/// Offsets of the structures that lead to a name.
#[derive(Clone, Debug)]
pub(super) struct CgroupNames {
    /// The first pointer of the array.
    head: NumberField,
    shift: NumberField,
    slots: ArrayField,
    number: NumberField,
    flags: NumberField,
    cgroup: NumberField,
    folder: NumberField,
    name: NumberField,
    parent: NumberField,
}

impl CgroupNames {
    /// Finds the offsets in these types; none if one is missing.
    pub(super) fn from_types(types: &Types) -> Option<Self> {
        let find = |name| types.find(TypeKind::Struct, name);
        let field = |holder: Type<'_>, path| NumberField::from_member(holder.member(path)?);
        let (array, node) = (find("xarray")?, find("xa_node")?);
        let (group, folder) = (find("mem_cgroup")?, find("kernfs_node")?);
        Some(Self {
            head: field(array, "xa_head")?,
            shift: field(node, "shift")?,
            slots: ArrayField::from_member(node, "slots")
                .filter(|slots| slots.length == 1 << NODE_BITS)?,
            number: field(group, "id.id")?,
            flags: field(group, "css.flags")?,
            cgroup: field(group, "css.cgroup")?,
            folder: field(find("cgroup")?, "kn")?,
            name: field(folder, "name")?,
            parent: field(folder, "__parent").or_else(|| field(folder, "parent"))?,
        })
    }

    /// The cgroups of these numbers; unknown numbers are left out.
    pub(super) fn names_of(
        &self,
        memory: &impl KernelMemory,
        array: u64,
        numbers: impl Iterator<Item = u16>,
    ) -> BTreeMap<u16, SlotOwner> {
        let found = |number| Some((number, self.one(memory, array, number)?));
        numbers.filter_map(found).collect()
    }

    fn one(&self, memory: &impl KernelMemory, array: u64, number: u16) -> Option<SlotOwner> {
        let group = self.look_up(memory, array, number.into())?;
        // The number of a cgroup removed meanwhile may belong to another one.
        let is_it = || Some(self.number.read(memory, group).ok()? == u64::from(number));
        let flags = self.flags.read(memory, group).ok()?;
        let cgroup = self.cgroup.read(memory, group).ok()?;
        let path = self.path(memory, self.folder.read(memory, cgroup).ok()?)?;
        is_it()?.then_some(SlotOwner { path, removed: flags & ONLINE == 0 })
    }

    /// The pointer at this index of the array.
    fn look_up(&self, memory: &impl KernelMemory, array: u64, index: u64) -> Option<u64> {
        let mut entry = self.head.read(memory, array).ok()?;
        let mut above = u64::from(u64::BITS);
        while entry & MARKS == NODE && entry > LEAST_NODE {
            let node = entry & !MARKS;
            // Each level is lower than the one above, so the walk ends.
            let shift = self.shift.read(memory, node).ok().filter(|shift| *shift < above)?;
            let place = index >> shift;
            let is_inside = above < u64::from(u64::BITS) || place < 1 << NODE_BITS;
            let place = is_inside.then_some(place & ((1 << NODE_BITS) - 1))?;
            let at = node.checked_add(self.slots.at as u64)?.checked_add(place * 8)?;
            entry = value(&bytes(memory, at, 8).ok()?);
            above = shift;
        }
        let is_leaf = above == 0 || (above == u64::from(u64::BITS) && index == 0);
        (is_leaf && entry != 0 && entry & MARKS == 0).then_some(entry)
    }

    /// The path of a folder; none if its parents form a cycle.
    fn path(&self, memory: &impl KernelMemory, folder: u64) -> Option<Name> {
        let mut names = Vec::new();
        let mut at = folder;
        loop {
            let parent = self.parent.read(memory, at).ok()?;
            if parent == 0 {
                break;
            }
            names.push(text(memory, self.name.read(memory, at).ok()?).ok()?);
            at = (names.len() <= DEEPEST).then_some(parent)?;
        }
        let path: Vec<u8> =
            names.iter().rev().flat_map(|name| [b"/", &name[..]].concat()).collect();
        Some(if path.is_empty() { Name::from("/") } else { Name::new(path) })
    }
}

/// Reads a text that ends with a zero byte, in pieces that never cross a page boundary, since the next page
/// may be unmapped.
fn text(memory: &impl KernelMemory, address: u64) -> Result<Vec<u8>, ReadFault> {
    let mut text = Vec::new();
    let mut at = address;
    while text.len() <= LONGEST {
        let len = PIECE - at % PIECE;
        let piece = bytes(memory, at, usize::try_from(len).unwrap_or(1))?;
        let end = piece.iter().position(|byte| *byte == 0);
        text.extend(piece.iter().take(end.unwrap_or(piece.len())));
        if end.is_some() {
            return Ok(text);
        }
        at = at.checked_add(len).ok_or(ReadFault::Nowhere)?;
    }
    Err(ReadFault::Nowhere)
}

#[cfg(test)]
mod tests {
    use super::super::testing::MemoryImage;
    use super::*;
    use crate::probes::btf::WANTED;
    use crate::probes::btf::testing::{Builder, parsed};

    const ARRAY: u64 = 0x10_0000;
    const NODES: u64 = 0x20_0000;
    const GROUPS: u64 = 0x30_0000;
    const FOLDERS: u64 = 0x40_0000;
    /// So near to the end of a page that no piece of usual length fits.
    const TEXTS: u64 = 0x50_0ff0;

    /// As on a kernel with `__parent`.
    fn types() -> Vec<u8> {
        let mut types = Builder::new();
        let (byte, word, long) = (types.int(1), types.int(4), types.int(8));
        let slots = types.array(long, 64);
        types.structure("xarray", 16, &[("xa_head", long, 64, 0)]);
        types.structure("xa_node", 576, &[("shift", byte, 0, 0), ("slots", slots, 320, 0)]);
        let parts = [("cgroup", long, 0, 0), ("flags", word, 704, 0)];
        let state = types.structure("cgroup_subsys_state", 248, &parts);
        let number = types.structure("mem_cgroup_private_id", 8, &[("id", word, 0, 0)]);
        let parts = [("css", state, 0, 0), ("id", number, 1984, 0)];
        types.structure("mem_cgroup", 1664, &parts);
        types.structure("cgroup", 2368, &[("kn", long, 2368, 0)]);
        types.structure("kernfs_node", 136, &[("__parent", long, 64, 0), ("name", long, 128, 0)]);
        types.build()
    }

    fn groups() -> CgroupNames {
        CgroupNames::from_types(&parsed(types(), &WANTED).unwrap()).unwrap()
    }

    fn long(memory: &mut MemoryImage, at: u64, value: u64) {
        memory.set(at, &value.to_ne_bytes());
    }

    /// A folder of this name in another one, or in none; where its name is written before it.
    fn folder(memory: &mut MemoryImage, nth: u64, parent: Option<u64>, name: &[u8]) {
        let (at, text) = (FOLDERS + nth * 136, TEXTS + nth * 4096);
        long(memory, at + 8, parent.map_or(0, |parent| FOLDERS + parent * 136));
        long(memory, at + 16, text);
        memory.set(text, &[name, &[0; 40]].concat());
    }

    /// A cgroup of this number whose folder is the nth.
    fn group(memory: &mut MemoryImage, number: u16, nth: u64, flags: u32) -> u64 {
        let at = GROUPS + u64::from(number) * 4096;
        long(memory, at, at + 2048);
        memory.set(at + 88, &flags.to_ne_bytes());
        memory.set(at + 248, &u32::from(number).to_ne_bytes());
        long(memory, at + 2048 + 296, FOLDERS + nth * 136);
        at
    }

    /// The topmost one, two below it of which one was removed, and an array of two levels.
    fn machine() -> MemoryImage {
        let mut memory = MemoryImage::default();
        folder(&mut memory, 0, None, b"");
        folder(&mut memory, 1, Some(0), b"system.slice");
        folder(&mut memory, 2, Some(1), b"a name that goes from one page into the next.service");
        let top = NODES | 2;
        let (low, high) = (NODES + 0x1000, NODES + 0x2000);
        long(&mut memory, ARRAY + 8, top);
        memory.set(NODES, &[6]);
        memory.set(low, &[0]);
        memory.set(high, &[0]);
        for node in [NODES, low, high] {
            memory.set(node + 40, &[0; 512]);
        }
        long(&mut memory, NODES + 40, low | 2);
        long(&mut memory, NODES + 40 + 8, high | 2);
        for (number, nth, flags, node) in [(1, 0, 3, low), (9, 1, 2, low), (70, 2, 1, high)] {
            let group = group(&mut memory, number, nth, flags);
            long(&mut memory, node + 40 + u64::from(number % 64) * 8, group);
        }
        memory
    }

    fn named(memory: &MemoryImage) -> Vec<(u16, String, bool)> {
        let found = groups().names_of(memory, ARRAY, [0, 1, 9, 10, 70, 4000, u16::MAX].into_iter());
        found.iter().map(|(number, owner)| (*number, owner.path.safe(), owner.removed)).collect()
    }

    #[test]
    fn numbers_lead_to_the_paths_of_cgroups() {
        let long = "/system.slice/a name that goes from one page into the next.service";
        let expected = [(1, "/", false), (9, "/system.slice", false), (70, long, true)]
            .map(|it| (it.0, it.1.to_owned(), it.2));
        assert_eq!(named(&machine()), expected);
    }

    #[test]
    fn a_reused_number_names_no_cgroup() {
        let mut memory = machine();
        memory.set(GROUPS + 9 * 4096 + 248, &10_u32.to_ne_bytes());
        let numbers: Vec<_> = named(&memory).iter().map(|found| found.0).collect();
        assert_eq!(numbers, [1, 70]);
    }

    #[test]
    fn a_single_node_holds_the_first_numbers_only() {
        let mut memory = machine();
        long(&mut memory, ARRAY + 8, (NODES + 0x1000) | 2);
        let numbers: Vec<_> = named(&memory).iter().map(|found| found.0).collect();
        assert_eq!(numbers, [1, 9], "70 is past its end, and is not the sixth");
    }

    #[test]
    fn parents_and_nodes_in_circles_end() {
        let mut memory = machine();
        long(&mut memory, FOLDERS + 8, FOLDERS + 136);
        long(&mut memory, NODES + 40 + 8, NODES | 2);
        assert_eq!(named(&memory), []);
    }

    #[test]
    fn the_deepest_cgroup_is_named() {
        let mut memory = machine();
        let deepest = DEEPEST as u64;
        for nth in 1..=deepest + 1 {
            folder(&mut memory, nth, Some(nth - 1), b"a");
        }
        let path = |nth: u64| groups().path(&memory, FOLDERS + nth * 136);
        assert_eq!(path(deepest), Some(Name::from("/a".repeat(DEEPEST).as_str())));
        assert_eq!(path(deepest + 1), None);
    }

    #[test]
    fn damaged_memory_never_panics() {
        let good = machine();
        for place in good.places().into_iter().step_by(5) {
            for with in [0xff, 0x00, 0x82] {
                let mut memory = good.clone();
                memory.set(place, &[with; 8]);
                let _whatever = named(&memory);
            }
        }
    }

    #[test]
    fn incomplete_types_give_no_names() {
        let recorded = super::super::testing::types(&super::super::testing::RECORDED[3]);
        assert!(CgroupNames::from_types(&recorded).is_none());
    }
}
