//! Words that stand for other words: synonyms, topics, and what token types call for.
//!
//! The tables are text, one entry a line. They are looked at with the stems of words, so that one form of a word is enough.

use super::document::{sequence_number, stem_number};
use super::hash::hash;
use super::token_type;
use crate::words::{Language, each_search_term};

/// Groups of words that mean the same.
const SYNONYMS: &str = include_str!("tables/synonyms.txt");
/// Words of tools, and behind a colon words of messages that call for them.
const TOPICS: &str = include_str!("tables/topics.txt");
/// The same for token types.
const TOKEN_TYPES: &str = include_str!("tables/token_types.txt");

/// How a word came to stand for another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Relation {
    Synonym,
    Topic,
    TokenType,
}

impl Relation {
    /// As explanations name it.
    pub fn name(self) -> &'static str {
        match self {
            Relation::Synonym => "synonym",
            Relation::Topic => "topic",
            Relation::TokenType => "token_type",
        }
    }
}

/// A term of tools that a term of a message stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Expansion {
    /// The number of the term that stands for it.
    from: u64,
    pub relation: Relation,
    /// The number of the term: a stem, or two stems in a row.
    pub term: u64,
    /// As the table has it.
    pub text: &'static str,
}

/// What stands for what.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Thesaurus {
    /// By the number that stands for the others.
    expansions: Vec<Expansion>,
    /// For each leading byte of a number, where the numbers that begin with it start.
    starts: Vec<u32>,
}

impl Thesaurus {
    /// The entries of the tables that are kept; `keep` is asked for each as it is written.
    pub fn read(keep: impl Fn(&str) -> bool) -> Self {
        let terms = |entries: &'static str| -> Vec<(u64, &'static str)> {
            entries.split_whitespace().filter(|entry| keep(entry)).filter_map(term).collect()
        };
        let mut all = Vec::new();
        for line in lines(SYNONYMS) {
            let group = terms(line);
            for (from, _) in &group {
                add(&mut all, *from, Relation::Synonym, &group);
            }
        }
        for line in lines(TOPICS) {
            let (tools, messages) = parts(line);
            let tools = terms(tools);
            terms(messages).into_iter().for_each(|(from, _)| add(&mut all, from, Relation::Topic, &tools));
        }
        for line in lines(TOKEN_TYPES) {
            let (tools, types) = parts(line);
            let tools = terms(tools);
            types.split_whitespace().for_each(|name| add(&mut all, token_type::number(name), Relation::TokenType, &tools));
        }
        // A synonym counts more than a topic and stands first.
        all.sort_unstable_by_key(|expansion| (expansion.from, expansion.term, expansion.relation, expansion.text));
        all.dedup_by_key(|expansion| (expansion.from, expansion.term));
        let starts = (0..=256).map(|byte| all.partition_point(|expansion| expansion.from >> 56 < byte) as u32).collect();
        Thesaurus { expansions: all, starts }
    }

    /// What a stem, a sequence of stems or a token type stands for.
    pub fn of(&self, number: u64) -> &[Expansion] {
        let byte = (number >> 56) as usize;
        let near = &self.expansions[self.starts[byte] as usize..self.starts[byte + 1] as usize];
        let start = near.partition_point(|expansion| expansion.from < number);
        let count = near[start..].iter().take_while(|expansion| expansion.from == number).count();
        &near[start..start + count]
    }

    /// Every entry of the tables as it is written, tools' and messages' alike.
    pub fn entries() -> impl Iterator<Item = &'static str> {
        let tables = [SYNONYMS, TOPICS, TOKEN_TYPES];
        let words = tables.into_iter().flat_map(lines).flat_map(str::split_whitespace);
        words.filter(|word| *word != ":" && !word.starts_with('<'))
    }
}

fn lines(table: &'static str) -> impl Iterator<Item = &'static str> {
    table.lines().map(|line| line.split('#').next().unwrap_or("").trim()).filter(|line| !line.is_empty())
}

/// What tools have, and what of messages stands for it.
fn parts(line: &'static str) -> (&'static str, &'static str) {
    line.split_once(':').expect("a line has words of tools, a colon and words of messages")
}

fn add(all: &mut Vec<Expansion>, from: u64, relation: Relation, terms: &[(u64, &'static str)]) {
    let others = terms.iter().filter(|(term, _)| *term != from);
    all.extend(others.map(|(term, text)| Expansion { from, relation, term: *term, text }));
}

/// The number of an entry: a word, or two or three joined by `_`. Words that messages lose are lost here too, and an expression of which only
/// one word is left is none.
fn term(entry: &'static str) -> Option<(u64, &'static str)> {
    let mut stems = Vec::new();
    let mut single = 0;
    each_search_term(&entry.replace('_', " "), Language::ENGLISH, |term| {
        if !term.empty {
            single = stem_number(term.stem);
            stems.push(hash(term.stem));
        }
    });
    match (stems.len(), entry.contains('_')) {
        (1, false) => Some((single, entry)),
        (2..=3, _) => Some((sequence_number(stems), entry)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Thesaurus {
        Thesaurus::read(|_| true)
    }

    fn stands_for(word: &'static str) -> Vec<(Relation, &'static str)> {
        let (number, _) = term(word).unwrap();
        all().of(number).iter().map(|expansion| (expansion.relation, expansion.text)).collect()
    }

    #[test]
    fn synonyms_hold_in_both_directions_and_topics_in_one() {
        assert!(stands_for("folder").contains(&(Relation::Synonym, "directory")));
        assert!(stands_for("directory").contains(&(Relation::Synonym, "folder")));
        assert!(stands_for("umbrella").contains(&(Relation::Topic, "weather")));
        assert!(!stands_for("weather").iter().any(|(_, text)| *text == "umbrella"));
    }

    #[test]
    fn an_ending_stands_for_its_kind_of_file() {
        assert!(
            all()
                .of(token_type::number("<.xlsx>"))
                .iter()
                .any(|expansion| expansion.text == "excel" && expansion.relation == Relation::TokenType)
        );
    }

    #[test]
    fn an_entry_that_is_not_kept_stands_for_nothing_and_nothing_for_it() {
        let (umbrella, _) = term("umbrella").unwrap();
        let (rain, _) = term("rain").unwrap();
        let some = Thesaurus::read(|entry| entry != "umbrella" && entry != "weather");
        assert!(some.of(umbrella).is_empty());
        assert!(all().of(rain).iter().any(|expansion| expansion.text == "weather"));
        assert!(!some.of(rain).iter().any(|expansion| expansion.text == "weather"));
    }

    #[test]
    fn no_line_of_a_table_is_without_effect() {
        for line in lines(SYNONYMS) {
            assert!(line.split_whitespace().filter_map(term).count() >= 2, "{line}");
        }
        for line in lines(TOPICS) {
            let (tools, messages) = parts(line);
            assert!(tools.split_whitespace().filter_map(term).count() >= 1, "{line}");
            assert!(messages.split_whitespace().filter_map(term).count() >= 1, "{line}");
        }
    }
}
