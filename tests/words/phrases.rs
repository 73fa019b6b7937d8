//! The phrases that no text of the program holds, with what to say instead.
//!
//! Words that are wrong in some meanings only (place, turn, wait, cost, allow, last) are not in the list.

/// Phrases that are replaced in the same way.
pub(crate) struct Group {
    /// In small letters, whatever the case in a text. Phrases with capitals mean exactly these.
    pub(crate) phrases: &'static [&'static str],
    pub(crate) say: &'static str,
}

/// A phrase that is right in one file or folder.
pub(crate) struct Exception {
    /// A file, or the beginning of the path of several.
    pub(crate) file: &'static str,
    pub(crate) phrase: &'static str,
    pub(crate) reason: &'static str,
}

const fn except(file: &'static str, phrase: &'static str, reason: &'static str) -> Exception {
    Exception { file, phrase, reason }
}

const fn group(phrases: &'static [&'static str], say: &'static str) -> Group {
    Group { phrases, say }
}

pub(crate) const EXCEPTIONS: &[Exception] = &[
    except("src/actions/journal/record.rs", "put right", "a journal of an older version has it"),
    except("src/actions/journal/record.rs", "cut off", "a journal of an older version has it"),
    except("src/actions/journal/record.rs", "lent", "a journal of an older version has it"),
    except("src/model/load.rs", "told", "a tag in messages between our own processes"),
    except("src/ui/screens/compression.rs", "buys", "the identifier of a pane"),
    except("src/ui/", "RO", "the mark of the read-only mode on narrow terminals"),
];

/// First words of a doc comment that do not name the thing.
pub(crate) const STARTS: [&str; 8] =
    ["That", "What", "The same", "Those", "It", "Its", "Their", "They"];

pub(crate) const PHRASES: &[Group] = &[
    // Enabling and disabling
    group(
        &["switch on", "switches on", "switched on", "switching on", "put on again", "puts it on"],
        "enable, swapon",
    ),
    group(&["switch off", "switches off", "switched off", "switching off"], "disable, swapoff"),
    group(&["take off", "takes off", "taken off", "taking off", "took off"], "disable, swapoff"),
    group(&["put back", "puts back", "putting back"], "restore"),
    group(&["give back", "gives back", "given back", "gave back"], "restore, free"),
    group(&["take back", "takes back", "taken back", "taking back", "took back"], "undo, undone"),
    // Priorities and sharing
    group(
        &["areas of one priority", "areas of the same priority", "areas of a priority"],
        "priority group",
    ),
    group(&["take turns", "takes turns", "taking turns", "took turns"], "round robin, rotate"),
    group(&["which is next", "which would be next"], "allocation order, next area"),
    group(&["a skew", "the skew", "skew of", "largest skew"], "imbalance"),
    group(&["at share", "alike known by"], "equal share; same on all nodes (from priorities)"),
    // Loads
    group(&["cage", "cages", "caged"], "cgroup, memory limit"),
    group(&["lent", "lend", "lends", "lending"], "temporary"),
    group(&["rails"], "guard"),
    group(&["all chance", "made by dice"], "random, seed"),
    // Changes
    group(&["deed", "deeds"], "action"),
    group(&["wish", "wishes", "wished"], "request, requested"),
    group(&["manner", "manners"], "options"),
    group(&["door", "doors"], "say what it is: the only place that opens files"),
    group(
        &["told", "foretold", "foretells", "foretell"],
        "shown, reported, printed, estimated; tell apart: distinguish",
    ),
    group(
        &["put right", "puts right", "putting right", "put it right", "puts it right"],
        "repair, fix",
    ),
    group(&["cut off"], "interrupted, truncated"),
    group(&["every start", "each start", "next start", "starts the next time"], "boot"),
    group(&["what lasts", "made to last", "make last", "makes last"], "persistent, at boot"),
    group(&["be otherwise", "is otherwise", "are otherwise", "comes out otherwise"], "differ"),
    group(&["let it be so", "so already"], "name the state: already balanced"),
    group(&["anew"], "again"),
    group(&["stands against", "stand against"], "checks that refuse it; is refused because"),
    // Missing values
    group(
        &["nobody", "no one", "nothing tells", "nothing says"],
        "permission denied, not on this kernel, not sampled yet; or name who does not",
    ),
    group(&["one moment"], "needs two samples"),
    group(&["armed", "RO", "HELD"], "read-only mode, write mode, paused, confirm"),
    // Figures
    group(&["pays", "readahead pay", "reading ahead pay"], "hit rate"),
    group(&["turned away"], "fallback, split"),
    group(&["buys", "buy"], "compression ratio, saves"),
    group(&["of theirs", "its like"], "name the owner"),
    group(
        &["all wait", "all tasks wait", "tasks wait for memory", "tasks waited for memory"],
        "PSI some, PSI full, in percent",
    ),
    group(&["looks for memory", "look for memory", "looking for memory"], "reclaims"),
    group(&["what it will take", "will take yet", "takes yet"], "estimate, ETA"),
    group(&["fits yes"], "to move, fits"),
    group(&["none for now"], "no area is growing"),
    group(&["put off"], "deferred"),
    group(&["taken for rotating"], "a sentence: the kernel treats it as rotational"),
    // Spelling
    group(&["colour", "colours", "coloured"], "color"),
    // Grammar
    group(&["is none", "are none", "was none", "has none"], "say what it is instead"),
    group(&["holds integer"], "is not a whole number, is not valid"),
    group(&["is neither a file", "what is there"], "say what exists and what to choose"),
    group(&["so many", "so often"], "a letter: stop after N samples, repeat every SECS seconds"),
    group(&["not there yet"], "does not exist, planned"),
    group(&["gets up to", "lets it keep"], "returns to; limit"),
];
