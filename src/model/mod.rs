//! Plain data of snapshots and results, without input, output or calculations beyond unit conversions.

pub mod activation;
pub mod block;
pub mod candidate;
pub mod clusters;
pub mod config;
pub mod container;
pub mod experiment;
pub mod format;
pub mod histogram;
pub mod interrupted;
pub mod kernel;
pub mod knob;
pub mod load;
mod memory;
pub mod name;
pub mod paging;
pub mod parts;
pub mod policy;
pub mod reading;
pub mod run;
mod shared;
pub mod snapshot;
pub mod subject;
pub mod surroundings;
pub mod swaparea;
pub mod text;
pub mod units;
pub mod users;
pub mod zram;

pub use name::Name;
pub use parts::{Part, PartSet};
pub use policy::Policy;
pub use reading::{Missing, Reading};
pub use shared::Shared;
pub use snapshot::{ClusterMaps, Sampled, Snapshot, Stamp};
pub use units::{Bytes, Pages, unit_factor};
