//! What Go's `json.Marshal` writes for a tool definition, byte for byte.

use std::collections::BTreeMap;

use super::GoTool;
use crate::document::{Node, Value};

/// A tool definition; empty optional parts are left out.
pub(crate) fn tool_json(tool: &GoTool) -> String {
    let mut out = String::from("{\"name\":");
    write_text(&tool.name, &mut out);
    out.push_str(",\"description\":");
    write_text(&tool.description, &mut out);
    if let Some(schema) = tool.input_schema.as_ref().filter(|schema| !schema.is_empty()) {
        out.push_str(",\"inputSchema\":");
        write_object(schema.iter().map(|(key, value)| (key.as_str(), value)), &mut out);
    }
    if !tool.server.is_empty() {
        out.push_str(",\"server\":");
        write_text(&tool.server, &mut out);
    }
    if !tool.tags.is_empty() {
        out.push_str(",\"tags\":");
        write_list(&tool.tags, &mut out, |tag, out| write_text(tag, out));
    }
    if !tool.cost_tier.is_empty() {
        out.push_str(",\"cost_tier\":");
        write_text(&tool.cost_tier, &mut out);
    }
    out.push('}');
    out
}

/// A value as it comes out of Go's `any`: numbers are float64, an object's keys stand in the order of bytes and the last of a double
/// wins.
fn write_value(node: &Node, out: &mut String) {
    match &node.value {
        Value::Null => out.push_str("null"),
        Value::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Value::Number(text) => write_number(text.parse().unwrap_or_default(), out),
        Value::Text(text) | Value::Plain(text) => write_text(text, out),
        Value::List(items) => write_list(items, out, write_value),
        Value::Object(entries) => {
            let sorted: BTreeMap<&str, &Node> = entries.iter().map(|(key, value)| (key.name.as_str(), value)).collect();
            write_object(sorted.into_iter(), out);
        }
    }
}

fn write_object<'a>(entries: impl Iterator<Item = (&'a str, &'a Node)>, out: &mut String) {
    out.push('{');
    for (index, (key, value)) in entries.enumerate() {
        if index > 0 {
            out.push(',');
        }
        write_text(key, out);
        out.push(':');
        write_value(value, out);
    }
    out.push('}');
}

fn write_list<T>(items: &[T], out: &mut String, write: impl Fn(&T, &mut String)) {
    out.push('[');
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        write(item, out);
    }
    out.push(']');
}

/// Rust and Go write the same shortest digits; the form differs for what is very small or large.
fn write_number(number: f64, out: &mut String) {
    let size = number.abs();
    if size != 0.0 && !(1e-6..1e21).contains(&size) {
        let text = format!("{number:e}");
        out.push_str(&if text.contains("e-") { text } else { text.replace('e', "e+") });
    } else {
        out.push_str(&number.to_string());
    }
}

fn write_text(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            // Go keeps JSON safe within HTML and JavaScript.
            '\0'..='\u{1f}' | '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::{tool, vectors};

    fn schema(value: &str) -> String {
        let json = tool_json(&tool(&format!("{{\"inputSchema\":{{\"v\":{value}}}}}")).unwrap());
        let json = json.strip_prefix(r#"{"name":"","description":"","inputSchema":{"v":"#).expect("a schema");
        json.strip_suffix("}}").expect("two braces").to_owned()
    }

    #[test]
    fn numbers_are_written_as_float64() {
        let cases = [
            ("1.0", "1"),
            ("100", "100"),
            ("-0", "-0"),
            ("-0.0", "-0"),
            ("1e20", "100000000000000000000"),
            ("1e21", "1e+21"),
            ("1.5e300", "1.5e+300"),
            ("0.000001", "0.000001"),
            ("1e-7", "1e-7"),
            ("-1.25e-10", "-1.25e-10"),
            ("123456789012345678901", "123456789012345680000"),
            ("0.1", "0.1"),
            ("1e-400", "0"),
            ("5e-324", "5e-324"),
        ];
        for (number, written) in cases {
            assert_eq!(schema(number), written, "{number}");
        }
    }

    #[test]
    fn texts_are_escaped_as_in_go() {
        assert_eq!(
            schema(r#""<a>&\u2028\u2029\b\f\n\r\t\u0001\u001f\u007f\"\\\/é😀""#),
            "\"\\u003ca\\u003e\\u0026\\u2028\\u2029\\b\\f\\n\\r\\t\\u0001\\u001f\u{7f}\\\"\\\\/é😀\""
        );
    }

    #[test]
    fn keys_are_sorted_and_the_last_of_a_double_wins() {
        assert_eq!(schema(r#"{"b":1,"a":[],"é":{},"B":null,"b":true}"#), r#"{"B":null,"a":[],"b":true,"é":{}}"#);
    }

    #[test]
    fn empty_parts_are_left_out() {
        let full = r#"{"name":"n","description":"d","inputSchema":{"a":1},"server":"s","tags":["t"],"cost_tier":"c"}"#;
        assert_eq!(tool_json(&tool(full).unwrap()), full);
        let empty = r#"{"inputSchema":{},"server":"","tags":[],"cost_tier":""}"#;
        assert_eq!(tool_json(&tool(empty).unwrap()), r#"{"name":"","description":""}"#);
    }

    #[test]
    fn lengths_give_the_estimates_of_the_vectors() {
        for (request, expected) in vectors("estimate") {
            let length = |text: &serde_json::Value| tool_json(&tool(&text.to_string()).unwrap()).len();
            let sum: usize = request["tools"].as_array().unwrap().iter().map(|tool| (length(tool) / 4).max(1)).sum();
            assert_eq!(Some(sum as u64), expected.as_u64(), "{}", request["tools"]);
        }
    }
}
