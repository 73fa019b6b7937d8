//! Answers scrapes over HTTP: `GET /metrics` and nothing else, one answer for each connection.
//!
//! Everything that a client decides is bounded: the number of connections, the size of a request, the time
//! until the answer has been taken, and how often the machine is read.

use crate::cli::exit::{CommandError, CommandResult};
use crate::cli::interrupt::Interrupt;
use crate::cli::out;
use crate::clock::Clock;
use crate::derive::SampleView;
use crate::model::{PartSet, Policy, Snapshot, Stamp, part_set};
use crate::report::metrics::{MetricFormat, MetricSelection};
use crate::sampler::SnapshotSource;
use crate::sys;
use crate::waiting::Timer;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::io;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{AbortHandle, LocalSet, spawn_local, yield_now};

/// Connections at one time. One more ends the oldest, so that silent ones do not keep others out.
const MOST_CONNECTIONS: usize = 64;
/// Size of a request in bytes.
const LARGEST_REQUEST: usize = 8 << 10;
/// Time of a connection, from its beginning to the end of the answer.
const DEADLINE: Duration = Duration::from_secs(10);
/// Seconds for which an answer is repeated instead of reading the machine again.
const SHORTEST_INTERVAL: f64 = 1.0;
/// Parts that are read again after some seconds, and when there is a new area. That of the kernel has the time
/// since boot.
const STEADY: PartSet = PartSet::STEADY.without(part_set![Kernel]);
const STEADY_INTERVAL: f64 = 60.0;
/// Pause after a connection that could not be accepted, as without free descriptors.
const PAUSE: Duration = Duration::from_millis(100);

/// Reads the machine for scrapes.
pub(super) struct Scraper {
    source: SnapshotSource,
    selection: MetricSelection,
    parts: PartSet,
    policy: Policy,
    before: Option<Snapshot>,
    now: Option<Snapshot>,
    read_at: Option<Stamp>,
    /// When the steady parts were read.
    steady_at: Option<Stamp>,
    /// The answers that were made from the last sample.
    texts: Vec<(MetricFormat, Rc<str>)>,
}

impl Scraper {
    pub(super) fn new(
        mut source: SnapshotSource,
        selection: MetricSelection,
        policy: Policy,
    ) -> Self {
        let parts = selection.needs();
        // A recording has the samples before its start; a machine is read on request only.
        let is_replay = matches!(source, SnapshotSource::Replay(_));
        let before = source.before_baseline();
        let now = is_replay.then(|| source.baseline(parts, false)).flatten();
        Self {
            source,
            parts,
            selection,
            policy,
            before,
            now,
            read_at: None,
            steady_at: None,
            texts: Vec::new(),
        }
    }

    /// Takes a sample, unless the last one is recent or the last of a recording. A simulated machine goes on
    /// by a second.
    fn sample(&mut self) {
        let time = Clock::Real.now();
        let is_due = |read: Option<Stamp>, interval: f64| {
            read.is_none_or(|read| time.seconds_since(read) >= interval)
        };
        if !is_due(self.read_at, SHORTEST_INTERVAL) {
            return;
        }
        let is_whole = is_due(self.steady_at, STEADY_INTERVAL);
        let parts = if is_whole { self.parts } else { self.parts.without(STEADY) };
        let Some(mut now) = self.source.next(parts) else { return };
        self.read_at = Some(time);
        self.steady_at = if is_whole { self.read_at } else { self.steady_at };
        if let Some(last) = self.now.take() {
            now.carry(&last);
            if now.parts_without_new_areas(&last) != PartSet::NONE {
                self.steady_at = None;
            }
            self.before = Some(now.earlier(&last, self.before.as_ref()));
        }
        self.now = Some(now);
        self.texts.clear();
    }

    fn text(&mut self, format: MetricFormat) -> Rc<str> {
        self.sample();
        if let Some((_, text)) = self.texts.iter().find(|(known, _)| *known == format) {
            return Rc::clone(text);
        }
        let Some(now) = &self.now else { return Rc::from("") };
        let view = SampleView { now, before: self.before.as_ref() };
        let text: Rc<str> = self.selection.text(&view, &self.policy, format).into();
        self.texts.push((format, Rc::clone(&text)));
        text
    }
}

/// Answers scrapes until a signal arrives.
pub(super) fn run(address: SocketAddr, mut scraper: Scraper) -> CommandResult<()> {
    let interrupt = Interrupt::watch(true);
    if let SnapshotSource::Live { root, .. } = &mut scraper.source {
        *root = interrupt.cancellable(root);
    }
    let failed =
        |error: io::Error| CommandError::NoData(format!("cannot listen on {address}: {error}"));
    let ended = interrupt.run_until_signal(async {
        let listener = TcpListener::bind(address).await?;
        sys::drop_rights_to_change();
        // Findings about rates compare the first scrape with this sample.
        scraper.sample();
        if let Some(now) = &scraper.now {
            super::remark_unknown_cgroups(&scraper.selection, now);
        }
        out::remark(&format!("listening on http://{}/metrics", listener.local_addr()?));
        LocalSet::new().run_until(accept_all(&listener, scraper)).await
    });
    ended.map_err(failed)
}

/// Accepts connections without end.
async fn accept_all(listener: &TcpListener, scraper: Scraper) -> io::Result<()> {
    let scraper = Rc::new(RefCell::new(scraper));
    let pause = Timer::new()?;
    let mut open = VecDeque::<AbortHandle>::new();
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            pause.sleep(PAUSE).await;
            continue;
        };
        open.retain(|connection| !connection.is_finished());
        if open.len() >= MOST_CONNECTIONS
            && let Some(oldest) = open.pop_front()
        {
            oldest.abort();
        }
        open.push_back(spawn_local(serve(stream, Rc::clone(&scraper))).abort_handle());
        // A request that arrived with its connection is answered before the next connection can end it.
        yield_now().await;
    }
}

async fn serve(stream: TcpStream, scraper: Rc<RefCell<Scraper>>) {
    let Ok(timer) = Timer::new() else { return };
    tokio::select! {
        biased;
        () = timer.sleep(DEADLINE) => {}
        _ = exchange(&stream, &scraper) => {}
    }
}

/// Reads a request and writes the answer.
async fn exchange(stream: &TcpStream, scraper: &RefCell<Scraper>) -> io::Result<()> {
    let answer = read_request(stream, |format| scraper.borrow_mut().text(format)).await?;
    let mut rest = answer.as_bytes();
    while !rest.is_empty() {
        stream.writable().await?;
        match stream.try_write(rest) {
            Ok(written) => rest = rest.get(written..).unwrap_or_default(),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Reads until there is an answer.
async fn read_request(
    stream: &TcpStream,
    text: impl Fn(MetricFormat) -> Rc<str>,
) -> io::Result<String> {
    let mut request = Vec::new();
    let mut piece = [0; 1 << 10];
    loop {
        stream.readable().await?;
        match stream.try_read(&mut piece) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(read) => request.extend_from_slice(piece.get(..read).unwrap_or_default()),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => continue,
            Err(error) => return Err(error),
        }
        if let Some(answer) = answer_once_complete(&request, &text) {
            return Ok(answer);
        }
    }
}

/// The answer to the bytes received so far, with the metrics in the requested format; `None` as long as the
/// head of the request has no end and is not too large.
pub fn answer_once_complete(
    request: &[u8],
    text: impl FnOnce(MetricFormat) -> Rc<str>,
) -> Option<String> {
    if request.len() > LARGEST_REQUEST {
        return Some(answer(None, text));
    }
    let is_complete = request.windows(4).any(|bytes| bytes == b"\r\n\r\n");
    is_complete.then(|| answer(Some(&String::from_utf8_lossy(request)), text))
}

/// The answer to the head of a request.
fn answer(request: Option<&str>, text: impl FnOnce(MetricFormat) -> Rc<str>) -> String {
    let plain = MetricFormat::Prometheus;
    let Some(request) = request else {
        return response("431 Request Header Fields Too Large", plain, "", "request too large\n");
    };
    let mut lines = request.split("\r\n");
    let mut words = lines.next().unwrap_or_default().split(' ');
    let (method, target, version) = (words.next(), words.next(), words.next());
    if !version.is_some_and(|version| version.starts_with("HTTP/1.")) {
        return response("400 Bad Request", plain, "", "not an HTTP/1 request\n");
    }
    if target.and_then(|target| target.split('?').next()) != Some("/metrics") {
        return response("404 Not Found", plain, "", "only /metrics is here\n");
    }
    if method != Some("GET") {
        return response(
            "405 Method Not Allowed",
            plain,
            "Allow: GET\r\n",
            "only GET is allowed\n",
        );
    }
    let format = if lines.any(accepts_openmetrics) { MetricFormat::OpenMetrics } else { plain };
    let text = text(format);
    if text.is_empty() {
        return response("503 Service Unavailable", plain, "", "no sample could be taken\n");
    }
    response("200 OK", format, "", &text)
}

/// Whether a line of the request asks for this format. A weight of 0 refuses it.
fn accepts_openmetrics(line: &str) -> bool {
    let line = line.to_ascii_lowercase();
    let is_refused = |kind: &str| {
        let mut weights = kind.split(';').filter_map(|part| part.trim().strip_prefix("q="));
        weights.any(|weight| weight.parse() == Ok(0.0))
    };
    let mut kinds = line.strip_prefix("accept:").unwrap_or_default().split(',');
    kinds.any(|kind| kind.contains("application/openmetrics-text") && !is_refused(kind))
}

fn response(status: &str, format: MetricFormat, more: &str, body: &str) -> String {
    let (kind, length) = (format.media_type(), body.len());
    format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n{more}\r\n{body}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(format: MetricFormat) -> Rc<str> {
        format!("{format:?}").into()
    }

    fn status(request: &str) -> String {
        let answer = answer(Some(request), name);
        answer.lines().next().unwrap_or_default().to_owned()
    }

    #[test]
    fn only_get_metrics_is_answered() {
        assert_eq!(status("GET /metrics HTTP/1.1\r\n\r\n"), "HTTP/1.1 200 OK");
        assert_eq!(status("GET /metrics?x=1 HTTP/1.0\r\n\r\n"), "HTTP/1.1 200 OK");
        assert!(status("GET / HTTP/1.1\r\n\r\n").contains("404"));
        assert!(status("POST /metrics HTTP/1.1\r\n\r\n").contains("405"));
        assert!(status("GET /metrics\r\n\r\n").contains("400"));
        assert!(status("\r\n\r\n").contains("400"));
        assert!(super::answer(None, name).contains("431"));
        let unread = super::answer(Some("GET /metrics HTTP/1.1\r\n\r\n"), |_| "".into());
        assert!(unread.contains("503"), "a scrape without a sample has failed");
    }

    #[test]
    fn the_format_follows_the_accept_header() {
        let body = |accept: &str| {
            let request = format!("GET /metrics HTTP/1.1\r\nHost: x\r\n{accept}\r\n\r\n");
            answer(Some(&request), name)
        };
        let open = "ACCEPT: text/plain;q=0.1, application/openmetrics-text;version=1.0.0";
        assert!(body(open).ends_with("\r\n\r\nOpenMetrics"));
        let refused = "Accept: text/plain, application/openmetrics-text;q=0";
        assert!(body(refused).ends_with("\r\n\r\nPrometheus"));
        assert!(body("Accept: */*").ends_with("\r\n\r\nPrometheus"));
    }
}
