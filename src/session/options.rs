//! How a session's list grows and shrinks.

use serde::Serialize;

use crate::document::{Fields, Reader};
use crate::pins::Pins;
use crate::select::{Budget, budget, min_score};

/// When the list of a session changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Policy {
    /// It grows until the budget is full, and then takes no more tools.
    #[serde(rename = "append")]
    Append,
    /// It grows; where the budget is full, or where dropping what is stale saves more than it costs, it is repacked.
    #[serde(rename = "append-until-budget")]
    AppendUntilBudget,
    /// It is made afresh for every turn.
    #[serde(rename = "fresh")]
    Fresh,
    /// Every visible tool is in it, whatever the message says.
    #[serde(rename = "all")]
    All,
}

impl Policy {
    pub(crate) const NAMES: &[(&str, Policy)] =
        &[("append", Policy::Append), ("append-until-budget", Policy::AppendUntilBudget), ("fresh", Policy::Fresh), ("all", Policy::All)];
}

/// What becomes of the host's own tools: those without a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum OwnTools {
    /// They are pinned.
    Pinned,
    /// They are ranked like all others.
    Ranked,
}

impl OwnTools {
    const NAMES: &[(&str, OwnTools)] = &[("pinned", OwnTools::Pinned), ("ranked", OwnTools::Ranked)];
}

/// Which tools of the list the model may call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Allow {
    /// Every one that the rules show in this turn.
    Shown,
    /// Those pinned, those used lately, and those that fit the turn best.
    Best,
}

impl Allow {
    const NAMES: &[(&str, Allow)] = &[("shown", Allow::Shown), ("best", Allow::Best)];
}

/// A session's options. `docs/contract.md` says what each means; `docs/sessions.md` has the reasons for the defaults.
#[derive(Debug, Clone, PartialEq)]
pub struct SessionOptions {
    /// See [`Policy`].
    pub policy: Policy,
    /// How much the list may take.
    pub budget: Budget,
    /// At most so many tools come into the list for one message, those pinned or asked for not counted.
    pub new_tools: usize,
    /// From 0 to 1: tools with less do not come in.
    pub min_score: f64,
    /// How many messages count: the last one and those before it.
    pub window: usize,
    /// From 0 to 1: how much a message counts beside the one after it.
    pub decay: f64,
    /// The price of a cached token beside that of one read anew.
    pub cached_price: f64,
    /// For how many turns to come a saving counts.
    pub horizon: u64,
    /// For how many turns a tool that was called, or fitted best, is not stale.
    pub keep_turns: u64,
    /// The share of the budget that a repack for the budget's sake leaves filled.
    pub repack_to: f64,
    /// See [`OwnTools`].
    pub own_tools: OwnTools,
    /// See [`Allow`].
    pub allow: Allow,
    /// Whether the visible tools that are not in the list are answered too, for a provider's own tool search.
    pub deferred: bool,
    /// Tools that stay in the list.
    pub pins: Pins,
}

impl Default for SessionOptions {
    fn default() -> Self {
        SessionOptions {
            policy: Policy::AppendUntilBudget,
            budget: Budget::default(),
            new_tools: 8,
            min_score: 0.05,
            window: 4,
            decay: 0.5,
            cached_price: 0.1,
            horizon: 10,
            keep_turns: 5,
            repack_to: 0.5,
            own_tools: OwnTools::Pinned,
            allow: Allow::Shown,
            deferred: false,
            pins: Pins::default(),
        }
    }
}

/// Messages that a window may hold.
const MOST_WINDOW: i64 = crate::limits::WINDOW_MESSAGES as i64;

impl SessionOptions {
    pub(super) const KEYS: [&str; 15] = [
        "policy",
        "budget",
        "new_tools",
        "min_score",
        "window",
        "decay",
        "cached_price",
        "horizon",
        "keep_turns",
        "repack_to",
        "own_tools",
        "allow",
        "deferred",
        "pins",
        "pins_matching",
    ];

    /// Takes what is given; the rest stays.
    pub(super) fn read(&mut self, reader: &mut Reader, fields: &Fields) {
        self.policy = fields.choice(reader, "policy", Policy::NAMES).unwrap_or(self.policy);
        self.own_tools = fields.choice(reader, "own_tools", OwnTools::NAMES).unwrap_or(self.own_tools);
        self.allow = fields.choice(reader, "allow", Allow::NAMES).unwrap_or(self.allow);
        if let Some(node) = fields.get("budget") {
            self.budget = budget(reader, node, &fields.at("budget"));
        }
        self.min_score = min_score(reader, fields).unwrap_or(self.min_score);
        for (key, value) in [("decay", &mut self.decay), ("cached_price", &mut self.cached_price), ("repack_to", &mut self.repack_to)] {
            *value = share(reader, fields, key).unwrap_or(*value);
        }
        if let Some(count) = count(reader, fields, "new_tools", 0, i64::MAX) {
            self.new_tools = usize::try_from(count).unwrap_or(usize::MAX);
        }
        if let Some(count) = count(reader, fields, "window", 1, MOST_WINDOW) {
            self.window = count as usize;
        }
        self.horizon = count(reader, fields, "horizon", 0, i64::MAX).unwrap_or(self.horizon);
        self.keep_turns = count(reader, fields, "keep_turns", 0, i64::MAX).unwrap_or(self.keep_turns);
        if let Some(node) = fields.get("deferred") {
            self.deferred = reader.bool(node, &fields.at("deferred")).unwrap_or(self.deferred);
        }
        if fields.get("pins").is_some() || fields.get("pins_matching").is_some() {
            self.pins = Pins::read(reader, fields, "pins", "pins_matching");
        }
    }

    /// The options as they are read again.
    pub(super) fn to_value(&self) -> serde_json::Value {
        let mut budget = serde_json::Map::new();
        budget.extend(self.budget.tokens.map(|tokens| ("tokens".to_owned(), tokens.into())));
        budget.extend(self.budget.max_tools.map(|most| ("max_tools".to_owned(), most.into())));
        serde_json::json!({
            "policy": self.policy,
            "budget": budget,
            "new_tools": self.new_tools.min(i64::MAX as usize),
            "min_score": self.min_score,
            "window": self.window,
            "decay": self.decay,
            "cached_price": self.cached_price,
            "horizon": self.horizon,
            "keep_turns": self.keep_turns,
            "repack_to": self.repack_to,
            "own_tools": self.own_tools,
            "allow": self.allow,
            "deferred": self.deferred,
            "pins": self.pins.names,
            "pins_matching": self.pins.matching,
        })
    }
}

/// A number from 0 to 1.
fn share(reader: &mut Reader, fields: &Fields, key: &str) -> Option<f64> {
    let node = fields.get(key)?;
    let share = reader.number(node, &fields.at(key))?;
    if !(0.0..=1.0).contains(&share) {
        reader.fault(node.mark, &fields.at(key), "out of range", Some("from 0 to 1".to_owned()));
    }
    Some(share)
}

/// A whole number in a range.
pub(super) fn count(reader: &mut Reader, fields: &Fields, key: &str, least: i64, most: i64) -> Option<u64> {
    let node = fields.get(key)?;
    let count = reader.integer(node, &fields.at(key))?;
    if !(least..=most).contains(&count) {
        let hint = if most == i64::MAX { format!("not below {least}") } else { format!("from {least} to {most}") };
        reader.fault(node.mark, &fields.at(key), "out of range", Some(hint));
    }
    u64::try_from(count).ok()
}
