//! The page of an experiment in a real browser: its order, its width, light and dark.

use crate::results::ResultFolder;
use crate::results::sample_runs::experiment;
use std::process::Command;
use std::{env, fs};
use swapadm::model::experiment::Experiment;

/// The page of an experiment.
fn page(experiment: &Experiment) -> String {
    let folder = ResultFolder::new();
    folder.write("4-priorities.json", crate::results::text(experiment));
    folder.stdout(&["export", "4", "--format", "html"])
}

/// The experiment with these columns, of which the first answers it.
fn with_columns(columns: &[&str]) -> Experiment {
    let columns: Vec<String> = columns.iter().map(|id| (*id).to_owned()).collect();
    Experiment { answer: columns[..1].to_vec(), columns, ..experiment() }
}

#[test]
fn question_answer_and_picture_come_first() {
    for (columns, picture) in [
        (&["used", "system"][..], "&lt;b&gt;default: used space of each area over time:"),
        (&["fail_rate_64kB", "system"], "Large folios split before swap-out, by size"),
        (&["system", "throughput_sum"], "System time, s: mean of each case"),
    ] {
        let page = page(&with_columns(columns));
        let place = |text: &str| page.find(text).unwrap_or_else(|| panic!("no {text:?}: {page}"));
        let places = [
            place("class=\"question\""),
            place("class=\"answer\""),
            place(picture),
            place("<table"),
        ];
        assert!(places.is_sorted(), "{columns:?}: {places:?}");
        assert!(place("<details>") > places[3], "the runs are below the figures");
    }
    let answer = page(&experiment());
    assert!(answer.contains("Used space of each area at its peak: "), "{answer}");
    assert!(answer.contains("System time -20.0+-2.3% (better) with priorities equal"), "{answer}");
}

/// Contrast of text that is read without effort (WCAG, level AA).
const LEAST_CONTRAST: f64 = 4.5;
/// Height of the smallest label in a picture, in pixels.
const LEAST_LABEL: f64 = 9.0;
/// Writes into the title, for each frame: its width, the width of its page, the right edge of its pictures, the red
/// of its background, the lowest contrast of a text, and the height of the smallest label.
const LOOK: &str = r"
const channels = color => color.match(/[\d.]+/g).map(Number);
const luminance = color => {
    const linear = it => it / 255 <= 0.03928 ? it / 255 / 12.92 : ((it / 255 + 0.055) / 1.055) ** 2.4;
    const [red, green, blue] = channels(color).map(linear);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};
const contrast = (one, other) => {
    const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
};
const isClear = color => channels(color)[3] === 0;
const behind = (it, style) => {
    for (; it.parentElement; it = it.parentElement) if (!isClear(style(it).backgroundColor)) break;
    return style(it).backgroundColor;
};
onload = () => document.title = [...document.querySelectorAll('iframe')].map(frame => {
    const page = frame.contentDocument, style = it => frame.contentWindow.getComputedStyle(it);
    const ends = [...page.querySelectorAll('svg')].map(it => it.getBoundingClientRect().right);
    const hasText = it => [...it.childNodes].some(child => child.nodeType === 3 && child.data.trim());
    const texts = [...page.body.querySelectorAll('*')].filter(hasText);
    const ink = it => it.closest('svg') ? style(it).fill : style(it).color;
    const contrasts = texts.map(it => contrast(ink(it), behind(it, style)));
    const labels = [...page.querySelectorAll('svg text')].map(it => it.getBoundingClientRect().height);
    return [frame.clientWidth, page.documentElement.scrollWidth, Math.ceil(Math.max(...ends)),
        channels(style(page.body).backgroundColor)[0], Math.min(...contrasts), Math.min(...labels)].join(' ');
}).join(';')";

/// Widths of a phone, a tablet and a projector, in pixels.
const WIDTHS: [u32; 3] = [375, 800, 1920];

#[test]
fn the_page_fits_its_width_in_light_and_dark() {
    if Command::new("chromium").arg("--version").output().is_err() {
        assert!(env::var_os("CI").is_none(), "chromium is not installed");
        println!("skipped: chromium is not installed");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let pages = [&["used", "system"][..], &["system", "throughput_sum"]]
        .map(|columns| page(&with_columns(columns)));
    let frame = |page: &str, width| {
        // All parts are open, as a reader may have them.
        let page = page.replace("<details>", "<details open>");
        let page = page.replace('&', "&amp;").replace('"', "&quot;");
        format!(
            "<iframe style=\"border:0;width:{width}px;height:900px\" srcdoc=\"{page}\"></iframe>"
        )
    };
    let frames = pages.iter().flat_map(|page| WIDTHS.map(|width| frame(page, width)));
    let frames = frames.collect::<Vec<_>>().concat();
    let file = folder.path().join("frames.html");
    fs::write(&file, format!("<title>none</title>{frames}<script>{LOOK}</script>")).unwrap();
    // 0 is dark, 1 is light.
    let shades = [0, 1].map(|scheme| {
        let mut browser = Command::new("chromium");
        browser.args(["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=5000"]);
        browser.arg(format!("--user-data-dir={}", folder.path().join("profile").display()));
        browser.arg(format!("--blink-settings=preferredColorScheme={scheme}"));
        let output = browser.arg("--dump-dom").arg(&file).output().unwrap();
        let shown = String::from_utf8_lossy(&output.stdout).into_owned();
        let title = shown.split("<title>").nth(1).and_then(|rest| rest.split("</title>").next());
        let frames: Vec<Vec<f64>> = title
            .unwrap()
            .split(';')
            .map(|frame| frame.split(' ').map(|number| number.parse().unwrap_or(0.0)).collect())
            .collect();
        assert_eq!(frames.len(), 2 * WIDTHS.len(), "{title:?}");
        for frame in &frames {
            assert!(
                frame[1] <= frame[0] && frame[2] <= frame[0],
                "wider than the page: {frames:?}"
            );
            assert!(frame[4] >= LEAST_CONTRAST, "text of low contrast: {frames:?}");
            assert!(frame[5] >= LEAST_LABEL, "small labels: {frames:?}");
        }
        frames[0][3]
    });
    assert!(shades[0] < 64.0 && shades[1] > 192.0, "dark and light: {shades:?}");
}
