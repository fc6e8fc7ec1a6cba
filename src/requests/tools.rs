//! Calls that take or give tools. Their requests are read as text, so that tools reach the registry as they came.

use std::collections::HashMap;
use std::sync::Arc;

use crate::broker::Broker;
use crate::budget;
use crate::discover;
use crate::document::Reader;
use crate::error::{Code, Error, Result};
use crate::json::Entries;
use crate::limits;
use crate::options::AnswerKeys;
use crate::tool::{Incoming, Tool, read_tools};

/// A request whose keys are known and whose values are unread.
struct Request<'a> {
    entries: Entries<'a>,
}

impl<'a> Request<'a> {
    fn read(text: &'a str, known: &[&str]) -> Result<Self> {
        if !text.trim_start().starts_with('{') {
            serde_json::from_str::<serde::de::IgnoredAny>(text).map_err(|error| crate::json::syntax_error(text, &error))?;
            return Err(Error::new(Code::InvalidRequest, "a request is an object"));
        }
        let entries = Entries::read(text)?;
        let faults =
            entries.0.iter().filter(|(key, _)| !known.contains(&key.as_str())).map(|(key, _)| {
                Error::new(Code::InvalidRequest, format!("unknown key `{key}`")).with_path(key).with_suggestion(key, known)
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
            serde_json::from_str(raw).map_err(|_| {
                let found = if crate::json::has_lone_surrogate(raw) { "half a surrogate pair".to_owned() } else { kind(raw) };
                Error::new(Code::InvalidRequest, format!("expected {wanted}, found {found}")).with_path(key)
            })
        };
        self.entries.get(key).map(read).transpose()
    }

    fn required<T>(&self, key: &str, value: Option<T>) -> Result<T> {
        value.ok_or_else(|| Error::new(Code::InvalidRequest, format!("`{key}` is missing")).with_path(key))
    }

    fn indices(&self) -> Result<bool> {
        Ok(self.value("indices", "true or false")?.unwrap_or(false))
    }

    fn text(&self, key: &str) -> Result<Option<String>> {
        self.value(key, "text")
    }

    fn texts(&self, key: &str, broker: &Broker) -> Result<Vec<String>> {
        let texts: Vec<String> = self.value(key, "a list of texts")?.unwrap_or_default();
        if texts.len() > broker.options().bound(limits::LIST_ITEMS) {
            let message = format!("{} entries, the limit is {}", texts.len(), limits::LIST_ITEMS);
            return Err(Error::new(Code::TooLarge, message).with_path(key));
        }
        Ok(texts)
    }

    /// The tools of the request, or else the registered ones.
    fn tools(&self, broker: &Broker) -> Result<Vec<Arc<Tool>>> {
        match self.own_tools(broker)? {
            Some(own) => Ok(own.tools.into_iter().map(|(_, tool)| Arc::new(tool)).collect()),
            None => Ok(broker.tools()),
        }
    }

    /// The tools of the request, all of which must be good.
    fn own_tools(&self, broker: &Broker) -> Result<Option<Incoming>> {
        let Some(text) = self.entries.get("tools") else { return Ok(None) };
        let incoming = read_tools(text, "", broker.options())?;
        let Some(refusal) = incoming.refused.first() else { return Ok(Some(incoming)) };
        let inside = refusal.error.at.path.as_deref().map(|path| format!(".{path}")).unwrap_or_default();
        Err(refusal.error.clone().with_path(format!("tools[{}]{inside}", refusal.index)))
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
            let error = Error::new(Code::InvalidRequest, format!("unknown detail `{other}`")).with_path("detail");
            return Err(error.with_suggestion(other, &["summary", "full"]));
        }
    };
    let tools = broker.tools();
    let wanted = tools.iter().filter(|tool| server.as_ref().is_none_or(|server| tool.id().server == *server));
    Ok(list(wanted.map(|tool| if whole { tool.json() } else { tool.listing_json() })))
}

pub(super) fn score(broker: &Broker, text: &str, by: &str) -> Result<String> {
    let request = Request::read(text, &[by, "max_results", "tools", "indices"])?;
    let most = request.value::<i64>("max_results", "a whole number")?.unwrap_or(0);
    let (keywords, intent) = match by {
        "keywords" => (request.texts("keywords", broker)?, String::new()),
        _ => (Vec::new(), request.text("intent")?.unwrap_or_default()),
    };
    let tools = request.tools(broker)?;
    let texts = tools.iter().map(|tool| (tool.id().name.as_str(), tool.description()));
    let places = match by {
        "keywords" => discover::score_by_keywords(texts, &keywords, most),
        _ => discover::score_by_intent(texts, &intent, most),
    };
    if request.indices()? {
        return Ok(broker.list(&places));
    }
    Ok(tool_list(broker, places.into_iter().map(|at| &*tools[at])))
}

pub(super) fn find(broker: &Broker, text: &str) -> Result<String> {
    let request = Request::read(text, &["names", "tools", "indices"])?;
    let names = request.texts("names", broker)?;
    let snapshot = broker.snapshot();
    let (own, as_indices) = (request.own_tools(broker)?, request.indices()?);
    let given = own
        .as_ref()
        .filter(|_| as_indices)
        .map(|own| own.tools.iter().map(|(index, tool)| (tool.id().clone(), *index)).collect::<HashMap<_, _>>());
    let own = own.map(|own| snapshot.with_replaced_all(own, broker.options()));
    let snapshot = own.as_ref().unwrap_or(&snapshot);
    let places = snapshot.found(&names, broker.options().identity);
    if as_indices {
        // Of tools given twice the later is meant, and that is the one the map kept.
        let place = |at: u32| given.as_ref().map_or(at as usize, |given| given[snapshot.tools[at as usize].id()]);
        return Ok(broker.list(&places.into_iter().map(place).collect::<Vec<_>>()));
    }
    let found: Vec<&Tool> = places.into_iter().map(|at| &*snapshot.tools[at as usize]).collect();
    let bytes: usize = found.iter().map(|tool| tool.json().len()).sum();
    if bytes > limits::INPUT_BYTES {
        let message = format!("an answer of {bytes} bytes, the limit is {}", limits::INPUT_BYTES);
        return Err(Error::new(Code::TooLarge, message).with_path("names"));
    }
    Ok(tool_list(broker, found.into_iter()))
}

pub(super) fn estimate(broker: &Broker, text: &str) -> Result<String> {
    let request = Request::read(text, &["tools"])?;
    let tools = request.tools(broker)?;
    Ok(tools.iter().map(|tool| budget::estimate(tool.json())).sum::<u64>().to_string())
}

pub(super) fn prune(broker: &Broker, text: &str) -> Result<String> {
    let request = Request::read(text, &["budget", "tools", "indices"])?;
    let budget = request.required("budget", request.value::<i64>("budget", "a whole number")?)?;
    let tools = request.tools(broker)?;
    let costs: Vec<u64> = tools.iter().map(|tool| budget::estimate(tool.json())).collect();
    let kept = budget::prune(&costs, budget);
    if request.indices()? {
        return Ok(super::to_json(&(0..kept).collect::<Vec<_>>()));
    }
    Ok(list(tools[..kept].iter().map(|tool| tool.json())))
}

/// Tools as a JSON list; Go writes an empty one as null.
fn tool_list<'a>(broker: &Broker, tools: impl Iterator<Item = &'a Tool>) -> String {
    let list = list(tools.map(Tool::json));
    if list == "[]" && broker.options().answer == AnswerKeys::Go { "null".to_owned() } else { list }
}

fn list<'a>(texts: impl Iterator<Item = &'a str>) -> String {
    format!("[{}]", texts.collect::<Vec<_>>().join(","))
}
