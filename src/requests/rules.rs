//! Calls that read rules: from a list, a text or a file.

use crate::broker::Broker;
use crate::document::{Fields, Node, Reader, Value, parse_json, parse_yaml};
use crate::error::{Code, Error, Result};
use crate::go;
use crate::json::Entries;
use crate::limits;
use crate::options::{Options, Profile, RuleReading};
use crate::rules::{Rule, read};

pub(super) fn load(broker: &Broker, request: &str) -> Result<String> {
    let rules = rules_of(request, broker.options(), &[])?.unwrap_or_default();
    let count = broker.load_rules(rules)?;
    Ok(format!(r#"{{"rules":{count}}}"#))
}

pub(super) fn read(request: &str) -> Result<String> {
    let document = parse_json(request)?;
    let profile = match &document.value {
        Value::Object(entries) => entries.iter().find(|(key, value)| key.name == "profile" && value.value != Value::Null),
        _ => None,
    };
    let mut reader = Reader::new(Code::InvalidRequest);
    let profile = profile.and_then(|(_, node)| reader.choice(node, "profile", Profile::NAMES)).unwrap_or(Profile::Standard);
    reader.finish(())?;
    // Go tells a nil list from an empty one, and so does this answer.
    Ok(rules_of(request, &Options::of(profile), &["profile"])?.map_or("null".to_owned(), |rules| super::to_json(&rules)))
}

/// How a rule text is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Yaml,
    Json,
}

const FORMATS: [(&str, Format); 2] = [("yaml", Format::Yaml), ("json", Format::Json)];

/// The rules of a request; `None` where a Go reader would have nil.
fn rules_of(request: &str, options: &Options, more_keys: &[&str]) -> Result<Option<Vec<Rule>>> {
    let document = parse_json(request)?;
    let mut reader = Reader::new(Code::InvalidRequest);
    let known = [&["rules", "text", "format", "path", "file"], more_keys].concat();
    let fields = reader.object(&document, "", &known);
    let format = fields.get("format").and_then(|node| reader.choice(node, "format", &FORMATS));
    let text = fields.get("text").and_then(|node| reader.text(node, "text"));
    let path = fields.get("path").and_then(|node| reader.text(node, "path"));
    let file = fields.get("file").and_then(|node| reader.text(node, "file"));
    one_source(&mut reader, &fields);
    reader.finish(())?;
    match (fields.get("rules"), text, path) {
        (Some(node), _, _) => from_list(node, request, options),
        (_, Some(text), _) => from_text(&text, format.unwrap_or(Format::Yaml), options).map_err(|error| error.in_file(file.as_deref())),
        (_, _, Some(path)) => from_file(&path, format, options),
        _ => Ok(None),
    }
}

fn one_source(reader: &mut Reader, fields: &Fields) {
    let given = ["rules", "text", "path"].iter().filter(|key| fields.get(key).is_some()).count();
    if given != 1 {
        reader.fault(fields.mark, "", "give one of `rules`, `text` and `path`", None);
    }
}

fn from_list(node: &Node, request: &str, options: &Options) -> Result<Option<Vec<Rule>>> {
    if options.rule_reading == RuleReading::Strict {
        return read::list(node, options.patterns).map(Some);
    }
    let raw = Entries::read(request)?.get("rules").unwrap_or("null");
    go::rules_json(&format!(r#"{{"rules":{raw}}}"#))
}

fn from_text(text: &str, format: Format, options: &Options) -> Result<Option<Vec<Rule>>> {
    if text.len() > limits::RULE_BYTES {
        return Err(Error::new(Code::TooLarge, format!("{} bytes, the limit is {}", text.len(), limits::RULE_BYTES)));
    }
    match (options.rule_reading, format) {
        (RuleReading::Go, Format::Yaml) => go::rules_yaml(text),
        (RuleReading::Go, Format::Json) => go::rules_json(text),
        (RuleReading::Strict, Format::Yaml) => read::document(parse_yaml(text)?.as_ref(), options.patterns).map(Some),
        (RuleReading::Strict, Format::Json) => read::document(Some(&parse_json(text)?), options.patterns).map(Some),
    }
}

#[cfg(feature = "fs")]
fn from_file(path: &str, format: Option<Format>, options: &Options) -> Result<Option<Vec<Rule>>> {
    use std::io::Read;

    let ending = std::path::Path::new(path).extension().map(|ending| ending.to_string_lossy().to_lowercase());
    let format = match (format, ending.as_deref()) {
        (Some(format), _) => format,
        (None, Some("yaml" | "yml")) => Format::Yaml,
        (None, Some("json")) => Format::Json,
        _ => {
            let hint = "known endings: .yaml, .yml, .json; or give `format`";
            return Err(Error::new(Code::InvalidRequest, format!("unknown kind of rule file `{path}`")).with_path("path").with_hint(hint));
        }
    };
    let mut bytes = Vec::new();
    std::fs::File::open(path)
        .and_then(|file| file.take(limits::RULE_BYTES as u64 + 1).read_to_end(&mut bytes))
        .map_err(|error| Error::new(Code::Io, format!("cannot read the rule file: {error}")).in_file(Some(path)))?;
    let text = match (std::str::from_utf8(&bytes), options.rule_reading, format) {
        (Ok(text), _, _) => text.into(),
        // Go's JSON reader takes any bytes for text.
        (Err(_), RuleReading::Go, Format::Json) => String::from_utf8_lossy(&bytes),
        (Err(error), _, _) => {
            let message = format!("not UTF-8 at byte {}", error.valid_up_to());
            return Err(Error::new(Code::InvalidUtf8, message).in_file(Some(path)));
        }
    };
    from_text(&text, format, options).map_err(|error| error.in_file(Some(path)))
}

#[cfg(not(feature = "fs"))]
fn from_file(path: &str, _: Option<Format>, _: &Options) -> Result<Option<Vec<Rule>>> {
    Err(Error::new(Code::Io, "this build opens no files (feature `fs`)").in_file(Some(path)))
}
