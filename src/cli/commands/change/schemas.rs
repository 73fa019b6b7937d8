//! JSON schemas of commands that change swap.

pub mod lab;

pub use super::show::SCHEMA;
use crate::actions::estimate::BASES;
use crate::actions::rebalance::KINDS;
use crate::change::setup::{MachineProfile, SetupKey};
use crate::cli::args::StrategyName;
use clap::ValueEnum as _;
use serde_json::{Value, json};

/// The JSON schema of a plan with its outcome.
pub fn schema() -> Value {
    let strategies: Vec<&str> = StrategyName::value_variants().iter().map(|it| it.word()).collect();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "What swapadm prints with --json when it changes swap",
        "type": "object",
        "required": ["schema", "title", "steps", "estimate", "commands", "checks", "outcome"],
        "additionalProperties": false,
        "properties": {
            "schema": { "const": SCHEMA },
            "title": { "type": "string", "description": "The purpose of the plan." },
            "simulated": { "type": "string", "description": "The simulated machine that is changed, if it is one." },
            "strategy": { "enum": strategies, "description": "With rebalance: the strategy." },
            "findings": { "type": "array", "description": "With rebalance: the findings.", "items": { "$ref": "#/$defs/finding" } },
            "setup": setup(),
            "changed": { "type": "boolean", "description": "With apply: whether the machine was changed, or would be." },
            "differences": { "type": "array", "description": "With apply: the values that differ.", "items": { "$ref": "#/$defs/difference" } },
            "restart": { "type": "array", "description": "With apply: the differences that last until the machine is restarted.", "items": { "type": "string" } },
            "steps": { "type": "array", "description": "The steps in order; empty if there is nothing to do.", "items": { "$ref": "#/$defs/step" } },
            "estimate": { "$ref": "#/$defs/estimate" },
            "commands": { "type": "array", "description": "The steps as shell commands.", "items": { "type": "string" } },
            "checks": { "type": "array", "description": "The checks.", "items": { "$ref": "#/$defs/check" } },
            "outcome": { "anyOf": [{ "type": "null" }, { "$ref": "#/$defs/outcome" }], "description": "The outcome; null if nothing was done." },
            "error": { "type": "string", "description": "Why nothing was done, if no check says so." },
            "zram": { "type": "object", "description": "The figures of the zram device before and after, if the change concerns one." },
            "zram_devices": { "type": "array", "description": "The figures of the zram devices before and after, if the change concerns several.", "items": { "type": "object" } },
            "rests": rests(),
        },
        "$defs": {
            "finding": finding(),
            "difference": difference(),
            "step": step(),
            "estimate": estimate(),
            "activation": activation(),
            "check": check(),
            "outcome": {
                "type": "object",
                "required": ["journal", "end", "why"],
                "additionalProperties": false,
                "properties": {
                    "journal": { "type": "integer", "description": "The number of the plan in the journal." },
                    "end": { "enum": ENDS },
                    "why": { "type": ["string", "null"], "description": "Why not all was done." },
                    "remark": { "type": "string", "description": "What happened to the order of default priorities, if it was or will be restored; or memory and swap before and after pages were moved by hand." },
                    "seconds": { "type": "number", "minimum": 0, "description": "The time that swapoff took, for comparison with the estimate; only if the areas had data." },
                    "killed": { "type": "array", "description": "The processes that the kernel's OOM killer killed during swapoff, by cgroup; only if there were any.", "items": killed() },
                    "failed_reads": { "type": "array", "description": "The areas with pages that could not be read during swapoff; only if there were any.", "items": failed_reads() },
                },
            },
        },
    })
}

/// The ends of plans in the journal.
const ENDS: [&str; 5] = ["done", "undone", "partial", "recovered", "dismissed"];

/// The choices of `setup`.
fn setup() -> Value {
    let keys =
        SetupKey::ALL.map(|(_, word, _, values)| json!({ "const": word, "description": values }));
    let kinds =
        MachineProfile::ALL.map(|(_, word, about)| json!({ "const": word, "description": about }));
    let text = json!({ "type": "string" });
    let other = json!({
        "type": "object",
        "required": ["value", "reason"],
        "additionalProperties": false,
        "properties": { "value": text, "reason": text },
    });
    let choice = json!({
        "type": "object",
        "required": ["key", "now", "value", "reason", "changes", "cost", "file", "others"],
        "additionalProperties": false,
        "properties": {
            "key": { "oneOf": keys, "description": "The choice, as for --with." },
            "now": { "type": ["string", "null"], "description": "The present value; null if there is nothing of the kind." },
            "value": { "type": "string", "description": "The chosen value." },
            "reason": text,
            "changes": { "type": "boolean", "description": "Whether the machine is changed for it." },
            "cost": { "type": ["string", "null"], "description": "What it costs in memory." },
            "file": { "type": ["string", "null"], "description": "The configuration that applies it at boot." },
            "others": { "type": "array", "description": "What else is possible.", "items": other },
        },
    });
    let ratio = json!({
        "type": "object",
        "required": ["ratio", "basis", "text"],
        "additionalProperties": false,
        "properties": {
            "ratio": { "type": "number", "description": "Data divided by memory." },
            "basis": { "enum": ["stored", "sampled", "assumed"], "description": "How it is known." },
            "text": text,
        },
    });
    json!({
        "type": "object",
        "description": "With setup: the choices.",
        "required": ["profile", "profile_reason", "machine", "ratio", "choices", "notes"],
        "additionalProperties": false,
        "properties": {
            "profile": { "oneOf": kinds, "description": "The kind of machine." },
            "profile_reason": text,
            "machine": text,
            "ratio": ratio,
            "choices": { "type": "array", "items": choice },
            "notes": { "type": "array", "items": {
                "type": "object",
                "required": ["id", "text"],
                "additionalProperties": false,
                "properties": { "id": text, "text": text },
            } },
        },
    })
}

fn killed() -> Value {
    json!({
        "type": "object",
        "required": ["cgroup", "processes"],
        "additionalProperties": false,
        "properties": {
            "cgroup": { "type": ["string", "null"], "description": "Its path below the mount point; null if the cgroup is not known." },
            "processes": { "type": "integer", "minimum": 1, "description": "The number of killed processes." },
        },
    })
}

fn failed_reads() -> Value {
    json!({
        "type": "object",
        "required": ["area", "reads"],
        "additionalProperties": false,
        "properties": {
            "area": { "type": "string", "description": "Its path." },
            "reads": { "type": "integer", "minimum": 1, "description": "The number of failed reads in the kernel log, which does not list each of them." },
        },
    })
}

fn rests() -> Value {
    json!({
        "type": "object",
        "description": "The pauses of swapoff with --pace; only if there were any.",
        "required": ["count", "seconds"],
        "additionalProperties": false,
        "properties": {
            "count": { "type": "integer", "minimum": 1, "description": "The number of pauses." },
            "seconds": { "type": "number", "minimum": 0, "description": "Their total time." },
        },
    })
}

fn check() -> Value {
    json!({
        "type": "object",
        "required": ["id", "verdict", "text"],
        "additionalProperties": false,
        "properties": {
            "id": { "type": "string", "description": "Its name, with which --force accepts the risk, if it is one." },
            "verdict": { "enum": ["ok", "note", "warn", "refuse"] },
            "text": { "type": "string" },
        },
    })
}

fn finding() -> Value {
    json!({
        "type": "object",
        "required": ["id", "wrong", "text", "better", "areas", "unit", "now", "then"],
        "additionalProperties": false,
        "properties": {
            "id": { "enum": KINDS.map(|(id, _)| id), "description": "Its kind." },
            "wrong": { "type": "boolean", "description": "Whether the plan corrects it; otherwise it is a note." },
            "text": { "type": "string", "description": "The finding." },
            "better": { "type": ["string", "null"], "description": "The improvement by the plan." },
            "areas": { "type": "array", "items": { "type": "string" } },
            "unit": { "type": ["string", "null"], "description": "The unit of now and then." },
            "now": { "type": ["number", "null"], "description": "The amount now." },
            "then": { "type": ["number", "null"], "description": "The amount after the plan." },
        },
    })
}

fn difference() -> Value {
    json!({
        "type": "object",
        "required": ["subject", "key", "from", "to"],
        "additionalProperties": false,
        "properties": {
            "subject": { "type": "string", "description": "The area, device or cgroup, or settings." },
            "key": { "type": "string", "description": "The key of the value, as in the file; active if the area as a whole differs." },
            "from": { "type": ["string", "null"], "description": "The present value; null if the machine has no such value." },
            "to": { "type": ["string", "null"], "description": "The wanted value; null if the area is not wanted." },
        },
    })
}

fn step() -> Value {
    let area = json!({ "$ref": "#/$defs/activation" });
    let of = |kind: &str, more: &[(&str, Value)]| {
        let mut properties = serde_json::Map::new();
        properties.insert("kind".to_owned(), json!({ "const": kind }));
        properties.insert("estimate".to_owned(), json!({ "$ref": "#/$defs/estimate" }));
        properties.extend(more.iter().map(|(name, form)| ((*name).to_owned(), form.clone())));
        let required: Vec<String> = properties.keys().cloned().collect();
        json!({
            "type": "object",
            "required": required,
            "additionalProperties": false,
            "properties": properties,
        })
    };
    let text = json!({ "type": ["string", "null"], "description": "The text of the file. A byte that is not UTF-8 is the character U+10FE00 plus that byte." });
    let save = [("path", json!({ "type": "string" })), ("from", text.clone()), ("to", text)];
    let other = json!({
        "type": "object",
        "description": "A step that is not about an area, as in the journal.",
        "required": ["kind", "estimate"],
        "properties": {
            "kind": { "enum": ["set", "zram", "order", "header", "file"] },
            "estimate": { "$ref": "#/$defs/estimate" },
        },
    });
    json!({
        "oneOf": [
            of("on", &[("area", area.clone())]),
            of("off", &[("area", area.clone())]),
            of("renew", &[("from", area.clone()), ("to", area)]),
            of("save", &save),
            other,
        ],
    })
}

fn estimate() -> Value {
    let bases = BASES.map(|(basis, meaning)| json!({ "const": basis, "description": meaning }));
    json!({
        "type": "object",
        "description": "The data to be moved and the time for that, of one step or of all.",
        "required": ["moves_bytes", "seconds", "seconds_min", "seconds_max", "basis", "bytes_per_second", "measured_ms"],
        "additionalProperties": false,
        "properties": {
            "moves_bytes": { "type": ["integer", "null"], "minimum": 0, "description": "The data on the areas to be disabled; null if not known." },
            "seconds": { "type": ["number", "null"], "minimum": 0, "description": "The time; null if not known." },
            "seconds_min": { "type": ["number", "null"], "minimum": 0, "description": "The shortest time to expect; null without a time." },
            "seconds_max": { "type": ["number", "null"], "minimum": 0, "description": "The longest time to expect; the range is wider where less was measured on this machine." },
            "basis": { "oneOf": bases, "description": "The basis of the time." },
            "bytes_per_second": { "type": ["number", "null"], "description": "The speed that was measured." },
            "measured_ms": { "type": ["integer", "null"], "description": "When it was measured, in milliseconds since 1970, UTC; the first of several." },
        },
    })
}

fn activation() -> Value {
    json!({
        "type": "object",
        "description": "How an area is enabled.",
        "required": ["path", "priority", "discard"],
        "additionalProperties": false,
        "properties": {
            "path": { "type": "string", "description": "Names are bytes: a backslash is doubled, and a byte that is not UTF-8 is \\xNN." },
            "priority": {
                "oneOf": [
                    { "const": "default" },
                    {
                        "type": "object",
                        "required": ["set"],
                        "additionalProperties": false,
                        "properties": { "set": { "type": "integer", "minimum": 0, "maximum": 32767 } },
                    },
                ],
            },
            "discard": { "enum": ["none", "once", "pages", "both"] },
        },
    })
}

#[cfg(test)]
mod tests {
    use super::super::figures::{Rests, ZramFigures};
    use super::super::show;
    use super::*;
    use crate::actions::plan::Plan;
    use crate::model::{Reading, Stamp};
    use boon::{Compiler, Schemas};

    #[test]
    fn full_document_matches_the_schema() {
        let plan = Plan::without_steps("nothing".to_owned());
        let mut document = show::document(&plan, &[], &[], None);
        let devices = Reading::Known(Vec::new());
        document.zram = Some(ZramFigures::for_device(0, &devices, &devices));
        document.zram_devices = vec![ZramFigures::for_device(1, &devices, &devices)];
        let at = |seconds: u64| Stamp { boot_ns: seconds * 1_000_000_000, wall_ms: 0 };
        let mut rests = Rests::default();
        rests.observe(true, at(1));
        document.rests = rests.finish(at(3));
        let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
        compiler.add_resource("change.json", schema()).unwrap();
        let schema = compiler.compile("change.json", &mut schemas).unwrap();
        let printed = serde_json::to_value(&document).unwrap();
        assert_eq!(printed["rests"]["seconds"], 2.0);
        schemas.validate(&printed, schema).unwrap_or_else(|error| panic!("{error:#}"));
    }
}
