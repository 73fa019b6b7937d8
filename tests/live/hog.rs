//! The load: this program once more, holding memory in the cage until it is told to end.
//!
//! It is told what to do by lines on its input and answers by lines on its output. When the input
//! closes it ends: no load outlives its test, even one that was killed.

use crate::cage::Cage;
use std::io::{BufRead as _, BufReader, Write as _, stdin};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, Receiver};

const MIB: usize = 1 << 20;
/// Pages of the smallest size; larger ones hold several.
const PAGE: usize = 4096;
const ANSWER: &str = "hog: ";

/// The load as its test sees it.
pub(crate) struct Hog {
    child: Child,
    orders: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Hog {
    /// Start it in the cage, with nothing yet.
    pub(crate) fn new(cage: &Cage) -> Self {
        let me = std::env::current_exe().expect("our own path");
        let mut child = Command::new(me)
            .args(["--exact", "hog", "--ignored", "--nocapture", "--test-threads=1"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("this program starts again");
        let orders = child.stdin.take();
        let answers = BufReader::new(child.stdout.take().expect("its output"));
        let mut hog = Self { child, orders, answers };
        hog.listen();
        cage.hold(hog.pid());
        hog
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Fill so many MiB more, and wait until that is done.
    pub(crate) fn fill(&mut self, mib: u64) {
        self.order(&format!("fill {mib}"));
        self.listen();
    }

    /// Go through all memory again and again.
    pub(crate) fn churn(&mut self) {
        self.order("churn");
        self.listen();
    }

    /// The sum of all bytes it holds, each with its place. It must hold still.
    pub(crate) fn sum(&mut self) -> String {
        self.order("sum");
        self.listen()
    }

    /// The same of all bytes that no churning changes.
    pub(crate) fn steady_sum(&mut self) -> String {
        self.order("steady");
        self.listen()
    }

    /// Hold still.
    pub(crate) fn rest(&mut self) {
        self.order("rest");
        self.listen();
    }

    fn order(&mut self, line: &str) {
        let orders = self.orders.as_mut().expect("it was not told to end");
        orders.write_all(format!("{line}\n").as_bytes()).expect("the load is alive");
    }

    /// Wait for an answer; says which.
    fn listen(&mut self) -> String {
        loop {
            let mut line = String::new();
            let read = self.answers.read_line(&mut line).expect("the load answers");
            assert!(read > 0, "the load died, perhaps for want of memory in its cgroup");
            // Other lines are the test runner's.
            if let Some((_, answer)) = line.split_once(ANSWER) {
                return answer.trim().to_owned();
            }
        }
    }
}

impl Drop for Hog {
    fn drop(&mut self) {
        drop(self.orders.take());
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The load itself.
pub(crate) fn live() {
    let orders = orders();
    let mut memory = Memory::default();
    answer("ready");
    let mut next = orders.recv().ok();
    while let Some(order) = next {
        if let Some(mib) = order.strip_prefix("fill ") {
            memory.fill(mib.parse().expect("a number"));
        }
        match order.as_str() {
            "sum" => answer(&sum(memory.blocks.iter().flatten()).to_string()),
            "steady" => answer(&sum(memory.steady()).to_string()),
            _ => answer(&order),
        }
        next = if order == "churn" { memory.churn(&orders) } else { orders.recv().ok() };
    }
}

fn orders() -> Receiver<String> {
    let (sender, orders) = mpsc::channel();
    std::thread::spawn(move || {
        for line in stdin().lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    orders
}

fn answer(text: &str) {
    let mut out = std::io::stdout();
    let _ = out.write_all(format!("\n{ANSWER}{text}\n").as_bytes());
    let _ = out.flush();
}

/// A sum that no two contents of the same size are likely to share.
fn sum<'b>(bytes: impl Iterator<Item = &'b u8>) -> u64 {
    bytes.fold(0xcbf2_9ce4_8422_2325, |sum, byte| {
        (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[derive(Default)]
struct Memory {
    blocks: Vec<Vec<u8>>,
    noise: Noise,
}

impl Memory {
    fn fill(&mut self, mib: usize) {
        for _ in 0..mib {
            let mut block = vec![0_u8; MIB];
            for (number, page) in block.chunks_exact_mut(PAGE).enumerate() {
                self.noise.paint(number, page);
            }
            self.blocks.push(block);
        }
    }

    /// All bytes but the last of each page, which churning changes.
    fn steady(&self) -> impl Iterator<Item = &u8> {
        let pages = self.blocks.iter().flat_map(|block| block.chunks_exact(PAGE));
        pages.flat_map(|page| &page[..PAGE - 1])
    }

    /// Change each page in turn until there is an order.
    fn churn(&mut self, orders: &Receiver<String>) -> Option<String> {
        loop {
            for block in &mut self.blocks {
                for page in block.chunks_exact_mut(PAGE) {
                    page[PAGE - 1] = page[PAGE - 1].wrapping_add(1);
                }
                match orders.try_recv() {
                    Ok(order) => return Some(order),
                    Err(mpsc::TryRecvError::Disconnected) => return None,
                    Err(mpsc::TryRecvError::Empty) => {}
                }
            }
        }
    }
}

/// Numbers without a pattern.
pub(crate) struct Noise(u64);

impl Default for Noise {
    fn default() -> Self {
        Self(0x9E37_79B9_7F4A_7C15)
    }
}

impl Noise {
    /// Most pages compress to half, some not at all, some are one value or zero throughout.
    fn paint(&mut self, number: usize, page: &mut [u8]) {
        let random = match number % 16 {
            0 => 0,
            1 => {
                page.fill(0x5a);
                0
            }
            2 => PAGE,
            _ => PAGE / 2,
        };
        self.scatter(&mut page[..random]);
    }

    /// Bytes that do not compress at all.
    pub(crate) fn scatter(&mut self, bytes: &mut [u8]) {
        for word in bytes.chunks_exact_mut(8) {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            word.copy_from_slice(&self.0.to_ne_bytes());
        }
    }
}
