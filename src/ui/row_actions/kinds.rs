//! The list of actions for each kind of row.

use super::{RowAction, RowKind, known};
use crate::actions::rebalance::Strategy;
use crate::change::SwaponOptions;
use crate::change::zram::ZramChange;
use crate::model::subject::DetailTarget;
use crate::model::users::CgroupVersion;
use crate::ui::change::Intent;
use crate::ui::input::{PromptKind, ZramValue};
use crate::ui::overlay::MenuChoice;
use crate::ui::what_if::LoadChoice;

/// The actions of each kind of row.
pub(super) static KINDS: &[RowKind] = &[
    RowKind {
        tables: &["devices", "selection", "zram"],
        many: "areas",
        actions: &[
            RowAction {
                name: "disable",
                help: "Disable the area (swapoff); its contents move to memory and other areas.",
                command: "swapadm off",
                begin: |rows| rows.for_areas(|areas| known(Intent::Off(areas))),
            },
            RowAction {
                name: "priority...",
                help: "Change the priority, and so the allocation order. The area is disabled and enabled again, which empties it.",
                command: "swapadm priority",
                begin: |rows| rows.for_areas(|areas| MenuChoice::Type(PromptKind::Priority(areas))),
            },
            RowAction {
                name: "size...",
                help: "Change the size of the zram device. Swap on it is disabled, and enabled again with the same settings.",
                command: "swapadm zram resize",
                begin: |rows| rows.set_zram(ZramValue::Size),
            },
            RowAction {
                name: "algorithm...",
                help: "Change the compression algorithm. Swap on the device is disabled, and enabled again with the same settings.",
                command: "swapadm zram algorithm",
                begin: |rows| rows.set_zram(ZramValue::Algorithm),
            },
            RowAction {
                name: "memory limit...",
                help: "Limit the memory of the zram device; works while it is in use.",
                command: "swapadm zram limit",
                begin: |rows| rows.set_zram(ZramValue::Limit),
            },
            RowAction {
                name: "compact",
                help: "Compact the zram device: return memory lost to fragmentation.",
                command: "swapadm zram compact",
                begin: |rows| rows.for_zram(ZramChange::Compact),
            },
            RowAction {
                name: "mark as idle...",
                help: "Mark pages of the zram device as idle: all, or those unused for some time.",
                command: "swapadm zram idle",
                begin: |rows| rows.set_backed_zram(ZramValue::Idle),
            },
            RowAction {
                name: "write back...",
                help: "Write pages of the zram device to its backing device: idle or incompressible ones.",
                command: "swapadm zram writeback",
                begin: |rows| rows.set_backed_zram(ZramValue::Writeback),
            },
            RowAction {
                name: "remove",
                help: "Remove the zram device; disable swap on it first.",
                command: "swapadm zram remove",
                begin: |rows| rows.for_zram(ZramChange::Remove),
            },
            RowAction {
                name: "what-if: priority...",
                help: "Ask the model of this machine what another priority does: order, shares, time to full. Changes nothing.",
                command: "swapadm what-if --priority",
                begin: |rows| {
                    rows.for_areas(|areas| MenuChoice::Type(PromptKind::ModelPriority(areas)))
                },
            },
        ],
    },
    RowKind {
        tables: &["knobs"],
        many: "settings",
        actions: &[
            RowAction {
                name: "set...",
                help: "Change the setting.",
                command: "swapadm set",
                begin: |rows| {
                    rows.knob().map(|setting| MenuChoice::Type(PromptKind::Kernel(setting)))
                },
            },
            RowAction {
                name: "reset to default",
                help: "Reset the setting to the kernel's default, if that is known.",
                command: "swapadm reset",
                begin: |rows| rows.knob().map(|setting| known(Intent::Reset(vec![setting]))),
            },
        ],
    },
    RowKind {
        tables: &["cgroups", "processes"],
        many: "rows",
        actions: &[
            RowAction {
                name: "details",
                help: "Open the page of the process: its mappings in swap, cgroup and waits.",
                command: "swapadm process show",
                begin: |rows| {
                    let subject =
                        rows.subject().filter(|it| matches!(it, DetailTarget::Process(_)));
                    subject.map(MenuChoice::Subject)
                },
            },
            RowAction {
                name: "details",
                help: "Open the page of the cgroup: its limits, events and processes.",
                command: "swapadm cgroup show",
                begin: |rows| {
                    let subject = rows.subject().filter(|it| matches!(it, DetailTarget::Cgroup(_)));
                    subject.map(MenuChoice::Subject)
                },
            },
            RowAction {
                name: "bring back to memory",
                help: "Bring the private pages of the process back from swap, if memory and its cgroup have room.",
                command: "swapadm process swapin",
                begin: |rows| match rows.subject()? {
                    DetailTarget::Process(pid) => Some(known(Intent::SwapIn(pid))),
                    DetailTarget::Cgroup(_) => None,
                },
            },
            RowAction {
                name: "reclaim...",
                help: "Push the coldest memory of the cgroup out; for a process, of its whole cgroup.",
                command: "swapadm cgroup reclaim",
                begin: |rows| {
                    let (group, _) =
                        rows.group.as_ref().filter(|(_, own)| *own == CgroupVersion::V2)?;
                    Some(MenuChoice::Type(PromptKind::Reclaim(group.clone())))
                },
            },
            RowAction {
                name: "swap limit...",
                help: "Limit the swap of the cgroup; for a process, of its whole cgroup.",
                command: "swapadm set --cgroup",
                begin: |rows| rows.for_cgroup("memory.swap.max", CgroupVersion::V2),
            },
            RowAction {
                name: "memory limit...",
                help: "Raise or lower the memory limit of the cgroup; for a process, of its whole cgroup.",
                command: "swapadm set --cgroup",
                begin: |rows| {
                    let limit = |knob, version| rows.for_cgroup(knob, version);
                    limit("memory.max", CgroupVersion::V2)
                        .or_else(|| limit("memory.limit_in_bytes", CgroupVersion::V1))
                },
            },
            RowAction {
                name: "memory and swap limit...",
                help: "Raise or lower the limit on memory plus swap of the cgroup; for a process, of its whole cgroup.",
                command: "swapadm set --cgroup",
                begin: |rows| rows.for_cgroup("memory.memsw.limit_in_bytes", CgroupVersion::V1),
            },
            RowAction {
                name: "swappiness...",
                help: "Change how readily the kernel swaps pages of the cgroup.",
                command: "swapadm set --cgroup",
                begin: |rows| rows.for_cgroup("memory.swappiness", CgroupVersion::V1),
            },
        ],
    },
];

/// Actions that need no row.
pub(super) static ANYWHERE: &[RowAction] = &[
    RowAction {
        name: "rebalance: faster areas first",
        help: "Give each speed class its own priority, faster ones first; does nothing if they already have it.",
        command: "swapadm rebalance",
        begin: |rows| rows.with_swap(known(Intent::Rebalance(Strategy::Tiered))),
    },
    RowAction {
        name: "rebalance: spread data evenly",
        help: "Disable and re-enable areas that hold more than their equal share of the priority group; does nothing if the groups are balanced.",
        command: "swapadm rebalance spread",
        begin: |rows| rows.with_swap(known(Intent::Rebalance(Strategy::Spread(rows.uneven_from)))),
    },
    RowAction {
        name: "new zram swap...",
        help: "Create a zram device, format it and enable it: swap compressed in memory.",
        command: "swapadm zram swap",
        begin: |_| Some(MenuChoice::Type(PromptKind::ZramSwap)),
    },
    RowAction {
        name: "new swap file...",
        help: "Create a swap file, format it and enable it.",
        command: "swapadm file create",
        begin: |_| Some(MenuChoice::Type(PromptKind::SwapFile)),
    },
    RowAction {
        name: "enable...",
        help: "Enable an area that has a swap header: a path, UUID=... or LABEL=...",
        command: "swapadm on",
        begin: |_| Some(MenuChoice::Type(PromptKind::Area)),
    },
    RowAction {
        name: "enable areas in fstab",
        help: "Enable all inactive areas in /etc/fstab.",
        command: "swapadm on --all",
        begin: |_| {
            let options = SwaponOptions { priority: None, discard: None };
            Some(known(Intent::OnConfigured(options)))
        },
    },
    RowAction {
        name: "what-if: as it is",
        help: "Ask the model of this machine how its areas fill: order, shares, time to full. Changes nothing.",
        command: "swapadm what-if",
        begin: |_| Some(MenuChoice::WhatIf(LoadChoice::Filling)),
    },
    RowAction {
        name: "what-if: traffic as now",
        help: "Ask the model how its areas fill under the swap traffic between the samples on screen. Changes nothing.",
        command: "swapadm what-if --like-now",
        begin: |_| Some(MenuChoice::WhatIf(LoadChoice::LikeNow)),
    },
    RowAction {
        name: "what-if: under a load...",
        help: "Ask the model how its areas are used by a workload. Changes nothing.",
        command: "swapadm what-if --load",
        begin: |_| Some(MenuChoice::Type(PromptKind::ModelLoad)),
    },
    RowAction {
        name: "what-if: growth...",
        help: "Ask the model when its areas are full if used swap grows at another rate. Changes nothing.",
        command: "swapadm what-if --rate",
        begin: |_| Some(MenuChoice::Type(PromptKind::ModelRate)),
    },
    RowAction {
        name: "what-if: one more area...",
        help: "Ask the model of this machine what one more area does. Changes nothing.",
        command: "swapadm what-if --add",
        begin: |_| Some(MenuChoice::Type(PromptKind::ModelArea)),
    },
    RowAction {
        name: "what-if: another kernel...",
        help: "Ask the model what another kernel does with the areas of this machine. Changes nothing.",
        command: "swapadm what-if --kernel",
        begin: |_| Some(MenuChoice::Type(PromptKind::ModelKernel)),
    },
];
