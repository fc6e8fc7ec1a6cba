//! Word tables from sets: how much a word tells of the tools that are meant, and which words are known from more than one set.

use std::collections::{BTreeMap, HashMap, HashSet};

use toolbroker::{WordTables, learning};

use super::Loaded;

/// Messages of one set that count for one word; so no set alone says what a word is worth.
const MOST_MESSAGES: f64 = 10.0;
/// Messages with the mean share that every word is thought to have beside its own.
const PRIOR_MESSAGES: f64 = 4.0;
/// Weights lie between these.
const LEAST: f64 = 0.2;
const MOST: f64 = 1.5;

/// What one set tells of words.
pub struct Lessons {
    /// For each stem of messages that a tool of the set has: the messages with it, and the sum of the shares of their right tools that have it too.
    counts: BTreeMap<String, (f64, f64)>,
    /// The stems of all messages and tools.
    stems: HashSet<String>,
}

impl Lessons {
    pub fn of(loaded: &Loaded) -> Self {
        let tools = loaded.broker.tools();
        let by_name: HashMap<&str, usize> = tools.iter().enumerate().map(|(at, tool)| (tool.id().name.as_str(), at)).collect();
        let mut known: HashMap<String, bool> = HashMap::new();
        let mut counts: BTreeMap<String, (f64, f64)> = BTreeMap::new();
        let mut stems: HashSet<String> = tools.iter().flat_map(|tool| learning::stems(tool.json())).collect();
        for query in &loaded.set.queries {
            let right: Vec<usize> = query.tools.iter().filter_map(|name| by_name.get(name.as_str()).copied()).collect();
            for stem in learning::stems(&query.query) {
                let is_known = *known.entry(stem.clone()).or_insert_with(|| tools.iter().any(|tool| learning::has_stem(tool, &stem)));
                if is_known && !right.is_empty() {
                    let hits = right.iter().filter(|tool| learning::has_stem(&tools[**tool], &stem)).count();
                    let (messages, shares) = counts.entry(stem.clone()).or_default();
                    *messages += 1.0;
                    *shares += hits as f64 / right.len() as f64;
                }
                stems.insert(stem);
            }
        }
        Lessons { counts, stems }
    }
}

/// How much each stem tells: the share of right tools that have it, of all messages with it, against the mean of all stems; the root of that, so that
/// no word silences the others. Stems that only one group of sets has are left out.
pub fn word_weights(sets: &[&Lessons], group_of: &[usize]) -> Vec<(String, f64)> {
    let mut sums: BTreeMap<&str, (f64, f64, HashSet<usize>)> = BTreeMap::new();
    let (mut all_messages, mut all_shares) = (0.0, 0.0);
    for (set, group) in sets.iter().zip(group_of) {
        for (stem, (messages, shares)) in &set.counts {
            let scale = (MOST_MESSAGES / messages).min(1.0);
            let (sum_messages, sum_shares, groups) = sums.entry(stem).or_default();
            *sum_messages += messages * scale;
            *sum_shares += shares * scale;
            groups.insert(*group);
            all_messages += messages * scale;
            all_shares += shares * scale;
        }
    }
    let mean = all_shares / all_messages;
    let weight = |messages: f64, shares: f64| ((shares + PRIOR_MESSAGES * mean) / (messages + PRIOR_MESSAGES) / mean).sqrt();
    let known = sums.into_iter().filter(|(_, (_, _, groups))| groups.len() > 1);
    known.map(|(stem, (messages, shares, _))| (stem.to_owned(), rounded(weight(messages, shares).clamp(LEAST, MOST)))).collect()
}

fn rounded(weight: f64) -> f64 {
    (weight * 100.0).round() / 100.0
}

/// The entries of the library's tables that have a word which only one group of sets has. General words that no set has are no worse for it.
pub fn entries_of_one_group(sets: &[&Lessons], group_of: &[usize]) -> HashSet<&'static str> {
    let is_of_one = |stem: &String| {
        let groups: HashSet<usize> =
            sets.iter().zip(group_of).filter(|(set, _)| set.stems.contains(stem)).map(|(_, group)| *group).collect();
        groups.len() == 1
    };
    WordTables::entries().filter(|entry| learning::stems(&entry.replace('_', " ")).iter().any(is_of_one)).collect()
}

/// The tables that these sets allow.
pub fn tables(sets: &[&Lessons], group_of: &[usize]) -> WordTables {
    let dropped = entries_of_one_group(sets, group_of);
    let weights = word_weights(sets, group_of);
    WordTables::new(weights.iter().map(|(stem, weight)| (stem.as_str(), *weight)), |entry| !dropped.contains(entry))
}

/// Sets that share messages or half of their tools are one group, and know words together. For each set the number of its group.
pub fn groups(sets: &[Loaded]) -> Vec<usize> {
    let messages: Vec<HashSet<&str>> =
        sets.iter().map(|loaded| loaded.set.queries.iter().map(|query| query.query.as_str()).collect()).collect();
    let tools: Vec<HashSet<&str>> = sets.iter().map(|loaded| loaded.set.names.iter().map(String::as_str).collect()).collect();
    let is_related = |a: usize, b: usize| {
        let shared_tools = tools[a].intersection(&tools[b]).count();
        !messages[a].is_disjoint(&messages[b]) || 2 * shared_tools >= tools[a].len().min(tools[b].len())
    };
    let mut groups: Vec<usize> = (0..sets.len()).collect();
    for b in 0..sets.len() {
        for a in 0..b {
            if is_related(a, b) {
                let (from, to) = (groups[b], groups[a]);
                groups.iter_mut().filter(|group| **group == from).for_each(|group| *group = to);
            }
        }
    }
    groups
}
