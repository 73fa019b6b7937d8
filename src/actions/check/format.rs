//! Checks of devices and files to format, and of backing devices for zram.

use super::Check;
use super::candidate::{self, file, join_names, privacy};
use crate::actions::plan::Plan;
use crate::actions::{Step, shell_quoted};
use crate::columns::units::size;
use crate::model::candidate::{DetectedContent, FormatTarget, PathKind, Signature, SwapHeader};
use crate::model::format::{Format, Patch, SWAP_MAGIC};
use crate::model::{Bytes, Missing, Name, Reading};

/// Checks of a backing device for zram writeback, which is overwritten too.
pub(super) fn backing(target: &FormatTarget) -> Vec<Check> {
    let name = target.candidate.path.safe();
    if let Reading::Known(PathKind::File | PathKind::Folder | PathKind::Other) =
        target.candidate.thing
    {
        let text =
            format!("{name} is not a block device, and zram writeback needs one: name a device");
        return vec![Check::refuse("path", text)];
    }
    match active(&name, target) {
        // The header of an active area says nothing more.
        Some(active) => vec![active],
        None => all(target, &|name, header| Some(lost_header(name, header))),
    }
}

/// All checks of a target that the plan formats.
pub(super) fn checks(target: &FormatTarget, plan: &Plan) -> Vec<Check> {
    let path = &target.candidate.path;
    all(target, &|name, header| {
        let is_kept = |step: &Step| {
            matches!(step, Step::Header { path: own, format, back: false, .. } if own == path
                && (&format.label, &format.uuid) == (&header.label, &header.uuid))
        };
        (!plan.steps.iter().any(is_kept)).then(|| replaced(name, header))
    })
}

/// Checks an existing swap header of the named target.
type HeaderCheck<'c> = &'c dyn Fn(&str, &SwapHeader) -> Option<Check>;

/// All checks of a target.
fn all(target: &FormatTarget, of_header: HeaderCheck<'_>) -> Vec<Check> {
    let candidate = &target.candidate;
    let name = candidate.path.safe();
    let new_file = shell_quoted(&Name::new([candidate.path.as_bytes(), b"/swapfile"].concat()));
    let instead = format!("name a device, or create a file (swapadm file create {new_file} SIZE)");
    let thing = match candidate::storage(&name, candidate, &instead) {
        Ok(thing) => thing,
        Err(refusal) => return vec![refusal],
    };
    let is_file = thing == PathKind::File;
    let mut all = if is_file { file(&name, candidate) } else { used(&name, target) };
    all.extend(active(&name, target));
    all.extend(holders(&name, thing, target, of_header));
    all.extend(privacy(&name, candidate, thing));
    all
}

fn active(name: &str, target: &FormatTarget) -> Option<Check> {
    let own = shell_quoted(target.active.as_ref()?);
    Some(Check::refuse("active", format!("{name} is active swap: run swapadm off {own} first")))
}

/// Checks other users of the device.
fn used(name: &str, target: &FormatTarget) -> Vec<Check> {
    let mut all = candidate::used(name, &target.candidate);
    if !target.partitions.is_empty() {
        let text = format!(
            "{name} is a disk with partitions ({}): name a partition",
            join_names(&target.partitions)
        );
        all.push(Check::refuse("partitions", text));
    }
    all
}

/// Checks the contents of the target.
fn holders(
    name: &str,
    thing: PathKind,
    target: &FormatTarget,
    of_header: HeaderCheck<'_>,
) -> Vec<Check> {
    let (found, zero_pages) = match (&target.found, &target.zero_pages, &target.was) {
        (Reading::Known(found), Reading::Known(apart), Reading::Known(_)) => (found, *apart),
        (Reading::Missing { missing }, _, _)
        | (_, Reading::Missing { missing }, _)
        | (_, _, Reading::Missing { missing }) => {
            let text = format!("{name}: its contents cannot be read: {}", missing.why());
            return vec![Check::refuse("content", text)];
        }
    };
    let mut all: Vec<Check> = found.iter().map(|found| signature(name, found)).collect();
    match &target.candidate.signature {
        Reading::Known(Signature::Swap(header)) => all.extend(of_header(name, header)),
        Reading::Known(Signature::Image(mark)) => {
            let text = format!(
                "{name} holds a hibernation image ({mark}), which would be lost. If it is stale, accept with --force image"
            );
            all.push(Check::refuse("image", text));
        }
        Reading::Known(Signature::Old) => {
            let text = format!("{name} has a swap header of an obsolete format");
            all.push(Check::note("content", text));
        }
        Reading::Known(Signature::None) if found.is_empty() => {
            all.push(unknown_content(name, thing, zero_pages));
        }
        Reading::Missing { missing: missing @ Missing::Failed(_) } => {
            let text = format!("{name}: its contents cannot be read: {}", missing.why());
            all.push(Check::refuse("content", text));
        }
        Reading::Known(Signature::None) | Reading::Missing { .. } => {}
    }
    all
}

fn signature(name: &str, found: &DetectedContent) -> Check {
    let label = found.label.as_ref().map(|label| format!(" labelled \"{}\"", label.safe()));
    let text = format!(
        "{name} holds {}{}, which would be overwritten: name another device, or accept with --force signature",
        found.what,
        label.unwrap_or_default()
    );
    Check::refuse("signature", text)
}

fn replaced(name: &str, header: &SwapHeader) -> Check {
    let text = format!(
        "{name} already has a swap header{}, which is replaced: configuration that uses its label or UUID no longer finds it, unless --label and --uuid keep them",
        describe_header(header)
    );
    Check::note("header", text)
}

/// Checks restoring old content under a header; `was_on` says whether the area was enabled since,
/// if known. A file system without its contents looks as intact as one with them.
pub(super) fn old_content_check(step: &Step, was_on: Option<bool>) -> Option<Check> {
    let Step::Header { path, was, back: true, .. } = step else { return None };
    let (first, marks) = was.split_first()?;
    let is_swap = first.bytes.ends_with(SWAP_MAGIC);
    // A stale signature for larger pages, behind the restored header, is worthless.
    let is_nothing = |mark: &Patch| mark.is_clear() || mark.bytes == SWAP_MAGIC;
    if (first.is_clear() || is_swap) && marks.iter().all(is_nothing) {
        return None;
    }
    let name = path.safe();
    let why = match was_on {
        Some(true) => "it was used as swap since, which may have overwritten the rest",
        None => {
            "the machine was rebooted since, so it may have been used as swap, which overwrites the rest"
        }
        Some(false) => {
            let text = format!(
                "{name}: only its beginning is restored; the rest is unchanged unless another program used it as swap"
            );
            return Some(Check::warn("signature", text));
        }
    };
    let text = format!(
        "{name}: only its beginning can be restored, and {why}: leave it, or accept with --force signature"
    );
    Some(Check::refuse("signature", text))
}

/// Refuses to overwrite a disabled area, whose header may still be needed.
fn lost_header(name: &str, header: &SwapHeader) -> Check {
    let text = format!(
        "{name} is formatted as swap{} and disabled; it would be overwritten: name another device, or accept with --force signature",
        describe_header(header)
    );
    Check::refuse("signature", text)
}

fn describe_header(header: &SwapHeader) -> String {
    let label = header.label.as_ref().map(|label| format!(" labelled \"{}\"", label.safe()));
    let uuid = header.uuid.map(|uuid| format!(" with UUID {uuid}"));
    format!("{}{}", label.unwrap_or_default(), uuid.unwrap_or_default())
}

/// Content of unknown kind: a device may be only partly wiped, a file belongs to somebody.
fn unknown_content(name: &str, thing: PathKind, zero_pages: Option<Bytes>) -> Check {
    if let Some(apart) = zero_pages {
        let text = format!(
            "{name} holds no known data: its first and last MiB are zeros, and a page in each {} between them",
            size(apart)
        );
        return Check::ok("content", text);
    }
    let text = format!("{name} holds data of unknown kind");
    match thing {
        PathKind::File => {
            let why =
                "which would be overwritten: name another file, or accept with --force signature";
            Check::refuse("signature", format!("{text}, {why}"))
        }
        PathKind::Device { .. } | PathKind::Folder | PathKind::Other => {
            Check::warn("content", format!("{text}, which is overwritten"))
        }
    }
}

/// Checks the swap headers that a plan writes, on a kernel with this page size.
pub(super) fn headers(plan: &Plan, page_size: &Reading<u64>) -> Vec<Check> {
    let steps = plan.steps.iter().enumerate();
    let of_step = |(place, step): (usize, &Step)| {
        let (path, whole, format) = written(step)?;
        let mut later = plan.steps.iter().skip(place).filter_map(Step::enabled_area);
        let goes_on = later.any(|area| area.path == *path);
        let name = path.safe();
        let foreign = page_size.known().filter(|here| **here != format.page_size);
        let foreign = foreign.map(|here| foreign_pages(&name, format, *here, goes_on));
        let beyond = format.unused_part(whole).map(|beyond| too_many(&name, format, beyond));
        Some(foreign.into_iter().chain(beyond))
    };
    steps.filter_map(of_step).flatten().collect()
}

/// The header that a step writes, with its path and size.
fn written(step: &Step) -> Option<(&Name, Bytes, &Format)> {
    if let Step::Header { path, size, format, back: false, .. } = step {
        return Some((path, *size, format));
    }
    let Step::File { path, to: Some(form), .. } = step else { return None };
    Some((path, form.size, &form.format))
}

fn foreign_pages(name: &str, format: &Format, here: u64, goes_on: bool) -> Check {
    let (there, here) = (size(Bytes(format.page_size)), size(Bytes(here)));
    let text = format!("{name} gets a header for pages of {there}, but this kernel uses {here}");
    if goes_on {
        return Check::refuse(
            "page-size",
            format!("{text} and would refuse it: omit --page-size or --on"),
        );
    }
    let text = format!("{text}: it can be enabled only on a kernel with that page size");
    Check::warn("page-size", text)
}

fn too_many(name: &str, format: &Format, beyond: Bytes) -> Check {
    let text = format!(
        "{name}: a swap area can have at most {}; the other {} cannot be used: create several areas to use it all",
        size(format.size()),
        size(beyond)
    );
    Check::note("size", text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::actions::check::CheckVerdict;
    use crate::model::Missing;
    use crate::model::activation::{Activation, Discard, Priority};
    use crate::model::candidate::Candidate;
    use crate::model::format::{SwapFileSpec, Uuid};

    const MIB: u64 = 1 << 20;

    fn good() -> FormatTarget {
        let candidate = Candidate {
            path: "/dev/sdx1".into(),
            leads_to: None,
            thing: Reading::Known(PathKind::Device { major: 8, minor: 1 }),
            size: Reading::Known(Bytes(MIB)),
            allocated: Reading::Known(Bytes(MIB)),
            mode: Reading::Known(0o660),
            owner: Reading::Known(0),
            signature: Reading::Known(Signature::None),
            filesystem: Reading::Known("devtmpfs".to_owned()),
            mounted: None,
            behind: None,
            holders: Vec::new(),
            read_only: false,
        };
        FormatTarget {
            candidate,
            found: Reading::Known(Vec::new()),
            zero_pages: Reading::Known(Some(Bytes(64 << 10))),
            was: Reading::Known(Vec::new()),
            active: None,
            partitions: Vec::new(),
        }
    }

    fn target_with(change: impl FnOnce(&mut FormatTarget)) -> FormatTarget {
        let mut target = good();
        change(&mut target);
        target
    }

    fn file_target_with(change: impl FnOnce(&mut FormatTarget)) -> FormatTarget {
        let mut target = target_with(|target| {
            target.candidate.thing = Reading::Known(PathKind::File);
            target.candidate.mode = Reading::Known(0o600);
            target.candidate.filesystem = Reading::Known("ext4".to_owned());
        });
        change(&mut target);
        target
    }

    /// The checks of a target whose new header is not known.
    fn checks(target: &FormatTarget) -> Vec<Check> {
        super::checks(target, &Plan::on_areas(&[], String::new(), Vec::new()))
    }

    fn verdicts(target: &FormatTarget) -> Vec<(&'static str, CheckVerdict)> {
        shown(checks(target))
    }

    fn shown(all: Vec<Check>) -> Vec<(&'static str, CheckVerdict)> {
        let all = all.into_iter().filter(|check| check.verdict != CheckVerdict::Ok);
        all.map(|check| (check.id, check.verdict)).collect()
    }

    fn full(target: &mut FormatTarget) {
        target.zero_pages = Reading::Known(None);
    }

    #[test]
    fn empty_free_target_is_formatted() {
        assert_eq!(verdicts(&good()), []);
        assert_eq!(verdicts(&file_target_with(|_| {})), []);
        assert_eq!(verdicts(&target_with(full)), [("content", CheckVerdict::Warn)]);
    }

    #[test]
    fn used_target_is_refused() {
        let found = DetectedContent {
            what: "an ext4 file system".to_owned(),
            label: Some("data".into()),
            marks: vec![(1080, 2)],
        };
        let cases = [
            (
                "path",
                target_with(|it| it.candidate.thing = Missing::absent("x does not exist").into()),
            ),
            ("path", target_with(|it| it.candidate.thing = Reading::Known(PathKind::Folder))),
            ("path", target_with(|it| it.candidate.thing = Reading::Known(PathKind::Other))),
            ("mounted", target_with(|it| it.candidate.mounted = Some("/home".into()))),
            ("held", target_with(|it| it.candidate.holders = vec!["dm-0".into()])),
            ("partitions", target_with(|it| it.partitions = vec!["sdx1".into()])),
            ("readonly", target_with(|it| it.candidate.read_only = true)),
            ("active", target_with(|it| it.active = Some("/dev/sdx1".into()))),
            ("signature", target_with(|it| it.found = Reading::Known(vec![found.clone()]))),
            ("content", target_with(|it| it.found = Missing::Denied("/dev/sdx1".into()).into())),
            ("content", target_with(|it| it.candidate.signature = Reading::failed("I/O error"))),
            (
                "image",
                target_with(|it| {
                    it.candidate.signature = Reading::Known(Signature::Image("S1".into()));
                }),
            ),
            ("signature", file_target_with(full)),
            ("holes", file_target_with(|it| it.candidate.allocated = Reading::Known(Bytes(5)))),
            (
                "filesystem",
                file_target_with(|it| it.candidate.filesystem = Reading::Known("tmpfs".into())),
            ),
        ];
        for (id, target) in &cases {
            assert_eq!(verdicts(target), [(*id, CheckVerdict::Refuse)], "{target:?}");
        }
        for (id, target) in &cases {
            if target.candidate.thing.known().is_none_or(|it| matches!(it, PathKind::Device { .. }))
            {
                let said = shown(backing(target));
                assert_eq!(said, [(*id, CheckVerdict::Refuse)], "{target:?}");
            }
        }
        let text =
            &checks(&target_with(|it| it.found = Reading::Known(vec![found.clone()])))[0].text;
        assert!(
            text.starts_with("/dev/sdx1 holds an ext4 file system labelled \"data\""),
            "{text}"
        );
    }

    #[test]
    fn a_header_that_is_written_again_is_not_replaced() {
        let (size, label) = (Bytes(1 << 20), Some(Name::from("keep")));
        let uuid = Uuid::from_bytes(&[1; 16]).unwrap();
        let format = Format::new(size, 4096, uuid, label).unwrap();
        let header = SwapHeader { label: format.label.clone(), uuid: format.uuid, ..spare() };
        let target = target_with(|it| {
            it.candidate.signature = Reading::Known(Signature::Swap(header.clone()));
        });
        let notes = |format: Format| {
            let step = Step::format_new(target.candidate.path.clone(), size, format);
            let plan = Plan::on_areas(&[], String::new(), vec![step]);
            shown(super::checks(&target, &plan))
        };
        assert_eq!(notes(format.clone()), []);
        assert_eq!(notes(Format { label: None, ..format }), [("header", CheckVerdict::Note)]);
    }

    #[test]
    fn commands_in_texts_are_quoted() {
        let folder = target_with(|it| it.candidate.thing = Reading::Known(PathKind::Folder));
        let cases = [
            ("swapadm file create '/x y/swapfile' SIZE", folder),
            ("run swapadm off '/x y' first", target_with(|it| it.active = Some("/x y".into()))),
            ("run blockdev --setrw '/x y'", target_with(|it| it.candidate.read_only = true)),
        ];
        for (line, mut target) in cases {
            target.candidate.path = "/x y".into();
            let all = checks(&target);
            assert!(all.iter().any(|check| check.text.contains(line)), "{line}: {all:?}");
        }
    }

    #[test]
    fn restored_content_may_be_incomplete() {
        let uuid = Uuid::parse("5a9c0f3e-7b1d-4e62-8f40-00000000c0de").unwrap();
        let format = Format::new(Bytes(MIB), 4096, uuid, None).unwrap();
        let page = |bytes: Vec<u8>| Patch { at: 0, bytes };
        let said = |was: Vec<Patch>, was_on| {
            let step = Step::format("/dev/sdx1".into(), Bytes(MIB), format.clone(), was);
            assert_eq!(old_content_check(&step, was_on), None, "it is written, not restored");
            old_content_check(&step.inverse().unwrap(), was_on)
                .map(|check| (check.id, check.verdict))
        };
        let known = [Some(true), None, Some(false)];
        let (refuse, warn) =
            (("signature", CheckVerdict::Refuse), ("signature", CheckVerdict::Warn));
        let expected = [Some(refuse), Some(refuse), Some(warn)];
        assert_eq!(known.map(|on| said(vec![page(vec![7; 4096])], on)), expected);
        let mark = Patch { at: 65_600, bytes: vec![7; 8] };
        assert_eq!(known.map(|on| said(vec![page(vec![0; 4096]), mark.clone()], on)), expected);
        for harmless in [vec![0; 4096], format.page()] {
            assert_eq!(known.map(|on| said(vec![page(harmless.clone())], on)), [None; 3]);
        }
    }

    fn spare() -> SwapHeader {
        SwapHeader {
            page_size: 4096,
            version: 1,
            last_page: 255,
            bad_pages: 0,
            label: Some("spare".into()),
            uuid: None,
            turned: false,
        }
    }

    #[test]
    fn zram_keeps_files_and_inactive_swap() {
        let spare =
            target_with(|it| it.candidate.signature = Reading::Known(Signature::Swap(spare())));
        assert_eq!(verdicts(&spare), [("header", CheckVerdict::Note)]);
        assert_eq!(shown(backing(&spare)), [("signature", CheckVerdict::Refuse)]);
        assert!(backing(&spare)[0].text.contains("swap labelled \"spare\""));
        let mut active = spare.clone();
        active.active = Some("/dev/s".into());
        assert_eq!(shown(backing(&active)), [("active", CheckVerdict::Refuse)]);
        assert_eq!(shown(backing(&good())), []);
        assert_eq!(shown(backing(&file_target_with(|_| {}))), [("path", CheckVerdict::Refuse)]);
    }

    fn header_verdicts(page: u64, whole: u64, goes_on: bool) -> Vec<(&'static str, CheckVerdict)> {
        let uuid = Uuid::parse("5a9c0f3e-7b1d-4e62-8f40-00000000c0de").unwrap();
        let format = Format::new(Bytes(whole), page, uuid, None).unwrap();
        let form = SwapFileSpec { size: Bytes(whole), format: format.clone(), nocow: false };
        let path = || Name::from("/s");
        let area = Activation { path: path(), priority: Priority::Default, discard: Discard::None };
        let on = || goes_on.then(|| Step::On { area: area.clone() });
        let of = |step: Step| {
            let steps = std::iter::once(step).chain(on()).collect();
            let plan = Plan { steps, ..Plan::without_steps(String::new()) };
            let all = headers(&plan, &Reading::Known(4096));
            all.into_iter().map(|check| (check.id, check.verdict)).collect::<Vec<_>>()
        };
        let file = of(Step::File { path: path(), from: None, to: Some(form) });
        let header = of(Step::format_new(path(), Bytes(whole), format));
        assert_eq!(file, header);
        file
    }

    #[test]
    fn foreign_page_size_and_excess_pages_are_reported() {
        assert_eq!(header_verdicts(4096, 1 << 20, true), []);
        assert_eq!(header_verdicts(65536, 1 << 20, false), [("page-size", CheckVerdict::Warn)]);
        assert_eq!(header_verdicts(65536, 1 << 20, true), [("page-size", CheckVerdict::Refuse)]);
        assert_eq!(header_verdicts(4096, 1 << 44, true), [("size", CheckVerdict::Note)]);
        assert_eq!(header_verdicts(4096, (1 << 44) - 4096, true), []);
    }
}
