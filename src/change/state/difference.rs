//! The differences between the present state and a wanted one.

use serde::Serialize;

/// The key of a file that is read at boot: its values are the lines that go and come.
pub const AT_BOOT: &str = "at boot";

/// The differences between the present state and a wanted one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct StateComparison {
    /// The values that differ.
    pub differences: Vec<StateDifference>,
    /// The differences that last until the machine is restarted.
    pub restart: Vec<String>,
}

/// A value that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StateDifference {
    /// The area, device or cgroup, `settings`, or a file that is read at boot.
    pub subject: String,
    /// Key of the value, as in the file of the wanted state, or `at boot`.
    pub key: String,
    /// The present value, if the machine has one.
    pub from: Option<String>,
    /// The wanted value; none if the area is not wanted.
    pub to: Option<String>,
}
