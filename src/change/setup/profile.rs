//! Kinds of machines, and how they are recognized.

use crate::columns::units::size;
use crate::derive::programs::{first_running, processes_of};
use crate::model::surroundings::Surroundings;
use crate::model::{Bytes, Snapshot, worded_enum};
use serde::Serialize;

worded_enum! {
    /// A kind of machine, which decides what its swap is for.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum MachineProfile {
        /// A machine that a person works on.
        Desktop = "desktop",
        /// A machine that serves others.
        Server = "server",
        /// A database uses most of its memory.
        Database = "database",
        /// A machine that runs containers.
        ContainerHost = "container-host",
        /// A board with little memory and a flash card.
        SmallBoard = "small-board",
    }
}

/// Programs that show a desktop.
const DISPLAYS: [&str; 14] = [
    "Xorg",
    "Xwayland",
    "gnome-shell",
    "kwin_wayland",
    "kwin_x11",
    "plasmashell",
    "sway",
    "Hyprland",
    "weston",
    "cinnamon",
    "xfce4-session",
    "labwc",
    "wayfire",
    "cosmic-comp",
];
/// Programs that are databases.
const DATABASES: [&str; 8] = [
    "postgres",
    "mysqld",
    "mariadbd",
    "mongod",
    "redis-server",
    "valkey-server",
    "clickhouse-serv",
    "oracle",
];
/// Programs that run containers.
const CONTAINERS: [&str; 8] =
    ["kubelet", "k3s-server", "k3s-agent", "containerd", "dockerd", "crio", "incusd", "lxd"];
/// Share of memory that makes a database the purpose of a machine, as a divisor.
const DATABASE_SHARE: u64 = 10;
/// Largest memory of a small board.
const SMALL: Bytes = Bytes(4 << 30);

impl MachineProfile {
    /// A description of the machine.
    pub fn description(self) -> &'static str {
        match self {
            Self::Desktop => "a person works on it",
            Self::Server => "it serves others",
            Self::Database => "a database uses most of its memory",
            Self::ContainerHost => "it runs containers",
            Self::SmallBoard => "a board with little memory and a flash card",
        }
    }

    /// Recognizes the kind of a machine, with the reason.
    pub(super) fn recognize(
        snapshot: &Snapshot,
        around: &Surroundings,
        memory: Bytes,
    ) -> (Self, String) {
        if let Some(board) = around.board.known().filter(|_| memory <= SMALL) {
            return (Self::SmallBoard, format!("it is a {board} with {}", size(memory)));
        }
        if around.has_battery {
            return (Self::Desktop, "it has a battery".to_owned());
        }
        if let Some(name) = first_running(snapshot, &DISPLAYS) {
            return (Self::Desktop, format!("{name} shows a desktop"));
        }
        let database = DATABASES.iter().map(|name| (name, memory_of(snapshot, name)));
        let largest = database.max_by_key(|(_, bytes)| *bytes);
        if let Some((name, bytes)) = largest.filter(|(_, it)| it.0 > memory.0 / DATABASE_SHARE) {
            return (Self::Database, format!("{name} uses {} of {}", size(bytes), size(memory)));
        }
        if let Some(name) = first_running(snapshot, &CONTAINERS) {
            return (Self::ContainerHost, format!("{name} is running"));
        }
        (Self::Server, "no desktop, database or containers were found".to_owned())
    }
}

/// The memory of all processes of this name, with shared memory counted once.
fn memory_of(snapshot: &Snapshot, name: &str) -> Bytes {
    let known =
        |reading: &crate::model::Reading<Bytes>| reading.known().copied().unwrap_or(Bytes(0));
    let parts = processes_of(snapshot, name)
        .map(|it| (known(&it.rss).saturating_sub(known(&it.shmem)), known(&it.shmem)));
    let (private, shared) = parts.fold((Bytes(0), Bytes(0)), |(sum, most), (private, shared)| {
        (sum.saturating_add(private), most.max(shared))
    });
    private.saturating_add(shared)
}
