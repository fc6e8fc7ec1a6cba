//! What a selection is asked for.

use crate::document::{Fields, Node, Reader, parse_json};
use crate::error::{Code, Result};
use crate::limits;
use crate::options::Order;
use crate::pins::Pins;
use crate::words::Language;

/// A select request. Every part is optional; `docs/contract.md` says what each means.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SelectRequest {
    /// What the user wrote.
    pub message: String,
    /// The intent; `None`: what the message brings.
    pub intent: Option<String>,
    /// Words, tool names and tags to raise.
    pub hints: Vec<String>,
    /// Tools ahead of rank and safe from cuts.
    pub pins: Pins,
    /// From 0 to 1: tools with less are cut.
    pub min_score: Option<f64>,
    /// `None`: the broker's order.
    pub order: Option<Order>,
    /// The message's language; `None`: guessed.
    pub language: Option<Language>,
    /// How much may be shown.
    pub budget: Budget,
    /// Whether to say what happened to every tool.
    pub explain: bool,
    /// Whether the answer lists places in the order of registration and not the tools.
    pub indices: bool,
}

/// How much may be shown; `None` is no limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Budget {
    /// Estimated tokens of all tools together.
    pub tokens: Option<u64>,
    /// Number of tools.
    pub max_tools: Option<u64>,
}

impl SelectRequest {
    /// A request for what a user wrote.
    pub fn for_message(message: impl Into<String>) -> Self {
        SelectRequest { message: message.into(), ..Self::default() }
    }

    /// A request for an intent.
    pub fn for_intent(intent: impl Into<String>) -> Self {
        SelectRequest { intent: Some(intent.into()), ..Self::default() }
    }

    /// Reads a request from a JSON object; an empty text asks for everything.
    ///
    /// # Errors
    /// `invalid_json`, or `invalid_request` with every fault and its place.
    pub fn from_json(text: &str) -> Result<Self> {
        if text.trim().is_empty() {
            return Ok(Self::default());
        }
        let document = parse_json(text)?;
        let mut reader = Reader::new(Code::InvalidRequest);
        let keys = [
            "message",
            "intent",
            "hints",
            "pins",
            "pins_matching",
            "min_score",
            "order",
            "language",
            "budget",
            "format",
            "explain",
            "indices",
        ];
        let fields = reader.object(&document, "", &keys);
        let request = SelectRequest {
            message: fields.text(&mut reader, "message").unwrap_or_default(),
            intent: fields.text(&mut reader, "intent"),
            hints: fields.texts(&mut reader, "hints", limits::LIST_ITEMS),
            pins: Pins::read(&mut reader, &fields, "pins", "pins_matching"),
            min_score: min_score(&mut reader, &fields),
            order: fields.choice(&mut reader, "order", Order::NAMES),
            language: language(&mut reader, &fields),
            budget: fields.get("budget").map(|node| budget(&mut reader, node, "budget")).unwrap_or_default(),
            explain: fields.is_true(&mut reader, "explain"),
            indices: fields.is_true(&mut reader, "indices"),
        };
        fields.choice(&mut reader, "format", &[("mcp", ())]);
        let has_words = std::iter::once(&request.message).chain(&request.hints).any(|text| !text.trim().is_empty());
        if let Some(node) = fields.get("min_score").filter(|_| !has_words) {
            let hint = "give a message or hints: without them no tool has a score".to_owned();
            reader.fault(node.mark, "min_score", "`min_score` needs a message", Some(hint));
        }
        reader.finish(request)
    }
}

/// The least score, from 0 to 1.
pub(crate) fn min_score(reader: &mut Reader, fields: &Fields) -> Option<f64> {
    let node = fields.get("min_score")?;
    let score = reader.number(node, "min_score")?;
    if !(0.0..=1.0).contains(&score) {
        reader.fault(node.mark, "min_score", "out of range", Some("a score is from 0 to 1".to_owned()));
    }
    Some(score)
}

/// The language of a message, by its code.
pub(crate) fn language(reader: &mut Reader, fields: &Fields) -> Option<Language> {
    fields.choice(reader, "language", &Language::ALL.map(|code| (code, Language::of(code)))).flatten()
}

/// How much may be shown.
pub(crate) fn budget(reader: &mut Reader, node: &Node, path: &str) -> Budget {
    let fields = reader.object(node, path, &["tokens", "share", "window", "max_tools"]);
    let mut count = |key: &str| {
        let node = fields.get(key)?;
        let value = reader.integer(node, &fields.at(key))?;
        if value < 0 {
            reader.fault(node.mark, &fields.at(key), "out of range", Some("not below 0".to_owned()));
        }
        u64::try_from(value).ok()
    };
    let (tokens, window, max_tools) = (count("tokens"), count("window"), count("max_tools"));
    let share = fields.get("share").and_then(|node| {
        let share = reader.number(node, &fields.at("share"))?;
        if !(0.0..=1.0).contains(&share) {
            reader.fault(node.mark, &fields.at("share"), "out of range", Some("a share is from 0 to 1".to_owned()));
        }
        Some(share)
    });
    if let (Some(node), true) = (fields.get("tokens"), fields.get("share").is_some() || fields.get("window").is_some()) {
        reader.fault(node.mark, &fields.at("tokens"), "`tokens` beside `share` or `window`", Some("give one of the two".to_owned()));
    }
    let shared = (share.is_some() || window.is_some()).then(|| {
        let window = window.unwrap_or(crate::budget::DEFAULT_CONTEXT_WINDOW_TOKENS);
        (share.unwrap_or(crate::budget::DEFAULT_TOKEN_BUDGET_SHARE) * window as f64) as u64
    });
    Budget { tokens: tokens.or(shared), max_tools }
}
