//! What a message is for: named purposes, found by their phrases. The table is data that a host replaces or extends.

use std::collections::{HashMap, HashSet};

use serde::Serialize;

use crate::go::lower::lower;
use crate::options::Phrases;
use crate::words::phrase_words;

/// A purpose that was found in a message.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Intent {
    /// The intent's name.
    pub name: String,
    /// From 0 to 1: the share of the intent's phrases that were found, plus 0.1 for each found phrase of two words or more.
    pub confidence: f64,
    /// The phrases that were found, in the order of the table.
    pub keywords: Vec<String>,
}

/// Intents and their phrases, in order.
#[derive(Debug)]
pub struct IntentTable {
    entries: Vec<(String, Vec<String>)>,
    /// Phrases as words, by their first word: intent, phrase, the words that follow.
    by_first_word: HashMap<String, Vec<(usize, usize, Vec<String>)>>,
}

impl IntentTable {
    /// The table of the replaced package: 21 intents, 154 phrases.
    pub fn built_in() -> Self {
        let text = include_str!("table.json");
        let entries = crate::json::Entries::read(text).expect("the built-in table is an object").0;
        let phrases = |text: &str| serde_json::from_str(text).expect("the built-in table holds lists of texts");
        IntentTable::new(entries.into_iter().map(|(name, list)| (name, phrases(list))).collect())
    }

    /// A table of these intents. Phrases are not empty; an intent stands once.
    pub fn new(entries: Vec<(String, Vec<String>)>) -> Self {
        let mut by_first_word: HashMap<String, Vec<(usize, usize, Vec<String>)>> = HashMap::new();
        for (intent, (_, phrases)) in entries.iter().enumerate() {
            for (at, phrase) in phrases.iter().enumerate() {
                let mut words = phrase_words(phrase);
                if let Some(first) = words.next() {
                    by_first_word.entry(first).or_default().push((intent, at, words.collect()));
                }
            }
        }
        IntentTable { entries, by_first_word }
    }

    /// This table with more phrases: a known intent gets those it does not have, a new one goes to the end.
    pub fn extended(&self, more: Vec<(String, Vec<String>)>) -> Self {
        let mut entries = self.entries.clone();
        for (name, phrases) in more {
            match entries.iter_mut().find(|(known, _)| *known == name) {
                Some((_, known)) => {
                    let have: HashSet<String> = known.iter().cloned().collect();
                    known.extend(phrases.into_iter().filter(|phrase| !have.contains(phrase)));
                }
                None => entries.push((name, phrases)),
            }
        }
        IntentTable::new(entries)
    }

    /// The intents and their phrases, in order.
    pub fn entries(&self) -> impl Iterator<Item = (&str, &[String])> {
        self.entries.iter().map(|(name, phrases)| (name.as_str(), phrases.as_slice()))
    }

    /// The intents found in a message, by falling confidence, then name.
    pub fn detect(&self, message: &str, phrases: Phrases) -> Vec<Intent> {
        let hits = match phrases {
            Phrases::Words => self.whole_words(message),
            Phrases::Substring => self.substrings(message),
        };
        let mut found: Vec<Intent> = hits.into_iter().map(|(intent, phrases)| self.found(intent, phrases)).collect();
        found.sort_by(|a, b| b.confidence.total_cmp(&a.confidence).then_with(|| a.name.cmp(&b.name)));
        found
    }

    fn found(&self, intent: usize, hits: Vec<usize>) -> Intent {
        let (name, phrases) = &self.entries[intent];
        let mut confidence = hits.len() as f64 / phrases.len() as f64;
        for hit in &hits {
            if phrases[*hit].split_whitespace().nth(1).is_some() {
                // One by one: the order of additions shows in the last digit.
                confidence += 0.1;
            }
        }
        let keywords = hits.into_iter().map(|hit| phrases[hit].clone()).collect();
        Intent { name: name.clone(), confidence: confidence.min(1.0), keywords }
    }

    fn substrings(&self, message: &str) -> Vec<(usize, Vec<usize>)> {
        if message.trim().is_empty() {
            return Vec::new();
        }
        let text = lower(message);
        let hits = |phrases: &[String]| (0..phrases.len()).filter(|at| text.contains(&phrases[*at])).collect::<Vec<_>>();
        self.entries.iter().map(|(_, phrases)| hits(phrases)).enumerate().filter(|(_, hits)| !hits.is_empty()).collect()
    }

    fn whole_words(&self, message: &str) -> Vec<(usize, Vec<usize>)> {
        let words: Vec<String> = phrase_words(message).collect();
        let mut hits: Vec<(usize, usize)> = Vec::new();
        let mut seen = HashSet::new();
        for (at, word) in words.iter().enumerate() {
            for (intent, phrase, rest) in self.by_first_word.get(word).into_iter().flatten() {
                if words[at + 1..].starts_with(rest) && seen.insert((*intent, *phrase)) {
                    hits.push((*intent, *phrase));
                }
            }
        }
        hits.sort_unstable();
        let mut grouped: Vec<(usize, Vec<usize>)> = Vec::new();
        for (intent, phrase) in hits {
            match grouped.last_mut() {
                Some((last, phrases)) if *last == intent => phrases.push(phrase),
                _ => grouped.push((intent, vec![phrase])),
            }
        }
        grouped
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(table: &IntentTable, message: &str) -> Vec<String> {
        table.detect(message, Phrases::Words).into_iter().map(|intent| intent.name).collect()
    }

    #[test]
    fn the_built_in_table_is_whole() {
        let table = IntentTable::built_in();
        assert_eq!((table.entries().count(), table.entries().map(|(_, phrases)| phrases.len()).sum::<usize>()), (21, 154));
        assert_eq!(table.entries().next().unwrap().0, "create-task");
    }

    #[test]
    fn only_whole_words_fire_with_plurals_folded() {
        let table = IntentTable::built_in();
        assert!(names(&table, "shopping, recalled an acronym of the deployment").is_empty());
        assert_eq!(names(&table, "ping it"), ["check-health"]);
        assert_eq!(names(&table, "Run the unit test"), ["run-tests"]);
    }

    #[test]
    fn a_phrase_without_spaces_is_found_inside_a_run() {
        let table = IntentTable::built_in().extended(vec![("run-build".into(), vec!["ビルド".into()])]);
        let found = table.detect("今すぐビルドしてください", Phrases::Words);
        assert_eq!((found[0].name.as_str(), &found[0].keywords), ("run-build", &vec!["ビルド".to_owned()]));
    }

    #[test]
    fn extending_keeps_order_and_drops_doubles() {
        let table = IntentTable::new(vec![("a".into(), vec!["x".into()])]);
        let table = table.extended(vec![("b".into(), vec!["z".into()]), ("a".into(), vec!["x".into(), "y".into()])]);
        let entries: Vec<_> = table.entries().map(|(name, phrases)| format!("{name}:{}", phrases.join(","))).collect();
        assert_eq!(entries, ["a:x,y", "b:z"]);
    }
}
