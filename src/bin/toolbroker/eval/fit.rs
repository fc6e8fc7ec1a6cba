//! Weights from sets: one weight after the other is moved to the value that ranks best, until none moves.

use toolbroker::{Weights, WordTables};

use super::measures::{NDCG_10, RECALL_5};
use super::{Loaded, measure_with};
use crate::Failure;

/// Messages of each set that are ranked for each try.
const MOST_MESSAGES: usize = 300;
/// A value is taken where it gains at least this; less is chance.
const LEAST_GAIN: f64 = 0.0005;
/// Rounds over all weights.
const MOST_ROUNDS: usize = 4;

/// Weights of fields and of kinds of words, and the values that are tried.
const AMOUNTS: &[f64] = &[0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0];
/// Shares, from nothing to all.
const SHARES: &[f64] = &[0.0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0];

/// The weights that order the tools. Those that make a confidence of a score, or need an embedder, change no order of words.
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
    ("hub", AMOUNTS),
];

/// Where a fit begins: what textbooks say of BM25, every field and kind of word worth the same, everything else off.
pub fn start() -> Weights {
    let mut weights = Weights::default();
    for (name, _) in FITTED {
        set(&mut weights, name, 0.0);
    }
    for name in ["name", "title", "first_sentence", "description", "parameter_name", "parameter_description", "server", "stem"] {
        set(&mut weights, name, 1.0);
    }
    for (name, value) in
        [("saturation", 1.2), ("length", 0.7), ("name_length", 0.7), ("quoted", 1.0), ("unlisted_word", 1.0), ("common", 1.0)]
    {
        set(&mut weights, name, value);
    }
    weights
}

/// The best weights that were found from a beginning, and the mean of recall@5 and nDCG@10 they reach. `progress` takes each step.
pub fn fit(sets: &[&Loaded], tables: &WordTables, from: Weights, mut progress: impl FnMut(&str)) -> Result<(Weights, f64), Failure> {
    let reached = |weights: &Weights| -> Result<f64, Failure> {
        let all = measure_with(sets, weights, tables, MOST_MESSAGES)?;
        Ok(all.iter().map(|set| (set.mean(RECALL_5) + set.mean(NDCG_10)) / 2.0).sum::<f64>() / all.len() as f64)
    };
    let mut best = from;
    let mut best_reached = reached(&best)?;
    for round in 1..=MOST_ROUNDS {
        let before = best_reached;
        for (name, values) in FITTED {
            let at = |value: f64| values.iter().position(|tried| *tried >= value).unwrap_or(values.len() - 1);
            let start = at(best.get(name).unwrap_or(0.0));
            // Up as long as it gains, and only where it never did, down.
            for direction in [1, -1] {
                let mut place = start;
                let mut gained = false;
                // One value that gains nothing may stand before one that does.
                let mut patience = 2;
                while let Some(next) = place.checked_add_signed(direction).filter(|next| *next < values.len()) {
                    place = next;
                    let mut tried = best;
                    set(&mut tried, name, values[place]);
                    let tried_reached = reached(&tried)?;
                    if tried_reached >= best_reached + LEAST_GAIN {
                        (best, best_reached, gained) = (tried, tried_reached, true);
                        progress(&format!("round {round}: {name} = {}: {best_reached:.4}", values[place]));
                    } else {
                        patience -= 1;
                        if patience == 0 {
                            break;
                        }
                    }
                }
                if gained {
                    break;
                }
            }
        }
        if best_reached < before + LEAST_GAIN {
            break;
        }
    }
    Ok((best, best_reached))
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
