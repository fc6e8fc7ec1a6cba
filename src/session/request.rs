//! What a session is told for one turn.

use super::options::count;
use crate::document::{Reader, parse_json};
use crate::error::{Code, Result};
use crate::limits;
use crate::pins::Pins;
use crate::select::{Budget, budget, language};
use crate::words::Language;

/// A turn: the new message and what happened since the last one. `docs/contract.md` says what each part means.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TurnRequest {
    /// What the user wrote.
    pub message: String,
    /// The intent; `None`: what the message brings.
    pub intent: Option<String>,
    /// Words, tool names and tags to raise.
    pub hints: Vec<String>,
    /// The message's language; `None`: guessed.
    pub language: Option<Language>,
    /// Tools that are in the list in this turn.
    pub pins: Pins,
    /// Tools that were called since the last turn: `server/name` or names.
    pub called: Vec<String>,
    /// Tools that the model asked for: `server/name` or names.
    pub wanted: Vec<String>,
    /// Drop what is not of use now.
    pub repack: bool,
    /// Tokens that stand behind the list in the request: system prompt and history.
    pub behind: Option<u64>,
    /// Another budget, from this turn on.
    pub budget: Option<Budget>,
    /// Whether to say what happened to every tool.
    pub explain: bool,
    /// Whether the answer lists places in the order of registration and not the tools.
    pub indices: bool,
}

impl TurnRequest {
    /// A turn for what a user wrote.
    pub fn for_message(message: impl Into<String>) -> Self {
        TurnRequest { message: message.into(), ..Self::default() }
    }

    /// Reads a request from a JSON object; an empty text is a turn without a message.
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
            "language",
            "pins",
            "pins_matching",
            "called",
            "wanted",
            "repack",
            "behind",
            "budget",
            "format",
            "explain",
            "indices",
        ];
        let fields = reader.object(&document, "", &keys);
        let request = TurnRequest {
            message: fields.text(&mut reader, "message").unwrap_or_default(),
            intent: fields.text(&mut reader, "intent"),
            hints: fields.texts(&mut reader, "hints", limits::LIST_ITEMS),
            language: language(&mut reader, &fields),
            pins: Pins::read(&mut reader, &fields, "pins", "pins_matching"),
            called: fields.texts(&mut reader, "called", limits::LIST_ITEMS),
            wanted: fields.texts(&mut reader, "wanted", limits::LIST_ITEMS),
            repack: fields.is_true(&mut reader, "repack"),
            behind: count(&mut reader, &fields, "behind", 0, i64::MAX),
            budget: fields.get("budget").map(|node| budget(&mut reader, node, "budget")),
            explain: fields.is_true(&mut reader, "explain"),
            indices: fields.is_true(&mut reader, "indices"),
        };
        fields.choice(&mut reader, "format", &[("mcp", ())]);
        reader.finish(request)
    }
}
