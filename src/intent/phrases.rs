//! Phrases as sequences of symbols, so that both ways of finding them are one search.

use std::collections::HashMap;

use super::matcher::Matcher;
use crate::go::lower;
use crate::words::each_phrase_word;

/// Phrases, ready to be found all at once.
#[derive(Debug, Clone)]
pub(super) struct PhraseIndex {
    matcher: Matcher,
    /// The symbol of each word that stands in a phrase; empty where bytes are the symbols.
    vocabulary: HashMap<Box<str>, u32>,
}

/// A word that stands in no phrase.
const UNKNOWN: u32 = u32::MAX;

impl PhraseIndex {
    /// Phrases to be found as words in a row. A phrase without any word is never found.
    pub fn of_words<'a>(phrases: impl Iterator<Item = &'a str>) -> Self {
        let mut vocabulary: HashMap<Box<str>, u32> = HashMap::new();
        let sequences: Vec<Vec<u32>> = phrases
            .map(|phrase| {
                let mut symbols = Vec::new();
                each_phrase_word(phrase, |word| {
                    let new = vocabulary.len() as u32;
                    symbols.push(*vocabulary.entry(word.into()).or_insert(new));
                });
                symbols
            })
            .collect();
        PhraseIndex { matcher: Matcher::new(&sequences), vocabulary }
    }

    /// Phrases to be found anywhere in a text, in lower case.
    pub fn of_substrings<'a>(phrases: impl Iterator<Item = &'a str>) -> Self {
        let sequences: Vec<Vec<u32>> = phrases.map(|phrase| lower(phrase).bytes().map(u32::from).collect()).collect();
        PhraseIndex { matcher: Matcher::new(&sequences), vocabulary: HashMap::new() }
    }

    /// For each phrase whether its words stand in the text in a row.
    pub fn find_words(&self, text: &str) -> Vec<bool> {
        let mut search = self.matcher.search();
        each_phrase_word(text, |word| search.next(self.vocabulary.get(word).copied().unwrap_or(UNKNOWN)));
        search.found()
    }

    /// For each phrase whether it stands in the text.
    pub fn find_substrings(&self, text: &str) -> Vec<bool> {
        let mut search = self.matcher.search();
        lower(text).bytes().for_each(|byte| search.next(u32::from(byte)));
        search.found()
    }
}
