//! Patterns of names, profile `standard`: a name is an opaque text, in which no character is special.
//!
//! A pattern is compiled to a small program of states (Thompson's construction); matching keeps the set of states that are alive, so that the
//! time is at most pattern × name whatever the pattern looks like.

use crate::limits;

/// What two characters are compared under.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fold {
    /// As they are.
    Exact,
    /// Without regard to case.
    Case,
    /// As intents: without regard to case, and `-`, `_`, `.` and space are one.
    Intent,
}

impl Fold {
    fn fold(self, c: char) -> char {
        match self {
            Fold::Exact => c,
            Fold::Intent if matches!(c, '-' | '_' | '.' | ' ') => '_',
            // Simple lower-casing: the one character where Rust gives two is `İ`, whose first is `i`.
            Fold::Case | Fold::Intent => c.to_lowercase().next().unwrap_or(c),
        }
    }
}

/// A text under a fold: equal results are equal names.
pub(crate) fn folded(text: &str, fold: Fold) -> String {
    text.chars().map(|c| fold.fold(c)).collect()
}

/// Why a text is no pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Malformed {
    pub message: String,
    pub hint: Option<String>,
}

/// A compiled pattern.
#[derive(Debug)]
pub(crate) struct Pattern {
    takes_away: bool,
    fold: Fold,
    /// What every fitting name begins with: most names fail here.
    prefix: String,
    program: Vec<State>,
}

#[derive(Debug, PartialEq)]
enum State {
    /// One character of a kind, then the next state.
    One(Set),
    /// Two ways on, without a character.
    Split(usize, usize),
    /// Elsewhere, without a character.
    Jump(usize),
    End,
}

#[derive(Debug, PartialEq)]
enum Set {
    Any,
    Literal(char),
    Class { negated: bool, ranges: Vec<(char, char)> },
}

/// Braces inside one another.
const MOST_NESTED: usize = 16;

impl Pattern {
    /// Compiles a pattern.
    ///
    /// # Errors
    /// What is malformed: empty, longer than the limit, unclosed `[` or `{`, an empty set, a range that runs backwards, `\` at the end.
    pub fn new(text: &str, fold: Fold) -> Result<Self, Malformed> {
        if text.is_empty() {
            return Err(malformed("empty pattern"));
        }
        if text.len() > limits::PATTERN_BYTES {
            return Err(malformed(&format!("{} bytes, the limit is {}", text.len(), limits::PATTERN_BYTES)));
        }
        let (takes_away, body) = text.strip_prefix('!').map_or((false, text), |body| (true, body));
        if body.is_empty() {
            return Err(malformed("`!` alone"));
        }
        let mut compiler = Compiler { text: body.chars().collect(), at: 0, fold, program: Vec::new() };
        compiler.compile()?;
        let program = compiler.program;
        let prefix = program.iter().map_while(|state| if let State::One(Set::Literal(c)) = state { Some(*c) } else { None }).collect();
        Ok(Pattern { takes_away, fold, prefix, program })
    }

    /// Whether it begins with `!`: what fits is taken away.
    pub fn takes_away(&self) -> bool {
        self.takes_away
    }

    /// Whether a whole name fits, a leading `!` aside.
    pub fn fits(&self, name: &str) -> bool {
        let mut rest = name.chars().map(|c| self.fold.fold(c));
        if !self.prefix.chars().all(|c| rest.next() == Some(c)) {
            return false;
        }
        let mut alive = Alive::new(self.program.len());
        let mut next = Alive::new(self.program.len());
        alive.add(&self.program, self.prefix.chars().count());
        for c in rest {
            for state in &alive.states {
                if let State::One(set) = &self.program[*state]
                    && set.holds(c)
                {
                    next.add(&self.program, state + 1);
                }
            }
            std::mem::swap(&mut alive, &mut next);
            next.clear();
            if alive.states.is_empty() {
                return false;
            }
        }
        alive.states.iter().any(|state| self.program[*state] == State::End)
    }
}

impl Set {
    fn holds(&self, c: char) -> bool {
        match self {
            Set::Any => true,
            Set::Literal(literal) => *literal == c,
            Set::Class { negated, ranges } => ranges.iter().any(|(low, high)| (*low..=*high).contains(&c)) != *negated,
        }
    }
}

/// The states that a match may be in.
struct Alive {
    states: Vec<usize>,
    seen: Vec<bool>,
    waiting: Vec<usize>,
}

impl Alive {
    fn new(program: usize) -> Self {
        Alive { states: Vec::new(), seen: vec![false; program], waiting: Vec::new() }
    }

    fn clear(&mut self) {
        self.states.clear();
        self.seen.fill(false);
    }

    /// Adds a state and all that can be reached from it without a character.
    fn add(&mut self, program: &[State], state: usize) {
        self.waiting.push(state);
        while let Some(state) = self.waiting.pop() {
            if std::mem::replace(&mut self.seen[state], true) {
                continue;
            }
            match program[state] {
                State::Split(a, b) => self.waiting.extend([b, a]),
                State::Jump(to) => self.waiting.push(to),
                State::One(_) | State::End => self.states.push(state),
            }
        }
    }
}

struct Compiler {
    text: Vec<char>,
    at: usize,
    fold: Fold,
    program: Vec<State>,
}

/// A brace that is open: where its current alternative's split stands, and the jumps to its end.
struct Open {
    split: usize,
    jumps: Vec<usize>,
}

impl Compiler {
    fn compile(&mut self) -> Result<(), Malformed> {
        let mut open: Vec<Open> = Vec::new();
        while let Some(c) = self.take() {
            match c {
                '*' => {
                    let split = self.program.len();
                    self.program.extend([State::Split(split + 1, split + 3), State::One(Set::Any), State::Jump(split)]);
                }
                '?' => self.program.push(State::One(Set::Any)),
                '[' => self.class()?,
                '\\' => match self.take() {
                    Some(c) => self.literal(c),
                    None => return Err(malformed("`\\` at the end")),
                },
                '{' => {
                    if open.len() == MOST_NESTED {
                        return Err(malformed(&format!("more than {MOST_NESTED} braces inside one another")));
                    }
                    open.push(Open { split: self.program.len(), jumps: Vec::new() });
                    self.program.push(State::Jump(0));
                }
                ',' if !open.is_empty() => {
                    let brace = open.last_mut().expect("a brace is open");
                    brace.jumps.push(self.program.len());
                    self.program.push(State::Jump(0));
                    let start = self.program.len();
                    self.program[brace.split] = State::Split(brace.split + 1, start);
                    brace.split = start;
                    self.program.push(State::Jump(0));
                }
                '}' if !open.is_empty() => {
                    let brace = open.pop().expect("a brace is open");
                    self.program[brace.split] = State::Jump(brace.split + 1);
                    let end = self.program.len();
                    for jump in brace.jumps {
                        self.program[jump] = State::Jump(end);
                    }
                }
                c => self.literal(c),
            }
        }
        if !open.is_empty() {
            return Err(malformed_with("`{` is not closed", "write `\\{` for the character itself"));
        }
        self.program.push(State::End);
        Ok(())
    }

    fn literal(&mut self, c: char) {
        self.program.push(State::One(Set::Literal(self.fold.fold(c))));
    }

    fn class(&mut self) -> Result<(), Malformed> {
        let unclosed = || malformed_with("`[` is not closed", "write `\\[` for the character itself");
        let negated = matches!(self.text.get(self.at), Some('!' | '^'));
        self.at += usize::from(negated);
        let mut ranges = Vec::new();
        loop {
            let low = match self.take().ok_or_else(unclosed)? {
                ']' => break,
                '\\' => self.take().ok_or_else(unclosed)?,
                c => c,
            };
            let is_range = self.text.get(self.at) == Some(&'-') && !matches!(self.text.get(self.at + 1), None | Some(']'));
            if !is_range {
                self.push_range(&mut ranges, low, low);
                continue;
            }
            self.at += 1;
            let high = match self.take().ok_or_else(unclosed)? {
                '\\' => self.take().ok_or_else(unclosed)?,
                c => c,
            };
            if low > high {
                return Err(malformed(&format!("range `{low}-{high}` runs backwards")));
            }
            self.push_range(&mut ranges, low, high);
        }
        if ranges.is_empty() {
            return Err(malformed_with("empty set", "write `\\]` for the character itself"));
        }
        self.program.push(State::One(Set::Class { negated, ranges }));
        Ok(())
    }

    /// Under a fold a range holds what its characters become: the range itself, and its folded form where that differs.
    fn push_range(&self, ranges: &mut Vec<(char, char)>, low: char, high: char) {
        ranges.push((low, high));
        let folded = (self.fold.fold(low), self.fold.fold(high));
        if folded != (low, high) && folded.0 <= folded.1 {
            ranges.push(folded);
        }
    }

    fn take(&mut self) -> Option<char> {
        let c = self.text.get(self.at).copied();
        self.at += usize::from(c.is_some());
        c
    }
}

fn malformed(message: &str) -> Malformed {
    Malformed { message: message.to_owned(), hint: None }
}

fn malformed_with(message: &str, hint: &str) -> Malformed {
    Malformed { message: message.to_owned(), hint: Some(hint.to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fits(pattern: &str, name: &str) -> bool {
        Pattern::new(pattern, Fold::Exact).unwrap().fits(name)
    }

    #[test]
    fn star_and_question_mark_cross_everything() {
        assert!(fits("ops*", "ops/host/delete"));
        assert!(fits("*delete", "ops.delete"));
        assert!(fits("a?b", "a/b") && fits("a?b", "aéb") && !fits("a?b", "ab"));
        assert!(fits("*", "") && fits("**a", "a"));
    }

    #[test]
    fn the_whole_name_must_fit() {
        assert!(!fits("build", "build_all") && !fits("uild*", "build") && fits("build", "build"));
    }

    #[test]
    fn sets_hold_characters_and_ranges() {
        assert!(fits("[a-c]x", "bx") && !fits("[a-c]x", "dx"));
        assert!(fits("[!a]", "b") && fits("[^a]", "/") && !fits("[^a]", "a"));
        assert!(fits("[a-]", "-") && fits("[\\]]", "]") && fits("[日-本]", "日"));
    }

    #[test]
    fn braces_hold_alternatives_also_nested_and_empty() {
        for name in ["get_x", "list_x", "list_all_x"] {
            assert!(fits("{get,list{,_all}}_x", name), "{name}");
        }
        assert!(!fits("{get,list{,_all}}_x", "get_all_x"));
        assert!(fits("{a*,b}{c,d*}", "axxdyy") && fits("{}x", "x") && fits("a{,}", "a"));
        assert!(fits("a,b}]", "a,b}]"));
    }

    #[test]
    fn a_backslash_takes_the_next_character_as_it_is() {
        assert!(fits("\\*", "*") && !fits("\\*", "a") && fits("\\!x", "!x"));
    }

    #[test]
    fn a_leading_exclamation_mark_takes_away() {
        let pattern = Pattern::new("!build_*", Fold::Exact).unwrap();
        assert!(pattern.takes_away() && pattern.fits("build_all"));
        assert!(!Pattern::new("\\!x", Fold::Exact).unwrap().takes_away());
    }

    #[test]
    fn folds_compare_without_case_and_separators() {
        assert!(Pattern::new("Build_[A-C]*", Fold::Case).unwrap().fits("BUILD_bx"));
        assert!(Pattern::new("run-*", Fold::Intent).unwrap().fits("Run_build.now"));
        assert!(!Pattern::new("run-*", Fold::Case).unwrap().fits("run_build"));
        assert_eq!(folded("Run Build.x", Fold::Intent), folded("run-build_X", Fold::Intent));
    }

    #[test]
    fn malformed_patterns_say_what_is_wrong() {
        for (pattern, message) in [
            ("", "empty pattern"),
            ("!", "`!` alone"),
            ("[a-", "`[` is not closed"),
            ("[", "`[` is not closed"),
            ("a{b,c", "`{` is not closed"),
            ("[]", "empty set"),
            ("[!]", "empty set"),
            ("[z-a]", "range `z-a` runs backwards"),
            ("a\\", "`\\` at the end"),
        ] {
            assert_eq!(Pattern::new(pattern, Fold::Exact).unwrap_err().message, message, "{pattern}");
        }
        assert!(Pattern::new(&"{".repeat(17), Fold::Exact).is_err());
        assert!(Pattern::new(&"a".repeat(limits::PATTERN_BYTES + 1), Fold::Exact).is_err());
    }

    #[test]
    fn a_hostile_pattern_ends() {
        let name = "a".repeat(1_000);
        assert!(!fits(&"*a".repeat(500), &(name.clone() + "b")));
        assert!(!fits(&"{*a,*aa}".repeat(100), &(name + "b")));
    }
}
