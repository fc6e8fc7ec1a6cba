//! Whether the model may call a tool now, and what to tell it where it may not.

use std::collections::HashSet;

use serde::Serialize;

use super::State;
use crate::broker::Broker;
use crate::document::distance;
use crate::json::{push_entry, push_text_entry, to_json};
use crate::registry::Snapshot;
use crate::select::Weighed;
use crate::tool::ToolId;
use crate::words::spaced_name;

/// How many names a refusal offers.
const MOST_NEAREST: usize = 3;

/// What stands against a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Against {
    /// No tool has this name, and none in the list had.
    Unknown,
    /// It was in the list, and is not registered any more.
    Gone,
    /// The rules hide it.
    Hidden,
    /// It is not in the list.
    NotShown,
    /// It is in the list, and this turn does not allow it.
    NotAllowed,
    /// Several tools in the list have this name; `server/name` says which is meant.
    Ambiguous,
}

/// The answer to [`super::Session::check_call`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallCheck {
    /// The tool that is meant, where that is clear.
    pub tool: Option<ToolId>,
    /// What stands against the call; `None`: it may go ahead.
    pub against: Option<Against>,
    /// The rule that hides it, where one does; for the host's log, the refusal does not name it.
    pub rule: Option<String>,
    /// What to answer the model with, where the call may not go ahead.
    pub refusal: String,
    /// The tools of the list with the nearest names.
    pub nearest: Vec<ToolId>,
}

impl CallCheck {
    /// The answer as JSON.
    pub fn to_json(&self) -> String {
        let mut out = format!("{{\"allowed\":{}", self.against.is_none());
        if let Some(ToolId { server, name }) = &self.tool {
            push_text_entry(&mut out, "server", server);
            push_text_entry(&mut out, "name", name);
        }
        if let Some(against) = &self.against {
            push_entry(&mut out, "why", &to_json(against));
            if let Some(rule) = &self.rule {
                push_text_entry(&mut out, "rule", rule);
            }
            push_text_entry(&mut out, "refusal", &self.refusal);
            push_entry(&mut out, "nearest", &to_json(&self.nearest));
        }
        out.push('}');
        out
    }
}

/// A tool of the conversation's past that is not offered now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PastTool {
    /// The name as it was asked about.
    pub asked: String,
    /// The tool that is meant, where that is known.
    pub tool: Option<ToolId>,
    /// Why it is not offered.
    pub why: Against,
    /// A definition for providers that refuse a request whose history names a tool that is not defined: the name, what became of it, any schema.
    pub stub: String,
}

impl PastTool {
    fn to_json(&self) -> String {
        let mut out = format!("{{\"asked\":{}", to_json(&self.asked));
        if let Some(ToolId { server, name }) = &self.tool {
            push_text_entry(&mut out, "server", server);
            push_text_entry(&mut out, "name", name);
        }
        push_entry(&mut out, "why", &to_json(&self.why));
        push_entry(&mut out, "stub", &self.stub);
        out.push('}');
        out
    }
}

/// The answer to a `history` call as JSON.
pub(crate) fn history_json(past: &[PastTool]) -> String {
    let tools: Vec<String> = past.iter().map(PastTool::to_json).collect();
    format!("{{\"tools\":[{}]}}", tools.join(","))
}

/// What a name means for a session.
struct Judged {
    tool: Option<ToolId>,
    against: Option<Against>,
    rule: Option<String>,
    /// Whether a tool of this name is in the list.
    is_listed: bool,
}

/// A session's list beside the tools and rules of this moment.
struct Gate<'a> {
    snapshot: &'a Snapshot,
    weighed: Weighed<'a>,
    state: &'a State,
    allowed: HashSet<&'a ToolId>,
}

impl<'a> Gate<'a> {
    fn new(broker: &Broker, snapshot: &'a Snapshot, state: &'a State) -> Self {
        Gate { snapshot, weighed: Weighed::new(snapshot, &state.intents, broker.options()), state, allowed: state.allowed.iter().collect() }
    }

    fn judge(&self, name: &str) -> Judged {
        let is_meant = |id: &ToolId| {
            let in_server = name.strip_prefix(id.server.as_str()).and_then(|rest| rest.strip_prefix('/'));
            id.name == name || in_server == Some(&id.name)
        };
        let listed: Vec<&ToolId> = self.state.list.iter().map(|shown| &shown.id).filter(|id| is_meant(id)).collect();
        match listed.as_slice() {
            [] => self.judge_unlisted(name, is_meant),
            [id] => {
                let (is_there, rule) = self.find(id);
                let against = match (is_there, &rule) {
                    (false, _) => Some(Against::Gone),
                    (true, Some(_)) => Some(Against::Hidden),
                    (true, None) => (!self.allowed.contains(id)).then_some(Against::NotAllowed),
                };
                Judged { tool: Some((*id).clone()), against, rule: rule.flatten(), is_listed: true }
            }
            _ => Judged { tool: None, against: Some(Against::Ambiguous), rule: None, is_listed: true },
        }
    }

    fn judge_unlisted(&self, name: &str, is_meant: impl Fn(&ToolId) -> bool) -> Judged {
        let registered: Vec<&ToolId> = self.snapshot.named(name).into_iter().map(|place| &self.snapshot.tools[place as usize].id).collect();
        let visible = registered.iter().find(|id| self.find(id).1.is_none());
        let only = if let [id] = registered.as_slice() { Some((*id).clone()) } else { None };
        let (tool, against, rule) = match (registered.first(), visible) {
            (Some(_), Some(_)) => (only, Against::NotShown, None),
            (Some(hidden), None) => (only, Against::Hidden, self.find(hidden).1.flatten()),
            (None, _) => match self.state.past.iter().find(|id| is_meant(id)) {
                Some(id) => (Some(id.clone()), Against::Gone, None),
                None => (None, Against::Unknown, None),
            },
        };
        Judged { tool, against: Some(against), rule, is_listed: false }
    }

    /// Whether a tool is registered; and where the rules hide it, the rule that does, if it is one.
    fn find(&self, id: &ToolId) -> (bool, Option<Option<String>>) {
        let places = self.snapshot.find(&id.server, &id.name);
        let verdicts: Vec<_> = places.iter().map(|place| self.weighed.verdict(*place as usize)).collect();
        let hidden = verdicts.first().filter(|_| verdicts.iter().all(|verdict| !verdict.visible));
        let rule = |rule: usize| self.snapshot.rules.rules[rule].rule.name.clone();
        (!places.is_empty(), hidden.map(|verdict| verdict.by.map(rule)))
    }

    /// The tools that may be called whose names are nearest.
    fn nearest(&self, name: &str) -> Vec<ToolId> {
        let callable = self.state.allowed.iter().filter(|id| self.find(id) == (true, None));
        let mut ids: Vec<(f64, &ToolId)> = callable.map(|id| (likeness(name, &id.name), id)).collect();
        ids.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        ids.into_iter().take(MOST_NEAREST).map(|(_, id)| id.clone()).collect()
    }
}

/// How like two names are, from 0 to 1: by their letters, or by the words that they share, whichever is more.
fn likeness(a: &str, b: &str) -> f64 {
    let longer = a.chars().count().max(b.chars().count()).max(1);
    let letters = 1.0 - (distance(a, b) as f64 / longer as f64).min(1.0);
    let words = |name: &str| spaced_name(name).split_whitespace().map(str::to_lowercase).collect::<HashSet<String>>();
    let (a, b) = (words(a), words(b));
    let shared = 2.0 * a.intersection(&b).count() as f64 / (a.len() + b.len()).max(1) as f64;
    letters.max(shared)
}

pub(super) fn check_call(broker: &Broker, state: &State, name: &str) -> CallCheck {
    let snapshot = broker.snapshot();
    let gate = Gate::new(broker, &snapshot, state);
    let Judged { tool, against, rule, .. } = gate.judge(name);
    let Some(why) = against else {
        return CallCheck { tool, against: None, rule: None, refusal: String::new(), nearest: Vec::new() };
    };
    let nearest = match why {
        Against::Ambiguous => state.list.iter().map(|shown| &shown.id).filter(|id| id.name == name).cloned().collect(),
        _ => gate.nearest(name),
    };
    CallCheck { tool, against, rule, refusal: refusal(name, why, &nearest), nearest }
}

/// What the model is told.
fn refusal(name: &str, why: Against, nearest: &[ToolId]) -> String {
    let what = match why {
        Against::Unknown => format!("There is no tool `{name}`."),
        Against::Gone => format!("The tool `{name}` is no longer there."),
        Against::Hidden => format!("The tool `{name}` may not be called."),
        Against::NotShown => format!("The tool `{name}` is not offered now."),
        Against::NotAllowed => format!("The tool `{name}` may not be called in this turn."),
        Against::Ambiguous => format!("Several tools are called `{name}`."),
    };
    let names: Vec<String> = nearest
        .iter()
        .map(|id| {
            let is_alone = nearest.iter().filter(|other| other.name == id.name).count() == 1;
            if is_alone { format!("`{}`", id.name) } else { format!("`{id}`") }
        })
        .collect();
    match (names.as_slice(), why) {
        ([], _) => format!("{what} No tool may be called now."),
        (names, Against::Ambiguous) => format!("{what} Call one of {}.", names.join(", ")),
        ([name], _) => format!("{what} The nearest that may be called is {name}."),
        (names, _) => format!("{what} The nearest that may be called are {}.", names.join(", ")),
    }
}

pub(super) fn history<T: AsRef<str>>(broker: &Broker, state: &State, names: &[T]) -> Vec<PastTool> {
    let snapshot = broker.snapshot();
    let gate = Gate::new(broker, &snapshot, state);
    let mut seen = HashSet::new();
    let past = |name: &str| {
        let judged = gate.judge(name);
        let why = judged.against.filter(|_| !judged.is_listed)?;
        let bare = judged.tool.as_ref().map_or(name, |id| &id.name);
        Some(PastTool { asked: name.to_owned(), why, stub: stub(bare), tool: judged.tool })
    };
    names.iter().map(AsRef::as_ref).filter(|name| seen.insert(*name)).filter_map(past).collect()
}

/// The least that defines a tool.
fn stub(name: &str) -> String {
    serde_json::json!({
        "name": name,
        "description": "Was used earlier in this conversation. It may not be called now.",
        "inputSchema": { "type": "object" },
    })
    .to_string()
}
