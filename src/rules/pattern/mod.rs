//! The pattern language `names`: a name is an opaque text, and the whole of it must fit.
//!
//! `*` is any run of characters, `?` any one, `[a-z]`, `[!a]` and `[^a]` one of a set, `{a,b}` one of several, `\` takes the next character as
//! it is, and a leading `!` says that the pattern takes away. Matching takes time in proportion to pattern times name, whatever both are.

mod fold;
mod program;
mod read;
mod sequence;
mod set;

pub(crate) use fold::{Fold, folded};

use crate::limits;
use program::Program;
use sequence::Item;

/// A compiled pattern.
#[derive(Debug, Clone)]
pub(crate) struct Pattern {
    takes_away: bool,
    fold: Fold,
    /// What every fitting name begins with, folded.
    prefix: Box<str>,
    rest: Rest,
}

/// What follows the prefix. Most patterns have no alternatives and need no state sets.
#[derive(Debug, Clone)]
enum Rest {
    Sequence(Box<[Item]>),
    Program(Program),
}

/// Why a text is no pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Malformed {
    /// One line.
    pub message: String,
    /// The character at fault, counted from 0.
    pub at: usize,
    /// What to write instead, where that is known.
    pub hint: Option<String>,
}

impl Malformed {
    fn new(at: usize, message: impl Into<String>, hint: impl Into<Option<&'static str>>) -> Self {
        Malformed { message: message.into(), at, hint: hint.into().map(str::to_owned) }
    }
}

impl Pattern {
    /// Compiles a pattern of at most [`limits::PATTERN_BYTES`] bytes.
    ///
    /// Malformed are: nothing at all, `!` alone, an unclosed `[` or `{`, an empty set (`]` always closes, also right behind `[`), a range that
    /// runs backwards, `\` at the end, and braces nested deeper than 16.
    pub fn new(text: &str, fold: Fold) -> Result<Pattern, Malformed> {
        if text.len() > limits::PATTERN_BYTES {
            let message = format!("the pattern has {} bytes, {} are allowed", text.len(), limits::PATTERN_BYTES);
            return Err(Malformed::new(0, message, "split it into several patterns"));
        }
        let parsed = read::read(text, fold)?;
        let rest = match Program::new(parsed.steps) {
            Ok(program) => Rest::Program(program),
            Err(items) => Rest::Sequence(items),
        };
        Ok(Pattern { takes_away: parsed.takes_away, fold, prefix: parsed.prefix.into(), rest })
    }

    /// Whether it begins with `!`. An escaped `\!` is a character like any other.
    pub fn takes_away(&self) -> bool {
        self.takes_away
    }

    /// Whether the whole name fits, a leading `!` of the pattern aside.
    pub fn fits(&self, name: &str) -> bool {
        let Some(rest) = fold::strip_prefix(name, &self.prefix, self.fold) else { return false };
        match &self.rest {
            Rest::Sequence(items) => sequence::fits(items, rest, self.fold),
            Rest::Program(program) => program.fits(rest, self.fold),
        }
    }
}

#[cfg(test)]
mod tests;
