//! A process of a load: it hears what it is to do, takes memory, touches it when it is told to,
//! and gives it back when it is told to.
//!
//! ```text
//! hears: Task (a line)              t                f
//! tells:       Far    Ready     Far    Touched          Freed
//! ```
//!
//! How far it is it tells now and then, where somebody takes it; the others come once, in order.
//! When nobody listens any more it ends at once, and so do the processes that it made.
//!
//! All chance comes from [`Random`] and a seed: the same seed gives the same run.

mod churn;
mod contents;
mod hand;
mod messages;
mod meter;
mod random;
mod rounds;
mod touch;
mod walk;

pub use contents::{Painter, usable};
pub use random::Random;
pub use walk::Walk;

use crate::clock::Clock;
use crate::model::load::{Free, Go, Memory, Task, Told};
use crate::sys::process::{self, Port, Side};
use messages::{Stop, await_go, await_start, hear, mention, tell, unexpected};
use std::ffi::OsString;
use std::io;
use touch::{Load, is_filled, own_cost};

/// Obeys the orders on standard input: the other end of [`process::Worker`].
///
/// # Errors
/// When it could not go on; whoever listens was told why.
pub fn serve(mut arguments: impl Iterator<Item = OsString>) -> io::Result<()> {
    let parent = arguments.next().and_then(|number| number.to_str()?.parse().ok());
    let Some(parent) = parent else { return Err(io::ErrorKind::InvalidInput.into()) };
    let mut port = Port::standard()?;
    let settled = process::settle(parent).map_err(Stop::failed);
    let result = settled.and_then(|()| obey(&mut port, &Clock::Real));
    end(&mut port, result)
}

/// Tell why it ends, where there is somebody to tell.
fn end(port: &mut Port, result: Result<(), Stop>) -> io::Result<()> {
    match result {
        Ok(()) | Err(Stop::Deserted) => Ok(()),
        Err(Stop::Failed(why)) => {
            let _ = tell(port, &Told::Failed { why: why.clone() });
            Err(io::Error::other(why))
        }
    }
}

fn obey(port: &mut Port, clock: &Clock) -> Result<(), Stop> {
    let Some(line) = port.line().map_err(Stop::failed)? else { return Err(Stop::Deserted) };
    let task: Task = serde_json::from_str(&line)
        .map_err(|error| Stop::Failed(format!("its task makes no sense to it: {error}")))?;
    check(&task)?;
    bind(&task)?;
    let own_ns = own_cost(&task, clock)?;
    if task.work.rounds > 1 {
        return rounds::serve(port, clock, &task, own_ns);
    }
    let task = rounds::varied(&task, 0);
    obey_once(port, clock, task, own_ns)
}

/// What the program that made the task and this one must agree on.
fn check(task: &Task) -> Result<(), Stop> {
    let page_size = process::page_size().map_err(Stop::failed)?;
    if task.page_size == page_size {
        return Ok(());
    }
    Err(Stop::Failed(format!(
        "its task is for pages of {} bytes, and those of this machine have {page_size}",
        task.page_size
    )))
}

/// Stay on the processor and the node that the task names. Who is to fill its memory does so
/// wherever there is a processor for it.
fn bind(task: &Task) -> Result<(), Stop> {
    if let Some(cpus) = &task.work.cpus {
        let cpu = process::in_turn(cpus, task.number);
        cpu.map_or(Ok(()), process::bind_to_cpu).map_err(Stop::failed)?;
    } else if is_filled(&task.work) {
        process::roam().map_err(Stop::failed)?;
    }
    task.work.node.map_or(Ok(()), |node| process::bind_to_node(node).map_err(Stop::failed))
}

/// From the memory of a task until that is given back.
fn obey_once(port: &mut Port, clock: &Clock, task: Task, own_ns: f64) -> Result<(), Stop> {
    let mut load = Load::prepare(task, own_ns, clock, port)?;
    await_start(port, &load.task().work)?;
    if load.task().work.memory == Memory::Forked {
        return obey_by_child(port, clock, load);
    }
    touch(port, clock, &mut load)?;
    give_back(port, clock, load)
}

fn touch(port: &mut Port, clock: &Clock, load: &mut Load) -> Result<(), Stop> {
    let touched = load.touch(clock, port)?;
    tell(port, &Told::Touched(Box::new(touched)))?;
    await_go(port, Go::Free)
}

fn give_back(port: &mut Port, clock: &Clock, load: Load) -> Result<(), Stop> {
    if load.task().work.free == Free::Exit {
        tell(port, &Told::Freed { free_ns: None })?;
        process::leave(0);
    }
    let begun = clock.nanos();
    let ended = load.free(clock);
    tell(port, &Told::Freed { free_ns: Some(ended.saturating_sub(begun)) })
}

/// Let a child touch the memory that was filled here: each page that it writes is copied. It keeps
/// the copies until memory is given back.
fn obey_by_child(port: &mut Port, clock: &Clock, mut load: Load) -> Result<(), Stop> {
    let mut child = match process::fork().map_err(Stop::failed)? {
        Side::Parent(child) => child,
        Side::Child(mut port) => {
            let result = touch(&mut port, clock, &mut load);
            be_gone(&mut port, result)
        }
    };
    let told = hear(&mut child, port, &mut |share| mention(port, &Told::Far { share }))?;
    if !matches!(told, Told::Touched(_)) {
        return Err(unexpected(&told));
    }
    tell(port, &told)?;
    await_go(port, Go::Free)?;
    let begun = clock.nanos();
    child.go(Go::Free).map_err(Stop::failed)?;
    if load.task().work.free == Free::Exit {
        tell(port, &Told::Freed { free_ns: None })?;
        child.end().map_err(Stop::failed)?;
        process::leave(0);
    }
    child.end().map_err(Stop::failed)?;
    let ended = load.free(clock);
    tell(port, &Told::Freed { free_ns: Some(ended.saturating_sub(begun)) })
}

/// All that a child does: it never comes back to what its parent was at.
fn be_child(port: &mut Port, clock: &Clock, task: Task, own_ns: f64) -> ! {
    let result = obey_once(port, clock, task, own_ns);
    be_gone(port, result)
}

fn be_gone(port: &mut Port, result: Result<(), Stop>) -> ! {
    let code = i32::from(end(port, result).is_err());
    process::leave(code)
}
