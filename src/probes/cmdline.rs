//! `/proc/cmdline`: options that the kernel, systemd and its generators take from the boot loader.
//!
//! Kernel: `init/main.c` and `kernel/params.c`, all versions; readable by everyone. Double quotes keep spaces in a
//! value.
//!
//! Not done here: tracing the command line for captures, since it may hold private data: a capture keeps the options
//! about swap; and options that systemd reads from an EFI variable.

use crate::model::Reading;
use crate::root::Root;

/// The file, relative to the root.
pub(super) const PATH: &str = "proc/cmdline";
/// Longer than any kernel's command line.
const LONGEST: usize = 16 << 10;
/// Values that systemd takes for "no".
const NO: [&str; 6] = ["0", "no", "n", "false", "f", "off"];

/// Reads the options, without quotes.
pub(super) fn read(root: &Root) -> Reading<Vec<Vec<u8>>> {
    root.open_file(PATH).and_then(|file| {
        let mut line = vec![0; LONGEST];
        match file.read_at(0, &mut line) {
            Ok(len) => Reading::Known(split(line.get(..len).unwrap_or_default())),
            Err(error) => Reading::failed(format!("cannot read /{PATH}: {error}")),
        }
    })
}

fn split(line: &[u8]) -> Vec<Vec<u8>> {
    let mut is_quoted = false;
    let options = line.split(|byte| {
        is_quoted ^= *byte == b'"';
        byte.is_ascii_whitespace() && !is_quoted
    });
    let without_quotes =
        |option: &[u8]| option.iter().copied().filter(|byte| *byte != b'"').collect::<Vec<u8>>();
    options.map(without_quotes).filter(|option| !option.is_empty()).collect()
}

/// The values of an option, in order.
pub(super) fn values<'o>(
    options: &'o [Vec<u8>],
    key: &'static str,
) -> impl DoubleEndedIterator<Item = &'o [u8]> {
    let value = move |option: &'o Vec<u8>| {
        option.strip_prefix(key.as_bytes()).and_then(|rest| rest.strip_prefix(b"="))
    };
    options.iter().filter_map(value)
}

/// Checks whether a switch of systemd is turned off; the last of several options counts.
pub(super) fn is_off(options: &[Vec<u8>], key: &'static str) -> bool {
    let last = values(options, key).next_back();
    last.is_some_and(|value| NO.iter().any(|no| value.eq_ignore_ascii_case(no.as_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::root::testing::TestTree;

    #[test]
    fn quotes_keep_spaces_and_the_last_value_of_a_switch_counts() {
        let tree = TestTree::with(&[(PATH, "a  b=\"c d\" \"e=f g\" swap=no swap=1 x=Off\n")]);
        let options = read(&tree.root()).into_result().unwrap();
        let expected: [&[u8]; 6] = [b"a", b"b=c d", b"e=f g", b"swap=no", b"swap=1", b"x=Off"];
        assert_eq!(options, expected);
        assert!(!is_off(&options, "swap") && is_off(&options, "x") && !is_off(&options, "a"));
        assert_eq!(read(&TestTree::new().root()).missing().unwrap().kind(), "absent");
    }
}
