//! One turn: from what was said and done to the list that goes out.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::answer::{Dropped, Turn, Why};
use super::list::{Shown, common, fingerprint, tokens_of};
use super::plan::{self, Coming, Plan, Reasons};
use super::window::{Said, Scores, scores};
use super::{OwnTools, Policy, State, TurnRequest, explanation};
use crate::broker::Broker;
use crate::error::Result;
use crate::options::MessageIntent;
use crate::overrides::CallContext;
use crate::registry::Snapshot;
use crate::select::{By, Verdict, Warning, Weighed, long_message, pin_warnings};
use crate::tool::ToolId;

/// What one turn looks at.
pub(super) struct View<'a> {
    pub broker: &'a Broker,
    pub snapshot: &'a Snapshot,
    pub weighed: &'a Weighed<'a>,
    /// What the rules say of each tool in this turn.
    pub verdicts: &'a [Verdict],
    pub scores: Option<&'a Scores>,
    /// The place of each tool by (server, name).
    pub by_id: &'a [u32],
    pub turn: u64,
}

impl View<'_> {
    pub fn is_visible(&self, tool: u32) -> bool {
        self.verdicts[tool as usize].visible
    }

    /// How well a tool fits; 0 where there is nothing to fit.
    pub fn score(&self, tool: u32) -> f64 {
        self.scores.map_or(0.0, |scores| scores.total[self.by_id[tool as usize] as usize])
    }

    pub fn tokens(&self, tool: u32) -> u64 {
        tokens_of(&self.snapshot.tools[tool as usize], self.verdicts[tool as usize].summarized)
    }

    /// The visible tools, best first, equal ones by (server, name).
    pub fn ranking(&self) -> Vec<u32> {
        let mut ranking: Vec<u32> = self.snapshot.by_id.iter().copied().filter(|tool| self.is_visible(*tool)).collect();
        ranking.sort_by(|a, b| self.score(*b).total_cmp(&self.score(*a)));
        ranking
    }
}

/// Runs a turn on a state; answers the next state and what goes out.
pub(super) fn turn(broker: &Broker, before: &State, request: &TurnRequest, context: CallContext) -> Result<(State, Turn)> {
    let snapshot = broker.snapshot();
    let options = broker.options();
    let mut state = State { turn: before.turn + 1, ..before.clone() };
    state.options.budget = request.budget.unwrap_or(state.options.budget);
    let mut warnings = hear(broker, &snapshot, &mut state, request, context)?;

    let found = match options.message_intent {
        MessageIntent::None => Vec::new(),
        _ => snapshot.intents.detect(&request.message, options.phrases),
    };
    let is_new = !request.message.trim().is_empty() || !request.hints.is_empty();
    let says_nothing = !is_new || state.window.last().is_none_or(|said| said.query(options, broker.tables()).says_nothing());
    let intents: Arc<[String]> = match (&request.intent, options.message_intent) {
        (Some(intent), _) => [intent.clone()].into(),
        // "Yes, do that" is about what the turn before was about.
        (None, _) if found.is_empty() && says_nothing => before.intents.clone(),
        (None, MessageIntent::Best) => found.iter().take(1).map(|intent| intent.name.clone()).collect(),
        (None, _) => found.iter().map(|intent| intent.name.clone()).collect(),
    };
    state.intents = intents.clone();

    let weighed = Weighed::new(&snapshot, &intents, options);
    let verdicts: Vec<Verdict> = (0..snapshot.tools.len()).map(|tool| weighed.verdict(tool)).collect();
    let visible = |place: usize| verdicts[snapshot.by_id[place] as usize].visible;
    let fits = scores(&state.window, state.options.decay, &snapshot, options, broker.tables(), visible);
    let by_id = snapshot.places_by_id();
    let view = View {
        broker,
        snapshot: &snapshot,
        weighed: &weighed,
        verdicts: &verdicts,
        scores: fits.as_ref(),
        by_id: &by_id,
        turn: state.turn,
    };

    for rule in &weighed.empty_includes {
        let name = &snapshot.rules.rules[*rule].rule.name;
        warnings.push(Warning { code: "empty_include", message: format!("include rule `{name}` matches no registered tool") });
    }
    for pins in [&request.pins, &state.options.pins] {
        let hidden_by = |tool: u32| verdicts[tool as usize].by;
        warnings.extend(pin_warnings(&snapshot, pins, |tool| !view.is_visible(tool), hidden_by));
    }

    let forced = forced(&view, &state, request);
    let wanted = wanted(&view, request, &mut warnings);
    let best = best(&view, &state, &forced);
    let is_forced: HashSet<u32> = forced.iter().map(|coming| coming.tool).collect();
    let Held { mut list, mut dropped, updated, broken_at } = hold(&view, before);
    mark(&view, &mut list, &best, request);
    let best = best.into_iter().map(|tool| Coming { tool, by: By::Rank }).collect();
    let plan = plan::plan(&view, &state.options, request, list, broken_at, Reasons { forced, wanted, best });
    dropped.extend(plan.dropped.iter().cloned());
    if let Some((tokens, count)) = plan.pins_exceed {
        let message = format!("the pins alone take {tokens} tokens and {count} places");
        warnings.push(Warning { code: "pins_exceed_budget", message });
    }

    let list = listed(&view, plan.list.clone(), &intents);
    let prefix = common(&before.list, &list);
    let repacked = prefix.tools < before.list.len();
    let why = if repacked { reasons(&dropped, &updated, &plan, state.options.policy) } else { Vec::new() };
    let shown_before: HashSet<&ToolId> = before.list.iter().map(|shown| &shown.id).collect();
    let added: Vec<ToolId> = list.iter().filter(|shown| !shown_before.contains(&shown.id)).map(|shown| shown.id.clone()).collect();
    let in_list: HashSet<&ToolId> = list.iter().map(|shown| &shown.id).collect();
    dropped.retain(|dropped| !in_list.contains(&dropped.id));

    state.allowed = plan.allowed.iter().map(|tool| snapshot.tools[*tool as usize].id.clone()).collect();
    state.list = list;
    state.past.extend(dropped.iter().map(|dropped| dropped.id.clone()));
    for shown in &state.list {
        state.past.remove(&shown.id);
    }
    let (override_block, warning) = broker.override_block(state.list.iter().filter_map(|shown| shown.tool.as_deref()), context)?;
    warnings.extend(warning);

    let deferred = if state.options.deferred { plan.deferred(&view) } else { Vec::new() };
    let explanation = request.explain.then(|| explanation::explain(&view, &state, &plan, &is_forced));
    let turn = Turn {
        kept: prefix_kept(&before.list, &state.list),
        list: state.list.clone(),
        places: plan.list.iter().map(|entry| entry.tool).collect(),
        as_indices: request.indices,
        total: snapshot.tools.len(),
        intent: intents.join(", "),
        intents: found,
        rationale: weighed.rationale(),
        tokens: state.list.iter().map(|shown| shown.tokens).sum(),
        added,
        removed: dropped,
        updated,
        repacked,
        why,
        fingerprint: fingerprint(&state.list),
        prefix,
        allowed: state.allowed.clone(),
        hidden: verdicts.iter().filter(|verdict| !verdict.visible).count(),
        cut: plan.cut,
        deferred: deferred.into_iter().map(|tool| (tool, snapshot.tools[tool as usize].clone())).collect(),
        override_block,
        warnings,
        explanation,
        turn: state.turn,
    };
    Ok((state, turn))
}

/// Takes the message into the window, with the vectors that are missing.
fn hear(broker: &Broker, snapshot: &Snapshot, state: &mut State, request: &TurnRequest, context: CallContext) -> Result<Vec<Warning>> {
    let mut warnings = Vec::new();
    if !request.message.trim().is_empty() || !request.hints.is_empty() {
        let said = Said { message: request.message.clone(), hints: request.hints.clone(), language: request.language, vector: None };
        if said.query(broker.options(), broker.tables()).cut {
            warnings.push(long_message());
        }
        state.window.push(said);
    }
    let over = state.window.len().saturating_sub(state.options.window);
    state.window.drain(..over);
    for said in state.window.iter_mut().filter(|said| said.vector.is_none()) {
        let near = broker.near(snapshot, &said.message, &said.hints, context)?;
        said.vector = near.vector;
        if let Some(warning) = near.warning {
            warnings.push(warning);
            break;
        }
    }
    Ok(warnings)
}

/// The tools that stay whatever the message says, in the order in which they come into a list: core, the host's own, pins.
fn forced(view: &View, state: &State, request: &TurnRequest) -> Vec<Coming> {
    let snapshot = view.snapshot;
    let own = snapshot
        .by_id
        .iter()
        .copied()
        .filter(|tool| state.options.own_tools == OwnTools::Pinned && snapshot.tools[*tool as usize].id.server.is_empty());
    let by_rule = snapshot.by_id.iter().copied().filter(|tool| view.verdicts[*tool as usize].pinned);
    let named = [&state.options.pins, &request.pins].into_iter().flat_map(|pins| pins.places(snapshot));
    let all = snapshot.pinned.core.iter().map(|tool| (*tool, By::Core));
    let all = all.chain(own.map(|tool| (tool, By::Own)));
    let all = all.chain(by_rule.map(|tool| (tool, By::Rule)));
    let all = all.chain(snapshot.pinned.pins.iter().copied().chain(named).map(|tool| (tool, By::Pin)));
    let mut seen = HashSet::new();
    all.filter(|(tool, _)| view.is_visible(*tool) && seen.insert(*tool)).map(|(tool, by)| Coming { tool, by }).collect()
}

/// What the model asked for, and what it called though it was not shown.
fn wanted(view: &View, request: &TurnRequest, warnings: &mut Vec<Warning>) -> Vec<Coming> {
    let mut coming = Vec::new();
    let mut seen = HashSet::new();
    for (names, by) in [(&request.wanted, By::Wanted), (&request.called, By::Called)] {
        for name in names {
            let named = view.snapshot.named(name);
            let (visible, hidden): (Vec<u32>, Vec<u32>) = named.iter().partition(|tool| view.is_visible(**tool));
            if named.is_empty() {
                warnings.push(Warning { code: "unknown_tool", message: format!("`{name}` names no registered tool") });
            } else if let (true, Some(tool)) = (visible.is_empty(), hidden.first()) {
                let id = &view.snapshot.tools[*tool as usize].id;
                warnings.push(Warning { code: "hidden_tool", message: format!("`{name}`: {id} is hidden by the rules") });
            }
            coming.extend(visible.into_iter().filter(|tool| seen.insert(*tool)).map(|tool| Coming { tool, by }));
        }
    }
    coming
}

/// The tools that fit the turn best, beside those that are there anyway.
fn best(view: &View, state: &State, forced: &[Coming]) -> Vec<u32> {
    let is_forced: HashSet<u32> = forced.iter().map(|coming| coming.tool).collect();
    if state.options.policy == Policy::All {
        return view.snapshot.by_id.iter().copied().filter(|tool| view.is_visible(*tool) && !is_forced.contains(tool)).collect();
    }
    let fits = |tool: &u32| view.score(*tool) > 0.0 && view.score(*tool) >= state.options.min_score;
    view.ranking().into_iter().filter(|tool| !is_forced.contains(tool)).take_while(fits).take(state.options.new_tools).collect()
}

/// What is left of a list.
struct Held {
    list: Vec<plan::Entry>,
    dropped: Vec<Dropped>,
    updated: Vec<ToolId>,
    /// The first place of `list` that no longer stands where it stood, or as it stood.
    broken_at: Option<usize>,
}

/// What is left of the list: without tools that are gone or that the rules now hide under the intents they came in for; a tool that changed stands
/// where it stood.
fn hold(view: &View, before: &State) -> Held {
    let mut held = Held { list: Vec::new(), dropped: Vec::new(), updated: Vec::new(), broken_at: None };
    let mut weighed: HashMap<&[String], Weighed> = HashMap::new();
    let mut taken = HashSet::new();
    for shown in &before.list {
        let at = held.list.len();
        let places = view.snapshot.find(&shown.id.server, &shown.id.name);
        let weighed = weighed.entry(&shown.intents).or_insert_with(|| Weighed::new(view.snapshot, &shown.intents, view.broker.options()));
        let free: Vec<u32> = places.iter().copied().filter(|place| !taken.contains(place)).collect();
        let verdicts: Vec<(u32, Verdict)> =
            free.iter().map(|place| (*place, weighed.verdict(*place as usize))).filter(|(_, verdict)| verdict.visible).collect();
        let tools = &view.snapshot.tools;
        let same = verdicts.iter().find(|(place, verdict)| shown.is_text_of(&tools[*place as usize], verdict.summarized));
        let Some((place, verdict)) = same.or(verdicts.last()) else {
            let why = if free.is_empty() { Why::Gone } else { Why::Rules };
            held.dropped.push(Dropped { id: shown.id.clone(), why });
            held.broken_at.get_or_insert(at);
            continue;
        };
        let tool = &tools[*place as usize];
        let mut next = Shown { tool: Some(tool.clone()), ..shown.clone() };
        if same.is_none() {
            held.updated.push(shown.id.clone());
            held.broken_at.get_or_insert(at);
            let new = Shown::new(tool, verdict.summarized, shown.intents.clone(), shown.first);
            next = Shown { called: shown.called, ranked: shown.ranked, ..new };
        }
        taken.insert(*place);
        held.list.push(plan::Entry { tool: *place, by: By::Kept, shown: Some(next) });
    }
    held
}

/// Notes what was of use.
fn mark(view: &View, list: &mut [plan::Entry], best: &[u32], request: &TurnRequest) {
    let called: HashSet<u32> = request.called.iter().flat_map(|name| view.snapshot.named(name)).collect();
    let best: HashSet<u32> = best.iter().copied().collect();
    for entry in list {
        let Some(shown) = &mut entry.shown else { continue };
        if called.contains(&entry.tool) {
            shown.called = view.turn;
        }
        if best.contains(&entry.tool) {
            shown.ranked = view.turn;
        }
    }
}

/// The entries as they are shown from now on.
fn listed(view: &View, entries: Vec<plan::Entry>, intents: &Arc<[String]>) -> Vec<Shown> {
    let shown = |entry: plan::Entry| {
        entry.shown.unwrap_or_else(|| {
            let tool = &view.snapshot.tools[entry.tool as usize];
            let summarized = view.verdicts[entry.tool as usize].summarized;
            let mut shown = Shown::new(tool, summarized, intents.clone(), view.turn);
            shown.called = if entry.by == By::Called { view.turn } else { 0 };
            shown.ranked = if entry.by == By::Rank { view.turn } else { 0 };
            shown
        })
    };
    entries.into_iter().map(shown).collect()
}

/// Why what was sent before does not stand at the head of the list any more.
fn reasons(dropped: &[Dropped], updated: &[ToolId], plan: &Plan, policy: Policy) -> Vec<Why> {
    if policy == Policy::Fresh {
        return vec![Why::Policy];
    }
    let mut why: Vec<Why> = dropped.iter().map(|dropped| dropped.why).collect();
    why.extend((!updated.is_empty()).then_some(Why::Changed));
    why.extend(plan.reordered.then_some(Why::Core));
    why.sort_unstable();
    why.dedup();
    why
}

/// How many tools of a list are in the next one too.
fn prefix_kept(before: &[Shown], now: &[Shown]) -> usize {
    let ids: HashSet<&ToolId> = before.iter().map(|shown| &shown.id).collect();
    now.iter().filter(|shown| ids.contains(&shown.id)).count()
}
