//! Many hosts: a real Prometheus and `node_exporter` with the rules and dashboards of `fleet/`.
//!
//! Needs the programs `prometheus`, `promtool`, `prometheus-node-exporter` and `ansible-playbook`; what is
//! missing is skipped, unless `SWAPADM_FLEET_REQUIRE` is 1. Everything listens on the loopback interface.

#![allow(clippy::disallowed_methods, reason = "tests build their own trees")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "the helpers of a test stop it"
)]

use crate::common;
mod ansible;

use common::{Machine, repository};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs::{self, Permissions};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The hosts by their label, and how long all of them may take to show themselves.
const HOSTS: [&str; 5] = ["real", "captured", "simulated", "recorded", "textfile"];
const PATIENCE: Duration = Duration::from_mins(3);
const CAPTURED: &str = "7.2-mixed-loaded";

/// Whether a missing program is an error.
fn env_required() -> bool {
    std::env::var("SWAPADM_FLEET_REQUIRE").as_deref() == Ok("1")
}

/// Whether programs are there. Says which one is missing.
fn have(programs: &[&str]) -> bool {
    let missing = programs.iter().find(|program| {
        let path = std::env::var("PATH").unwrap_or_default();
        !path.split(':').any(|folder| Path::new(folder).join(program).is_file())
    });
    let Some(missing) = missing else { return true };
    assert!(std::env::var("SWAPADM_FLEET_REQUIRE").as_deref() != Ok("1"), "{missing} is missing");
    eprintln!("skipped: {missing} is not installed");
    false
}

/// A program that ends with the test.
struct Running(Child);

impl Running {
    fn start(command: &mut Command) -> Self {
        Self(command.stdin(Stdio::null()).stdout(Stdio::null()).spawn().unwrap())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts `swapadm metrics --listen` and returns its address.
fn listening(mut command: Command) -> (Running, String) {
    let mut program = Running(command.stderr(Stdio::piped()).spawn().unwrap());
    let mut lines = BufReader::new(program.0.stderr.take().unwrap()).lines();
    let address = lines.find_map(|line| {
        let line = line.unwrap();
        let rest = line.strip_prefix("listening on http://")?;
        Some(rest.strip_suffix("/metrics").unwrap().to_owned())
    });
    (program, address.unwrap())
}

fn free_address() -> String {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string()
}

/// A Prometheus that scrapes the hosts each second.
struct Fleet {
    folder: tempfile::TempDir,
    address: String,
    running: Vec<Running>,
    captured: Machine,
}

impl Fleet {
    fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let captured = Machine::shared(CAPTURED);
        let mut fleet = Self { folder, address: free_address(), running: Vec::new(), captured };
        let mut real = Command::new(env!("CARGO_BIN_EXE_swapadm"));
        real.args(["metrics", "--listen", "0"]).env_remove("SWAPADM_ROOT");
        let mut simulated = Command::new(env!("CARGO_BIN_EXE_swapadm"));
        simulated.args(["metrics", "--listen", "0", "--machine", "build-server"]);
        let targets = [
            fleet.listen(real),
            fleet.listen(fleet.captured.command(&["metrics", "--listen", "0"])),
            fleet.listen(simulated),
            fleet.recorded(),
            fleet.node_exporter(),
        ];
        fleet.prometheus(&targets);
        fleet
    }

    fn listen(&mut self, command: Command) -> String {
        let (program, address) = listening(command);
        self.running.push(program);
        address
    }

    /// A host that is replayed from a recording.
    fn recorded(&mut self) -> String {
        let file = self.folder.path().join("swap.rec");
        let mut record = Command::new(env!("CARGO_BIN_EXE_swapadm"));
        record.args(["--machine", "build-server", "record", "--interval", "0.01", "--count", "3"]);
        assert!(record.arg(&file).status().unwrap().success());
        let mut command = Command::new(env!("CARGO_BIN_EXE_swapadm"));
        command.args(["metrics", "--listen", "0", "--recording"]).arg(&file);
        self.listen(command)
    }

    /// Writes what `node_exporter` with the systemd collector tells of the check unit: it has failed, since its
    /// command finds a difference from the wanted state.
    fn check_unit(&self) {
        let machine = Machine::unpack(CAPTURED);
        machine.write("etc/swapadm/wanted.json", r#"{"settings": {"swappiness": 1}}"#);
        let failed = u8::from(!machine.run(&["apply", "--check"]).status.success());
        let labels = "name=\"swapadm-check.service\",state=\"failed\"";
        let text = format!("node_systemd_unit_state{{{labels}}} {failed}\n");
        fs::write(self.folder.path().join("systemd.prom"), text).unwrap();
    }

    /// A host whose metrics go through a file and `node_exporter`.
    fn node_exporter(&mut self) -> String {
        self.check_unit();
        let file = self.folder.path().join("swapadm.prom");
        let status =
            self.captured.command(&["metrics", "--textfile", file.to_str().unwrap()]).status();
        assert!(status.unwrap().success());
        let address = free_address();
        self.running.push(Running::start(
            Command::new("prometheus-node-exporter")
                .args(["--collector.disable-defaults", "--collector.textfile"])
                .arg(format!("--collector.textfile.directory={}", self.folder.path().display()))
                .arg(format!("--web.listen-address={address}"))
                .stderr(Stdio::null()),
        ));
        address
    }

    fn prometheus(&mut self, targets: &[String]) {
        let rules = repository("fleet/prometheus/swapadm.rules.yml");
        let mut text = format!(
            "global: {{ scrape_interval: 1s, evaluation_interval: 1s }}\nrule_files: [\"{}\"]\nscrape_configs:\n- job_name: swapadm\n  static_configs:\n",
            rules.display()
        );
        for (host, target) in HOSTS.iter().zip(targets) {
            let labels = format!("labels: {{ instance: {host} }}");
            writeln!(text, "  - {{ targets: [\"{target}\"], {labels} }}").unwrap();
        }
        let config = self.folder.path().join("prometheus.yml");
        fs::write(&config, text).unwrap();
        self.running.push(Running::start(
            Command::new("prometheus")
                .arg(format!("--config.file={}", config.display()))
                .arg(format!("--storage.tsdb.path={}", self.folder.path().join("data").display()))
                .arg(format!("--web.listen-address={}", self.address))
                .stderr(Stdio::null()),
        ));
    }

    /// The result of a query; none while Prometheus does not answer.
    fn try_query(&self, query: &str) -> Option<Vec<Value>> {
        let mut stream = TcpStream::connect(&self.address).ok()?;
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        let path = format!("/api/v1/query?query={}", url_encoded(query));
        write!(stream, "GET {path} HTTP/1.0\r\nHost: localhost\r\n\r\n").ok()?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).ok()?;
        let (head, body) = answer.split_once("\r\n\r\n")?;
        let body: Value = serde_json::from_str(body).ok()?;
        assert!(head.contains(" 200 ") || head.contains(" 503 "), "{query}: {body}");
        body["data"]["result"].as_array().cloned()
    }

    fn query(&self, query: &str) -> Vec<Value> {
        self.try_query(query).unwrap_or_else(|| panic!("no answer to {query}"))
    }

    /// Waits until a query has that many results.
    fn wait(&self, query: &str, count: usize) {
        let began = Instant::now();
        loop {
            let found = self.try_query(query).unwrap_or_default();
            if found.len() >= count {
                return;
            }
            assert!(began.elapsed() < PATIENCE, "{query}: {found:?}");
            std::thread::sleep(Duration::from_millis(200));
        }
    }

    /// The values of a query by one of its labels, sorted.
    fn values(&self, query: &str, label: &str) -> Vec<(String, f64)> {
        let mut values: Vec<_> =
            self.query(query).iter().map(|sample| labelled(sample, label)).collect();
        values.sort_by(|a, b| a.0.cmp(&b.0));
        values
    }
}

fn labelled(sample: &Value, label: &str) -> (String, f64) {
    let name = sample["metric"][label].as_str().unwrap_or_default().to_owned();
    (name, sample["value"][1].as_str().unwrap().parse().unwrap())
}

fn url_encoded(text: &str) -> String {
    text.bytes().fold(String::new(), |mut encoded, byte| {
        write!(encoded, "%{byte:02X}").unwrap();
        encoded
    })
}

/// The titles and queries of a dashboard, for a host.
fn dashboard(name: &str, host: &str) -> Vec<(String, String)> {
    let text = fs::read_to_string(repository("fleet/grafana").join(name)).unwrap();
    let whole: Value = serde_json::from_str(&text).unwrap();
    let panels = whole["panels"].as_array().unwrap();
    let queries = panels.iter().flat_map(|panel| {
        let title = panel["title"].as_str().unwrap().to_owned();
        let targets = panel["targets"].as_array().unwrap();
        targets
            .iter()
            .map(move |target| (title.clone(), target["expr"].as_str().unwrap().to_owned()))
    });
    queries
        .map(|(title, query)| {
            (title, query.replace("$instance", host).replace("$__rate_interval", "1m"))
        })
        .collect()
}

/// Panels without data on simulated machines, or on machines with one area.
const NOT_MODELLED: [&str; 5] =
    ["PSI memory full", "Largest imbalance", "Pressure on memory", "Pages needed again", "Memory"];

/// Panels with data only while swap grows or large folios are swapped out.
const UNCHANGED: [&str; 2] = ["Full in", "Large folios split before swap-out"];

/// Panels of one host that have a query without data, by host.
const EMPTY: [(&str, &[&[&str]]); 4] = [
    ("captured", &[&UNCHANGED]),
    ("simulated", &[&NOT_MODELLED]),
    ("recorded", &[&NOT_MODELLED, &UNCHANGED]),
    ("textfile", &[&UNCHANGED]),
];

/// Panels of one host that show something on any machine, even without swap.
const ANYWHERE: [&str; 3] = ["State", "Swap traffic", "OOM kills"];

#[test]
fn dashboards_show_what_the_hosts_show() {
    if !have(&["prometheus", "prometheus-node-exporter"]) {
        return;
    }
    let fleet = Fleet::start();
    fleet.wait("up == 1", HOSTS.len());
    fleet.wait("instance:swapadm_time_to_full:seconds", 1);
    fleet.wait("rate(swapadm_paging_out_bytes_total[1m])", HOSTS.len());
    for (_, query) in dashboard("fleet.json", "") {
        fleet.wait(&query, 1);
    }
    let differs = "node_systemd_unit_state{name=\"swapadm-check.service\",state=\"failed\"} == 1";
    assert!(dashboard("fleet.json", "").iter().any(|(_, query)| query == differs));
    assert_eq!(fleet.values(differs, "instance"), [("textfile".to_owned(), 1.0)]);
    let empty = |host: &str| -> BTreeSet<String> {
        let queries = dashboard("host.json", host).into_iter();
        queries.filter(|(_, query)| fleet.query(query).is_empty()).map(|(title, _)| title).collect()
    };
    for (host, expected) in EMPTY {
        let expected: BTreeSet<String> = expected.concat().into_iter().map(str::to_owned).collect();
        // A recording rule is evaluated only after the samples that it needs.
        let filled = |(title, _): &(String, String)| !expected.contains(title);
        for (_, query) in dashboard("host.json", host).into_iter().filter(filled) {
            fleet.wait(&query, 1);
        }
        assert_eq!(empty(host), expected, "{host}");
    }
    for (title, query) in dashboard("host.json", "real") {
        if ANYWHERE.contains(&title.as_str()) {
            fleet.wait(&query, 1);
        }
    }
    figures_are_those_of_the_host(&fleet);
}

/// The figures of a host are the same in its own report, over HTTP and through `node_exporter`.
fn figures_are_those_of_the_host(fleet: &Fleet) {
    let report = fleet.captured.report();
    let rows = report["tables"]["devices"]["rows"].as_array().unwrap();
    for host in ["captured", "textfile"] {
        for (metric, column) in [("size_bytes", "size"), ("used_bytes", "used")] {
            let mut expected: Vec<(String, f64)> = rows
                .iter()
                .map(|row| {
                    let name = row["name"].as_str().unwrap().replace('\\', "\\\\");
                    (name, row[column].as_f64().unwrap())
                })
                .collect();
            expected.sort_by(|a, b| a.0.cmp(&b.0));
            let query = format!("swapadm_area_{metric}{{instance=\"{host}\"}}");
            assert_eq!(fleet.values(&query, "area"), expected, "{query}");
        }
        let state = fleet.values(&format!("swapadm_status_state{{instance=\"{host}\"}}"), "state");
        let expected = report["tables"]["status"]["rows"][0]["state"].as_str().unwrap();
        assert_eq!(state, [(expected.to_owned(), 1.0)]);
    }
}

#[test]
fn rules_are_valid_and_alert_where_they_should() {
    if !have(&["promtool"]) {
        return;
    }
    for (action, file) in
        [("test", "tests/fleet/rules-test.yml"), ("check", "fleet/prometheus/swapadm.rules.yml")]
    {
        let output = Command::new("promtool")
            .args([action, "rules"])
            .arg(repository(file))
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && text.contains("SUCCESS"), "{file}: {text}");
    }
    let config = repository("fleet/prometheus/prometheus.yml");
    let output = Command::new("promtool").args(["check", "config"]).arg(config).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// The names of all metrics in `text` that begin with swapadm_.
fn metric_names(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == ':'))
        .filter(|word| word.starts_with("swapadm_"))
}

#[test]
fn rules_and_dashboards_use_metrics_that_exist() {
    let mut known: String = common::machine_names()
        .iter()
        .map(|name| Machine::shared(name).stdout(&["metrics"]))
        .collect();
    // Captures leave out the journal, and with it interrupted changes.
    let live = common::swapadm().arg("metrics").output().unwrap();
    known += &String::from_utf8_lossy(&live.stdout);
    for file in ["prometheus/swapadm.rules.yml", "grafana/host.json", "grafana/fleet.json"] {
        let text = fs::read_to_string(repository("fleet").join(file)).unwrap();
        for name in metric_names(&text) {
            let exists =
                known.contains(&format!("\n{name} ")) || known.contains(&format!("\n{name}{{"));
            assert!(exists, "{file}: {name}");
        }
    }
}

/// The capabilities of the unit that answers Prometheus, as an option of setpriv.
fn capabilities_of_the_metrics_unit() -> String {
    let unit = repository("packaging/systemd/swapadm-metrics.service");
    let unit = fs::read_to_string(unit).unwrap();
    let ambient = unit.lines().find_map(|line| line.strip_prefix("AmbientCapabilities="));
    let names = ambient.unwrap_or_default().split_whitespace();
    let added = names.map(|name| format!(",+{}", name.strip_prefix("CAP_").unwrap()));
    format!("-all{}", added.collect::<String>().to_lowercase())
}

/// The user of the unit is nobody, and the journal can be read by root only.
#[test]
fn the_metrics_unit_has_each_metric_of_the_rules() {
    if !have(&["setpriv"]) || !nix::unistd::geteuid().is_root() {
        eprintln!("skipped: needs root and setpriv");
        return;
    }
    let machine = Machine::unpack(CAPTURED);
    let begin = r#"{"plan":1,"boot":"now","event":"begin","title":"off","steps":[],"areas":[]}"#;
    machine.write("proc/sys/kernel/random/boot_id", "now\n");
    machine.write("var/lib/swapadm/journal.jsonl", format!("{begin}\n"));
    for (path, mode) in
        [("", 0o755), ("var/lib/swapadm", 0o700), ("var/lib/swapadm/journal.jsonl", 0o600)]
    {
        fs::set_permissions(machine.path().join(path), Permissions::from_mode(mode)).unwrap();
    }
    let capabilities = capabilities_of_the_metrics_unit();
    let sets = ["inh-caps", "ambient-caps", "bounding-set"];
    let output = Command::new("setpriv")
        .args(["--reuid=65534", "--regid=65534", "--clear-groups"])
        .args(sets.map(|set| format!("--{set}={capabilities}")))
        .args([env!("CARGO_BIN_EXE_swapadm"), "--sysroot"])
        .arg(machine.path())
        .arg("metrics")
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let [of_root, of_unit] =
        [machine.stdout(&["metrics"]), String::from_utf8(output.stdout).unwrap()];
    let rules = fs::read_to_string(repository("fleet/prometheus/swapadm.rules.yml")).unwrap();
    let has = |text: &str, name: &str| text.contains(&format!("\n{name}"));
    let missing: Vec<_> =
        metric_names(&rules).filter(|it| has(&of_root, it) && !has(&of_unit, it)).collect();
    assert_eq!(missing, [""; 0]);
    assert!(has(&of_unit, "swapadm_status_interrupted 1\n"), "{of_unit}");
}

/// Commands of the page that its test does not run, with the reason.
const NOT_RUN: [(&str, &str); 4] = [
    ("packaging/build", "tests/packages/run.sh does"),
    ("apt install ./swapadm_0.1.0_amd64.deb", "changes the host; tests/packages/run.sh does"),
    ("swapadm undo", "changes the host; the test of the role does"),
    ("swapadm", "needs a terminal; tests/screens.rs does"),
];

fn page() -> String {
    fs::read_to_string(repository("docs/FLEET.md")).unwrap()
}

/// The blocks of the page in a language; commands have none.
fn blocks_of_the_page(language: &str) -> Vec<String> {
    let page = page();
    let blocks = page.split("\n```").skip(1).step_by(2);
    let blocks = blocks.filter_map(|block| block.split_once('\n'));
    blocks.filter(|(of, _)| *of == language).map(|(_, text)| format!("{text}\n")).collect()
}

/// The words of the page that are set as code, outside of blocks.
fn code_of_the_page() -> Vec<String> {
    let page = page();
    let prose: String = page.split("\n```").step_by(2).collect();
    let words = |code: &str| code.split_whitespace().collect::<Vec<_>>().join(" ");
    prose.split('`').skip(1).step_by(2).map(words).collect()
}

/// The commands of the page without their comments, first those of its blocks.
fn commands_of_the_page() -> Vec<String> {
    let mut commands: Vec<String> =
        blocks_of_the_page("").concat().lines().map(str::to_owned).collect();
    let of_program = |code: &String| code == "swapadm" || code.starts_with("swapadm ");
    commands.extend(code_of_the_page().into_iter().filter(of_program));
    for command in &mut commands {
        command.truncate(command.find("  #").unwrap_or(command.len()));
        command.truncate(command.trim_end().len());
        // The plan alone: these would change the host.
        if command.ends_with("--persist") {
            command.push_str(" --dry-run");
        }
    }
    commands
}

#[test]
fn commands_of_the_page_run() {
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(repository("fleet"), folder.path().join("fleet")).unwrap();
    let program = Path::new(env!("CARGO_BIN_EXE_swapadm")).parent().unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    let commands = commands_of_the_page();
    for (command, why) in NOT_RUN {
        assert!(commands.iter().any(|it| it == command), "{command} is not on the page: {why}");
    }
    let is_run = |command: &&String| NOT_RUN.iter().all(|(not, _)| not != command);
    for command in commands.iter().filter(is_run) {
        if command.starts_with("promtool") && !have(&["promtool"]) {
            continue;
        }
        let output = Command::new("sh")
            .args(["-c", command])
            .current_dir(folder.path())
            .env("PATH", format!("{}:{path}", program.display()))
            .env_remove("SWAPADM_ROOT")
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stderr);
        let code = output.status.code();
        // What rebalance finds on this machine is no matter.
        let runs =
            code == Some(0) || code == Some(1) && command == "swapadm rebalance spread --check";
        assert!(runs, "{command}: {text}");
    }
}

#[test]
fn the_policy_of_the_page_is_valid() {
    let machine = Machine::unpack("7.2-zram-writeback");
    let policy = blocks_of_the_page("toml").concat();
    machine.write("etc/swapadm/wanted.toml", &policy);
    let plan = machine.json(&["zram", "upkeep", "--dry-run", "--json"])["checks"].to_string();
    assert!(policy.contains("[upkeep]") && plan.contains("policy of /etc/swapadm"), "{plan}");
}

/// The units and variables that the page names are those of the package.
#[test]
fn units_of_the_page_exist() {
    let unit = |name: &str| fs::read_to_string(repository("packaging/systemd").join(name));
    let code = code_of_the_page();
    let is_unit = |code: &&String| code.starts_with("swapadm-") && code.contains('.');
    let named: Vec<_> = code.iter().filter(is_unit).collect();
    assert!(named.len() >= 6, "{named:?}");
    for name in named {
        assert!(unit(name).is_ok(), "{name}");
    }
    let edited = code.iter().filter_map(|code| code.strip_prefix("systemctl edit "));
    let edited: String = edited.map(|name| unit(&format!("{name}.service")).unwrap()).collect();
    let variables = code.iter().filter_map(|code| code.strip_prefix("Environment="));
    for variable in variables.filter_map(|line| line.split('=').next()) {
        assert!(edited.contains(&format!("${{{variable}}}")), "{variable}");
    }
}
