//! How much each word of a message tells about the tools that are meant.
//!
//! `tables/word_weights.txt` is learned from messages and the tools that are right for them: a word that stands in messages, but rarely in the tools that are right for them
//! (`comprehensive`, `platform`), weighs little; one that nearly always does (`translate`) weighs much.

use super::document::stem_number;

/// Weights of stems, by their numbers.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct WordWeights(Vec<(u64, f64)>);

impl WordWeights {
    /// The table that the library carries.
    pub fn built_in() -> Self {
        let table = include_str!("tables/word_weights.txt");
        let lines = table.lines().filter(|line| !line.starts_with('#'));
        Self::new(lines.map(|line| {
            let (stem, weight) = line.split_once(' ').expect("a line is a stem and its weight");
            (stem, weight.parse().expect("a weight is a number"))
        }))
    }

    /// A table of stems and weights.
    pub fn new<'a>(entries: impl IntoIterator<Item = (&'a str, f64)>) -> Self {
        let mut weights: Vec<(u64, f64)> = entries.into_iter().map(|(stem, weight)| (stem_number(stem), weight)).collect();
        weights.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        WordWeights(weights)
    }

    /// The weight of a stem, where it is listed.
    pub fn of(&self, stem: u64) -> Option<f64> {
        self.0.binary_search_by_key(&stem, |(number, _)| *number).ok().map(|at| self.0[at].1)
    }
}
