//! The role for Ansible, run by the real one on this machine, with an `/etc` of its own.

use super::{env_required, have};
use nix::unistd::Uid;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use swapadm::model::name::safe_text;

const SETTING: &str = "/proc/sys/vm/page-cluster";

const PLAYBOOK: &str = "\
- hosts: localhost
  connection: local
  gather_facts: false
  roles: [swapadm]
";

/// A folder with the playbook, a copy of `/etc`, and the journal.
struct Site {
    folder: tempfile::TempDir,
}

impl Site {
    fn new(wanted: u64) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("site.yml"), PLAYBOOK).unwrap();
        let vars = format!(
            "{{\"swapadm_wanted\": {{\"settings\": {{\"page-cluster\": {wanted}}}}}, \"swapadm_apply_options\": [\"--wait\", \"60\"]}}"
        );
        fs::write(folder.path().join("vars.json"), vars).unwrap();
        let status = Command::new("cp").args(["-a", "/etc"]).arg(folder.path()).status().unwrap();
        assert!(status.success());
        Self { folder }
    }

    /// Runs a command where `/etc` is the copy, so that nothing outlasts the test.
    fn command(&self, arguments: &[&str]) -> Command {
        let program = Path::new(env!("CARGO_BIN_EXE_swapadm")).parent().unwrap();
        let path = std::env::var("PATH").unwrap_or_default();
        let mut command = Command::new("unshare");
        command.args(["--mount", "--propagation", "private", "sh", "-c"]);
        command.arg("mount --bind \"$0\" /etc && exec \"$@\"").arg(self.folder.path().join("etc"));
        command
            .args(arguments)
            .current_dir(self.folder.path())
            .env("PATH", format!("{}:{path}", program.display()))
            .env("SWAPADM_JOURNAL", self.folder.path().join("journal"))
            .env("ANSIBLE_ROLES_PATH", super::repository("fleet/ansible/roles"))
            .env("ANSIBLE_LOCALHOST_WARNING", "false")
            .env("ANSIBLE_INVENTORY_UNPARSED_WARNING", "false")
            .env("HOME", self.folder.path())
            .env("LC_ALL", "C.UTF-8");
        command
    }

    /// Runs the playbook; returns the number of changed tasks and what was printed.
    fn play(&self, options: &[&str]) -> (u32, String) {
        let playbook = ["ansible-playbook", "site.yml", "--extra-vars", "@vars.json"];
        let output = self.command(&[&playbook, options].concat()).output().unwrap();
        let text = printed(&output);
        assert!(output.status.success(), "{text}");
        let recap = text.lines().find(|line| line.contains("changed=")).unwrap();
        let changed = recap.split("changed=").nth(1).unwrap();
        (changed.split_whitespace().next().unwrap().parse().unwrap(), text)
    }
}

fn printed(output: &Output) -> String {
    let text = [output.stdout.as_slice(), output.stderr.as_slice()].concat();
    String::from_utf8_lossy(&text).lines().map(|line| safe_text(line) + "\n").collect()
}

fn setting() -> u64 {
    fs::read_to_string(SETTING).unwrap().trim().parse().unwrap()
}

/// Gives the setting its value back.
struct Restored(u64);

impl Drop for Restored {
    fn drop(&mut self) {
        let _ = fs::write(SETTING, self.0.to_string());
    }
}

#[test]
fn a_role_changes_the_machine_once() {
    if !Uid::effective().is_root() {
        assert!(!env_required(), "not root");
        eprintln!("skipped: a setting is changed only by root");
        return;
    }
    if !have(&["ansible-playbook", "unshare"]) {
        return;
    }
    let before = Restored(setting());
    let wanted = if before.0 == 2 { 1 } else { 2 };
    let site = Site::new(wanted);
    let (changed, text) = site.play(&["--check", "--diff"]);
    assert!(changed >= 2 && setting() == before.0, "{text}");
    assert!(text.contains("page-cluster"), "the difference is shown: {text}");
    let (changed, text) = site.play(&[]);
    assert!(changed >= 2 && setting() == wanted, "{text}");
    let (changed, text) = site.play(&[]);
    assert_eq!(changed, 0, "{text}");
    assert_eq!(site.play(&["--check"]).0, 0);
    let output = site.command(&["swapadm", "undo", "1", "--yes"]).output().unwrap();
    assert!(output.status.success() && setting() == before.0, "{}", printed(&output));
}
