//! `swapadm selection`: the allocation order of areas, now and with other priorities.

use super::change::areas::parse_priority;
use super::change::find;
use super::stream::{self, SampleSchedule};
use super::table::Printer;
use crate::cli::args::{RowArgs, SelectionRequest};
use crate::cli::exit::{CommandError, CommandResult, Exit, usage};
use crate::cli::options::{Invocation, SourceOptions};
use crate::cli::table_command::TableCommand;
use crate::columns::tables::selection::{
    CHANGED, NOW, Row, SPEC, SelectionTable, describe_selection, rows,
};
use crate::columns::{Query, units};
use crate::derive::selection::{policy, whatif};
use crate::derive::{SampleView, cgroups};
use crate::model::activation::Priority;
use crate::model::paging::Thp;
use crate::model::swaparea::SwapArea;
use crate::model::{Bytes, Missing, Name, Part, PartSet, Reading, Snapshot, name};
use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;

/// Prints the allocation order and its consequences.
///
/// # Errors
/// The arguments are wrong, or the areas could not be read.
pub fn run(args: &TableCommand, wish: &SelectionRequest, invocation: &Invocation) -> CommandResult {
    let shown = with_implied_columns(&args.rows, wish);
    let query = Query::new(&SPEC, &shown.request(false, false)).map_err(CommandError::Usage)?;
    let pace = SampleSchedule::new(shown.interval.as_deref(), shown.count)?;
    let mut asked = SelectionPrinter {
        query: &query,
        wish,
        source: &invocation.source,
        printer: Printer::new(&shown, pace, &invocation.environment)?,
    };
    // Areas can be named by the label or UUID in their headers.
    let headers = (!wish.with.is_empty()).then_some(Part::Headers);
    let cgroups = wish.cgroup.as_ref().map(|_| Part::Cgroups);
    let asked_parts: Vec<Part> = headers.into_iter().chain(cgroups).collect();
    let needs = query.needs().with(PartSet::from_parts(&asked_parts));
    stream::run(&invocation.source, needs, query.needs_two_samples(), pace, |view| {
        asked.print(view)
    })?;
    Ok(Exit::Done)
}

/// The options of rows, limited to the requested node. JSON, CSV and raw output get columns for what
/// text says in words: the present or planned case, and the folio size.
fn with_implied_columns(rows: &RowArgs, wish: &SelectionRequest) -> RowArgs {
    let mut rows = rows.clone();
    if let Some(node) = wish.node {
        let own = format!("(node={node} | node=all)");
        rows.filter = Some(rows.filter.map_or(own.clone(), |filter| format!("({filter}) & {own}")));
    }
    if rows.json && rows.output.is_none() {
        // JSON has columns for what text says in words.
        rows.output = Some("all".to_owned());
    } else if is_for_programs(&rows) {
        let told = [("+case", !wish.with.is_empty()), ("+folio", wish.folio.is_some())];
        let told = told.into_iter().filter(|(_, is_asked)| *is_asked).map(|(column, _)| column);
        let columns: Vec<&str> = rows.output.as_deref().into_iter().chain(told).collect();
        rows.output = (!columns.is_empty()).then(|| columns.join(","));
    }
    rows
}

/// Whether only a table is printed, without text.
fn is_for_programs(rows: &RowArgs) -> bool {
    rows.has_table_only() || rows.noheadings
}

/// Prints the order for each snapshot.
struct SelectionPrinter<'a> {
    query: &'a Query,
    wish: &'a SelectionRequest,
    source: &'a SourceOptions,
    printer: Printer<'a>,
}

impl SelectionPrinter<'_> {
    fn print(&mut self, view: &SampleView<'_>) -> CommandResult<()> {
        let asked = self.check_node(view.now).and_then(|()| {
            let then = self.hypothetical(view.now)?;
            let then = then.map(|then| self.for_cgroup(&then).map(Cow::into_owned)).transpose()?;
            Ok((self.for_cgroup(view.now)?, then))
        });
        let watched = self.printer.printed > 0;
        let (now, then) =
            if watched { asked.map_err(CommandError::while_watching) } else { asked }?;
        let folio = self.wish.folio.as_deref().map_or(Ok(1), |size| folio_pages(view.now, size))?;
        if is_for_programs(self.printer.rows) {
            let mut all = rows(&now, NOW, folio);
            if let Some(then) = &then {
                all = all.map2(rows(then, CHANGED, folio), |mut now, then| {
                    now.extend(then);
                    now
                });
            }
            return self.table(view, all);
        }
        self.table(view, rows(&now, NOW, folio))?;
        self.words(&now, folio, 0)?;
        let Some(then) = then else { return Ok(()) };
        let wishes: Vec<String> =
            self.wish.with.iter().map(|wish| name::safe_text(&wish.to_string_lossy())).collect();
        let title = format!(
            "With {}, if the data on the areas stays where it is (a real change moves it first):",
            wishes.join(" ")
        );
        self.printer.paragraph(&title)?;
        self.printer.out.lines([""])?;
        self.table(view, rows(&then, CHANGED, folio))?;
        // The rules of the kernel are above already.
        self.words(&then, folio, 1)
    }

    fn table(&mut self, view: &SampleView<'_>, rows: Reading<Vec<Row>>) -> CommandResult<()> {
        let rows = rows.map(|rows| self.query.rows_from::<SelectionTable>(&rows));
        self.printer.print_rows(self.query, view, rows)
    }

    /// Prints the conclusions from the table, without the first sentences.
    fn words(&mut self, snapshot: &Snapshot, folio: u64, from: usize) -> CommandResult<()> {
        describe_selection(snapshot, self.wish.node, folio)
            .iter()
            .skip(from)
            .try_for_each(|told| self.printer.paragraph(told))
    }

    fn check_node(&self, snapshot: &Snapshot) -> CommandResult<()> {
        let nodes = snapshot.numa.reading.known_items();
        let Some(wanted) = self.wish.node else { return Ok(()) };
        if nodes.is_empty() || nodes.iter().any(|node| node.id == wanted) {
            return Ok(());
        }
        let all: Vec<String> = nodes.iter().map(|node| node.id.to_string()).collect();
        let there = if all.len() == 1 { "the only node is" } else { "nodes:" };
        Err(usage(format!("NUMA node {wanted} does not exist; {there} {}", all.join(", "))))
    }

    /// The snapshot with the areas that the cgroup of `--cgroup` may use.
    fn for_cgroup<'s>(&self, snapshot: &'s Snapshot) -> CommandResult<Cow<'s, Snapshot>> {
        let Some(path) = &self.wish.cgroup else { return Ok(Cow::Borrowed(snapshot)) };
        let no_data =
            |missing: Missing| CommandError::NoData(format!("--cgroup: {}", missing.why()));
        let kernel = snapshot.kernel.reading.get().map_err(no_data)?;
        if let Err(missing) = kernel.swap_tiers.get() {
            let why = format!("--cgroup: {}: each cgroup uses all areas", missing.why());
            return Err(CommandError::NoData(why));
        }
        let tree = snapshot.cgroups.reading.get().map_err(no_data)?;
        let group = tree.groups.iter().find(|group| group.path.as_bytes() == path.as_bytes());
        let group = group.ok_or_else(|| {
            let path = name::safe_text(&path.to_string_lossy());
            usage(format!("no cgroup \"{path}\"; to list them: swapadm cgroups"))
        })?;
        let tiers = cgroups::swap_tiers(tree, group).into_result().map_err(no_data)?;
        Ok(Cow::Owned(whatif::in_tiers(snapshot, &tiers)))
    }

    /// The snapshot with the priorities of `--with`, if given.
    fn hypothetical(&self, now: &Snapshot) -> CommandResult<Option<Snapshot>> {
        if self.wish.with.is_empty() {
            return Ok(None);
        }
        let areas = now.swaps.reading.get();
        let areas = areas.map_err(|missing| CommandError::missing("selection", &missing))?;
        let root = self.source.root().ok();
        let find = |area: &OsStr| find::find_among(areas, now, root, area);
        let wishes = parse_priorities(&self.wish.with, find)?;
        let order = policy::order(now).known().map(|(order, _)| *order);
        if order.is_none() && wishes.iter().any(|(_, wish)| *wish == Priority::Default) {
            let why = "selection: the number that this kernel gives a default priority is not known: use a number";
            return Err(CommandError::NoData(why.to_owned()));
        }
        Ok(Some(whatif::with_priorities(now, order, &wishes)))
    }
}

/// Parses priorities of areas, of which each may be named once.
pub(super) fn parse_priorities<'a>(
    pieces: &[OsString],
    find: impl Fn(&OsStr) -> CommandResult<&'a SwapArea>,
) -> CommandResult<Vec<(Name, Priority)>> {
    let wishes = rejoin_commas(pieces);
    let wishes = wishes.iter().map(|wish| parse_priority(wish, &find));
    let wishes = wishes.collect::<CommandResult<Vec<_>>>()?;
    check_named_once(&wishes)?;
    Ok(wishes)
}

/// Joins pieces that were split at commas in paths: a piece without `=` continues in the next one.
fn rejoin_commas(pieces: &[OsString]) -> Vec<OsString> {
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

/// Refuses two priorities for one area.
fn check_named_once(wishes: &[(Name, Priority)]) -> CommandResult<()> {
    let is_again = |(place, (path, _)): &(usize, &(Name, Priority))| {
        wishes.iter().take(*place).any(|(other, _)| other == path)
    };
    match wishes.iter().enumerate().find(is_again) {
        Some((_, (path, _))) => Err(usage(format!("{} is named twice", path.safe()))),
        None => Ok(()),
    }
}

/// The number of pages of a folio of this size, which must be one page or a folio size of this machine.
fn folio_pages(snapshot: &Snapshot, typed: &str) -> CommandResult<u64> {
    let page = snapshot.page_size.get();
    let page = page.map_err(|missing| CommandError::missing("--folio", &missing))?;
    let slots = policy::allocator(snapshot).known().and_then(|policy| policy.cluster_slots);
    let most = slots.map_or(u64::MAX, |slots| page.saturating_mul(u64::from(slots)));
    let sizes = folio_sizes(&snapshot.thp.reading, most);
    let fits = |size: &Bytes| {
        let pages = size.0 / page.max(&1);
        let is_one = pages.is_power_of_two() && size.0 == pages * page && size.0 <= most;
        is_one && (pages == 1 || sizes.is_empty() || sizes.contains(size))
    };
    match units::parse_size(typed).filter(fits) {
        Some(size) => Ok(size.0 / page.max(&1)),
        None => Err(usage(format!(
            "--folio \"{}\": {}",
            name::safe_text(typed),
            describe_sizes(&sizes, *page, slots.map(|_| most))
        ))),
    }
}

/// The folio sizes of this kernel. Kernels that do not list them have only the huge page size.
fn folio_sizes(thp: &Reading<Thp>, most: u64) -> Vec<Bytes> {
    let Some(thp) = thp.known() else { return Vec::new() };
    let mut sizes: Vec<Bytes> = match thp.sizes.known() {
        Some(sizes) => sizes.iter().map(|size| size.size).collect(),
        None => thp.pmd_size.known().copied().into_iter().collect(),
    };
    sizes.retain(|size| size.0 <= most);
    sizes
}

/// The folio sizes that are accepted, in words.
fn describe_sizes(sizes: &[Bytes], page: u64, most: Option<u64>) -> String {
    let sizes: Vec<String> = sizes.iter().map(|size| units::exact(*size)).collect();
    match (sizes.as_slice(), most) {
        ([], Some(most)) => format!(
            "use a power of two times the page size {}, up to the cluster size {}",
            units::exact(Bytes(page)),
            units::exact(Bytes(most))
        ),
        ([], None) => {
            format!("use a power of two times the page size {}", units::exact(Bytes(page)))
        }
        (sizes, _) => format!("not a folio size of this kernel: use {}", sizes.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::select;
    use crate::derive::selection::testing::{machine, solid};
    use crate::model::Sampled;
    use crate::model::paging::MthpSize;

    #[test]
    fn a_path_may_hold_a_comma() {
        let of =
            |pieces: &[&str]| rejoin_commas(&pieces.iter().map(OsString::from).collect::<Vec<_>>());
        assert_eq!(of(&["a=1", "b=2"]), ["a=1", "b=2"]);
        assert_eq!(of(&["/mnt/a", "b=9", "c=default"]), ["/mnt/a,b=9", "c=default"]);
        assert_eq!(of(&["a=1", "b"]), ["a=1", "b"]);
    }

    #[test]
    fn an_area_has_one_priority() {
        let wish = |path: &str, priority| (Name::from(path), Priority::Set(priority));
        assert!(check_named_once(&[wish("/a", 5), wish("/b", 5)]).is_ok());
        let twice = [wish("/a", 5), wish("/b", 5), (Name::from("/a"), Priority::Default)];
        let why = check_named_once(&twice).unwrap_err().to_string();
        assert_eq!(why, "/a is named twice");
    }

    #[test]
    fn scripts_get_extra_columns() {
        let json = RowArgs { json: true, ..RowArgs::default() };
        let with = SelectionRequest { with: vec!["zram0=5".into()], ..SelectionRequest::default() };
        let columns = |rows: &RowArgs, wish: &SelectionRequest| {
            let chosen =
                select::columns(&SPEC, with_implied_columns(rows, wish).output.as_deref(), false)
                    .unwrap();
            let infos = (SPEC.infos)();
            chosen.places.iter().map(|place| infos[*place].id).collect::<Vec<_>>()
        };
        for wish in [&with, &SelectionRequest { node: Some(1), ..SelectionRequest::default() }] {
            for id in [
                "case",
                "folio",
                "rotation_unit",
                "allocation_order",
                "order_evidence",
                "group_share",
                "pitfalls",
                "explanation",
            ] {
                assert!(columns(&json, wish).contains(&id), "{id}");
            }
        }
        let few = RowArgs { output: Some("name".to_owned()), ..json };
        assert_eq!(columns(&few, &with), ["name", "case"]);
        let both = SelectionRequest { folio: Some("2M".to_owned()), ..with };
        assert_eq!(columns(&few, &both), ["name", "case", "folio"]);
        let csv = RowArgs { csv: true, ..RowArgs::default() };
        assert_eq!(columns(&csv, &SelectionRequest::default()).join(","), SPEC.default);
    }

    const KIB: u64 = 1024;

    /// A kernel with these folio sizes, if it lists them.
    fn kernel_with_sizes(release: &str, sizes: Reading<&[u64]>) -> Snapshot {
        let mut snapshot = machine(release, &[(5, 9, 0, solid("a"))]);
        let size = |kib: &u64| MthpSize {
            size: Bytes(kib * KIB),
            enabled: Reading::not_sampled(),
            shmem_enabled: Reading::not_sampled(),
            stats: Reading::not_sampled(),
        };
        let thp = Thp {
            enabled: Reading::not_sampled(),
            defrag: Reading::not_sampled(),
            shmem_enabled: Reading::not_sampled(),
            pmd_size: Reading::Known(Bytes(2048 * KIB)),
            sizes: sizes.map(|sizes| sizes.iter().map(size).collect()),
        };
        snapshot.thp = Sampled::new(None, Reading::Known(thp));
        snapshot
    }

    fn parse_folio(snapshot: &Snapshot, typed: &str) -> Result<u64, String> {
        folio_pages(snapshot, typed).map_err(|failure| {
            let CommandError::Usage(why) = failure else { panic!("{failure:?}") };
            why
        })
    }

    #[test]
    fn a_size_of_this_kernel_becomes_pages() {
        let new = kernel_with_sizes("6.12.1", Reading::Known(&[16, 64, 2048]));
        for (typed, pages) in [("64K", 16), ("2M", 512), ("2048K", 512), ("65536", 16), ("4K", 1)] {
            assert_eq!(parse_folio(&new, typed), Ok(pages), "{typed}");
        }
        let old = kernel_with_sizes("6.1.1", Reading::absent("before 6.8"));
        assert_eq!(parse_folio(&old, "2M"), Ok(512));
    }

    #[test]
    fn unknown_folio_size_names_known_sizes() {
        let new = kernel_with_sizes("6.12.1", Reading::Known(&[16, 64, 2048]));
        for typed in ["32K", "3M", "4M", "0", "1", "-64K", "huge", "", "65537", "1e30"] {
            let why = parse_folio(&new, typed).unwrap_err();
            assert!(why.ends_with("use 16K, 64K, 2M"), "{why}");
        }
        let old = kernel_with_sizes("6.1.1", Reading::absent("before 6.8"));
        assert!(parse_folio(&old, "64K").unwrap_err().ends_with("use 2M"));
        let mut unread = machine("6.1.1", &[(5, 9, 0, solid("a"))]);
        assert_eq!(parse_folio(&unread, "64K"), Ok(16));
        let why = parse_folio(&unread, "96K").unwrap_err();
        assert!(why.ends_with("a power of two times the page size 4K"), "{why}");
        unread.page_size = Reading::failed("unread");
        assert!(matches!(folio_pages(&unread, "64K"), Err(CommandError::NoData(_))));
    }
}
