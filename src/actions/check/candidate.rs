//! Checks of areas to enable: whether the kernel accepts them, and whether that is wise.

use super::Check;
use crate::actions::shell_quoted;
use crate::columns::units::size;
use crate::derive::speed::REMOTE;
use crate::model::candidate::{Candidate, PathKind, Signature, SwapHeader};
use crate::model::{Bytes, Name, Reading};

/// Permission bits that a file or device with swapped-out memory must not have.
const FILE_MODE: u32 = 0o077;
const DEVICE_MODE: u32 = 0o007;
/// File systems that keep their files in memory.
const NO_STORE: [&str; 6] = ["tmpfs", "ramfs", "devtmpfs", "proc", "sysfs", "overlay"];

/// All checks, on a kernel with this page size.
pub(super) fn checks(candidate: &Candidate, page_size: &Reading<u64>) -> Vec<Check> {
    let name = candidate.path.safe();
    let thing = match storage(&name, candidate, "name a file or a device") {
        Ok(thing) => thing,
        Err(refusal) => return vec![refusal],
    };
    let is_file = thing == PathKind::File;
    let mut all = if is_file { file(&name, candidate) } else { used(&name, candidate) };
    all.push(header(&name, candidate, page_size));
    all.extend(privacy(&name, candidate, thing));
    all
}

/// Refuses a path with symbolic links: a plan names what they led to when it was made, so one was placed there since.
pub(super) fn linked(candidate: &Candidate) -> Option<Check> {
    let target = candidate.leads_to.as_ref()?;
    let text = format!(
        "{} is now reached through a symbolic link, and may be another area: to enable that, name {}",
        candidate.path.safe(),
        target.safe()
    );
    Some(Check::refuse("path", text))
}

/// The kind of a device or file; the refusal of anything else says what to name instead of a directory.
pub(super) fn storage(name: &str, candidate: &Candidate, instead: &str) -> Result<PathKind, Check> {
    let why = match &candidate.thing {
        Reading::Known(thing @ (PathKind::Device { .. } | PathKind::File)) => return Ok(*thing),
        Reading::Known(PathKind::Folder) => format!("{name} is a directory: {instead}"),
        Reading::Known(PathKind::Other) => {
            format!("{name} must be a regular file or a block device")
        }
        Reading::Missing { missing } => missing.why(),
    };
    Err(Check::refuse("path", why))
}

/// The note on areas that a captured tree does not contain.
pub(super) fn uncaptured_note(uncaptured: &[Candidate]) -> Option<Check> {
    let names: Vec<Name> = uncaptured.iter().map(|it| it.path.clone()).collect();
    let text = format!(
        "{}: the capture has no such device node or file, so its swap header and other users were not checked",
        join_names(&names)
    );
    (!names.is_empty()).then(|| Check::note("path", text))
}

/// Checks other users of the device, and whether it is writable.
pub(super) fn used(name: &str, candidate: &Candidate) -> Vec<Check> {
    let mut all: Vec<Check> = mounted(name, candidate).into_iter().collect();
    if !candidate.holders.is_empty() {
        let text = format!(
            "{name} is part of {}: stop that device first, or name it instead",
            join_names(&candidate.holders)
        );
        all.push(Check::refuse("held", text));
    }
    if candidate.read_only {
        let device = shell_quoted(&candidate.path);
        let text = format!("{name} is read-only: run blockdev --setrw {device}");
        all.push(Check::refuse("readonly", text));
    }
    all
}

pub(super) fn join_names(names: &[Name]) -> String {
    names.iter().map(Name::safe).collect::<Vec<_>>().join(", ")
}

fn mounted(name: &str, candidate: &Candidate) -> Option<Check> {
    let point = candidate.mounted.as_ref()?;
    // The root cannot be unmounted while the machine runs.
    let unmount = format!(", or unmount it (umount {})", shell_quoted(point));
    let unmount = if point.as_bytes() == b"/" { "" } else { &unmount };
    let text = format!(
        "{name} is mounted on {} and would be overwritten: name another device{unmount}",
        point.safe()
    );
    Some(Check::refuse("mounted", text))
}

pub(super) fn file(name: &str, candidate: &Candidate) -> Vec<Check> {
    let mut all: Vec<Check> =
        candidate.behind.iter().map(|device| loop_device_check(name, device)).collect();
    if let Some(kind) = candidate.filesystem.known() {
        if NO_STORE.contains(&kind.as_str()) {
            let text = format!("{name} is on {kind}, which cannot hold swap: use a file on a disk");
            all.push(Check::refuse("filesystem", text));
        } else if REMOTE.contains(&kind.as_str()) {
            // Network I/O needs memory, which may wait for this very swap.
            let text =
                format!("{name} is on {kind}: network storage may fail when memory is short");
            all.push(Check::warn("filesystem", text));
        }
    }
    if let (Reading::Known(size_of), Reading::Known(allocated)) =
        (&candidate.size, &candidate.allocated)
        && allocated < size_of
    {
        let text = format!(
            "{name} has holes: {} of {} are not allocated. Fill it with dd or fallocate",
            size(size_of.saturating_sub(*allocated)),
            size(*size_of)
        );
        all.push(Check::refuse("holes", text));
    }
    all
}

fn header(name: &str, candidate: &Candidate, page_size: &Reading<u64>) -> Check {
    match &candidate.signature {
        Reading::Known(Signature::Swap(header)) => swap(name, header, candidate, page_size),
        Reading::Known(Signature::Image(mark)) => Check::refuse(
            "header",
            format!(
                "{name} holds a hibernation image ({mark}), which swapping would destroy. If it is stale: swapadm format {} --force image",
                shell_quoted(&candidate.path)
            ),
        ),
        Reading::Known(Signature::Old) => Check::refuse(
            "header",
            format!("{name} has a swap header of an obsolete format: format it"),
        ),
        Reading::Known(Signature::None) if is_empty(candidate) => {
            let path = shell_quoted(&candidate.path);
            let text = format!(
                "{name} is empty. To create a swap file there: rm {path}, then swapadm file create {path} SIZE"
            );
            Check::refuse("header", text)
        }
        Reading::Known(Signature::None) => Check::refuse(
            "header",
            format!(
                "{name} has no swap header: format it first (swapadm format {})",
                shell_quoted(&candidate.path)
            ),
        ),
        Reading::Missing { missing } => {
            Check::refuse("header", format!("{name}: its header cannot be read: {}", missing.why()))
        }
    }
}

/// Is it an empty file, as touch(1) creates?
fn is_empty(candidate: &Candidate) -> bool {
    let is_file = matches!(candidate.thing, Reading::Known(PathKind::File));
    is_file && matches!(candidate.size, Reading::Known(Bytes(0)))
}

fn swap(name: &str, header: &SwapHeader, candidate: &Candidate, page_size: &Reading<u64>) -> Check {
    if let Some(page) = page_size.known().filter(|page| **page != header.page_size) {
        let (made, here) = (size(Bytes(header.page_size)), size(Bytes(*page)));
        let text = format!(
            "{name} was formatted for pages of {made}, but this kernel uses {here}: format it again"
        );
        return Check::refuse("header", text);
    }
    if header.version != 1 {
        let text = format!(
            "{name} has a swap header of version {}, but the kernel accepts only 1: format it again",
            header.version
        );
        return Check::refuse("header", text);
    }
    let said = Bytes((u64::from(header.last_page) + 1).saturating_mul(header.page_size));
    match candidate.size.known() {
        Some(is) if *is < said => {
            let text = format!(
                "{name} is {}, but its header says {}: it has shrunk. Format it again",
                size(*is),
                size(said)
            );
            Check::refuse("header", text)
        }
        Some(is) if is.0 - said.0 >= header.page_size => {
            let more = size(is.saturating_sub(said));
            let text = format!(
                "{name} is larger than its header says: {more} stay unused until it is formatted again"
            );
            Check::note("header", text)
        }
        _ if header.turned => {
            let text = format!(
                "{name} has a swap header for {} in foreign byte order, which the kernel accepts",
                size(said)
            );
            Check::note("header", text)
        }
        _ => Check::ok("header", format!("{name} has a swap header for {}", size(said))),
    }
}

/// Refuses a file whose bytes belong to a loop device.
fn loop_device_check(name: &str, device: &Name) -> Check {
    let text = format!(
        "{name} is attached to {}: use that device, or detach it first (losetup -d {})",
        device.safe(),
        shell_quoted(device)
    );
    Check::refuse("held", text)
}

/// Can other users read or write swapped-out memory?
pub(super) fn privacy(name: &str, candidate: &Candidate, thing: PathKind) -> Vec<Check> {
    let (mask, fix) = match thing {
        PathKind::File => (FILE_MODE, "0600"),
        PathKind::Device { .. } | PathKind::Folder | PathKind::Other => (DEVICE_MODE, "0660"),
    };
    let path = shell_quoted(&candidate.path);
    let mode = candidate.mode.known().filter(|mode| **mode & mask != 0);
    let open = mode.map(|mode| {
        let text = format!("{name} is accessible to other users (mode {mode:04o}), who could read swapped-out memory: chmod {fix} {path}");
        Check::warn("permissions", text)
    });
    let owner = candidate.owner.known().filter(|owner| **owner != 0);
    let foreign = owner.map(|owner| {
        let text = format!(
            "{name} belongs to user {owner}, who could read swapped-out memory: chown root {path}"
        );
        Check::warn("owner", text)
    });
    open.into_iter().chain(foreign).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::actions::check::CheckVerdict;
    use crate::model::Missing;

    const MIB: u64 = 1 << 20;

    fn good() -> Candidate {
        Candidate {
            path: "/swap".into(),
            leads_to: None,
            thing: Reading::Known(PathKind::File),
            size: Reading::Known(Bytes(MIB)),
            allocated: Reading::Known(Bytes(MIB)),
            mode: Reading::Known(0o600),
            owner: Reading::Known(0),
            signature: Reading::Known(Signature::Swap(SwapHeader {
                page_size: 4096,
                version: 1,
                last_page: 255,
                bad_pages: 0,
                label: None,
                uuid: None,
                turned: false,
            })),
            filesystem: Reading::Known("ext4".to_owned()),
            mounted: None,
            behind: None,
            holders: Vec::new(),
            read_only: false,
        }
    }

    fn with_header(change: impl FnOnce(&mut SwapHeader)) -> Candidate {
        let mut candidate = good();
        if let Reading::Known(Signature::Swap(header)) = &mut candidate.signature {
            change(header);
        }
        candidate
    }

    /// The checks that are not simply ok.
    fn verdicts(candidate: &Candidate) -> Vec<(&'static str, CheckVerdict)> {
        let all = checks(candidate, &Reading::Known(4096));
        let all = all.into_iter().filter(|check| check.verdict != CheckVerdict::Ok);
        all.map(|check| (check.id, check.verdict)).collect()
    }

    #[test]
    fn empty_file_gets_the_command_to_create_swap() {
        let empty = Candidate {
            size: Reading::Known(Bytes(0)),
            allocated: Reading::Known(Bytes(0)),
            signature: Reading::Known(Signature::None),
            ..good()
        };
        let told = |candidate: &Candidate| header("/swap", candidate, &Reading::Known(4096)).text;
        let text = told(&empty);
        assert!(text.ends_with("rm /swap, then swapadm file create /swap SIZE"), "{text}");
        let thing = Reading::Known(PathKind::Device { major: 254, minor: 0 });
        assert!(told(&Candidate { thing, ..empty }).contains("swapadm format /swap"));
    }

    #[test]
    fn valid_candidate_passes() {
        assert_eq!(verdicts(&good()), []);
        let device = Candidate {
            thing: Reading::Known(PathKind::Device { major: 8, minor: 2 }),
            mode: Reading::Known(0o660),
            ..good()
        };
        assert_eq!(verdicts(&device), []);
    }

    #[test]
    fn candidate_the_kernel_rejects_is_refused() {
        let thing = |thing| Candidate { thing: Reading::Known(thing), ..good() };
        let device = || Candidate {
            mode: Reading::Known(0o660),
            ..thing(PathKind::Device { major: 8, minor: 2 })
        };
        let cases = [
            ("path", Candidate { thing: Missing::absent("/swap does not exist").into(), ..good() }),
            ("path", thing(PathKind::Folder)),
            ("path", thing(PathKind::Other)),
            ("holes", Candidate { allocated: Reading::Known(Bytes(MIB - 4096)), ..good() }),
            ("held", Candidate { behind: Some("/dev/loop0".into()), ..good() }),
            ("filesystem", Candidate { filesystem: Reading::Known("tmpfs".to_owned()), ..good() }),
            ("header", Candidate { signature: Reading::Known(Signature::None), ..good() }),
            ("header", Candidate { signature: Reading::Known(Signature::Old), ..good() }),
            (
                "header",
                Candidate { signature: Reading::Known(Signature::Image("S1".into())), ..good() },
            ),
            ("header", with_header(|header| header.page_size = 65536)),
            ("header", with_header(|header| header.version = 2)),
            ("header", with_header(|header| header.last_page = 256)),
            ("mounted", Candidate { mounted: Some("/home".into()), ..device() }),
            ("held", Candidate { holders: vec!["dm-0".into(), "md1".into()], ..device() }),
            ("readonly", Candidate { read_only: true, ..device() }),
        ];
        for (id, candidate) in cases {
            assert_eq!(verdicts(&candidate), [(id, CheckVerdict::Refuse)], "{candidate:?}");
        }
    }

    #[test]
    fn commands_in_texts_are_quoted() {
        let path = || Name::from("/swaps/a b");
        let device = || Candidate {
            path: path(),
            thing: Reading::Known(PathKind::Device { major: 8, minor: 2 }),
            mode: Reading::Known(0o660),
            ..good()
        };
        let no_header = Candidate { signature: Reading::Known(Signature::None), ..good() };
        let image = Signature::Image("S1".into());
        let cases = [
            ("chmod 0600", Candidate { mode: Reading::Known(0o644), ..good() }),
            ("chown root", Candidate { owner: Reading::Known(7), ..good() }),
            ("swapadm format", no_header),
            ("swapadm format", Candidate { signature: Reading::Known(image), ..good() }),
            ("losetup -d", Candidate { behind: Some(path()), ..good() }),
            ("umount", Candidate { mounted: Some(path()), ..device() }),
        ];
        for (command, candidate) in cases {
            let candidate = Candidate { path: path(), ..candidate };
            let all = checks(&candidate, &Reading::Known(4096));
            let line = format!("{command} '/swaps/a b'");
            assert!(all.iter().any(|check| check.text.contains(&line)), "{line}: {all:?}");
        }
    }

    #[test]
    fn risky_candidate_is_warned_about() {
        let open = Candidate { mode: Reading::Known(0o644), owner: Reading::Known(1000), ..good() };
        assert_eq!(
            verdicts(&open),
            [("permissions", CheckVerdict::Warn), ("owner", CheckVerdict::Warn)]
        );
        let small = with_header(|header| header.last_page = 100);
        assert_eq!(verdicts(&small), [("header", CheckVerdict::Note)]);
        let turned = with_header(|header| header.turned = true);
        assert_eq!(verdicts(&turned), [("header", CheckVerdict::Note)]);
    }
}
