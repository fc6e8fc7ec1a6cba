//! JSON text into a [`Node`] tree.
//!
//! serde_json checks the syntax and words the errors; the tree is then built in one walk over text that is known to be right, because
//! serde_json does not tell where a value stands.

use serde::de::IgnoredAny;

use super::{Key, Mark, Node, Value};
use crate::error::{Code, Error, Result};
use crate::json::syntax_error;
use crate::limits;

/// What becomes of half a surrogate pair in a text, such as `\ud800` with nothing behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HalfPair {
    /// It is an error.
    Refuse,
    /// It becomes U+FFFD.
    Replace,
}

/// An error at the bracket that goes below [`limits::DEPTH`], if there is one. The text need not be right otherwise.
pub(crate) fn check_depth(text: &str) -> Result<()> {
    let (mut depth, mut in_text, mut escaped) = (0_usize, false, false);
    for (at, byte) in text.bytes().enumerate() {
        if in_text {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => in_text = false,
                _ => {}
            }
            continue;
        }
        match byte {
            b'"' => in_text = true,
            b'[' | b'{' if depth == limits::DEPTH => {
                let message = format!("nested deeper than {} levels", limits::DEPTH);
                return Err(place(Error::new(Code::TooDeep, message), Marker::new(text).at(at)));
            }
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    Ok(())
}

/// Reads one JSON text. A leading byte order mark is skipped.
pub(crate) fn parse(text: &str) -> Result<Node> {
    parse_with(text.strip_prefix('\u{feff}').unwrap_or(text), HalfPair::Refuse)
}

/// As [`parse`], with a choice for half a surrogate pair; a byte order mark is an error.
pub(crate) fn parse_with(text: &str, half_pair: HalfPair) -> Result<Node> {
    if text.len() > limits::INPUT_BYTES {
        return Err(Error::new(Code::TooLarge, format!("{} bytes, the limit is {}", text.len(), limits::INPUT_BYTES)));
    }
    check_depth(text)?;
    check_syntax(text)?;
    Walk { text, at: 0, marker: Marker::new(text), half_pair, nodes: 0 }.value()
}

fn check_syntax(text: &str) -> Result<()> {
    if text.trim().is_empty() {
        return Err(Error::new(Code::InvalidJson, "empty text").with_position(1, 1));
    }
    serde_json::from_str::<IgnoredAny>(text).map(drop).map_err(|error| syntax_error(text, &error))
}

fn place(error: Error, mark: Mark) -> Error {
    error.with_position(mark.line, mark.column)
}

/// Turns rising byte offsets into marks, each character counted once.
struct Marker<'a> {
    text: &'a str,
    offset: usize,
    mark: Mark,
}

impl<'a> Marker<'a> {
    fn new(text: &'a str) -> Self {
        Marker { text, offset: 0, mark: Mark { line: 1, column: 1 } }
    }

    fn at(&mut self, offset: usize) -> Mark {
        for byte in &self.text.as_bytes()[self.offset..offset] {
            match byte {
                b'\n' => self.mark = Mark { line: self.mark.line + 1, column: 1 },
                // The bytes behind the first of a character.
                0x80..=0xbf => {}
                _ => self.mark.column += 1,
            }
        }
        self.offset = offset;
        self.mark
    }
}

/// A walk over text whose syntax and depth are checked.
struct Walk<'a> {
    text: &'a str,
    at: usize,
    marker: Marker<'a>,
    half_pair: HalfPair,
    nodes: usize,
}

impl Walk<'_> {
    fn value(&mut self) -> Result<Node> {
        let start = self.next_token();
        let mark = self.marker.at(start);
        self.nodes += 1;
        if self.nodes > limits::NODES {
            return Err(place(Error::new(Code::TooLarge, format!("more than {} values", limits::NODES)), mark));
        }
        let value = match self.peek() {
            b'{' => self.object()?,
            b'[' => self.list()?,
            b'"' => Value::Text(self.string()?),
            _ => match self.word() {
                "null" => Value::Null,
                "true" => Value::Bool(true),
                "false" => Value::Bool(false),
                number => Value::Number(number.to_owned()),
            },
        };
        Ok(Node { mark, value })
    }

    fn object(&mut self) -> Result<Value> {
        let mut entries = Vec::new();
        while !self.closes(b'}') {
            let start = self.next_token();
            let mark = self.marker.at(start);
            let name = self.string()?;
            // The colon.
            self.next_token();
            self.at += 1;
            entries.push((Key { mark, name }, self.value()?));
        }
        Ok(Value::Object(entries))
    }

    fn list(&mut self) -> Result<Value> {
        let mut items = Vec::new();
        while !self.closes(b']') {
            items.push(self.value()?);
        }
        Ok(Value::List(items))
    }

    /// Steps over the bracket or comma that stands here; true if that was the end of the list or object.
    fn closes(&mut self, bracket: u8) -> bool {
        // The opening bracket and the comma are one byte each, and behind both the next token decides.
        if self.next_byte_is(bracket) {
            self.at += 1;
            return true;
        }
        self.at += 1;
        self.next_byte_is(bracket) && {
            self.at += 1;
            true
        }
    }

    fn next_byte_is(&mut self, byte: u8) -> bool {
        self.next_token();
        self.peek() == byte
    }

    fn string(&mut self) -> Result<String> {
        let start = self.at + 1;
        let bytes = self.text.as_bytes();
        let mut end = start;
        let mut escapes = false;
        while let Some(byte) = bytes.get(end).filter(|byte| **byte != b'"') {
            escapes |= *byte == b'\\';
            end += if *byte == b'\\' { 2 } else { 1 };
        }
        self.at = end + 1;
        let raw = &self.text[start..end];
        if escapes { self.unescape(raw, start) } else { Ok(raw.to_owned()) }
    }

    fn unescape(&mut self, raw: &str, start: usize) -> Result<String> {
        let mut text = String::with_capacity(raw.len());
        let mut rest = raw;
        while let Some(slash) = rest.find('\\') {
            text.push_str(&rest[..slash]);
            let at = start + raw.len() - rest.len() + slash;
            let escape = rest.as_bytes()[slash + 1];
            rest = &rest[slash + 2..];
            text.push(match escape {
                b'b' => '\u{8}',
                b'f' => '\u{c}',
                b'n' => '\n',
                b'r' => '\r',
                b't' => '\t',
                b'u' => {
                    let (unit, behind) = hex(rest);
                    rest = behind;
                    match code_point(unit, &mut rest) {
                        Some(c) => c,
                        None if self.half_pair == HalfPair::Replace => char::REPLACEMENT_CHARACTER,
                        None => {
                            let message = format!("`\\u{unit:04x}` is half a surrogate pair");
                            return Err(place(Error::new(Code::InvalidJson, message), self.marker.at(at)));
                        }
                    }
                }
                other => char::from(other),
            });
        }
        text.push_str(rest);
        Ok(text)
    }

    fn word(&mut self) -> &str {
        let rest = &self.text[self.at..];
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn next_token(&mut self) -> usize {
        while matches!(self.peek(), b' ' | b'\t' | b'\n' | b'\r') {
            self.at += 1;
        }
        self.at
    }

    fn peek(&self) -> u8 {
        self.text.as_bytes().get(self.at).copied().unwrap_or_default()
    }
}

fn hex(text: &str) -> (u32, &str) {
    let (digits, rest) = text.split_at(4);
    (u32::from_str_radix(digits, 16).unwrap_or_default(), rest)
}

/// The character of a code unit; the first of a pair takes the second from `rest`. `None` for half a pair.
fn code_point(unit: u32, rest: &mut &str) -> Option<char> {
    if !(0xd800..0xdc00).contains(&unit) {
        return char::from_u32(unit);
    }
    let (second, behind) = hex(rest.strip_prefix("\\u")?);
    if !(0xdc00..0xe000).contains(&second) {
        return None;
    }
    *rest = behind;
    char::from_u32(0x10000 + ((unit - 0xd800) << 10) + (second - 0xdc00))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> (Code, usize, usize, String) {
        let error = parse(text).expect_err("no error");
        (error.code, error.at.line.unwrap_or_default(), error.at.column.unwrap_or_default(), error.message)
    }

    fn at(line: usize, column: usize, value: Value) -> Node {
        Node { mark: Mark { line, column }, value }
    }

    #[test]
    fn values_carry_their_line_and_column_in_characters() {
        let key = |line, column, name: &str| Key { mark: Mark { line, column }, name: name.to_owned() };
        let tree = parse("\u{feff}{\"é\": [1.0, \"a\"],\n \"b\" :null, \"b\": {}, \"c\": [ ]}").unwrap();
        let list = Value::List(vec![at(1, 8, Value::Number("1.0".into())), at(1, 13, Value::Text("a".into()))]);
        let entries = vec![
            (key(1, 2, "é"), at(1, 7, list)),
            (key(2, 2, "b"), at(2, 7, Value::Null)),
            (key(2, 13, "b"), at(2, 18, Value::Object(vec![]))),
            (key(2, 22, "c"), at(2, 27, Value::List(vec![]))),
        ];
        assert_eq!(tree, at(1, 1, Value::Object(entries)));
    }

    #[test]
    fn escapes_are_resolved() {
        let tree = parse(r#""\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00x""#).unwrap();
        assert_eq!(tree.value, Value::Text("\"\\/\u{8}\u{c}\n\r\té😀x".into()));
    }

    #[test]
    fn half_a_surrogate_pair_is_an_error_or_replaced() {
        for text in [r#"["a", "b\ud800"]"#, r#"["a", "b\udc00"]"#, r#"["a", "b\ud800\n"]"#, r#"["a", "b\ud800\u0041"]"#] {
            assert_eq!(error(text).0, Code::InvalidJson);
            assert_eq!((error(text).1, error(text).2), (1, 9));
        }
        let tree = parse_with(r#""\ud800\ud800\udc00\ud800\u0041""#, HalfPair::Replace).unwrap();
        assert_eq!(tree.value, Value::Text("\u{fffd}\u{10000}\u{fffd}A".into()));
    }

    #[test]
    fn syntax_errors_tell_the_place_in_characters() {
        assert_eq!(error("{\"é\": 1,}"), (Code::InvalidJson, 1, 9, "key must be a string".into()));
        assert_eq!(error("[1,\n x]"), (Code::InvalidJson, 2, 2, "expected value".into()));
        assert_eq!(error("[] []"), (Code::InvalidJson, 1, 4, "trailing characters".into()));
        assert_eq!(error(" \n").3, "empty text");
        assert_eq!(error("").3, "empty text");
        assert_eq!(error("[").3, "EOF while parsing a list");
    }

    #[test]
    fn depth_ends_at_the_limit() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(parse(&nested(limits::DEPTH)).is_ok());
        let deep = error(&nested(limits::DEPTH + 1));
        assert_eq!((deep.0, deep.1, deep.2), (Code::TooDeep, 1, limits::DEPTH + 1));
        assert!(check_depth(&format!("\"{}\\\"[\"", "[".repeat(500))).is_ok());
        assert_eq!(error(&"[".repeat(1_000_000)).0, Code::TooDeep);
    }
}
