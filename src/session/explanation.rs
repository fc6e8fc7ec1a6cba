//! Why each tool is in a session's list or not.

use std::collections::HashSet;

use super::State;
use super::plan::Plan;
use super::turn::View;
use crate::rank::Query;
use crate::select::{By, Explanation, Fate, ToolFate, hidden_fate, rule_work};

/// The list in its order, then the other visible tools, best first, then the hidden ones.
pub(super) fn explain(view: &View, state: &State, plan: &Plan, forced: &HashSet<u32>) -> Explanation {
    let options = view.broker.options();
    let query = state.window.last().map(|said| said.query(options, view.broker.tables()));
    let mut ranks = vec![None; view.snapshot.tools.len()];
    for (at, tool) in view.ranking().into_iter().enumerate() {
        ranks[tool as usize] = Some(at + 1);
    }
    let writer = Writer { view, query, ranks, forced };
    let mut tools = Vec::with_capacity(view.snapshot.tools.len());
    for (entry, shown) in plan.list.iter().zip(&state.list) {
        let fate = if shown.summarized { Fate::Summarized } else { Fate::Shown };
        let tool = writer.fate(entry.tool, fate, entry.by, shown.tokens);
        tools.push(ToolFate { since: Some(shown.first), ..tool });
    }
    let fate = if state.options.deferred { Fate::Deferred } else { Fate::Cut };
    tools.extend(plan.out.iter().map(|(tool, by)| writer.fate(*tool, fate, *by, view.tokens(*tool))));
    let in_list: HashSet<u32> = plan.list.iter().map(|entry| entry.tool).collect();
    let hidden = view.snapshot.by_id.iter().copied().filter(|tool| !view.is_visible(*tool) && !in_list.contains(tool));
    tools.extend(hidden.map(|tool| hidden_fate(view.snapshot, view.weighed, tool, &view.verdicts[tool as usize])));
    Explanation { tools, rules: rule_work(view.snapshot, view.weighed, view.verdicts.iter()) }
}

struct Writer<'a> {
    view: &'a View<'a>,
    query: Option<Query<'a>>,
    /// The place of each visible tool by its score, from 1.
    ranks: Vec<Option<usize>>,
    forced: &'a HashSet<u32>,
}

impl Writer<'_> {
    fn fate(&self, tool: u32, fate: Fate, by: By, tokens: u64) -> ToolFate {
        let view = self.view;
        let snapshot = view.snapshot;
        let verdict = &view.verdicts[tool as usize];
        let place = view.by_id[tool as usize] as usize;
        let id = snapshot.tools[tool as usize].id();
        let rule = verdict.by.filter(|_| by == By::Rule).map(|rule| snapshot.rules.rules[rule].rule.name.clone());
        let index = snapshot.index(&view.broker.options().ranking);
        let hits = |query: &Query| index.hits(query, place, snapshot.tools[tool as usize].terms());
        ToolFate {
            server: id.server.clone(),
            name: id.name.clone(),
            fate,
            by,
            rule,
            score: view.scores.map(|scores| scores.total[place]),
            before: view.scores.map(|scores| scores.before[place]).filter(|before| *before > 0.0),
            terms: self.query.as_ref().map(hits).unwrap_or_default(),
            rank: self.ranks[tool as usize],
            tokens,
            pinned: self.forced.contains(&tool),
            since: None,
        }
    }
}
