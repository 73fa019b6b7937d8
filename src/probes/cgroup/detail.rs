//! One cgroup in detail: events of its own, memory by NUMA node, ages of its pages, and its container.
//!
//! Kernel: `memory.events.local` (5.2), `memory.numa_stat` (version 2: 5.10); `lru_gen` in debugfs
//! (`CONFIG_LRU_GEN`, 6.1 and later) lists all cgroups, and only root can read it.

use super::group::NOT_V1;
use crate::model::subject::{CgroupDetail, Container, ContainerNames, LruGeneration, NodeMemory};
use crate::model::users::CgroupVersion;
use crate::model::{Bytes, Missing, Name, Reading};
use crate::probes::{meminfo, scan};
use crate::root::{Root, parse_u64, unexpected};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// Reads one cgroup in detail.
pub(in crate::probes) fn read_one(root: &Root, path: &Name) -> Reading<CgroupDetail> {
    super::locate(root).and_then(|(version, mount)| {
        let below = path.as_path().strip_prefix("/").unwrap_or(path.as_path());
        let folder = mount.as_path().join(below);
        if !root.exists(&folder) {
            return Reading::absent(format!("cgroup {} does not exist", path.safe()));
        }
        let local_events = match version {
            CgroupVersion::V1 => Reading::absent(NOT_V1),
            CgroupVersion::V2 => scan::counters(root, folder.join("memory.events.local")),
        };
        let container = match Container::from_path(path) {
            Some(id) => container_names(root, &id),
            None => Reading::absent("the path is not that of a container"),
        };
        Reading::Known(CgroupDetail {
            local_events,
            nodes: nodes(root, version, &folder.join("memory.numa_stat")),
            generations: generations(root, path),
            container,
            path: path.clone(),
        })
    })
}

/// Lines are `anon N0=4096 N1=0`, or on version 1, in pages and including children,
/// `hierarchical_anon=1 N0=1 N1=0`.
fn nodes(root: &Root, version: CgroupVersion, path: &Path) -> Reading<Vec<NodeMemory>> {
    let unit = match version {
        CgroupVersion::V1 => meminfo::page_size(root),
        CgroupVersion::V2 => Reading::Known(1),
    };
    root.read(path).map2(unit, |bytes, unit| (bytes, unit)).and_then(|(bytes, unit)| {
        let mut found: BTreeMap<u64, BTreeMap<&[u8], u64>> = BTreeMap::new();
        for line in scan::lines(&bytes) {
            let mut fields = scan::fields(line);
            let name = fields.next().and_then(|name| name.split(|byte| *byte == b'=').next());
            for (node, number) in fields.filter_map(node) {
                let counters = found.entry(node).or_default();
                counters.insert(name.unwrap_or_default(), number.saturating_mul(unit));
            }
        }
        if found.is_empty() {
            return unexpected(path, "memory by NUMA node", &bytes);
        }
        Reading::Known(found.iter().map(|(node, counters)| memory(*node, counters)).collect())
    })
}

/// Parses `N0=4096`.
fn node(field: &[u8]) -> Option<(u64, u64)> {
    let mut parts = field.strip_prefix(b"N")?.splitn(2, |byte| *byte == b'=');
    Some((parse_u64(parts.next()?)?, parse_u64(parts.next()?)?))
}

fn memory(node: u64, counters: &BTreeMap<&[u8], u64>) -> NodeMemory {
    let of = |name: &str| {
        let with_children = format!("hierarchical_{name}");
        let found =
            counters.get(with_children.as_bytes()).or_else(|| counters.get(name.as_bytes()));
        Reading::or_absent(found.copied(), format!("memory.numa_stat has no {name} here"))
            .map(Bytes)
    };
    NodeMemory {
        node,
        anon: of("anon"),
        inactive_anon: of("inactive_anon"),
        file: of("file"),
        swap_cached: of("swapcached"),
    }
}

/// The list of generations of all cgroups.
const AGES: &str = "sys/kernel/debug/lru_gen";
/// The switches of the multi-generational LRU.
const ENABLED: &str = "sys/kernel/mm/lru_gen/enabled";

fn generations(root: &Root, path: &Name) -> Reading<Vec<LruGeneration>> {
    match root.line(ENABLED) {
        Reading::Known(flags) if flags.trim_start_matches("0x").bytes().all(|b| b == b'0') => {
            return Reading::absent(format!(
                "the multi-generational LRU is off: /{ENABLED} is {flags}"
            ));
        }
        Reading::Missing { missing } => {
            let why = missing.why();
            return Reading::absent(format!(
                "this kernel has no multi-generational LRU (CONFIG_LRU_GEN): {why}"
            ));
        }
        Reading::Known(_) => {}
    }
    let bytes = root.read(AGES);
    // The folder can be searched by root only, so whether the file exists shows in the reading alone.
    if root.is_live() && bytes.is_absent() {
        return Reading::absent(format!(
            "/{AGES} is missing: mount -t debugfs debugfs /sys/kernel/debug"
        ));
    }
    bytes.and_then(|bytes| {
        let generations = parse_generations(&bytes, path.as_bytes());
        Reading::or_absent(generations, format!("/{AGES} does not list this cgroup"))
    })
}

/// Lines are `memcg ID PATH`, then ` node N`, then ` GENERATION AGE-MS ANON FILE` from the oldest on.
fn parse_generations(bytes: &[u8], path: &[u8]) -> Option<Vec<LruGeneration>> {
    let mut found: Option<Vec<LruGeneration>> = None;
    let (mut is_here, mut node) = (false, 0);
    for line in scan::lines(bytes) {
        let mut fields = scan::fields(line);
        match fields.next()? {
            b"memcg" => {
                let own = line.iter().position(|byte| *byte == b'/');
                is_here = own.and_then(|place| line.get(place..)) == Some(path);
                if is_here {
                    found = Some(Vec::new());
                }
            }
            b"node" => node = fields.next().and_then(parse_u64)?,
            _ if is_here => {
                let [generation, age_ms, anon_pages, file_pages] =
                    *scan::first_numbers(line).first_chunk()?;
                let one = LruGeneration { node, generation, age_ms, anon_pages, file_pages };
                found.get_or_insert_default().push(one);
            }
            _ => {}
        }
    }
    found
}

// Names of a container, from the files that its runtime keeps: no daemon is asked.

/// Namespaces of containerd: those of Kubernetes, Docker and nerdctl.
const NAMESPACES: [&str; 3] = ["k8s.io", "moby", "default"];
/// Annotations with the names of container, pod and namespace: of containerd, of CRI-O and of nerdctl.
const ANNOTATIONS: [[&str; 3]; 3] = [
    [
        "io.kubernetes.cri.container-name",
        "io.kubernetes.cri.sandbox-name",
        "io.kubernetes.cri.sandbox-namespace",
    ],
    ["io.kubernetes.container.name", "io.kubernetes.pod.name", "io.kubernetes.pod.namespace"],
    ["nerdctl/name", "", "nerdctl/namespace"],
];

/// Reads the names of a container.
pub(super) fn container_names(root: &Root, container: &Container) -> Reading<ContainerNames> {
    let id = &container.id;
    let docker = format!("var/lib/docker/containers/{id}/config.v2.json");
    let bundles = NAMESPACES.iter().map(|namespace| {
        format!("run/containerd/io.containerd.runtime.v2.task/{namespace}/{id}/config.json")
    });
    let crio = format!("run/containers/storage/overlay-containers/{id}/userdata/config.json");
    let mut why = Missing::absent("no runtime has files about this container");
    if let Some(name) = document(root, &docker, &mut why).as_ref().and_then(docker_name) {
        return Reading::Known(only_name(name));
    }
    for path in bundles.chain([crio]) {
        let found = document(root, &path, &mut why);
        if let Some(names) = found.as_ref().and_then(annotated) {
            return Reading::Known(names);
        }
    }
    let podman = "var/lib/containers/storage/overlay-containers/containers.json";
    let list = document(root, podman, &mut why);
    match list.as_ref().and_then(|list| podman_name(list, id)) {
        Some(name) => Reading::Known(only_name(name)),
        None => why.into(),
    }
}

/// A file as JSON; a better reason for its absence replaces `why`.
fn document(root: &Root, path: &str, why: &mut Missing) -> Option<Value> {
    match root.read(path) {
        Reading::Known(bytes) => serde_json::from_slice(&bytes).ok(),
        Reading::Missing { missing } => {
            *why = why.clone().or(missing);
            None
        }
    }
}

fn only_name(name: &str) -> ContainerNames {
    let no_pod = || Reading::absent("the container is in no pod that its runtime names");
    ContainerNames { name: Reading::Known(name.into()), pod: no_pod(), namespace: no_pod() }
}

fn docker_name(config: &Value) -> Option<&str> {
    config.get("Name")?.as_str().map(|name| name.trim_start_matches('/'))
}

fn annotated(config: &Value) -> Option<ContainerNames> {
    let annotations = config.get("annotations")?;
    let text = |key: &str| annotations.get(key).and_then(Value::as_str);
    let [name, pod, namespace] = ANNOTATIONS
        .iter()
        .map(|keys| keys.map(text))
        .find(|found| found.iter().any(Option::is_some))?;
    let reading = |text: Option<&str>| {
        Reading::or_absent(
            text.map(Name::from),
            "the configuration of the container does not name it",
        )
    };
    Some(ContainerNames { name: reading(name), pod: reading(pod), namespace: reading(namespace) })
}

fn podman_name<'l>(list: &'l Value, id: &str) -> Option<&'l str> {
    let mut entries = list.as_array()?.iter();
    let own = entries.find(|entry| entry.get("id").and_then(Value::as_str) == Some(id))?;
    own.get("names")?.get(0)?.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::root::testing::TestTree;

    fn tree(mounts: &'static [u8], more: &[(&str, &[u8])]) -> CgroupDetail {
        let mut files: Vec<(&str, &[u8])> = vec![
            ("proc/mounts", mounts),
            ("cg/cgroup.controllers", b"memory\n"),
            ("machine.toml", b"page_size = 4096\n"),
            ("cg/a/memory.stat", b"swap 1\n"),
        ];
        files.extend(more);
        let tree = TestTree::with(&files);
        read_one(&tree.root(), &"/a".into()).into_result().unwrap()
    }

    #[test]
    fn nodes_and_events_of_version_2_are_read() {
        let detail = tree(
            b"c /cg cgroup2 rw 0 0\n",
            &[
                (
                    "cg/a/memory.numa_stat",
                    b"anon N0=8192 N1=0\nfile N0=4096 N1=1\nswapcached N0=3 N1=4\n",
                ),
                ("cg/a/memory.events.local", b"low 0\noom_kill 2\n"),
            ],
        );
        let nodes = detail.nodes.into_result().unwrap();
        assert_eq!(nodes.len(), 2);
        assert_eq!(nodes[0].anon, Reading::Known(Bytes(8192)));
        assert_eq!(nodes[1].swap_cached, Reading::Known(Bytes(4)));
        assert!(nodes[0].inactive_anon.known().is_none());
        assert_eq!(detail.local_events.into_result().unwrap().get("oom_kill"), Reading::Known(2));
        assert!(detail.container.missing().is_some());
    }

    #[test]
    fn nodes_of_version_1_are_in_pages_and_include_children() {
        let stat = b"anon=1 N0=1\nhierarchical_anon=3 N0=3\nhierarchical_file=2 N0=2\n";
        let detail = tree(b"c /cg cgroup rw,memory 0 0\n", &[("cg/a/memory.numa_stat", stat)]);
        let nodes = detail.nodes.into_result().unwrap();
        assert_eq!(nodes[0].anon, Reading::Known(Bytes(3 * 4096)));
        assert!(detail.local_events.missing().is_some());
    }

    #[test]
    fn generations_are_those_of_the_cgroup() {
        let text = b"memcg     1 /\n node     0\n          0     900          7         8 \nmemcg    12 /a\n node     0\n          5     2000          1         2 \n          6     100          3         4 \nmemcg    13 /a/b\n node     0\n          1     1          1         1 \n";
        let found = parse_generations(text, b"/a").unwrap();
        let one = |generation, age_ms, anon_pages, file_pages| LruGeneration {
            node: 0,
            generation,
            age_ms,
            anon_pages,
            file_pages,
        };
        assert_eq!(found, [one(5, 2000, 1, 2), one(6, 100, 3, 4)]);
        assert_eq!(parse_generations(text, b"/b"), None);
        assert_eq!(parse_generations(b"\xff", b"/b"), None);
        let off =
            tree(b"c /cg cgroup2 rw 0 0\n", &[("sys/kernel/mm/lru_gen/enabled", b"0x0000\n")]);
        assert!(off.generations.missing().unwrap().why().contains("is off"));
        let none = tree(b"c /cg cgroup2 rw 0 0\n", &[]);
        assert!(none.generations.missing().unwrap().why().contains("CONFIG_LRU_GEN"));
    }

    #[test]
    fn only_an_absent_list_of_generations_asks_for_debugfs() {
        let tree = TestTree::with(&[(ENABLED, "0x0007\n")]);
        let why = || generations(&tree.live(), &"/a".into()).missing().unwrap().why();
        assert!(why().contains("mount -t debugfs"), "{}", why());
        tree.link(AGES, "lru_gen");
        assert!(!why().contains("mount"), "{}", why());
    }
}

#[cfg(test)]
mod container_tests {
    use super::*;
    use crate::root::testing::TestTree;

    fn read_names(path: &str, text: &str) -> Reading<ContainerNames> {
        let tree = TestTree::with(&[(path, text.as_bytes())]);
        let container = Container { runtime: None, id: "c0de".to_owned(), pod: None };
        container_names(&tree.root(), &container)
    }

    #[test]
    fn each_runtime_tells_the_name() {
        let name = |path, text| read_names(path, text).into_result().map(|names| names.name);
        let web = Reading::Known(Name::from("web"));
        for (path, text) in [
            ("var/lib/docker/containers/c0de/config.v2.json", r#"{"Name":"/web"}"#),
            (
                "var/lib/containers/storage/overlay-containers/containers.json",
                r#"[{"id":"x","names":["no"]},{"id":"c0de","names":["web"]}]"#,
            ),
            (
                "run/containers/storage/overlay-containers/c0de/userdata/config.json",
                r#"{"annotations":{"io.kubernetes.container.name":"web"}}"#,
            ),
        ] {
            assert_eq!(name(path, text), Ok(web.clone()), "{path}");
        }
    }

    #[test]
    fn kubernetes_also_names_the_pod() {
        let text = r#"{"annotations":{"io.kubernetes.cri.container-name":"web","io.kubernetes.cri.sandbox-name":"web-1","io.kubernetes.cri.sandbox-namespace":"shop"}}"#;
        let path = "run/containerd/io.containerd.runtime.v2.task/k8s.io/c0de/config.json";
        let names = read_names(path, text).into_result().unwrap();
        assert_eq!(names.pod, Reading::Known("web-1".into()));
        assert_eq!(names.namespace, Reading::Known("shop".into()));
    }

    #[test]
    fn broken_files_are_no_names() {
        for text in ["", "{", "[]", "{\"Name\":3}", "{\"annotations\":[]}"] {
            let path = "var/lib/docker/containers/c0de/config.v2.json";
            assert!(read_names(path, text).known().is_none(), "{text}");
        }
    }
}
