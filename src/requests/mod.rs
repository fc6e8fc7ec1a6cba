//! Every call as JSON in, JSON out: what C, the bindings and the command line speak. `docs/contract.md` describes the requests and answers.

mod report;
mod rules;
mod session;
mod tools;

pub use rules::default_rules;
pub use session::SESSION_CALLS;

use serde::Serialize;

use crate::broker::{Broker, IntentMode};
use crate::discover;
use crate::document::{Fields, Node, Reader, parse_json};
use crate::error::{Code, Error, Result};
use crate::hints::Hints;
use crate::json::{Entries, items, to_json};
use crate::limits;
use crate::options::{AnswerKeys, Profile};
use crate::overrides::CallContext;
use crate::pins::StandingPins;
use crate::rank::Weights;
use crate::ranking::RankRequest;
use crate::select::SelectRequest;
use crate::tool::ToolId;
use crate::words::Language;

/// The calls on a broker, by name.
pub const BROKER_CALLS: [&str; 19] = [
    "add_tools",
    "replace_tools",
    "remove_tools",
    "all_tools",
    "load_rules",
    "all_rules",
    "load_intents",
    "load_pins",
    "select",
    "rank",
    "embed_tools",
    "detect_intent",
    "tokenize",
    "score_by_keywords",
    "score_by_intent",
    "find_by_names",
    "estimate",
    "prune",
    "overrides",
];

impl Broker {
    /// Runs one call: its name, a JSON request and what the callbacks get; answers JSON.
    ///
    /// # Errors
    /// Those of the call, and `invalid_request` for a name that is none.
    pub fn call(&self, name: &str, request: &str, context: CallContext) -> Result<String> {
        within(request)?;
        let request = whole(request);
        match name {
            "add_tools" => tools::add(self, request),
            "replace_tools" => tools::replace(self, request),
            "remove_tools" => tools::remove(self, request),
            "all_tools" => tools::all(self, request),
            "load_rules" => rules::load(self, request),
            "all_rules" => nothing(request).map(|()| to_json(&self.rules())),
            "load_intents" => load_intents(self, request),
            "load_pins" => {
                let (core, pins) = self.load_pins(StandingPins::from_json(request)?);
                Ok(format!(r#"{{"core":{core},"pins":{pins}}}"#))
            }
            "select" => Ok(self.select_with(&SelectRequest::from_json(request)?, context)?.to_json()),
            "rank" => Ok(self.rank_with(&RankRequest::from_json(request)?, context)?.to_json()),
            "embed_tools" => {
                nothing(request)?;
                Ok(format!(r#"{{"embedded":{}}}"#, self.embed_tools(context)?))
            }
            "detect_intent" => one_text(request, "message").map(|message| self.list(&self.detect_intent(&message))),
            "tokenize" => one_text(request, "intent").map(|intent| self.list(&discover::tokenize(&intent))),
            "score_by_keywords" => tools::score(self, request, "keywords"),
            "score_by_intent" => tools::score(self, request, "intent"),
            "find_by_names" => tools::find(self, request),
            "estimate" => tools::estimate(self, request),
            "prune" => tools::prune(self, request),
            "overrides" => overrides(self, request, context),
            _ => Err(unknown_call(name, &BROKER_CALLS)),
        }
    }

    /// A list as JSON; Go writes an empty one as null.
    fn list<T: Serialize>(&self, items: &[T]) -> String {
        if items.is_empty() && self.options().answer == AnswerKeys::Go { "null".to_owned() } else { to_json(&items) }
    }
}

/// Runs a call that needs no broker: `read_rules`, `read_hints`, `default_rules`, `info`.
///
/// # Errors
/// Those of the call, and `invalid_request` for a name that is none.
pub fn call(name: &str, request: &str) -> Result<String> {
    let request = whole(request);
    match name {
        "read_rules" => rules::read(request),
        "read_hints" => read_hints(request),
        "default_rules" => rules::defaults(request),
        "info" => nothing(request).map(|()| info()),
        _ => Err(unknown_call(name, &["read_rules", "read_hints", "default_rules", "info"])),
    }
}

fn read_hints(request: &str) -> Result<String> {
    let text = one_text(request, "text")?;
    let hints = crate::go::hints(&text).map_err(|error| Error { code: Code::InvalidHints, ..error })?;
    Ok(to_json(&hints))
}

fn unknown_call(name: &str, known: &[&str]) -> Error {
    Error::new(Code::InvalidRequest, format!("unknown call `{name}`")).with_suggestion(name, known)
}

/// Version, limits and constants.
fn info() -> String {
    let map = |entries: &[(&str, usize)]| -> serde_json::Map<String, serde_json::Value> {
        entries.iter().map(|(name, value)| ((*name).to_owned(), (*value).into())).collect()
    };
    let weights = Weights::default();
    serde_json::json!({
        "version": crate::VERSION,
        "abi": crate::ABI,
        "profiles": Profile::NAMES.iter().map(|(name, _)| *name).collect::<Vec<_>>(),
        "limits": map(&limits::ALL),
        "languages": Language::ALL,
        "ranking": Weights::NAMES.iter().map(|name| ((*name).to_owned(), weights.get(name).into())).collect::<serde_json::Map<_, _>>(),
        "constants": {
            "min_keyword_score": discover::MIN_KEYWORD_SCORE,
            "default_token_budget_pct": crate::budget::DEFAULT_TOKEN_BUDGET_SHARE,
            "default_context_window_tokens": crate::budget::DEFAULT_CONTEXT_WINDOW_TOKENS,
        },
    })
    .to_string()
}

fn load_intents(broker: &Broker, request: &str) -> Result<String> {
    let document = parse_json(request)?;
    let mut reader = Reader::new(Code::InvalidRequest);
    let fields = reader.object(&document, "", &["intents", "mode"]);
    let mode = fields.choice(&mut reader, "mode", &[("extend", IntentMode::Extend), ("replace", IntentMode::Replace)]);
    let node = required(&mut reader, &fields, "intents");
    reader.finish(())?;
    let mut reader = Reader::new(Code::InvalidIntents);
    let mut entries = Vec::new();
    for (key, phrases) in node.map(|node| reader.map(node, "intents")).unwrap_or_default() {
        let path = format!("intents.{}", key.name);
        let mut texts = Vec::new();
        for (at, item) in reader.list(phrases, &path, limits::PHRASES).iter().enumerate() {
            let path = format!("{path}[{at}]");
            let Some(text) = reader.text(item, &path) else { continue };
            match crate::intent::phrase_fault(&text) {
                Some(fault) => reader.add(fault, item.mark, &path),
                None => texts.push(text),
            }
        }
        if key.name.is_empty() {
            reader.fault(key.mark, "intents", "an intent needs a name", None);
        }
        entries.push((key.name.clone(), texts));
    }
    let entries = reader.finish(entries)?;
    let (intents, phrases) = broker.load_intents(entries, mode.unwrap_or(IntentMode::Extend))?;
    Ok(format!(r#"{{"intents":{intents},"phrases":{phrases}}}"#))
}

fn overrides(broker: &Broker, request: &str, context: CallContext) -> Result<String> {
    let document = parse_json(request)?;
    let mut reader = Reader::new(Code::InvalidRequest);
    let fields = reader.object(&document, "", &["tools", "names", "hints"]);
    let most = broker.options().bound(limits::LIST_ITEMS);
    let ids = match (fields.get("tools"), fields.get("names")) {
        (Some(node), None) => tool_ids(&mut reader, node),
        (None, Some(node)) => {
            let names = reader.texts(node, "names", most);
            names.into_iter().map(|name| ToolId { server: String::new(), name }).collect()
        }
        _ => {
            reader.fault(fields.mark, "", "give either `tools` or `names`", None);
            Vec::new()
        }
    };
    let ids = reader.finish(ids)?;
    let block = match fields.get("hints") {
        Some(_) => broker.overrides_of(&ids, &hints_of(request, ids.len())?),
        None => broker.overrides(&ids, context)?,
    };
    Ok(to_json(&serde_json::json!({ "block": block })))
}

/// The hints that a request brings, one for each tool.
fn hints_of(request: &str, tools: usize) -> Result<Vec<Option<Hints>>> {
    let fault = |path: &str, message: String| Error::new(Code::InvalidRequest, message).with_path(path);
    let list = Entries::read(request)?.get("hints").map(items);
    let items = list.unwrap_or(Ok(Vec::new())).map_err(|_| fault("hints", "expected a list".to_owned()))?;
    if items.len() != tools {
        return Err(fault("hints", format!("{} hints for {tools} tools", items.len())));
    }
    let read = |(at, raw): (usize, &str)| match raw {
        "null" => Ok(None),
        raw => crate::go::hints(raw).map(Some).map_err(|error| fault(&format!("hints[{at}]"), error.message)),
    };
    items.into_iter().enumerate().map(read).collect()
}

fn tool_ids(reader: &mut Reader, node: &Node) -> Vec<ToolId> {
    let items = reader.list(node, "tools", limits::TOOLS);
    let mut ids = Vec::with_capacity(items.len());
    for (at, item) in items.iter().enumerate() {
        let fields = reader.object(item, &format!("tools[{at}]"), &["server", "name"]);
        let server = fields.text(reader, "server").unwrap_or_default();
        let name = required(reader, &fields, "name").and_then(|node| reader.text(node, &fields.at("name"))).unwrap_or_default();
        ids.push(ToolId { server, name });
    }
    ids
}

/// A key that must be there.
fn required<'a>(reader: &mut Reader, fields: &Fields<'a>, key: &str) -> Option<&'a Node> {
    let node = fields.get(key);
    if node.is_none() {
        reader.fault(fields.mark, &fields.at(key), format!("`{key}` is missing"), None);
    }
    node
}

/// A request with one key, a text.
fn one_text(request: &str, key: &str) -> Result<String> {
    let document = parse_json(request)?;
    let mut reader = Reader::new(Code::InvalidRequest);
    let fields = reader.object(&document, "", &[key]);
    let text = required(&mut reader, &fields, key).and_then(|node| reader.text(node, key)).unwrap_or_default();
    reader.finish(text)
}

/// A request no larger than the limit.
fn within(request: &str) -> Result<()> {
    if request.len() > limits::INPUT_BYTES {
        return Err(Error::new(Code::TooLarge, format!("{} bytes, the limit is {}", request.len(), limits::INPUT_BYTES)));
    }
    Ok(())
}

/// An empty text is a request without keys; a byte order mark is none of it.
fn whole(request: &str) -> &str {
    let request = request.strip_prefix('\u{FEFF}').unwrap_or(request);
    if request.trim().is_empty() { "{}" } else { request }
}

/// A request without keys.
fn nothing(request: &str) -> Result<()> {
    let document = parse_json(request)?;
    let mut reader = Reader::new(Code::InvalidRequest);
    reader.object(&document, "", &[]);
    reader.finish(())
}
