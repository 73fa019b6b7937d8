//! Scrapes over HTTP, and clients that would keep others out.

use super::common::Machine;
use super::grammar::families;
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// A running server.
struct Server {
    program: Child,
    address: SocketAddr,
}

impl Server {
    fn start(machine: &Machine) -> Self {
        let mut program =
            machine.command(&["metrics", "--listen", "0"]).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(program.stderr.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("listening on http://").unwrap();
        let address = address.strip_suffix("/metrics").unwrap().parse().unwrap();
        Self { program, address }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
        stream
    }

    /// The answer to a request, until the server closes.
    fn ask(&self, request: &str) -> String {
        let mut stream = self.connect();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    fn scrape(&self) -> String {
        let answer = self.ask(SCRAPE);
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with("HTTP/1.1 200 OK\r\n"), "{head}");
        assert!(head.contains(&format!("\r\nContent-Length: {}\r\n", body.len())), "{head}");
        body.to_owned()
    }

    /// Largest resident memory so far, in KiB.
    fn peak_kib(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.program.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        line.trim().trim_end_matches(" kB").parse().unwrap()
    }

    /// Ends the server by SIGTERM, and returns its exit status.
    fn end(mut self) -> Option<i32> {
        kill(Pid::from_raw(i32::try_from(self.program.id()).unwrap()), Signal::SIGTERM).unwrap();
        let began = Instant::now();
        let status = self.program.wait().unwrap();
        assert!(began.elapsed() < Duration::from_secs(2), "{:?}", began.elapsed());
        status.code()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

const SCRAPE: &str = "GET /metrics HTTP/1.1\r\nHost: x\r\nAccept: application/openmetrics-text;version=1.0.0,text/plain;q=0.5\r\n\r\n";

fn allow_many_files() {
    let (_, hard) = getrlimit(Resource::RLIMIT_NOFILE).unwrap();
    setrlimit(Resource::RLIMIT_NOFILE, hard, hard).unwrap();
}

#[test]
fn a_scrape_is_what_the_command_prints() {
    let machine = Machine::shared("7.2-mixed-loaded");
    let server = Server::start(&machine);
    let without_cost = |text: &str| {
        let lines = text.lines().filter(|line| !line.starts_with("swapadm_sample_cpu_seconds "));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let scraped = server.scrape();
    families(&scraped);
    assert_eq!(without_cost(&scraped), without_cost(&machine.stdout(&["metrics"])));
    let plain = server.ask("GET /metrics HTTP/1.0\r\n\r\n");
    assert!(plain.contains("version=0.0.4") && !plain.contains("# EOF"));
    for (request, status) in [
        ("GET / HTTP/1.1\r\n\r\n", "404"),
        ("GET /metricsx HTTP/1.1\r\n\r\n", "404"),
        ("DELETE /metrics HTTP/1.1\r\n\r\n", "405"),
        ("\u{0}\u{1} \r\n\r\n", "400"),
    ] {
        assert!(server.ask(request).starts_with(&format!("HTTP/1.1 {status} ")), "{request:?}");
    }
    assert_eq!(server.end(), Some(0));
}

#[test]
fn silent_slow_and_endless_clients_do_not_keep_others_out() {
    allow_many_files();
    let machine = Machine::shared("6.18-mixed-loaded");
    let server = Server::start(&machine);
    server.scrape();
    let before = server.peak_kib();
    let silent: Vec<TcpStream> = (0..1000).map(|_| server.connect()).collect();
    let began = Instant::now();
    server.scrape();
    assert!(began.elapsed() < Duration::from_secs(2), "{:?}", began.elapsed());
    let mut half: Vec<TcpStream> = (0..200).map(|_| server.connect()).collect();
    for stream in &mut half {
        // The server closed older connections, so that some writes fail.
        let _ = stream.write_all(&SCRAPE.as_bytes()[..SCRAPE.len() - 2]);
    }
    server.scrape();
    let mut endless = server.connect();
    let _ = endless.write_all(b"GET /metrics HTTP/1.1\r\n");
    let line = format!("X: {}\r\n", "y".repeat(1020));
    let sent = (0..10 << 10).take_while(|_| endless.write_all(line.as_bytes()).is_ok()).count();
    assert!(sent < 10 << 10, "the server read 10 MB of headers");
    server.scrape();
    // Answers that nobody takes.
    let lazy: Vec<TcpStream> = (0..100)
        .map(|_| {
            let mut stream = server.connect();
            let _ = stream.write_all(SCRAPE.as_bytes());
            stream
        })
        .collect();
    server.scrape();
    let grown = server.peak_kib() - before;
    assert!(grown < 16 << 10, "grew by {grown} KiB");
    drop((silent, half, lazy));
    assert_eq!(server.end(), Some(0));
}

#[test]
fn an_address_in_use_is_refused() {
    let machine = Machine::shared("6.18-mixed-loaded");
    let server = Server::start(&machine);
    let output = machine.run(&["metrics", "--listen", &server.address.to_string()]);
    assert_eq!(output.status.code(), Some(6));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("cannot listen on 127.0.0.1:"), "{said}");
    assert_eq!(machine.run(&["metrics", "--listen", "here"]).status.code(), Some(2));
}

#[test]
fn a_port_alone_is_of_this_machine_only() {
    let machine = Machine::shared("6.18-mixed-loaded");
    let server = Server::start(&machine);
    assert!(server.address.ip().is_loopback());
    let mut stream = server.connect();
    assert_eq!(server.end(), Some(0), "an open connection does not delay the end");
    assert_eq!(stream.read(&mut [0]).unwrap_or(0), 0);
}
