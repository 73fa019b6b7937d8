//! Machine files: TOML that describes a simulated machine, and the machines that are built in.

mod like;

pub use like::LikeMachine;

use super::access::PAGE_BYTES;
use super::areas::{AreaSetup, ORDERS};
use super::cost::{CostModel, SimDevice};
use super::layer::ZswapSetup;
use super::machine::MachineSetup;
use super::policy::{CHANGES, KernelPolicy, PRESETS};
use crate::config::value::parse_bytes;
use crate::config::{
    KeyDefault as D, KeyGroup, KeyHelp, KeyInput, KeySpec, MAX_FILE_BYTES, Problems, Schema,
    Section, ValueType as T, setter,
};
use crate::model::Bytes;
use std::fmt::Write as _;

/// Name of the table of an area.
const AREA: &str = "area";
/// Name of the table of zswap.
const ZSWAP: &str = "zswap";
/// Sizes of large folios.
const SIZES: T =
    T::List("a list of sizes from 8K to 2M, each a power of two, such as [\"64K\", \"2M\"]");
/// The most areas of a kernel.
pub const MAX_AREAS: usize = 28;
/// Bytes that the simulator takes for a slot.
const BYTES_PER_SLOT: u64 = 4;
/// The most memory that the simulator takes for slots.
const MAX_BYTES: u64 = 1 << 30;
/// The smallest area: a few pages beside the header.
const MIN_AREA: u64 = 40 << 10;
/// The largest memory of a machine.
const MAX_MEMORY: u64 = 1 << 40;

/// The machines that are built in, with their files.
pub const BUILTIN_MACHINES: [(&str, &str); 6] = [
    ("laptop", include_str!("machines/laptop.toml")),
    ("four-zram", include_str!("machines/four-zram.toml")),
    ("two-nodes", include_str!("machines/two-nodes.toml")),
    ("small-disk", include_str!("machines/small-disk.toml")),
    ("zswap-server", include_str!("machines/zswap-server.toml")),
    ("build-server", include_str!("machines/build-server.toml")),
];

/// A machine while its file is read, with the current area.
#[derive(Clone, Debug)]
struct MachineDraft {
    setup: MachineSetup,
    memory: Bytes,
    limit: Option<Bytes>,
    zswap: ZswapSetup,
    area: AreaSetup,
    size: Bytes,
}

type Key = KeySpec<MachineDraft>;

/// Describes the names of kernels.
fn kernels() -> String {
    let changes = CHANGES.map(|change| change.name).join(", ");
    format!(
        "one of {}; a change may follow, as in \"6.12+scan-one\": {changes}",
        PRESETS.join(", ")
    )
}

fn set_kernel(to: &mut MachineDraft, it: &KeyInput<'_>) -> Result<(), String> {
    to.setup.policy = KernelPolicy::parse(it.text)?;
    Ok(())
}

/// Reads sizes of large folios.
fn orders(it: &KeyInput<'_>) -> Result<Vec<u8>, String> {
    let order = |size: &String| {
        let bytes = parse_bytes(size)?;
        (1..ORDERS).find(|order| PAGE_BYTES << order == bytes)
    };
    let orders = it.list().iter().map(order).collect::<Option<Vec<u8>>>();
    let mut orders = orders.ok_or_else(|| it.refuse())?;
    orders.sort_unstable();
    orders.dedup();
    Ok(orders)
}

fn set_priority(to: &mut MachineDraft, it: &KeyInput<'_>) -> Result<(), String> {
    to.area.priority = i32::try_from(it.takes.count(it.text)?).ok();
    Ok(())
}

/// All keys of a machine file.
static MACHINE_FILE: Schema<MachineDraft> = Schema {
    groups: &[
        KeyGroup { sections: &[""], heading: "Whole machine", keys: MACHINE_KEYS },
        KeyGroup { sections: &[ZSWAP], heading: "zswap, in [zswap]", keys: ZSWAP_KEYS },
        KeyGroup { sections: &[AREA], heading: "Swap areas, each in [[area]]", keys: AREA_KEYS },
    ],
    bare: false,
    max_bytes: MAX_FILE_BYTES,
};

static MACHINE_KEYS: &[Key] = &[
    Key::value("about", T::Line(400), D::Is(""), setter!(setup.about = text))
        .says("Purpose of the machine, in one sentence"),
    Key::value("kernel", T::Other(kernels), D::Required, set_kernel)
        .says("Kernel whose decisions are modelled"),
    Key::value("memory", T::Size(1 << 20, MAX_MEMORY), D::Required, setter!(memory = size))
        .says("Memory of the machine, for processes, the pool of zswap and what zram stores"),
    Key::value("limit", T::Size(1 << 20, MAX_MEMORY), D::InWords("no limit"), setter!(limit = Some(size)))
        .says("Memory limit of the cgroup in which the workload runs, for processes and the pool of zswap; zram takes memory of the machine"),
    Key::value("cpus", T::Count(1, 1024), D::Is("1"), setter!(setup.cpus = count))
        .says("Number of CPUs"),
    Key::value("nodes", T::Count(1, 64), D::Is("1"), setter!(setup.nodes = count))
        .says("Number of NUMA nodes, which have equal numbers of CPUs"),
    Key::value("page-cluster", T::Count(0, 31), D::Is("3"), setter!(setup.page_cluster = count))
        .says("Largest readahead window, as a power of two in pages"),
    Key::value(
        "folios",
        SIZES,
        D::InWords("no large folios"),
        |to, it| orders(it).map(|orders| to.setup.folio_orders = orders),
    )
    .says("Sizes of large folios that page faults allocate"),
    Key::value(
        "advised-folios",
        SIZES,
        D::InWords("[\"2M\"]"),
        |to, it| orders(it).map(|orders| to.setup.advised_orders = orders),
    )
    .says("Sizes that page faults allocate too in memory for which its program asked (MADV_HUGEPAGE)"),
    Key::value(
        "seed",
        T::Count(0, u32::MAX),
        D::Is("1"),
        |to, it| it.takes.count(it.text).map(|seed| to.setup.seed = u64::from(seed)),
    )
    .says("Random seed: the same seed gives the same accesses and places"),
    Key::value("load", T::Line(400), D::InWords("no processes"), setter!(setup.load = Some(text)))
        .says("Workload that runs on the machine: the name or the path of a workload file. Its memory limit does not apply: limit is that of the machine"),
    Key::value(
        "with",
        T::List("a list of changed keys of the workload, such as [\"processes=8\", \"2.size=64M\"]"),
        D::InWords("the workload as it is"),
        setter!(setup.load_changes = list),
    )
    .says("Changed keys of the workload, as for stress run --with"),
    Key::value("used", T::Percent(0.0, 100.0), D::Is("0%"), setter!(setup.used_at_start = number))
        .says("Share of swap that the workload has filled at the first sample"),
    Key::value(
        "rounds-per-second",
        T::Count(1, 10_000_000),
        D::Is("10000"),
        setter!(setup.rounds_per_second = count),
    )
    .says("Rounds between two samples, which count as one second; in a round each CPU accesses one page"),
    Key::value(
        "costs",
        T::Line(400),
        D::InWords("the built-in costs"),
        setter!(setup.cost_file = Some(text)),
    )
    .says("Path of a file with the costs of single actions, for estimates of time; swapadm machine costs prints the built-in one"),
    Key::table(
        ZSWAP,
        T::Table("a table of settings"),
        D::InWords("disabled"),
        "zswap, in front of all areas",
    ),
    Key::table(
        AREA,
        T::Tables(MAX_AREAS, || format!("up to {MAX_AREAS} tables [[{AREA}]]")),
        D::InWords("no swap"),
        "Swap areas, in the order in which they are enabled",
    ),
];

static ZSWAP_KEYS: &[Key] = &[
    Key::value("max-pool", T::Percent(1.0, 100.0), D::Is("20%"), setter!(zswap.max_pool = number))
        .says("Largest share of memory for compressed pages"),
    Key::value("accept", T::Percent(1.0, 100.0), D::Is("90%"), setter!(zswap.accept = number))
        .says("Share of the largest pool below which a full pool accepts pages again"),
];

static AREA_KEYS: &[Key] = &[
    Key::value("path", T::Line(4096), D::Required, setter!(area.path = text))
        .says("Path of the device or file"),
    Key::value(
        "device",
        T::Word(|| SimDevice::WORDS.map(|(word, _)| word).to_vec()),
        D::Required,
        setter!(area.device in SimDevice::WORDS),
    )
    .says("Kind of device: compressed RAM, a solid state disk, a rotational disk, or a file on a disk of either kind"),
    Key::value("size", T::Size(MIN_AREA, MAX_MEMORY * 4), D::Required, setter!(size = size))
        .says("Size"),
    Key::value(
        "priority",
        T::Count(0, 32767),
        D::InWords("the default priority of the kernel"),
        set_priority,
    )
    .says("Priority"),
    Key::value(
        "node",
        T::Count(0, 63),
        D::InWords("no node"),
        |to, it| it.takes.count(it.text).map(|node| to.area.node = Some(node)),
    )
    .says("NUMA node of the device"),
    Key::value("discard", T::Flag, D::Is("false"), setter!(area.discards = flag))
        .says("Whether clusters are discarded when they become free"),
];

impl MachineDraft {
    fn new(name: &str) -> Self {
        let setup = MachineSetup {
            name: name.to_owned(),
            about: String::new(),
            policy: KernelPolicy::oldest(),
            memory_pages: 0,
            limit_pages: None,
            cpus: 1,
            nodes: 1,
            page_cluster: 0,
            folio_orders: Vec::new(),
            advised_orders: vec![ORDERS - 1],
            zswap: None,
            areas: Vec::new(),
            seed: 0,
            load: None,
            load_changes: Vec::new(),
            used_at_start: 0.0,
            rounds_per_second: 1,
            cost_file: None,
            costs: CostModel::builtin(),
        };
        let area = AreaSetup {
            path: String::new(),
            device: SimDevice::SolidState,
            slots: 0,
            priority: None,
            node: None,
            discards: false,
        };
        let zswap = ZswapSetup { max_pool: 0.0, accept: 0.0 };
        Self { setup, memory: Bytes(0), limit: None, zswap, area, size: Bytes(0) }
    }
}

/// Reads a machine file, or lists its errors.
pub fn read_machine(name: &str, file: &str, text: &str) -> Result<MachineSetup, Vec<String>> {
    let mut problems = Problems::in_file(file);
    let mut draft = MachineDraft::new(name);
    if let Some(top) = MACHINE_FILE.read(text, &mut problems) {
        fill(&top, &mut draft, &mut problems);
    }
    let result = problems.into_result(draft.setup);
    result.map_err(|problems| problems.iter().map(ToString::to_string).collect())
}

fn fill(top: &Section, draft: &mut MachineDraft, problems: &mut Problems) {
    MACHINE_FILE.fill(top, draft, problems);
    draft.setup.memory_pages = pages(draft.memory);
    draft.setup.limit_pages = draft.limit.map(pages);
    for section in top.tables(ZSWAP) {
        if MACHINE_FILE.fill(section, draft, problems) {
            draft.setup.zswap = Some(draft.zswap);
        }
    }
    for section in top.tables(AREA) {
        let mut one = draft.clone();
        if MACHINE_FILE.fill(section, &mut one, problems) {
            add_area(section, one, draft, problems);
        }
    }
    if draft.setup.nodes > draft.setup.cpus {
        let (nodes, cpus) = (draft.setup.nodes, draft.setup.cpus);
        let text = format!("{nodes} nodes need {nodes} CPUs or more, and there are {cpus}");
        problems.add(&top.location_of("nodes"), &text);
    }
}

fn add_area(
    section: &Section,
    one: MachineDraft,
    draft: &mut MachineDraft,
    problems: &mut Problems,
) {
    let mut area = one.area;
    if let Some(node) = area.node.filter(|node| *node >= draft.setup.nodes) {
        let most = draft.setup.nodes - 1;
        problems.add(
            &section.location_of("node"),
            &format!("there is no node {node}: use 0 to {most}"),
        );
    }
    if draft.setup.areas.iter().any(|other| other.path == area.path) {
        let text = format!("{} is an area already: use another path", area.path);
        problems.add(&section.location_of("path"), &text);
    }
    let before: u64 = draft.setup.areas.iter().map(|area| u64::from(area.slots)).sum();
    if let Some(text) = describe_excess_slots(before + one.size.0 / PAGE_BYTES) {
        problems.add(&section.location_of("size"), &text);
        return;
    }
    area.slots = pages(one.size);
    draft.setup.areas.push(area);
}

/// Describes why areas with this many slots are too large for the simulator.
pub fn describe_excess_slots(slots: u64) -> Option<String> {
    let bytes = slots.saturating_mul(BYTES_PER_SLOT);
    (bytes > MAX_BYTES).then(|| {
        format!(
            "the areas have {slots} slots, and the simulator takes {BYTES_PER_SLOT} bytes for each: {:.1} GiB. \
             The limit is {} GiB: use areas of {} in total",
            bytes as f64 / f64::from(1 << 30),
            MAX_BYTES >> 30,
            Bytes(MAX_BYTES / BYTES_PER_SLOT * PAGE_BYTES).exact()
        )
    })
}

/// Pages of this much memory.
fn pages(bytes: Bytes) -> u32 {
    u32::try_from(bytes.0 / PAGE_BYTES).unwrap_or(u32::MAX)
}

/// Reads a machine that is built in; `None` if there is no such name.
pub fn builtin_machine(name: &str) -> Option<Result<MachineSetup, Vec<String>>> {
    let (name, text) = BUILTIN_MACHINES.iter().find(|(builtin, _)| *builtin == name)?;
    Some(read_machine(name, name, text))
}

/// All keys of a machine file, for the manual.
pub fn keys() -> impl Iterator<Item = KeyHelp> {
    MACHINE_FILE.lines()
}

/// The JSON schema of a machine file.
pub fn json_schema() -> serde_json::Value {
    MACHINE_FILE.json_schema()
}

impl MachineSetup {
    /// The machine as a machine file.
    pub fn to_toml(&self) -> String {
        let size = |pages: u32| Bytes(u64::from(pages) * PAGE_BYTES).exact();
        let mut text = String::new();
        let mut line = |key: &str, value: &str| {
            let _ = writeln!(text, "{key} = {value}");
        };
        let quoted = |text: &str| toml_edit::Value::from(text).to_string();
        if !self.about.is_empty() {
            line("about", &quoted(&self.about));
        }
        line("kernel", &quoted(&self.policy.name));
        line("memory", &quoted(&size(self.memory_pages)));
        if let Some(limit) = self.limit_pages {
            line("limit", &quoted(&size(limit)));
        }
        line("cpus", &self.cpus.to_string());
        line("nodes", &self.nodes.to_string());
        line("page-cluster", &self.page_cluster.to_string());
        let mut sizes = |key: &str, orders: &[u8]| {
            let sizes: Vec<String> = orders.iter().map(|order| quoted(&size(1 << order))).collect();
            line(key, &format!("[{}]", sizes.join(", ")));
        };
        if !self.folio_orders.is_empty() {
            sizes("folios", &self.folio_orders);
        }
        if self.advised_orders != [ORDERS - 1] {
            sizes("advised-folios", &self.advised_orders);
        }
        line("seed", &self.seed.to_string());
        // Shares are read with at most six digits.
        let percent = |share: f64| quoted(&format!("{}%", (share * 1e8).round() / 1e6));
        if let Some(load) = &self.load {
            line("load", &quoted(load));
        }
        if !self.load_changes.is_empty() {
            let changes: Vec<String> = self.load_changes.iter().map(|it| quoted(it)).collect();
            line("with", &format!("[{}]", changes.join(", ")));
        }
        line("used", &percent(self.used_at_start));
        line("rounds-per-second", &self.rounds_per_second.to_string());
        if let Some(file) = &self.cost_file {
            line("costs", &quoted(file));
        }
        if let Some(zswap) = self.zswap {
            line("\n[zswap]\nmax-pool", &percent(zswap.max_pool));
            line("accept", &percent(zswap.accept));
        }
        for area in &self.areas {
            line("\n[[area]]\npath", &quoted(&area.path));
            line("device", &quoted(area.device.word()));
            line("size", &quoted(&size(area.slots)));
            if let Some(priority) = area.priority {
                line("priority", &priority.to_string());
            }
            if let Some(node) = area.node {
                line("node", &node.to_string());
            }
            if area.discards {
                line("discard", "true");
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn errors(text: &str) -> Vec<String> {
        read_machine("m", "m.toml", text).unwrap_err()
    }

    #[test]
    fn built_in_machines_are_valid_and_can_be_written_again() {
        for (name, _) in BUILTIN_MACHINES {
            let machine = builtin_machine(name).unwrap().unwrap();
            assert!(!machine.about.is_empty() && !machine.areas.is_empty(), "{name}");
            let again = read_machine(name, "again", &machine.to_toml()).unwrap();
            assert_eq!(again, machine, "{}", machine.to_toml());
        }
        assert!(builtin_machine("none").is_none());
    }

    #[test]
    fn errors_name_line_key_and_values() {
        let text = "kernel = \"6.13\"\nmemory = \"4G\"\ncpus = 2\n\n[[area]]\npath = \"/dev/a\"\ndevice = \"tape\"\nsize = \"1G\"\nnode = 3\nspeed = 1\n";
        let errors = errors(text);
        let expected = [
            "m.toml:1: kernel: unknown kernel \"6.13\": use 4.13, 5.10, 6.1, 6.12, 6.18, 7.2; 6.13 has the rules of 6.12",
            "m.toml:7: area.device: \"tape\" is not valid: use zram, ssd, disk, file or file-on-disk",
            "m.toml:10: area.speed: unknown key: use path, device, size, priority, node, discard",
        ];
        for (error, start) in errors.iter().zip(expected) {
            assert!(error.starts_with(start), "{error}");
        }
        assert_eq!(errors.len(), expected.len(), "{errors:#?}");
    }

    #[test]
    fn what_does_not_fit_is_refused_with_the_arithmetic() {
        let area = "[[area]]\ndevice = \"ssd\"\nsize = ";
        let text = format!(
            "kernel = \"7.2\"\nmemory = \"4G\"\n{area}\"600G\"\npath = \"/a\"\n{area}\"1T\"\npath = \"/b\"\n"
        );
        assert_eq!(
            errors(&text),
            [
                "m.toml:9: area.size: the areas have 425721856 slots, and the simulator takes 4 bytes for each: \
              1.6 GiB. The limit is 1 GiB: use areas of 1T in total"
            ]
        );
        let text = format!(
            "kernel = \"7.2\"\nmemory = \"4G\"\nnodes = 2\n{area}\"1G\"\npath = \"/a\"\nnode = 2\n"
        );
        assert_eq!(
            errors(&text),
            [
                "m.toml:3: nodes: 2 nodes need 2 CPUs or more, and there are 1",
                "m.toml:8: area.node: there is no node 2: use 0 to 1",
            ]
        );
        assert_eq!(errors("memory = \"4G\"\n").len(), 1, "kernel is required");
    }

    /// Files of any bytes give errors, and no panic.
    #[test]
    fn damaged_files_are_refused() {
        use super::super::dense::SeededRandom;
        let mut random = SeededRandom::new(9);
        for (name, text) in BUILTIN_MACHINES {
            for _ in 0..60 {
                let mut bytes = text.as_bytes().to_vec();
                let place = random.below(u32::try_from(bytes.len()).unwrap()) as usize;
                if random.happens(0.5) {
                    bytes.truncate(place);
                } else {
                    bytes[place] = u8::try_from(random.below(128)).unwrap();
                }
                let text = String::from_utf8_lossy(&bytes);
                let _ = read_machine(name, "damaged", &text);
            }
        }
    }
}
