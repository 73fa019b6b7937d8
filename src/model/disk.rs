//! How a zram device is, or is to be, set up: all that is lost when it is reset.

use super::candidate::Signature;
use super::name::Name;
use super::reading::Reading;
use super::units::Bytes;
use serde::{Deserialize, Serialize};

/// A zram device as it is set up.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Disk {
    /// The size of the disk that it presents; zero: it is there, but not set up.
    pub size: Bytes,
    /// How it compresses; none where the kernel may choose.
    pub algorithm: Option<String>,
    /// How it can compress once more, with the number of each.
    pub recompression: Vec<(u64, String)>,
    /// How much memory it may take; zero is no limit.
    pub limit: Bytes,
    /// The device to which pages can be written back.
    pub backing: Option<Name>,
}

impl Disk {
    /// Is this what a device shows that was set up so?
    pub fn is_met_by(&self, shown: &Self) -> bool {
        let algorithm = self.algorithm.is_none() || self.algorithm == shown.algorithm;
        algorithm && *self == Self { algorithm: self.algorithm.clone(), ..shown.clone() }
    }

    /// The same, apart from the limit on its memory?
    pub fn is_alike(&self, other: &Self) -> bool {
        Self { limit: other.limit, ..self.clone() } == *other
    }
}

/// The node of a zram device.
pub fn node(number: u64) -> Name {
    Name::from(format!("/dev/zram{number}").as_str())
}

/// Its folder in sysfs.
pub fn folder(number: u64) -> Name {
    Name::from(format!("/sys/block/zram{number}").as_str())
}

/// The number of a device with such a node.
pub fn number_of(node: &Name) -> Option<u64> {
    let digits = std::str::from_utf8(node.as_bytes().strip_prefix(b"/dev/zram")?).ok()?;
    // Neither zeros before it nor signs.
    digits.parse().ok().filter(|number: &u64| number.to_string() == digits)
}

/// Somebody who has a device open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opener {
    /// The number of the process.
    pub pid: u32,
    /// Its name.
    pub name: String,
}

/// What stands in the way of resetting a device, and what would be lost by it.
#[derive(Clone, Debug, PartialEq)]
pub struct Held {
    /// Its number.
    pub number: u64,
    /// Where it is mounted, if it is.
    pub mounted: Option<Name>,
    /// The devices that are made of it.
    pub holders: Vec<String>,
    /// The processes that have it open, as far as we may see.
    pub openers: Vec<Opener>,
    /// What stands in its first page.
    pub signature: Reading<Signature>,
    /// What is stored on it, uncompressed.
    pub stored: Reading<Bytes>,
    /// Can its algorithm have been given parameters? They can be written only.
    pub params: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_is_known_by_its_node() {
        assert_eq!([number_of(&node(0)), number_of(&node(12))], [Some(0), Some(12)]);
        for other in ["/dev/zram", "/dev/zram01", "/dev/zram+1", "/dev/sda", "/dev/zram1x"] {
            assert_eq!(number_of(&other.into()), None, "{other}");
        }
    }

    #[test]
    fn what_the_kernel_may_choose_is_met_by_anything() {
        let shown = Disk { size: Bytes(4096), algorithm: Some("lz4".into()), ..Disk::default() };
        assert!(Disk { size: Bytes(4096), ..Disk::default() }.is_met_by(&shown));
        assert!(shown.is_met_by(&shown));
        assert!(!Disk { algorithm: Some("zstd".into()), ..shown.clone() }.is_met_by(&shown));
        assert!(!Disk { limit: Bytes(4096), ..shown.clone() }.is_met_by(&shown));
    }
}
