//! The texts in which a tool goes out: whole, in short form, and as a line of a listing.

use std::sync::Arc;

use super::ToolId;
use crate::json::{Entries, push_entry, push_string};
use crate::words::first_sentence;

/// The text that came in, with the server as last key where it held none.
pub(super) fn with_server(raw: &Arc<str>, entries: &Entries, server: &str) -> Arc<str> {
    if server.is_empty() || names_server(entries) {
        return raw.clone();
    }
    // A server that is null or empty is absent: its entry goes, or the key would stand twice.
    if entries.0.iter().any(|(key, _)| key == "server") {
        return rewritten(entries, |key, value| (key != "server").then(|| value.to_owned()), &[("server", as_json(server))]).into();
    }
    let body = raw.trim_end().strip_suffix('}').expect("an object ends with a brace");
    let mut out = String::with_capacity(raw.len() + server.len() + 16);
    out.push_str(body);
    out.push_str(",\"server\":");
    push_string(&mut out, server);
    out.push('}');
    out.into()
}

/// The short form: the description's first sentence, any schema, and no output schema; the other keys as they came, in their order.
pub(super) fn summarized(entries: &Entries, description: &str) -> String {
    let keep = |key: &str, value: &str| match key {
        "description" => Some(as_json(first_sentence(description))),
        "inputSchema" => Some(ANY_SCHEMA.to_owned()),
        "outputSchema" => None,
        _ => Some(value.to_owned()),
    };
    let mut more = Vec::new();
    if !entries.0.iter().any(|(key, _)| key == "inputSchema") {
        more.push(("inputSchema", ANY_SCHEMA.to_owned()));
    }
    rewritten(entries, keep, &more)
}

/// The schema that takes every object.
const ANY_SCHEMA: &str = r#"{"type":"object"}"#;

/// Whether a tool says itself where it is from.
fn names_server(entries: &Entries) -> bool {
    entries.get("server").is_some_and(|server| server != "\"\"")
}

/// Name, description, and server and tags where there are any.
pub(super) fn listing(id: &ToolId, description: &str, tags: &[String]) -> String {
    let mut out = String::from("{");
    push_entry(&mut out, "name", &as_json(&id.name));
    push_entry(&mut out, "description", &as_json(description));
    if !id.server.is_empty() {
        push_entry(&mut out, "server", &as_json(&id.server));
    }
    if !tags.is_empty() {
        push_entry(&mut out, "tags", &serde_json::to_string(tags).expect("texts are plain data"));
    }
    out.push('}');
    out
}

fn rewritten(entries: &Entries, keep: impl Fn(&str, &str) -> Option<String>, more: &[(&str, String)]) -> String {
    let mut out = String::from("{");
    for (key, value) in &entries.0 {
        if let Some(value) = keep(key, value) {
            push_entry(&mut out, key, &value);
        }
    }
    for (key, value) in more {
        push_entry(&mut out, key, value);
    }
    out.push('}');
    out
}

fn as_json(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    push_string(&mut out, text);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_ends_at_its_mark_or_line() {
        assert_eq!(first_sentence("  Lists e.g. builds. Then more."), "Lists e.g. builds.");
        assert_eq!(first_sentence("Reads\nArgs: x"), "Reads");
        assert_eq!(first_sentence("現在の天気を返します。詳しく"), "現在の天気を返します。");
        assert_eq!(first_sentence(""), "");
    }
}
