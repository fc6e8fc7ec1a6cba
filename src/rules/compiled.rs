//! Rules in the form in which they are weighed: patterns compiled, sorted by strength, and for every tool the set of rules that match it.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::pattern::{Fold, Pattern};
use super::{EmptyInclude, Kind, Match, Rule};
use crate::go::{NamePattern, PathPattern};
use crate::options::{Decision, IntentNames, Options, Patterns};
use crate::tool::Tool;

/// A set of rules, by their place in the order of strength: one bit each.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct RuleMask(pub Vec<u64>);

impl RuleMask {
    fn empty(words: usize) -> Self {
        RuleMask(vec![0; words])
    }

    pub fn insert(&mut self, at: usize) {
        self.0[at / 64] |= 1 << (at % 64);
    }

    pub fn contains(&self, at: usize) -> bool {
        self.0[at / 64] >> (at % 64) & 1 == 1
    }

    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    pub fn add(&mut self, other: &RuleMask) {
        for (word, more) in self.0.iter_mut().zip(&other.0) {
            *word |= more;
        }
    }

    pub fn and(&self, other: &RuleMask) -> RuleMask {
        RuleMask(self.0.iter().zip(&other.0).map(|(a, b)| a & b).collect())
    }

    /// The strongest rule that is in this set and in a tool's row.
    pub fn first_in(&self, row: &[u64]) -> Option<usize> {
        self.0.iter().zip(row).position(|(a, b)| a & b != 0).map(|word| word * 64 + (self.0[word] & row[word]).trailing_zeros() as usize)
    }

    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        ones(&self.0)
    }
}

/// The places of the bits that are set.
pub(crate) fn ones(words: &[u64]) -> impl Iterator<Item = usize> + '_ {
    words.iter().enumerate().flat_map(|(at, word)| {
        let mut rest = *word;
        std::iter::from_fn(move || {
            let bit = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
            rest &= rest - 1;
            Some(at * 64 + bit)
        })
    })
}

/// The rules of a broker. Everywhere else a rule is known by its place in the order of strength.
#[derive(Debug)]
pub(crate) struct RuleSet {
    /// By falling priority; where that is equal by what decides a tie: exclude, pin, include, allow, full, summarize.
    pub rules: Vec<CompiledRule>,
    /// Places by falling priority and then as loaded: the order in which a rationale names them.
    pub by_priority: Vec<usize>,
    /// Those that decide visibility: include, allow, pin, exclude.
    pub visibility: RuleMask,
    /// Those that decide the form: summarize, full.
    pub form: RuleMask,
    pub pins: RuleMask,
    pub excludes: RuleMask,
    pub includes: RuleMask,
    pub summarizes: RuleMask,
    intents: IntentIndex,
    words: usize,
}

#[derive(Debug)]
pub(crate) struct CompiledRule {
    pub rule: Rule,
    /// `None`: an action that does nothing, which only profile `go-0.2` takes.
    pub kind: Option<Kind>,
    pub empty_include: EmptyInclude,
    matching: CompiledMatch,
    /// Its place among the rules as they were loaded.
    loaded: usize,
}

impl RuleSet {
    pub fn new(rules: Vec<Rule>, options: &Options) -> Self {
        let words = rules.len().div_ceil(64);
        let mut rules: Vec<CompiledRule> =
            rules.into_iter().enumerate().map(|(loaded, rule)| CompiledRule::new(rule, loaded, options)).collect();
        rules.sort_by_key(|compiled| (Reverse(compiled.rule.priority), compiled.tie_rank(), compiled.loaded));
        let mut by_priority: Vec<usize> = (0..rules.len()).collect();
        by_priority.sort_by_key(|place| (Reverse(rules[*place].rule.priority), rules[*place].loaded));
        let of = |kinds: &[Kind]| {
            let mut mask = RuleMask::empty(words);
            for (place, compiled) in rules.iter().enumerate() {
                if compiled.kind.is_some_and(|kind| kinds.contains(&kind)) {
                    mask.insert(place);
                }
            }
            mask
        };
        RuleSet {
            visibility: of(&[Kind::Include, Kind::Allow, Kind::Pin, Kind::Exclude]),
            form: of(&[Kind::Summarize, Kind::Full]),
            pins: of(&[Kind::Pin]),
            excludes: of(&[Kind::Exclude]),
            includes: of(&[Kind::Include]),
            summarizes: of(&[Kind::Summarize]),
            intents: IntentIndex::new(&rules, words, options),
            by_priority,
            rules,
            words,
        }
    }

    /// Words in a tool's row.
    pub fn row_words(&self) -> usize {
        self.words
    }

    /// Appends the row of a tool: which rules match it.
    pub fn push_row(&self, rows: &mut Vec<u64>, tool: &Tool) {
        let start = rows.len();
        rows.resize(start + self.words, 0);
        for (place, compiled) in self.rules.iter().enumerate() {
            if compiled.matching.fits(tool) {
                rows[start + place / 64] |= 1 << (place % 64);
            }
        }
    }

    /// The rules that apply for any of these intents; no intent at all is the empty one.
    pub fn applicable(&self, intents: &[String]) -> RuleMask {
        let mut mask = RuleMask::empty(self.words);
        if intents.is_empty() {
            self.intents.add_fitting("", &mut mask);
        }
        for intent in intents {
            self.intents.add_fitting(intent, &mut mask);
        }
        mask
    }

    /// The rules in the order in which they were loaded, each with its place in the order of strength.
    pub fn loaded_order(&self) -> impl Iterator<Item = (usize, &CompiledRule)> {
        let mut places: Vec<(usize, &CompiledRule)> = self.rules.iter().enumerate().collect();
        places.sort_by_key(|(_, compiled)| compiled.loaded);
        places.into_iter()
    }
}

impl CompiledRule {
    fn new(rule: Rule, loaded: usize, options: &Options) -> Self {
        let kind = Kind::of(&rule.action.kind)
            .filter(|kind| options.decision == Decision::Priority || matches!(kind, Kind::Include | Kind::Exclude | Kind::Summarize));
        CompiledRule {
            kind,
            empty_include: rule.empty_include.unwrap_or(options.empty_include),
            matching: CompiledMatch::new(&rule.matching, options),
            loaded,
            rule,
        }
    }

    fn tie_rank(&self) -> u8 {
        match self.kind {
            Some(Kind::Exclude) => 0,
            Some(Kind::Pin) => 1,
            Some(Kind::Include) => 2,
            Some(Kind::Allow) => 3,
            Some(Kind::Full) => 4,
            Some(Kind::Summarize) => 5,
            None => 6,
        }
    }
}

/// A compiled `match`.
#[derive(Debug)]
pub(crate) struct CompiledMatch {
    patterns: NameSet,
    tags: NameSet,
    servers: NameSet,
    annotations: Vec<(String, bool)>,
    not: Option<Box<CompiledMatch>>,
}

impl CompiledMatch {
    pub fn new(matching: &Match, options: &Options) -> Self {
        let fold = if matching.ignore_case { Fold::Case } else { Fold::Exact };
        let (names, labels) = match options.patterns {
            Patterns::Names => (Language::Names(fold), Language::Names(fold)),
            Patterns::Path => (Language::Path, Language::Equal),
        };
        CompiledMatch {
            patterns: NameSet::new(&matching.patterns, names),
            tags: NameSet::new(&matching.tags, labels),
            servers: NameSet::new(&matching.servers, labels),
            annotations: matching.annotations.iter().map(|(name, value)| (name.clone(), *value)).collect(),
            not: matching.not.as_ref().map(|not| Box::new(CompiledMatch::new(not, options))),
        }
    }

    pub fn fits(&self, tool: &Tool) -> bool {
        self.patterns.fits_any(std::iter::once(tool.id.name.as_str()))
            && self.servers.fits_any(std::iter::once(tool.id.server.as_str()))
            && self.tags.fits_any(tool.tags.iter().map(String::as_str))
            && self.annotations.iter().all(|(name, value)| tool.annotations.effective(name) == *value)
            && !self.not.as_ref().is_some_and(|not| not.fits(tool))
    }
}

/// The language in which a list of names is written.
#[derive(Debug, Clone, Copy)]
enum Language {
    Names(Fold),
    Path,
    Equal,
}

#[derive(Debug)]
enum Name {
    Pattern(Pattern),
    Path(NamePattern),
    Equal(String),
}

impl Name {
    fn fits(&self, name: &str) -> bool {
        match self {
            Name::Pattern(pattern) => pattern.fits(name),
            Name::Path(pattern) => pattern.fits(name),
            Name::Equal(text) => text == name,
        }
    }
}

/// A list of names to fit: one that takes, and none that takes away.
#[derive(Debug)]
struct NameSet {
    takes: Vec<Name>,
    takes_away: Vec<Name>,
}

impl NameSet {
    fn new(texts: &[String], language: Language) -> Self {
        let mut set = NameSet { takes: Vec::new(), takes_away: Vec::new() };
        for text in texts {
            match language {
                Language::Path => set.takes.push(Name::Path(NamePattern::new(text))),
                Language::Equal => set.takes.push(Name::Equal(text.clone())),
                // A rule with a malformed pattern does not get here under strict reading; under Go's it fits nothing, as there.
                Language::Names(fold) => match Pattern::new(text, fold) {
                    Ok(pattern) if pattern.takes_away() => set.takes_away.push(Name::Pattern(pattern)),
                    Ok(pattern) => set.takes.push(Name::Pattern(pattern)),
                    Err(_) => set.takes.push(Name::Equal(text.clone())),
                },
            }
        }
        set
    }

    fn fits_any<'a>(&self, names: impl Iterator<Item = &'a str> + Clone) -> bool {
        let fits = |set: &[Name]| names.clone().any(|name| set.iter().any(|pattern| pattern.fits(name)));
        (self.takes.is_empty() || fits(&self.takes)) && !fits(&self.takes_away)
    }
}

/// Finds the rules for an intent: most rules name one intent or all, so that only real patterns are tried one by one.
#[derive(Debug)]
struct IntentIndex {
    every: RuleMask,
    named: HashMap<String, RuleMask>,
    patterns: Vec<(IntentPattern, RuleMask)>,
    fold: IntentNames,
}

#[derive(Debug)]
enum IntentPattern {
    Names(Pattern),
    Path(PathPattern),
}

impl IntentIndex {
    fn new(rules: &[CompiledRule], words: usize, options: &Options) -> Self {
        let mut index =
            IntentIndex { every: RuleMask::empty(words), named: HashMap::new(), patterns: Vec::new(), fold: options.intent_names };
        let mut patterns: Vec<(&str, RuleMask)> = Vec::new();
        for (place, compiled) in rules.iter().enumerate() {
            let text = compiled.rule.intent.as_str();
            if text.is_empty() || text == "*" {
                index.every.insert(place);
            } else if !text.contains(['*', '?', '[', ']', '{', '}', '\\', '!']) {
                index.named.entry(index.key(text)).or_insert_with(|| RuleMask::empty(words)).insert(place);
            } else if let Some((_, mask)) = patterns.iter_mut().find(|(known, _)| *known == text) {
                mask.insert(place);
            } else {
                let mut mask = RuleMask::empty(words);
                mask.insert(place);
                patterns.push((text, mask));
            }
        }
        let fold = if options.intent_names == IntentNames::Folded { Fold::Intent } else { Fold::Exact };
        index.patterns = patterns
            .into_iter()
            .filter_map(|(text, mask)| {
                let pattern = match options.patterns {
                    Patterns::Names => IntentPattern::Names(Pattern::new(text, fold).ok()?),
                    Patterns::Path => IntentPattern::Path(PathPattern::new(text)),
                };
                Some((pattern, mask))
            })
            .collect();
        index
    }

    fn key(&self, intent: &str) -> String {
        match self.fold {
            IntentNames::Exact => intent.to_owned(),
            IntentNames::Folded => super::pattern::folded(intent, Fold::Intent),
        }
    }

    fn add_fitting(&self, intent: &str, mask: &mut RuleMask) {
        mask.add(&self.every);
        if let Some(named) = self.named.get(&self.key(intent)) {
            mask.add(named);
        }
        for (pattern, rules) in &self.patterns {
            let fits = match pattern {
                // `!` alone in front takes away from all intents.
                IntentPattern::Names(pattern) => pattern.fits(intent) != pattern.takes_away(),
                IntentPattern::Path(pattern) => pattern.fits(intent),
            };
            if fits {
                mask.add(rules);
            }
        }
    }
}
