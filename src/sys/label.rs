//! Extended attributes of files: ACLs, and labels of security modules.

use crate::ffi;
use nix::errno::Errno;
use nix::sys::statfs::{SELINUX_MAGIC, statfs};
use std::ffi::{CStr, CString};
use std::fs::File;

/// The access control list.
const ACCESS: &CStr = c"system.posix_acl_access";
/// The `SELinux` label.
const SELINUX: &CStr = c"security.selinux";
/// Attributes tied to the content: IMA and EVM hashes or signatures.
const OF_CONTENT: [&CStr; 2] = [c"security.ima", c"security.evm"];
/// Mount point of `selinuxfs`.
const SELINUX_AT: &str = "/sys/fs/selinux";

/// Copies attributes from one file to another, except those tied to the content. Access attributes
/// that a folder gave the new file are removed unless the old one has them.
pub(super) fn copy(from: &File, to: &File) -> Result<(), Errno> {
    let (wanted, given) = (names(from)?, names(to)?);
    if given.iter().any(|name| **name == *ACCESS) && !wanted.iter().any(|name| **name == *ACCESS) {
        ffi::remove_label(to, ACCESS)?;
    }
    for name in wanted.iter().filter(|name| !OF_CONTENT.contains(&name.as_c_str())) {
        match copy_one(name, from, to) {
            // File systems show some that nobody can set, such as what they inherit.
            Err(Errno::EOPNOTSUPP | Errno::EINVAL | Errno::ENODATA) if !is_needed(name) => {}
            other => other?,
        }
    }
    Ok(())
}

/// Does the attribute control access?
fn is_needed(name: &CStr) -> bool {
    name == ACCESS || name.to_bytes().starts_with(b"security.")
}

fn copy_one(name: &CStr, from: &File, to: &File) -> Result<(), Errno> {
    let value = ffi::label(from, name)?;
    // Setting a label needs no privilege if it is already there.
    if ffi::label(to, name).as_ref() != Ok(&value) {
        ffi::set_label(to, name, &value)?;
    }
    Ok(())
}

fn names(file: &File) -> Result<Vec<CString>, Errno> {
    let list = match ffi::list_labels(file) {
        // The file system has no attributes.
        Err(Errno::EOPNOTSUPP) => return Ok(Vec::new()),
        other => other?,
    };
    let names = list.split(|byte| *byte == 0).filter(|name| !name.is_empty());
    Ok(names.filter_map(|name| CString::new(name).ok()).collect())
}

/// Labels a file as swap where `SELinux` is on: other types may not be enabled by every process. If
/// the label is refused or unsupported, swapon reports the problem later.
pub(super) fn label_as_swap(file: &File) {
    if statfs(SELINUX_AT).is_ok_and(|it| it.filesystem_type() == SELINUX_MAGIC) {
        let _ = name_swap(file);
    }
}

fn name_swap(file: &File) -> Result<(), Errno> {
    let is = match ffi::label(file, SELINUX) {
        Ok(is) => is,
        Err(Errno::ENODATA) => Vec::new(),
        Err(error) => return Err(error),
    };
    let wanted = swap_label(&is);
    if is == wanted { Ok(()) } else { ffi::set_label(file, SELINUX, &wanted) }
}

/// The label with the type of swap files and the same user, role and range, as mkswap sets it.
fn swap_label(is: &[u8]) -> Vec<u8> {
    let is = is.strip_suffix(b"\0").unwrap_or(is);
    let fields: Vec<&[u8]> = is.splitn(4, |byte| *byte == b':').collect();
    let mut label = match fields.as_slice() {
        [user, role, _, rest @ ..] => {
            let mut fields: Vec<&[u8]> = vec![user, role, b"swapfile_t"];
            fields.extend(rest);
            fields.join(&b':')
        }
        _ => b"system_u:object_r:swapfile_t:s0".to_vec(),
    };
    label.push(0);
    label
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selinux_label_keeps_all_but_the_type() {
        let swap = |is: &str| String::from_utf8(swap_label(is.as_bytes())).unwrap();
        let cases = [
            (
                "unconfined_u:object_r:default_t:s0:c1,c2\0",
                "unconfined_u:object_r:swapfile_t:s0:c1,c2\0",
            ),
            ("a:b:etc_t", "a:b:swapfile_t\0"),
            ("", "system_u:object_r:swapfile_t:s0\0"),
            ("_", "system_u:object_r:swapfile_t:s0\0"),
        ];
        for (is, wanted) in cases {
            assert_eq!(swap(is), wanted, "{is}");
        }
    }

    #[test]
    fn file_gets_the_swap_label() {
        let file = tempfile::tempfile().unwrap();
        // Needs root, and a file system with labels.
        match name_swap(&file) {
            Err(Errno::EPERM | Errno::EACCES | Errno::EOPNOTSUPP) => return,
            other => other.unwrap(),
        }
        let label = ffi::label(&file, SELINUX).unwrap();
        assert!(label.ends_with(b":swapfile_t:s0\0"), "{label:?}");
        assert_eq!(name_swap(&file), Ok(()));
    }
}
