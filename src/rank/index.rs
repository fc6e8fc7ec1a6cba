//! All tools by their terms, so that a message is compared only with the tools that share a word with it.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, Hasher, RandomState};

use super::document::{Field, ToolTerms, is_sequence};
use super::weights::Weights;

/// One state of all tools, ready to be ranked. Made when tools change, and never changed itself.
#[derive(Debug)]
pub(crate) struct Index {
    pub(super) weights: Weights,
    terms: HashMap<u64, Term, TermHashing>,
    postings: Vec<Posting>,
    /// The inverse document frequency of a word that no tool has.
    pub(super) unknown_rarity: f32,
    /// One over the number of words in each tool's name, and what its score is multiplied by for coming first too often.
    pub(super) shares: Vec<(f32, f32)>,
    /// Each tool's server, numbered.
    pub(super) servers: Vec<u32>,
    pub(super) server_count: usize,
    /// Tools by name, and by the name as it stands inside a message.
    names: Vec<(u64, u32)>,
    names_inside: Vec<(u64, u32)>,
}

/// Where a term's postings are, and what it is worth.
#[derive(Debug, Clone, Copy)]
struct Term {
    start: u32,
    count: u32,
    /// The inverse document frequency.
    rarity: f32,
}

/// A tool that has a term.
#[derive(Debug, Clone, Copy)]
pub(super) struct Posting {
    /// The tool's place; the highest bit says whether its name has the term.
    tool: u32,
    /// What the term adds to the tool's score.
    pub impact: f32,
}

impl Posting {
    const IN_NAME: u32 = 1 << 31;

    pub fn tool(self) -> usize {
        (self.tool & !Self::IN_NAME) as usize
    }

    pub fn is_in_name(self) -> bool {
        self.tool & Self::IN_NAME != 0
    }
}

/// The tools that have a term, ascending.
#[derive(Clone, Copy)]
pub(super) struct Postings<'a> {
    pub list: &'a [Posting],
    pub rarity: f32,
}

impl<'a> Postings<'a> {
    /// The posting of one tool.
    pub fn of(&self, tool: usize) -> Option<Posting> {
        self.list.binary_search_by_key(&tool, |posting| posting.tool()).ok().map(|at| self.list[at])
    }
}

/// Tools whose own first sentences are ranked to find hubs.
const HUB_SAMPLE: usize = 64;
/// Places at the top of such a ranking that count.
const HUB_PLACES: usize = 5;
/// The share of the sample that a tool may come first for without being a hub.
const HUB_SHARE: f32 = 0.05;
/// With fewer tools, each is first for many.
const HUB_LEAST_TOOLS: usize = 100;

impl Index {
    /// The index of some tools, in the order in which they are numbered; `server` gives each tool's.
    pub fn new<'a>(tools: &[&ToolTerms], server: impl Fn(usize) -> &'a str, weights: Weights) -> Self {
        let mut index = Index {
            weights,
            terms: HashMap::default(),
            postings: Vec::new(),
            unknown_rarity: rarity(tools.len() as f64 + weights.background, 0),
            shares: tools.iter().map(|tool| (1.0 / tool.name_words.max(1) as f32, 1.0)).collect(),
            servers: Vec::with_capacity(tools.len()),
            server_count: 0,
            names: numbered(tools, |tool| tool.names.map(Some)),
            names_inside: numbered(tools, |tool| tool.names_inside),
        };
        index.number_servers(tools.len(), server);
        index.invert(tools);
        index.find_hubs(tools);
        index
    }

    /// How many tools there are.
    pub fn len(&self) -> usize {
        self.shares.len()
    }

    /// The memory it takes, in bytes, beside the tools' own terms.
    pub fn bytes(&self) -> usize {
        // A hash table keeps at most 7 of 8 places filled, and a byte beside each.
        let terms = self.terms.capacity() * 8 / 7 * (size_of::<(u64, Term)>() + 1);
        let lists = size_of_val(&*self.postings) + size_of_val(&*self.shares) + size_of_val(&*self.servers);
        terms + lists + size_of_val(&*self.names) + size_of_val(&*self.names_inside)
    }

    pub(super) fn postings(&self, term: u64) -> Option<Postings<'_>> {
        let term = self.terms.get(&term)?;
        let list = &self.postings[term.start as usize..(term.start + term.count) as usize];
        Some(Postings { list, rarity: term.rarity })
    }

    /// The tools with exactly this name.
    pub(super) fn named(&self, name: u64) -> impl Iterator<Item = usize> + '_ {
        with_number(&self.names, name)
    }

    /// The tools whose name counts as asked for wherever it stands.
    pub(super) fn named_inside(&self, name: u64) -> impl Iterator<Item = usize> + '_ {
        with_number(&self.names_inside, name)
    }

    fn number_servers<'a>(&mut self, tools: usize, server: impl Fn(usize) -> &'a str) {
        let mut numbers: HashMap<&str, u32> = HashMap::new();
        for tool in 0..tools {
            let next = numbers.len() as u32;
            self.servers.push(*numbers.entry(server(tool)).or_insert(next));
        }
        self.server_count = numbers.len();
    }

    /// BM25F: a term's counts are weighed by field and by the field's length, added up, and only then saturated
    /// (Robertson, Zaragoza, Taylor: Simple BM25 extension to multiple weighted fields, 2004). The inverse document frequency is Lucene's, which
    /// is never negative, over the registry and some tools more, so that a word means the same in a small registry.
    fn invert(&mut self, tools: &[&ToolTerms]) {
        let scale = FieldScale::new(tools, &self.weights);
        let pair = self.weights.word_pair as f32;
        let mut found: Vec<(u32, Posting)> = Vec::with_capacity(tools.iter().map(|tool| tool.entries.len()).sum());
        let mut numbers: HashMap<u64, u32, TermHashing> = HashMap::default();
        let mut counts: Vec<(u64, u32)> = Vec::new();
        for (at, tool) in tools.iter().enumerate() {
            let scales = scale.of(tool);
            for entries in tool.entries.chunk_by(|a, b| a.term() == b.term()) {
                let mut frequency = 0.0;
                let mut in_name = 0;
                for entry in entries {
                    frequency += scales[entry.field() as usize] * entry.count() as f32;
                    in_name |= if entry.field() == Field::Name { Posting::IN_NAME } else { 0 };
                }
                let term = entries[0].term();
                frequency *= if is_sequence(term) { pair } else { 1.0 };
                // What has no weight is not there.
                if frequency == 0.0 {
                    continue;
                }
                let number = *numbers.entry(term).or_insert_with(|| {
                    counts.push((term, 0));
                    counts.len() as u32 - 1
                });
                counts[number as usize].1 += 1;
                found.push((number, Posting { tool: at as u32 | in_name, impact: frequency }));
            }
        }
        let mut start = 0;
        // For each term the next free place, and its rarity.
        let mut places: Vec<(u32, f32)> = Vec::with_capacity(counts.len());
        let all = tools.len() as f64 + self.weights.background;
        self.terms.reserve(counts.len());
        for (term, count) in &counts {
            let rarity = rarity(all, *count);
            self.terms.insert(*term, Term { start, count: *count, rarity });
            places.push((start, rarity));
            start += count;
        }
        let saturation = self.weights.saturation as f32;
        self.postings = vec![Posting { tool: 0, impact: 0.0 }; found.len()];
        for (number, posting) in found {
            let (place, rarity) = &mut places[number as usize];
            let weight = if is_sequence(counts[number as usize].0) { pair } else { 1.0 };
            let frequency = posting.impact;
            let impact = *rarity * weight * frequency * (saturation + 1.0) / (frequency + saturation);
            self.postings[*place as usize] = Posting { tool: posting.tool, impact };
            *place += 1;
        }
    }

    /// Tools that come first for the first sentences of many others (run anything, search everything) would come first for every message.
    fn find_hubs(&mut self, tools: &[&ToolTerms]) {
        if tools.len() < HUB_LEAST_TOOLS || self.weights.hub == 0.0 {
            return;
        }
        let mut first = vec![0u32; tools.len()];
        let mut scores = vec![0.0f32; tools.len()];
        for sample in 0..HUB_SAMPLE {
            let asking = sample * tools.len() / HUB_SAMPLE;
            let mut touched: Vec<usize> = Vec::new();
            let words = tools[asking].entries.iter().filter(|entry| entry.field() == Field::FirstSentence);
            for posting in words.filter_map(|entry| self.postings(entry.term())).flat_map(|postings| postings.list) {
                let score = &mut scores[posting.tool()];
                if *score == 0.0 {
                    touched.push(posting.tool());
                }
                *score += posting.impact;
            }
            touched.sort_unstable();
            touched.dedup();
            touched.retain(|tool| *tool != asking);
            let by_score = |a: &usize, b: &usize| scores[*b].total_cmp(&scores[*a]).then(a.cmp(b));
            if touched.len() > HUB_PLACES {
                touched.select_nth_unstable_by(HUB_PLACES, by_score);
            }
            touched.iter().take(HUB_PLACES).for_each(|tool| first[*tool] += 1);
            scores.fill(0.0);
        }
        for ((_, share), first) in self.shares.iter_mut().zip(first) {
            *share = 1.0 / (1.0 + self.weights.hub as f32 * (first as f32 / HUB_SAMPLE as f32 - HUB_SHARE).max(0.0));
        }
    }
}

/// The inverse document frequency of a term that some of all tools have.
fn rarity(all: f64, with_term: u32) -> f32 {
    let with = f64::from(with_term);
    libm::log(1.0 + (all - with + 0.5) / (with + 0.5)) as f32
}

/// What one word counts in each field of a tool.
struct FieldScale {
    weights: [f32; Field::COUNT],
    length_weights: [f32; Field::COUNT],
    means: [f32; Field::COUNT],
}

impl FieldScale {
    fn new(tools: &[&ToolTerms], weights: &Weights) -> Self {
        let mut means = [0.0; Field::COUNT];
        for field in Field::ALL {
            let words: u64 = tools.iter().map(|tool| u64::from(Self::length(tool, field))).sum();
            means[field as usize] = (words as f32 / tools.len() as f32).max(f32::MIN_POSITIVE);
        }
        FieldScale {
            weights: Field::ALL.map(|field| Self::weight(field, weights) as f32),
            length_weights: Field::ALL.map(|field| {
                let is_name = matches!(field, Field::Name | Field::Server | Field::Tag);
                (if is_name { weights.name_length } else { weights.length }) as f32
            }),
            means,
        }
    }

    fn of(&self, tool: &ToolTerms) -> [f32; Field::COUNT] {
        Field::ALL.map(|field| {
            let at = field as usize;
            let length = Self::length(tool, field) as f32 / self.means[at];
            self.weights[at] / (1.0 - self.length_weights[at] + self.length_weights[at] * length)
        })
    }

    /// A description's two parts are one text.
    fn length(tool: &ToolTerms, field: Field) -> u32 {
        match field {
            Field::FirstSentence | Field::Description => {
                tool.lengths[Field::FirstSentence as usize] + tool.lengths[Field::Description as usize]
            }
            field => tool.lengths[field as usize],
        }
    }

    fn weight(field: Field, weights: &Weights) -> f64 {
        match field {
            Field::Name => weights.name,
            Field::Title => weights.title,
            Field::FirstSentence => weights.first_sentence,
            Field::Description => weights.description,
            Field::ParameterName => weights.parameter_name,
            Field::ParameterDescription => weights.parameter_description,
            Field::ParameterValue => weights.parameter_value,
            Field::Server => weights.server,
            Field::Tag => weights.tag,
        }
    }
}

/// The places of tools by some of their numbers.
fn numbered(tools: &[&ToolTerms], numbers: impl Fn(&ToolTerms) -> [Option<u64>; 2]) -> Vec<(u64, u32)> {
    let each = |(at, tool): (usize, &&ToolTerms)| numbers(tool).into_iter().flatten().map(move |number| (number, at as u32));
    let mut list: Vec<(u64, u32)> = tools.iter().enumerate().flat_map(each).collect();
    list.sort_unstable();
    list
}

fn with_number(list: &[(u64, u32)], number: u64) -> impl Iterator<Item = usize> + '_ {
    let start = list.partition_point(|(name, _)| *name < number);
    list[start..].iter().take_while(move |(name, _)| *name == number).map(|(_, tool)| *tool as usize)
}

/// A set of terms.
pub(super) type TermSet = HashSet<u64, TermHashing>;

/// Terms are hashes already, but of a kind that a hostile tool can aim: with a key of each table's own nobody knows where a term will stand in it. No
/// answer depends on that.
#[derive(Debug, Clone, Copy)]
pub(super) struct TermHashing {
    key: u64,
}

impl Default for TermHashing {
    fn default() -> Self {
        TermHashing { key: RandomState::new().hash_one(0) }
    }
}

impl BuildHasher for TermHashing {
    type Hasher = TermHasher;

    fn build_hasher(&self) -> TermHasher {
        TermHasher(self.key)
    }
}

#[derive(Debug)]
pub(super) struct TermHasher(u64);

impl Hasher for TermHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u64(&mut self, number: u64) {
        // Both halves of a product: every bit of the term and of the key counts for every bit of the result. The factor is 2^64 by the golden ratio.
        let product = u128::from(number ^ self.0) * 0x9e37_79b9_7f4a_7c15;
        self.0 = product as u64 ^ (product >> 64) as u64;
    }
}
