//! Full and failing disks under the files that commands write for people: results, recordings, exports.

use crate::faults::faults;
use crate::lab::Lab;
use crate::tracer::{self, Trace};
use crate::{at_length, file, full, program};
use std::fs;
use std::path::{Path, PathBuf};

/// Commands and the file that each writes, if its name is known before. `IN` is the folder.
const WRITERS: &[(&str, Option<&str>)] = &[
    ("record IN/x.rec --count 2 --interval 0.1", Some("x.rec")),
    ("metrics --textfile IN/x.prom", Some("x.prom")),
    ("watch --picture IN/x.svg", Some("x.svg")),
    ("results export last --format html --to IN/x.html", Some("x.html")),
    ("stress run usemem --with size=4M --with processes=1 --limit 32M --yes", None),
];

#[test]
fn a_file_that_cannot_be_written_is_the_old_or_the_new_one() {
    at_length("a_file_that_cannot_be_written_is_the_old_or_the_new_one", |lab| {
        let (mut problems, mut count) = (Vec::new(), 0);
        for (line, name) in WRITERS {
            let writer = Writer::new(lab, line, *name);
            count += writer.fail_each(&mut problems)?;
        }
        assert!(problems.is_empty(), "{}", problems.join("\n\n"));
        println!("measured: {count} errors at files of {} commands, no failure", WRITERS.len());
        Ok(())
    });
}

/// A command that writes a file into a folder.
struct Writer<'l> {
    lab: &'l Lab,
    line: &'static str,
    folder: PathBuf,
    name: Option<&'static str>,
}

impl<'l> Writer<'l> {
    fn new(lab: &'l Lab, line: &'static str, name: Option<&'static str>) -> Self {
        Self { lab, line, folder: lab.scratch.file("written"), name }
    }

    /// Fails each call once with each error, and counts the errors.
    fn fail_each(&self, problems: &mut Vec<String>) -> Result<usize, String> {
        let whole = self.run(None)?;
        let said = program::describe_failure(&whole.output);
        assert!(whole.output.status.success(), "{}: {said}", self.line);
        let [(name, new)] = &self.files()[..] else { panic!("{}: one file", self.line) };
        let size = new.len();
        let mut count = 0;
        for number in 0..whole.calls.len() {
            for fault in faults(number) {
                let trace = self.run(Some((number, fault)))?;
                let Some(call) = &trace.faulty else { continue };
                count += 1;
                let said = program::describe_failure(&trace.output);
                let what = format!("{}: {fault:?} at {} {}", self.line, call.name, call.path);
                let problem = self.problem(&trace, (name, size), &said);
                problems.extend(problem.map(|problem| format!("{what}: {problem}\n{said}")));
            }
        }
        println!("{}: {count} errors at {} calls", self.line, whole.calls.len());
        Ok(count)
    }

    /// Runs the command in a folder that is empty.
    fn run(&self, fault: Option<(usize, tracer::Fault)>) -> Result<Trace, String> {
        let _ = fs::remove_dir_all(&self.folder);
        fs::create_dir(&self.folder).expect("ours");
        let line = self.line.replace("IN", file::text(&self.folder));
        let words: Vec<&str> = line.split(' ').collect();
        let mut command = program::journalled(self.lab, &words);
        let results = if self.name.is_some() { full::results() } else { self.folder.clone() };
        command.env("SWAPADM_RESULTS", results);
        tracer::run_below(&mut command, &self.lab.scratch.file(""), fault, &self.folder)
    }

    /// The faults of the message, and of the file that is left.
    fn problem(&self, trace: &Trace, (name, size): (&str, usize), said: &str) -> Option<&str> {
        let files = self.files();
        // Figures differ in length each time.
        let is_whole = |text: &[u8]| text.len() * 10 > size * 9 && text.ends_with(b"\n");
        let said: String = said.split_whitespace().collect();
        match &files[..] {
            _ if !trace.output.status.success() && !said.contains(file::text(&self.folder)) => {
                Some("the error names no file")
            }
            _ if trace.output.status.success() && is_sync(trace) => Some("no error is reported"),
            [] => trace.output.status.success().then_some("the file is missing"),
            // Snapshots that are complete can be read.
            [(left, _)] if left == "x.rec" && is_readable(&self.folder.join(left)) => None,
            [(left, text)] if is_whole(text) && (left == name || self.name.is_none()) => None,
            _ => Some("half a file is left"),
        }
    }

    /// The names and contents in the folder.
    fn files(&self) -> Vec<(String, Vec<u8>)> {
        let names = full::names(&self.folder);
        let read = |name: String| (fs::read(self.folder.join(&name)).unwrap_or_default(), name);
        names.into_iter().map(read).map(|(text, name)| (name, text)).collect()
    }
}

fn is_sync(trace: &Trace) -> bool {
    trace.faulty.as_ref().is_some_and(|call| call.name == "sync")
}

fn is_readable(recording: &Path) -> bool {
    let words = ["--recording", file::text(recording), "status"];
    let output = program::command(&program::built(), &words).output();
    output.is_ok_and(|output| output.status.success())
}
