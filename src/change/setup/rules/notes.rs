//! Notes on a proposed setup: LRU inversion, hibernation, and what is missing.

use super::areas::remaining_areas;
use super::{ChosenSetup, Compression, DiskChoice};
use crate::actions::shell_quoted;
use crate::change::setup::choice::SetupNote;
use crate::change::setup::facts::{AreaFacts, AreaMedium, SetupFacts};
use crate::change::setup::intents::is_left_to_systemd;
use crate::model::Name;

/// The notes on a setup.
pub(in super::super) fn notes(facts: &SetupFacts, chosen: &ChosenSetup) -> Vec<SetupNote> {
    let all = [
        no_swap(facts, chosen),
        lru_inversion(facts, chosen),
        hibernation(facts, chosen),
        zswap_before_zram(facts, chosen),
        zram_module(facts, chosen),
        without_effect_at_boot(facts, chosen),
        zram_generator(facts, chosen),
        by_partition_type(facts, chosen),
        not_there_at_boot(facts, chosen, AreaMedium::Loop, ("loop", LOOP)),
        not_there_at_boot(facts, chosen, AreaMedium::Network, ("network", NETWORK)),
        services(facts, chosen),
        virtio(facts),
    ];
    let note = |(id, text): (&'static str, String)| SetupNote { id, text };
    all.into_iter().flatten().map(note).collect()
}

/// The note on a machine without swap.
pub(in super::super) const NO_SWAP: &str = "no-swap";

type Note = Option<(&'static str, String)>;

fn keeps_disk(facts: &SetupFacts, chosen: &ChosenSetup) -> bool {
    match chosen.disk {
        DiskChoice::Keep => facts.disks().next().is_some(),
        DiskChoice::File(_) => true,
        DiskChoice::None => false,
    }
}

fn no_swap(facts: &SetupFacts, chosen: &ChosenSetup) -> Note {
    let is_none = chosen.compression == Compression::None && !keeps_disk(facts, chosen);
    let what = if facts.areas.is_empty() { "stays" } else { "will be" };
    let text = format!(
        "the machine {what} without swap: memory that programs hardly use stays occupied, and when memory is full, the kernel kills processes"
    );
    is_none.then_some((NO_SWAP, text))
}

fn lru_inversion(facts: &SetupFacts, chosen: &ChosenSetup) -> Note {
    let inverts = chosen.compression == Compression::Zram && keeps_disk(facts, chosen);
    let text = "LRU inversion: zram is filled first and keeps what came first, so pages that are swapped out later go to the disk although they are used more. It matters once zram is full. With compression=zswap, the least recently used pages go to the disk instead";
    inverts.then(|| ("lru-inversion", text.to_owned()))
}

fn hibernation(facts: &SetupFacts, chosen: &ChosenSetup) -> Note {
    let text = match &facts.resume {
        Some(device) if facts.disks().next().is_some() && chosen.disk == DiskChoice::None => {
            format!(
                "the machine resumes from {}, but without swap there it cannot store the image: enable swap on it",
                device.safe()
            )
        }
        None if chosen.compression == Compression::Zram && !keeps_disk(facts, chosen) => {
            "impossible with zram alone, because its contents are lost at power-off".to_owned()
        }
        Some(_) | None => facts.resume_problem.clone()?,
    };
    Some(("hibernation", format!("hibernation: {text}")))
}

fn zswap_before_zram(facts: &SetupFacts, chosen: &ChosenSetup) -> Note {
    let is_double = facts.is_zswap_on() && chosen.compression == Compression::Zram;
    let text = "zswap is enabled and is disabled by the plan: in front of zram it would compress each page a second time";
    is_double.then(|| ("zswap", text.to_owned()))
}

fn zram_module(facts: &SetupFacts, chosen: &ChosenSetup) -> Note {
    let why = facts.zram.missing()?;
    let is_new = chosen.compression == Compression::Zram && facts.zram_areas().next().is_none();
    is_new.then(|| ("zram-module", format!("zram cannot be created yet: {}", why.why())))
}

fn zram_generator(facts: &SetupFacts, chosen: &ChosenSetup) -> Note {
    let is_needed = chosen.boot && chosen.compression == Compression::Zram;
    let text = "at boot, only zram-generator can create zram, and it is not installed: everything else is applied at boot. Install it (Debian and Ubuntu: systemd-zram-generator; Fedora: zram-generator), and run swapadm setup again";
    (is_needed && !facts.has_zram_at_boot()).then(|| ("zram-generator", text.to_owned()))
}

/// Reasons why this machine ignores boot configuration, which the plan leaves out.
fn without_effect_at_boot(facts: &SetupFacts, chosen: &ChosenSetup) -> Note {
    let reasons: Vec<&str> = facts.without_effect_at_boot.iter().map(|it| it.reason()).collect();
    (chosen.boot && !reasons.is_empty()).then(|| {
        let reasons = reasons.join("; ");
        ("boot-ignored", format!("part of this setup has no effect at boot: {reasons}"))
    })
}

/// Partitions that stay, and that only systemd may enable at boot.
fn by_partition_type(facts: &SetupFacts, chosen: &ChosenSetup) -> Note {
    let is_left = chosen.boot && is_left_to_systemd(facts, chosen);
    let names: Vec<&Name> = facts.disks().map(|area| &area.path).collect();
    (is_left && !names.is_empty()).then(|| {
        let (shown, typed) = (list(&names), names.iter().map(|name| shell_quoted(name)));
        let text = format!(
            "{shown}: no known file enables it at boot; systemd may do so by its partition type. Otherwise: swapadm on {} --persist",
            typed.collect::<Vec<_>>().join(" ")
        );
        ("boot", text)
    })
}

/// Areas that stay, and that nothing can enable at boot, because their device is not there yet.
fn not_there_at_boot(
    facts: &SetupFacts,
    chosen: &ChosenSetup,
    medium: AreaMedium,
    (id, why): (&'static str, &str),
) -> Note {
    let is_left = |area: &&AreaFacts| !area.is_configured && area.medium == medium;
    let names: Vec<&Name> = facts.disks().filter(is_left).map(|area| &area.path).collect();
    let matters = chosen.boot && chosen.disk != DiskChoice::None && !names.is_empty();
    matters.then(|| (id, format!("{}: {why}", list(&names))))
}

const LOOP: &str = "a loop device does not exist at boot, so it will not be enabled then. Use the file behind it as a swap file";
/// systemd enables swap before it starts the network, and knows no `_netdev` for it.
const NETWORK: &str = "swap is enabled at boot before the network is up, so it gets no line in fstab, for which the boot would wait. Enable it from the service that connects it";

/// Areas that leave, and that a service enables again at boot.
fn services(facts: &SetupFacts, chosen: &ChosenSetup) -> Note {
    let stays = |area: &AreaFacts| {
        remaining_areas(facts, chosen.areas()).any(|other| other.path == area.path)
    };
    let again = facts.areas.iter().filter(|area| !stays(area)).filter_map(|area| {
        let service = facts.services.iter().find(|service| service.may_enable(&area.path))?;
        Some(service.explain(&area.path))
    });
    let again: Vec<String> = again.collect();
    (chosen.boot && !again.is_empty()).then(|| ("service", again.join("; ")))
}

fn list(names: &[&Name]) -> String {
    names.iter().map(|name| name.safe()).collect::<Vec<_>>().join(", ")
}

fn virtio(facts: &SetupFacts) -> Note {
    let names: Vec<String> =
        facts.areas.iter().filter(|area| area.is_virtio).map(|area| area.path.safe()).collect();
    (!names.is_empty()).then(|| {
        let text = format!(
            "{}: a virtio disk claims to rotate, so its real speed is not known",
            names.join(", ")
        );
        ("virtio", text)
    })
}
