//! What is said over a file and does not go with what stands there.

use super::*;

#[test]
fn the_file_is_not_wrong_where_something_else_was_said_over_it() {
    let work = |lines: &str| format!("{WORK}{lines}");
    let cases = [
        (
            work("pattern = 'churn'"),
            "memory=shared",
            "memory: it does not go with pattern (mine, line 3): churn is for anonymous memory only",
        ),
        (
            work("prefault = false"),
            "memory=forked",
            "memory: it does not go with prefault (mine, line 3): false leaves nothing to copy",
        ),
        (
            work("seconds = 500"),
            "at_most=400",
            "at_most: it does not go with seconds (mine, line 3): all rounds of it take 500 seconds",
        ),
        (
            work("seconds = 500"),
            "1.rounds=2",
            "rounds: it does not go with seconds (mine, line 3): all rounds of it take 1000 seconds",
        ),
        (
            work("pattern = 'strided'\nstride = '1M'"),
            "size=512K",
            "size: it does not go with stride (mine, line 4): 1M is more than the size",
        ),
        (
            format!("together = 'none'\n{WORK}"),
            "after=swapoff",
            "after: it does not go with together (mine, line 1): after = swapoff needs",
        ),
    ];
    for (file, change, sentence) in cases {
        let told = sentences(read_changed("mine", &file, &[change]));
        let wanted = format!("on the command line: {sentence}");
        assert!(told.len() == 1 && told[0].starts_with(&wanted), "{told:?}");
    }
}
