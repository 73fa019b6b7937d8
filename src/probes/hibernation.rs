//! `/sys/power`: the device that the machine resumes from after hibernation, and `resume=` on the command
//! line.
//!
//! Kernel: `kernel/power/hibernate.c`, all versions with `CONFIG_HIBERNATION`; `resume_offset` since
//! 4.17; readable by everyone. systemd can store the location in an EFI variable instead, which is not read
//! here.

use super::{Probe, ReadInterval, cmdline};
use crate::model::kernel::Hibernation;
use crate::model::{Bytes, Missing, Name, Part, Reading};
use crate::root::Root;
use std::path::Path;

/// Description of this probe.
pub static PROBE: Probe = Probe {
    part: Part::Hibernation,
    id: "hibernation",
    tier: ReadInterval::Medium,
    files: &[
        RESUME,
        MODES,
        "sys/power/resume_offset",
        "sys/power/image_size",
        "sys/dev/block/*",
        cmdline::PATH,
    ],
    about: "The device that the machine resumes from after hibernation",
    remedy: "boot a kernel with CONFIG_HIBERNATION, if the machine should hibernate",
};

const RESUME: &str = "sys/power/resume";
/// The file with the modes of hibernation.
const MODES: &str = "sys/power/disk";
/// The only mode where hibernation is forbidden, as by lockdown.
const DISABLED: &str = "[disabled]";
/// Parameters of the command line that forbid resume or hibernation.
const NOT: [&[u8]; 4] = [b"noresume", b"nohibernate", b"hibernate=noresume", b"hibernate=no"];

/// Reads all fields; only single fields can be missing, unless the kernel has no hibernation.
pub fn read(root: &Root) -> Reading<Hibernation> {
    if root.line(MODES).known().is_some_and(|modes| modes == DISABLED) {
        return Reading::absent(format!("hibernation is disabled: see /{MODES}"));
    }
    root.line(RESUME).and_then(|number| {
        Reading::Known(Hibernation {
            resume: device(root, &number),
            resume_offset: root.number("sys/power/resume_offset"),
            image_size: root.number("sys/power/image_size").map(Bytes),
            asked: resume_parameter(root),
        })
    })
}

/// The device of this number, such as `259:3`.
fn device(root: &Root, number: &str) -> Reading<Name> {
    let parts = number.split_once(':').map(|(major, minor)| (major.parse(), minor.parse()));
    let Some((Ok(major), Ok(minor))) = parts else {
        return crate::root::unexpected(RESUME, "a device number", number.as_bytes());
    };
    if (major, minor) == (0_u32, 0_u32) {
        return Reading::absent("no resume device is set");
    }
    let link = root.link(format!("sys/dev/block/{major}:{minor}"));
    let name = link.known().and_then(|target| Path::new(target).file_name());
    match (name, link.missing()) {
        (Some(name), _) => Reading::Known(Name::new(name.as_encoded_bytes())),
        (None, Some(Missing::Absent(_)) | None) => {
            Reading::failed(format!("device {major}:{minor} has no name in sysfs"))
        }
        (None, Some(missing)) => missing.clone().into(),
    }
}

/// The value of `resume=`; the last of several wins.
fn resume_parameter(root: &Root) -> Reading<Name> {
    cmdline::read(root).and_then(|options| {
        if options.iter().any(|option| NOT.contains(&option.as_slice())) {
            return Reading::absent("the kernel command line forbids resume");
        }
        match cmdline::values(&options, "resume").next_back() {
            Some(what) if !what.is_empty() => Reading::Known(Name::new(what)),
            _ => Reading::absent("the kernel command line has no resume="),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::root::testing::{TestTree, mangled};

    fn tree(resume: &str) -> TestTree {
        let tree = TestTree::with(&[
            (RESUME, resume),
            ("sys/power/resume_offset", "34816\n"),
            ("sys/power/image_size", "6740500480\n"),
            (cmdline::PATH, "quiet resume=UUID=a resume=/dev/sda2 resume_offset=34816\n"),
            ("sys/devices/sda/sda2/size", "8\n"),
        ]);
        tree.link("sys/dev/block/8:2", "../../devices/sda/sda2");
        tree
    }

    #[test]
    fn the_device_is_given_by_name() {
        let told = read(&tree("8:2\n").root()).into_result().unwrap();
        assert_eq!(told.resume, Reading::Known("sda2".into()));
        assert_eq!(told.resume_offset, Reading::Known(34816));
        assert_eq!(told.image_size, Reading::Known(Bytes(6_740_500_480)));
        assert_eq!(told.asked, Reading::Known("/dev/sda2".into()));
    }

    #[test]
    fn no_device_is_absent_and_an_unknown_one_is_failed() {
        let of = |resume: &str| read(&tree(resume).root()).into_result().unwrap().resume;
        let kind = |resume: &str| of(resume).missing().map(Missing::kind);
        assert_eq!(
            (kind("0:0\n"), kind("8:9\n"), kind("sda\n")),
            (Some("absent"), Some("failed"), Some("failed"))
        );
        assert_eq!(read(&TestTree::new().root()).missing().unwrap().kind(), "absent");
        mangled(b"8:2\n", 300, |bytes| drop(read(&TestTree::with(&[(RESUME, bytes)]).root())));
        let forbidden = TestTree::with(&[(RESUME, "0:0\n"), (MODES, "[disabled]\n")]);
        assert!(read(&forbidden.root()).missing().unwrap().why().contains("disabled"));
        let not =
            TestTree::with(&[(RESUME, "0:0\n"), (cmdline::PATH, "resume=/dev/sda2 noresume\n")]);
        assert!(read(&not.root()).into_result().unwrap().asked.missing().is_some());
        let silent = TestTree::with(&[(RESUME, "0:0\n"), (cmdline::PATH, "quiet\n")]);
        let silent = read(&silent.root()).into_result().unwrap();
        assert!(silent.asked.missing().is_some() && silent.image_size.missing().is_some());
    }
}
