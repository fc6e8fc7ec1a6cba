//! Weights from sets: one weight after the other is moved to the value that ranks best, until none moves.

use toolbroker::{Weights, WordTables};

use super::measures::{NDCG_10, RECALL_5, mean};
use super::{Loaded, measure_with};
use crate::Failure;

/// Messages of each set that are ranked for each try.
const MOST_MESSAGES: usize = 300;
/// A value is taken where it gains more than so many standard errors of the gain, message by message: a small set moves nothing by chance.
const LEAST_ERRORS: f64 = 2.0;
/// Rounds over all weights.
const MOST_ROUNDS: usize = 4;

/// Weights of fields and of kinds of words, and the values that are tried.
const AMOUNTS: &[f64] = &[0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0];
/// Shares, from nothing to all.
const SHARES: &[f64] = &[0.0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0];

/// The weights that order the tools by words. `hub` is not among them: sets whose tools were written one by one hardly have a tool that fits
/// everything, as registries have.
const FITTED: &[(&str, &[f64])] = &[
    ("name", AMOUNTS),
    ("title", AMOUNTS),
    ("first_sentence", AMOUNTS),
    ("description", AMOUNTS),
    ("parameter_name", AMOUNTS),
    ("parameter_description", AMOUNTS),
    ("parameter_value", AMOUNTS),
    ("tag", AMOUNTS),
    ("server", AMOUNTS),
    ("saturation", AMOUNTS),
    ("length", SHARES),
    ("name_length", SHARES),
    ("word_pair", AMOUNTS),
    ("stem", AMOUNTS),
    ("synonym", AMOUNTS),
    ("topic", AMOUNTS),
    ("token_type", AMOUNTS),
    ("common", SHARES),
    ("quoted", AMOUNTS),
    ("unlisted_word", AMOUNTS),
    ("name_coverage", AMOUNTS),
    ("message_coverage", AMOUNTS),
    ("clause", SHARES),
    ("clause_evenness", AMOUNTS),
    ("server_prior", AMOUNTS),
];

/// Where a fit begins: fields and words count 1, the name 2, what is only a part of something a half; saturation is the textbooks'.
pub fn start() -> Weights {
    let mut weights = Weights::default();
    for (name, _) in FITTED {
        set(&mut weights, name, 0.5);
    }
    for name in ["title", "first_sentence", "description", "parameter_name", "parameter_description", "server", "unlisted_word"] {
        set(&mut weights, name, 1.0);
    }
    for (name, value) in [("name", 2.0), ("saturation", 1.2), ("common", 0.1)] {
        set(&mut weights, name, value);
    }
    weights
}

/// What weights reach on sets: for each message the mean of recall@5 and nDCG@10.
struct Reached(Vec<Vec<f64>>);

impl Reached {
    fn mean(&self) -> f64 {
        mean(self.0.iter().map(|set| mean(set.iter().copied())))
    }

    /// How much more this is, in standard errors of the difference between the same messages.
    fn errors_over(&self, other: &Reached) -> f64 {
        let (mut gain, mut variance) = (0.0, 0.0);
        for (ours, theirs) in self.0.iter().zip(&other.0) {
            let differences = || ours.iter().zip(theirs).map(|(our, their)| our - their);
            let set_gain = mean(differences());
            gain += set_gain;
            variance += mean(differences().map(|difference| (difference - set_gain).powi(2))) / ours.len() as f64;
        }
        if variance > 0.0 { gain / variance.sqrt() } else { 0.0 }
    }
}

/// The best weights that were found from a beginning, and the mean of recall@5 and nDCG@10 they reach. `progress` takes each step.
pub fn fit(sets: &[&Loaded], tables: &WordTables, from: Weights, mut progress: impl FnMut(&str)) -> Result<(Weights, f64), Failure> {
    let try_out = |weights: &Weights| -> Result<Reached, Failure> {
        let all = measure_with(sets, weights, tables, MOST_MESSAGES)?;
        Ok(Reached(all.iter().map(|set| set.rows.iter().map(|row| (row[RECALL_5] + row[NDCG_10]) / 2.0).collect()).collect()))
    };
    let mut best = from;
    let mut best_reached = try_out(&best)?;
    for round in 1..=MOST_ROUNDS {
        let mut moved = false;
        for (name, values) in FITTED {
            let place = values.iter().position(|value| *value >= best.get(name).unwrap_or(0.0)).unwrap_or(values.len() - 1);
            // Up as long as it gains, and where it never did, down.
            for direction in [1, -1] {
                let mut at = place;
                let mut gained = false;
                // A step that gains nothing may stand before one that does.
                let mut patience = 2;
                while let Some(next) = at.checked_add_signed(direction).filter(|next| *next < values.len() && patience > 0) {
                    at = next;
                    let mut tried = best;
                    set(&mut tried, name, values[at]);
                    let reached = try_out(&tried)?;
                    if reached.errors_over(&best_reached) > LEAST_ERRORS {
                        progress(&format!("round {round}: {name} = {}: {:.4}", values[at], reached.mean()));
                        (best, best_reached, gained) = (tried, reached, true);
                    } else {
                        patience -= 1;
                    }
                }
                moved |= gained;
                if gained {
                    break;
                }
            }
        }
        if !moved {
            break;
        }
    }
    let reached = best_reached.mean();
    Ok((best, reached))
}

/// The fitted weights as the options take them.
pub fn to_json(weights: &Weights) -> String {
    let entries: Vec<String> = FITTED.iter().map(|(name, _)| format!("\"{name}\":{}", weights.get(name).unwrap_or(0.0))).collect();
    format!("{{{}}}", entries.join(","))
}

fn set(weights: &mut Weights, name: &str, value: f64) {
    if let Some(weight) = weights.get_mut(name) {
        *weight = value;
    }
}
