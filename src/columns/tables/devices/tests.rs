use super::*;
use crate::columns::value::Value;
use crate::model::block::BlockKind;
use crate::model::swaparea::testing;
use crate::model::{Missing, Sampled, Snapshot, Stamp};

fn area(kind: AreaKind) -> SwapArea {
    SwapArea { kind, ..testing::area("/dev/zram1", 0, 1, 0) }
}

fn device(parent: Reading<String>) -> Reading<BlockDevice> {
    Reading::Known(BlockDevice {
        name: "zram1".to_owned(),
        kind: BlockKind::Zram,
        parent,
        disks: Reading::not_sampled(),
        size: Reading::not_sampled(),
        rotational: Reading::not_sampled(),
        discard_max: Reading::not_sampled(),
        numa_node: Reading::not_sampled(),
        scheduler: Reading::not_sampled(),
        model: Reading::not_sampled(),
        backing_file: Reading::not_sampled(),
        dm_name: Reading::not_sampled(),
    })
}

fn kind(area_kind: AreaKind, block: Reading<BlockDevice>) -> Value {
    let at = Stamp { boot_ns: 0, wall_ms: 0 };
    let mut now = Snapshot::empty(at);
    now.swaps = Sampled::new(Some(at), Reading::Known(vec![area(area_kind)]));
    now.block = Sampled::new(Some(at), Reading::Known(vec![block]));
    let rows = SPEC.all_cells(&SampleView::single(&now), &[SPEC.find("kind").unwrap()]);
    rows.known().unwrap()[0][0].clone()
}

#[test]
fn the_kind_of_an_unread_device_is_missing() {
    let of = |block| kind(AreaKind::Partition, block);
    assert_eq!(of(Reading::not_sampled()), Value::Missing(Missing::NotSampled));
    assert_eq!(of(Reading::absent("none")), Value::Missing(Missing::absent("none")));
    assert_eq!(of(device(Reading::absent("whole"))), Value::from("zram"));
    assert_eq!(of(device(Reading::Known("sda".to_owned()))), Value::from("partition"));
    assert_eq!(kind(AreaKind::File, Reading::not_sampled()), Value::from("file"));
}

#[test]
fn a_misspelt_column_gets_a_suggestion() {
    let why = SPEC.find("priorty").unwrap_err();
    assert!(why.contains("; did you mean priority? All columns: name, "), "{why}");
    assert!(!SPEC.find("nonsense").unwrap_err().contains("did you mean"));
}
