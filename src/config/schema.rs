//! JSON schemas of files, with which editors check and complete them.

#![expect(clippy::wildcard_enum_match_arm, reason = "most types have nothing of their own here")]

use super::key::{KeyDefault, KeySpec, Schema};
use super::value::ValueType;
use serde_json::{Map, Value, json};

impl<T> Schema<T> {
    /// The JSON schema of the file, without its title.
    pub fn json_schema(&self) -> Value {
        self.table_schema("")
    }

    fn table_schema(&self, section: &str) -> Value {
        let is_required = |key: &&KeySpec<T>| matches!(key.default, KeyDefault::Required);
        let required: Vec<&str> =
            self.keys(section).filter(is_required).map(|key| key.name).collect();
        let keys =
            self.keys(section).map(|key| (key.name.to_owned(), self.key_schema(section, key)));
        json!({
            "type": "object",
            "additionalProperties": false,
            "required": required,
            "properties": keys.collect::<Map<_, _>>(),
        })
    }

    fn key_schema(&self, section: &str, key: &KeySpec<T>) -> Value {
        let inner = if section.is_empty() {
            key.name.to_owned()
        } else {
            format!("{section}.{}", key.name)
        };
        let mut schema = match key.takes {
            ValueType::Table(_) => self.table_schema(&inner),
            ValueType::Tables(most, _) => {
                json!({"type": "array", "maxItems": most, "items": self.table_schema(&inner)})
            }
            takes => takes.json_schema(),
        };
        let default = match key.default {
            KeyDefault::Is("") => " Default: empty.".to_owned(),
            KeyDefault::Is(text) | KeyDefault::InWords(text) => format!(" Default: {text}."),
            KeyDefault::Required | KeyDefault::Unchanged => String::new(),
        };
        let about = format!("{}: {}.{default}", key.help, key.takes.describe());
        if let Some(object) = schema.as_object_mut() {
            object.insert("description".to_owned(), about.into());
        }
        schema
    }
}

impl ValueType {
    /// The JSON schema of a value; texts of a form of their own are checked by the reader only.
    fn json_schema(self) -> Value {
        match self {
            Self::Flag => json!({"type": "boolean"}),
            Self::Word(words) => json!({"enum": words()}),
            Self::Count(least, most) => {
                json!({"type": "integer", "minimum": least, "maximum": most})
            }
            Self::Number(least, most) => {
                json!({"type": "number", "minimum": least, "maximum": most})
            }
            Self::Line(most) => json!({"type": "string", "maxLength": most}),
            Self::Text => json!({"type": "string", "minLength": 1}),
            Self::List(_) | Self::Rows(_) => json!({"type": "array"}),
            _ => json!({"type": ["string", "number"]}),
        }
    }
}
