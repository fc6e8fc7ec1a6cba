//! Calls that take or give tools. Their requests are read as text, so that tools reach the registry as they came.

use std::sync::Arc;

use crate::broker::Broker;
use crate::budget;
use crate::discover;
use crate::document::{Reader, suggest};
use crate::error::{Code, Error, Result};
use crate::json::Entries;
use crate::limits;
use crate::options::AnswerKeys;
use crate::tool::{Tool, read_tools};

/// A request whose keys are known and whose values are unread.
struct Request<'a> {
    entries: Entries<'a>,
}

impl<'a> Request<'a> {
    fn read(text: &'a str, known: &[&str]) -> Result<Self> {
        if !text.trim_start().starts_with('{') {
            serde_json::from_str::<serde::de::IgnoredAny>(text).map_err(|error| crate::json::syntax_error(&error))?;
            return Err(Error::new(Code::InvalidRequest, "a request is an object"));
        }
        let entries = Entries::read(text)?;
        let faults =
            entries.0.iter().filter(|(key, _)| !known.contains(&key.as_str())).map(|(key, _)| {
                Error::new(Code::InvalidRequest, format!("unknown key `{key}`")).with_path(key).with_hint(suggest(key, known))
            });
        let mut faults: Vec<Error> = faults.collect();
        if let Some(key) = entries.double() {
            faults.push(Error::new(Code::InvalidRequest, format!("key `{key}` is given twice")).with_path(key));
        }
        Error::from_faults(faults).map_or(Ok(Request { entries }), Err)
    }

    fn value<T: serde::de::DeserializeOwned>(&self, key: &str, wanted: &str) -> Result<Option<T>> {
        let read = |raw: &str| {
            // Nesting is bounded by serde_json's own limit, as these values are not kept as text.
            serde_json::from_str(raw)
                .map_err(|_| Error::new(Code::InvalidRequest, format!("expected {wanted}, found {}", kind(raw))).with_path(key))
        };
        self.entries.get(key).map(read).transpose()
    }

    fn required<T>(&self, key: &str, value: Option<T>) -> Result<T> {
        value.ok_or_else(|| Error::new(Code::InvalidRequest, format!("`{key}` is missing")).with_path(key))
    }

    fn text(&self, key: &str) -> Result<Option<String>> {
        self.value(key, "text")
    }

    fn texts(&self, key: &str) -> Result<Vec<String>> {
        let texts: Vec<String> = self.value(key, "a list of texts")?.unwrap_or_default();
        if texts.len() > limits::LIST_ITEMS {
            let message = format!("{} entries, the limit is {}", texts.len(), limits::LIST_ITEMS);
            return Err(Error::new(Code::TooLarge, message).with_path(key));
        }
        Ok(texts)
    }

    /// The tools of the request, or else the registered ones.
    fn tools(&self, broker: &Broker) -> Result<Vec<Arc<Tool>>> {
        let Some(text) = self.entries.get("tools") else { return Ok(broker.tools()) };
        let incoming = read_tools(text, "", broker.options())?;
        match incoming.refused.into_iter().next() {
            None => Ok(incoming.tools.into_iter().map(Arc::new).collect()),
            Some(refusal) => {
                let inside = refusal.error.at.path.as_deref().map(|path| format!(".{path}")).unwrap_or_default();
                let path = format!("tools[{}]{inside}", refusal.index);
                Err(refusal.error.with_path(path))
            }
        }
    }
}

/// What a raw value is, for an error.
fn kind(raw: &str) -> String {
    match raw.as_bytes().first() {
        Some(b'"') => "a text".to_owned(),
        Some(b'[') => "a list".to_owned(),
        Some(b'{') => "an object".to_owned(),
        Some(b't' | b'f') => raw.to_owned(),
        _ => format!("the number {}", raw.chars().take(40).collect::<String>()),
    }
}

pub(super) fn add(broker: &Broker, text: &str) -> Result<String> {
    let request = Request::read(text, &["server", "tools"])?;
    let server = request.text("server")?.unwrap_or_default();
    let tools = request.required("tools", request.entries.get("tools"))?;
    Ok(broker.add_tools(&server, tools)?.to_json())
}

pub(super) fn replace(broker: &Broker, text: &str) -> Result<String> {
    let request = Request::read(text, &["server", "tools"])?;
    let server = request.required("server", request.text("server")?)?;
    let tools = request.required("tools", request.entries.get("tools"))?;
    Ok(broker.replace_tools(&server, tools)?.to_json())
}

pub(super) fn remove(broker: &Broker, text: &str) -> Result<String> {
    let document = crate::document::parse_json(text)?;
    let mut reader = Reader::new(Code::InvalidRequest);
    let fields = reader.object(&document, "", &["server", "tools"]);
    let report = match (fields.get("server"), fields.get("tools")) {
        (Some(node), None) => {
            let server = reader.text(node, "server").unwrap_or_default();
            reader.finish(())?;
            broker.remove_server(&server)
        }
        (None, Some(node)) => {
            let ids = super::tool_ids(&mut reader, node);
            reader.finish(())?;
            broker.remove_tools(&ids)
        }
        _ => {
            reader.fault(fields.mark, "", "give either `server` or `tools`", None);
            return reader.finish(String::new());
        }
    };
    Ok(report.to_json())
}

pub(super) fn all(broker: &Broker, text: &str) -> Result<String> {
    let request = Request::read(text, &["server", "detail"])?;
    let server = request.text("server")?;
    let whole = match request.text("detail")?.as_deref() {
        None | Some("summary") => false,
        Some("full") => true,
        Some(other) => {
            let hint = suggest(other, &["summary", "full"]);
            return Err(Error::new(Code::InvalidRequest, format!("unknown detail `{other}`")).with_path("detail").with_hint(hint));
        }
    };
    let tools = broker.tools();
    let wanted = tools.iter().filter(|tool| server.as_ref().is_none_or(|server| tool.id().server == *server));
    Ok(list(wanted.map(|tool| if whole { tool.json() } else { tool.listing_json() })))
}

pub(super) fn score(broker: &Broker, text: &str, by: &str) -> Result<String> {
    let request = Request::read(text, &[by, "max_results", "tools"])?;
    let most = request.value::<i64>("max_results", "a whole number")?.unwrap_or(0);
    let (keywords, intent) = match by {
        "keywords" => (request.texts("keywords")?, String::new()),
        _ => (Vec::new(), request.text("intent")?.unwrap_or_default()),
    };
    let tools = request.tools(broker)?;
    let texts = tools.iter().map(|tool| (tool.id().name.as_str(), tool.description()));
    let places = match by {
        "keywords" => discover::score_by_keywords(texts, &keywords, most),
        _ => discover::score_by_intent(texts, &intent, most),
    };
    Ok(tool_list(broker, places.into_iter().map(|at| &*tools[at])))
}

pub(super) fn find(broker: &Broker, text: &str) -> Result<String> {
    let request = Request::read(text, &["names", "tools"])?;
    let names = request.texts("names")?;
    if request.entries.get("tools").is_none() {
        let found = broker.find_by_names(&names);
        return Ok(tool_list(broker, found.iter().map(|tool| &**tool)));
    }
    let other = Broker::new(*broker.options());
    for tool in request.tools(broker)? {
        other.add_tools(&tool.id().server, tool.received())?;
    }
    let found = other.find_by_names(&names);
    Ok(tool_list(broker, found.iter().map(|tool| &**tool)))
}

pub(super) fn estimate(broker: &Broker, text: &str) -> Result<String> {
    let request = Request::read(text, &["tools"])?;
    let tools = request.tools(broker)?;
    Ok(tools.iter().map(|tool| budget::estimate(tool.json())).sum::<u64>().to_string())
}

pub(super) fn prune(broker: &Broker, text: &str) -> Result<String> {
    let request = Request::read(text, &["budget", "tools"])?;
    let budget = request.required("budget", request.value::<i64>("budget", "a whole number")?)?;
    let tools = request.tools(broker)?;
    let costs: Vec<u64> = tools.iter().map(|tool| budget::estimate(tool.json())).collect();
    Ok(list(tools[..budget::prune(&costs, budget)].iter().map(|tool| tool.json())))
}

/// Tools as a JSON list; Go writes an empty one as null.
fn tool_list<'a>(broker: &Broker, tools: impl Iterator<Item = &'a Tool>) -> String {
    let list = list(tools.map(Tool::json));
    if list == "[]" && broker.options().answer == AnswerKeys::Go { "null".to_owned() } else { list }
}

fn list<'a>(texts: impl Iterator<Item = &'a str>) -> String {
    format!("[{}]", texts.collect::<Vec<_>>().join(","))
}
