//! Commands that only read keep no capability that reading does not need.

use crate::areas;
use crate::lab::retry;
use crate::{file, in_lab, program};
use nix::fcntl::{FcntlArg, fcntl};
use std::fs;
use std::io::Read as _;
use std::process::Stdio;
use std::time::Duration;

/// `CAP_DAC_READ_SEARCH`, `CAP_NET_ADMIN`, `CAP_SYS_RAWIO`, `CAP_SYS_PTRACE`, `CAP_SYS_ADMIN`, `CAP_SYSLOG`.
const TO_READ: u64 = 0x4_002a_1004;
/// `CAP_DAC_READ_SEARCH`.
const TO_READ_FILES: u64 = 0x4;

#[test]
fn commands_that_only_read_drop_what_they_do_not_need() {
    in_lab("commands_that_only_read_drop_what_they_do_not_need", |lab| {
        // Its figures are read by a child process.
        let _device = areas::new_zram(lab)?;
        let recording = lab.scratch.file("x.rec");
        let own = capabilities("/proc/self/status");
        let recorded = file::text(&recording);
        let captured = lab.scratch.file("captured");
        // Commands that end by themselves wait until it is read, which nobody does.
        let (_reader, pipe) = std::io::pipe().expect("a pipe");
        fcntl(&pipe, FcntlArg::F_SETPIPE_SZ(4096)).expect("a smaller pipe");
        for (arguments, kept) in [
            (&["metrics", "--listen", "0"][..], TO_READ),
            (&["record", recorded, "--interval", "0.1"], TO_READ),
            (&["report", "--json", "--interval", "0.1"], TO_READ),
            (&["watch", "--plain", "--interval", "0.1"], TO_READ),
            (&["capture", file::text(&captured)], TO_READ),
            (&["replay", recorded, "counters", "--output", "all", "--json"], TO_READ_FILES),
            (&["--recording", recorded, "report", "--json"], TO_READ_FILES),
            (&["--sysroot", file::text(&captured), "report", "--json"], TO_READ_FILES),
        ] {
            let mut command = program::command(&lab.scratch.program(), arguments);
            let output = if kept == TO_READ {
                Stdio::null()
            } else {
                pipe.try_clone().expect("a pipe").into()
            };
            let command = command.stdout(output).stderr(Stdio::null());
            let mut child = command.spawn().expect("it starts");
            let status = format!("/proc/{}/status", child.id());
            let dropped =
                retry(|| Some(()).filter(|()| has_no_new_privs(&status)).ok_or("not yet"));
            assert_eq!(dropped, Ok(()), "{arguments:?}");
            let ends = arguments[0] == "capture";
            if !ends {
                // Its threads and children start with the first sample.
                std::thread::sleep(Duration::from_millis(500));
            }
            let all = statuses(child.id());
            if !ends {
                let _ = child.kill();
            }
            let _ = child.wait();
            assert!(!all.is_empty(), "{arguments:?}: nothing was read");
            for (path, status) in all {
                assert_eq!(status, (own & kept, true), "{arguments:?}: {path}");
            }
        }
        Ok(())
    });
}

#[test]
fn nothing_is_denied_to_a_command_that_dropped_capabilities() {
    in_lab("nothing_is_denied_to_a_command_that_dropped_capabilities", |lab| {
        let words = ["sources", "--raw", "-o", "source,state", "--interval", "0.1"];
        let command = |words: &[&str]| program::command(&lab.scratch.program(), words);
        let whole = command(&words[..4]).output().expect("it starts").stdout;
        let mut child = command(&words).stdout(Stdio::piped()).spawn().expect("it starts");
        let mut first = vec![0; whole.len()];
        let read = child.stdout.take().expect("a pipe").read_exact(&mut first);
        let _ = (child.kill(), child.wait());
        read.expect("a table");
        assert_eq!(String::from_utf8_lossy(&first), String::from_utf8_lossy(&whole));
        Ok(())
    });
}

/// The capabilities and `no_new_privs` of all threads of a process and its children.
fn statuses(pid: u32) -> Vec<(String, (u64, bool))> {
    let tasks = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let folders: Vec<_> = tasks.map(|task| task.path()).collect();
    let children = folders.iter().flat_map(|folder| {
        let children = fs::read_to_string(folder.join("children")).unwrap_or_default();
        children.split_whitespace().filter_map(|child| child.parse().ok()).collect::<Vec<u32>>()
    });
    let below: Vec<_> = children.flat_map(statuses).collect();
    let own = folders.iter().map(|folder| {
        let path = folder.join("status").to_string_lossy().into_owned();
        (path.clone(), (capabilities(&path), has_no_new_privs(&path)))
    });
    own.chain(below).collect()
}

fn has_no_new_privs(status: &str) -> bool {
    fs::read_to_string(status).is_ok_and(|text| text.contains("NoNewPrivs:\t1"))
}

/// The effective and permitted capabilities of a process.
fn capabilities(status: &str) -> u64 {
    let text = fs::read_to_string(status).unwrap_or_default();
    let mask = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name));
        u64::from_str_radix(line.unwrap_or_default().trim(), 16).unwrap_or(u64::MAX)
    };
    mask("CapEff:") | mask("CapPrm:")
}
