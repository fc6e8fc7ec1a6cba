//! What `gopkg.in/yaml.v3` reads from a rules file into the types of the package.
//!
//! Only the first document counts. Keys that have no field are passed over with their values; merge keys and aliases work; a list drops
//! elements that are null; any scalar is text as it was written where text is asked for.

use std::collections::HashSet;

use super::scalar::{self, Scalar};
use crate::document::Mark;
use crate::document::yaml_tree::{self, Content, Extent, Id, Item, Tree};
use crate::error::{Code, Error, Result};
use crate::limits;
use crate::rules::{Action, Match, Rule};

/// Reads `rules: […]`. `None` is Go's nil, as where the key is absent or the text empty.
pub(crate) fn rules_yaml(text: &str) -> Result<Option<Vec<Rule>>> {
    // A next line character ends a line in the YAML that Go reads, and is an ordinary character in YAML 1.2.
    let text = text.replace('\u{85}', "\n");
    check_characters(&text)?;
    check_head(&text)?;
    let tree = yaml_tree::read(&text, Extent::FirstDocument)?;
    if tree.version.is_some_and(|version| (version.major, version.minor) != (1, 1)) {
        return Err(Error::new(Code::InvalidYaml, "the only YAML version here is 1.1").with_position(1, 1));
    }
    if let Some((mark, what)) = tree.only_in_1_2 {
        return Err(yaml_tree::at(Error::new(Code::InvalidYaml, format!("YAML 1.1 does not have {what}")), mark));
    }
    let mut config = Config::default();
    if let Some(root) = tree.root {
        Decoder::new(&tree).object(root, &mut config)?;
    }
    Ok(config.rules)
}

/// What Go refuses wherever it stands, behind the first document too.
fn check_characters(text: &str) -> Result<()> {
    for (index, line) in text.split('\n').enumerate() {
        let is_refused = |c: char| c.is_control() && !matches!(c, '\t' | '\r') || matches!(c, '\u{fffe}' | '\u{ffff}');
        if let Some(column) = line.chars().position(is_refused) {
            return Err(Error::new(Code::InvalidYaml, "a control character").with_position(index + 1, column + 1));
        }
    }
    Ok(())
}

/// What Go refuses ahead of the first document and YAML 1.2 does not: its end, and a directive that is unknown.
fn check_head(text: &str) -> Result<()> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for (index, line) in text.lines().enumerate() {
        let content = line.trim_start_matches(' ');
        if content.is_empty() || content.starts_with('#') {
            continue;
        }
        let message = match line.strip_prefix('%').map(|directive| directive.split(' ').next().unwrap_or_default()) {
            Some("YAML" | "TAG") => continue,
            Some(name) => format!("unknown directive `%{name}`"),
            None if line.starts_with("...") && line[3..].trim_start_matches([' ', '\t']).is_empty() => {
                "the end of a document before its start".to_owned()
            }
            None => return Ok(()),
        };
        return Err(Error::new(Code::InvalidYaml, message).with_position(index + 1, 1));
    }
    Ok(())
}

/// A struct of Go.
trait Fields {
    /// The name that errors give it.
    const WHAT: &'static str;
    /// The keys that have a field.
    const KEYS: &'static [&'static str];

    /// Reads a key's value. Keys without a field are passed over.
    fn field(&mut self, name: &str, value: Id, decoder: &mut Decoder) -> Result<()>;
}

#[derive(Default)]
struct Config {
    rules: Option<Vec<Rule>>,
}

impl Fields for Config {
    const WHAT: &'static str = "an object with `rules`";
    const KEYS: &'static [&'static str] = &["rules"];

    fn field(&mut self, name: &str, value: Id, decoder: &mut Decoder) -> Result<()> {
        if name == "rules" {
            self.rules = decoder.list(value, |decoder, item| {
                let mut rule = Rule::default();
                Ok(decoder.object(item, &mut rule)?.then_some(rule))
            })?;
        }
        Ok(())
    }
}

impl Fields for Rule {
    const WHAT: &'static str = "a rule";
    const KEYS: &'static [&'static str] = &["name", "intent", "match", "action", "priority"];

    fn field(&mut self, name: &str, value: Id, decoder: &mut Decoder) -> Result<()> {
        match name {
            "name" => decoder.text_into(value, &mut self.name),
            "intent" => decoder.text_into(value, &mut self.intent),
            "match" => decoder.object(value, &mut self.matching).map(drop),
            "action" => decoder.object(value, &mut self.action).map(drop),
            "priority" => {
                self.priority = decoder.integer(value)?.unwrap_or(self.priority);
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

impl Fields for Match {
    const WHAT: &'static str = "a match";
    const KEYS: &'static [&'static str] = &["patterns", "tags", "servers"];

    fn field(&mut self, name: &str, value: Id, decoder: &mut Decoder) -> Result<()> {
        let list = match name {
            "patterns" => &mut self.patterns,
            "tags" => &mut self.tags,
            "servers" => &mut self.servers,
            _ => return Ok(()),
        };
        *list = decoder.list(value, Decoder::text)?.unwrap_or_default();
        Ok(())
    }
}

impl Fields for Action {
    const WHAT: &'static str = "an action";
    const KEYS: &'static [&'static str] = &["type"];

    fn field(&mut self, name: &str, value: Id, decoder: &mut Decoder) -> Result<()> {
        match name {
            "type" => decoder.text_into(value, &mut self.kind),
            _ => Ok(()),
        }
    }
}

/// Keys that are taken already, while merged maps are read.
type Taken = HashSet<String>;

struct Decoder<'a> {
    tree: &'a Tree,
    /// Values read so far, and how many of them through an alias: yaml.v3 limits their ratio.
    values: usize,
    /// Bytes of texts: an alias costs what it stands for.
    bytes: usize,
    aliased: usize,
    /// The aliases that are being read.
    active: Vec<Id>,
}

impl<'a> Decoder<'a> {
    fn new(tree: &'a Tree) -> Self {
        Decoder { tree, values: 0, bytes: 0, aliased: 0, active: Vec::new() }
    }

    /// Reads a value, with aliases followed.
    fn follow<T>(&mut self, id: Id, read: impl FnOnce(&mut Self, &'a Item) -> Result<T>) -> Result<T> {
        let item = &self.tree.items[id];
        self.count(item)?;
        let Content::Alias(target) = item.content else { return read(self, item) };
        if self.active.contains(&id) {
            return Err(fault(item, "an alias to what holds it"));
        }
        if self.active.len() == limits::DEPTH {
            let error = Error::new(Code::TooDeep, format!("aliases within more than {} others", limits::DEPTH));
            return Err(yaml_tree::at(error, item.mark));
        }
        self.active.push(id);
        let target = &self.tree.items[target];
        let result = self.count(target).and_then(|()| read(self, target));
        self.active.pop();
        result
    }

    fn count(&mut self, item: &Item) -> Result<()> {
        self.values += 1;
        self.aliased += usize::from(!self.active.is_empty());
        self.bytes += item.text_len();
        if self.values > limits::NODES || self.bytes > limits::RULE_BYTES {
            return Err(yaml_tree::at(yaml_tree::too_many(), item.mark));
        }
        let ratio = self.aliased as f64 / self.values as f64;
        if self.aliased > 100 && self.values > 1000 && ratio > allowed_ratio(self.values) {
            return Err(fault(item, "too much of the document comes from aliases"));
        }
        Ok(())
    }

    /// Text, or `None` for null.
    fn text(&mut self, id: Id) -> Result<Option<String>> {
        self.follow(id, |_, item| match (&item.content, resolve(item)?) {
            (Content::Scalar { .. }, Some(Scalar::Null)) => Ok(None),
            (Content::Scalar { .. }, Some(Scalar::Binary(bytes))) => Ok(Some(replaced(&bytes))),
            (Content::Scalar { text, .. }, _) => Ok(Some(text.clone())),
            _ => Err(fault(item, "expected text")),
        })
    }

    fn text_into(&mut self, id: Id, target: &mut String) -> Result<()> {
        if let Some(text) = self.text(id)? {
            *target = text;
        }
        Ok(())
    }

    /// A whole number, or `None` for null.
    fn integer(&mut self, id: Id) -> Result<Option<i64>> {
        self.follow(id, |_, item| match resolve(item)? {
            Some(Scalar::Null) => Ok(None),
            Some(Scalar::Int(value)) => Ok(Some(value)),
            Some(Scalar::Float(value)) if value <= i64::MAX as f64 => Ok(Some(truncated(value))),
            _ => Err(fault(item, "expected a whole number of 64 bits")),
        })
    }

    /// A list, or `None` for null. Elements that are read as `None` are dropped.
    fn list<T>(&mut self, id: Id, mut read: impl FnMut(&mut Self, Id) -> Result<Option<T>>) -> Result<Option<Vec<T>>> {
        self.follow(id, |decoder, item| match (&item.content, resolve(item)?) {
            (Content::List(items), _) => {
                let read: Result<Vec<Option<T>>> = items.iter().map(|item| read(decoder, *item)).collect();
                Ok(Some(read?.into_iter().flatten().collect()))
            }
            (_, Some(Scalar::Null)) => Ok(None),
            _ => Err(fault(item, "expected a list")),
        })
    }

    /// Reads an object into a struct; false for null, which changes nothing.
    fn object<T: Fields>(&mut self, id: Id, target: &mut T) -> Result<bool> {
        self.follow(id, |decoder, item| decoder.fields(item, target, None))
    }

    fn fields<T: Fields>(&mut self, item: &'a Item, target: &mut T, mut taken: Option<&mut Taken>) -> Result<bool> {
        let entries = match (&item.content, resolve(item)?) {
            (Content::Map(entries), _) => entries,
            (_, Some(Scalar::Null)) => return Ok(false),
            _ => return Err(fault(item, format!("expected {}", T::WHAT))),
        };
        self.check_doubles(entries)?;
        let mut merged = None;
        let mut done = HashSet::new();
        for (key, value) in entries {
            if is_merge(&self.tree.items[*key]) {
                merged = Some(*value);
                continue;
            }
            let Some(name) = self.text(*key)? else { continue };
            if taken.as_mut().is_some_and(|taken| !taken.insert(name.clone())) {
                continue;
            }
            // Two keys may be written apart and be the same text. That is a fault only where there is a field for it.
            if !done.insert(name.clone()) && T::KEYS.contains(&name.as_str()) {
                return Err(fault(&self.tree.items[*key], "key is given twice"));
            }
            target.field(&name, *value, self)?;
        }
        match (merged, taken) {
            (None, _) => {}
            (Some(merged), Some(taken)) => self.merge(merged, target, taken)?,
            (Some(merged), None) => {
                let mut taken = Taken::new();
                for (key, _) in entries {
                    taken.extend(self.text(*key)?);
                }
                self.merge(merged, target, &mut taken)?;
            }
        }
        Ok(true)
    }

    /// Reads what `<<` names, except for the keys that are taken.
    fn merge<T: Fields>(&mut self, id: Id, target: &mut T, taken: &mut Taken) -> Result<()> {
        let item = &self.tree.items[id];
        let maps = match &item.content {
            Content::List(items) => items.as_slice(),
            _ => &[id],
        };
        for map in maps {
            if !self.is_map(*map) {
                return Err(fault(&self.tree.items[*map], "only a map, or a list of maps, can be merged"));
            }
            self.follow(*map, |decoder, item| decoder.fields(item, target, Some(taken)))?;
        }
        Ok(())
    }

    fn is_map(&self, id: Id) -> bool {
        match self.tree.items[id].content {
            Content::Map(_) => true,
            Content::Alias(target) => matches!(self.tree.items[target].content, Content::Map(_)),
            _ => false,
        }
    }

    /// Two keys that are written the same are a fault, whether or not there is a field for them.
    fn check_doubles(&self, entries: &[(Id, Id)]) -> Result<()> {
        let mut scalars = HashSet::new();
        let mut aliases = HashSet::new();
        for (key, _) in entries {
            let key = &self.tree.items[*key];
            let is_new = match &key.content {
                Content::Scalar { text, .. } => scalars.insert(text.as_str()),
                Content::Alias(target) => aliases.insert(*target),
                Content::List(_) | Content::Map(_) => return Err(fault(key, "a key must be text")),
            };
            if !is_new {
                return Err(fault(key, "key is given twice"));
            }
        }
        Ok(())
    }
}

/// The share of values that may come from aliases: 99 % in a small document, 10 % in a very large one.
fn allowed_ratio(values: usize) -> f64 {
    let (low, high) = (400_000.0, 4_000_000.0);
    0.99 - 0.89 * ((values as f64 - low) / (high - low)).clamp(0.0, 1.0)
}

/// The type of a scalar; `None` for what is none.
fn resolve(item: &Item) -> Result<Option<Scalar>> {
    let Content::Scalar { text, quoted } = &item.content else { return Ok(None) };
    let tag = match &item.tag {
        None if *quoted => Some("str"),
        None => None,
        // A tag that is not YAML's own leaves text.
        Some(tag) => Some(yaml_tree::core_name(tag).unwrap_or("str")),
    };
    let resolved = scalar::resolve(text, tag);
    resolved.map(Some).map_err(|_| fault(item, format!("not a value of the tag `!!{}`", tag.unwrap_or_default())))
}

fn is_merge(item: &Item) -> bool {
    let Content::Scalar { text, quoted } = &item.content else { return false };
    text == "<<" && item.tag.as_deref().map_or(!quoted, |tag| yaml_tree::core_name(tag) == Some("merge"))
}

/// Go on amd64 makes the least integer of a float that no int64 holds, and 2⁶³ is the one that gets this far.
fn truncated(value: f64) -> i64 {
    if value >= i64::MAX as f64 { i64::MIN } else { value as i64 }
}

/// Each byte that is no part of UTF-8 becomes one U+FFFD, as in Go.
fn replaced(bytes: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| char::REPLACEMENT_CHARACTER));
    }
    text
}

fn fault(item: &Item, message: impl AsRef<str>) -> Error {
    let Mark { line, column } = item.mark;
    Error::new(Code::InvalidYaml, message).with_position(line, column)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};

    use super::*;
    use crate::go::vectors;

    fn answer(text: &str) -> Json {
        rules_yaml(text).map_or(json!({"error": true}), |rules| serde_json::to_value(rules).expect("plain data"))
    }

    #[test]
    fn rules_are_read_as_the_vectors_say() {
        for (request, expected) in vectors("rules_yaml") {
            let text = request["yaml"].as_str().expect("a text");
            assert_eq!(answer(text), expected, "{text}");
        }
    }

    /// The first rule under some anchors, given in flow style.
    fn rule(text: &str) -> Result<Rule> {
        let head = "anchors: {text: &text t, list: &list [a, b], map: &map {name: merged, intent: i}}\n";
        rules_yaml(&format!("{head}rules: [{text}]\n")).map(|rules| rules.unwrap().swap_remove(0))
    }

    fn name(text: &str) -> Option<String> {
        rule(&format!("{{name: {text}}}")).ok().map(|rule| rule.name)
    }

    fn priority(text: &str) -> Option<i64> {
        rule(&format!("{{priority: {text}}}")).ok().map(|rule| rule.priority)
    }

    // The outcomes below are those of gopkg.in/yaml.v3 v3.0.1.

    #[test]
    fn text_is_what_was_written() {
        let cases = [
            ("yes", "yes"),
            ("1.0", "1.0"),
            ("2024-01-01", "2024-01-01"),
            ("~", ""),
            ("'~'", "~"),
            ("!!str null", "null"),
            ("!!int 1", "1"),
            ("!own x", "x"),
            ("!!binary aGk=", "hi"),
            ("!!binary /w==", "\u{fffd}"),
            ("*text", "t"),
        ];
        for (text, expected) in cases {
            assert_eq!(name(text).as_deref(), Some(expected), "{text}");
        }
        for text in ["[a]", "{a: b}", "*list", "*absent", "!!int x", "!!binary '*'", "\"\\/\"", "&é x"] {
            assert_eq!(name(text), None, "{text}");
        }
    }

    #[test]
    fn whole_numbers_come_in_many_notations() {
        let cases = [
            ("10.0", 10),
            ("1.9", 1),
            ("-1.9", -1),
            ("1e2", 100),
            ("0o17", 15),
            ("017", 15),
            ("1_000", 1000),
            ("null", 0),
            ("!!float 3", 3),
            ("!!int '5'", 5),
            ("9223372036854775807.0", i64::MIN),
            ("-.inf", i64::MIN),
        ];
        for (text, expected) in cases {
            assert_eq!(priority(text), Some(expected), "{text}");
        }
        for text in ["'1'", "true", "9223372036854775808", "1e19", ".inf", ".nan", "x", "[1]", "2024-01-01", "!own 1"] {
            assert_eq!(priority(text), None, "{text}");
        }
    }

    #[test]
    fn null_elements_are_dropped_and_null_fields_stay_empty() {
        let rule = rule("{match: {patterns: [a, null, ~, 'null'], tags: null, servers: *list}, action: null}").unwrap();
        assert_eq!(rule.matching.patterns, ["a", "null"]);
        assert_eq!(rule.matching.servers, ["a", "b"]);
        assert_eq!(rule.action, Action::default());
        assert_eq!(rules_yaml("rules: [null, {}]").unwrap().unwrap().len(), 1);
    }

    #[test]
    fn nil_and_empty_are_told_apart() {
        for text in ["", "---\n", "a: 1", "rules:", "rules: ~", "null"] {
            assert_eq!(rules_yaml(text).unwrap(), None, "{text}");
        }
        assert_eq!(rules_yaml("rules: []").unwrap(), Some(vec![]));
    }

    #[test]
    fn merged_maps_give_what_is_not_given() {
        let names = |text: &str| rule(text).map(|rule| (rule.name, rule.intent)).map_err(drop);
        let pair = |name: &str, intent: &str| Ok((name.to_owned(), intent.to_owned()));
        assert_eq!(names("{<<: *map, name: own}"), pair("own", "i"));
        assert_eq!(names("{<<: [{name: first}, *map]}"), pair("first", "i"));
        assert_eq!(names("{<<: {<<: {name: deep}, intent: x}}"), pair("deep", "x"));
        assert_eq!(names("{'<<': *map}"), pair("", ""));
        for text in ["{<<: null}", "{<<: *list}", "{<<: [a]}", "{<<: {name: a, name: b}}", "&a {<<: *a}"] {
            assert_eq!(names(text), Err(()), "{text}");
        }
    }

    #[test]
    fn a_key_given_twice_is_an_error_unless_nobody_reads_the_map() {
        assert!(rule("{name: a, name: b}").is_err());
        assert!(rule("{name: a, \"name\": b}").is_err());
        assert!(rule("{name: a, !!binary bmFtZQ==: b}").is_err());
        assert!(rule("{other: 1, other: 2}").is_err());
        assert!(rule("{other: {a: 1, a: 2}}").is_ok());
    }

    #[test]
    fn only_the_first_document_counts() {
        assert_eq!(rules_yaml("rules: []\n---\nrules: [1]\n").unwrap(), Some(vec![]));
        assert_eq!(rules_yaml("%YAML 1.1\n---\nrules: []\n").unwrap(), Some(vec![]));
        for text in ["%YAML 1.2\n---\nrules: []\n", "%OTHER\n---\nrules: []\n", "...\nrules: []\n"] {
            assert!(rules_yaml(text).is_err(), "{text}");
        }
    }

    #[test]
    fn aliases_cannot_make_more_of_a_document_than_go_allows() {
        let aliases = |count: usize| format!("a: &a {{name: {}}}\nrules: [{}]\n", "x".repeat(20), vec!["*a"; count].join(", "));
        assert!(rules_yaml(&aliases(500)).is_ok());
        assert!(rules_yaml(&aliases(300_000)).is_err());
        let chain: String = (1..500).map(|n| format!("m{n}: &m{n} {{<<: *m{}}}\n", n - 1)).collect();
        let error = rules_yaml(&format!("m0: &m0 {{name: x}}\n{chain}rules: [*m499]\n")).unwrap_err();
        assert_eq!(error.code, Code::TooDeep);
    }

    #[test]
    fn errors_tell_the_place() {
        let error = rules_yaml("rules:\n  - name: a\n    priority: high\n").unwrap_err();
        assert_eq!((error.code, error.at.line, error.at.column), (Code::InvalidYaml, Some(3), Some(15)));
    }
}
