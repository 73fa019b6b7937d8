//! Programs that run on the machine, found by name.

use crate::model::users::{Cgroup, Process};
use crate::model::{Shared, Snapshot};

/// Programs that refuse to start while swap is active, unless they are told otherwise.
const KUBELETS: [&str; 3] = ["kubelet", "k3s-server", "k3s-agent"];

/// Cgroups in which kubelet runs all pods, by its cgroup driver.
const PODS: [&str; 2] = ["/kubepods", "/kubepods.slice"];

/// Returns the processes of this name.
pub fn processes_of<'s>(snapshot: &'s Snapshot, name: &str) -> impl Iterator<Item = &'s Process> {
    let table = snapshot.processes.reading.known();
    let all = table.into_iter().flat_map(|table| table.processes.iter().map(|process| &**process));
    all.filter(move |process| process.comm.as_bytes() == name.as_bytes())
}

/// Returns the first of these programs that runs.
pub fn first_running(snapshot: &Snapshot, names: &[&'static str]) -> Option<&'static str> {
    names.iter().find(|name| processes_of(snapshot, name).next().is_some()).copied()
}

/// Returns the program that does not start while swap is active, if one runs: by its process, or by the cgroup of its
/// pods where no processes were read, which takes long on a large host.
pub fn kubelet(snapshot: &Snapshot) -> Option<&'static str> {
    let groups = snapshot.cgroups.reading.known().map(|tree| &tree.groups);
    let is_of_pods = |group: &Shared<Cgroup>| PODS.iter().any(|path| group.path == (*path).into());
    let has_pods = groups.is_some_and(|groups| groups.iter().any(is_of_pods));
    first_running(snapshot, &KUBELETS).or(has_pods.then_some("kubelet"))
}

/// Says why a machine with such a program gets no swap.
pub fn explain_kubelet(program: &str) -> String {
    format!("{program} does not start while swap is active, unless its setting failSwapOn is false")
}
