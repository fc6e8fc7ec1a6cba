//! Finds many sequences of symbols in one pass (the automaton of Aho and Corasick): time is in proportion to the text, whatever the sequences.

use std::collections::HashMap;

const ROOT: u32 = 0;
const NONE: u32 = u32::MAX;

/// A tree of the sequences, and where to go on in it when a symbol leads nowhere.
#[derive(Debug, Clone)]
pub(super) struct Matcher {
    /// For each node where its ways begin in `symbols` and `children`; one more at the end.
    starts: Vec<u32>,
    /// The symbols that lead on, ascending within a node.
    symbols: Vec<u32>,
    children: Vec<u32>,
    /// The node of the longest proper suffix that is in the tree.
    fallback: Vec<u32>,
    /// The nearest node on the way of fallbacks, the node itself among them, at which a sequence ends.
    ending: Vec<u32>,
    /// For each sequence the node at which it ends.
    end_of: Vec<u32>,
}

impl Matcher {
    /// An empty sequence is never found. Nor is one for which there is no room: the sequences together may have 2^32 - 2 symbols.
    pub fn new(sequences: &[Vec<u32>]) -> Self {
        let mut tree = Tree { ways: HashMap::new(), nodes: 1 };
        let ends: Vec<u32> = sequences.iter().map(|sequence| tree.add(sequence)).collect();
        let mut ways: Vec<(u32, u32, u32)> = tree.ways.into_iter().map(|((node, symbol), child)| (node, symbol, child)).collect();
        ways.sort_unstable();

        let nodes = tree.nodes as usize;
        let first_way = |node: u32| ways.partition_point(|(from, ..)| *from < node);
        let mut matcher = Matcher {
            starts: (0..=tree.nodes).map(|node| first_way(node) as u32).collect(),
            symbols: ways.iter().map(|(_, symbol, _)| *symbol).collect(),
            children: ways.iter().map(|(.., child)| *child).collect(),
            fallback: vec![ROOT; nodes],
            ending: vec![NONE; nodes],
            end_of: ends,
        };
        for &end in matcher.end_of.iter().filter(|end| **end != NONE) {
            matcher.ending[end as usize] = end;
        }
        matcher.link();
        matcher
    }

    /// Sets fallbacks and endings, level by level: those of a node come from nodes nearer to the root.
    fn link(&mut self) {
        let mut level = vec![ROOT];
        while !level.is_empty() {
            let mut below = Vec::new();
            for node in level {
                for way in self.ways(node) {
                    let child = self.children[way];
                    let fallback = if node == ROOT { ROOT } else { self.step(self.fallback[node as usize], self.symbols[way]) };
                    self.fallback[child as usize] = fallback;
                    if self.ending[child as usize] == NONE {
                        self.ending[child as usize] = self.ending[fallback as usize];
                    }
                    below.push(child);
                }
            }
            level = below;
        }
    }

    fn ways(&self, node: u32) -> std::ops::Range<usize> {
        self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize
    }

    fn step(&self, mut node: u32, symbol: u32) -> u32 {
        loop {
            let ways = self.ways(node);
            if let Ok(way) = self.symbols[ways.clone()].binary_search(&symbol) {
                return self.children[ways.start + way];
            }
            if node == ROOT {
                return ROOT;
            }
            node = self.fallback[node as usize];
        }
    }

    /// A search that is at the beginning of a text.
    pub fn search(&self) -> Search<'_> {
        Search { matcher: self, node: ROOT, met: vec![false; self.fallback.len()] }
    }
}

/// The tree while it grows.
struct Tree {
    ways: HashMap<(u32, u32), u32>,
    nodes: u32,
}

impl Tree {
    /// Adds a sequence and gives the node at which it ends.
    fn add(&mut self, sequence: &[u32]) -> u32 {
        if sequence.is_empty() || sequence.len() >= (NONE - self.nodes) as usize {
            return NONE;
        }
        sequence.iter().fold(ROOT, |node, symbol| {
            *self.ways.entry((node, *symbol)).or_insert_with(|| {
                self.nodes += 1;
                self.nodes - 1
            })
        })
    }
}

/// A text on its way through a [`Matcher`].
pub(super) struct Search<'a> {
    matcher: &'a Matcher,
    node: u32,
    met: Vec<bool>,
}

impl Search<'_> {
    /// Takes the next symbol of the text.
    pub fn next(&mut self, symbol: u32) {
        let matcher = self.matcher;
        self.node = matcher.step(self.node, symbol);
        // What lies behind an ending that was met before was met with it.
        let mut ending = matcher.ending[self.node as usize];
        while ending != NONE && !std::mem::replace(&mut self.met[ending as usize], true) {
            ending = matcher.ending[matcher.fallback[ending as usize] as usize];
        }
    }

    /// For each sequence whether it stood in the text.
    pub fn found(self) -> Vec<bool> {
        self.matcher.end_of.iter().map(|end| *end != NONE && self.met[*end as usize]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(sequences: &[&str], text: &str) -> Vec<bool> {
        let sequences: Vec<Vec<u32>> = sequences.iter().map(|text| text.bytes().map(u32::from).collect()).collect();
        let matcher = Matcher::new(&sequences);
        let mut search = matcher.search();
        text.bytes().for_each(|byte| search.next(u32::from(byte)));
        search.found()
    }

    #[test]
    fn overlapping_and_contained_sequences_are_all_found() {
        assert_eq!(found(&["he", "she", "his", "hers", "e"], "ushers"), [true, true, false, true, true]);
        assert_eq!(found(&["b", "ab", "cab", "xcab"], "cab"), [true, true, true, false]);
    }

    #[test]
    fn a_sequence_given_twice_is_found_twice_and_an_empty_one_never() {
        assert_eq!(found(&["a", "a", ""], "a"), [true, true, false]);
        assert_eq!(found(&[], "a"), [false; 0]);
    }

    #[test]
    fn agrees_with_looking_for_each_sequence() {
        let text = "abcabdabcdaabbccddabab";
        let sequences: Vec<&str> = (0..text.len()).flat_map(|from| (from + 1..=text.len()).map(move |to| &text[from..to])).collect();
        for text in ["abab", "ddabcdaab", "aabbcc", "", "zab"] {
            let expected: Vec<bool> = sequences.iter().map(|sequence| text.contains(sequence)).collect();
            assert_eq!(found(&sequences, text), expected, "{text}");
        }
    }
}
