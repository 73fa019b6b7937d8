//! The load: this test binary again, holding memory in the cgroup until it is told to end.
//!
//! Lines on its input are orders, lines on its output are answers. When the input closes it ends: no load
//! outlives its test, even one that was killed.

use crate::memory_limit::MemoryLimit;
use std::io::{BufRead as _, BufReader, Write as _, stdin};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, Receiver};

const MIB: usize = 1 << 20;
/// Smallest size of pages; larger pages contain several.
const PAGE: usize = 4096;
/// The byte in pages of one value.
const LEVEL: u8 = 0x5a;
const ANSWER: &str = "hog: ";

/// The load as seen by its test.
pub(crate) struct Hog {
    child: Child,
    orders: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Hog {
    /// Starts it in the cgroup, without memory.
    pub(crate) fn new(cage: &MemoryLimit) -> Self {
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

    /// Fills this many MiB more, and waits until that is done.
    pub(crate) fn fill(&mut self, mib: u64) {
        self.order(&format!("fill {mib}"));
        self.listen();
    }

    /// Fills with pages of one value each.
    pub(crate) fn level(&mut self, mib: u64) {
        self.order(&format!("level {mib}"));
        self.listen();
    }

    /// Fills with incompressible pages.
    pub(crate) fn noise(&mut self, mib: u64) {
        self.order(&format!("noise {mib}"));
        self.listen();
    }

    /// Fills with pages of zeros, each of which was written.
    pub(crate) fn blank(&mut self, mib: u64) {
        self.order(&format!("blank {mib}"));
        self.listen();
    }

    /// Changes all memory again and again.
    pub(crate) fn churn(&mut self) {
        self.order("churn");
        self.listen();
    }

    /// Writes each page once more, unchanged: pages swapped out for that go where the kernel puts them now.
    pub(crate) fn renew(&mut self) {
        self.order("renew");
        self.listen();
    }

    /// Changes all memory again and again, and verifies it: the load dies when a byte is lost. The content
    /// is unchanged in the end.
    pub(crate) fn guard(&mut self) {
        self.order("guard");
        self.listen();
    }

    /// Stops; the content must have this checksum.
    pub(crate) fn rest_unchanged(&mut self, sum: &str) {
        self.rest();
        assert_eq!(self.sum(), sum, "a byte differs");
    }

    /// The checksum of all bytes and their positions, while stopped.
    pub(crate) fn sum(&mut self) -> String {
        self.order("sum");
        self.listen()
    }

    /// Stops.
    pub(crate) fn rest(&mut self) {
        self.order("rest");
        self.listen();
    }

    fn order(&mut self, line: &str) {
        let orders = self.orders.as_mut().expect("the load still runs");
        if orders.write_all(format!("{line}\n").as_bytes()).is_err() {
            self.is_gone();
        }
    }

    /// A load that finds a wrong byte exits with 101, like a failed test; where its cgroup lacks memory,
    /// the kernel kills it.
    fn is_gone(&mut self) -> ! {
        panic!("the load is gone: {}", self.child.wait().expect("it belongs to the test"))
    }

    /// Waits for an answer and returns it.
    fn listen(&mut self) -> String {
        loop {
            let mut line = String::new();
            let read = self.answers.read_line(&mut line).expect("the load answers");
            if read == 0 {
                self.is_gone();
            }
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

/// The load process.
pub(crate) fn live() {
    let orders = orders();
    let mut memory = Memory::default();
    answer("ready");
    let mut next = orders.recv().ok();
    while let Some(order) = next {
        if let Some(mib) = order.strip_prefix("fill ") {
            memory.fill(mib.parse().expect("a number"));
        }
        if let Some(mib) = order.strip_prefix("level ") {
            memory.level(mib.parse().expect("a number"));
        }
        if let Some(mib) = order.strip_prefix("noise ") {
            memory.noise(mib.parse().expect("a number"));
        }
        if let Some(mib) = order.strip_prefix("blank ") {
            memory.blank(mib.parse().expect("a number"));
        }
        if order == "renew" {
            memory.renew();
        }
        match order.as_str() {
            "sum" => answer(&memory.sum().to_string()),
            _ => answer(&order),
        }
        next = match order.as_str() {
            "churn" => memory.churn(&orders),
            "guard" => memory.guard(&orders),
            _ => orders.recv().ok(),
        };
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

const SEED: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
const FACTOR: u128 = 0x0100_0000_0000_0000_013b;

/// Adds a block to a checksum by large words: test builds are not optimized, and tests wait for it.
fn digest(mut sum: u128, block: &[u8]) -> u128 {
    let (words, _) = block.as_chunks();
    for word in words {
        sum = (sum ^ u128::from_ne_bytes(*word)).wrapping_mul(FACTOR).rotate_left(43);
    }
    sum
}

/// Inverts each page; twice restores it.
fn turn_over(block: &mut [u8]) {
    for page in block.chunks_exact_mut(PAGE) {
        page[PAGE - 1] ^= 0xff;
    }
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

    fn level(&mut self, mib: usize) {
        self.blocks.extend((0..mib).map(|_| vec![LEVEL; MIB]));
    }

    fn noise(&mut self, mib: usize) {
        for _ in 0..mib {
            let mut block = vec![0_u8; MIB];
            self.noise.scatter(&mut block);
            self.blocks.push(block);
        }
    }

    fn blank(&mut self, mib: usize) {
        for _ in 0..mib {
            let mut block = vec![LEVEL; MIB];
            block.fill(std::hint::black_box(0));
            self.blocks.push(block);
        }
    }

    fn renew(&mut self) {
        for page in self.blocks.iter_mut().flat_map(|block| block.chunks_exact_mut(PAGE)) {
            // A write without effect could be optimized away.
            page[PAGE - 1] = std::hint::black_box(page[PAGE - 1]);
        }
    }

    /// A checksum that differs for different contents with high probability.
    fn sum(&self) -> u128 {
        self.blocks.iter().fold(SEED, |sum, block| digest(sum, block))
    }

    /// Inverts each block and back in turn, until an order arrives: blocks are written, and read again
    /// after they may have been swapped out in both forms.
    fn guard(&mut self, orders: &Receiver<String>) -> Option<String> {
        let sums: Vec<u128> = self.blocks.iter().map(|block| digest(SEED, block)).collect();
        let mut turned = vec![false; self.blocks.len()];
        let mut order = None;
        while order.is_none() || turned.contains(&true) {
            for (place, block) in self.blocks.iter_mut().enumerate() {
                if order.is_none() || turned[place] {
                    turn_over(block);
                    turned[place] = !turned[place];
                }
                let whole = turned[place] || digest(SEED, block) == sums[place];
                assert!(whole, "block {place} of {} is not what was written", sums.len());
                order = order.or_else(|| match orders.try_recv() {
                    Ok(order) => Some(order),
                    Err(mpsc::TryRecvError::Disconnected) => Some(String::new()),
                    Err(mpsc::TryRecvError::Empty) => None,
                });
            }
        }
        order
    }

    /// Inverts each page in turn until an order arrives.
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

/// Pseudo-random numbers.
pub(crate) struct Noise(u64);

impl Default for Noise {
    fn default() -> Self {
        Self(0x9E37_79B9_7F4A_7C15)
    }
}

impl Noise {
    /// Most pages compress to half, some not at all, some have a single value or zeros.
    fn paint(&mut self, number: usize, page: &mut [u8]) {
        let random = match number % 16 {
            0 => 0,
            1 => {
                page.fill(LEVEL);
                0
            }
            2 => PAGE,
            _ => PAGE / 2,
        };
        self.scatter(&mut page[..random]);
    }

    /// Incompressible bytes.
    pub(crate) fn scatter(&mut self, bytes: &mut [u8]) {
        let (words, _) = bytes.as_chunks_mut();
        for word in words {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            *word = self.0.to_ne_bytes();
        }
    }
}
