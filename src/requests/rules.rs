//! Calls that read rules: from a list, a text or a file.

use crate::broker::Broker;
use crate::document::{Fields, Node, Reader, Value, parse_json};
use crate::error::{Code, Result};
use crate::go;
use crate::json::Entries;
use crate::options::{Options, Profile, RuleReading};
use crate::rules::{Rule, RuleFormat, from_file, from_text, read};

pub(super) fn load(broker: &Broker, request: &str) -> Result<String> {
    let rules = rules_of(&parse_json(request)?, request, broker.options(), &[])?.unwrap_or_default();
    let count = broker.put_rules(rules)?;
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
    let rules = rules_of(&document, request, &Options::of(profile), &["profile"])?;
    Ok(rules.map_or("null".to_owned(), |rules| super::to_json(&rules)))
}

pub(super) fn defaults(request: &str) -> Result<String> {
    let document = parse_json(request)?;
    let mut reader = Reader::new(Code::InvalidRequest);
    let fields = reader.object(&document, "", &["profile"]);
    let profile = fields.choice(&mut reader, "profile", Profile::NAMES).unwrap_or(Profile::Standard);
    reader.finish(())?;
    Ok(super::to_json(&default_rules(profile)))
}

/// The built-in example rules, for well-known public MCP servers: nothing destructive on its own, and the right servers for a few intents. Those of
/// profile `go-0.2` say only what its rules can.
pub fn default_rules(profile: Profile) -> Vec<Rule> {
    let text = match profile {
        Profile::Standard => include_str!("../rules/default.yaml"),
        Profile::Go02 => include_str!("../rules/default_go.yaml"),
    };
    let rules = from_text(text, RuleFormat::Yaml, &Options::of(profile));
    rules.expect("the default rules have no fault").unwrap_or_default()
}

const FORMATS: [(&str, RuleFormat); 2] = [("yaml", RuleFormat::Yaml), ("json", RuleFormat::Json)];

/// The rules of a request, given as a tree and as text; `None` where a Go reader would have nil.
fn rules_of(document: &Node, request: &str, options: &Options, more_keys: &[&str]) -> Result<Option<Vec<Rule>>> {
    let mut reader = Reader::new(Code::InvalidRequest);
    let known = [&["rules", "text", "format", "path", "file"], more_keys].concat();
    let fields = reader.object(document, "", &known);
    let format = fields.choice(&mut reader, "format", &FORMATS);
    let text = fields.text(&mut reader, "text");
    let path = fields.text(&mut reader, "path");
    let file = fields.text(&mut reader, "file");
    one_source(&mut reader, &fields);
    reader.finish(())?;
    match (fields.get("rules"), text, path) {
        (Some(node), _, _) => from_list(node, request, options),
        (_, Some(text), _) => from_text(&text, format.unwrap_or(RuleFormat::Yaml), options).map_err(|error| error.in_file(file.as_deref())),
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
