//! Why each tool is where it is.

use serde::Serialize;

use super::verdict::{Verdict, Weighed};
use crate::options::Options;
use crate::rank::{Query, TermHit};
use crate::registry::Snapshot;
use crate::rules::CompiledRule;

/// The fate of every tool and the work of every rule.
#[derive(Debug, Clone, Serialize)]
pub struct Explanation {
    /// By rank, hidden ones last.
    pub tools: Vec<ToolFate>,
    /// As loaded.
    pub rules: Vec<RuleWork>,
}

/// What happened to one tool.
#[derive(Debug, Clone, Serialize)]
pub struct ToolFate {
    /// The tool's server.
    pub server: String,
    /// The tool's name.
    pub name: String,
    /// Where it ended.
    pub fate: Fate,
    /// What decided that.
    pub by: By,
    /// The rule that decided, where one did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// How well it fits, where there was anything to fit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// What of its score the messages before the last one add, in a session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<f64>,
    /// What it was found by, where it was.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub terms: Vec<TermHit>,
    /// Its place among the visible tools, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rank: Option<usize>,
    /// What it costs in the form it has or would have had.
    pub tokens: u64,
    /// Whether it is pinned.
    pub pinned: bool,
    /// The turn in which it came into a session's list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<u64>,
}

/// Where a tool ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// In the answer, whole.
    Shown,
    /// In the answer, in short form.
    Summarized,
    /// The rules hid it.
    Hidden,
    /// A limit cut it.
    Cut,
    /// It is not in a session's list, and stands among those deferred.
    Deferred,
}

/// What decided a tool's fate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// A rule, which is named.
    Rule,
    /// An include applies, and no rule keeps this tool.
    Whitelist,
    /// Nothing speaks against it.
    Default,
    /// A pin of the request, the session or the broker.
    Pin,
    /// It is one of the broker's core tools.
    Core,
    /// It is the host's own.
    Own,
    /// The model asked for it.
    Wanted,
    /// It was called.
    Called,
    /// It is among those that fit the turn best.
    Rank,
    /// It was in the session's list before.
    Kept,
    /// Others fit the turn better: `new_tools`
    NewTools,
    /// It left the session's list in this turn.
    Repack,
    /// `min_score`
    MinScore,
    /// `budget.tokens`
    Tokens,
    /// `budget.max_tools`
    MaxTools,
}

/// What one rule did.
#[derive(Debug, Clone, Serialize)]
pub struct RuleWork {
    /// The rule's name.
    pub name: String,
    /// Its action.
    pub action: String,
    /// Whether its intent fits.
    pub applies: bool,
    /// How many registered tools it matches.
    pub matched: u32,
    /// How many tools' visibility or form it decided.
    pub decided: u32,
    /// What is odd about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warning: Option<&'static str>,
}

/// What each rule did for these verdicts, as loaded.
pub(crate) fn rule_work<'v>(snapshot: &Snapshot, weighed: &Weighed, verdicts: impl Iterator<Item = &'v Verdict>) -> Vec<RuleWork> {
    let rules = &snapshot.rules;
    let mut decided = vec![0; rules.rules.len()];
    for verdict in verdicts {
        for rule in verdict.by.into_iter().chain(verdict.form.filter(|_| verdict.visible)) {
            decided[rule] += 1;
        }
    }
    let work = |(rule, compiled): (usize, &CompiledRule)| RuleWork {
        name: compiled.rule.name.clone(),
        action: compiled.rule.action.kind.clone(),
        applies: weighed.applicable.contains(rule),
        matched: snapshot.matched[rule],
        decided: decided[rule],
        warning: (snapshot.matched[rule] == 0).then_some("matches no registered tool"),
    };
    rules.loaded_order().map(work).collect()
}

/// What the rules hid, and by what.
pub(crate) fn hidden_fate(snapshot: &Snapshot, weighed: &Weighed, tool: u32, verdict: &Verdict) -> ToolFate {
    let rules = &snapshot.rules;
    let tool = &snapshot.tools[tool as usize];
    ToolFate {
        server: tool.id.server.clone(),
        name: tool.id.name.clone(),
        fate: Fate::Hidden,
        by: if verdict.by.is_some_and(|rule| weighed.excludes.contains(rule)) { By::Rule } else { By::Whitelist },
        rule: verdict.by.map(|rule| rules.rules[rule].rule.name.clone()),
        score: None,
        before: None,
        terms: Vec::new(),
        rank: None,
        tokens: crate::budget::estimate(tool.json()),
        pinned: false,
        since: None,
    }
}

/// One visible tool after the limits: what happened to it, and what it was measured by.
pub(super) struct Placed {
    pub tool: u32,
    pub verdict: Verdict,
    pub pin: bool,
    pub score: Option<f64>,
    pub tokens: u64,
    pub cut: Option<By>,
}

pub(super) fn explain(
    snapshot: &Snapshot,
    options: &Options,
    weighed: &Weighed,
    placed: &[Placed],
    hidden: &[(u32, Verdict)],
    query: Option<&Query>,
) -> Explanation {
    let rules = &snapshot.rules;
    let places = query.map(|_| snapshot.places_by_id()).unwrap_or_default();
    let hits = |tool: u32, query: &Query| {
        let index = snapshot.index(&options.ranking);
        index.hits(query, places[tool as usize] as usize, snapshot.tools[tool as usize].terms())
    };
    let name = |rule: usize| rules.rules[rule].rule.name.clone();
    let mut tools = Vec::with_capacity(snapshot.tools.len());
    for (at, placed) in placed.iter().enumerate() {
        let id = snapshot.tools[placed.tool as usize].id();
        let fate = match (placed.cut, placed.verdict.summarized) {
            (Some(_), _) => Fate::Cut,
            (None, true) => Fate::Summarized,
            (None, false) => Fate::Shown,
        };
        let kept_by = if placed.verdict.by.is_some() { By::Rule } else { By::Default };
        let by = placed.cut.unwrap_or(match fate {
            Fate::Summarized => By::Rule,
            _ if placed.pin => By::Pin,
            _ => kept_by,
        });
        let rule = if fate == Fate::Summarized { placed.verdict.form } else { placed.verdict.by };
        tools.push(ToolFate {
            server: id.server.clone(),
            name: id.name.clone(),
            fate,
            by,
            rule: rule.filter(|_| by == By::Rule).map(name),
            score: placed.score,
            before: None,
            terms: query.map(|query| hits(placed.tool, query)).unwrap_or_default(),
            rank: Some(at + 1),
            tokens: placed.tokens,
            pinned: placed.pin || placed.verdict.pinned,
            since: None,
        });
    }
    tools.extend(hidden.iter().map(|(tool, verdict)| hidden_fate(snapshot, weighed, *tool, verdict)));
    let verdicts = placed.iter().map(|placed| &placed.verdict).chain(hidden.iter().map(|(_, verdict)| verdict));
    Explanation { tools, rules: rule_work(snapshot, weighed, verdicts) }
}
