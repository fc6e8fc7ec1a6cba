//! How the Go package that profile `go-0.2` stands in for reads and writes: Go's `encoding/json`, `gopkg.in/yaml.v3`, `path.Match`
//! and `strings.ToLower`, as far as its types need them.

mod base64;
mod json;
mod lower;
mod marshal;
mod path_match;
mod scalar;
mod timestamp;
mod yaml;

pub(crate) use json::{GoTool, hints, rules_json, tool};
pub(crate) use lower::lower;
pub(crate) use marshal::tool_json;
pub(crate) use path_match::{NamePattern, PathPattern};
pub(crate) use yaml::rules_yaml;

/// The vectors of one operation: what goes in, and what comes out.
#[cfg(test)]
fn vectors(operation: &str) -> Vec<(serde_json::Value, serde_json::Value)> {
    let file = format!("{}/tests/vectors/{operation}.jsonl", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{file}: {error}"));
    let read = |line: &str| {
        let mut case: serde_json::Value = serde_json::from_str(line).expect("a vector is JSON");
        (case["in"].take(), case["out"].take())
    };
    text.lines().map(read).collect()
}
