//! What shall be so at every start, planned on captured machines.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "the helpers of a test stop it")]

mod common;

use common::Machine;

/// The limit of a device changes while swap is on it: that is no reason to forget the swap.
#[test]
fn a_limit_of_zram_lasts_where_zram_generator_makes_the_device() {
    let machine = Machine::unpack("6.12-mixed-loaded");
    machine.write("etc/systemd/zram-generator.conf", "[zram0]\nzram-size = 64\n");
    let arguments = ["zram", "limit", "zram0", "512M", "--persist", "--dry-run", "--json"];
    let output = machine.run(&arguments);
    let said = String::from_utf8(output.stdout).unwrap();
    let plan: serde_json::Value = serde_json::from_str(&said).unwrap();
    let last = plan["steps"].as_array().and_then(|steps| steps.last()).cloned().unwrap_or_default();
    assert_eq!(last["kind"], "save", "{said}");
    let text = last["to"].as_str().unwrap();
    assert!(text.contains("[zram0]") && text.contains("zram-resident-limit=512"), "{text}");
}
