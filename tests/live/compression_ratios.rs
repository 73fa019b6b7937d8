//! Contents of loads: the compression ratio of zram, compared with the requested one.

use crate::areas::{self, Area, Title};
use crate::lab::{self, Lab, OURS};
use std::fs::{self, OpenOptions};
use std::os::unix::fs::FileExt as _;
use swapadm::lab::worker::Painter;
use swapadm::model::load::PageContents;

const SIZE: u64 = 16 << 20;
const TITLE: Title = Title { label: OURS, uuid: "6c1f2a55-0b0e-4a51-9c55-5d1e7a0f4e21" };
const ALGORITHMS: [&str; 2] = ["lz4", "lzo-rle"];
const RATIOS: [f64; 5] = [1.5, 2.0, 3.0, 5.0, 10.0];

/// Each ratio is as requested, and noise does not compress, with both algorithms.
pub(crate) fn come_out(lab: &Lab) -> Result<(), String> {
    let mut tried = 0;
    for algorithm in ALGORITHMS {
        let area = match device(lab, algorithm) {
            Ok(area) => area,
            // Some kernels lack an algorithm.
            Err(why) => {
                lab::remark(&why);
                continue;
            }
        };
        tried += 1;
        for ratio in RATIOS {
            let shown = measured(&area, &PageContents::Ratio(ratio));
            println!("{algorithm}: {ratio}:1 is {shown:.3}:1");
            assert!((shown / ratio - 1.0).abs() < 0.05, "{algorithm}: {ratio}:1 is {shown}:1");
        }
        let shown = measured(&area, &PageContents::Random);
        assert!((0.98..1.02).contains(&shown), "{algorithm}: noise is {shown}:1");
    }
    if tried > 0 { Ok(()) } else { Err("zram has neither algorithm here".to_owned()) }
}

/// A device that is not swap, with a header by which a later run recognises it.
fn device(lab: &Lab, algorithm: &str) -> Result<Area, String> {
    let area = areas::new_zram(lab)?;
    let chosen = fs::write(areas::sysfs(&area.path).join("comp_algorithm"), algorithm);
    chosen.map_err(|error| format!("zram lacks {algorithm}: {error}"))?;
    areas::give_size(&area, SIZE + areas::page_size(), &TITLE)?;
    Ok(area)
}

/// The ratio of all pages except for the header.
fn measured(area: &Area, contents: &PageContents) -> f64 {
    let page = areas::page_size();
    let painter = Painter::new(contents, page, 7).expect("contents that can be had");
    let file = OpenOptions::new().write(true).open(&area.path).expect("the device");
    // Zero pages take no memory: only the header remains.
    let zeroes = vec![0; usize::try_from(SIZE).expect("small")];
    file.write_all_at(&zeroes, page).expect("the device takes zeroes");
    file.sync_all().expect("zeroes are written");
    let (before, same) = sizes(area);
    assert_eq!(same, SIZE / page, "all pages are of zeroes");
    let mut bytes = zeroes;
    let pages = bytes.chunks_mut(usize::try_from(page).expect("small"));
    (0..).zip(pages).for_each(|(number, into)| painter.paint(number, into));
    file.write_all_at(&bytes, page).expect("the device takes pages");
    file.sync_all().expect("pages are written");
    let (after, same) = sizes(area);
    assert_eq!(same, 0, "{contents}: no page has a single value");
    SIZE as f64 / (after - before) as f64
}

/// Compressed bytes, and the number of pages of one value.
fn sizes(area: &Area) -> (u64, u64) {
    let text = fs::read_to_string(areas::sysfs(&area.path).join("mm_stat")).expect("statistics");
    let numbers = text.split_whitespace().map(|number| number.parse().expect("a number"));
    let numbers: Vec<u64> = numbers.collect();
    (numbers[1], numbers[5])
}
