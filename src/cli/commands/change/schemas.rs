//! The form of what commands that change swap print with `--json`.

pub mod lab;

pub use super::show::SCHEMA;
use crate::actions::estimate::BASES;
use crate::actions::rebalance::KINDS;
use crate::cli::args::StrategyName;
use clap::ValueEnum as _;
use serde_json::{Value, json};

/// The JSON schema of a plan with what came of it.
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
            "title": { "type": "string", "description": "What the plan is for." },
            "strategy": { "enum": strategies, "description": "With rebalance: the strategy." },
            "findings": { "type": "array", "description": "With rebalance: what was found.", "items": { "$ref": "#/$defs/finding" } },
            "steps": { "type": "array", "description": "What is done, in order; none where nothing has to be.", "items": { "$ref": "#/$defs/step" } },
            "estimate": { "$ref": "#/$defs/estimate" },
            "commands": { "type": "array", "description": "The same as lines for a shell.", "items": { "type": "string" } },
            "checks": { "type": "array", "description": "What is to be said of it.", "items": { "$ref": "#/$defs/check" } },
            "outcome": { "anyOf": [{ "type": "null" }, { "$ref": "#/$defs/outcome" }], "description": "What came of it; null where nothing was done." },
            "error": { "type": "string", "description": "Why nothing was done, where no check says so." },
            "zram": { "type": "object", "description": "What a zram device held before and after." },
            "rests": rests(),
        },
        "$defs": {
            "finding": finding(),
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
                    "remark": { "type": "string", "description": "What became of the order of default priorities, where it was put back or is to be." },
                    "seconds": { "type": "number", "minimum": 0, "description": "What emptying areas took, where they held something: to be held against the estimate." },
                    "killed": { "type": "array", "description": "The processes that the kernel killed for want of memory while areas were emptied, by cgroup; only where there were some.", "items": killed() },
                },
            },
        },
    })
}

/// How a plan of the journal can end.
const ENDS: [&str; 5] = ["done", "undone", "partial", "recovered", "dismissed"];

fn killed() -> Value {
    json!({
        "type": "object",
        "required": ["cgroup", "processes"],
        "additionalProperties": false,
        "properties": {
            "cgroup": { "type": ["string", "null"], "description": "Its path below the mount; null where the cgroup is not known." },
            "processes": { "type": "integer", "minimum": 1, "description": "How many were killed." },
        },
    })
}

fn rests() -> Value {
    json!({
        "type": "object",
        "description": "How the emptying of areas rested, with --pace; only where it did.",
        "required": ["count", "seconds"],
        "additionalProperties": false,
        "properties": {
            "count": { "type": "integer", "minimum": 1, "description": "How often." },
            "seconds": { "type": "number", "minimum": 0, "description": "How long in all." },
        },
    })
}

fn check() -> Value {
    json!({
        "type": "object",
        "required": ["id", "verdict", "text"],
        "additionalProperties": false,
        "properties": {
            "id": { "type": "string", "description": "Its name, with which --force overrules it where it is a risk." },
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
            "wrong": { "type": "boolean", "description": "Is it put right? Otherwise it is only to be known." },
            "text": { "type": "string", "description": "What it is." },
            "better": { "type": ["string", "null"], "description": "What will be better." },
            "areas": { "type": "array", "items": { "type": "string" } },
            "unit": { "type": ["string", "null"], "description": "What is counted." },
            "now": { "type": ["number", "null"], "description": "How much of it there is." },
            "then": { "type": ["number", "null"], "description": "How much there will be." },
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
    let text = json!({ "type": ["string", "null"], "description": "The text of the file. A byte that is no UTF-8 is the character U+10FE00 plus that byte." });
    let save = [("path", json!({ "type": "string" })), ("from", text.clone()), ("to", text)];
    let other = json!({
        "type": "object",
        "description": "What is no area: as the journal has it.",
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
        "description": "What is to be moved, and how long that will take: of a step, or of all.",
        "required": ["moves_bytes", "seconds", "basis", "bytes_per_second", "measured_ms"],
        "additionalProperties": false,
        "properties": {
            "moves_bytes": { "type": ["integer", "null"], "minimum": 0, "description": "What is on the areas that are taken off; null where that is not known." },
            "seconds": { "type": ["number", "null"], "minimum": 0, "description": "Null where it is not known." },
            "basis": { "oneOf": bases, "description": "What the time is based on." },
            "bytes_per_second": { "type": ["number", "null"], "description": "How fast it was when it was measured." },
            "measured_ms": { "type": ["integer", "null"], "description": "When that was, in milliseconds since 1970, UTC; of several the first." },
        },
    })
}

fn activation() -> Value {
    json!({
        "type": "object",
        "description": "How an area is on.",
        "required": ["path", "priority", "discard"],
        "additionalProperties": false,
        "properties": {
            "path": { "type": "string", "description": "Names are bytes: a backslash is doubled, what is not UTF-8 is \\xNN." },
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
    use super::super::figures::{ZramFigures, Rests};
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
