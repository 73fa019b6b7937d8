//! Captures a machine: the files that the probes read, with the bytes they read.
//!
//! The probes themselves take the capture, so it contains exactly what a report needs: no page of memory,
//! and no content of files that are not statistics.

mod scrub;

use crate::clock::Clock;
use crate::model::config::path_for;
use crate::model::format::SWAP_MAGIC;
use crate::model::{Part, PartSet, Snapshot, part_set};
use crate::probes::{self, boot_settings, candidate};
use crate::root::{Root, Trace, Traced};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Files, links and folders to write, by path relative to the folder of the capture.
pub type CaptureTree = BTreeMap<PathBuf, Traced>;

/// Read by the capture itself, for its time.
const CLOCKS: [&str; 2] = ["proc/uptime", "proc/stat"];
/// Start address of a kernel without KASLR.
const USUAL_ADDRESS: &[u8] = b"ffffffff81000000";

/// Captures everything that the probes read of this root.
pub fn capture(root: &Root, clock: &Clock, scrubbed: bool) -> CaptureTree {
    let trace = Arc::new(Trace::default());
    let traced = root.traced(Arc::clone(&trace));
    // The journal is about this program, and holds more than a scrubbed capture may.
    let left_out = part_set![ProcessAll, Interrupted];
    let parts = Part::ALL.into_iter().collect::<PartSet>().without(left_out);
    // A capture of a capture has the time of the original.
    let then = (!root.is_live()).then(|| Clock::at(super::captured_at(root)));
    let snapshot = probes::sample(&traced, then.as_ref().unwrap_or(clock), parts);
    for path in CLOCKS {
        // The trace records whether it could be read.
        let _ = traced.read(path);
    }
    read_configured_areas(&traced, &snapshot);
    let mut tree = trace.take();
    tree.retain(|path, traced| is_wanted(path, traced));
    if let Ok(options) = boot_settings::swap_options(root).into_result() {
        tree.insert("proc/cmdline".into(), Traced::Bytes(options));
    }
    if let Some(Traced::Bytes(bytes)) = tree.get_mut(Path::new("proc/kallsyms")) {
        hide_addresses(bytes);
    }
    if scrubbed {
        scrub::scrub(&mut tree);
    }
    tree.insert("machine.toml".into(), Traced::Bytes(notes(&snapshot, &tree, scrubbed)));
    tree
}

/// Reads the headers of the areas that are set up at boot, and the udev links for their tags: without them, a
/// capture does not show that an inactive area exists.
fn read_configured_areas(root: &Root, snapshot: &Snapshot) {
    for entry in snapshot.config.reading.known_items() {
        let (Some(area), Some(path)) = (entry.area.known(), entry.leads_to.known()) else {
            continue;
        };
        // The trace records what could be read.
        let _ = root.link(path_for(&area.what).as_path());
        let _ = candidate::read(root, path);
    }
}

/// Returns whether a file belongs into the capture: the path of a swap area or a mount must not bring in
/// the contents of another file.
fn is_wanted(path: &Path, traced: &Traced) -> bool {
    match traced {
        Traced::Bytes(bytes) => is_statistics(path) || bytes.ends_with(SWAP_MAGIC),
        Traced::Link(_) | Traced::Folder | Traced::Error(_) => true,
    }
}

/// Returns whether a probe always reads this file, independent of the machine's configuration. Below `dev`
/// only swap headers are of use.
fn is_statistics(path: &Path) -> bool {
    let is_read = probes::is_declared(path) || CLOCKS.iter().any(|clock| path == Path::new(clock));
    is_read && !path.starts_with("dev")
}

/// Hides the addresses of the kernel, which are a secret of the machine: each address that is not zero
/// becomes the usual one, with the same length. Reports only need to know that addresses are visible.
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

/// Returns notes for people: what the capture is, and which files could not be read.
fn notes(snapshot: &Snapshot, tree: &CaptureTree, scrubbed: bool) -> Vec<u8> {
    let kernel = snapshot.kernel.reading.known();
    let release = kernel.and_then(|kernel| kernel.release.known().cloned()).unwrap_or_default();
    let taken = crate::model::text::format_date(snapshot.stamp.wall_ms);
    let page_size =
        snapshot.page_size.known().map_or(String::new(), |size| format!("page_size = {size}\n"));
    let mut notes = format!(
        "# Captured by swapadm {}; read it with swapadm --sysroot\ntaken = {}\nkernel = {}\n{page_size}scrubbed = {scrubbed}\n\n# Files that could not be read\n[errors]\n",
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

/// Quotes a basic string of TOML, which has the escapes of JSON.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests;
