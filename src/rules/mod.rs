//! Rules: what they say ([`Rule`]), how they are read, and the form in which they are weighed.

mod compiled;
pub(crate) mod pattern;
pub(crate) mod read;
mod source;

use std::collections::BTreeMap;

use serde::Serialize;

pub(crate) use compiled::{CompiledMatch, CompiledRule, RuleMask, RuleSet, ones};
pub(crate) use read::read_match;
pub use source::RuleFormat;
pub(crate) use source::{checked, from_file, from_text};

/// One rule, as a host writes it. Serialized, it is the rule's JSON with empty parts left out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Rule {
    /// The name that rationale and explanation use.
    pub name: String,
    /// The intents it is for: a pattern; empty and `*` are every intent.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub intent: String,
    /// The tools it is about.
    #[serde(rename = "match")]
    pub matching: Match,
    /// What happens to them.
    pub action: Action,
    /// The higher, the stronger.
    #[serde(skip_serializing_if = "is_zero")]
    pub priority: i64,
    /// For `include`: what it does where it matches no registered tool. `None`: the broker's option decides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub empty_include: Option<EmptyInclude>,
}

/// Which tools a rule is about: those that fit every part that is given.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Match {
    /// Patterns of tool names.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub patterns: Vec<String>,
    /// Patterns of tags.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Patterns of server names.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub servers: Vec<String>,
    /// Values that the tool's annotation hints must have, such as `readOnlyHint: true`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub annotations: BTreeMap<String, bool>,
    /// Compare patterns, tags and servers without regard to case.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub ignore_case: bool,
    /// What this matches, the rule does not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not: Option<Box<Match>>,
}

/// What a rule does. `kind` is one of `include exclude allow pin summarize full`; profile `go-0.2` takes any text and ignores what it does not know.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Action {
    /// The action's name.
    #[serde(rename = "type")]
    pub kind: String,
}

/// The actions that the library knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Include,
    Exclude,
    Allow,
    Pin,
    Summarize,
    Full,
}

impl Kind {
    pub const ALL: [Kind; 6] = [Kind::Include, Kind::Exclude, Kind::Allow, Kind::Pin, Kind::Summarize, Kind::Full];

    pub fn name(self) -> &'static str {
        match self {
            Kind::Include => "include",
            Kind::Exclude => "exclude",
            Kind::Allow => "allow",
            Kind::Pin => "pin",
            Kind::Summarize => "summarize",
            Kind::Full => "full",
        }
    }

    pub fn of(name: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// What an `include` does where it matches no registered tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EmptyInclude {
    /// It does not switch the whitelist on.
    Open,
    /// It does: nothing is shown but what another rule keeps.
    Closed,
}

fn is_zero(priority: &i64) -> bool {
    *priority == 0
}
