//! What Go's `encoding/json` reads into the types of the package: keys in any case, the last of a double wins and writes over what the
//! first left, `null` changes nothing, a value of another type is an error, and what has no field is passed over.

use std::collections::BTreeMap;

use crate::document::{HalfPair, Key, Node, Value, parse_json_with};
use crate::error::{Code, Error, Result};
use crate::hints::Hints;
use crate::rules::{Action, Match, Rule};

/// A tool as the Go package knows it.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct GoTool {
    pub name: String,
    pub description: String,
    /// By key in the order of bytes, as Go writes a map.
    pub input_schema: Option<BTreeMap<String, Node>>,
    pub server: String,
    pub tags: Vec<String>,
    pub cost_tier: String,
}

/// Reads `{"rules": […]}`. `None` is Go's nil, as where the key is absent.
pub(crate) fn rules_json(text: &str) -> Result<Option<Vec<Rule>>> {
    let mut config = RulesFile::default();
    read(text, Code::InvalidRule, &mut config)?;
    Ok(config.rules.into_option().map(|rules| rules.into_iter().map(RuleFields::into_rule).collect()))
}

/// Reads hints. Empty text is no hints.
pub(crate) fn hints(text: &str) -> Result<Hints> {
    let mut hints = HintsFields::default();
    if !text.is_empty() {
        read(text, Code::InvalidHints, &mut hints)?;
    }
    Ok(Hints {
        preconditions: hints.preconditions.into_vec(),
        anti_patterns: hints.anti_patterns.into_vec(),
        chains_with: hints.chains_with.into_vec(),
        output_shape: hints.output_shape,
    })
}

/// Reads one tool definition.
pub(crate) fn tool(text: &str) -> Result<GoTool> {
    let mut fields = ToolFields::default();
    read(text, Code::InvalidTool, &mut fields)?;
    Ok(fields.into_tool())
}

fn read(text: &str, code: Code, target: &mut impl Target) -> Result<()> {
    let node = parse_json_with(text, HalfPair::Replace)?;
    target.take(&node).map_err(|error| Error { code, ..error })
}

/// What a JSON value can be read into. A target keeps what an earlier value left.
trait Target {
    fn take(&mut self, node: &Node) -> Result<()>;
}

/// An object's fields by name in lower case, for a struct.
trait Fields {
    /// What the value of a key goes into.
    fn field(&mut self, name: &str) -> Option<&mut dyn Target>;
}

impl<T: Fields> Target for T {
    fn take(&mut self, node: &Node) -> Result<()> {
        for (key, value) in entries(node)? {
            if let Some(field) = self.field(&folded(&key.name)) {
                field.take(value)?;
            }
        }
        Ok(())
    }
}

impl Target for String {
    fn take(&mut self, node: &Node) -> Result<()> {
        match &node.value {
            Value::Null => Ok(()),
            Value::Text(text) => {
                self.clone_from(text);
                Ok(())
            }
            _ => Err(wrong(node, "text")),
        }
    }
}

impl Target for i64 {
    fn take(&mut self, node: &Node) -> Result<()> {
        match &node.value {
            Value::Null => Ok(()),
            // `10.0` and `1e1` are no integers to Go.
            Value::Number(text) => {
                *self = text.parse().map_err(|_| wrong(node, "a whole number of 64 bits"))?;
                Ok(())
            }
            _ => Err(wrong(node, "a whole number")),
        }
    }
}

impl Target for Option<BTreeMap<String, Node>> {
    fn take(&mut self, node: &Node) -> Result<()> {
        if node.value == Value::Null {
            *self = None;
            return Ok(());
        }
        let entries = entries(node)?;
        let map = self.get_or_insert_default();
        for (key, value) in entries {
            numbers_fit(value)?;
            map.insert(key.name.clone(), value.clone());
        }
        Ok(())
    }
}

/// A Go slice. Elements behind its end stay in memory: a longer list that is read later writes over them instead of over empty ones.
struct Slice<T> {
    items: Vec<T>,
    length: usize,
    is_nil: bool,
}

impl<T> Default for Slice<T> {
    fn default() -> Self {
        Slice { items: Vec::new(), length: 0, is_nil: true }
    }
}

impl<T> Slice<T> {
    fn into_option(mut self) -> Option<Vec<T>> {
        self.items.truncate(self.length);
        (!self.is_nil).then_some(self.items)
    }

    fn into_vec(self) -> Vec<T> {
        self.into_option().unwrap_or_default()
    }
}

impl<T: Target + Default> Target for Slice<T> {
    fn take(&mut self, node: &Node) -> Result<()> {
        match &node.value {
            Value::Null => *self = Slice::default(),
            Value::List(nodes) if nodes.is_empty() => *self = Slice { is_nil: false, ..Slice::default() },
            Value::List(nodes) => {
                for (index, node) in nodes.iter().enumerate() {
                    if index == self.items.len() {
                        self.items.push(T::default());
                    }
                    self.items[index].take(node)?;
                }
                self.length = nodes.len();
                self.is_nil = false;
            }
            _ => return Err(wrong(node, "a list")),
        }
        Ok(())
    }
}

#[derive(Default)]
struct RulesFile {
    rules: Slice<RuleFields>,
}

impl Fields for RulesFile {
    fn field(&mut self, name: &str) -> Option<&mut dyn Target> {
        match name {
            "rules" => Some(&mut self.rules),
            _ => None,
        }
    }
}

#[derive(Default)]
struct RuleFields {
    name: String,
    intent: String,
    matching: MatchFields,
    action: ActionFields,
    priority: i64,
}

impl Fields for RuleFields {
    fn field(&mut self, name: &str) -> Option<&mut dyn Target> {
        match name {
            "name" => Some(&mut self.name),
            "intent" => Some(&mut self.intent),
            "match" => Some(&mut self.matching),
            "action" => Some(&mut self.action),
            "priority" => Some(&mut self.priority),
            _ => None,
        }
    }
}

impl RuleFields {
    fn into_rule(self) -> Rule {
        Rule {
            name: self.name,
            intent: self.intent,
            matching: Match {
                patterns: self.matching.patterns.into_vec(),
                tags: self.matching.tags.into_vec(),
                servers: self.matching.servers.into_vec(),
                ..Match::default()
            },
            action: Action { kind: self.action.kind },
            priority: self.priority,
            ..Rule::default()
        }
    }
}

#[derive(Default)]
struct MatchFields {
    patterns: Slice<String>,
    tags: Slice<String>,
    servers: Slice<String>,
}

impl Fields for MatchFields {
    fn field(&mut self, name: &str) -> Option<&mut dyn Target> {
        match name {
            "patterns" => Some(&mut self.patterns),
            "tags" => Some(&mut self.tags),
            "servers" => Some(&mut self.servers),
            _ => None,
        }
    }
}

#[derive(Default)]
struct ActionFields {
    kind: String,
}

impl Fields for ActionFields {
    fn field(&mut self, name: &str) -> Option<&mut dyn Target> {
        match name {
            "type" => Some(&mut self.kind),
            _ => None,
        }
    }
}

#[derive(Default)]
struct HintsFields {
    preconditions: Slice<String>,
    anti_patterns: Slice<String>,
    chains_with: Slice<String>,
    output_shape: String,
}

impl Fields for HintsFields {
    fn field(&mut self, name: &str) -> Option<&mut dyn Target> {
        match name {
            "preconditions" => Some(&mut self.preconditions),
            "anti_patterns" => Some(&mut self.anti_patterns),
            "chains_with" => Some(&mut self.chains_with),
            "output_shape" => Some(&mut self.output_shape),
            _ => None,
        }
    }
}

#[derive(Default)]
struct ToolFields {
    name: String,
    description: String,
    input_schema: Option<BTreeMap<String, Node>>,
    server: String,
    tags: Slice<String>,
    cost_tier: String,
}

impl Fields for ToolFields {
    fn field(&mut self, name: &str) -> Option<&mut dyn Target> {
        match name {
            "name" => Some(&mut self.name),
            "description" => Some(&mut self.description),
            "inputschema" => Some(&mut self.input_schema),
            "server" => Some(&mut self.server),
            "tags" => Some(&mut self.tags),
            "cost_tier" => Some(&mut self.cost_tier),
            _ => None,
        }
    }
}

impl ToolFields {
    fn into_tool(self) -> GoTool {
        GoTool {
            name: self.name,
            description: self.description,
            input_schema: self.input_schema,
            server: self.server,
            tags: self.tags.into_vec(),
            cost_tier: self.cost_tier,
        }
    }
}

fn entries(node: &Node) -> Result<&[(Key, Node)]> {
    match &node.value {
        Value::Null => Ok(&[]),
        Value::Object(entries) => Ok(entries),
        _ => Err(wrong(node, "an object")),
    }
}

/// A key with case folded, as far as it can become an ASCII one: `ſ` and the Kelvin sign fold to letters of ASCII.
fn folded(key: &str) -> String {
    let fold = |c: char| match c {
        '\u{17f}' => 's',
        '\u{212a}' => 'k',
        c => c.to_ascii_lowercase(),
    };
    key.chars().map(fold).collect()
}

/// Go reads a number of a schema as a float64, and one that is too large for that is an error.
fn numbers_fit(node: &Node) -> Result<()> {
    match &node.value {
        Value::Number(text) if text.parse::<f64>().is_ok_and(f64::is_infinite) => Err(wrong(node, "a number in the range of a float64")),
        Value::List(items) => items.iter().try_for_each(numbers_fit),
        Value::Object(entries) => entries.iter().try_for_each(|(_, value)| numbers_fit(value)),
        _ => Ok(()),
    }
}

fn wrong(node: &Node, wanted: &str) -> Error {
    let found = match &node.value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number(text) => format!("the number {text}"),
        Value::Text(_) | Value::Plain(_) => "a text".to_owned(),
        Value::List(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    };
    Error::new(Code::InvalidJson, format!("expected {wanted}, found {found}")).with_position(node.mark.line, node.mark.column)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};

    use super::*;
    use crate::go::vectors;

    fn answer<T: serde::Serialize>(read: Result<T>) -> Json {
        read.map_or(json!({"error": true}), |value| serde_json::to_value(value).expect("plain data"))
    }

    #[test]
    fn rules_are_read_as_the_vectors_say() {
        for (request, expected) in vectors("rules_json") {
            let text = request["text"].as_str().expect("a text");
            assert_eq!(answer(rules_json(text)), expected, "{text}");
        }
    }

    #[test]
    fn hints_are_read_as_the_vectors_say() {
        for (request, expected) in vectors("hints") {
            let text = request["text"].as_str().expect("a text");
            assert_eq!(answer(hints(text)), expected, "{text}");
        }
    }

    fn names(text: &str) -> Vec<String> {
        rules_json(text).unwrap().unwrap().into_iter().map(|rule| rule.name).collect()
    }

    #[test]
    fn keys_fit_in_any_case_and_the_last_wins() {
        assert_eq!(names(r#"{"RULE\u017f": [{"NAME": "a", "name": "b", "Name": "c"}]}"#), ["c"]);
    }

    #[test]
    fn a_list_given_twice_is_written_over_element_by_element() {
        let text = r#"{"rules": [{"name": "a"}, {"name": "b"}, {"name": "c"}], "rules": [{}], "rules": [{}, null, {"intent": "i"}, {}]}"#;
        assert_eq!(names(text), ["a", "b", "c", ""]);
        assert_eq!(names(r#"{"rules": [{"name": "a"}], "rules": [], "rules": [{}]}"#), [""]);
    }

    #[test]
    fn nil_and_empty_are_told_apart() {
        assert_eq!(rules_json("{}").unwrap(), None);
        assert_eq!(rules_json(r#"{"rules": null}"#).unwrap(), None);
        assert_eq!(rules_json(r#"{"rules": []}"#).unwrap(), Some(vec![]));
    }

    #[test]
    fn wrong_types_are_errors_with_their_place() {
        let error = rules_json("{\"rules\": [\n {\"priority\": 10.0}]}").unwrap_err();
        assert_eq!((error.code, error.at.line, error.at.column), (Code::InvalidRule, Some(2), Some(15)));
        assert!(rules_json(r#"{"rules": [{"priority": 9223372036854775808}]}"#).is_err());
        assert!(tool(r#"{"inputSchema": {"a": [1e999]}}"#).is_err());
        assert!(tool(r#"{"unknown": 1e999}"#).is_ok());
    }

    #[test]
    fn half_a_surrogate_pair_is_replaced() {
        assert_eq!(tool(r#"{"name": "a\ud800"}"#).unwrap().name, "a\u{fffd}");
    }
}
