//! `[…]`: one character of a set.

use super::fold::{Fold, SEPARATORS};

/// Ranges of characters as written, and whether the set is everything else.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Set {
    pub negated: bool,
    pub ranges: Vec<(char, char)>,
}

impl Set {
    /// Whether a folded character is one of the set: under a fold it is when any of the characters that fold to it is named, so that `[A-Z]`
    /// and `[a-z]` are the same.
    pub fn fits(&self, folded: char, fold: Fold) -> bool {
        let named = match fold {
            Fold::Exact => self.names(folded),
            Fold::Intent if folded == SEPARATORS[0] => SEPARATORS.into_iter().any(|c| self.names(c)),
            Fold::Case | Fold::Intent => self.names(folded) || upper(folded).is_some_and(|c| self.names(c)),
        };
        named != self.negated
    }

    fn names(&self, c: char) -> bool {
        self.ranges.iter().any(|(from, to)| (*from..=*to).contains(&c))
    }
}

/// The upper-case character, where it is one.
fn upper(c: char) -> Option<char> {
    let mut upper = c.to_uppercase();
    upper.next().filter(|_| upper.len() == 0)
}
