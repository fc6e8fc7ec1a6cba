//! What comes into the list and what goes: policy, budget, and what a change costs.

use std::collections::HashSet;

use serde::Serialize;

use super::answer::{Dropped, Why};
use super::list::Shown;
use super::turn::View;
use super::{Allow, Policy, SessionOptions, TurnRequest};
use crate::select::By;

/// A tool that has reason to be in the list.
#[derive(Debug, Clone, Copy)]
pub(super) struct Coming {
    pub tool: u32,
    pub by: By,
}

/// The tools that have reason to be in the list, whether they are there or not.
pub(super) struct Reasons {
    /// They come in whatever it costs.
    pub forced: Vec<Coming>,
    pub wanted: Vec<Coming>,
    pub best: Vec<Coming>,
}

/// One place of the list.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub tool: u32,
    pub by: By,
    /// `None`: it is new.
    pub shown: Option<Shown>,
}

/// How many visible tools are not in the list, by what kept them out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct TurnCuts {
    /// They fit the turn too little.
    pub min_score: usize,
    /// Others fit it better.
    pub new_tools: usize,
    /// By `budget.tokens`, `share` or `window`.
    pub tokens: usize,
    /// By `budget.max_tools`.
    pub max_tools: usize,
    /// They were in the list until now.
    pub repack: usize,
}

/// The next list.
pub(super) struct Plan {
    pub list: Vec<Entry>,
    pub dropped: Vec<Dropped>,
    /// Whether core tools were moved to the head, as the host asked for a repack.
    pub reordered: bool,
    /// Tools that the model may call.
    pub allowed: Vec<u32>,
    /// The visible tools that are not in the list, and why.
    pub out: Vec<(u32, By)>,
    pub cut: TurnCuts,
    /// What the pins take, where that is over the budget.
    pub pins_exceed: Option<(u64, u64)>,
}

impl Plan {
    /// The visible tools that are not in the list, by (server, name).
    pub fn deferred(&self, view: &View) -> Vec<u32> {
        let mut deferred: Vec<u32> = self.out.iter().map(|(tool, _)| *tool).collect();
        deferred.sort_by_key(|tool| view.by_id[*tool as usize]);
        deferred
    }
}

/// What a list takes.
#[derive(Debug, Clone, Copy, Default)]
struct Size {
    tokens: u64,
    count: u64,
}

impl Size {
    fn plus(self, tokens: u64) -> Size {
        Size { tokens: self.tokens.saturating_add(tokens), count: self.count + 1 }
    }

    /// What it is over, if anything.
    fn over(self, most: Size) -> Option<By> {
        if self.count > most.count {
            Some(By::MaxTools)
        } else if self.tokens > most.tokens {
            Some(By::Tokens)
        } else {
            None
        }
    }

    fn share(self, share: f64) -> Size {
        let part = |whole: u64| if whole == u64::MAX { whole } else { (whole as f64 * share) as u64 };
        Size { tokens: part(self.tokens), count: part(self.count) }
    }
}

/// A list in the making.
struct Draft<'a> {
    view: &'a View<'a>,
    options: &'a SessionOptions,
    budget: Size,
    entries: Vec<Entry>,
    dropped: Vec<Dropped>,
    cut: Vec<(u32, By)>,
    /// The first place that is not as it was.
    broken_at: Option<usize>,
}

pub(super) fn plan(
    view: &View,
    options: &SessionOptions,
    request: &TurnRequest,
    list: Vec<Entry>,
    broken_at: Option<usize>,
    reasons: Reasons,
) -> Plan {
    let most = |limit: Option<u64>| limit.unwrap_or(u64::MAX);
    let budget = Size { tokens: most(options.budget.tokens), count: most(options.budget.max_tools) };
    let mut draft = Draft { view, options, budget, entries: list, dropped: Vec::new(), cut: Vec::new(), broken_at };
    let forced_size = reasons.forced.iter().fold(Size::default(), |size, coming| size.plus(draft.cost(coming.tool)));
    let mut reordered = false;
    if options.policy == Policy::Fresh {
        draft.afresh(&reasons);
    } else {
        draft.make_room(request, &reasons);
        let before = draft.entries.len();
        draft.append(&reasons);
        let end_changes = draft.entries.len() > before;
        if options.policy == Policy::AppendUntilBudget {
            draft.drop_stale(request.behind, end_changes, &reasons);
        }
        reordered = request.repack && draft.core_first();
    }
    let allowed = draft.allowed(&reasons);
    let out = draft.out(&reasons);
    let mut cut = TurnCuts::default();
    for (_, by) in &out {
        *match by {
            By::MinScore => &mut cut.min_score,
            By::Tokens => &mut cut.tokens,
            By::MaxTools => &mut cut.max_tools,
            By::Repack => &mut cut.repack,
            _ => &mut cut.new_tools,
        } += 1;
    }
    let pins_exceed = forced_size.over(budget).map(|_| (forced_size.tokens, forced_size.count));
    Plan { list: draft.entries, dropped: draft.dropped, reordered, allowed, out, cut, pins_exceed }
}

impl Draft<'_> {
    fn cost(&self, tool: u32) -> u64 {
        let shown = self.entries.iter().find(|entry| entry.tool == tool).and_then(|entry| entry.shown.as_ref());
        shown.map_or_else(|| self.view.tokens(tool), |shown| shown.tokens)
    }

    fn entry_cost(&self, entry: &Entry) -> u64 {
        entry.shown.as_ref().map_or_else(|| self.view.tokens(entry.tool), |shown| shown.tokens)
    }

    fn size(&self) -> Size {
        self.entries.iter().fold(Size::default(), |size, entry| size.plus(self.entry_cost(entry)))
    }

    /// The list without regard to what was there.
    fn afresh(&mut self, reasons: &Reasons) {
        let before: Vec<Entry> = std::mem::take(&mut self.entries);
        let known = |tool: u32| before.iter().find(|entry| entry.tool == tool).and_then(|entry| entry.shown.clone());
        let mut seen = HashSet::new();
        let mut size = Size::default();
        for (coming, is_forced) in ordered(reasons) {
            if !seen.insert(coming.tool) {
                continue;
            }
            let next = size.plus(self.view.tokens(coming.tool));
            match next.over(self.budget).filter(|_| !is_forced) {
                Some(by) => self.cut.push((coming.tool, by)),
                None => {
                    size = next;
                    self.entries.push(Entry { tool: coming.tool, by: coming.by, shown: known(coming.tool) });
                }
            }
        }
        let left: HashSet<u32> = self.entries.iter().map(|entry| entry.tool).collect();
        self.dropped = before.iter().filter(|entry| !left.contains(&entry.tool)).filter_map(|entry| dropped(entry, Why::Policy)).collect();
    }

    /// Drops what has to go so that the new tools have room, or because the host asks.
    fn make_room(&mut self, request: &TurnRequest, reasons: &Reasons) {
        let forced: HashSet<u32> = reasons.forced.iter().map(|coming| coming.tool).collect();
        let useful = self.useful(reasons);
        if request.repack {
            self.drop_where(Why::Asked, |entry| !useful.contains(&entry.tool));
        }
        let is_new = |coming: &&Coming, draft: &Self| !draft.entries.iter().any(|entry| entry.tool == coming.tool);
        let news = |draft: &Self, list: &[Coming]| {
            list.iter().filter(|coming| is_new(coming, draft)).map(|coming| draft.view.tokens(coming.tool)).collect::<Vec<u64>>()
        };
        let must: Vec<u64> = news(self, &reasons.forced);
        let mut may: Vec<u64> = news(self, &reasons.wanted);
        may.extend(news(self, &reasons.best));
        let with = |size: Size, more: &[u64]| more.iter().fold(size, |size, tokens| size.plus(*tokens));
        let all: Vec<u64> = must.iter().chain(&may).copied().collect();
        if self.options.policy == Policy::AppendUntilBudget && with(self.size(), &all).over(self.budget).is_some() {
            // To less than the budget, so that the next turns find room too.
            let room = self.budget.share(self.options.repack_to);
            for tool in self.least_useful_first(&useful) {
                if with(self.size(), &all).over(room).is_none() {
                    break;
                }
                self.drop_where(Why::Budget, |entry| entry.tool == tool);
            }
        }
        for tool in self.least_useful_first(&forced) {
            if with(self.size(), &must).over(self.budget).is_none() {
                break;
            }
            self.drop_where(Why::Budget, |entry| entry.tool == tool);
        }
    }

    /// The new tools, at the end: those that must be there, then as many of the others as there is room for.
    fn append(&mut self, reasons: &Reasons) {
        let mut size = self.size();
        let mut known: HashSet<u32> = self.entries.iter().map(|entry| entry.tool).collect();
        known.extend(self.dropped.iter().flat_map(|dropped| self.view.snapshot.find(&dropped.id.server, &dropped.id.name)));
        for (coming, is_forced) in ordered(reasons) {
            if !known.insert(coming.tool) {
                continue;
            }
            let next = size.plus(self.view.tokens(coming.tool));
            match next.over(self.budget).filter(|_| !is_forced) {
                Some(by) => self.cut.push((coming.tool, by)),
                None => {
                    size = next;
                    self.entries.push(Entry { tool: coming.tool, by: coming.by, shown: None });
                }
            }
        }
    }

    /// Drops stale tools where that saves more than it costs. Each turn to come a token less is `cached_price` less to pay; what stands behind the
    /// first tool that is dropped is read anew once, at 1 in place of `cached_price`, unless this turn's change has it read anew anyway.
    fn drop_stale(&mut self, behind: Option<u64>, end_changes: bool, reasons: &Reasons) {
        let useful = self.useful(reasons);
        let is_stale: Vec<bool> = self.entries.iter().map(|entry| !useful.contains(&entry.tool) && self.is_stale(entry)).collect();
        let is_broken = self.broken_at.is_some() || end_changes;
        let Some(behind) = (if is_broken { Some(0) } else { behind }) else { return };
        let intact = self.broken_at.unwrap_or(self.entries.len());
        let price = self.options.cached_price;
        let (mut stale, mut kept) = (0, 0);
        let mut best: Option<(f64, usize)> = None;
        for (at, entry) in self.entries.iter().enumerate().rev() {
            let tokens = self.entry_cost(entry);
            if !is_stale[at] {
                // A tool that is new is read for the first time in any case.
                kept += if at < intact && entry.shown.is_some() { tokens } else { 0 };
                continue;
            }
            stale += tokens;
            let saved = stale as f64 * price * self.options.horizon as f64;
            let lost = (kept + behind) as f64 * (1.0 - price);
            if saved > lost && best.is_none_or(|(most, _)| saved - lost > most) {
                best = Some((saved - lost, at));
            }
        }
        if let Some((_, from)) = best {
            let goes: HashSet<u32> = (from..self.entries.len()).filter(|at| is_stale[*at]).map(|at| self.entries[at].tool).collect();
            self.drop_where(Why::Stale, |entry| goes.contains(&entry.tool));
        }
    }

    /// Whether a tool was neither called nor among the best for a while.
    fn is_stale(&self, entry: &Entry) -> bool {
        let Some(shown) = &entry.shown else { return false };
        let last = shown.first.max(shown.called).max(shown.ranked);
        self.view.turn - last > self.options.keep_turns
    }

    /// Tools that are of use now, or were called lately.
    fn useful(&self, reasons: &Reasons) -> HashSet<u32> {
        let coming = [&reasons.forced, &reasons.wanted, &reasons.best].into_iter().flatten().map(|coming| coming.tool);
        let called = |shown: &Shown| shown.called > 0 && self.view.turn - shown.called <= self.options.keep_turns;
        let lately = self.entries.iter().filter(|entry| entry.shown.as_ref().is_some_and(called)).map(|entry| entry.tool);
        coming.chain(lately).collect()
    }

    /// The tools of the list but these: those never called first, then those that were among the best longest ago, then those that fit least.
    fn least_useful_first(&self, but: &HashSet<u32>) -> Vec<u32> {
        let mut tools: Vec<(usize, &Entry)> = self.entries.iter().enumerate().filter(|(_, entry)| !but.contains(&entry.tool)).collect();
        let used = |entry: &Entry| entry.shown.as_ref().map_or((0, 0), |shown| (shown.called, shown.ranked));
        tools.sort_by(|(at, a), (other, b)| {
            used(a).cmp(&used(b)).then(self.view.score(a.tool).total_cmp(&self.view.score(b.tool))).then(other.cmp(at))
        });
        tools.into_iter().map(|(_, entry)| entry.tool).collect()
    }

    fn drop_where(&mut self, why: Why, goes: impl Fn(&Entry) -> bool) {
        let first = self.entries.iter().position(&goes).map(|at| self.broken_at.map_or(at, |broken| broken.min(at)));
        self.broken_at = first.or(self.broken_at);
        let (gone, stay) = std::mem::take(&mut self.entries).into_iter().partition(goes);
        self.entries = stay;
        self.dropped.extend((gone as Vec<Entry>).iter().filter_map(|entry| dropped(entry, why)));
    }

    /// Moves core tools to the head, where all conversations have them; answers whether that moved any.
    fn core_first(&mut self) -> bool {
        let core = &self.view.snapshot.pinned.core;
        let before: Vec<u32> = self.entries.iter().map(|entry| entry.tool).collect();
        self.entries.sort_by_key(|entry| core.iter().position(|tool| *tool == entry.tool).unwrap_or(usize::MAX));
        self.entries.iter().map(|entry| entry.tool).ne(before)
    }

    fn allowed(&self, reasons: &Reasons) -> Vec<u32> {
        let useful = self.useful(reasons);
        let is_allowed = |tool: u32| match self.options.allow {
            Allow::Shown => true,
            Allow::Best => useful.contains(&tool),
        };
        self.entries.iter().map(|entry| entry.tool).filter(|tool| self.view.is_visible(*tool) && is_allowed(*tool)).collect()
    }

    /// The visible tools that are not in the list, best first, and what kept each out.
    fn out(&self, reasons: &Reasons) -> Vec<(u32, By)> {
        let mut known: HashSet<u32> = self.entries.iter().map(|entry| entry.tool).collect();
        let mut out = Vec::new();
        for dropped in &self.dropped {
            let places = self.view.snapshot.find(&dropped.id.server, &dropped.id.name);
            out.extend(places.iter().filter(|tool| known.insert(**tool)).map(|tool| (*tool, By::Repack)));
        }
        out.extend(self.cut.iter().copied().filter(|(tool, _)| known.insert(*tool)));
        out.extend(reasons.best.iter().filter(|coming| known.insert(coming.tool)).map(|coming| (coming.tool, By::NewTools)));
        let view = self.view;
        let rest = view.snapshot.by_id.iter().copied().filter(|tool| view.is_visible(*tool) && !known.contains(tool));
        out.extend(rest.map(|tool| {
            let is_low = view.score(tool) == 0.0 || view.score(tool) < self.options.min_score;
            (tool, if is_low { By::MinScore } else { By::NewTools })
        }));
        out.retain(|(tool, _)| view.is_visible(*tool));
        out.sort_by(|(a, _), (b, _)| view.score(*b).total_cmp(&view.score(*a)).then(view.by_id[*a as usize].cmp(&view.by_id[*b as usize])));
        out
    }
}

/// What has reason to be in the list, most urgent first; true for what must be.
fn ordered(reasons: &Reasons) -> impl Iterator<Item = (Coming, bool)> {
    let forced = reasons.forced.iter().map(|coming| (*coming, true));
    forced.chain(reasons.wanted.iter().chain(&reasons.best).map(|coming| (*coming, false)))
}

fn dropped(entry: &Entry, why: Why) -> Option<Dropped> {
    entry.shown.as_ref().map(|shown| Dropped { id: shown.id.clone(), why })
}
