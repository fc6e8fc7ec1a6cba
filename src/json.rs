//! JSON that is kept as text: an object's entries and a list's items without reading what is inside them, and text written as JSON.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::error::{Code, Error, Result};

/// The entries of an object, in the order written, values unread.
pub(crate) struct Entries<'a>(pub Vec<(String, &'a str)>);

impl<'de: 'a, 'a> Deserialize<'de> for Entries<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        struct EntriesVisitor;
        impl<'de> Visitor<'de> for EntriesVisitor {
            type Value = Vec<(String, &'de str)>;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<Self::Value, A::Error> {
                let mut entries = Vec::new();
                while let Some((key, value)) = map.next_entry::<String, &RawValue>()? {
                    entries.push((key, value.get()));
                }
                Ok(entries)
            }
        }
        deserializer.deserialize_map(EntriesVisitor).map(Entries)
    }
}

impl<'a> Entries<'a> {
    /// Reads one object. Nothing inside its values is looked at beyond finding where they end.
    pub fn read(text: &'a str) -> Result<Self> {
        serde_json::from_str(text).map_err(|error| syntax_error(text, &error))
    }

    /// The last value of a key, unless it is absent or null.
    pub fn get(&self, key: &str) -> Option<&'a str> {
        self.0.iter().rev().find(|(name, _)| name == key).map(|(_, value)| *value).filter(|value| *value != "null")
    }

    /// The first key that stands twice.
    pub fn double(&self) -> Option<&str> {
        // An object of a tool has a handful of keys; a hostile one with many is sorted.
        let mut names: Vec<&str> = self.0.iter().map(|(name, _)| name.as_str()).collect();
        names.sort_unstable();
        names.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0])
    }
}

/// The items of a list, unread.
pub(crate) fn items(text: &str) -> Result<Vec<&str>> {
    let items: Vec<&RawValue> = serde_json::from_str(text).map_err(|error| syntax_error(text, &error))?;
    Ok(items.into_iter().map(RawValue::get).collect())
}

/// What serde_json says of a malformed text, with the place apart from the message. serde_json counts columns in bytes, up to the one at fault.
pub(crate) fn syntax_error(text: &str, error: &serde_json::Error) -> Error {
    let position = format!(" at line {} column {}", error.line(), error.column());
    let message = error.to_string();
    let line = text.split('\n').nth(error.line().saturating_sub(1)).unwrap_or_default();
    let column = line.char_indices().take_while(|(at, _)| *at < error.column()).count();
    Error::new(Code::InvalidJson, message.strip_suffix(&position).unwrap_or(&message)).with_position(error.line(), column.max(1))
}

/// Whether a JSON text escapes half of a surrogate pair: JSON allows it, Unicode text cannot hold it.
pub(crate) fn has_lone_surrogate(text: &str) -> bool {
    let bytes = text.as_bytes();
    let unit = |at: usize| -> Option<u16> {
        if bytes.get(at..at + 2)? != b"\\u" {
            return None;
        }
        u16::from_str_radix(std::str::from_utf8(bytes.get(at + 2..at + 6)?).ok()?, 16).ok()
    };
    let mut at = 0;
    while let Some(step) = bytes[at..].iter().position(|byte| *byte == b'\\') {
        at += step;
        match unit(at) {
            Some(0xD800..=0xDBFF) if matches!(unit(at + 6), Some(0xDC00..=0xDFFF)) => at += 12,
            Some(0xD800..=0xDFFF) => return true,
            Some(_) => at += 6,
            None => at += 2,
        }
        if at >= bytes.len() {
            break;
        }
    }
    false
}

/// Appends a text as a JSON string.
pub(crate) fn push_string(out: &mut String, text: &str) {
    out.push_str(&serde_json::to_string(text).expect("text is plain data"));
}

/// Appends `"key":value` with a comma before it unless it opens an object; `value` is JSON already.
pub(crate) fn push_entry(out: &mut String, key: &str, value: &str) {
    if !out.ends_with('{') {
        out.push(',');
    }
    push_string(out, key);
    out.push(':');
    out.push_str(value);
}

/// Adds an entry that is a text.
pub(crate) fn push_text_entry(out: &mut String, key: &str, text: &str) {
    push_entry(out, key, "");
    push_string(out, text);
}

/// Plain data as JSON.
pub(crate) fn to_json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("answers are plain data")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_keep_order_and_text() {
        let entries = Entries::read(r#"{"b": [1, 2], "a":null,"b":"x"}"#).unwrap();
        assert_eq!(entries.0, [("b".to_owned(), "[1, 2]"), ("a".to_owned(), "null"), ("b".to_owned(), "\"x\"")]);
        assert_eq!(entries.get("b"), Some("\"x\""));
        assert_eq!(entries.get("a"), None);
        assert_eq!(entries.double(), Some("b"));
    }

    #[test]
    fn half_a_surrogate_pair_is_seen_and_a_whole_one_is_not() {
        assert!(has_lone_surrogate(r#""a\ud83d""#));
        assert!(has_lone_surrogate(r#""\ude00 b""#));
        assert!(!has_lone_surrogate(r#""\ud83d\ude00 \\ud83d \n""#));
        assert!(!has_lone_surrogate(r#""plain""#));
    }

    #[test]
    fn a_syntax_error_has_its_place() {
        let error = Entries::read("{\n \"a\": }").err().unwrap();
        assert_eq!((error.code, error.at.line, error.at.column), (Code::InvalidJson, Some(2), Some(7)));
        assert_eq!(error.message, "expected value");
    }
}
