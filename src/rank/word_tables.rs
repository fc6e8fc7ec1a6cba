//! What is known of words: how much each tells, and what stands for what.

use std::sync::LazyLock;

use super::thesaurus::{Expansion, Thesaurus};
use super::word_weights::WordWeights;

/// The tables that messages are read with.
#[derive(Debug, Clone, PartialEq)]
pub struct WordTables {
    weights: WordWeights,
    thesaurus: Thesaurus,
}

static BUILT_IN: LazyLock<WordTables> =
    LazyLock::new(|| WordTables { weights: WordWeights::built_in(), thesaurus: Thesaurus::read(|_| true) });

impl WordTables {
    /// The tables that the library carries.
    pub fn built_in() -> &'static WordTables {
        &BUILT_IN
    }

    /// Tables with these weights of stems, and those synonyms, topics and words for token types that `keep` keeps.
    pub fn new<'a>(weights: impl IntoIterator<Item = (&'a str, f64)>, keep: impl Fn(&str) -> bool) -> Self {
        WordTables { weights: WordWeights::new(weights), thesaurus: Thesaurus::read(keep) }
    }

    /// Every synonym, topic and word for a token type that the library's tables have, as it is written: a word, or words joined by `_`.
    pub fn entries() -> impl Iterator<Item = &'static str> {
        Thesaurus::entries()
    }

    /// The weight of a stem, where it is listed.
    pub(super) fn weight(&self, stem: u64) -> Option<f64> {
        self.weights.of(stem)
    }

    /// What a stem, a sequence of stems or a token type stands for.
    pub(super) fn expansions(&self, number: u64) -> &[Expansion] {
        self.thesaurus.of(number)
    }
}
