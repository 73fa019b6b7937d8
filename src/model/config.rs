//! Files that set up swap at boot.

use super::name::Name;
use super::reading::Reading;
use serde::{Deserialize, Serialize};

/// Which kind of file it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ConfigKind {
    /// A line of `/etc/fstab`.
    Fstab,
    /// A systemd `.swap` unit.
    SystemdSwap,
    /// A section of a zram-generator file.
    ZramGenerator,
}

/// One area that a file sets up, or a file that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConfigEntry {
    /// The file, as an absolute path.
    pub file: Name,
    /// The line on which the entry begins; zero when the file could not be read.
    pub line: u32,
    /// Which kind of file.
    pub kind: ConfigKind,
    /// What it says; missing when it could not be read.
    pub area: Reading<ConfiguredArea>,
}

/// What one entry asks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConfiguredArea {
    /// The device, file or tag, as written (`UUID=…`, `/swapfile`, `zram0`), unescaped.
    pub what: Name,
    /// Priority asked for.
    pub priority: Reading<i32>,
    /// All options as written, in order (`pri=5`, `nofail`; `zram-size=ram / 2`).
    pub options: Vec<String>,
}
