//! What is measured: recall, nDCG and others of the messages that need tools, and the best scores of those that need none.

use std::collections::HashSet;
use std::time::Instant;

use toolbroker::{Broker, RankRequest};

use super::sets::Set;
use crate::Failure;

/// How deep a ranking is looked at.
const DEPTH: usize = 100;
/// How many tools are asked for where a query's time is taken.
const TIMED_DEPTH: usize = 20;
/// Samples for a confidence interval.
const RESAMPLES: usize = 1_000;

/// The measures, each a mean over messages.
pub const NAMES: [&str; 8] = ["recall@1", "recall@3", "recall@5", "recall@10", "ndcg@10", "mrr", "complete@5", "complete@10"];
pub const RECALL_5: usize = 2;
pub const NDCG_10: usize = 4;

/// The measures of one message.
pub type Row = [f64; NAMES.len()];

/// A set's measures.
pub struct Measured {
    pub set: String,
    pub rows: Vec<Row>,
    /// The best score of each message that needs a tool, and whether that tool is right.
    pub best: Vec<(f64, bool)>,
    /// The best score of each message that needs none.
    pub idle: Vec<f64>,
    /// The median time of a query, in microseconds.
    pub microseconds: f64,
    /// The memory of the index and of the tools' terms, in bytes.
    pub bytes: (usize, usize),
}

impl Measured {
    /// Ranks so many messages of a set, spread over all of it, and each some rounds more for the times.
    pub fn of(set: &Set, broker: &Broker, rounds: usize, messages: usize) -> Result<Self, Failure> {
        let (mut rows, mut best, mut idle, mut times) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let step = set.queries.len().div_ceil(messages);
        for query in set.queries.iter().step_by(step) {
            let request = RankRequest { top: DEPTH, ..RankRequest::for_message(&query.query) };
            for _ in 0..rounds {
                let request = RankRequest { top: TIMED_DEPTH, ..request.clone() };
                let start = Instant::now();
                broker.rank(&request)?;
                times.push(start.elapsed().as_secs_f64() * 1e6);
            }
            let ranking = broker.rank(&request)?;
            if let Some(warning) = ranking.warnings.iter().find(|warning| warning.code == "embedder_failed") {
                return Err(Failure::Message(warning.message.clone()));
            }
            let top = ranking.tools.first().map_or(0.0, |ranked| ranked.score);
            if query.tools.is_empty() {
                idle.push(top);
                continue;
            }
            let right: HashSet<&str> = query.tools.iter().map(String::as_str).collect();
            let is_right = |place: &usize| right.contains(ranking.tool(&ranking.tools[*place]).id().name.as_str());
            let places: Vec<usize> = (0..ranking.tools.len()).filter(is_right).collect();
            best.push((top, places.first() == Some(&0)));
            rows.push(row(&places, right.len()));
        }
        times.sort_by(f64::total_cmp);
        let microseconds = times.get(times.len() / 2).copied().unwrap_or(0.0);
        Ok(Measured { set: set.name.clone(), rows, best, idle, microseconds, bytes: broker.ranking_bytes() })
    }

    /// The mean of a measure.
    pub fn mean(&self, measure: usize) -> f64 {
        mean(self.rows.iter().map(|row| row[measure]))
    }

    /// The share of messages that need a tool whose best score is at least this.
    pub fn kept(&self, least: f64) -> f64 {
        mean(self.best.iter().map(|(score, _)| f64::from(*score >= least)))
    }

    /// The same of messages that need none.
    pub fn false_alarms(&self, least: f64) -> f64 {
        mean(self.idle.iter().map(|score| f64::from(*score >= least)))
    }
}

fn row(places: &[usize], right: usize) -> Row {
    let within = |k: usize| places.iter().filter(|place| **place < k).count();
    let recall = |k: usize| within(k) as f64 / right as f64;
    let gain = |place: usize| 1.0 / ((place + 2) as f64).log2();
    let ideal: f64 = (0..right.min(10)).map(gain).sum();
    let found: f64 = places.iter().copied().filter(|place| *place < 10).map(gain).sum();
    let complete = |k: usize| f64::from(within(k) == right);
    let mrr = places.first().map_or(0.0, |place| 1.0 / (place + 1) as f64);
    [recall(1), recall(3), recall(5), recall(10), found / ideal, mrr, complete(5), complete(10)]
}

/// The mean over sets, and half the width of its 95 % interval: messages are drawn anew within each set, with a fixed sequence.
pub fn over_sets(all: &[Measured], measure: usize) -> (f64, f64) {
    let all: Vec<&Measured> = all.iter().filter(|measured| !measured.rows.is_empty()).collect();
    let overall = mean(all.iter().map(|measured| measured.mean(measure)));
    let mut random = Sequence(0x9e37_79b9_7f4a_7c15);
    let mut means: Vec<f64> = (0..RESAMPLES)
        .map(|_| mean(all.iter().map(|set| mean((0..set.rows.len()).map(|_| set.rows[random.below(set.rows.len())][measure])))))
        .collect();
    means.sort_by(f64::total_cmp);
    (overall, (means[RESAMPLES * 39 / 40] - means[RESAMPLES / 40]) / 2.0)
}

pub fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (count, sum) = values.fold((0, 0.0), |(count, sum), value| (count + 1, sum + value));
    if count == 0 { 0.0 } else { sum / f64::from(count) }
}

/// Numbers that look random and are always the same: xorshift64* (Vigna, 2016).
struct Sequence(u64);

impl Sequence {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % bound
    }
}
