//! `swapadm selection`: which area is next, and which would be with other priorities.

mod folio;

use super::change::{find, priority};
use super::stream::{self, Pace};
use super::table::Printer;
use crate::cli::args::RowArgs;
use crate::cli::args::selection::Wish;
use crate::cli::exit::{Exit, Failure};
use crate::cli::options::{Environment, SourceOptions};
use crate::cli::table_command::TableCommand;
use crate::columns::tables::selection::{NOW, Row, SPEC, Selection, THEN, rows, words};
use crate::columns::{Query, Rows, spec};
use crate::derive::View;
use crate::derive::selection::{policy, whatif};
use crate::model::activation::Priority;
use crate::model::{Name, Part, PartSet, Reading, Snapshot, name};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;

/// Print the order, and what comes of it.
///
/// # Errors
/// When the arguments do not fit it, or what it is about cannot be read.
pub fn run(
    args: &TableCommand,
    wish: &Wish,
    source: &SourceOptions,
    environment: &Environment,
) -> Result<Exit, Failure> {
    let shown = shown(&args.rows, wish);
    let query = Query::new(&SPEC, &shown.request(false, false)).map_err(Failure::Usage)?;
    let pace = Pace::new(shown.interval.as_deref(), shown.count)?;
    let mut asked =
        Asked { query: &query, wish, source, printer: Printer::new(&shown, pace, environment)? };
    // Areas can be named by what is in their headers.
    let headers = if wish.with.is_empty() { PartSet::NONE } else { PartSet::of(&[Part::Headers]) };
    let needs = query.needs().with(headers);
    stream::run(source, needs, query.two(), pace, |view| asked.print(view))?;
    Ok(Exit::Done)
}

/// The rows of one node only, and for programs with the columns that tell what is from what would be,
/// and of which folios it is.
fn shown(rows: &RowArgs, wish: &Wish) -> RowArgs {
    let mut rows = rows.clone();
    if let Some(node) = wish.node {
        let own = format!("(node={node} | node=all)");
        rows.filter = Some(rows.filter.map_or(own.clone(), |filter| format!("({filter}) & {own}")));
    }
    if rows.json && rows.output.is_none() {
        // What people are told in words, programs have in columns.
        rows.output = Some("all".to_owned());
    } else if is_for_programs(&rows) {
        let told = [("+case", !wish.with.is_empty()), ("+folio", wish.folio.is_some())];
        let told = told.into_iter().filter(|(_, is_asked)| *is_asked).map(|(column, _)| column);
        let columns: Vec<&str> = rows.output.as_deref().into_iter().chain(told).collect();
        rows.output = (!columns.is_empty()).then(|| columns.join(","));
    }
    rows
}

/// Is it a single table, without words?
fn is_for_programs(rows: &RowArgs) -> bool {
    rows.json || rows.csv || rows.raw || rows.noheadings
}

/// What is asked of each snapshot.
struct Asked<'a> {
    query: &'a Query,
    wish: &'a Wish,
    source: &'a SourceOptions,
    printer: Printer<'a>,
}

impl Asked<'_> {
    fn print(&mut self, view: &View<'_>) -> Result<(), Failure> {
        let then = self.check_node(view.now).and_then(|()| self.then(view.now));
        let watched = self.printer.printed > 0;
        let then = if watched { then.map_err(Failure::meanwhile) } else { then }?;
        let folio =
            self.wish.folio.as_deref().map_or(Ok(1), |size| folio::pages(view.now, size))?;
        if is_for_programs(self.printer.rows) {
            let mut all = rows(view.now, NOW, folio);
            if let Some(then) = &then {
                all = all.map2(rows(then, THEN, folio), |mut now, then| {
                    now.extend(then);
                    now
                });
            }
            return self.table(view, all);
        }
        self.table(view, rows(view.now, NOW, folio))?;
        self.words(view.now, folio, 0)?;
        let Some(then) = then else { return Ok(()) };
        let wishes: Vec<String> =
            self.wish.with.iter().map(|wish| name::safe_text(&wish.to_string_lossy())).collect();
        let title = format!(
            "With {}, where all that is on the areas now stays there (a change moves it first):",
            wishes.join(" ")
        );
        self.printer.paragraph(&title)?;
        self.printer.out.lines([""])?;
        self.table(view, rows(&then, THEN, folio))?;
        // By which rules stands above.
        self.words(&then, folio, 1)
    }

    fn table(&mut self, view: &View<'_>, rows: Reading<Vec<Row>>) -> Result<(), Failure> {
        let rows: Reading<Rows> = rows
            .map(|rows| self.query.rows_of(|chosen| spec::cells_of::<Selection>(&rows, chosen)));
        self.printer.print_rows(self.query, view, rows)
    }

    /// What the table comes to, from this sentence on.
    fn words(&mut self, snapshot: &Snapshot, folio: u64, from: usize) -> Result<(), Failure> {
        words(snapshot, self.wish.node, folio)
            .iter()
            .skip(from)
            .try_for_each(|told| self.printer.paragraph(told))
    }

    fn check_node(&self, snapshot: &Snapshot) -> Result<(), Failure> {
        let nodes = snapshot.numa.reading.known().map_or(&[][..], Vec::as_slice);
        let Some(wanted) = self.wish.node else { return Ok(()) };
        if nodes.is_empty() || nodes.iter().any(|node| node.id == wanted) {
            return Ok(());
        }
        let all: Vec<String> = nodes.iter().map(|node| node.id.to_string()).collect();
        let there = if all.len() == 1 { "there is" } else { "there are" };
        Err(Failure::Usage(format!("there is no NUMA node {wanted}; {there} {}", all.join(", "))))
    }

    /// The machine as it would be, if that is asked.
    fn then(&self, now: &Snapshot) -> Result<Option<Snapshot>, Failure> {
        if self.wish.with.is_empty() {
            return Ok(None);
        }
        let areas = now.swaps.reading.get().map_err(|missing| {
            Failure::Nothing(format!("selection: {}", name::safe_text(&missing.to_string())))
        })?;
        let root = self.source.root().ok();
        let find = |area: &OsStr| find::among(areas, now, root, area);
        let wishes = whole(&self.wish.with);
        let wishes = wishes.iter().map(|wish| priority::parse_of(wish, find));
        let wishes = wishes.collect::<Result<Vec<(Name, Priority)>, Failure>>()?;
        named_once(&wishes)?;
        let order = policy::order(now).known().map(|(order, _)| *order);
        if order.is_none() && wishes.iter().any(|(_, wish)| *wish == Priority::Default) {
            let why = "selection: which number this kernel gives areas without a priority is not known: ask for a number";
            return Err(Failure::Nothing(why.to_owned()));
        }
        Ok(Some(whatif::with(now, order, &wishes)))
    }
}

/// Paths may hold commas, which divide wishes: what stands before one without a number goes on behind it.
fn whole(pieces: &[OsString]) -> Vec<OsString> {
    let mut wishes: Vec<OsString> = Vec::new();
    let mut goes_on = false;
    for piece in pieces {
        match wishes.last_mut().filter(|_| goes_on) {
            Some(wish) => {
                wish.push(",");
                wish.push(piece);
            }
            None => wishes.push(piece.clone()),
        }
        goes_on = !piece.as_bytes().contains(&b'=');
    }
    wishes
}

/// Of two priorities nobody knows which one is meant.
fn named_once(wishes: &[(Name, Priority)]) -> Result<(), Failure> {
    let is_again = |(place, (path, _)): &(usize, &(Name, Priority))| {
        wishes.iter().take(*place).any(|(other, _)| other == path)
    };
    match wishes.iter().enumerate().find(is_again) {
        Some((_, (path, _))) => Err(Failure::Usage(format!("{} is named twice", path.safe()))),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::select;

    #[test]
    fn a_path_may_hold_a_comma() {
        let of = |pieces: &[&str]| whole(&pieces.iter().map(OsString::from).collect::<Vec<_>>());
        assert_eq!(of(&["a=1", "b=2"]), ["a=1", "b=2"]);
        assert_eq!(of(&["/mnt/a", "b=9", "c=default"]), ["/mnt/a,b=9", "c=default"]);
        assert_eq!(of(&["a=1", "b"]), ["a=1", "b"]);
    }

    #[test]
    fn an_area_has_one_priority() {
        let wish = |path: &str, priority| (Name::from(path), Priority::Set(priority));
        assert!(named_once(&[wish("/a", 5), wish("/b", 5)]).is_ok());
        let twice = [wish("/a", 5), wish("/b", 5), (Name::from("/a"), Priority::Default)];
        let why = named_once(&twice).unwrap_err().to_string();
        assert_eq!(why, "/a is named twice");
    }

    #[test]
    fn programs_are_told_in_columns_what_people_are_told_in_words() {
        let json = RowArgs { json: true, ..RowArgs::default() };
        let with = Wish { with: vec!["zram0=5".into()], ..Wish::default() };
        let columns = |rows: &RowArgs, wish: &Wish| {
            let chosen =
                select::columns(&SPEC, shown(rows, wish).output.as_deref(), false).unwrap();
            let infos = (SPEC.infos)();
            chosen.places.iter().map(|place| infos[*place].id).collect::<Vec<_>>()
        };
        for wish in [&with, &Wish { node: Some(1), ..Wish::default() }] {
            for id in ["case", "folio", "grain", "order", "known_by", "in_turn", "traps", "meaning"]
            {
                assert!(columns(&json, wish).contains(&id), "{id}");
            }
        }
        let few = RowArgs { output: Some("name".to_owned()), ..json };
        assert_eq!(columns(&few, &with), ["name", "case"]);
        let both = Wish { folio: Some("2M".to_owned()), ..with };
        assert_eq!(columns(&few, &both), ["name", "case", "folio"]);
        let csv = RowArgs { csv: true, ..RowArgs::default() };
        assert_eq!(columns(&csv, &Wish::default()), SPEC.default);
    }
}
