//! What is asked for, ready to be compared with an index.

use super::document::{NAME_TOKENS, sequence_number, tag_number};
use super::hash::{hash, join};
use super::message::{Message, MessageWord};
use super::weights::Weights;
use super::word_weights::WordWeights;
use crate::limits;
use crate::words::{Language, each_name_token, key};

/// A message and hints. All lists of names are ascending and without doubles.
#[derive(Debug, Clone)]
pub(crate) struct Query {
    /// The language that the message was read in.
    pub language: Language,
    /// Whether words at the end of a long message were left out.
    pub cut: bool,
    pub(super) units: Vec<Unit>,
    pub(super) clauses: u32,
    /// The stems of all words.
    pub(super) stems: Vec<u64>,
    /// The message, each hint and each quotation, whole.
    pub(super) wholes: Vec<u64>,
    /// What stands in the message and could be a tool's name.
    pub(super) names: Vec<u64>,
}

/// One thing of a message that tools are compared with.
#[derive(Debug, Clone)]
pub(super) struct Unit {
    /// As explanations show it.
    pub text: String,
    pub kind: UnitKind,
    /// The number of the term as it stands.
    pub word: u64,
    /// The number of its stem, or of the sequence; what the tables of words are looked at with.
    pub stem: u64,
    /// How much it counts.
    pub weight: f32,
    pub clause: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum UnitKind {
    Word,
    /// Two neighbours, which tools may have side by side, and the tables of words too.
    Pair,
    /// Three neighbours, which only the tables of words have.
    Expression,
    /// A path or an address.
    Type,
    /// A hint that may be a tag.
    Tag,
}

impl Query {
    /// What is asked for. Words that say nothing about tools do not count. `language`: what the message is in, guessed where it is not given.
    pub fn new(message: &str, hints: &[String], language: Option<Language>, weights: &Weights, words: &WordWeights) -> Self {
        let language = language.unwrap_or_else(|| Language::guess(message));
        let mut parsed = Message::default();
        parsed.push(message, language);
        let mut wholes = vec![hash(&key(message))];
        wholes.append(&mut parsed.quotations);
        for hint in hints {
            parsed.push(hint, language);
            wholes.extend([hash(&key(hint)), hash(&key(after_server(hint)))]);
        }
        // The empty text is no name.
        wholes.retain(|whole| *whole != hash(""));
        let mut query = Query {
            language,
            cut: parsed.cut,
            units: Vec::with_capacity(parsed.words.len() * 3),
            clauses: parsed.clauses,
            stems: ascending(parsed.words.iter().filter(|word| !word.is_type).map(|word| word.stem).collect()),
            wholes: ascending(wholes),
            names: names_inside(message),
        };
        query.add_units(&parsed.words, weights, words);
        for hint in hints {
            let number = tag_number(hint);
            let unit = Unit { text: hint.clone(), kind: UnitKind::Tag, word: number, stem: number, weight: 1.0, clause: query.clauses };
            query.units.push(unit);
        }
        query
    }

    /// Whether there is nothing to compare: neither a message nor hints, or none but white space.
    pub fn is_empty(&self) -> bool {
        self.wholes.is_empty()
    }

    fn add_units(&mut self, words: &[MessageWord], weights: &Weights, table: &WordWeights) {
        for (at, word) in words.iter().enumerate() {
            let following = words[at + 1..].iter().take(2).take_while(|next| next.follows).count();
            let neighbours = &words[at..=at + following];
            let quoted = if word.quoted { weights.quoted } else { 1.0 };
            let own = if word.is_type { 1.0 } else { table.of(word.stem).unwrap_or(weights.unlisted_word) };
            let kind = if word.is_type { UnitKind::Type } else { UnitKind::Word };
            let unit = |text, kind, word_number, stem, weight: f64| Unit {
                text,
                kind,
                word: word_number,
                stem,
                weight: weight as f32,
                clause: word.clause,
            };
            self.units.push(unit(word.text.clone(), kind, word.word, word.stem, quoted * own));
            for (count, kind) in [(2, UnitKind::Pair), (3, UnitKind::Expression)] {
                if neighbours.len() >= count && !word.is_type {
                    let number = sequence_number(neighbours[..count].iter().map(|word| word.stem_hash));
                    let text = neighbours[..count].iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
                    self.units.push(unit(text, kind, number, number, quoted));
                }
            }
        }
    }
}

/// The numbers of all tokens, of a few tokens in a row, and of what follows the last `/` of a token, where it may be `server/name`.
fn names_inside(message: &str) -> Vec<u64> {
    let mut names = Vec::new();
    let mut tokens: Vec<u64> = Vec::new();
    each_name_token(message, |token| {
        if tokens.len() < limits::MESSAGE_WORDS {
            tokens.push(hash(token));
            names.push(hash(after_server(token)));
        }
    });
    for start in 0..tokens.len() {
        let mut number = tokens[start];
        names.push(number);
        for token in tokens.iter().skip(start + 1).take(NAME_TOKENS - 1) {
            number = join(number, *token);
            names.push(number);
        }
    }
    ascending(names)
}

/// The name of `server/name`; a text without `/` as it is.
fn after_server(text: &str) -> &str {
    text.rsplit_once('/').map_or(text, |(_, name)| name)
}

fn ascending<T: Ord>(mut list: Vec<T>) -> Vec<T> {
    list.sort_unstable();
    list.dedup();
    list
}
