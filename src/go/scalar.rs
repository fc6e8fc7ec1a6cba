//! What a scalar is to `gopkg.in/yaml.v3`, as far as text and whole numbers depend on it.

use super::base64;
use super::timestamp::is_timestamp;

/// A scalar with its type.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Scalar {
    Null,
    Bool,
    Int(i64),
    /// Above the range of an int64, within that of a uint64.
    Unsigned,
    Float(f64),
    Timestamp,
    /// Any text.
    Text,
    /// Base64, decoded.
    Binary(Vec<u8>),
}

/// What is the matter with a scalar whose tag does not suit it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Mismatch;

/// Resolves a scalar. `tag` is the part of a tag behind `tag:yaml.org,2002:`; a scalar with another tag is text.
pub(crate) fn resolve(text: &str, tag: Option<&str>) -> Result<Scalar, Mismatch> {
    let found = match tag {
        None => return Ok(plain(text, true)),
        Some("binary") => return base64::decode(text).map(Scalar::Binary).ok_or(Mismatch),
        Some("timestamp") => plain(text, true),
        Some("null" | "bool" | "int" | "float") => plain(text, false),
        Some(_) => return Ok(Scalar::Text),
    };
    match (tag.unwrap_or_default(), &found) {
        ("float", Scalar::Int(value)) => Ok(Scalar::Float(*value as f64)),
        ("null", Scalar::Null)
        | ("bool", Scalar::Bool)
        | ("int", Scalar::Int(_) | Scalar::Unsigned)
        | ("float", Scalar::Float(_))
        | ("timestamp", Scalar::Timestamp) => Ok(found),
        _ => Err(Mismatch),
    }
}

fn plain(text: &str, timestamps: bool) -> Scalar {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Scalar::Null,
        "true" | "True" | "TRUE" | "false" | "False" | "FALSE" => return Scalar::Bool,
        ".nan" | ".NaN" | ".NAN" => return Scalar::Float(f64::NAN),
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => return Scalar::Float(f64::INFINITY),
        "-.inf" | "-.Inf" | "-.INF" => return Scalar::Float(f64::NEG_INFINITY),
        _ => {}
    }
    match text.as_bytes()[0] {
        b'.' if underscores_separate_digits(text) => decimal(&text.replace('_', "")).map_or(Scalar::Text, Scalar::Float),
        b'+' | b'-' | b'0'..=b'9' if timestamps && is_timestamp(text) => Scalar::Timestamp,
        b'+' | b'-' | b'0'..=b'9' => number(&text.replace('_', "")),
        _ => Scalar::Text,
    }
}

fn number(text: &str) -> Scalar {
    if let Some(value) = prefixed(text) {
        return value;
    }
    if let Some(value) = decimal(text) {
        return Scalar::Float(value);
    }
    // yaml.v3 tries these prefixes once more, by which a sign may stand behind them.
    let (sign, digits) = text.strip_prefix('-').map_or(("", text), |digits| ("-", digits));
    let radix = match digits.get(..2) {
        Some("0b") => 2,
        Some("0o") => 8,
        _ => return Scalar::Text,
    };
    whole(&format!("{sign}{}", &digits[2..]), radix).unwrap_or(Scalar::Text)
}

/// A whole number whose base its prefix tells, as Go's `strconv.ParseInt` with base 0.
fn prefixed(text: &str) -> Option<Scalar> {
    let (sign, digits) = match text.as_bytes()[0] {
        b'+' | b'-' => text.split_at(1),
        _ => ("", text),
    };
    let (radix, digits) = match digits.as_bytes() {
        [b'0', b'b' | b'B', _, ..] => (2, &digits[2..]),
        [b'0', b'o' | b'O', _, ..] => (8, &digits[2..]),
        [b'0', b'x' | b'X', _, ..] => (16, &digits[2..]),
        [b'0', _, ..] => (8, &digits[1..]),
        _ => (10, digits),
    };
    if digits.starts_with(['+', '-']) {
        return None;
    }
    whole(&format!("{sign}{digits}"), radix)
}

fn whole(text: &str, radix: u32) -> Option<Scalar> {
    let signed = i64::from_str_radix(text, radix).ok().map(Scalar::Int);
    // A sign is no part of a uint64 to Go.
    signed.or_else(|| u64::from_str_radix(text, radix).ok().filter(|_| !text.starts_with('+')).map(|_| Scalar::Unsigned))
}

/// Where a number begins with a point, Go looks at what an underscore stands between; elsewhere yaml.v3 takes them all out.
fn underscores_separate_digits(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_digit = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_digit);
    bytes.iter().enumerate().all(|(at, byte)| *byte != b'_' || is_digit(at.checked_sub(1)) && is_digit(Some(at + 1)))
}

/// A decimal number within the range of a float64: digits with a point somewhere or not, and an exponent or not.
fn decimal(text: &str) -> Option<f64> {
    let is_decimal = text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.' | b'e' | b'E'));
    text.parse().ok().filter(|value: &f64| is_decimal && value.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Outcomes as yaml.v3 documents them, or as it was seen to answer.
    #[test]
    fn numbers_are_read_in_every_notation() {
        let whole = [
            ("10", 10),
            ("+1", 1),
            ("0x10", 16),
            ("-0X1f", -31),
            ("0o17", 15),
            ("017", 15),
            ("0b101", 5),
            ("0b-101", -5),
            ("1_000", 1000),
            ("0", 0),
            ("-9223372036854775808", i64::MIN),
        ];
        for (text, value) in whole {
            assert_eq!(resolve(text, None), Ok(Scalar::Int(value)), "{text}");
        }
        for (text, value) in [
            ("1e2", 100.0),
            ("1.", 1.0),
            (".5", 0.5),
            (".2_5", 0.25),
            ("-1.5E+1", -15.0),
            ("08", 8.0),
            ("18446744073709551616", 2f64.powi(64)),
        ] {
            assert_eq!(resolve(text, None), Ok(Scalar::Float(value)), "{text}");
        }
        for text in ["18446744073709551615", "0xFFFFFFFFFFFFFFFF"] {
            assert_eq!(resolve(text, None), Ok(Scalar::Unsigned), "{text}");
        }
        for text in
            ["_1", "1e", "0x", "0b2", "1:30", "1e309", "infinity", "nan", "+-1", "1,0", "0x1p4", "+", ".", "-", "._5", ".5_", ".2__5"]
        {
            assert_eq!(resolve(text, None), Ok(Scalar::Text), "{text}");
        }
    }

    #[test]
    fn a_tag_must_suit() {
        assert_eq!(resolve("3", Some("float")), Ok(Scalar::Float(3.0)));
        assert_eq!(resolve("5", Some("int")), Ok(Scalar::Int(5)));
        assert_eq!(resolve("aGk=", Some("binary")), Ok(Scalar::Binary(b"hi".to_vec())));
        assert_eq!(resolve("null", Some("str")), Ok(Scalar::Text));
        assert_eq!(resolve("2024-01-01", Some("timestamp")), Ok(Scalar::Timestamp));
        for (text, tag) in [("x", "int"), ("1.5", "int"), ("yes", "bool"), ("x", "null"), ("x", "timestamp"), ("*", "binary")] {
            assert_eq!(resolve(text, Some(tag)), Err(Mismatch), "{text} {tag}");
        }
    }
}
