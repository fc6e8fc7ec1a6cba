//! Intents: named purposes of a message, found by phrases.

mod matcher;
mod phrases;

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use serde::Serialize;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};

use crate::error::{Code, Error, Result};
use crate::limits;
use crate::options::Phrases;
use crate::words::each_phrase_word;
use phrases::PhraseIndex;

/// An intent that was found in a message.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Intent {
    /// The intent's name.
    pub name: String,
    /// Phrases found / phrases of the intent, plus 0.1 for each found phrase of two words or more, at most 1.
    pub confidence: f64,
    /// The phrases found, in table order.
    pub keywords: Vec<String>,
}

/// Names and their phrases, in order. It does not change; what is needed for finding is made when a message is first looked at.
#[derive(Debug, Clone, Default)]
pub struct IntentTable {
    entries: Vec<(String, Vec<String>)>,
    words: OnceLock<PhraseIndex>,
    substrings: OnceLock<PhraseIndex>,
}

impl IntentTable {
    /// The built-in table: 21 intents, 154 phrases.
    pub fn built_in() -> Self {
        let entries: Entries = serde_json::from_str(include_str!("table.json")).expect("the built-in table is well-formed");
        IntentTable::new(entries.0)
    }

    /// A table of these intents, in this order. A name that comes twice is one intent with the phrases of both; a phrase counts once an intent.
    pub fn new(entries: Vec<(String, Vec<String>)>) -> Self {
        IntentTable::default().extended(entries)
    }

    /// The table with more: a known name gets the phrases that it does not have yet, a new one goes to the end.
    pub fn extended(&self, entries: Vec<(String, Vec<String>)>) -> Self {
        let mut all = self.entries.clone();
        let mut places: HashMap<String, usize> = all.iter().enumerate().map(|(place, (name, _))| (name.clone(), place)).collect();
        for (name, phrases) in entries {
            let place = *places.entry(name).or_insert_with_key(|name| {
                all.push((name.clone(), Vec::new()));
                all.len() - 1
            });
            let known = &mut all[place].1;
            let mut seen: HashSet<String> = known.iter().cloned().collect();
            known.extend(phrases.into_iter().filter(|phrase| seen.insert(phrase.clone())));
        }
        IntentTable { entries: all, ..IntentTable::default() }
    }

    /// Every intent and its phrases, in order.
    pub fn entries(&self) -> impl Iterator<Item = (&str, &[String])> {
        self.entries.iter().map(|(name, phrases)| (name.as_str(), phrases.as_slice()))
    }

    /// The intents of a message, by falling confidence, then by name. Time is in proportion to message plus table.
    pub fn detect(&self, message: &str, phrases: Phrases) -> Vec<Intent> {
        if message.trim().is_empty() {
            return Vec::new();
        }
        let texts = || self.entries.iter().flat_map(|(_, phrases)| phrases).map(String::as_str);
        let found = match phrases {
            Phrases::Words => self.words.get_or_init(|| PhraseIndex::of_words(texts())).find_words(message),
            Phrases::Substring => self.substrings.get_or_init(|| PhraseIndex::of_substrings(texts())).find_substrings(message),
        };
        let mut intents = Vec::new();
        let mut found = found.into_iter();
        for (name, phrases) in &self.entries {
            let keywords: Vec<&String> = phrases.iter().zip(found.by_ref()).filter(|(_, found)| *found).map(|(phrase, _)| phrase).collect();
            if !keywords.is_empty() {
                intents.push(Intent {
                    name: name.clone(),
                    confidence: confidence(&keywords, phrases.len()),
                    keywords: keywords.into_iter().cloned().collect(),
                });
            }
        }
        intents.sort_by(|a, b| b.confidence.total_cmp(&a.confidence).then_with(|| a.name.cmp(&b.name)));
        intents
    }
}

/// What is wrong with a phrase, if anything: it is longer than the limit or has no word by which it could be found.
pub(crate) fn phrase_fault(phrase: &str) -> Option<Error> {
    if phrase.len() > limits::PHRASE_BYTES {
        let message = format!("a phrase of {} bytes, the limit is {}", phrase.len(), limits::PHRASE_BYTES);
        return Some(Error::new(Code::TooLarge, message));
    }
    let mut has_word = false;
    each_phrase_word(phrase, |_| has_word = true);
    (!has_word).then(|| Error::new(Code::InvalidIntents, "a phrase without a word"))
}

/// Checks a table that a program made.
pub(crate) fn check(entries: &[(String, Vec<String>)]) -> Result<()> {
    for (name, phrases) in entries {
        if name.is_empty() {
            return Err(Error::new(Code::InvalidIntents, "an intent needs a name").with_path("intents"));
        }
        for (at, phrase) in phrases.iter().enumerate() {
            if let Some(fault) = phrase_fault(phrase) {
                return Err(fault.with_path(format!("intents.{name}[{at}]")));
            }
        }
    }
    Ok(())
}

/// The bonus is added phrase by phrase: the order of additions shows in the last digit.
fn confidence(found: &[&String], of: usize) -> f64 {
    let mut confidence = found.len() as f64 / of as f64;
    for phrase in found {
        if phrase.split_whitespace().nth(1).is_some() {
            confidence += 0.1;
        }
    }
    confidence.min(1.0)
}

/// A JSON object of phrases by name, in the order in which it is written.
struct Entries(Vec<(String, Vec<String>)>);

impl<'de> Deserialize<'de> for Entries {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;

        impl<'de> Visitor<'de> for InOrder {
            type Value = Entries;

            fn expecting(&self, formatter: &mut std::fmt::Formatter) -> std::fmt::Result {
                formatter.write_str("an object of lists of phrases")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entries, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Entries(entries))
            }
        }

        deserializer.deserialize_map(InOrder)
    }
}

#[cfg(test)]
mod tests;
