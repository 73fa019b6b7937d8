use super::*;
use crate::model::run::Histogram;

#[test]
fn nothing_in_a_name_is_taken_as_markup() {
    assert_eq!(
        escaped("<a href='x'>&\"\u{202e}"),
        "&lt;a href=&#39;x&#39;&gt;&amp;&quot;\\u{202e}"
    );
}

/// The page mentions hidden rows, even if a table has no other rows.
#[test]
fn a_page_says_which_rows_are_left_out() {
    let kept = [
        include_str!("../../../tests/results/kept/1-before.json"),
        include_str!("../../../tests/results/kept/2-after.json"),
    ];
    let [first, second] = kept.map(|text| serde_json::from_str::<Run>(text).unwrap());
    let empty = Run { measured: Vec::new(), ..second.clone() };
    for second in [second, empty] {
        let runs = [first.clone(), second];
        let of_two = lab::compare_runs(&runs[0], &runs[1], &Request::default()).unwrap().1;
        let says = format!(
            "<p>Comparison: {} more that are 0 in both, or missing in one of the two</p>",
            of_two.hidden
        );
        let page = page(&runs).unwrap();
        assert!(of_two.hidden > 0 && page.contains(&says), "{says}: {page}");
    }
    let alone = page(&[first]).unwrap();
    assert!(alone.contains("<p>Figures: ") && alone.contains(" more not measured"), "{alone}");
}

/// Left and right edges of the filled rectangles of a drawing.
fn filled(svg: &str) -> Vec<(f64, f64)> {
    let number = |tag: &str, name: &str| -> f64 {
        tag.split_once(&format!(" {name}=\""))
            .unwrap()
            .1
            .split('"')
            .next()
            .unwrap()
            .parse()
            .unwrap()
    };
    let tags = svg.split("<rect").skip(1).map(|tag| tag.split("/>").next().unwrap());
    tags.map(|tag| (number(tag, "x"), number(tag, "x") + number(tag, "width"))).collect()
}

#[test]
fn each_bar_is_drawn_also_when_it_is_alone() {
    for count in 1..6 {
        let bar =
            |number: i32| plots::Bar::from((number.to_string(), f64::from(number), Some(0.5)));
        let bars: Vec<plots::Bar> = (1..=count).map(bar).collect();
        let plot = plots::bars("bars", &bars).unwrap();
        let drawn = filled(&plot.svg);
        assert_eq!(drawn.len(), bars.len(), "{}", plot.svg);
        assert!(drawn.iter().all(|(left, right)| right - left > 40.0), "{drawn:?}");
        assert!(drawn.is_sorted_by(|one, other| one.1 < other.0), "{drawn:?}");
        assert!(
            (1..=count).all(|number| plot.svg.contains(&format!("\n{number}\n"))),
            "{}",
            plot.svg
        );
    }
}

/// Labels below a plot, and their positions.
fn below(svg: &str) -> Vec<(String, f64)> {
    let texts = svg.split("<text ").skip(1).map(|text| text.split_once('>').unwrap());
    let all = texts.map(|(tag, rest)| {
        let number = |name: &str| -> f64 {
            let (_, rest) = tag.split_once(&format!("{name}=\"")).unwrap();
            rest.split('"').next().unwrap().parse().unwrap()
        };
        let word = rest.split("</text>").next().unwrap().trim().to_owned();
        (word, number("x"), number("y"))
    });
    let all: Vec<(String, f64, f64)> = all.collect();
    let lowest = all.iter().map(|it| it.2).fold(0.0, f64::max);
    all.into_iter().filter(|it| it.2 >= lowest).map(|(word, x, _)| (word, x)).collect()
}

#[test]
fn an_axis_of_latencies_has_whole_decades_of_the_same_width() {
    let text = include_str!("../../../tests/results/kept/1-before.json");
    let run: Run = serde_json::from_str(text).unwrap();
    let [plot] = plots::plots_for_table(&run, "latency").unwrap().try_into().ok().unwrap();
    let labels = below(&plot.svg);
    let words: Vec<&str> = labels.iter().map(|(word, _)| word.as_str()).collect();
    assert_eq!(words, ["10ns", "100ns", "1us", "10us", "100us", "1ms"]);
    let steps: Vec<f64> = labels.windows(2).map(|two| two[1].1 - two[0].1).collect();
    assert!(steps.iter().all(|step| (step - steps[0]).abs() <= 1.0 && *step > 90.0), "{steps:?}");
    let bars = filled(&plot.svg);
    let (least, most) = (labels[0].1, labels[5].1);
    assert!(bars.iter().all(|(left, right)| *left >= least && *right <= most), "{bars:?}");
}

/// Labels below the time axis are centred, so the last one needs room beside it.
#[test]
fn labels_of_the_time_axis_are_inside_of_the_drawing() {
    let text = include_str!("../../../tests/results/kept/1-before.json");
    let mut run: Run = serde_json::from_str(text).unwrap();
    let seconds = &mut run.measured[0].used.at;
    let scale = 0.1334 / seconds.iter().copied().fold(0.0, f64::max);
    for at in seconds {
        *at *= scale;
    }
    let plots = plots::plots_for_table(&run, "areas").unwrap();
    // A letter is at most 0.6 of the font size wide.
    let end = |(word, x): (String, f64)| x + word.len() as f64 / 2.0 * 0.6 * 15.0;
    let right = below(&plots[0].svg).into_iter().map(end).fold(0.0, f64::max);
    assert!((500.0..560.0).contains(&right), "{right}");
    let page = section(&run).unwrap();
    assert!(
        page.contains("<span class=\"legend\"><span class=\"mark\""),
        "mark and name stay together"
    );
}

/// A short axis has grid lines within its decades.
#[test]
fn a_short_axis_of_latencies_has_lines_between() {
    let words = |least: f64, most: f64| {
        let axis = plots::Decades::around(least, most);
        axis.lines().into_iter().map(plots::Decades::word).collect::<Vec<_>>()
    };
    assert_eq!(words(13.0, 90.0), ["10us", "20us", "50us", "100us"]);
    assert_eq!(words(10.0, 10.0), ["10us", "20us", "50us", "100us"]);
    assert_eq!(words(0.3, 2e6).len(), 9);
}

/// Minor and major faults have their own bars, legend and colors.
#[test]
fn faults_of_each_kind_are_drawn_and_marked() {
    let text = include_str!("../../../tests/results/kept/1-before.json");
    let drawn = |minor: &[u64], major: &[u64]| {
        let mut run: Run = serde_json::from_str(text).unwrap();
        for task in run.measured.iter_mut().flat_map(|it| &mut it.tasks) {
            let latency = &mut task.touched.latency;
            for (kind, values) in [(&mut latency.minor, minor), (&mut latency.major, major)] {
                *kind = Histogram::default();
                for value in values {
                    kind.add(*value);
                }
            }
        }
        let plots = plots::plots_for_table(&run, "latency").unwrap();
        let page = section(&run).unwrap();
        let [plot] = plots.try_into().ok().unwrap();
        assert!(page.contains(&plot.svg), "the page has it");
        let boxes =
            |color: &str| plot.svg.matches(&format!("fill=\"{}\"", color.to_uppercase())).count();
        let kinds = plot.marks.iter().filter(|(kind, _)| kind != "all");
        kinds.map(|(kind, color)| (kind.clone(), boxes(color))).collect::<Vec<_>>()
    };
    let (quick, slow) = ([500, 2_000, 9_000], [60_000, 700_000]);
    let (minor, major) = (("minor".to_owned(), 3), ("major".to_owned(), 2));
    assert_eq!(drawn(&quick, &slow), [minor.clone(), major.clone()]);
    assert_eq!(drawn(&quick, &[]), [minor]);
    assert_eq!(drawn(&[], &slow), [major]);
    assert_eq!(drawn(&[], &[]), []);
}
