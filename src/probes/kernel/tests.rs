#![allow(clippy::disallowed_methods, reason = "tests build their own trees")]

use super::*;
use crate::root::testing::TestTree;

fn kernel(files: &[(&str, &str)]) -> Kernel {
    let tree = TestTree::new();
    for (file, text) in files {
        tree.write(file, text);
    }
    read(&tree.root()).into_result().unwrap()
}

#[test]
fn an_empty_tree_has_a_reason_for_every_field() {
    let json = serde_json::to_value(kernel(&[])).unwrap();
    for (name, value) in json.as_object().unwrap() {
        assert!(value.get("missing").is_some(), "{name}: {value}");
    }
}

#[test]
fn the_fields_of_a_machine() {
    let kernel = kernel(&[
        ("proc/sys/kernel/osrelease", "7.2.13\n"),
        ("proc/uptime", "350.93 700.12\n"),
        ("proc/stat", "cpu  1 2\ncpu0 1\ncpu12 1\nintr 5\ncpufreq 1\n"),
    ]);
    assert_eq!(kernel.release, Reading::Known("7.2.13".to_owned()));
    assert_eq!(kernel.uptime_s, Reading::Known(350.93));
    assert_eq!(kernel.cpus, Reading::Known(2));
}

#[test]
fn an_uptime_of_another_form_fails() {
    for bad in ["", "never", "-5 0", "inf 0"] {
        let uptime = kernel(&[("proc/uptime", bad)]).uptime_s;
        assert_eq!(uptime.missing().unwrap().kind(), "failed", "{bad}");
    }
}

#[test]
fn a_list_of_processors_is_counted() {
    assert_eq!(count_list(b"0-3,5,8-9"), Some(7));
    for bad in [&b""[..], b"3-1", b"0-", b"a", b"0-18446744073709551615", b"0,,1"] {
        assert_eq!(count_list(bad), None, "{bad:?}");
    }
}
