//! HTML pages: complete, without scripts, and safe with any names.

use crate::results::ResultFolder;

const EMPTY: [&str; 2] = ["meta", "!DOCTYPE"];

/// Every opened element is closed in order; returns the names of all.
pub(crate) fn elements(page: &str) -> Vec<String> {
    let (mut open, mut all) = (Vec::new(), Vec::new());
    for tag in page.split('<').skip(1) {
        let (tag, _) = tag.split_once('>').unwrap();
        let name = tag.split([' ', '\n', '/']).next().unwrap().to_owned();
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name), "closed in another order");
        } else if !tag.ends_with('/') && !EMPTY.contains(&name.as_str()) {
            open.push(name.clone());
        }
        all.push(name);
    }
    assert!(open.is_empty(), "{open:?} is left open");
    all
}

#[test]
fn a_page_is_whole_and_fetches_nothing() {
    let page = ResultFolder::new().stdout(&["export", "1", "2", "--format", "html"]);
    let elements = elements(&page);
    assert!(!page.contains("<script") && !page.contains("src=") && !page.contains("href="));
    assert!(!page.contains("@import") && !page.contains("url("));
    let plots = elements.iter().filter(|name| *name == "svg").count();
    // Three plots comparing both runs, and three of each.
    assert_eq!(plots, 3 + 2 * 4);
    assert!(page.contains("prefers-color-scheme: dark"));
    assert!(page.contains("/dev/zram3") && page.contains("Throughput, sum"));
}

#[test]
fn a_single_run_has_no_plot_of_several() {
    let page = ResultFolder::new().stdout(&["export", "2", "--format", "html"]);
    assert_eq!(elements(&page).iter().filter(|name| *name == "svg").count(), 4);
}

#[test]
fn names_are_text_and_never_markup() {
    let page = ResultFolder::new().stdout(&["export", "3", "--format", "html"]);
    let elements = elements(&page);
    assert!(!elements.contains(&"script".to_owned()) && !elements.contains(&"i".to_owned()));
    assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt; &amp; \\u{1b}[2J"));
    assert!(page.contains("/mnt/a&quot;b&#39;&lt;i&gt;|\\xff"));
}
