//! What of a tool a message is compared with: its words by field, as sorted numbers.

use super::hash::{hash, join};
use crate::json::{Entries, items};
use crate::words::{Language, SearchTerm, each_name_term, each_name_token, each_search_term, first_sentence, key};

/// Where a word of a tool stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Field {
    Name,
    Title,
    FirstSentence,
    Description,
    ParameterName,
    ParameterDescription,
    ParameterValue,
    Server,
    Tag,
}

impl Field {
    pub const COUNT: usize = 9;
    pub const ALL: [Field; Self::COUNT] = [
        Field::Name,
        Field::Title,
        Field::FirstSentence,
        Field::Description,
        Field::ParameterName,
        Field::ParameterDescription,
        Field::ParameterValue,
        Field::Server,
        Field::Tag,
    ];

    /// As explanations name it.
    pub fn name(self) -> &'static str {
        match self {
            Field::Name => "name",
            Field::Title => "title",
            Field::FirstSentence => "first_sentence",
            Field::Description => "description",
            Field::ParameterName => "parameter_name",
            Field::ParameterDescription => "parameter_description",
            Field::ParameterValue => "parameter_value",
            Field::Server => "server",
            Field::Tag => "tag",
        }
    }
}

/// One kind of term, in one field of one tool: the term's number, the field, and how often it stands there (15 counts as all that is more).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Entry(u64);

impl Entry {
    const FIELD_BITS: u64 = 0xf0;
    const COUNT_BITS: u64 = 0x0f;

    fn new(term: u64, field: Field) -> Self {
        Entry(term & TERM | (field as u64) << 4 | 1)
    }

    pub fn term(self) -> u64 {
        self.0 & TERM
    }

    pub fn field(self) -> Field {
        Field::ALL[((self.0 & Self::FIELD_BITS) >> 4) as usize]
    }

    pub fn count(self) -> u32 {
        (self.0 & Self::COUNT_BITS) as u32
    }

    fn is_beside(self, other: Entry) -> bool {
        self.0 & !Self::COUNT_BITS == other.0 & !Self::COUNT_BITS
    }

    fn add(&mut self, other: Entry) {
        self.0 = self.0 & !Self::COUNT_BITS | (self.count() + other.count()).min(Self::COUNT_BITS as u32) as u64;
    }
}

/// The bits of a term's number.
const TERM: u64 = !0xff;
/// Set in the number of a sequence and of nothing else.
const IS_SEQUENCE: u64 = 0x100;

/// The number of a word as it stands.
pub(super) fn word_number(word: &str) -> u64 {
    hash(word) & TERM & !IS_SEQUENCE
}

/// The number of a stem; a stem is another term than the word that looks like it.
pub(super) fn stem_number(stem: &str) -> u64 {
    join(STEM, hash(stem)) & TERM & !IS_SEQUENCE
}

/// The number of neighbouring stems, of which the hashes are given.
pub(super) fn sequence_number(stems: impl IntoIterator<Item = u64>) -> u64 {
    stems.into_iter().fold(SEQUENCE, join) & TERM | IS_SEQUENCE
}

/// Whether a term is a sequence.
pub(super) fn is_sequence(term: u64) -> bool {
    term & IS_SEQUENCE != 0
}

/// The number of a hint that is a whole tag.
pub(super) fn tag_number(tag: &str) -> u64 {
    join(TAG, hash(&key(tag))) & TERM & !IS_SEQUENCE
}

const STEM: u64 = 1;
const SEQUENCE: u64 = 2;
const TAG: u64 = 3;

/// Tokens of a message that a name may stretch over, since names may hold other marks.
pub(super) const NAME_TOKENS: usize = 4;

/// A tool's terms. Made once, when the tool is registered.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ToolTerms {
    /// Words, stems and pairs by field, ascending.
    pub(super) entries: Box<[Entry]>,
    /// Words in each field.
    pub(super) lengths: [u32; Field::COUNT],
    /// The name, whole, and `server/name`.
    pub(super) names: [u64; 2],
    /// The same as they would stand inside a message; `None` for a name that has one part only and is too easily met there.
    pub(super) names_inside: [Option<u64>; 2],
    /// How many words the name has that say something.
    pub(super) name_words: u32,
}

/// What terms are made of.
pub(crate) struct ToolText<'a> {
    pub server: &'a str,
    pub name: &'a str,
    pub title: &'a str,
    pub description: &'a str,
    pub tags: &'a [String],
    /// The JSON of the schema, where there is one.
    pub input_schema: Option<&'a str>,
}

impl ToolTerms {
    /// The memory it takes, in bytes.
    pub fn bytes(&self) -> usize {
        size_of::<Self>() + size_of_val(&*self.entries)
    }

    /// The terms of a tool.
    pub fn new(tool: &ToolText) -> Self {
        let mut terms = Collected::new(Language::guess(tool.description));
        let parts = terms.name(tool.name, Field::Name);
        terms.name(tool.server, Field::Server);
        terms.text(tool.title, Field::Title);
        let first = first_sentence(tool.description);
        terms.text(first, Field::FirstSentence);
        let white_space = tool.description.len() - tool.description.trim_start().len();
        terms.text(&tool.description[white_space + first.len()..], Field::Description);
        for tag in tool.tags {
            terms.text(tag, Field::Tag);
            terms.entries.push(Entry::new(tag_number(tag), Field::Name));
        }
        for (name, schema) in parameters(tool.input_schema) {
            terms.name(&name, Field::ParameterName);
            let Ok(schema) = Entries::read(schema) else { continue };
            if let Some(description) = schema.get("description").and_then(|raw| serde_json::from_str::<String>(raw).ok()) {
                terms.text(&description, Field::ParameterDescription);
            }
            for value in schema.get("enum").and_then(|raw| items(raw).ok()).unwrap_or_default() {
                terms.text(value, Field::ParameterValue);
            }
        }
        let id = format!("{}/{}", tool.server, tool.name);
        let name_inside = if parts < 2 { None } else { number_inside(tool.name) };
        let id_inside = if tool.server.is_empty() { None } else { number_inside(&id) };
        ToolTerms {
            names: [hash(&key(tool.name)), hash(&key(&id))],
            names_inside: [name_inside, id_inside],
            name_words: terms.lengths[Field::Name as usize],
            lengths: terms.lengths,
            entries: terms.sorted(),
        }
    }
}

/// The properties of a schema: names, and schemas as text.
fn parameters(input_schema: Option<&str>) -> Vec<(String, &str)> {
    let properties = |schema| Entries::read(schema).ok()?.get("properties");
    let entries = input_schema.and_then(properties).and_then(|raw| Entries::read(raw).ok());
    entries.map(|entries| entries.0).unwrap_or_default()
}

struct Collected {
    language: Language,
    entries: Vec<Entry>,
    lengths: [u32; Field::COUNT],
}

impl Collected {
    fn new(language: Language) -> Self {
        Collected { language, entries: Vec::new(), lengths: [0; Field::COUNT] }
    }

    fn name(&mut self, name: &str, field: Field) -> usize {
        let mut before = None;
        each_name_term(name, self.language, |term, is_part| {
            if term.empty {
                return;
            }
            self.push(&term, field);
            if is_part {
                self.lengths[field as usize] += 1;
                self.pair(&mut before, term.stem, field);
            }
        })
    }

    fn text(&mut self, text: &str, field: Field) {
        let mut before = None;
        each_search_term(text, self.language, |term| {
            if !term.empty {
                self.lengths[field as usize] += 1;
                self.push(&term, field);
                self.pair(&mut before, term.stem, field);
            }
        });
    }

    fn push(&mut self, term: &SearchTerm, field: Field) {
        self.entries.push(Entry::new(word_number(term.word), field));
        self.entries.push(Entry::new(stem_number(term.stem), field));
    }

    /// Pairs are looked for where a tool says what it does, not in its parameters.
    fn pair(&mut self, before: &mut Option<u64>, stem: &str, field: Field) {
        if !matches!(field, Field::Name | Field::Title | Field::FirstSentence | Field::Description) {
            return;
        }
        let here = hash(stem);
        if let Some(before) = before.replace(here) {
            self.entries.push(Entry::new(sequence_number([before, here]), field));
        }
    }

    fn sorted(mut self) -> Box<[Entry]> {
        self.entries.sort_unstable();
        self.entries.dedup_by(|later, first| {
            let same = later.is_beside(*first);
            if same {
                first.add(*later);
            }
            same
        });
        self.entries.into()
    }
}

fn number_inside(name: &str) -> Option<u64> {
    let mut tokens = Vec::new();
    each_name_token(name, |token| tokens.push(hash(token)));
    (tokens.len() <= NAME_TOKENS).then(|| tokens.into_iter().reduce(join))?
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(name: &str, description: &str, input_schema: Option<&str>) -> ToolTerms {
        ToolTerms::new(&ToolText { server: "files", name, title: "", description, tags: &[], input_schema })
    }

    fn counts(terms: &ToolTerms, word: &str) -> Vec<(&'static str, u32)> {
        let number = word_number(word);
        terms.entries.iter().filter(|entry| entry.term() == number).map(|entry| (entry.field().name(), entry.count())).collect()
    }

    #[test]
    fn words_are_kept_by_field_with_their_count() {
        let schema = r#"{"properties":{"file_path":{"description":"Path of the file","enum":["file","folder"]}, "x": true}}"#;
        let terms = terms("readFile", "Reads a file. A file, any file.", Some(schema));
        assert_eq!(
            counts(&terms, "file"),
            [
                ("name", 1),
                ("first_sentence", 1),
                ("description", 2),
                ("parameter_name", 1),
                ("parameter_description", 1),
                ("parameter_value", 1),
                ("server", 1)
            ]
        );
        assert_eq!(terms.name_words, 2);
    }

    #[test]
    fn a_count_stops_at_fifteen() {
        assert_eq!(counts(&terms("x", &format!("It runs. {}", "File ".repeat(400)), None), "file"), [("description", 15), ("server", 1)]);
    }

    #[test]
    fn a_schema_of_another_shape_has_no_parameters() {
        for schema in ["[]", "{}", r#"{"properties":[]}"#, r#"{"properties":{"a":{"description":1,"enum":2}}}"#] {
            terms("x", "y", Some(schema));
        }
        assert!(parameters(None).is_empty() && parameters(Some("[]")).is_empty());
    }
}
