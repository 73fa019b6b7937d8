//! The memory that zram takes for pages of all kinds, beside that of the model.

use super::limit::{grown_of, stored};
use super::{AreaMedium, MEMORY, MIB, Scene, TOP, look, model};
use crate::hog::Hog;
use crate::{areas, in_lab};
use swapadm::model::load::PageContents;

/// Largest difference, as a share of what was swapped out: zsmalloc has objects of fixed sizes (up to 6 %), and pages
/// of the program itself have other contents.
const FAR: f64 = 0.1;
/// Memory of the load in MiB.
const LOAD: u64 = 96;

/// Fills this many MiB with pages of one kind.
type FillOrder = fn(&mut Hog, u64);

#[test]
fn zram_takes_memory_as_predicted() {
    in_lab("zram_takes_memory_as_predicted", |lab| {
        let kinds: [(&str, FillOrder, PageContents); 4] = [
            ("incompressible", Hog::noise, PageContents::Random),
            ("of one value", Hog::level, PageContents::Same),
            ("zero-filled", Hog::blank, PageContents::Zero),
            // Of 16 pages one has zeros, one a single value, one does not compress, and the others do to half.
            ("mixed", Hog::fill, PageContents::Ratio(16.0 / 7.5)),
        ];
        for (kind, fill, contents) in kinds {
            let spec = AreaMedium::Zram.spec(160, TOP);
            let scene = Scene::new(lab, &[spec])?;
            let device = areas::sysfs(&scene.areas[0].path);
            let before = (look(), stored(&device));
            let mut load = Hog::new(&scene.cage);
            fill(&mut load, LOAD);
            let swapped = grown_of(&before.0, &look(), &scene.areas[0].path);
            let taken = stored(&device).memory.saturating_sub(before.1.memory);
            let predicted = model::zram_memory(spec, LOAD, contents, swapped);
            println!(
                "{kind}: {} MiB swapped out, {:.1} MiB taken, {:.1} MiB predicted",
                swapped * areas::page_size() / MIB,
                taken as f64 / MIB as f64,
                predicted as f64 / MIB as f64
            );
            let apart = taken.abs_diff(predicted) as f64 / (swapped * areas::page_size()) as f64;
            assert!(apart < FAR, "{kind}: {:.1} % apart", apart * 100.0);
            assert!(scene.cage.memory() <= MEMORY, "the cgroup is not charged for it");
        }
        Ok(())
    });
}
