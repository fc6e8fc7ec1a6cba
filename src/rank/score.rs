//! How well each tool fits what is asked for.

use super::confidence::{Worth, confidence, even};
use super::index::{Index, Posting, Postings, TermSet};
use super::query::{Query, Unit, UnitKind};
use super::thesaurus::{Relation, expansions};

/// Postings that a synonym or topic may have in any registry, however small.
const COMMON_AT_LEAST: usize = 20;
/// Clauses that get a score of their own, so that a pasted text does not take a score for each of its sentences.
const MOST_CLAUSES: u32 = 32;
/// Words that a clause needs for a score of its own.
const CLAUSE_LEAST_WORDS: usize = 2;
/// Tools of a server that make its prior.
const PRIOR_TOOLS: usize = 2;

/// What one unit of a message is found by.
#[derive(Clone, Copy)]
pub(super) struct Variant<'a> {
    pub term: u64,
    pub postings: Postings<'a>,
    pub weight: f32,
    /// What stands for the unit, where it is not the unit itself.
    pub stands_for: Option<(Relation, &'static str)>,
    /// Whether only the stem is the unit's.
    pub is_stem: bool,
}

impl Index {
    /// The score of every tool, from 0 to 1, rounded to 6 places. `similarities`: of each tool's vector to the message's, where there are any.
    /// `visible` says which tools count; others get 0 and help no other.
    pub fn scores(&self, query: &Query, similarities: Option<&[f32]>, visible: impl Fn(usize) -> bool) -> Vec<f64> {
        let mut raw = self.raw_scores(query, &visible);
        let even = even(raw.worth, &self.weights);
        if let Some(similarities) = similarities {
            self.blend(&mut raw.weighed, even as f32, similarities, &visible);
        }
        let mut scores: Vec<f64> = raw.weighed.iter().map(|weighed| confidence(*weighed, even)).collect();
        for tool in raw.named {
            scores[tool] = 1.0;
        }
        scores
    }

    /// The places of the best tools, and their scores; of equal ones the first comes first.
    pub fn best(&self, query: &Query, similarities: Option<&[f32]>, most: usize) -> Vec<(usize, f64)> {
        let scores = self.scores(query, similarities, |_| true);
        let mut found: Vec<(usize, f64)> = scores.into_iter().enumerate().filter(|(_, score)| *score > 0.0).collect();
        let order = |a: &(usize, f64), b: &(usize, f64)| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0));
        if found.len() > most && most > 0 {
            found.select_nth_unstable_by(most - 1, order);
        }
        found.truncate(most);
        found.sort_unstable_by(order);
        found
    }

    /// The weighed score of every tool, and the tools that the query names.
    pub(super) fn raw_scores(&self, query: &Query, visible: impl Fn(usize) -> bool) -> RawScores {
        let mut total = Tally::new(self.len());
        let mut clause = Tally::new(if query.clauses > 1 { self.len() } else { 0 });
        let mut best_clause = vec![0.0f32; clause.sums.len()];
        let mut clauses: Vec<(f32, Vec<(u32, f32)>)> = Vec::new();
        let mut merge = Merge::new(self.len());
        let mut worth = Worth::default();
        let mut seen = TermSet::default();
        let mut seen_in_clause = TermSet::default();
        for units in query.units.chunk_by(|a, b| a.clause == b.clause) {
            seen_in_clause.clear();
            let mut words = 0;
            for unit in units {
                let fresh = seen.insert(unit.stem);
                let counts_here = units[0].clause < MOST_CLAUSES && !clause.sums.is_empty() && seen_in_clause.insert(unit.stem);
                if !fresh && !counts_here {
                    continue;
                }
                words += usize::from(unit.kind == UnitKind::Word && counts_here);
                self.merge(unit, query, &mut merge);
                if fresh {
                    self.add_worth(unit, &mut worth);
                    total.add(&merge, unit);
                }
                if counts_here {
                    clause.add(&merge, unit);
                }
                merge.clear();
            }
            if words >= CLAUSE_LEAST_WORDS {
                let scores = clause.finish(self, &visible);
                let top = scores.iter().map(|(_, score)| *score).fold(0.0, f32::max);
                if top > 0.0 {
                    clauses.push((top, scores));
                }
            }
            clause.clear();
        }
        let mut weighed = vec![0.0f32; self.len()];
        let whole = total.finish(self, &visible);
        let top = whole.iter().map(|(_, score)| *score).fold(0.0, f32::max);
        for (tool, score) in &whole {
            weighed[*tool as usize] = *score;
        }
        if clauses.len() > 1 && top > 0.0 {
            let share = self.weights.clause as f32;
            for (clause_top, scores) in &clauses {
                let even = clause_top / (clause_top + self.weights.clause_evenness as f32 * top);
                for (tool, score) in scores {
                    let best = &mut best_clause[*tool as usize];
                    *best = best.max(score / clause_top * even);
                }
            }
            for (tool, _) in &whole {
                let tool = *tool as usize;
                weighed[tool] = (1.0 - share) * weighed[tool] + share * best_clause[tool] * top;
            }
        }
        self.add_prior(&mut weighed, &whole);
        RawScores { weighed, worth, named: self.named_tools(query, visible) }
    }

    /// What a unit is found by, the unit itself first.
    pub(super) fn variants<'a>(&'a self, unit: &Unit, query: &Query, mut visit: impl FnMut(Variant<'a>)) {
        let weights = &self.weights;
        let own = |term, postings, weight: f64, is_stem| Variant { term, postings, weight: weight as f32, stands_for: None, is_stem };
        match unit.kind {
            UnitKind::Word => {
                // A stem helps a word that no tool has as it stands.
                match self.postings(unit.word) {
                    Some(postings) => visit(own(unit.word, postings, 1.0, false)),
                    None => {
                        if let Some(postings) = self.postings(unit.stem) {
                            visit(own(unit.stem, postings, weights.stem, true));
                        }
                    }
                }
            }
            UnitKind::Pair | UnitKind::Tag => {
                if let Some(postings) = self.postings(unit.word) {
                    visit(own(unit.word, postings, 1.0, false));
                }
            }
            UnitKind::Expression | UnitKind::Type => {}
        }
        let most = ((weights.common * self.len() as f64) as usize).max(COMMON_AT_LEAST);
        for expansion in expansions(unit.stem) {
            let weight = match expansion.relation {
                Relation::Synonym => weights.synonym,
                Relation::Topic => weights.topic,
                Relation::TokenType => weights.token_type,
            };
            if weight == 0.0 || query.stems.binary_search(&expansion.term).is_ok() {
                continue;
            }
            let Some(postings) = self.postings(expansion.term).filter(|postings| postings.list.len() <= most) else { continue };
            let stands_for = Some((expansion.relation, expansion.text));
            visit(Variant { term: expansion.term, postings, weight: weight as f32, stands_for, is_stem: false });
        }
    }

    fn add_worth(&self, unit: &Unit, worth: &mut Worth) {
        if unit.kind != UnitKind::Word {
            return;
        }
        match self.postings(unit.word).or_else(|| self.postings(unit.stem)) {
            Some(postings) => worth.known += unit.weight * postings.rarity,
            None => worth.unknown += unit.weight * self.unknown_rarity,
        }
    }

    /// A tool has a unit once: by the variant that says most.
    fn merge(&self, unit: &Unit, query: &Query, merge: &mut Merge) {
        self.variants(unit, query, |variant| {
            let in_name = if variant.stands_for.is_none() { 1.0 } else { variant.weight };
            for posting in variant.postings.list {
                merge.put(*posting, variant.weight, in_name);
            }
        });
    }

    fn add_prior(&self, weighed: &mut [f32], touched: &[(u32, f32)]) {
        if self.server_count < 2 || self.weights.server_prior == 0.0 {
            return;
        }
        let mut best = vec![[0.0f32; PRIOR_TOOLS]; self.server_count];
        for (tool, _) in touched {
            let best = &mut best[self.servers[*tool as usize] as usize];
            let score = weighed[*tool as usize];
            if score > best[0] {
                *best = [score, best[0]];
            } else if score > best[1] {
                best[1] = score;
            }
        }
        let share = self.weights.server_prior as f32 / PRIOR_TOOLS as f32;
        for (tool, _) in touched {
            let best = best[self.servers[*tool as usize] as usize];
            let score = &mut weighed[*tool as usize];
            if *score > 0.0 {
                *score += share * (best[0] + best[1]);
            }
        }
    }

    /// Both scores are scaled to their best and added. What comes out is on the scale of weighed scores again, of which `even` is as likely right as
    /// wrong.
    fn blend(&self, weighed: &mut [f32], even: f32, similarities: &[f32], visible: impl Fn(usize) -> bool) {
        let shown = |tool: &usize| visible(*tool);
        let best_word = weighed.iter().copied().fold(0.0, f32::max);
        let best_vector = (0..self.len()).filter(shown).map(|tool| similarities[tool]).fold(0.0, f32::max);
        if best_vector == 0.0 {
            return;
        }
        let share = if best_word > 0.0 { self.weights.vector as f32 } else { 1.0 };
        let scale = (1.0 - share) * best_word + share * best_vector * even / self.weights.vector_even_odds.max(1e-6) as f32;
        for tool in (0..self.len()).filter(shown) {
            let word = if best_word > 0.0 { weighed[tool] / best_word } else { 0.0 };
            let vector = similarities[tool].max(0.0) / best_vector;
            weighed[tool] = scale * ((1.0 - share) * word + share * vector);
        }
    }

    /// A name that is the message, a hint or a quotation, and one of two parts or more that stands in the message.
    fn named_tools(&self, query: &Query, visible: impl Fn(usize) -> bool) -> Vec<usize> {
        let whole = query.wholes.iter().flat_map(|name| self.named(*name));
        let inside = query.names.iter().flat_map(|name| self.named_inside(*name));
        whole.chain(inside).filter(|tool| visible(*tool)).collect()
    }
}

/// Scores before they are made confidences.
pub(super) struct RawScores {
    pub weighed: Vec<f32>,
    pub worth: Worth,
    pub named: Vec<usize>,
}

/// The best variant of one unit, for each tool that has it.
struct Merge {
    best: Vec<Best>,
    touched: Vec<u32>,
}

#[derive(Clone, Copy, Default)]
struct Best {
    impact: f32,
    in_name: f32,
}

impl Merge {
    fn new(tools: usize) -> Self {
        Merge { best: vec![Best::default(); tools], touched: Vec::new() }
    }

    fn put(&mut self, posting: Posting, weight: f32, in_name: f32) {
        let tool = posting.tool();
        let best = &mut self.best[tool];
        if best.impact == 0.0 {
            self.touched.push(tool as u32);
        }
        best.impact = best.impact.max(posting.impact * weight);
        if posting.is_in_name() {
            best.in_name = best.in_name.max(in_name);
        }
    }

    fn clear(&mut self) {
        for tool in self.touched.drain(..) {
            self.best[tool as usize] = Best::default();
        }
    }
}

/// What the tools have of a message or of one clause.
struct Tally {
    sums: Vec<Sum>,
    touched: Vec<u32>,
    words: f32,
}

#[derive(Clone, Copy, Default)]
struct Sum {
    score: f32,
    name_words: f32,
    hits: f32,
}

impl Tally {
    fn new(tools: usize) -> Self {
        Tally { sums: vec![Sum::default(); tools], touched: Vec::new(), words: 0.0 }
    }

    fn add(&mut self, merge: &Merge, unit: &Unit) {
        let is_word = unit.kind == UnitKind::Word;
        self.words += f32::from(is_word);
        // A pair says nothing new of a name: its words are counted.
        let counts = f32::from(unit.kind != UnitKind::Pair);
        for tool in &merge.touched {
            let sum = &mut self.sums[*tool as usize];
            if sum.score == 0.0 {
                self.touched.push(*tool);
            }
            let best = merge.best[*tool as usize];
            sum.score += best.impact * unit.weight;
            sum.name_words += best.in_name * counts;
            sum.hits += counts;
        }
    }

    /// The scores of the tools that have anything, in the order of their places.
    fn finish(&mut self, index: &Index, visible: impl Fn(usize) -> bool) -> Vec<(u32, f32)> {
        let name_coverage = index.weights.name_coverage as f32;
        let message_coverage = index.weights.message_coverage as f32;
        let words = self.words.max(1.0);
        let mut scores = Vec::with_capacity(self.touched.len());
        for tool in &self.touched {
            let at = *tool as usize;
            if !visible(at) {
                continue;
            }
            let sum = self.sums[at];
            let name = 1.0 + name_coverage * (sum.name_words * index.name_share[at]).min(1.0);
            let message = 1.0 + message_coverage * (sum.hits / words).min(1.0);
            scores.push((*tool, sum.score * name * message / index.hubs[at]));
        }
        scores
    }

    fn clear(&mut self) {
        for tool in self.touched.drain(..) {
            self.sums[tool as usize] = Sum::default();
        }
        self.words = 0.0;
    }
}
