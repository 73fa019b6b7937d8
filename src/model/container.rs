//! The container behind a cgroup, from the path that each runtime gives it.

use super::name::Name;

/// A container.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Container {
    /// The runtime: `docker`, `containerd`, `crio` or `podman`; none if the path does not tell.
    pub runtime: Option<&'static str>,
    /// Its identifier, in hexadecimal.
    pub id: String,
    /// The UID of its Kubernetes pod.
    pub pod: Option<String>,
}

/// Prefixes of the folder of a container, with their runtimes.
const PREFIXES: [(&str, &str); 5] = [
    ("docker-", "docker"),
    ("cri-containerd-", "containerd"),
    ("nerdctl-", "containerd"),
    ("crio-", "crio"),
    ("libpod-", "podman"),
];
/// Digits of an identifier.
const ID_DIGITS: usize = 64;

impl Container {
    /// The innermost container on the path of a cgroup, such as
    /// `/kubepods.slice/kubepods-pod1a_2b.slice/cri-containerd-0123.scope` or `/docker/0123`.
    pub fn from_path(path: &Name) -> Option<Self> {
        let path = path.exact();
        let parts: Vec<&str> = path.split('/').collect();
        let place = parts.iter().rposition(|part| id_of(part).is_some())?;
        let (runtime, id) = id_of(parts.get(place)?)?;
        let above = parts.get(..place).unwrap_or_default();
        let in_docker = above.last() == Some(&"docker");
        Some(Self {
            runtime: runtime.or(in_docker.then_some("docker")),
            id: id.to_owned(),
            pod: above.iter().rev().find_map(|part| pod_of(part)),
        })
    }
}

/// The runtime and the identifier in the folder of a container.
fn id_of(part: &str) -> Option<(Option<&'static str>, &str)> {
    let part = part.strip_suffix(".scope").unwrap_or(part);
    let known = PREFIXES
        .iter()
        .find_map(|(prefix, runtime)| Some((Some(*runtime), part.strip_prefix(prefix)?)));
    // systemd names of containerd are SLICE:PREFIX:ID.
    let plain = part.rsplit_once(':').map_or((None, part), |(_, id)| (Some("containerd"), id));
    let (runtime, id) = known.unwrap_or(plain);
    let is_id = id.len() == ID_DIGITS && id.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_id.then_some((runtime, id))
}

/// The UID in the folder of a pod: `podUID`, or `kubepods-burstable-podUID.slice` with `_` for `-`.
fn pod_of(part: &str) -> Option<String> {
    let part = part.strip_suffix(".slice").unwrap_or(part);
    let uid = match part.rsplit_once("-pod") {
        Some((before, uid)) if before.starts_with("kubepods") => uid.replace('_', "-"),
        _ => part.strip_prefix("pod")?.to_owned(),
    };
    let is_uid = !uid.is_empty() && uid.bytes().all(|b| b.is_ascii_hexdigit() || b == b'-');
    is_uid.then_some(uid)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_runtime_is_known_by_its_path() {
        let id = "0123456789abcdef".repeat(4);
        let pods = "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod1a_2b.slice";
        let cases = [
            (format!("/system.slice/docker-{id}.scope"), Some("docker"), None),
            (format!("/docker/{id}"), Some("docker"), None),
            (format!("{pods}/cri-containerd-{id}.scope"), Some("containerd"), Some("1a-2b")),
            (format!("{pods}/crio-{id}.scope/container"), Some("crio"), Some("1a-2b")),
            (format!("/kubepods/burstable/pod1a-2b/{id}"), None, Some("1a-2b")),
            (format!("/machine.slice/libpod-{id}.scope"), Some("podman"), None),
            (format!("/a.slice:cri-containerd:{id}"), Some("containerd"), None),
        ];
        for (path, runtime, pod) in cases {
            let found = Container::from_path(&path.as_str().into()).unwrap();
            assert_eq!(found, Container { runtime, id: id.clone(), pod: pod.map(str::to_owned) });
        }
        for other in ["/", "/system.slice/docker.service", "/docker/x", "/user.slice/podcast"] {
            assert_eq!(Container::from_path(&other.into()), None, "{other}");
        }
    }
}
