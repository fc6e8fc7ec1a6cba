//! What is asked for, ready to be compared with an index.

use super::document::{NAME_TOKENS, sequence_number, tag_number};
use super::hash::{hash, join};
use super::message::{Message, MessageWord};
use super::thesaurus::Expansion;
use super::weights::Weights;
use super::word_tables::WordTables;
use crate::limits;
use crate::words::{Language, each_name_token, key};

/// A message and hints. All lists of names are ascending and without doubles.
#[derive(Debug, Clone)]
pub(crate) struct Query<'t> {
    /// The language that the message was read in.
    pub language: Language,
    /// Whether words at the end of a long message were left out.
    pub cut: bool,
    pub(super) units: Vec<Unit<'t>>,
    pub(super) clauses: u32,
    /// The words as explanations show them, then the hints.
    texts: Vec<String>,
    /// The stems of all words.
    pub(super) stems: Vec<u64>,
    /// The message, each hint and each quotation, whole.
    pub(super) wholes: Vec<u64>,
    /// What stands in the message and could be a tool's name.
    pub(super) names: Vec<u64>,
}

/// One thing of a message that tools are compared with.
#[derive(Debug, Clone)]
pub(super) struct Unit<'t> {
    pub kind: UnitKind,
    /// Its words in the query's texts: the first, and how many.
    words: (u32, u32),
    /// The number of the term as it stands.
    pub word: u64,
    /// The number of its stem, or of the sequence.
    pub stem: u64,
    /// What else it may stand for.
    pub expansions: &'t [Expansion],
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

impl<'t> Query<'t> {
    /// What is asked for. Words that say nothing about tools do not count. `language`: what the message is in, guessed where it is not given.
    pub fn new(message: &str, hints: &[String], language: Option<Language>, weights: &Weights, tables: &'t WordTables) -> Self {
        let language = language.unwrap_or_else(|| Language::guess(message));
        let mut parsed = Message::default();
        parsed.push(message, language);
        let mut wholes = vec![hash(&key(message))];
        wholes.append(&mut parsed.quotations);
        for hint in hints {
            parsed.push(hint, language);
            wholes.push(hash(&key(hint)));
        }
        // The empty text is no name.
        wholes.retain(|whole| *whole != hash(""));
        let stems = ascending(parsed.words.iter().filter(|word| !word.is_type).map(|word| word.stem).collect());
        let mut query = Query {
            language,
            cut: parsed.cut,
            units: Vec::with_capacity(parsed.words.len() * 3),
            clauses: parsed.clauses,
            texts: Vec::new(),
            stems,
            wholes: ascending(wholes),
            names: names_inside(message),
        };
        query.add_units(&parsed.words, weights, tables);
        query.texts.extend(parsed.words.into_iter().map(|word| word.text));
        for hint in hints {
            let number = tag_number(hint);
            let words = (query.texts.len() as u32, 1);
            let clause = query.clauses;
            query.units.push(Unit { kind: UnitKind::Tag, words, word: number, stem: number, expansions: &[], weight: 1.0, clause });
            query.texts.push(hint.clone());
        }
        query
    }

    /// Whether there is nothing to compare: neither a message nor hints, or none but white space.
    pub fn is_empty(&self) -> bool {
        self.wholes.is_empty()
    }

    /// Whether none of its words say anything of tools, as those of an assent do not.
    pub fn says_nothing(&self) -> bool {
        self.units.is_empty()
    }

    /// A unit as explanations show it.
    pub(super) fn text(&self, unit: &Unit) -> String {
        let (first, count) = unit.words;
        self.texts[first as usize..(first + count) as usize].join(" ")
    }

    fn add_units(&mut self, words: &[MessageWord], weights: &Weights, tables: &'t WordTables) {
        for (at, word) in words.iter().enumerate() {
            let following = words[at + 1..].iter().take(2).take_while(|next| next.follows).count();
            let neighbours = &words[at..=at + following];
            let quoted = if word.quoted { weights.quoted } else { 1.0 };
            let own = if word.is_type { 1.0 } else { tables.weight(word.stem).unwrap_or(weights.unlisted_word) };
            let kind = if word.is_type { UnitKind::Type } else { UnitKind::Word };
            let unit = |count: usize, kind, word_number, stem, weight: f64| Unit {
                kind,
                words: (at as u32, count as u32),
                word: word_number,
                stem,
                expansions: tables.expansions(stem),
                weight: weight as f32,
                clause: word.clause,
            };
            self.units.push(unit(1, kind, word.word, word.stem, quoted * own));
            for (count, kind) in [(2, UnitKind::Pair), (3, UnitKind::Expression)] {
                if neighbours.len() >= count && !word.is_type {
                    let number = sequence_number(neighbours[..count].iter().map(|word| word.stem_hash));
                    let unit = unit(count, kind, number, number, quoted);
                    // Tools have no expressions: only the tables may know one.
                    if kind == UnitKind::Pair || !unit.expansions.is_empty() {
                        self.units.push(unit);
                    }
                }
            }
        }
    }
}

/// The numbers of all tokens, and of a few tokens in a row.
fn names_inside(message: &str) -> Vec<u64> {
    let mut names = Vec::new();
    let mut tokens: Vec<u64> = Vec::new();
    each_name_token(message, |token| {
        if tokens.len() < limits::MESSAGE_WORDS {
            tokens.push(hash(token));
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

fn ascending<T: Ord>(mut list: Vec<T>) -> Vec<T> {
    list.sort_unstable();
    list.dedup();
    list
}
