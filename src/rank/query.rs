//! What is asked for, and how well a tool fits it.

use super::hash::{hash, join};
use super::stop::is_empty_word;
use super::terms::{IN_NAME, IN_TEXT, NAME_TOKENS, TERM, ToolTerms, term_number};
use crate::words::{each_name_token, each_search_term, key};

/// A message and hints, ready to be compared with many tools. All lists are ascending and without doubles.
#[derive(Debug, Clone)]
pub(crate) struct Query {
    /// The words of message and hints.
    terms: Vec<u64>,
    sieve: Sieve,
    /// The message and each hint, whole.
    wholes: Vec<u64>,
    /// What stands in the message and could be a tool's name.
    names: Vec<u64>,
    /// The hints, whole, each with one of its words.
    hint_terms: Vec<(u64, u64)>,
}

impl Query {
    /// What is asked for. Words that say nothing about tools do not count.
    pub fn new(message: &str, hints: &[String]) -> Self {
        let mut terms = numbers(message);
        let mut wholes = vec![hash(&key(message))];
        let mut hint_terms = Vec::new();
        for hint in hints {
            let whole = hash(&key(hint));
            let of_hint = numbers(hint);
            hint_terms.extend(of_hint.iter().map(|term| (whole, *term)));
            terms.extend(of_hint);
            wholes.extend([whole, hash(&key(after_server(hint)))]);
        }
        // The empty text is no name.
        wholes.retain(|whole| *whole != hash(""));
        let terms = ascending(terms);
        Query {
            sieve: Sieve::new(&terms),
            terms,
            wholes: ascending(wholes),
            names: names_inside(message),
            hint_terms: ascending(hint_terms),
        }
    }

    /// Whether there is nothing to compare: neither a message nor hints, or none but white space.
    pub fn is_empty(&self) -> bool {
        self.wholes.is_empty()
    }

    /// From 0 to 1, rounded to 6 places. A name that is the message, a hint, or (where it has two parts or more) stands in the message gives 1.
    /// Otherwise each word gives 2 in the name, or in a tag that is a hint, and 1 in title or description; the sum is divided by 3 times the
    /// number of words.
    pub fn score(&self, tool: &ToolTerms) -> f64 {
        let named = self.wholes.binary_search(&tool.name).is_ok();
        let named_inside = || tool.name_inside.is_some_and(|name| self.names.binary_search(&name).is_ok());
        if named || named_inside() {
            return 1.0;
        }
        if self.terms.is_empty() {
            return 0.0;
        }
        let mut points = 0;
        for term in &tool.terms {
            let number = term & TERM;
            if self.sieve.lets_through(number) && self.terms.binary_search(&number).is_ok() {
                points += 2 * u64::from(term & IN_NAME != 0) + u64::from(term & IN_TEXT != 0);
            }
        }
        points += 2 * self.raised_by_tags(tool);
        let share = points as f64 / (3 * self.terms.len()) as f64;
        (share * 1e6).round() / 1e6
    }

    /// The number of words of hints that are tags of the tool, but for those that stand in its name too.
    fn raised_by_tags(&self, tool: &ToolTerms) -> u64 {
        let mut raised = Vec::new();
        for tag in &tool.tags {
            let from = self.hint_terms.partition_point(|(hint, _)| hint < tag);
            raised.extend(self.hint_terms[from..].iter().take_while(|(hint, _)| hint == tag).map(|(_, term)| *term));
        }
        raised = ascending(raised);
        let in_name = raised.iter().filter(|term| tool.has_in_name(**term)).count();
        (raised.len() - in_name) as u64
    }
}

/// The numbers of the words of a text that say something about tools.
fn numbers(text: &str) -> Vec<u64> {
    let mut numbers = Vec::new();
    each_search_term(text, |term| {
        if !is_empty_word(term.plain) && !is_empty_word(term.folded) {
            numbers.push(term_number(term.folded));
        }
    });
    numbers
}

/// The numbers of all tokens, of a few tokens in a row, and of what follows the last `/` of a token, where it may be `server/name`.
fn names_inside(message: &str) -> Vec<u64> {
    let mut names = Vec::new();
    let mut tokens: Vec<u64> = Vec::new();
    each_name_token(message, |token| {
        tokens.push(hash(token));
        names.push(hash(after_server(token)));
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

/// Holds back nearly every term that is not among those asked for, without looking through them: most terms of most tools are of that kind.
#[derive(Debug, Clone)]
struct Sieve([u64; 16]);

impl Sieve {
    fn new(terms: &[u64]) -> Self {
        let mut sieve = Sieve([0; 16]);
        for term in terms {
            let (word, bit) = Self::place(*term);
            sieve.0[word] |= bit;
        }
        sieve
    }

    fn lets_through(&self, term: u64) -> bool {
        let (word, bit) = Self::place(term);
        self.0[word] & bit != 0
    }

    /// Terms are hashes, so that any of their bits will do but the lowest two, which are not theirs.
    fn place(term: u64) -> (usize, u64) {
        ((term >> 2) as usize % 16, 1 << (term >> 6 & 63))
    }
}
