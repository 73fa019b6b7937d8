//! Names of a container, from the files that its runtime keeps: no daemon is asked.
//!
//! Docker writes `config.v2.json` for each container, containerd and CRI-O the configuration of the
//! OCI bundle with annotations, podman one list of all containers. All of them belong to root.

use crate::model::container::Container;
use crate::model::subject::ContainerNames;
use crate::model::{Missing, Name, Reading};
use crate::root::Root;
use serde_json::Value;

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
pub(super) fn names(root: &Root, container: &Container) -> Reading<ContainerNames> {
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

    fn read_names(path: &str, text: &str) -> Reading<ContainerNames> {
        let tree = TestTree::with(&[(path, text.as_bytes())]);
        let container = Container { runtime: None, id: "c0de".to_owned(), pod: None };
        names(&tree.root(), &container)
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
