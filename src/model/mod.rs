//! Plain data: what one look at the machine found. No input, no output, no arithmetic beyond
//! changing units.

pub mod activation;
pub mod block;
pub mod candidate;
pub mod cgroup;
pub mod civil;
pub mod config;
pub mod counters;
pub mod disk;
pub mod experiment;
pub mod format;
pub mod histogram;
pub mod kept;
pub mod kernel;
pub mod knob;
pub mod lasting;
pub mod load;
mod memory;
pub mod name;
pub mod near;
pub mod numa;
pub mod parts;
pub mod patch;
pub mod policy;
pub mod process;
pub mod psi;
pub mod reading;
pub mod run;
pub mod shared;
pub mod shm;
pub mod snapshot;
pub mod source;
pub mod swaparea;
pub mod target;
pub mod thp;
pub mod units;
pub mod uuid;
pub mod zram;
pub mod zswap;

pub use name::Name;
pub use parts::{Part, PartSet};
pub use policy::Policy;
pub use reading::{Missing, Reading};
pub use shared::Shared;
pub use snapshot::{Sampled, Snapshot, Stamp};
pub use units::{Bytes, Pages};
