//! What is fixed when a broker is made: a profile, and one switch for each thing in which the profiles differ.

use crate::document::{Reader, parse_json};
use crate::error::{Code, Result};
use crate::rank::Weights;
use crate::rules::EmptyInclude;

/// Declares an enum whose values have names in JSON.
macro_rules! switch {
    ($(#[$about:meta])* $name:ident { $($(#[$value_about:meta])* $value:ident = $text:literal),+ $(,)? }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $name { $($(#[$value_about])* $value),+ }
        impl $name {
            /// The values by their names in JSON.
            pub const NAMES: &[(&str, Self)] = &[$(($text, Self::$value)),+];
        }
    };
}

switch! {
    /// A named set of values for all switches.
    Profile {
        /// The library's own behaviour.
        Standard = "standard",
        /// Exactly as the Go package `broker` 0.2.
        Go02 = "go-0.2",
    }
}
switch! {
    /// What registering the same (server, name) again does.
    Identity {
        /// It takes the place of the first.
        Replace = "replace",
        /// It stands beside the first.
        Append = "append",
    }
}
switch! {
    /// What happens to a tool that cannot be read as one.
    BadTools {
        /// It is refused, by name, in the report.
        Refuse = "refuse",
        /// It is taken as far as it can be read.
        Accept = "accept",
    }
}
switch! {
    /// The JSON in which a tool comes out.
    ToolJson {
        /// As it came in.
        Kept = "kept",
        /// The six known keys as Go's `encoding/json` writes them.
        Go = "go",
    }
}
switch! {
    /// How rules are weighed.
    Decision {
        /// The strongest rule decides.
        Priority = "priority",
        /// An exclude always hides.
        ExcludeWins = "exclude_wins",
    }
}
switch! {
    /// How a rule's intent meets the request's.
    IntentNames {
        /// Case, `-`, `_`, `.` and space are alike.
        Folded = "folded",
        /// Character by character.
        Exact = "exact",
    }
}
switch! {
    /// The pattern language of rules.
    Patterns {
        /// A name is an opaque text.
        Names = "names",
        /// Go's `path.Match`, or a literal prefix before a last `*`.
        Path = "path",
    }
}
switch! {
    /// How rule texts are read.
    RuleReading {
        /// Every fault is an error.
        Strict = "strict",
        /// As Go reads them.
        Go = "go",
    }
}
switch! {
    /// How intent phrases are found in a message.
    Phrases {
        /// As whole words.
        Words = "words",
        /// Anywhere in the lower-cased text.
        Substring = "substring",
    }
}
switch! {
    /// What a request's hints do.
    RequestHints {
        /// They raise what they name.
        Raise = "raise",
        /// Nothing.
        Ignore = "ignore",
    }
}
switch! {
    /// Which intents a message brings where the request has none.
    MessageIntent {
        /// The best one found.
        Best = "best",
        /// Every one found.
        All = "all",
        /// None.
        None = "none",
    }
}
switch! {
    /// The order of a selection.
    Order {
        /// By how well a tool fits, then by (server, name).
        Rank = "rank",
        /// As registered.
        Registered = "registered",
    }
}
switch! {
    /// What a budget drops.
    BudgetCut {
        /// What does not fit, in order of rank.
        Fill = "fill",
        /// From the end until the rest fits; the first always stays.
        FromEnd = "from_end",
    }
}
switch! {
    /// The keys of a selection's JSON.
    AnswerKeys {
        /// All of them.
        Full = "full",
        /// Those of the replaced package.
        Go = "go",
    }
}
switch! {
    /// What the enricher is asked for.
    EnricherAsks {
        /// Server and name.
        Pairs = "pairs",
        /// The name alone.
        Names = "names",
    }
}

switch! {
    /// Which limits hold.
    LimitsHeld {
        /// Every one.
        All = "all",
        /// Those that keep the process safe; numbers and lengths of tools, rules and lists are bounded by memory alone.
        Process = "process",
    }
}

const EMPTY_INCLUDE: &[(&str, EmptyInclude)] = &[("open", EmptyInclude::Open), ("closed", EmptyInclude::Closed)];

/// A broker's options. Made by [`Options::standard`] or [`Options::go_0_2`] and changed field by field, or read from JSON.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// Where the other values come from.
    pub profile: Profile,
    /// See [`Identity`].
    pub identity: Identity,
    /// See [`BadTools`].
    pub bad_tools: BadTools,
    /// See [`ToolJson`].
    pub tool_json: ToolJson,
    /// See [`Decision`].
    pub decision: Decision,
    /// What an `include` that matches no tool does, unless it says so itself.
    pub empty_include: EmptyInclude,
    /// See [`IntentNames`].
    pub intent_names: IntentNames,
    /// See [`Patterns`].
    pub patterns: Patterns,
    /// See [`RuleReading`].
    pub rule_reading: RuleReading,
    /// See [`Phrases`].
    pub phrases: Phrases,
    /// See [`RequestHints`].
    pub hints: RequestHints,
    /// See [`MessageIntent`].
    pub message_intent: MessageIntent,
    /// See [`Order`].
    pub order: Order,
    /// See [`BudgetCut`].
    pub budget: BudgetCut,
    /// See [`AnswerKeys`].
    pub answer: AnswerKeys,
    /// See [`EnricherAsks`].
    pub enricher_asks: EnricherAsks,
    /// Whether the enricher is asked for all tools in one call.
    pub enricher_batch: bool,
    /// See [`LimitsHeld`].
    pub limits: LimitsHeld,
    /// The numbers of the score.
    pub ranking: Weights,
}

impl Default for Options {
    fn default() -> Self {
        Self::standard()
    }
}

impl Options {
    /// Profile `standard`.
    pub fn standard() -> Self {
        Options {
            profile: Profile::Standard,
            identity: Identity::Replace,
            bad_tools: BadTools::Refuse,
            tool_json: ToolJson::Kept,
            decision: Decision::Priority,
            empty_include: EmptyInclude::Open,
            intent_names: IntentNames::Folded,
            patterns: Patterns::Names,
            rule_reading: RuleReading::Strict,
            phrases: Phrases::Words,
            hints: RequestHints::Raise,
            message_intent: MessageIntent::Best,
            order: Order::Rank,
            budget: BudgetCut::Fill,
            answer: AnswerKeys::Full,
            enricher_asks: EnricherAsks::Pairs,
            enricher_batch: true,
            limits: LimitsHeld::All,
            ranking: Weights::default(),
        }
    }

    /// Profile `go-0.2`.
    pub fn go_0_2() -> Self {
        Options {
            profile: Profile::Go02,
            identity: Identity::Append,
            bad_tools: BadTools::Accept,
            tool_json: ToolJson::Go,
            decision: Decision::ExcludeWins,
            empty_include: EmptyInclude::Closed,
            intent_names: IntentNames::Exact,
            patterns: Patterns::Path,
            rule_reading: RuleReading::Go,
            phrases: Phrases::Substring,
            hints: RequestHints::Ignore,
            message_intent: MessageIntent::None,
            order: Order::Registered,
            budget: BudgetCut::FromEnd,
            answer: AnswerKeys::Go,
            enricher_asks: EnricherAsks::Names,
            enricher_batch: false,
            limits: LimitsHeld::Process,
            ranking: Weights::default(),
        }
    }

    /// The options of a profile.
    pub fn of(profile: Profile) -> Self {
        match profile {
            Profile::Standard => Self::standard(),
            Profile::Go02 => Self::go_0_2(),
        }
    }

    /// A limit on numbers and lengths, where such limits hold.
    pub(crate) fn bound(&self, limit: usize) -> usize {
        match self.limits {
            LimitsHeld::All => limit,
            LimitsHeld::Process => usize::MAX,
        }
    }

    /// Reads options from a JSON object; an empty text is the default.
    ///
    /// # Errors
    /// `invalid_json` for text that is not JSON, `invalid_options` for an unknown key or value, with every fault and its place.
    pub fn from_json(text: &str) -> Result<Self> {
        if text.trim().is_empty() {
            return Ok(Self::default());
        }
        let document = parse_json(text)?;
        let mut reader = Reader::new(Code::InvalidOptions);
        let keys = [
            "profile",
            "identity",
            "bad_tools",
            "tool_json",
            "decision",
            "empty_include",
            "intent_names",
            "patterns",
            "rule_reading",
            "phrases",
            "hints",
            "message_intent",
            "order",
            "budget",
            "answer",
            "enricher_asks",
            "enricher_batch",
            "limits",
            "ranking",
        ];
        let fields = reader.object(&document, "", &keys);
        let mut options = Self::default();
        if let Some(profile) = fields.choice(&mut reader, "profile", Profile::NAMES) {
            options = Self::of(profile);
        }
        macro_rules! read {
            ($($field:ident: $choices:expr),+ $(,)?) => {
                $(options.$field = fields.choice(&mut reader, stringify!($field), $choices).unwrap_or(options.$field);)+
            };
        }
        read!(
            identity: Identity::NAMES,
            bad_tools: BadTools::NAMES,
            tool_json: ToolJson::NAMES,
            decision: Decision::NAMES,
            empty_include: EMPTY_INCLUDE,
            intent_names: IntentNames::NAMES,
            patterns: Patterns::NAMES,
            rule_reading: RuleReading::NAMES,
            phrases: Phrases::NAMES,
            hints: RequestHints::NAMES,
            message_intent: MessageIntent::NAMES,
            order: Order::NAMES,
            budget: BudgetCut::NAMES,
            answer: AnswerKeys::NAMES,
            enricher_asks: EnricherAsks::NAMES,
            limits: LimitsHeld::NAMES,
        );
        if let Some(node) = fields.get("enricher_batch") {
            options.enricher_batch = reader.bool(node, "enricher_batch").unwrap_or(options.enricher_batch);
        }
        if let Some(node) = fields.get("ranking") {
            options.ranking.read(&mut reader, node, "ranking");
        }
        reader.finish(options)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_switch_wins_over_the_profile() {
        let options = Options::from_json(r#"{"patterns":"names","profile":"go-0.2","order":null}"#).unwrap();
        assert_eq!(options, Options { patterns: Patterns::Names, ..Options::go_0_2() });
    }

    #[test]
    fn an_unknown_value_names_the_nearest() {
        let error = Options::from_json(r#"{"profile":"standrad"}"#).unwrap_err();
        assert_eq!((error.code, error.message.as_str()), (Code::InvalidOptions, "unknown profile `standrad`"));
        assert_eq!(error.hint.as_deref(), Some("did you mean `standard`?"));
    }
}
