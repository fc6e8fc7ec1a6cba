//! Which differences between a pattern and a name do not count.

/// How names are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fold {
    /// Character by character.
    Exact,
    /// Without regard to case (Unicode simple lower-casing).
    Case,
    /// As `Case`, and `-`, `_`, `.` and space are one character.
    Intent,
}

/// What `Fold::Intent` takes for the same character.
pub(super) const SEPARATORS: [char; 4] = ['-', '_', '.', ' '];

/// A name in the form in which it is compared: two names are equal under a fold when their folded forms are.
pub(crate) fn folded(name: &str, fold: Fold) -> String {
    name.chars().map(|c| fold_char(c, fold)).collect()
}

pub(super) fn fold_char(c: char, fold: Fold) -> char {
    match fold {
        Fold::Exact => c,
        Fold::Intent if SEPARATORS.contains(&c) => SEPARATORS[0],
        Fold::Case | Fold::Intent if c.is_ascii() => c.to_ascii_lowercase(),
        Fold::Case | Fold::Intent => c.to_lowercase().next().unwrap_or(c),
    }
}

/// What follows a prefix that is folded already.
pub(super) fn strip_prefix<'a>(name: &'a str, prefix: &str, fold: Fold) -> Option<&'a str> {
    if fold == Fold::Exact {
        return name.strip_prefix(prefix);
    }
    let mut rest = name.chars();
    prefix.chars().all(|wanted| rest.next().is_some_and(|c| fold_char(c, fold) == wanted)).then_some(rest.as_str())
}
