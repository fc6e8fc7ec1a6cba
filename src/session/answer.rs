//! What a turn answers.

use std::sync::Arc;

use serde::Serialize;

use super::list::{Prefix, Shown, pieces};
use super::plan::TurnCuts;
use crate::intent::Intent;
use crate::json::{push_entry, push_text_entry, to_json};
use crate::select::{Explanation, Warning};
use crate::tool::{Tool, ToolId};

/// Why a list changed other than at its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// The host asked.
    Asked,
    /// The new tools had no room.
    Budget,
    /// A shown tool changed in the registry, or in its form.
    Changed,
    /// Core tools moved to the head.
    Core,
    /// A shown tool is not registered any more.
    Gone,
    /// The policy is `fresh`.
    Policy,
    /// The rules now hide a shown tool.
    Rules,
    /// To drop what was long of no use saves more than it costs.
    Stale,
}

/// A tool that left the list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Dropped {
    /// Which.
    #[serde(flatten)]
    pub id: ToolId,
    /// Why.
    pub why: Why,
}

/// The answer to a turn: the list to send now, and what became of the one before.
#[derive(Debug)]
pub struct Turn {
    pub(super) list: Vec<Shown>,
    pub(super) places: Vec<u32>,
    pub(super) deferred: Vec<(u32, Arc<Tool>)>,
    pub(super) as_indices: bool,
    pub(super) rationale: String,
    /// The number of the turn, from 1.
    pub turn: u64,
    /// How many tools are registered.
    pub total: usize,
    /// The intent used, empty for none; several are joined by `, `.
    pub intent: String,
    /// What was found in the message.
    pub intents: Vec<Intent>,
    /// The estimate for the list.
    pub tokens: u64,
    /// Tools that were not in the list before.
    pub added: Vec<ToolId>,
    /// How many tools of the list before are in this one.
    pub kept: usize,
    /// Tools that were in the list before.
    pub removed: Vec<Dropped>,
    /// Tools whose text is another than before.
    pub updated: Vec<ToolId>,
    /// Whether the list before is not the beginning of this one.
    pub repacked: bool,
    /// Why.
    pub why: Vec<Why>,
    /// SHA-256 of the list's JSON, as hexadecimal digits.
    pub fingerprint: String,
    /// How much of the list is as before.
    pub prefix: Prefix,
    /// Tools of the list that the model may call in this turn.
    pub allowed: Vec<ToolId>,
    /// How many tools the rules hide in this turn.
    pub hidden: usize,
    /// How many visible tools are not in the list.
    pub cut: TurnCuts,
    /// Guidance for the system prompt, empty for none.
    pub override_block: String,
    /// What the host should know.
    pub warnings: Vec<Warning>,
    /// The fate of every tool, where it was asked for.
    pub explanation: Option<Explanation>,
}

impl Turn {
    /// How many tools are in the list.
    pub fn count(&self) -> usize {
        self.list.len()
    }

    /// The tools of the list, in order.
    pub fn tools(&self) -> impl Iterator<Item = &Tool> {
        self.list.iter().filter_map(|shown| shown.tool.as_deref())
    }

    /// The places of the list's tools in the order of registration.
    pub fn indices(&self) -> impl Iterator<Item = usize> + '_ {
        self.places.iter().map(|place| *place as usize)
    }

    /// The visible tools that are not in the list, by (server, name), where the session answers them.
    pub fn deferred(&self) -> impl Iterator<Item = &Tool> {
        self.deferred.iter().map(|(_, tool)| &**tool)
    }

    /// The tools that stand in short form.
    pub fn summarized(&self) -> impl Iterator<Item = &ToolId> {
        self.list.iter().filter(|shown| shown.summarized).map(|shown| &shown.id)
    }

    /// The list's JSON: what `fingerprint` is of, and `prefix` counts in.
    pub fn tools_json(&self) -> String {
        let mut out = String::new();
        pieces(&self.list, |piece| out.push_str(piece));
        out
    }

    /// The answer as JSON; its keys are those of `docs/contract.md`.
    pub fn to_json(&self) -> String {
        let mut out = String::from("{\"tools\":");
        if self.as_indices {
            out.push_str(&to_json(&self.places));
        } else {
            pieces(&self.list, |piece| out.push_str(piece));
        }
        push_entry(&mut out, "turn", &self.turn.to_string());
        push_entry(&mut out, "count", &self.count().to_string());
        push_entry(&mut out, "total", &self.total.to_string());
        push_text_entry(&mut out, "intent", &self.intent);
        push_entry(&mut out, "intents", &to_json(&self.intents));
        push_text_entry(&mut out, "rationale", &self.rationale);
        push_entry(&mut out, "tokens", &self.tokens.to_string());
        push_entry(&mut out, "added", &to_json(&self.added));
        push_entry(&mut out, "kept", &self.kept.to_string());
        push_entry(&mut out, "removed", &to_json(&self.removed));
        push_entry(&mut out, "updated", &to_json(&self.updated));
        push_entry(&mut out, "repacked", &self.repacked.to_string());
        push_entry(&mut out, "why", &to_json(&self.why));
        push_text_entry(&mut out, "fingerprint", &self.fingerprint);
        push_entry(&mut out, "prefix", &to_json(&self.prefix));
        push_entry(&mut out, "allowed", &to_json(&self.allowed));
        push_entry(&mut out, "hidden", &self.hidden.to_string());
        push_entry(&mut out, "cut", &to_json(&self.cut));
        let summarized: Vec<_> = self.summarized().collect();
        if !summarized.is_empty() {
            push_entry(&mut out, "summarized", &to_json(&summarized));
        }
        if !self.deferred.is_empty() {
            let text = |(place, tool): &(u32, Arc<Tool>)| if self.as_indices { place.to_string() } else { tool.json().to_owned() };
            let texts: Vec<String> = self.deferred.iter().map(text).collect();
            push_entry(&mut out, "deferred", &format!("[{}]", texts.join(",")));
        }
        if !self.override_block.is_empty() {
            push_text_entry(&mut out, "override_block", &self.override_block);
        }
        if !self.warnings.is_empty() {
            push_entry(&mut out, "warnings", &to_json(&self.warnings));
        }
        if let Some(explanation) = &self.explanation {
            push_entry(&mut out, "explanation", &to_json(explanation));
        }
        out.push('}');
        out
    }
}
