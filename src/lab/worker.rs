//! A worker: a process of a workload. It reads its task, maps memory, and touches and frees it on
//! request.
//!
//! ```text
//! reads: Task (a line)              t                f
//! sends:       Far    Ready     Far    Touched          Freed
//! ```
//!
//! Progress (`Far`) is sent now and then if there is room in the pipe; the other messages come
//! once, in this order. The process ends at once when its parent is gone, and so do its children.
//!
//! All random choices come from [`Random`] and a seed: the same seed gives the same run.

mod churn;
mod contents;
mod messages;
mod meter;
mod page_toucher;
mod random;
mod rounds;
mod touch;
mod walk;

pub use contents::{Painter, check_usable};
pub use random::Random;
pub use walk::PageWalk;

use crate::clock::Clock;
use crate::model::load::{FreeMethod, MemoryKind, Task, TaskCommand, TaskMessage};
use crate::sys::process::{self, ForkSide, Port};
use messages::{
    WorkerStop, await_go, await_start, receive, send, send_progress, unexpected_message,
};
use std::ffi::OsString;
use std::io;
use touch::{TaskMemory, is_filled, loop_cost};

/// Runs the task read from standard input: the other end of [`process::Worker`]. An error is
/// reported to the parent too.
pub fn serve(mut arguments: impl Iterator<Item = OsString>) -> io::Result<()> {
    let parent = arguments.next().and_then(|number| number.to_str()?.parse().ok());
    let Some(parent) = parent else { return Err(io::ErrorKind::InvalidInput.into()) };
    let mut port = Port::standard()?;
    let settled = process::start_child(parent).map_err(WorkerStop::failed);
    let result = settled.and_then(|()| run_task(&mut port, &Clock::Real));
    end(&mut port, result)
}

/// Reports why the process ends, if its parent still reads.
fn end(port: &mut Port, result: Result<(), WorkerStop>) -> io::Result<()> {
    match result {
        Ok(()) | Err(WorkerStop::ParentGone) => Ok(()),
        Err(WorkerStop::Failed(why)) => {
            let _ = send(port, &TaskMessage::Failed { why: why.clone() });
            Err(io::Error::other(why))
        }
    }
}

fn run_task(port: &mut Port, clock: &Clock) -> Result<(), WorkerStop> {
    let Some(line) = port.line().map_err(WorkerStop::failed)? else {
        return Err(WorkerStop::ParentGone);
    };
    let task: Task = serde_json::from_str(&line)
        .map_err(|error| WorkerStop::Failed(format!("the task is not valid: {error}")))?;
    check(&task)?;
    bind(&task)?;
    let own_ns = loop_cost(&task, clock)?;
    if task.work.rounds > 1 {
        return rounds::run_rounds(port, clock, &task, own_ns);
    }
    let task = rounds::vary_task(&task, 0);
    run_once(port, clock, task, own_ns)
}

/// Checks what the program that made the task and this one must agree on.
fn check(task: &Task) -> Result<(), WorkerStop> {
    let page_size = process::page_size().map_err(WorkerStop::failed)?;
    if task.page_size == page_size {
        return Ok(());
    }
    Err(WorkerStop::Failed(format!(
        "the task is for pages of {} bytes, but this machine has pages of {page_size}",
        task.page_size
    )))
}

/// Binds the process to the CPU and the node of the task. A process that fills its memory first is
/// not bound to the CPU where it started.
fn bind(task: &Task) -> Result<(), WorkerStop> {
    if let Some(cpus) = &task.work.cpus {
        let cpu = process::in_turn(cpus, task.number);
        cpu.map_or(Ok(()), process::bind_to_cpu).map_err(WorkerStop::failed)?;
    } else if is_filled(&task.work) {
        process::allow_migration().map_err(WorkerStop::failed)?;
    }
    task.work.node.map_or(Ok(()), |node| process::bind_to_node(node).map_err(WorkerStop::failed))
}

/// Runs one task, from mapping its memory to freeing it.
fn run_once(port: &mut Port, clock: &Clock, task: Task, own_ns: f64) -> Result<(), WorkerStop> {
    let mut load = TaskMemory::prepare(task, own_ns, clock, port)?;
    await_start(port, &load.task().work)?;
    if load.task().work.memory == MemoryKind::Forked {
        return run_in_child(port, clock, load);
    }
    touch(port, clock, &mut load)?;
    free_memory(port, clock, load)
}

fn touch(port: &mut Port, clock: &Clock, load: &mut TaskMemory) -> Result<(), WorkerStop> {
    let touched = load.touch(clock, port)?;
    send(port, &TaskMessage::Touched(Box::new(touched)))?;
    await_go(port, TaskCommand::Free)
}

fn free_memory(port: &mut Port, clock: &Clock, load: TaskMemory) -> Result<(), WorkerStop> {
    if load.task().work.free == FreeMethod::Exit {
        send(port, &TaskMessage::Freed { free_ns: None })?;
        process::leave(0);
    }
    let begun = clock.nanos();
    let ended = load.free(clock);
    send(port, &TaskMessage::Freed { free_ns: Some(ended.saturating_sub(begun)) })
}

/// Lets a child touch the memory that was filled here, so that each page that it writes is copied.
/// The child keeps the copies until memory is freed.
fn run_in_child(port: &mut Port, clock: &Clock, mut load: TaskMemory) -> Result<(), WorkerStop> {
    let mut child = match process::fork().map_err(WorkerStop::failed)? {
        ForkSide::Parent(child) => child,
        ForkSide::Child(mut port) => {
            let result = touch(&mut port, clock, &mut load);
            exit_process(&mut port, result)
        }
    };
    let told =
        receive(&mut child, port, &mut |share| send_progress(port, &TaskMessage::Far { share }))?;
    if !matches!(told, TaskMessage::Touched(_)) {
        return Err(unexpected_message(&told));
    }
    send(port, &told)?;
    await_go(port, TaskCommand::Free)?;
    let begun = clock.nanos();
    child.signal_go(TaskCommand::Free).map_err(WorkerStop::failed)?;
    if load.task().work.free == FreeMethod::Exit {
        send(port, &TaskMessage::Freed { free_ns: None })?;
        child.end().map_err(WorkerStop::failed)?;
        process::leave(0);
    }
    child.end().map_err(WorkerStop::failed)?;
    let ended = load.free(clock);
    send(port, &TaskMessage::Freed { free_ns: Some(ended.saturating_sub(begun)) })
}

/// Runs a child process, and never returns to the code of its parent.
fn run_child(port: &mut Port, clock: &Clock, task: Task, own_ns: f64) -> ! {
    let result = run_once(port, clock, task, own_ns);
    exit_process(port, result)
}

fn exit_process(port: &mut Port, result: Result<(), WorkerStop>) -> ! {
    let code = i32::from(end(port, result).is_err());
    process::leave(code)
}
