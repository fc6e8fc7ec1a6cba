//! A session between two runs of its program.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::list::{Shown, hex};
use super::options::count;
use super::window::Said;
use super::{SessionOptions, State};
use crate::document::{Fields, Node, Reader, parse_json};
use crate::error::{Code, Result};
use crate::limits;
use crate::select::language;
use crate::tool::ToolId;

/// The form of saved sessions. A later one gets another number; this one is read for ever.
const FORM: i64 = 1;

pub(super) fn to_json(state: &State) -> String {
    let shown = |shown: &Shown| {
        serde_json::json!({
            "server": shown.id.server,
            "name": shown.id.name,
            "summarized": shown.summarized,
            "sha256": hex(&shown.hash),
            "tokens": shown.tokens,
            "intents": &*shown.intents,
            "first": shown.first,
            "called": shown.called,
            "ranked": shown.ranked,
        })
    };
    let said = |said: &Said| {
        let mut entry = serde_json::json!({ "message": said.message, "hints": said.hints });
        if let Some(language) = said.language {
            entry["language"] = language.code().into();
        }
        entry
    };
    serde_json::json!({
        "form": FORM,
        "options": state.options.to_value(),
        "turn": state.turn,
        "messages": state.window.iter().map(said).collect::<Vec<_>>(),
        "intents": &*state.intents,
        "list": state.list.iter().map(shown).collect::<Vec<_>>(),
        "allowed": state.allowed,
        "past": state.past,
    })
    .to_string()
}

/// Reads the request that makes a session.
pub(super) fn from_json(text: &str) -> Result<State> {
    let mut state = State {
        options: SessionOptions::default(),
        turn: 0,
        window: Vec::new(),
        intents: Arc::default(),
        list: Vec::new(),
        allowed: Vec::new(),
        past: BTreeSet::new(),
    };
    if text.trim().is_empty() {
        return Ok(state);
    }
    let document = parse_json(text)?;
    let mut reader = Reader::new(Code::InvalidRequest);
    let keys: Vec<&str> = SessionOptions::KEYS.into_iter().chain(["state"]).collect();
    let fields = reader.object(&document, "", &keys);
    if let Some(node) = fields.get("state") {
        restore(&mut reader, node, &mut state);
    }
    state.options.read(&mut reader, &fields);
    let over = state.window.len().saturating_sub(state.options.window);
    state.window.drain(..over);
    reader.finish(state)
}

fn restore(reader: &mut Reader, node: &Node, state: &mut State) {
    let keys = ["form", "options", "turn", "messages", "intents", "list", "allowed", "past"];
    let fields = reader.object(node, "state", &keys);
    let form = fields.get("form").and_then(|node| reader.integer(node, &fields.at("form")));
    if form != Some(FORM) {
        let hint = format!("this version reads form {FORM}");
        reader.fault(fields.get("form").unwrap_or(node).mark, &fields.at("form"), "not a saved session of a known form", Some(hint));
        return;
    }
    if let Some(node) = fields.get("options") {
        let options = reader.object(node, &fields.at("options"), &SessionOptions::KEYS);
        state.options.read(reader, &options);
    }
    state.turn = count(reader, &fields, "turn", 0, i64::MAX).unwrap_or_default();
    state.window = each(reader, &fields, "messages", limits::WINDOW_MESSAGES, |reader, fields, _| Said {
        message: fields.text(reader, "message").unwrap_or_default(),
        hints: fields.texts(reader, "hints", limits::LIST_ITEMS),
        language: language(reader, fields),
        vector: None,
    });
    state.intents = fields.texts(reader, "intents", limits::LIST_ITEMS).into();
    let last = i64::try_from(state.turn).unwrap_or(i64::MAX);
    state.list = each(reader, &fields, "list", limits::TOOLS, |reader, fields, node| {
        let turn = |reader: &mut Reader, key: &str| count(reader, fields, key, 0, last).unwrap_or_default();
        Shown {
            id: id(reader, fields),
            summarized: fields.is_true(reader, "summarized"),
            hash: hash(reader, fields, node),
            tokens: count(reader, fields, "tokens", 0, i64::MAX).unwrap_or_default(),
            intents: fields.texts(reader, "intents", limits::LIST_ITEMS).into(),
            first: turn(reader, "first"),
            called: turn(reader, "called"),
            ranked: turn(reader, "ranked"),
            tool: None,
        }
    });
    state.allowed = each(reader, &fields, "allowed", limits::TOOLS, |reader, fields, _| id(reader, fields));
    state.past = each(reader, &fields, "past", limits::TOOLS, |reader, fields, _| id(reader, fields)).into_iter().collect();
}

/// Reads a list of objects.
fn each<T>(reader: &mut Reader, fields: &Fields, key: &str, most: usize, read: impl Fn(&mut Reader, &Fields, &Node) -> T) -> Vec<T> {
    let known: &[&str] = match key {
        "messages" => &["message", "hints", "language"],
        "list" => &["server", "name", "summarized", "sha256", "tokens", "intents", "first", "called", "ranked"],
        _ => &["server", "name"],
    };
    let Some(node) = fields.get(key) else { return Vec::new() };
    let path = fields.at(key);
    let items = reader.list(node, &path, most);
    let item = |(at, item): (usize, &Node)| {
        let fields = reader.object(item, &format!("{path}[{at}]"), known);
        read(reader, &fields, item)
    };
    items.iter().enumerate().map(item).collect()
}

fn id(reader: &mut Reader, fields: &Fields) -> ToolId {
    ToolId { server: fields.text(reader, "server").unwrap_or_default(), name: fields.text(reader, "name").unwrap_or_default() }
}

/// 64 hexadecimal digits.
fn hash(reader: &mut Reader, fields: &Fields, node: &Node) -> [u8; 32] {
    let text = fields.text(reader, "sha256").unwrap_or_default();
    let mut hash = [0; 32];
    let digits = text.as_bytes();
    let is_whole = digits.len() == 64
        && hash.iter_mut().enumerate().all(|(at, byte)| {
            let pair = std::str::from_utf8(&digits[2 * at..2 * at + 2]).ok();
            let value = pair.and_then(|pair| u8::from_str_radix(pair, 16).ok());
            value.map(|value| *byte = value).is_some()
        });
    if !is_whole {
        reader.fault(
            node.mark,
            &fields.at("sha256"),
            "not 64 hexadecimal digits",
            Some("hand over what `save` answered as it is".to_owned()),
        );
    }
    hash
}
