use super::text::is_in_capitals;
use super::*;
use crate::model::{Snapshot, Stamp};
use std::collections::BTreeSet;

#[test]
fn names_of_columns_in_the_definitions_exist() {
    for table in METRIC_TABLES.iter().chain([&CGROUPS]) {
        let spec = table.spec().unwrap();
        let labels = table.labels.iter().map(|(_, id)| *id);
        let ids = labels.chain(table.states.iter().copied());
        for id in ids.chain(table.without.iter().copied()) {
            assert!((spec.infos)().iter().any(|info| info.id == id), "{}.{id}", table.table);
        }
        for id in table.without {
            let infos = (spec.infos)().into_iter().enumerate();
            let of_it = infos.filter(|(_, info)| info.id == *id);
            let exported = of_it.filter_map(|(place, info)| table.number(spec, place, info));
            assert_eq!(exported.count(), 1, "{}.{id} is exported by no rule", table.table);
        }
    }
}

/// A scrape has names of columns, and no headings.
#[test]
fn meanings_name_columns_and_no_headings() {
    let mut named = 0;
    for table in METRIC_TABLES.iter().chain([&CGROUPS]) {
        let spec = table.spec().unwrap();
        for metric in table.numbers(spec).into_iter().chain(table.words(spec)) {
            let help = metric.help();
            let words = help.split(' ').map(|word| word.trim_matches(['(', ')', ',', '.', ':']));
            let heads = metric.columns.iter().map(|column| column.head);
            for head in heads.filter(|head| is_in_capitals(head)) {
                assert!(words.clone().all(|it| it != head), "{help}");
            }
            named += usize::from(help != metric.info.meaning());
            assert!(!help.starts_with("mem_total available"), "{help}");
        }
    }
    assert!(named > 10, "{named}");
}

#[test]
fn names_are_distinct_valid_and_end_in_their_unit() {
    let mut names = BTreeSet::new();
    for table in METRIC_TABLES.iter().chain([&CGROUPS]) {
        let spec = table.spec().unwrap();
        for metric in table.numbers(spec).into_iter().chain(table.words(spec)) {
            let name = &metric.name;
            let valid = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
            assert!(name.chars().all(valid), "{name}");
            assert!(!name.contains("__") && !name.ends_with("_total"), "{name}");
            assert!(name.ends_with(metric.unit), "{name}");
            assert!(!name.contains("_rate"), "{name}");
            assert!(names.insert(metric.kind.sample_name(name)), "{name} is there twice");
        }
    }
    for name in [
        "swapadm_area_used_bytes",
        "swapadm_area_in_bytes_total",
        "swapadm_area_busy_seconds_total",
        "swapadm_group_imbalance_ratio",
        "swapadm_pressure_seconds_total",
        "swapadm_paging_refault_total",
        "swapadm_mthp_fail_ratio",
        "swapadm_cgroup_full_seconds_total",
        "swapadm_readahead_hits_total",
    ] {
        assert!(names.contains(name), "{name} is not in {names:?}");
    }
}

#[test]
fn counters_are_described_as_what_they_count() {
    let all = described();
    for (name, meaning) in &all {
        let is_rate =
            ["per second", "rate ", "rate:", "Share of"].iter().any(|it| meaning.contains(it));
        assert!(!meaning.starts_with("counter.") || !is_rate, "{name}: {meaning}");
        assert!(!meaning.contains("\"max\""), "{name}: {meaning}");
    }
    let busy = all.iter().find(|(name, _)| name.starts_with("swapadm_area_busy_seconds_total"));
    assert!(busy.unwrap().1.starts_with("counter. Seconds with a request in flight"), "{busy:?}");
}

#[test]
fn descriptions_are_whole_sentences() {
    for (name, meaning) in described() {
        for broken in ["ooms killer", ",:", "Only in swapadm"] {
            assert!(!meaning.contains(broken), "{name}: {meaning}");
        }
    }
}

#[test]
fn every_rate_of_an_exported_table_with_a_counter_has_its_total() {
    for spec in METRIC_TABLES.iter().filter_map(MetricTable::spec) {
        for info in (spec.infos)() {
            let is_rate = info.needs_two_samples && info.counter;
            assert!(!is_rate || base_unit(info) != "ratio", "{}.{}", spec.name, info.id);
        }
    }
}

#[test]
fn clusters_and_page_tables_are_not_read_for_metrics() {
    let all = MetricSelection { cgroups: vec!["/".to_owned()], processes: vec!["x".to_owned()] };
    let needs = all.needs();
    assert_eq!(needs.only(PartSet::CLUSTERS), PartSet::NONE);
    assert!(
        !needs.has(crate::model::Part::ProcessPss) && !needs.has(crate::model::Part::ProcessAll)
    );
    assert!(!MetricSelection::default().needs().has(crate::model::Part::Processes));
}

#[test]
fn a_snapshot_without_values_has_no_figures() {
    let now = Snapshot::empty(Stamp { boot_ns: 0, wall_ms: 0 });
    let view = SampleView::single(&now);
    let text = MetricSelection::default().text(&view, &Policy::DEFAULT, MetricFormat::OpenMetrics);
    let samples: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    let own = ["swapadm_build_info", "swapadm_sample_cpu_seconds"];
    let others: Vec<_> =
        samples.iter().filter(|it| !own.iter().any(|own| it.starts_with(own))).collect();
    assert!(others.is_empty(), "{others:?}");
    assert!(text.ends_with("# EOF\n"));
}

#[test]
fn a_limit_that_is_not_set_is_infinite() {
    assert_eq!(number(&Value::Text("max".to_owned())).as_deref(), Some("+Inf"));
    assert_eq!(number(&Value::Text("lz4".to_owned())), None);
    assert_eq!(number(&Value::Real(f64::NAN)), None);
    assert_eq!(number(&Value::Whole(u64::MAX)).as_deref(), Some("18446744073709551615"));
}
