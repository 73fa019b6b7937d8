//! Overrides that conflict with keys of the file.

use super::*;

#[test]
fn conflicts_are_reported_at_the_override() {
    let work = |lines: &str| format!("{WORK}{lines}");
    let cases = [
        (
            work("pattern = 'churn'"),
            "memory=shared",
            "memory: conflicts with pattern (mine:3): churn needs anonymous memory",
        ),
        (
            work("prefault = false"),
            "memory=forked",
            "memory: conflicts with prefault (mine:3): false leaves nothing to copy",
        ),
        (
            work("seconds = 500"),
            "at_most=400",
            "at_most: conflicts with seconds (mine:3): all rounds take 500 seconds",
        ),
        (
            work("seconds = 500"),
            "1.rounds=2",
            "1.rounds: conflicts with seconds (mine:3): all rounds take 1000 seconds",
        ),
        (
            work("pattern = 'strided'\nstride = '1M'"),
            "size=512K",
            "size: conflicts with stride (mine:4): 1M is more than the size",
        ),
        (
            format!("together = 'none'\n{WORK}"),
            "after=swapoff",
            "after: conflicts with together (mine:1): after = swapoff needs",
        ),
    ];
    for (file, change, sentence) in cases {
        let told = sentences(read_changed("mine", &file, &parse_changes(&[change])));
        let wanted = format!("on the command line: {sentence}");
        assert!(told.len() == 1 && told[0].starts_with(&wanted), "{told:?}");
    }
}
