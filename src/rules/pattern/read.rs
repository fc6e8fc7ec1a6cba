//! Reads the text of a pattern.

use super::Malformed;
use super::fold::{Fold, fold_char};
use super::program::Step;
use super::sequence::Item;
use super::set::Set;

/// Braces inside one another.
const DEPTH: usize = 16;

/// What a text says.
pub(super) struct Parsed {
    pub takes_away: bool,
    /// The literal characters it begins with, folded.
    pub prefix: String,
    pub steps: Vec<Step>,
}

/// Reads a pattern; the folded form of its characters is what it keeps.
pub(super) fn read(text: &str, fold: Fold) -> Result<Parsed, Malformed> {
    let chars: Vec<char> = text.chars().collect();
    let mut reader =
        Reader { takes_away: chars.first() == Some(&'!'), chars, at: 0, fold, prefix: String::new(), steps: Vec::new(), open: Vec::new() };
    if reader.takes_away {
        reader.at = 1;
    }
    if reader.at == reader.chars.len() {
        let (message, hint) = match reader.takes_away {
            true => ("`!` alone", "write what to take away behind the `!`"),
            false => ("empty pattern", "`*` fits every name"),
        };
        return Err(Malformed::new(0, message, hint));
    }
    while let Some(c) = reader.next() {
        reader.part(c)?;
    }
    if let Some(group) = reader.open.last() {
        return Err(Malformed::new(group.at, "`{` is not closed", r"add `}`, or write `\{` for the character itself"));
    }
    Ok(Parsed { takes_away: reader.takes_away, prefix: reader.prefix, steps: reader.steps })
}

struct Reader {
    takes_away: bool,
    chars: Vec<char>,
    /// The next character.
    at: usize,
    fold: Fold,
    prefix: String,
    steps: Vec<Step>,
    open: Vec<Group>,
}

/// A brace that is not closed yet.
struct Group {
    /// Where it stands in the text.
    at: usize,
    /// The fork in front of the alternative that is being read. It leads to the next one; the last alternative's leads nowhere new.
    fork: usize,
    /// The steps that leave the alternatives read so far.
    leaving: Vec<usize>,
}

impl Reader {
    fn next(&mut self) -> Option<char> {
        let c = self.chars.get(self.at).copied();
        self.at += usize::from(c.is_some());
        c
    }

    /// One part, whose first character has been taken.
    fn part(&mut self, c: char) -> Result<(), Malformed> {
        match c {
            '*' => self.run(),
            '?' => self.steps.push(Step::Take(Item::Any)),
            '[' => {
                let set = self.set()?;
                self.steps.push(Step::Take(Item::Set(set)));
            }
            '{' => self.open()?,
            ',' if !self.open.is_empty() => self.alternative(),
            '}' if !self.open.is_empty() => self.close(),
            '\\' => {
                let c = self.escaped()?;
                self.literal(c);
            }
            c => self.literal(c),
        }
        Ok(())
    }

    fn literal(&mut self, c: char) {
        let c = fold_char(c, self.fold);
        if self.steps.is_empty() { self.prefix.push(c) } else { self.steps.push(Step::Take(Item::Char(c))) }
    }

    /// Several `*` in a row are one.
    fn run(&mut self) {
        if self.steps.last() != Some(&Step::Take(Item::Run)) {
            self.steps.push(Step::Take(Item::Run));
        }
    }

    fn escaped(&mut self) -> Result<char, Malformed> {
        let at = self.at - 1;
        self.next().ok_or_else(|| Malformed::new(at, r"`\` at the end", r"write `\\` for the character itself"))
    }

    /// `[…]`, whose bracket has been taken. `-` stands for a range only between two characters.
    fn set(&mut self) -> Result<Set, Malformed> {
        let opened = self.at - 1;
        let unclosed = || Malformed::new(opened, "`[` is not closed", r"add `]`, or write `\[` for the character itself");
        let negated = matches!(self.chars.get(self.at), Some('!' | '^'));
        self.at += usize::from(negated);
        let mut ranges = Vec::new();
        loop {
            let start = self.at;
            let from = match self.next().ok_or_else(unclosed)? {
                ']' if ranges.is_empty() => {
                    return Err(Malformed::new(opened, "empty set", r"write `\]` or `\!` for the characters themselves"));
                }
                ']' => return Ok(Set { negated, ranges }),
                '\\' => self.escaped()?,
                c => c,
            };
            let is_range = self.chars.get(self.at) == Some(&'-') && self.chars.get(self.at + 1).is_some_and(|c| *c != ']');
            if !is_range {
                ranges.push((from, from));
                continue;
            }
            self.at += 1;
            let to = match self.next().ok_or_else(unclosed)? {
                '\\' => self.escaped()?,
                c => c,
            };
            if from > to {
                let message = format!("range `{from}-{to}` runs backwards");
                return Err(Malformed { message, at: start, hint: Some(format!("write `{to}-{from}`")) });
            }
            ranges.push((from, to));
        }
    }

    fn open(&mut self) -> Result<(), Malformed> {
        let at = self.at - 1;
        if self.open.len() == DEPTH {
            return Err(Malformed::new(at, format!("braces are nested deeper than {DEPTH}"), "split it into several patterns"));
        }
        self.open.push(Group { at, fork: self.steps.len(), leaving: Vec::new() });
        self.fork();
        Ok(())
    }

    /// A fork whose other way is set when the next alternative or the end of the group is known.
    fn fork(&mut self) {
        let itself = self.steps.len();
        self.steps.push(Step::Fork(itself));
    }

    fn alternative(&mut self) {
        let leaves = self.steps.len();
        self.steps.push(Step::Goto(leaves));
        let starts = self.steps.len();
        if let Some(group) = self.open.last_mut() {
            group.leaving.push(leaves);
            self.steps[group.fork] = Step::Fork(starts);
            group.fork = starts;
        }
        self.fork();
    }

    fn close(&mut self) {
        let Some(mut group) = self.open.pop() else { return };
        // The last alternative's fork keeps leading to itself: there is no other way.
        group.leaving.push(self.steps.len());
        self.steps.push(Step::Goto(self.steps.len()));
        let end = self.steps.len();
        for leaves in group.leaving {
            self.steps[leaves] = Step::Goto(end);
        }
    }
}
