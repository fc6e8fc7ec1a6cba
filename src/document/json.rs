//! JSON into a located tree.

use serde_json::value::RawValue;

use super::{Key, Mark, Node, Value};
use crate::error::{Code, Error, Result};
use crate::json::{Entries, has_lone_surrogate, syntax_error};
use crate::limits;

/// One scan over a JSON text, without recursion: whether its lists and objects stay within the limit of depth.
///
/// # Errors
/// `too_deep`, with the place of the bracket that goes below it. A malformed text may pass: it fails when it is read.
pub(crate) fn check_depth(text: &str) -> Result<()> {
    let mut depth = 0usize;
    let mut bytes = text.bytes().enumerate();
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'"' => {
                while let Some((_, byte)) = bytes.next() {
                    match byte {
                        b'\\' => drop(bytes.next()),
                        b'"' => break,
                        _ => {}
                    }
                }
            }
            b'[' | b'{' => {
                depth += 1;
                if depth > limits::DEPTH {
                    let mark = Marks::new(text).at(at);
                    let message = format!("nested deeper than {} levels", limits::DEPTH);
                    return Err(Error::new(Code::TooDeep, message).with_position(mark.line, mark.column));
                }
            }
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    Ok(())
}

/// Reads a JSON text. A byte order mark in front is skipped; keys that stand twice are kept.
///
/// # Errors
/// `invalid_json`, `too_large`, `too_deep`, with line and column.
pub(crate) fn parse(text: &str) -> Result<Node> {
    if text.len() > limits::INPUT_BYTES {
        return Err(Error::new(Code::TooLarge, format!("{} bytes, the limit is {}", text.len(), limits::INPUT_BYTES)));
    }
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    if text.trim().is_empty() {
        return Err(Error::new(Code::InvalidJson, "empty text"));
    }
    check_depth(text)?;
    let root: &RawValue = serde_json::from_str(text).map_err(|error| syntax_error(&error))?;
    node(root.get(), &mut Marks::new(text))
}

/// Reads one value. Its depth was checked, and its syntax by whoever found where it ends.
fn node(raw: &str, marks: &mut Marks) -> Result<Node> {
    let mark = marks.of(raw);
    let value = match raw.as_bytes()[0] {
        b'{' => {
            let mut entries = Vec::new();
            for (name, value) in Entries::read(raw)?.0 {
                // A key stands before its value; where exactly, only the text between says.
                let key = Key { mark: marks.key_before(value), name };
                entries.push((key, node(value, marks)?));
            }
            Value::Object(entries)
        }
        b'[' => Value::List(crate::json::items(raw)?.into_iter().map(|item| node(item, marks)).collect::<Result<_>>()?),
        b'"' if has_lone_surrogate(raw) => {
            return Err(Error::new(Code::InvalidJson, "half a surrogate pair").with_position(mark.line, mark.column));
        }
        b'"' => Value::Text(serde_json::from_str(raw).map_err(|error| syntax_error(&error))?),
        b't' => Value::Bool(true),
        b'f' => Value::Bool(false),
        b'n' => Value::Null,
        _ => Value::Number(raw.to_owned()),
    };
    Ok(Node { mark, value })
}

/// Finds line and column of places in a text that are asked for roughly in order.
struct Marks<'a> {
    text: &'a str,
    /// The last place that was asked for.
    at: usize,
    mark: Mark,
}

impl<'a> Marks<'a> {
    fn new(text: &'a str) -> Self {
        Marks { text, at: 0, mark: Mark { line: 1, column: 1 } }
    }

    /// The place of a slice of the text.
    fn of(&mut self, slice: &str) -> Mark {
        self.at(slice.as_ptr() as usize - self.text.as_ptr() as usize)
    }

    /// The place of the key whose value this is: the quote that opens it.
    fn key_before(&mut self, value: &str) -> Mark {
        let end = value.as_ptr() as usize - self.text.as_ptr() as usize;
        let colon = self.text[..end].rfind(':').unwrap_or(0);
        let close = self.text[..colon].rfind('"').unwrap_or(0);
        let bytes = self.text.as_bytes();
        let escaped = |quote: usize| bytes[..quote].iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 1;
        let mut open = close;
        while let Some(quote) = self.text[..open].rfind('"') {
            open = quote;
            if !escaped(quote) {
                break;
            }
        }
        self.at(open)
    }

    fn at(&mut self, offset: usize) -> Mark {
        if offset < self.at {
            (self.at, self.mark) = (0, Mark { line: 1, column: 1 });
        }
        for c in self.text[self.at..offset].chars() {
            if c == '\n' {
                self.mark = Mark { line: self.mark.line + 1, column: 1 };
            } else {
                self.mark.column += 1;
            }
        }
        self.at = offset;
        self.mark
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depth_128_passes_and_129_does_not() {
        let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
        assert!(parse(&nested(128)).is_ok());
        let error = parse(&nested(129)).unwrap_err();
        assert_eq!((error.code, error.at.column), (Code::TooDeep, Some(129)));
        assert_eq!(parse(&nested(100_000)).unwrap_err().code, Code::TooDeep);
        assert!(parse(&format!("{:?}", nested(200))).is_ok());
    }

    #[test]
    fn keys_and_values_know_their_places() {
        let root = parse("{\n  \"é\\\"a\" : [1,\n \"x\"]}").unwrap();
        let Value::Object(entries) = root.value else { panic!("an object") };
        assert_eq!((entries[0].0.mark.line, entries[0].0.mark.column), (2, 3));
        let Value::List(items) = &entries[0].1.value else { panic!("a list") };
        assert_eq!((items[0].mark.line, items[0].mark.column), (2, 13));
        assert_eq!((items[1].mark.line, items[1].mark.column), (3, 2));
    }

    #[test]
    fn half_a_surrogate_pair_is_refused_with_its_place() {
        let error = parse(r#"{"a": "\ud800"}"#).unwrap_err();
        assert_eq!((error.code, error.at.column), (Code::InvalidJson, Some(7)));
    }
}
