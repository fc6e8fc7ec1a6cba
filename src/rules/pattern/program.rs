//! Patterns with alternatives: a small program that is followed along all its ways at once.

use super::fold::{Fold, fold_char};
use super::sequence::Item;

/// One step of a program. The place behind the last step is the end.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Step {
    /// Take one character (a `*`: any number) and go on.
    Take(Item),
    /// Go on at the next step and at this one.
    Fork(usize),
    Goto(usize),
}

/// Steps of which at least one is a fork.
#[derive(Debug, Clone)]
pub(super) struct Program(Box<[Step]>);

impl Program {
    /// A program, or where the steps never fork the items in a row.
    pub fn new(steps: Vec<Step>) -> Result<Program, Box<[Item]>> {
        if steps.iter().all(|step| matches!(step, Step::Take(_))) {
            let item = |step| if let Step::Take(item) = step { Some(item) } else { None };
            return Err(steps.into_iter().filter_map(item).collect());
        }
        Ok(Program(steps.into()))
    }

    /// Whether the whole name fits. Each character looks at each step at most once.
    pub fn fits(&self, name: &str, fold: Fold) -> bool {
        let mut now = States::new(self.0.len());
        let mut next = States::new(self.0.len());
        self.enter(0, &mut now);
        for c in name.chars() {
            let c = fold_char(c, fold);
            next.clear();
            for &at in &now.places {
                if let Some(Step::Take(item)) = self.0.get(at)
                    && item.takes(c, fold)
                {
                    self.enter(if *item == Item::Run { at } else { at + 1 }, &mut next);
                }
            }
            if next.places.is_empty() {
                return false;
            }
            std::mem::swap(&mut now, &mut next);
        }
        now.has(self.0.len())
    }

    /// Adds a place and all that can be reached from it without a character.
    fn enter(&self, place: usize, states: &mut States) {
        states.open.push(place);
        while let Some(at) = states.open.pop() {
            if !states.add(at) {
                continue;
            }
            match self.0.get(at) {
                Some(Step::Fork(other)) => states.open.extend([at + 1, *other]),
                Some(Step::Goto(other)) => states.open.push(*other),
                Some(Step::Take(Item::Run)) => states.open.push(at + 1),
                Some(Step::Take(_)) | None => {}
            }
        }
    }
}

/// A set of places, each held once.
struct States {
    places: Vec<usize>,
    held: Vec<bool>,
    /// Places that are still to be added.
    open: Vec<usize>,
}

impl States {
    fn new(steps: usize) -> Self {
        States { places: Vec::new(), held: vec![false; steps + 1], open: Vec::new() }
    }

    fn add(&mut self, place: usize) -> bool {
        let new = !std::mem::replace(&mut self.held[place], true);
        if new {
            self.places.push(place);
        }
        new
    }

    fn has(&self, place: usize) -> bool {
        self.held[place]
    }

    fn clear(&mut self) {
        for place in self.places.drain(..) {
            self.held[place] = false;
        }
    }
}
