//! What the rules say of each tool.

use crate::options::{Decision, Options};
use crate::registry::Snapshot;
use crate::rules::{EmptyInclude, RuleMask};

/// The rules weighed for one set of intents.
pub(crate) struct Weighed<'a> {
    snapshot: &'a Snapshot,
    decision: Decision,
    pub applicable: RuleMask,
    visibility: RuleMask,
    form: RuleMask,
    pins: RuleMask,
    pub excludes: RuleMask,
    listing: RuleMask,
    pub whitelist: bool,
    /// Applicable includes that match no registered tool.
    pub empty_includes: Vec<usize>,
}

/// What the rules decide for one tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Verdict {
    pub visible: bool,
    /// The rule that decided; `None`: the whitelist, or that nothing speaks against it.
    pub by: Option<usize>,
    pub pinned: bool,
    /// The rule that decided its form.
    pub form: Option<usize>,
    /// Whether that rule summarizes it.
    pub summarized: bool,
}

impl<'a> Weighed<'a> {
    pub fn new(snapshot: &'a Snapshot, intents: &[String], options: &Options) -> Self {
        let rules = &snapshot.rules;
        let applicable = rules.applicable(intents);
        let includes = rules.includes.and(&applicable);
        let empty_includes: Vec<usize> = includes.iter().filter(|rule| snapshot.is_empty_include(*rule)).collect();
        let opens = |rule: usize| rules.rules[rule].empty_include == EmptyInclude::Open && snapshot.is_empty_include(rule);
        let mut listing = rules.summarizes.and(&applicable);
        listing.add(&includes);
        Weighed {
            snapshot,
            decision: options.decision,
            visibility: rules.visibility.and(&applicable),
            form: rules.form.and(&applicable),
            pins: rules.pins.and(&applicable),
            excludes: rules.excludes.and(&applicable),
            whitelist: includes.iter().any(|rule| !opens(rule)),
            listing,
            empty_includes,
            applicable,
        }
    }

    pub fn verdict(&self, tool: usize) -> Verdict {
        let row = self.snapshot.row(tool);
        match self.decision {
            Decision::Priority => self.by_priority(row),
            Decision::ExcludeWins => self.exclude_wins(row),
        }
    }

    fn by_priority(&self, row: &[u64]) -> Verdict {
        let by = self.visibility.first_in(row);
        let exclude = self.excludes.first_in(row);
        let visible = match by {
            Some(rule) => exclude != Some(rule),
            None => !self.whitelist,
        };
        let outweighs = |pin: usize, exclude: usize| self.priority(pin) > self.priority(exclude);
        let pin = self.pins.first_in(row);
        let pinned = visible && pin.is_some_and(|pin| exclude.is_none_or(|exclude| outweighs(pin, exclude)));
        let form = self.form.first_in(row);
        let summarized = form.is_some_and(|rule| self.snapshot.rules.summarizes.contains(rule));
        Verdict { visible, by, pinned, form, summarized }
    }

    /// The replaced package: an exclude always hides; include and summarize list; only include switches the whitelist on.
    fn exclude_wins(&self, row: &[u64]) -> Verdict {
        let exclude = self.excludes.first_in(row);
        let listed = self.listing.first_in(row);
        let visible = exclude.is_none() && (!self.whitelist || listed.is_some());
        Verdict { visible, by: exclude.or(listed), pinned: false, form: None, summarized: false }
    }

    fn priority(&self, rule: usize) -> i64 {
        self.snapshot.rules.rules[rule].rule.priority
    }

    /// The applicable rules that do anything, by falling priority: `action(name), …`; a sentence where there are none, or no tools.
    pub fn rationale(&self) -> String {
        if self.snapshot.tools.is_empty() {
            return "no tools registered".to_owned();
        }
        if self.applicable.is_empty() {
            return "no rules matched intent; returning all tools".to_owned();
        }
        let rules = &self.snapshot.rules;
        let named = rules.by_priority.iter().filter(|rule| self.applicable.contains(**rule)).filter_map(|rule| {
            let compiled = &rules.rules[*rule];
            Some(format!("{}({})", compiled.kind?.name(), compiled.rule.name))
        });
        format!("applied rules: {}", named.collect::<Vec<_>>().join(", "))
    }
}
