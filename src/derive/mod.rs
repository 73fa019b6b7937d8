//! Figures derived from one or two snapshots: pure functions, cheap enough to run at every sample.

pub mod attribution;
pub mod balance;
pub mod cgroups;
pub mod clusters;
pub mod compression;
pub mod cost;
pub mod drain;
pub mod fallback;
pub mod growth;
pub mod headroom;
pub mod hibernation;
pub mod lab;
pub mod metadata;
pub mod programs;
pub mod readahead;
pub mod reclaim;
pub mod recommended;
pub mod sample_ratio;
pub mod selection;
pub mod sources;
pub mod speed;
pub mod spread;
pub mod state;
pub mod statistics;
pub mod swapoff;
pub mod traffic;
pub mod view;

pub use view::SampleView;
