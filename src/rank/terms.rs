//! What of a tool the score looks at, as sorted numbers.

use super::hash::{hash, join};
use crate::words::{NameTerms, each_name_token, each_search_term, key, name_terms};

/// A tool's terms. Made once, when the tool is registered.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ToolTerms {
    /// The numbers of all terms, ascending; the lowest bits say where a term stands.
    pub(super) terms: Box<[u64]>,
    /// The tags, whole, ascending.
    pub(super) tags: Box<[u64]>,
    /// The name, whole.
    pub(super) name: u64,
    /// The name as it would stand inside a message; `None` where it has one part only and is too easily met there.
    pub(super) name_inside: Option<u64>,
}

/// A term's number without the bits that say where it stands.
pub(super) const TERM: u64 = !3;
/// The term stands in the name.
pub(super) const IN_NAME: u64 = 1;
/// The term stands in title or description.
pub(super) const IN_TEXT: u64 = 2;

/// Tokens of a message that a name may stretch over, since names may hold spaces and other marks.
pub(super) const NAME_TOKENS: usize = 4;

impl ToolTerms {
    /// The terms of a tool, from what it is called and what is said of it.
    pub fn new(name: &str, title: &str, description: &str, tags: &[String]) -> Self {
        let NameTerms { terms: in_name, parts } = name_terms(name);
        let mut terms: Vec<u64> = in_name.iter().map(|term| term_number(term) | IN_NAME).collect();
        for text in [title, description] {
            each_search_term(text, |term| terms.push(term_number(term.folded) | IN_TEXT));
        }
        terms.sort_unstable();
        terms.dedup_by(|later, first| {
            let same = *later & TERM == *first & TERM;
            if same {
                *first |= *later;
            }
            same
        });
        let mut tags: Vec<u64> = tags.iter().map(|tag| hash(&key(tag))).collect();
        tags.sort_unstable();
        tags.dedup();
        let name_inside = if parts < 2 { None } else { number_inside(name) };
        ToolTerms { terms: terms.into(), tags: tags.into(), name: hash(&key(name)), name_inside }
    }

    /// Whether a term stands in the name.
    pub(super) fn has_in_name(&self, number: u64) -> bool {
        let from = self.terms.partition_point(|term| term & TERM < number);
        self.terms.get(from).is_some_and(|term| term & TERM == number && term & IN_NAME != 0)
    }
}

/// The number by which a term is compared.
pub(super) fn term_number(term: &str) -> u64 {
    hash(term) & TERM
}

fn number_inside(name: &str) -> Option<u64> {
    let mut tokens = Vec::new();
    each_name_token(name, |token| tokens.push(hash(token)));
    (tokens.len() <= NAME_TOKENS).then(|| tokens.into_iter().reduce(join))?
}
