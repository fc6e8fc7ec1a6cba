//! Tools from the forms in which clients hold them. One bad tool is refused; the others are taken.

use std::collections::HashSet;
use std::sync::{Arc, OnceLock};

use super::{Annotations, Refusal, Tool, ToolId, fault, form};
use crate::document::check_depth;
use crate::error::{Code, Error, Result};
use crate::go;
use crate::json::{Entries, has_lone_surrogate, items, push_entry};
use crate::limits;
use crate::options::{BadTools, Options, Order, ToolJson};

/// What a text of tools held.
#[derive(Debug, Default)]
pub(crate) struct Incoming {
    /// Each with its place in the list, from 0.
    pub tools: Vec<(usize, Tool)>,
    pub refused: Vec<Refusal>,
    pub warnings: Vec<Warning>,
}

impl Incoming {
    /// The tools are about to be registered.
    pub fn prepare(&self, options: &Options) {
        self.tools.iter().for_each(|(_, tool)| tool.prepare(options.order == Order::Rank));
    }
}

/// Something that the host should know of a tool that was taken, or of the whole list: then the name is empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Warning {
    pub id: ToolId,
    pub code: &'static str,
    pub message: String,
}

/// Reads tools from a tool, a list of tools, a `tools/list` result, or a JSON-RPC response around one.
///
/// `server` is the server of those that name none.
///
/// # Errors
/// The text as a whole: too large, not JSON, or none of these forms.
pub(crate) fn read_tools(text: &str, server: &str, options: &Options) -> Result<Incoming> {
    if text.len() > limits::INPUT_BYTES {
        return Err(Error::new(Code::TooLarge, format!("{} bytes, the limit is {}", text.len(), limits::INPUT_BYTES)).with_path("tools"));
    }
    check_name(server, "server", options)?;
    let mut incoming = Incoming::default();
    let (texts, has_more) = tool_texts(text)?;
    if has_more {
        let id = ToolId { server: server.to_owned(), name: String::new() };
        let message = "the result has a `nextCursor`: the server has more tools, which must be listed and handed over with these";
        incoming.warnings.push(Warning { id, code: "more_pages", message: message.to_owned() });
    }
    for (index, raw) in texts.into_iter().enumerate() {
        match read_tool(raw, server, options, &mut incoming.warnings) {
            Ok(tool) => incoming.tools.push((index, tool)),
            Err(error) => {
                let own = |key: &str| text_of(raw, key).filter(|text| !text.is_empty());
                incoming.refused.push(Refusal {
                    index,
                    server: own("server").unwrap_or_else(|| server.to_owned()),
                    name: own("name"),
                    error,
                });
            }
        }
    }
    Ok(incoming)
}

/// The tools, unread, and whether the server said that there are more.
fn tool_texts(text: &str) -> Result<(Vec<&str>, bool)> {
    let text = text.trim_start();
    match text.as_bytes().first() {
        Some(b'[') => Ok((items(text)?, false)),
        Some(b'{') => {
            let entries = Entries::read(text)?;
            let has = |key: &str| entries.0.iter().any(|(name, _)| name == key);
            if entries.get("error").is_some() && !has("name") {
                Err(not_tools("an error response, not tools"))
            } else if entries.get("tools").is_some() {
                list_of(&entries)
            } else if has("name") || has("function") {
                Ok((vec![text], false))
            } else if let Some(result) = entries.get("result") {
                list_of(&Entries::read(result).map_err(|_| not_tools("`result` is no object"))?)
            } else {
                Err(not_tools("neither a tool nor a list of tools"))
            }
        }
        _ => {
            serde_json::from_str::<serde::de::IgnoredAny>(text).map_err(|error| crate::json::syntax_error(text, &error))?;
            Err(not_tools("expected a tool, a list of tools or a tools/list result"))
        }
    }
}

fn list_of<'a>(entries: &Entries<'a>) -> Result<(Vec<&'a str>, bool)> {
    let list = entries.get("tools").ok_or_else(|| not_tools("no `tools` in it"))?;
    let tools = items(list).map_err(|_| not_tools("`tools` is no list"))?;
    Ok((tools, entries.get("nextCursor").is_some_and(|cursor| cursor != "\"\"")))
}

fn not_tools(message: &str) -> Error {
    Error::new(Code::InvalidTool, message).with_path("tools")
}

/// A text of a tool that was refused, where it can be read.
fn text_of(raw: &str, key: &str) -> Option<String> {
    let entries = Entries::read(raw).ok()?;
    let value = entries.get(key).or_else(|| Entries::read(entries.get("function")?).ok()?.get(key))?;
    serde_json::from_str(value).ok()
}

fn read_tool(raw: &str, server: &str, options: &Options, warnings: &mut Vec<Warning>) -> Result<Tool> {
    if raw.len() > options.bound(limits::TOOL_BYTES) {
        return Err(Error::new(Code::TooLarge, format!("{} bytes, the limit is {}", raw.len(), limits::TOOL_BYTES)));
    }
    // A place inside one tool would be taken for a place in the whole text.
    check_depth(raw).map_err(Error::without_position)?;
    match options.bad_tools {
        BadTools::Accept => accept(raw, server, options),
        BadTools::Refuse => strict(raw, server, options, warnings),
    }
}

fn strict(raw: &str, server: &str, options: &Options, warnings: &mut Vec<Warning>) -> Result<Tool> {
    let entries = Entries::read(raw).map_err(|_| fault("", "a tool is an object"))?;
    if has_lone_surrogate(raw) {
        return Err(fault("", "a text holds half a surrogate pair"));
    }
    let kept: Arc<str> = raw.into();
    match nested(&entries)? {
        None => finish(kept.clone(), kept, &entries, server, options, warnings),
        Some(mcp) => finish(kept, mcp.as_str().into(), &Entries::read(&mcp)?, server, options, warnings),
    }
}

/// `raw` is the text as it came, `text` the same tool as MCP writes it.
fn finish(raw: Arc<str>, text: Arc<str>, entries: &Entries, server: &str, options: &Options, warnings: &mut Vec<Warning>) -> Result<Tool> {
    if let Some(key) = entries.double() {
        return Err(fault(key, format!("key `{key}` is given twice")));
    }
    let name = read_text(entries, "name")?.ok_or_else(|| fault("name", "a tool needs a name"))?;
    if name.is_empty() {
        return Err(fault("name", "the name is empty"));
    }
    check_name(&name, "name", options)?;
    let own_server = read_text(entries, "server")?;
    if let Some(own) = &own_server {
        check_name(own, "server", options)?;
    }
    let id = ToolId { server: own_server.filter(|own| !own.is_empty()).unwrap_or_else(|| server.to_owned()), name };
    let title = read_text(entries, "title")?.unwrap_or_default();
    let description = read_text(entries, "description")?.unwrap_or_default();
    read_text(entries, "cost_tier")?;
    let tags: Vec<String> = match entries.get("tags") {
        Some(value) => serde_json::from_str(value).map_err(|_| fault("tags", "tags are a list of texts"))?,
        None => Vec::new(),
    };
    for key in ["inputSchema", "outputSchema"] {
        if entries.get(key).is_some_and(|schema| !schema.starts_with('{')) {
            return Err(fault(key, format!("{key} is an object")));
        }
    }
    let annotations = read_annotations(entries, &id, warnings)?;
    let json = match options.tool_json {
        ToolJson::Kept => form::with_server(&text, entries, &id.server),
        ToolJson::Go => go::tool_json(&go_tool(&text, &id.server)?).into(),
    };
    Ok(Tool {
        id,
        title,
        description,
        tags,
        annotations,
        raw,
        json,
        prepared: OnceLock::new(),
        terms: OnceLock::new(),
        vector: OnceLock::new(),
    })
}

/// The nested chat form written as an MCP tool; `None` for a tool that is not in that form.
fn nested(entries: &Entries) -> Result<Option<String>> {
    let Some(function) = entries.get("function").filter(|_| entries.get("name").is_none()) else {
        return Ok(None);
    };
    let function = Entries::read(function).map_err(|_| fault("function", "function is an object"))?;
    if let Some(key) = function.double().or_else(|| entries.double()) {
        return Err(fault(key, format!("key `{key}` is given twice")));
    }
    const KNOWN: [(&str, &str); 3] = [("name", "name"), ("description", "description"), ("parameters", "inputSchema")];
    let mut out = String::from("{");
    for (key, written) in KNOWN {
        if let Some(value) = function.get(key) {
            push_entry(&mut out, written, value);
        }
    }
    // Null is absent, and what stands inside counts before what stands around it.
    let is_there = |(_, value): &&(String, &str)| *value != "null";
    let inside: HashSet<&str> = function.0.iter().filter(is_there).map(|(key, _)| key.as_str()).collect();
    let others = function.0.iter().filter(|(key, _)| KNOWN.iter().all(|(known, _)| known != key));
    let around = entries.0.iter().filter(|(key, _)| key != "type" && key != "function" && !inside.contains(key.as_str()));
    for (key, value) in others.chain(around).filter(is_there) {
        push_entry(&mut out, key, value);
    }
    out.push('}');
    Ok(Some(out))
}

fn read_text(entries: &Entries, key: &str) -> Result<Option<String>> {
    entries.get(key).map(|value| serde_json::from_str(value).map_err(|_| fault(key, format!("{key} is a text")))).transpose()
}

fn check_name(name: &str, path: &str, options: &Options) -> Result<()> {
    if name.len() <= options.bound(limits::NAME_BYTES) {
        return Ok(());
    }
    Err(Error::new(Code::TooLarge, format!("a name of {} bytes, the limit is {}", name.len(), limits::NAME_BYTES)).with_path(path))
}

fn read_annotations(entries: &Entries, id: &ToolId, warnings: &mut Vec<Warning>) -> Result<Annotations> {
    let Some(value) = entries.get("annotations") else { return Ok(Annotations::default()) };
    let given = Entries::read(value).map_err(|_| fault("annotations", "annotations are an object"))?;
    if let Some(key) = given.double() {
        return Err(fault(&format!("annotations.{key}"), format!("key `{key}` is given twice")));
    }
    let mut hint = |name: &str| match given.get(name) {
        None => None,
        Some("true") => Some(true),
        Some("false") => Some(false),
        Some(_) => {
            let message = format!("annotations.{name} is neither true nor false and counts as absent");
            warnings.push(Warning { id: id.clone(), code: "invalid_annotation", message });
            None
        }
    };
    let [read_only, destructive, idempotent, open_world] = Annotations::NAMES.map(&mut hint);
    Ok(Annotations { read_only, destructive, idempotent, open_world })
}

/// Profile `go-0.2`: whatever Go can decode is a tool.
fn accept(raw: &str, server: &str, options: &Options) -> Result<Tool> {
    let tool = go_tool(raw, server)?;
    let (json, annotations): (Arc<str>, _) = match options.tool_json {
        // Go's six keys hold no annotations.
        ToolJson::Go => (go::tool_json(&tool).into(), Annotations::default()),
        ToolJson::Kept => {
            let entries = Entries::read(raw)?;
            let nameless = ToolId { server: String::new(), name: String::new() };
            let annotations = read_annotations(&entries, &nameless, &mut Vec::new()).unwrap_or_default();
            (form::with_server(&Arc::from(raw), &entries, server), annotations)
        }
    };
    let id = ToolId { server: tool.server, name: tool.name };
    Ok(Tool {
        id,
        title: String::new(),
        description: tool.description,
        tags: tool.tags,
        annotations,
        raw: Arc::from(raw),
        json,
        prepared: OnceLock::new(),
        terms: OnceLock::new(),
        vector: OnceLock::new(),
    })
}

fn go_tool(raw: &str, server: &str) -> Result<go::GoTool> {
    let mut tool = go::tool(raw).map_err(|error| fault("", error.message))?;
    if tool.server.is_empty() {
        tool.server = server.to_owned();
    }
    Ok(tool)
}
