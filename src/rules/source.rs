//! Rules from a text or a file, in one of two formats and one of two ways of reading.

use super::{Rule, read};
use crate::document::{parse_json, parse_yaml};
use crate::error::{Code, Error, Result};
use crate::go;
use crate::limits;
use crate::options::{Options, RuleReading};

/// How a rule text is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuleFormat {
    /// YAML, of which JSON is a part.
    Yaml,
    /// JSON, with JSON's errors.
    Json,
}

/// Rules that a program made, checked as if they had been read.
pub(crate) fn checked(rules: Vec<Rule>, options: &Options) -> Result<Vec<Rule>> {
    if options.rule_reading == RuleReading::Go {
        return Ok(rules);
    }
    let text = serde_json::json!({ "rules": rules }).to_string();
    // Places in a text that nobody wrote help nobody; the paths stay.
    read::document(Some(&parse_json(&text)?), options.patterns).map_err(Error::without_position)
}

/// The rules of a text; `None` where a Go reader would have nil.
pub(crate) fn from_text(text: &str, format: RuleFormat, options: &Options) -> Result<Option<Vec<Rule>>> {
    if text.len() > limits::RULE_BYTES {
        return Err(Error::new(Code::TooLarge, format!("{} bytes, the limit is {}", text.len(), limits::RULE_BYTES)));
    }
    match (options.rule_reading, format) {
        (RuleReading::Go, RuleFormat::Yaml) => go::rules_yaml(text),
        (RuleReading::Go, RuleFormat::Json) => go::rules_json(text),
        (RuleReading::Strict, RuleFormat::Yaml) => read::document(parse_yaml(text)?.as_ref(), options.patterns).map(Some),
        (RuleReading::Strict, RuleFormat::Json) => read::document(Some(&parse_json(text)?), options.patterns).map(Some),
    }
}

/// The rules of a file. Without a format its ending decides.
#[cfg(feature = "fs")]
pub(crate) fn from_file(path: &str, format: Option<RuleFormat>, options: &Options) -> Result<Option<Vec<Rule>>> {
    use std::io::Read;

    let ending = std::path::Path::new(path).extension().map(|ending| ending.to_string_lossy().to_lowercase());
    let format = match (format, ending.as_deref()) {
        (Some(format), _) => format,
        (None, Some("yaml" | "yml")) => RuleFormat::Yaml,
        (None, Some("json")) => RuleFormat::Json,
        _ => {
            let hint = "known endings: .yaml, .yml, .json; or give `format`";
            return Err(Error::new(Code::InvalidRequest, format!("unknown kind of rule file `{path}`")).with_path("path").with_hint(hint));
        }
    };
    let mut bytes = Vec::new();
    #[expect(clippy::disallowed_methods, reason = "the one file that the core opens, because the call names it")]
    let opened = std::fs::File::open(path);
    opened
        .and_then(|file| file.take(limits::RULE_BYTES as u64 + 1).read_to_end(&mut bytes))
        .map_err(|error| Error::new(Code::Io, format!("cannot read the rule file: {}", reason(&error))).in_file(Some(path)))?;
    let text = match (std::str::from_utf8(&bytes), options.rule_reading, format) {
        (Ok(text), _, _) => text.into(),
        // Go's JSON reader takes any bytes for text.
        (Err(_), RuleReading::Go, RuleFormat::Json) => String::from_utf8_lossy(&bytes),
        (Err(error), _, _) => {
            let message = format!("not UTF-8 at byte {}", error.valid_up_to());
            return Err(Error::new(Code::InvalidUtf8, message).in_file(Some(path)));
        }
    };
    from_text(&text, format, options).map_err(|error| error.in_file(Some(path)))
}

/// Why a file cannot be read, in the same words everywhere: a system's own differ from the next system's, and on some follow the user's language.
#[cfg(feature = "fs")]
fn reason(error: &std::io::Error) -> String {
    use std::io::ErrorKind;

    match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => "there is no such file".to_owned(),
        ErrorKind::PermissionDenied => "permission denied".to_owned(),
        ErrorKind::IsADirectory => "it is a folder".to_owned(),
        ErrorKind::InvalidInput | ErrorKind::InvalidFilename => "no file can have this name".to_owned(),
        _ => error.to_string(),
    }
}

/// The rules of a file, which this build does not open.
#[cfg(not(feature = "fs"))]
pub(crate) fn from_file(path: &str, _: Option<RuleFormat>, _: &Options) -> Result<Option<Vec<Rule>>> {
    Err(Error::new(Code::Io, "this build opens no files (feature `fs`)").in_file(Some(path)))
}
