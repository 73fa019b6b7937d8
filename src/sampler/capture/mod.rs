//! A captured tree: the files that the probes read of a machine, with the bytes they read.
//!
//! A capture is taken through the probes themselves, so it holds exactly what a report needs and
//! nothing else: no page of memory and no content of a file that is no statistics file.

mod scrub;

use crate::clock::Clock;
use crate::model::format::SWAP_MAGIC;
use crate::model::{Part, PartSet};
use crate::probes;
use crate::root::{Root, Trace, Traced};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What is to be written: files, links and folders by path below the folder of the capture.
pub type CaptureTree = BTreeMap<PathBuf, Traced>;

/// Read by the capture itself: they say when it was taken.
const CLOCKS: [&str; 2] = ["proc/uptime", "proc/stat"];
/// Where a kernel begins that is not moved about.
const USUAL_ADDRESS: &[u8] = b"ffffffff81000000";

/// Everything that the probes read of this root.
pub fn capture(root: &Root, clock: &Clock, scrubbed: bool) -> CaptureTree {
    let trace = Arc::new(Trace::default());
    let traced = root.traced(Arc::clone(&trace));
    let parts: PartSet = Part::ALL.into_iter().filter(|part| *part != Part::ProcessAll).collect();
    // A capture of a capture was taken when that was.
    let then = (!root.is_live()).then(|| Clock::at(super::captured_at(root)));
    let snapshot = probes::sample(&traced, then.as_ref().unwrap_or(clock), parts);
    for path in CLOCKS {
        // Whether it can be read shows in what the trace keeps.
        let _ = traced.read(path);
    }
    let mut tree = trace.take();
    tree.retain(|path, traced| is_wanted(path, traced));
    if let Some(Traced::Bytes(bytes)) = tree.get_mut(Path::new("proc/kallsyms")) {
        hide_addresses(bytes);
    }
    if scrubbed {
        scrub::scrub(&mut tree);
    }
    tree.insert("machine.toml".into(), Traced::Bytes(notes(&snapshot, &tree, scrubbed)));
    tree
}

/// A path of a swap area or a mount that leads to something else must not bring that into the
/// capture.
fn is_wanted(path: &Path, traced: &Traced) -> bool {
    match traced {
        Traced::Bytes(bytes) => is_statistics(path) || bytes.ends_with(SWAP_MAGIC),
        Traced::Link(_) | Traced::Folder | Traced::Error(_) => true,
    }
}

/// Is it a file that a probe always reads, rather than one that the machine led to? Below `dev`,
/// only a header is of use.
fn is_statistics(path: &Path) -> bool {
    let is_read = probes::is_declared(path) || CLOCKS.iter().any(|clock| path == Path::new(clock));
    is_read && !path.starts_with("dev")
}

/// Where the kernel lies is the machine's secret, and that it can be seen is all that is asked:
/// each address that is not zero becomes the usual one, as long as it was.
fn hide_addresses(bytes: &mut [u8]) {
    for line in bytes.split_mut(|byte| *byte == b'\n') {
        let end = line.iter().position(u8::is_ascii_whitespace).unwrap_or(line.len());
        let Some(address) = line.get_mut(..end) else { continue };
        if address.iter().any(|digit| *digit != b'0') {
            let usual = USUAL_ADDRESS.iter().chain(std::iter::repeat(&b'0'));
            address.iter_mut().zip(usual).for_each(|(digit, usual)| *digit = *usual);
        }
    }
}

/// What the capture is, for people, and what could not be read.
fn notes(snapshot: &crate::model::Snapshot, tree: &CaptureTree, scrubbed: bool) -> Vec<u8> {
    let kernel = snapshot.kernel.reading.known();
    let release = kernel.and_then(|kernel| kernel.release.known().cloned()).unwrap_or_default();
    let taken = crate::model::text::format_date(snapshot.stamp.wall_ms);
    let page_size =
        snapshot.page_size.known().map_or(String::new(), |size| format!("page_size = {size}\n"));
    let mut notes = format!(
        "# Captured by swapadm {}; read it with swapadm --sysroot\ntaken = {}\nkernel = {}\n{page_size}scrubbed = {scrubbed}\n\n# What could not be read\n[errors]\n",
        env!("CARGO_PKG_VERSION"),
        quoted(&taken),
        quoted(&release),
    );
    for (path, traced) in tree {
        if let Traced::Error(error) = traced {
            let path = quoted(&path.to_string_lossy());
            let _ = writeln!(notes, "{path} = {}", quoted(error));
        }
    }
    notes.into_bytes()
}

/// A basic string of TOML, which has the escapes of JSON.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests;
