//! What the machine is told of hibernation.

use super::name::Name;
use super::reading::Reading;
use super::units::Bytes;
use serde::{Deserialize, Serialize};

/// Where the image goes, and how large it may get.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hibernation {
    /// The kernel's name of the device that the machine resumes from; absent where none is set.
    pub resume: Reading<Name>,
    /// Where on it the first page of a swap file lies, in pages; 0 for a whole device.
    pub resume_offset: Reading<u64>,
    /// The size that the kernel tries to keep the image below.
    pub image_size: Reading<Bytes>,
    /// What the command line of the kernel says to resume from; absent where it says nothing.
    pub asked: Reading<Name>,
}
