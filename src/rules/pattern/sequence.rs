//! Patterns without alternatives.

use super::fold::{Fold, fold_char};
use super::set::Set;

/// One part of a pattern.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Item {
    /// This character, folded.
    Char(char),
    /// `?`
    Any,
    Set(Set),
    /// `*`
    Run,
}

impl Item {
    /// Whether this folded character may stand here.
    pub fn takes(&self, folded: char, fold: Fold) -> bool {
        match self {
            Item::Char(wanted) => *wanted == folded,
            Item::Any | Item::Run => true,
            Item::Set(set) => set.fits(folded, fold),
        }
    }
}

/// Whether the whole name fits. Where it goes wrong only the latest `*` has to take one more character: what the ones before it took is never
/// worth another try, so that the time stays within items times characters.
pub(super) fn fits(items: &[Item], name: &str, fold: Fold) -> bool {
    if let [Item::Run] = items {
        return true;
    }
    let (mut at, mut rest) = (0, name.chars());
    let mut retry = None;
    loop {
        if items.get(at) == Some(&Item::Run) {
            at += 1;
            retry = Some((at, rest.clone()));
            continue;
        }
        let mut ahead = rest.clone();
        let next = ahead.next();
        let fits_here = match (items.get(at), next) {
            (None, None) => return true,
            (Some(item), Some(c)) => item.takes(fold_char(c, fold), fold),
            _ => false,
        };
        if fits_here {
            (at, rest) = (at + 1, ahead);
            continue;
        }
        let Some((after_run, taken)) = &mut retry else { return false };
        if taken.next().is_none() {
            return false;
        }
        (at, rest) = (*after_run, taken.clone());
    }
}
