//! The list that a session shows: which tools, in which bytes.

use std::sync::Arc;

use hmac_sha256::Hash;

use crate::budget::estimate;
use crate::tool::{Tool, ToolId};

/// One tool of the list.
#[derive(Debug, Clone)]
pub(super) struct Shown {
    pub id: ToolId,
    /// Whether it stands in short form.
    pub summarized: bool,
    /// SHA-256 of its text.
    pub hash: [u8; 32],
    pub tokens: u64,
    /// The intents of the turn in which it came in: under these the rules must go on to show it.
    pub intents: Arc<[String]>,
    /// The turn in which it came in.
    pub first: u64,
    /// The last turn before which it was called; 0 for never.
    pub called: u64,
    /// The last turn that it fitted best; 0 for never.
    pub ranked: u64,
    /// The tool that `hash` was made of, where it is at hand.
    pub tool: Option<Arc<Tool>>,
}

impl Shown {
    pub fn new(tool: &Arc<Tool>, summarized: bool, intents: Arc<[String]>, turn: u64) -> Self {
        let text = text_of(tool, summarized);
        Shown {
            id: tool.id.clone(),
            summarized,
            hash: Hash::hash(text.as_bytes()),
            tokens: estimate(text),
            intents,
            first: turn,
            called: 0,
            ranked: 0,
            tool: Some(tool.clone()),
        }
    }

    /// Whether this tool, in this form, has the text that was shown.
    pub fn is_text_of(&self, tool: &Arc<Tool>, summarized: bool) -> bool {
        summarized == self.summarized
            && (self.tool.as_ref().is_some_and(|known| Arc::ptr_eq(known, tool))
                || Hash::hash(text_of(tool, summarized).as_bytes()) == self.hash)
    }

    /// The text, where the tool is at hand.
    pub fn text(&self) -> &str {
        self.tool.as_ref().map_or("", |tool| text_of(tool, self.summarized))
    }
}

/// What a tool costs in a form.
pub(super) fn tokens_of(tool: &Tool, summarized: bool) -> u64 {
    estimate(text_of(tool, summarized))
}

fn text_of(tool: &Tool, summarized: bool) -> &str {
    if summarized { tool.summarized_json() } else { tool.json() }
}

/// How much of a list is as it was the turn before, counted from its beginning.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct Prefix {
    /// Tools.
    pub tools: usize,
    /// Bytes of the list's JSON.
    pub bytes: usize,
    /// Tokens, as estimated.
    pub tokens: u64,
}

/// What two lists begin with.
pub(super) fn common(before: &[Shown], now: &[Shown]) -> Prefix {
    let tools = before.iter().zip(now).take_while(|(a, b)| a.hash == b.hash).count();
    let texts: usize = now[..tools].iter().map(|shown| shown.text().len()).sum();
    let commas = tools.saturating_sub(1) + usize::from(tools > 0 && tools < before.len() && tools < now.len());
    let closed = usize::from(tools == before.len() && tools == now.len());
    Prefix { tools, bytes: 1 + texts + commas + closed, tokens: now[..tools].iter().map(|shown| shown.tokens).sum() }
}

/// The SHA-256 of a list's JSON, as hexadecimal digits.
pub(super) fn fingerprint(list: &[Shown]) -> String {
    let mut hasher = Hash::new();
    pieces(list, |piece| hasher.update(piece));
    hex(&hasher.finalize())
}

/// The list's JSON, in pieces.
pub(super) fn pieces(list: &[Shown], mut take: impl FnMut(&str)) {
    take("[");
    for (at, shown) in list.iter().enumerate() {
        if at > 0 {
            take(",");
        }
        take(shown.text());
    }
    take("]");
}

pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
