//! The role for Ansible, run by the real one, with an `/etc`, a `/run` and a kernel setting of its own. Nothing of
//! this machine is changed.

use super::{blocks_of_the_page, env_required, have, repository};
use nix::unistd::Uid;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};
use swapadm::model::name::safe_text;

/// Mounts the folders and the setting of the site, and runs a command there.
const PRIVATE: &str = "mount --bind etc /etc && mount -t tmpfs tmpfs /run && \
                       mount --bind page-cluster /proc/sys/vm/page-cluster && exec \"$@\"";
const DROP_IN: &str = "etc/sysctl.d/90-swapadm.conf";
const UNITS: &str = "packaging/systemd";

/// A folder with a playbook, a copy of `/etc` with the units, the setting, and the journal.
struct Site {
    folder: tempfile::TempDir,
}

impl Site {
    /// The playbook of docs/FLEET.md, on this machine.
    fn new() -> Self {
        let site = Self { folder: tempfile::tempdir().unwrap() };
        let playbook = blocks_of_the_page("yaml").concat();
        site.write("site.yml", &playbook.replace("hosts: all", "hosts: localhost"));
        site.write("page-cluster", "3\n");
        let status = Command::new("cp").args(["-a", "/etc"]).arg(site.folder.path()).status();
        assert!(status.unwrap().success());
        site
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// Copies the program and its units to where the package would install them.
    fn install(&self) {
        for unit in fs::read_dir(repository(UNITS)).unwrap() {
            let unit = unit.unwrap();
            let target = self.path("etc/systemd/system").join(unit.file_name());
            fs::copy(unit.path(), target).unwrap();
        }
        let program = self.path("bin/swapadm");
        fs::create_dir(program.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_swapadm"), program).unwrap();
    }

    /// Runs a command in the mounts of the site.
    fn run(&self, arguments: &[&str]) -> Output {
        let path = std::env::var("PATH").unwrap_or_default();
        let mut command = Command::new("unshare");
        command.args(["--mount", "--propagation", "private", "sh", "-c", PRIVATE, "sh"]);
        command
            .args(arguments)
            .current_dir(self.folder.path())
            .env("PATH", format!("{}:{path}", self.path("bin").display()))
            .env("SWAPADM_JOURNAL", self.path("journal"))
            .env("SYSTEMD_OFFLINE", "1")
            .env("ANSIBLE_ROLES_PATH", repository("fleet/ansible/roles"))
            .env("ANSIBLE_LIBRARY", repository("fleet/ansible/roles/swapadm/library"))
            .env("ANSIBLE_LOCALHOST_WARNING", "false")
            .env("ANSIBLE_INVENTORY_UNPARSED_WARNING", "false")
            .env("HOME", self.folder.path())
            .env("LC_ALL", "C.UTF-8");
        command.output().unwrap()
    }

    /// Runs the playbook; returns the number of changed tasks and what was printed.
    fn play(&self, options: &[&str]) -> (u32, String) {
        let playbook = ["ansible-playbook", "--connection", "local", "site.yml"];
        let output = self.run(&[&playbook, options].concat());
        let text = printed(&output);
        assert!(output.status.success(), "{text}");
        let recap = text.lines().find(|line| line.contains("changed=")).unwrap();
        let changed = recap.split("changed=").nth(1).unwrap();
        (changed.split_whitespace().next().unwrap().parse().unwrap(), text)
    }

    /// Starts what a unit starts, if its conditions hold; returns the exit status.
    fn start(&self, unit: &str) -> Option<i32> {
        let conditions = self.run(&["systemd-analyze", "condition", &format!("--unit={unit}")]);
        assert!(conditions.status.success(), "{unit}: {}", printed(&conditions));
        let text = self.text(&format!("etc/systemd/system/{unit}"));
        let line = text.lines().find_map(|line| line.strip_prefix("ExecStart=/usr/bin/"));
        self.run(&["sh", "-c", line.unwrap()]).status.code()
    }
}

fn printed(output: &Output) -> String {
    let text = [output.stdout.as_slice(), output.stderr.as_slice()].concat();
    String::from_utf8_lossy(&text).lines().map(|line| safe_text(line) + "\n").collect()
}

/// Whether the role can be run here.
fn can_play() -> bool {
    if !Uid::effective().is_root() {
        assert!(!env_required(), "not root");
        eprintln!("skipped: only root has mounts of its own");
        return false;
    }
    have(&["ansible-playbook", "unshare", "systemd-analyze", "systemctl"])
}

#[test]
#[ignore = "runs Ansible for most of a minute: tests/fleet/run.sh"]
fn a_role_changes_the_machine_once_and_its_units_keep_watch() {
    if !can_play() {
        return;
    }
    let site = Site::new();
    site.install();
    let (changed, text) = site.play(&["--check", "--diff"]);
    assert!(changed >= 4 && site.text("page-cluster") == "3\n", "{text}");
    assert!(text.contains("page-cluster = 0"), "the difference is shown: {text}");
    let (changed, text) = site.play(&[]);
    assert!(changed >= 4 && site.text("page-cluster").trim() == "0", "{text}");
    assert!(site.text(DROP_IN).contains("vm.page-cluster = 0"));
    assert_eq!(site.play(&[]).0, 0);
    assert_eq!(site.play(&["--check"]).0, 0);
    let enabled = site.run(&["systemctl", "is-enabled", "swapadm-check.timer"]);
    assert_eq!(printed(&enabled), "enabled\n");
    assert_eq!(site.start("swapadm-check.service"), Some(0));
    site.write("page-cluster", "1\n");
    assert_eq!(site.start("swapadm-check.service"), Some(1), "the check fails where swap differs");
    assert_eq!(site.start("swapadm-apply.service"), Some(0));
    assert_eq!(site.text("page-cluster").trim(), "0");
    let drop_in = site.text(DROP_IN);
    site.write(DROP_IN, "vm.page-cluster = 1\n");
    let (changed, text) = site.play(&["--check", "--diff"]);
    assert!(changed == 1 && text.contains("+ vm.page-cluster = 0"), "only the next boot: {text}");
    site.write(DROP_IN, &drop_in);
    let output = site.run(&["swapadm", "undo", "1", "--yes"]);
    assert!(output.status.success(), "{}", printed(&output));
    assert!(site.text("page-cluster").trim() == "3" && !site.path(DROP_IN).exists());
}

#[test]
#[ignore = "runs Ansible for most of a minute: tests/fleet/run.sh"]
fn options_of_the_role_are_words_of_a_shell() {
    if !can_play() {
        return;
    }
    let site = Site::new();
    site.install();
    site.play(&["--extra-vars", r#"{"swapadm_apply_options": ["--wait 60", "--timeout '5m'"]}"#]);
    assert_eq!(site.text("page-cluster").trim(), "0");
    assert!(!site.path(DROP_IN).exists(), "without --persist");
}

#[test]
#[ignore = "runs Ansible for most of a minute: tests/fleet/run.sh"]
fn a_host_without_the_program_can_be_checked() {
    if !can_play() {
        return;
    }
    let site = Site::new();
    site.write("swapadm.deb", "");
    let package = format!("swapadm_package_file={}", site.path("swapadm.deb").display());
    let (changed, text) = site.play(&["--check", "--extra-vars", &package]);
    assert!(changed >= 4, "{text}");
    for (option, success) in [("--check", true), ("--diff", false)] {
        let arguments = r#"{"wanted": {}, "program": "swapadm-of-nobody"}"#;
        let module = ["ansible", "localhost", "-m", "swapadm_apply", "-a", arguments, option];
        let output = site.run(&module);
        let text = printed(&output);
        assert_eq!(output.status.success(), success, "{text}");
        assert!(text.contains("swapadm-of-nobody is not installed"), "{text}");
        assert_eq!(text.contains("\"changed\": true"), success, "{text}");
    }
}

/// The role writes a file that the units wait for.
#[test]
fn units_wait_for_the_file_of_the_role() {
    let defaults = repository("fleet/ansible/roles/swapadm/defaults/main.yml");
    let defaults = fs::read_to_string(defaults).unwrap();
    let file = defaults.lines().find_map(|line| line.strip_prefix("swapadm_wanted_file: "));
    for unit in ["swapadm-check.service", "swapadm-apply.service"] {
        let text = fs::read_to_string(repository(UNITS).join(unit)).unwrap();
        for file in ["/etc/swapadm/wanted.toml", file.unwrap()] {
            let condition = format!("ConditionPathExists=|{file}");
            assert!(text.lines().any(|line| line == condition), "{unit}: {condition}");
        }
    }
}
