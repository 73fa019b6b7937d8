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
            RowAction::new("disable", "swapadm off", |rows| {
                rows.for_areas(|areas| known(Intent::Off(areas)))
            })
            .says("Disable the area (swapoff); its contents move to memory and other areas."),
            RowAction::new("priority...", "swapadm priority", |rows| {
                rows.for_areas(|areas| MenuChoice::Type(PromptKind::Priority(areas)))
            })
            .says("Change the priority, and so the allocation order. The area is disabled and enabled again, which empties it."),
            RowAction::new("size...", "swapadm zram resize", |rows| rows.set_zram(ZramValue::Size))
                .says("Change the size of the zram device. Swap on it is disabled, and enabled again with the same settings."),
            RowAction::new("algorithm...", "swapadm zram algorithm", |rows| {
                rows.set_zram(ZramValue::Algorithm)
            })
            .says("Change the compression algorithm. Swap on the device is disabled, and enabled again with the same settings."),
            RowAction::new("memory limit...", "swapadm zram limit", |rows| {
                rows.set_zram(ZramValue::Limit)
            })
            .says("Limit the memory of the zram device; works while it is in use."),
            RowAction::new("compact", "swapadm zram compact", |rows| {
                rows.for_zram(ZramChange::Compact)
            })
            .says("Compact the zram device: return memory lost to fragmentation."),
            RowAction::new("mark as idle...", "swapadm zram idle", |rows| {
                rows.set_backed_zram(ZramValue::Idle)
            })
            .says("Mark pages of the zram device as idle: all, or those unused for some time."),
            RowAction::new("write back...", "swapadm zram writeback", |rows| {
                rows.set_backed_zram(ZramValue::Writeback)
            })
            .says("Write pages of the zram device to its backing device: idle or incompressible ones."),
            RowAction::new("remove", "swapadm zram remove", |rows| {
                rows.for_zram(ZramChange::Remove)
            })
            .says("Remove the zram device; disable swap on it first."),
            RowAction::new("what-if: priority...", "swapadm what-if --priority", |rows| {
                rows.for_areas(|areas| MenuChoice::Type(PromptKind::ModelPriority(areas)))
            })
            .says("Ask the model of this machine what another priority does: order, shares, time to full. Changes nothing."),
        ],
    },
    RowKind {
        tables: &["knobs"],
        many: "settings",
        actions: &[
            RowAction::new("set...", "swapadm set", |rows| {
                rows.knob().map(|setting| MenuChoice::Type(PromptKind::Kernel(setting)))
            })
            .says("Change the setting."),
            RowAction::new("reset to default", "swapadm reset", |rows| {
                rows.knob().map(|setting| known(Intent::Reset(vec![setting])))
            })
            .says("Reset the setting to the kernel's default, if that is known."),
        ],
    },
    RowKind {
        tables: &["cgroups", "processes"],
        many: "rows",
        actions: &[
            RowAction::new("details", "swapadm process show", |rows| {
                let subject =
                    rows.subject().filter(|it| matches!(it, DetailTarget::Process(_)));
                subject.map(MenuChoice::Subject)
            })
            .says("Open the page of the process: its mappings in swap, cgroup and waits."),
            RowAction::new("details", "swapadm cgroup show", |rows| {
                let subject = rows.subject().filter(|it| matches!(it, DetailTarget::Cgroup(_)));
                subject.map(MenuChoice::Subject)
            })
            .says("Open the page of the cgroup: its limits, events and processes."),
            RowAction::new("bring back to memory", "swapadm process swapin", |rows| {
                match rows.subject()? {
                    DetailTarget::Process(pid) if rows.is_swapped => {
                        Some(known(Intent::SwapIn(pid)))
                    }
                    DetailTarget::Process(_) | DetailTarget::Cgroup(_) => None,
                }
            })
            .says("Bring the private pages of the process back from swap, if memory and its cgroup have room."),
            RowAction::new("reclaim...", "swapadm cgroup reclaim", |rows| {
                let (group, _) =
                    rows.group.as_ref().filter(|(_, own)| *own == CgroupVersion::V2)?;
                Some(MenuChoice::Type(PromptKind::Reclaim(group.clone())))
            })
            .says("Push the coldest memory of the cgroup out; for a process, of its whole cgroup."),
            RowAction::new("swap limit...", "swapadm set --cgroup", |rows| {
                rows.for_cgroup("memory.swap.max", CgroupVersion::V2)
            })
            .says("Limit the swap of the cgroup; for a process, of its whole cgroup."),
            RowAction::new("memory limit...", "swapadm set --cgroup", |rows| {
                let limit = |knob, version| rows.for_cgroup(knob, version);
                limit("memory.max", CgroupVersion::V2)
                    .or_else(|| limit("memory.limit_in_bytes", CgroupVersion::V1))
            })
            .says("Raise or lower the memory limit of the cgroup; for a process, of its whole cgroup."),
            RowAction::new("memory and swap limit...", "swapadm set --cgroup", |rows| {
                rows.for_cgroup("memory.memsw.limit_in_bytes", CgroupVersion::V1)
            })
            .says("Raise or lower the limit on memory plus swap of the cgroup; for a process, of its whole cgroup."),
            RowAction::new("swappiness...", "swapadm set --cgroup", |rows| {
                rows.for_cgroup("memory.swappiness", CgroupVersion::V1)
            })
            .says("Change how readily the kernel swaps pages of the cgroup."),
        ],
    },
];

/// Actions that need no row.
pub(super) static ANYWHERE: &[RowAction] = &[
    RowAction::new("rebalance: faster areas first", "swapadm rebalance", |rows| {
        rows.with_swap(known(Intent::Rebalance(Strategy::Tiered)))
    })
    .says("Give each speed class its own priority, faster ones first; does nothing if they already have it."),
    RowAction::new("rebalance: spread data evenly", "swapadm rebalance spread", |rows| {
        rows.with_swap(known(Intent::Rebalance(Strategy::Spread(rows.uneven_from))))
    })
    .says("Disable and re-enable areas that hold more than their equal share of the priority group; does nothing if the groups are balanced."),
    RowAction::new("new zram swap...", "swapadm zram swap", |_| {
        Some(MenuChoice::Type(PromptKind::ZramSwap))
    })
    .says("Create a zram device, format it and enable it: swap compressed in memory."),
    RowAction::new("new swap file...", "swapadm file create", |_| {
        Some(MenuChoice::Type(PromptKind::SwapFile))
    })
    .says("Create a swap file, format it and enable it."),
    RowAction::new("enable...", "swapadm on", |_| Some(MenuChoice::Type(PromptKind::Area)))
        .says("Enable an area that has a swap header: a path, UUID=... or LABEL=..."),
    RowAction::new("enable areas in fstab", "swapadm on --all", |_| {
        let options = SwaponOptions { priority: None, discard: None };
        Some(known(Intent::OnConfigured(options)))
    })
    .says("Enable all inactive areas in /etc/fstab."),
    RowAction::new("what-if: as it is", "swapadm what-if", |_| {
        Some(MenuChoice::WhatIf(LoadChoice::Filling))
    })
    .says("Ask the model of this machine how its areas fill: order, shares, time to full. Changes nothing."),
    RowAction::new("what-if: traffic as now", "swapadm what-if --like-now", |_| {
        Some(MenuChoice::WhatIf(LoadChoice::LikeNow))
    })
    .says("Ask the model how its areas fill under the swap traffic between the samples on screen. Changes nothing."),
    RowAction::new("what-if: under a load...", "swapadm what-if --load", |_| {
        Some(MenuChoice::Type(PromptKind::ModelLoad))
    })
    .says("Ask the model how its areas are used by a workload. Changes nothing."),
    RowAction::new("what-if: growth...", "swapadm what-if --rate", |_| {
        Some(MenuChoice::Type(PromptKind::ModelRate))
    })
    .says("Ask the model when its areas are full if used swap grows at another rate. Changes nothing."),
    RowAction::new("what-if: one more area...", "swapadm what-if --add", |_| {
        Some(MenuChoice::Type(PromptKind::ModelArea))
    })
    .says("Ask the model of this machine what one more area does. Changes nothing."),
    RowAction::new("what-if: another kernel...", "swapadm what-if --kernel", |_| {
        Some(MenuChoice::Type(PromptKind::ModelKernel))
    })
    .says("Ask the model what another kernel does with the areas of this machine. Changes nothing."),
];
