//! How well each tool fits what is asked for.

use std::collections::HashSet;

use super::confidence::{Worth, confidence, even, least_weighed};
use super::index::{Index, Postings, TermSet};
use super::query::{Query, Unit, UnitKind};
use super::thesaurus::Relation;

/// Postings that a synonym or topic may have in any registry, however small.
const COMMON_AT_LEAST: usize = 20;
/// Clauses that get a score of their own, so that a pasted text does not take a score for each of its sentences.
const MOST_CLAUSES: u32 = 32;
/// Words that a clause needs for a score of its own.
const CLAUSE_LEAST_WORDS: usize = 2;
/// Vectors of which none is as near as this to a message tell the less of it, the farther they are.
const LEAST_TELLING: f32 = 0.1;
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

impl Variant<'_> {
    /// How much of a word of the name it is.
    fn in_name(&self) -> f32 {
        if self.stands_for.is_none() { 1.0 } else { self.weight }
    }
}

impl Index {
    /// The score of every tool, from 0 to 1, rounded to 6 places. `similarities`: of each tool's vector to the message's, where there are any.
    /// `visible` says which tools count; others get 0 and help no other.
    pub fn scores(&self, query: &Query, similarities: Option<&[f32]>, visible: impl Fn(usize) -> bool) -> Vec<f64> {
        let found = self.found(query, similarities, &visible);
        let mut scores = vec![0.0; self.len()];
        for (tool, weighed) in &found.weighed {
            scores[*tool as usize] = confidence(*weighed, found.even);
        }
        for tool in found.named {
            scores[tool] = 1.0;
        }
        scores
    }

    /// The places of the best tools, and their scores; of equal ones the first comes first.
    pub fn best(&self, query: &Query, similarities: Option<&[f32]>, most: usize) -> Vec<(usize, f64)> {
        if most == 0 {
            return Vec::new();
        }
        let Found { mut weighed, even, named } = self.found(query, similarities, |_| true);
        if weighed.len() > most {
            let (_, last, _) = weighed.select_nth_unstable_by(most - 1, |a, b| b.1.total_cmp(&a.1));
            // Scores are compared rounded: a little less may be as much.
            let least = least_weighed(confidence(last.1, even), even);
            weighed.retain(|(_, weighed)| *weighed >= least);
        }
        let mut best: Vec<(usize, f64)> = weighed.iter().map(|(tool, weighed)| (*tool as usize, confidence(*weighed, even))).collect();
        if !named.is_empty() {
            let named: HashSet<usize> = named.into_iter().collect();
            best.retain(|(tool, _)| !named.contains(tool));
            best.extend(named.into_iter().map(|tool| (tool, 1.0)));
        }
        best.retain(|(_, score)| *score > 0.0);
        best.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        best.truncate(most);
        best
    }

    /// The tools that have anything of what is asked for.
    fn found(&self, query: &Query, similarities: Option<&[f32]>, visible: impl Fn(usize) -> bool) -> Found {
        let (mut weighed, worth) = self.weighed(query, &visible);
        let even = even(worth, &self.weights);
        if let Some(similarities) = similarities {
            weighed = self.blend(&weighed, even as f32, similarities, &visible);
        }
        Found { weighed, even, named: self.named_tools(query, visible) }
    }

    /// The weighed score of every tool that shares anything with the message, and what the message's words are worth.
    fn weighed(&self, query: &Query, visible: impl Fn(usize) -> bool) -> (Vec<(u32, f32)>, Worth) {
        let clauses: Vec<&[Unit]> = query.units.chunk_by(|a, b| a.clause == b.clause).collect();
        let has_own_score: Vec<bool> = clauses.iter().map(|units| has_own_score(units)).collect();
        let has_parts = has_own_score.iter().filter(|own| **own).count() > 1;
        let mut total = Tally::new(self.len());
        let mut clause = Tally::new(if has_parts { self.len() } else { 0 });
        let mut parts: Vec<(f32, Vec<(u32, f32)>)> = Vec::new();
        let mut merge = Merge::default();
        let mut worth = Worth::default();
        let mut seen = TermSet::default();
        let mut seen_in_clause = TermSet::default();
        for (units, has_own_score) in clauses.into_iter().zip(has_own_score) {
            let is_part = has_parts && has_own_score;
            let tally = if is_part { &mut clause } else { &mut total };
            let mut repeated: Vec<&Unit> = Vec::new();
            seen_in_clause.clear();
            for unit in units.iter().filter(|unit| seen_in_clause.insert(unit.stem)) {
                if seen.insert(unit.stem) {
                    self.add_worth(unit, &mut worth);
                    self.add(unit, query, tally, &mut merge);
                } else {
                    repeated.push(unit);
                }
            }
            if is_part {
                // What an earlier clause has said already counts for this clause alone.
                total.add_all(&clause);
                repeated.into_iter().for_each(|unit| self.add(unit, query, &mut clause, &mut merge));
                let scores = clause.finish(self, &visible);
                let top = highest(&scores);
                if top > 0.0 {
                    parts.push((top, scores));
                }
                clause.clear();
            }
        }
        let mut weighed = total.finish(self, &visible);
        if parts.len() > 1 {
            self.add_clauses(&mut weighed, &parts);
        }
        self.add_prior(&mut weighed);
        (weighed, worth)
    }

    /// A part of the score is that of the clause that a tool fits best.
    fn add_clauses(&self, weighed: &mut [(u32, f32)], clauses: &[(f32, Vec<(u32, f32)>)]) {
        let top = highest(weighed);
        let mut best = vec![0.0f32; self.len()];
        for (clause_top, scores) in clauses {
            let even = clause_top / (clause_top + self.weights.clause_evenness as f32 * top);
            let scale = even / clause_top;
            for (tool, score) in scores {
                let best = &mut best[*tool as usize];
                *best = best.max(score * scale);
            }
        }
        let share = self.weights.clause as f32;
        for (tool, score) in weighed {
            *score = (1.0 - share) * *score + share * best[*tool as usize] * top;
        }
    }

    /// What a unit is found by, the unit itself first.
    pub(super) fn variants<'a>(&'a self, unit: &Unit<'a>, query: &Query<'a>, mut visit: impl FnMut(Variant<'a>)) {
        let weights = &self.weights;
        if unit.weight == 0.0 {
            return;
        }
        let own = |term, postings, weight: f64, is_stem| Variant { term, postings, weight: weight as f32, stands_for: None, is_stem };
        match unit.kind {
            UnitKind::Word => {
                // A stem helps a word that no tool has as it stands.
                match self.postings(unit.word) {
                    Some(postings) => visit(own(unit.word, postings, 1.0, false)),
                    None if weights.stem == 0.0 => {}
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
        for expansion in unit.expansions {
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
    fn add(&self, unit: &Unit, query: &Query, tally: &mut Tally, merge: &mut Merge) {
        let mut only: Option<Variant> = None;
        let mut is_merged = false;
        self.variants(unit, query, |variant| match only {
            None => only = Some(variant),
            Some(first) => {
                if !is_merged {
                    merge.start(self.len());
                    merge.put(&first);
                    is_merged = true;
                }
                merge.put(&variant);
            }
        });
        tally.words += f32::from(unit.kind == UnitKind::Word);
        // A pair says nothing new of a name: its words are counted.
        let counts = f32::from(unit.kind != UnitKind::Pair);
        if is_merged {
            for tool in merge.touched.drain(..) {
                let best = std::mem::take(&mut merge.best[tool as usize]);
                tally.put(tool, Sum { score: best.impact * unit.weight, name_words: best.in_name * counts, hits: counts });
            }
        } else if let Some(variant) = only {
            let weight = variant.weight * unit.weight;
            let in_name = variant.in_name() * counts;
            for posting in variant.postings.list {
                let name_words = if posting.is_in_name() { in_name } else { 0.0 };
                tally.put(posting.tool() as u32, Sum { score: posting.impact * weight, name_words, hits: counts });
            }
        }
    }

    fn add_prior(&self, weighed: &mut [(u32, f32)]) {
        if self.server_count < 2 || self.weights.server_prior == 0.0 {
            return;
        }
        let mut best = vec![[0.0f32; PRIOR_TOOLS]; self.server_count];
        for (tool, score) in weighed.iter() {
            let best = &mut best[self.servers[*tool as usize] as usize];
            if *score > best[0] {
                *best = [*score, best[0]];
            } else if *score > best[1] {
                best[1] = *score;
            }
        }
        let share = self.weights.server_prior as f32 / PRIOR_TOOLS as f32;
        for (tool, score) in weighed {
            let best = best[self.servers[*tool as usize] as usize];
            *score += share * (best[0] + best[1]);
        }
    }

    /// Both scores are scaled to their best and added; vectors of which none is near say little, and count less. What comes out is on the scale of weighed scores again, of which `even` is as likely right as
    /// wrong.
    fn blend(&self, weighed: &[(u32, f32)], even: f32, similarities: &[f32], visible: impl Fn(usize) -> bool) -> Vec<(u32, f32)> {
        let best_word = highest(weighed);
        let shown: Vec<u32> = (0..self.len()).filter(|tool| visible(*tool)).map(|tool| tool as u32).collect();
        let best_vector = shown.iter().map(|tool| similarities[*tool as usize]).fold(0.0, f32::max);
        if best_vector == 0.0 {
            return weighed.to_vec();
        }
        let mut words = vec![0.0f32; self.len()];
        for (tool, score) in weighed {
            words[*tool as usize] = score / best_word;
        }
        let tells = (best_vector / LEAST_TELLING).min(1.0);
        let share = if best_word > 0.0 { self.weights.vector as f32 * tells } else { 1.0 };
        let scale = (1.0 - share) * best_word + share * best_vector * even / self.weights.vector_even_odds.max(1e-6) as f32;
        let blended = |tool: u32| {
            let vector = similarities[tool as usize].max(0.0) / best_vector;
            (tool, scale * ((1.0 - share) * words[tool as usize] + share * vector))
        };
        shown.into_iter().map(blended).collect()
    }

    /// A name that is the message, a hint or a quotation, and one of two parts or more that stands in the message.
    fn named_tools(&self, query: &Query, visible: impl Fn(usize) -> bool) -> Vec<usize> {
        let whole = query.wholes.iter().flat_map(|name| self.named(*name));
        let inside = query.names.iter().flat_map(|name| self.named_inside(*name));
        whole.chain(inside).filter(|tool| visible(*tool)).collect()
    }
}

/// The tools that have anything of a message.
struct Found {
    /// Places and weighed scores, in no order.
    weighed: Vec<(u32, f32)>,
    /// The weighed score that is a confidence of a half.
    even: f64,
    /// Tools that are named; their score is 1, whatever was weighed.
    named: Vec<usize>,
}

/// Whether a clause asks for enough to have a score of its own.
fn has_own_score(units: &[Unit]) -> bool {
    let mut words: Vec<u64> = units.iter().filter(|unit| unit.kind == UnitKind::Word).map(|unit| unit.stem).collect();
    words.sort_unstable();
    words.dedup();
    units[0].clause < MOST_CLAUSES && words.len() >= CLAUSE_LEAST_WORDS
}

fn highest(scores: &[(u32, f32)]) -> f32 {
    scores.iter().map(|(_, score)| *score).fold(0.0, f32::max)
}

/// The best variant of one unit, for each tool that has it.
#[derive(Default)]
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
    /// Most units have one variant only, and need no room.
    fn start(&mut self, tools: usize) {
        self.best.resize(tools, Best::default());
    }

    fn put(&mut self, variant: &Variant) {
        let in_name = variant.in_name();
        for posting in variant.postings.list {
            let tool = posting.tool();
            let best = &mut self.best[tool];
            if best.impact == 0.0 {
                self.touched.push(tool as u32);
            }
            best.impact = best.impact.max(posting.impact * variant.weight);
            if posting.is_in_name() {
                best.in_name = best.in_name.max(in_name);
            }
        }
    }
}

/// What the tools have of a message or of one clause.
struct Tally {
    sums: Vec<Sum>,
    touched: Vec<u32>,
    words: f32,
}

#[derive(Clone, Copy, Default, PartialEq)]
struct Sum {
    score: f32,
    name_words: f32,
    hits: f32,
}

impl Tally {
    fn new(tools: usize) -> Self {
        Tally { sums: vec![Sum::default(); tools], touched: Vec::new(), words: 0.0 }
    }

    fn put(&mut self, tool: u32, more: Sum) {
        let sum = &mut self.sums[tool as usize];
        if *sum == Sum::default() {
            self.touched.push(tool);
        }
        sum.score += more.score;
        sum.name_words += more.name_words;
        sum.hits += more.hits;
    }

    fn add_all(&mut self, other: &Tally) {
        other.touched.iter().for_each(|tool| self.put(*tool, other.sums[*tool as usize]));
        self.words += other.words;
    }

    /// The scores of the tools that have anything.
    fn finish(&self, index: &Index, visible: impl Fn(usize) -> bool) -> Vec<(u32, f32)> {
        let name_coverage = index.weights.name_coverage as f32;
        let message_coverage = index.weights.message_coverage as f32;
        let words = 1.0 / self.words.max(1.0);
        let score = |tool: &u32| {
            let sum = self.sums[*tool as usize];
            let (name_share, hub_share) = index.shares[*tool as usize];
            let name = 1.0 + name_coverage * (sum.name_words * name_share).min(1.0);
            let message = 1.0 + message_coverage * (sum.hits * words).min(1.0);
            (*tool, sum.score * name * message * hub_share)
        };
        self.touched.iter().filter(|tool| visible(**tool as usize)).map(score).collect()
    }

    fn clear(&mut self) {
        for tool in self.touched.drain(..) {
            self.sums[tool as usize] = Sum::default();
        }
        self.words = 0.0;
    }
}
