//! What a program that makes the tables anew needs to know of messages and tools. It is no part of the library's promise.

use super::document::stem_number;
use crate::tool::Tool;
use crate::words::{Language, each_search_term};

/// The stems of a message's words that say something, each once, in the order of the message.
pub fn stems(message: &str) -> Vec<String> {
    let mut stems: Vec<String> = Vec::new();
    each_search_term(message, Language::guess(message), |term| {
        if !term.empty && !term.joining && !stems.iter().any(|stem| stem == term.stem) {
            stems.push(term.stem.to_owned());
        }
    });
    stems
}

/// Whether a tool has a stem in any of its texts.
pub fn has_stem(tool: &Tool, stem: &str) -> bool {
    let term = stem_number(stem);
    let entries = &tool.terms().entries;
    let at = entries.partition_point(|entry| entry.term() < term);
    entries.get(at).is_some_and(|entry| entry.term() == term)
}
