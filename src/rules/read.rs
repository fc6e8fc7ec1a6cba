//! Rules from a located document, strictly: every fault is reported, with its place and what was probably meant.

use std::collections::HashSet;

use super::pattern::{Fold, Pattern};
use super::{Action, EmptyInclude, Kind, Match, Rule};
use crate::document::{Fields, Mark, Node, Reader, Value};
use crate::error::{Code, Result};
use crate::limits;
use crate::options::Patterns;
use crate::tool::Annotations;

const RULE_KEYS: [&str; 6] = ["name", "intent", "match", "action", "priority", "empty_include"];
const MATCH_KEYS: [&str; 6] = ["patterns", "tags", "servers", "annotations", "ignore_case", "not"];

/// Reads a rule document: an object whose one key is `rules`. Nothing at all is no rules.
pub(crate) fn document(node: Option<&Node>, patterns: Patterns) -> Result<Vec<Rule>> {
    let Some(node) = node else { return Ok(Vec::new()) };
    let mut reader = Reader::new(Code::InvalidRule);
    if matches!(node.value, Value::List(_)) {
        let hint = "put the list under the key `rules`".to_owned();
        reader.fault(node.mark, "", "expected an object, found a list", Some(hint));
        return reader.finish(Vec::new());
    }
    let fields = reader.object(node, "", &["rules"]);
    let read = fields.get("rules").map(|list| RuleReader { reader: &mut reader, patterns }.list(list)).unwrap_or_default();
    reader.finish(read)
}

/// Reads a list of rules, as a request holds them under `rules`.
pub(crate) fn list(node: &Node, patterns: Patterns) -> Result<Vec<Rule>> {
    let mut reader = Reader::new(Code::InvalidRule);
    let read = RuleReader { reader: &mut reader, patterns }.list(node);
    reader.finish(read)
}

/// Reads one `match` that stands outside of a rule.
pub(crate) fn read_match(reader: &mut Reader, node: &Node, path: &str) -> Match {
    RuleReader { reader, patterns: Patterns::Names }.matching(node, path)
}

struct RuleReader<'a> {
    reader: &'a mut Reader,
    patterns: Patterns,
}

impl RuleReader<'_> {
    fn list(&mut self, node: &Node) -> Vec<Rule> {
        let items = self.reader.list(node, "rules", limits::RULES);
        let mut names = HashSet::new();
        let mut rules = Vec::with_capacity(items.len());
        for (at, item) in items.iter().enumerate() {
            let path = format!("rules[{at}]");
            let fields = self.reader.object(item, &path, &RULE_KEYS);
            if !matches!(item.value, Value::Object(_)) {
                if item.value == Value::Null {
                    self.reader.fault(item.mark, &path, "expected an object, found null", None);
                }
                continue;
            }
            let rule = self.rule(&fields);
            if !rule.name.is_empty() && !names.insert(rule.name.clone()) {
                let mark = fields.get("name").map_or(fields.mark, |name| name.mark);
                self.reader.fault(mark, &fields.at("name"), format!("rule name `{}` is used twice", rule.name), None);
            }
            rules.push(rule);
        }
        for (at, rule) in rules.iter_mut().enumerate().filter(|(_, rule)| rule.name.is_empty()) {
            rule.name = format!("rule {}", at + 1);
            if names.contains(&rule.name) {
                rule.name.push_str(" (unnamed)");
            }
        }
        rules
    }

    fn rule(&mut self, fields: &Fields) -> Rule {
        let mut rule = Rule { name: fields.text(self.reader, "name").unwrap_or_default(), ..Rule::default() };
        if let Some(node) = fields.get("intent") {
            rule.intent = self.reader.text(node, &fields.at("intent")).unwrap_or_default();
            if !rule.intent.is_empty() {
                self.check_pattern(node, &fields.at("intent"), &rule.intent);
            }
        }
        match fields.get("match") {
            Some(node) => rule.matching = self.matching(node, &fields.at("match")),
            None => self.empty_match(fields.mark, &fields.at("match")),
        }
        match fields.get("action") {
            Some(node) => rule.action = self.action(node, &fields.at("action")),
            None => {
                self.reader.fault(fields.mark, &fields.at("action"), "a rule needs an action", Some("write action: {type: …}".to_owned()))
            }
        }
        if let Some(node) = fields.get("priority") {
            rule.priority = self.reader.integer(node, &fields.at("priority")).unwrap_or(0);
        }
        if let Some(node) = fields.get("empty_include") {
            let choices = [("open", EmptyInclude::Open), ("closed", EmptyInclude::Closed)];
            rule.empty_include = self.reader.choice(node, &fields.at("empty_include"), &choices);
            if !matches!(rule.action.kind.as_str(), "" | "include") {
                self.reader.fault(node.mark, &fields.at("empty_include"), "`empty_include` is only for include", None);
            }
        }
        rule
    }

    fn matching(&mut self, node: &Node, path: &str) -> Match {
        let faults = self.reader.fault_count();
        let fields = self.reader.object(node, path, &MATCH_KEYS);
        let mut matching = Match {
            patterns: self.patterns_of(&fields, "patterns"),
            tags: self.patterns_of(&fields, "tags"),
            servers: self.patterns_of(&fields, "servers"),
            ..Match::default()
        };
        if let Some(node) = fields.get("annotations") {
            let at = fields.at("annotations");
            let hints = self.reader.object(node, &at, &Annotations::NAMES);
            for name in Annotations::NAMES {
                if let Some(value) = hints.get(name).and_then(|node| self.reader.bool(node, &hints.at(name))) {
                    matching.annotations.insert(name.to_owned(), value);
                }
            }
        }
        matching.ignore_case = fields.is_true(self.reader, "ignore_case");
        if let Some(node) = fields.get("not") {
            matching.not = Some(Box::new(self.matching(node, &fields.at("not"))));
        }
        let says_nothing = matching == Match { ignore_case: matching.ignore_case, ..Match::default() };
        // Where a part has a fault of its own, that one is told.
        if says_nothing && self.reader.fault_count() == faults {
            self.empty_match(node.mark, path);
        }
        matching
    }

    fn empty_match(&mut self, mark: Mark, path: &str) {
        let what = path.rsplit('.').next().unwrap_or(path);
        self.reader.fault(mark, path, format!("empty `{what}`"), Some("write patterns: [\"*\"] to match every tool".to_owned()));
    }

    fn patterns_of(&mut self, fields: &Fields, key: &str) -> Vec<String> {
        let Some(node) = fields.get(key) else { return Vec::new() };
        let path = fields.at(key);
        let mut texts = Vec::new();
        for (at, item) in self.reader.list(node, &path, limits::PATTERNS).iter().enumerate() {
            let path = format!("{path}[{at}]");
            if let Some(text) = self.reader.text(item, &path) {
                self.check_pattern(item, &path, &text);
                texts.push(text);
            }
        }
        texts
    }

    fn check_pattern(&mut self, node: &Node, path: &str, text: &str) {
        if text.len() > limits::PATTERN_BYTES {
            let message = format!("a pattern of {} bytes, the limit is {}", text.len(), limits::PATTERN_BYTES);
            self.reader.too_large(node.mark, path, message);
        } else if self.patterns == Patterns::Names
            && let Err(malformed) = Pattern::new(text, Fold::Exact)
        {
            self.reader.fault(node.mark, path, format!("malformed pattern `{text}`: {}", malformed.message), malformed.hint);
        }
    }

    fn action(&mut self, node: &Node, path: &str) -> Action {
        let fields = self.reader.object(node, path, &["type"]);
        match fields.get("type") {
            Some(node) => {
                let Some(kind) = self.reader.text(node, &fields.at("type")) else { return Action::default() };
                if Kind::of(&kind).is_none() {
                    let hint = crate::document::suggest(&kind, &Kind::ALL.map(Kind::name));
                    self.reader.fault(node.mark, &fields.at("type"), format!("unknown action `{kind}`"), Some(hint));
                }
                Action { kind }
            }
            None => {
                if matches!(node.value, Value::Object(_)) {
                    let hint = format!("known: {}", Kind::ALL.map(Kind::name).join(", "));
                    self.reader.fault(node.mark, &fields.at("type"), "an action needs a type", Some(hint));
                }
                Action::default()
            }
        }
    }
}
