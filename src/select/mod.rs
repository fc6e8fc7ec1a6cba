//! The selection: rules, rank, pins and budget put together for one request.

mod answer;
mod explanation;
mod request;
mod verdict;

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::Arc;

pub use explanation::{By, Explanation, Fate, RuleWork, ToolFate};
pub(crate) use explanation::{hidden_fate, rule_work};
pub use request::{Budget, SelectRequest};
pub(crate) use request::{budget, language, min_score};

use self::explanation::Placed;
pub(crate) use self::verdict::{Verdict, Weighed};
use crate::budget::{estimate, prune};
use crate::intent::Intent;
use crate::limits;
use crate::options::{AnswerKeys, BudgetCut, MessageIntent, Options, Order, RequestHints};
use crate::pins::Pins;
use crate::rank::{Query, WordTables};
use crate::registry::Snapshot;
use crate::tool::{Tool, ToolId};

/// The answer to a select request. It keeps the state it was made from, whatever changes in the broker.
pub struct Selection {
    snapshot: Arc<Snapshot>,
    chosen: Vec<Chosen>,
    answer: AnswerKeys,
    /// Whether its JSON lists places and not tools.
    as_indices: bool,
    /// The intent used, empty for none; several are joined by `, `.
    pub intent: String,
    /// What was found in the message.
    pub intents: Vec<Intent>,
    /// One line that says which rules applied.
    pub rationale: String,
    /// The estimate for what is shown.
    pub tokens: u64,
    /// How many tools the rules hid.
    pub hidden: usize,
    /// How many tools a limit cut.
    pub cut: Cuts,
    /// Guidance for the system prompt, empty for none.
    pub override_block: String,
    /// What the host should know.
    pub warnings: Vec<Warning>,
    /// The fate of every tool, where it was asked for.
    pub explanation: Option<Explanation>,
}

/// How many tools each limit cut.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct Cuts {
    /// By `min_score`.
    pub min_score: usize,
    /// By `budget.tokens`, `share` or `window`.
    pub tokens: usize,
    /// By `budget.max_tools`.
    pub max_tools: usize,
}

/// Something that the host should know of a selection.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Warning {
    /// A stable word for the kind.
    pub code: &'static str,
    /// One line.
    pub message: String,
}

/// One tool of a selection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Chosen {
    tool: u32,
    summarized: bool,
}

impl fmt::Debug for Selection {
    /// What a log has room for: the names of the tools, and neither the tools nor the state that they are from.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("Selection")
            .field("tools", &self.tools().map(|tool| tool.id().to_string()).collect::<Vec<_>>())
            .field("total", &self.total())
            .field("intent", &self.intent)
            .field("rationale", &self.rationale)
            .field("tokens", &self.tokens)
            .field("hidden", &self.hidden)
            .field("cut", &self.cut)
            .field("warnings", &self.warnings)
            .finish_non_exhaustive()
    }
}

impl Selection {
    /// How many tools were selected.
    pub fn count(&self) -> usize {
        self.chosen.len()
    }

    /// How many tools are registered.
    pub fn total(&self) -> usize {
        self.snapshot.tools.len()
    }

    /// The tools, in order.
    pub fn tools(&self) -> impl Iterator<Item = &Tool> {
        self.chosen.iter().map(|chosen| &*self.snapshot.tools[chosen.tool as usize])
    }

    /// The places of the tools in the order of registration.
    pub fn indices(&self) -> impl Iterator<Item = usize> + '_ {
        self.chosen.iter().map(|chosen| chosen.tool as usize)
    }

    /// The tools that go out in short form.
    pub fn summarized(&self) -> impl Iterator<Item = &ToolId> {
        self.chosen.iter().filter(|chosen| chosen.summarized).map(|chosen| self.snapshot.tools[chosen.tool as usize].id())
    }
}

/// Runs one request against one state. The override block is left empty: it needs the enricher, see [`crate::Broker::select`].
pub(crate) fn select(
    snapshot: Arc<Snapshot>,
    options: &Options,
    tables: &WordTables,
    request: &SelectRequest,
    similarities: Option<&[f32]>,
) -> Selection {
    let found = if request.message.is_empty() || options.message_intent == MessageIntent::None {
        Vec::new()
    } else {
        snapshot.intents.detect(&request.message, options.phrases)
    };
    let intents: Vec<String> = match (&request.intent, options.message_intent) {
        (Some(intent), _) => vec![intent.clone()],
        (None, MessageIntent::Best) => found.iter().take(1).map(|intent| intent.name.clone()).collect(),
        (None, _) => found.iter().map(|intent| intent.name.clone()).collect(),
    };
    let mut selection = Selection {
        chosen: Vec::new(),
        answer: options.answer,
        as_indices: request.indices,
        intent: intents.join(", "),
        intents: found,
        rationale: String::new(),
        tokens: 0,
        hidden: 0,
        cut: Cuts::default(),
        override_block: String::new(),
        warnings: Vec::new(),
        explanation: None,
        snapshot: snapshot.clone(),
    };
    let snapshot = &*snapshot;
    let weighed = Weighed::new(snapshot, &intents, options);
    selection.rationale = weighed.rationale();
    for rule in &weighed.empty_includes {
        let name = &snapshot.rules.rules[*rule].rule.name;
        selection.warn("empty_include", format!("include rule `{name}` matches no registered tool"));
    }

    let mut hidden = Vec::new();
    let query = query(options, tables, request);
    if query.as_ref().is_some_and(|query| query.cut) {
        selection.warnings.push(long_message());
    }
    let mut placed = visible_in_order(snapshot, &weighed, options, request, query.as_ref().map(|query| (query, similarities)), &mut hidden);
    pin(snapshot, request, &mut placed, &hidden, &mut selection);
    limit(options, request, &mut placed, &mut selection);

    selection.hidden = hidden.len();
    for place in placed.iter().filter(|place| place.cut.is_none()) {
        selection.tokens += place.tokens;
        selection.chosen.push(Chosen { tool: place.tool, summarized: place.verdict.summarized });
    }
    if request.explain {
        selection.explanation = Some(explanation::explain(snapshot, options, &weighed, &placed, &hidden, query.as_ref()));
    }
    selection
}

/// Whether it matters how well tools fit.
pub(crate) fn needs_score(options: &Options, request: &SelectRequest) -> bool {
    request.order.unwrap_or(options.order) == Order::Rank || request.min_score.is_some() || request.explain
}

/// What tools are compared with, where there is anything and the score is of use.
fn query<'t>(options: &Options, tables: &'t WordTables, request: &SelectRequest) -> Option<Query<'t>> {
    if !needs_score(options, request) {
        return None;
    }
    let hints: &[String] = if options.hints == RequestHints::Raise { &request.hints } else { &[] };
    let query = Query::new(&request.message, hints, request.language, &options.ranking, tables);
    (!query.is_empty()).then_some(query)
}

/// What the host should know of a message of which not all was compared.
pub(crate) fn long_message() -> Warning {
    let message = format!("the message has more than {} words; what stands behind them was not compared", limits::MESSAGE_WORDS);
    Warning { code: "long_message", message }
}

/// The tools that the rules keep, ordered as asked but for the request's pins.
fn visible_in_order(
    snapshot: &Snapshot,
    weighed: &Weighed,
    options: &Options,
    request: &SelectRequest,
    query: Option<(&Query, Option<&[f32]>)>,
    hidden: &mut Vec<(u32, Verdict)>,
) -> Vec<Placed> {
    let verdicts: Vec<Verdict> = (0..snapshot.tools.len()).map(|tool| weighed.verdict(tool)).collect();
    // By (server, name), as the index has the tools.
    let scores = query.map(|(query, similarities)| {
        let index = snapshot.index(&options.ranking);
        index.scores(query, similarities, |place| verdicts[snapshot.by_id[place] as usize].visible)
    });
    let by_id = if scores.is_some() { snapshot.places_by_id() } else { Vec::new() };
    let mut placed = Vec::with_capacity(snapshot.tools.len());
    let mut place = |at: u32| {
        let tool = &snapshot.tools[at as usize];
        let verdict = verdicts[at as usize];
        if !verdict.visible {
            hidden.push((at, verdict));
            return;
        }
        let tokens = estimate(if verdict.summarized { tool.summarized_json() } else { tool.json() });
        let score = scores.as_ref().map(|scores| scores[by_id[at as usize] as usize]);
        placed.push(Placed { tool: at, verdict, pin: false, score, tokens, cut: None });
    };
    if request.order.unwrap_or(options.order) == Order::Rank {
        snapshot.by_id.iter().copied().for_each(&mut place);
        // The sort is stable, so that equal scores stay in the order of server and name.
        placed.sort_by(|a, b| b.score.unwrap_or(0.0).total_cmp(&a.score.unwrap_or(0.0)));
    } else {
        (0..snapshot.tools.len() as u32).for_each(&mut place);
    }
    placed
}

/// Marks the pins of the request and of the broker, and moves all pins to the front, the core tools first in their order.
fn pin(snapshot: &Snapshot, request: &SelectRequest, placed: &mut [Placed], hidden: &[(u32, Verdict)], selection: &mut Selection) {
    let standing = &snapshot.pinned;
    if !request.pins.is_empty() || !standing.core.is_empty() || !standing.pins.is_empty() {
        let mut fates: Vec<Option<usize>> = vec![None; snapshot.tools.len()];
        for (at, place) in placed.iter().enumerate() {
            fates[place.tool as usize] = Some(at);
        }
        let is_hidden = |tool: u32| fates[tool as usize].is_none();
        selection.warnings.extend(pin_warnings(snapshot, &request.pins, is_hidden, |tool| {
            hidden.iter().find(|(at, _)| *at == tool).and_then(|(_, verdict)| verdict.by)
        }));
        let pinned = request.pins.places(snapshot).into_iter().chain(standing.core.iter().chain(&standing.pins).copied());
        for at in pinned.filter_map(|tool| fates[tool as usize]) {
            placed[at].pin = true;
        }
    }
    let core: HashMap<u32, usize> = standing.core.iter().enumerate().map(|(at, tool)| (*tool, at)).collect();
    placed.sort_by_key(|place| (core.get(&place.tool).copied().unwrap_or(usize::MAX), !(place.pin || place.verdict.pinned)));
}

/// What the host should know of pins that pin nothing: those that mean no registered tool, and names of tools that the rules hide.
pub(crate) fn pin_warnings(
    snapshot: &Snapshot,
    pins: &Pins,
    is_hidden: impl Fn(u32) -> bool,
    hidden_by: impl Fn(u32) -> Option<usize>,
) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let mut seen = HashSet::new();
    for text in pins.names.iter().filter(|text| seen.insert(text.as_str())) {
        let named = snapshot.named(text);
        if named.is_empty() {
            warnings.push(Warning { code: "unknown_pin", message: format!("pin `{text}` names no registered tool") });
        }
        let hidden: Vec<u32> = named.into_iter().filter(|tool| is_hidden(*tool)).collect();
        if let Some(first) = hidden.first() {
            let message = hidden_pin(snapshot, text, *first, hidden.len(), hidden_by(*first));
            warnings.push(Warning { code: "hidden_pin", message });
        }
    }
    for (at, matching) in pins.matching.iter().enumerate() {
        let pin = Pins { names: Vec::new(), matching: vec![matching.clone()] };
        if pin.places(snapshot).is_empty() {
            warnings.push(Warning { code: "unknown_pin", message: format!("pins_matching[{at}] matches no registered tool") });
        }
    }
    warnings
}

fn hidden_pin(snapshot: &Snapshot, text: &str, tool: u32, count: usize, decided: Option<usize>) -> String {
    let by = match decided {
        Some(rule) => format!("rule `{}`", snapshot.rules.rules[rule].rule.name),
        None => "an include that does not name it".to_owned(),
    };
    let more = if count > 1 { format!(", and {} more are hidden", count - 1) } else { String::new() };
    format!("pin `{text}`: {} is hidden by {by}{more}", snapshot.tools[tool as usize].id())
}

/// Cuts by score and by budget. Pins are never cut, but they count.
fn limit(options: &Options, request: &SelectRequest, placed: &mut [Placed], selection: &mut Selection) {
    let is_pinned = |place: &Placed| place.pin || place.verdict.pinned;
    if request.min_score.is_some() && placed.iter().any(|place| place.score.is_none()) {
        selection.warn("unused_min_score", "`min_score` cuts nothing: there is no word to compare tools with".to_owned());
    } else if let Some(least) = request.min_score {
        for place in placed.iter_mut().filter(|place| !is_pinned(place) && place.score.is_some_and(|score| score < least)) {
            place.cut = Some(By::MinScore);
            selection.cut.min_score += 1;
        }
    }
    let (tokens, tools) = (request.budget.tokens.unwrap_or(u64::MAX), request.budget.max_tools.unwrap_or(u64::MAX));
    let pins = placed.iter().filter(|place| is_pinned(place));
    let (mut spent, mut count) = pins.fold((0, 0), |(spent, count), place| (spent + place.tokens, count + 1));
    if spent > tokens || count > tools {
        selection.warn("pins_exceed_budget", format!("the pins alone take {spent} tokens and {count} places"));
    }
    let mut cut = |place: &mut Placed, by: By| {
        place.cut = Some(by);
        *(if by == By::Tokens { &mut selection.cut.tokens } else { &mut selection.cut.max_tools }) += 1;
    };
    let mut rest: Vec<&mut Placed> = placed.iter_mut().filter(|place| place.cut.is_none() && !is_pinned(place)).collect();
    if options.budget == BudgetCut::FromEnd {
        let room = usize::try_from(tools.saturating_sub(count)).unwrap_or(usize::MAX).min(rest.len());
        rest.drain(room..).for_each(|place| cut(place, By::MaxTools));
        // The pins stand in front, as one: what stands first always stays.
        let pinned = (count > 0).then_some(spent);
        let costs: Vec<u64> = pinned.into_iter().chain(rest.iter().map(|place| place.tokens)).collect();
        let kept = prune(&costs, i64::try_from(tokens).unwrap_or(i64::MAX)) - usize::from(pinned.is_some());
        rest.drain(kept..).for_each(|place| cut(place, By::Tokens));
        return;
    }
    for place in rest {
        if count >= tools {
            cut(place, By::MaxTools);
        } else if spent.saturating_add(place.tokens) > tokens {
            cut(place, By::Tokens);
        } else {
            (spent, count) = (spent + place.tokens, count + 1);
        }
    }
}

impl Selection {
    pub(crate) fn warn(&mut self, code: &'static str, message: String) {
        self.warnings.push(Warning { code, message });
    }
}
