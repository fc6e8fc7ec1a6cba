//! Why a tool has its score.

use serde::Serialize;

use super::confidence::rounded;
use super::document::{Entry, ToolTerms};
use super::index::{Index, TermSet};
use super::query::{Query, UnitKind};

/// A word of the message that a tool has, or has something for.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TermHit {
    /// The word, the neighbouring words, or the type of a path or address.
    pub term: String,
    /// What the tool has in its place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<&'static str>,
    /// How it was found: `word`, `stem`, `pair`, `tag`, `synonym`, `topic`, `token_type`.
    pub by: &'static str,
    /// Where it stands in the tool.
    pub fields: Vec<&'static str>,
    /// How much the word counts.
    pub weight: f64,
    /// What it adds to the weighed score, before what the tool has of name and message as a whole.
    pub score: f64,
}

impl Index {
    /// What one tool has of what is asked for, in the order of the message.
    pub fn hits(&self, query: &Query, tool: usize, terms: &ToolTerms) -> Vec<TermHit> {
        let mut seen = TermSet::default();
        let mut hits = Vec::new();
        for unit in query.units.iter().filter(|unit| seen.insert(unit.stem)) {
            let mut best: Option<TermHit> = None;
            self.variants(unit, query, |variant| {
                let Some(posting) = variant.postings.of(tool) else { return };
                let score = f64::from(posting.impact * variant.weight * unit.weight);
                if best.as_ref().is_some_and(|best| best.score >= score) {
                    return;
                }
                let by = match (variant.stands_for, unit.kind) {
                    (Some((relation, _)), _) => relation.name(),
                    (None, UnitKind::Pair) => "pair",
                    (None, UnitKind::Tag) => "tag",
                    (None, _) if variant.is_stem => "stem",
                    (None, _) => "word",
                };
                best = Some(TermHit {
                    term: query.text(unit),
                    found: variant.stands_for.map(|(_, text)| text),
                    by,
                    fields: fields_of(terms, variant.term),
                    weight: rounded(f64::from(unit.weight * variant.weight)),
                    score,
                });
            });
            hits.extend(best.map(|hit| TermHit { score: rounded(hit.score), ..hit }));
        }
        hits
    }
}

/// Where a term stands.
fn fields_of(terms: &ToolTerms, term: u64) -> Vec<&'static str> {
    let start = terms.entries.partition_point(|entry| entry.term() < term);
    terms.entries[start..].iter().take_while(|entry| entry.term() == term).map(|entry: &Entry| entry.field().name()).collect()
}
