//! The measures as tables and as JSON.

use std::io::{self, Write};

use serde_json::json;
use toolbroker::{Weights, WordTables};

use super::Loaded;
use super::measures::{self, Measured, NAMES, NDCG_10, RECALL_5, over_sets};
use crate::Failure;

/// Scores at which a host might cut.
const CUTS: [f64; 4] = [0.05, 0.1, 0.2, 0.5];

/// Parts of the score and the weights that leave them out.
const PARTS: &[(&str, &[(&str, f64)])] = &[
    ("synonyms", &[("synonym", 0.0)]),
    ("topics", &[("topic", 0.0)]),
    ("paths and addresses", &[("token_type", 0.0)]),
    ("stems", &[("stem", 0.0)]),
    ("word pairs", &[("word_pair", 0.0)]),
    ("share of the name", &[("name_coverage", 0.0)]),
    ("share of the message", &[("message_coverage", 0.0)]),
    ("clauses", &[("clause", 0.0)]),
    ("server prior", &[("server_prior", 0.0)]),
    ("hubs", &[("hub", 0.0)]),
    ("quotations", &[("quoted", 1.0)]),
    ("lengths", &[("length", 0.0), ("name_length", 0.0)]),
    ("the name's own weight", &[("name", 1.0)]),
    ("first sentence only of the description", &[("description", 0.0)]),
    ("parameters", &[("parameter_name", 0.0), ("parameter_description", 0.0), ("parameter_value", 0.0)]),
    ("server and tags", &[("server", 0.0), ("tag", 0.0)]),
    ("tools counted beside the registry's", &[("background", 0.0)]),
];

pub fn table(all: &[Measured]) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let ranked: Vec<&Measured> = all.iter().filter(|measured| !measured.rows.is_empty()).collect();
    if !ranked.is_empty() {
        writeln!(
            out,
            "{:16}{:>9}{}{:>10}{:>11}{:>11}",
            "set",
            "messages",
            NAMES.map(|name| format!("{name:>12}")).concat(),
            "µs median",
            "index KiB",
            "terms KiB"
        )?;
        for set in &ranked {
            let cells: String = (0..NAMES.len()).map(|measure| format!("{:12.3}", set.mean(measure))).collect();
            writeln!(
                out,
                "{:16}{:9}{cells}{:10.0}{:11}{:11}",
                set.set,
                set.rows.len(),
                set.microseconds,
                set.bytes.0 / 1024,
                set.bytes.1 / 1024
            )?;
        }
        let means: Vec<(f64, f64)> = (0..NAMES.len()).map(|measure| over_sets(all, measure)).collect();
        writeln!(out, "{:25}{}", "mean of sets", means.iter().map(|(mean, _)| format!("{mean:12.3}")).collect::<String>())?;
        writeln!(out, "{:25}{}", "95 % interval, ±", means.iter().map(|(_, half)| format!("{half:12.3}")).collect::<String>())?;
    }
    for set in all.iter().filter(|set| !set.idle.is_empty()) {
        writeln!(out, "\n{}: {} messages need a tool, {} need none", set.set, set.best.len(), set.idle.len())?;
        writeln!(out, "{:>10}{:>28}{:>28}", "min_score", "a tool where one is needed", "a tool where none is")?;
        for cut in CUTS {
            writeln!(out, "{cut:10}{:28.3}{:28.3}", set.kept(cut), set.false_alarms(cut))?;
        }
    }
    Ok(())
}

/// How often the best tool is right, by its score: how true the scores are as confidences.
pub fn calibration(all: &[Measured]) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    writeln!(out, "| score of the best tool | messages | right | mean score |\n| --- | ---: | ---: | ---: |")?;
    for tenth in 0..10 {
        let within = |score: f64| ((score * 10.0) as usize).min(9) == tenth;
        // Every set counts the same, whatever its size.
        let total: f64 = all.iter().map(|set| set.best.len() as f64).sum();
        let (mut messages, mut weight, mut right, mut scores) = (0, 0.0, 0.0, 0.0);
        for set in all {
            let share = total / set.best.len() as f64;
            for (score, is_right) in set.best.iter().filter(|(score, _)| within(*score)) {
                messages += 1;
                weight += share;
                right += share * f64::from(*is_right);
                scores += share * score;
            }
        }
        writeln!(
            out,
            "| {:.1} to {:.1} | {messages} | {:.2} | {:.2} |",
            tenth as f64 / 10.0,
            (tenth + 1) as f64 / 10.0,
            right / weight,
            scores / weight
        )?;
    }
    Ok(())
}

pub fn json(all: &[Measured]) -> Result<(), Failure> {
    let sets = all.iter().map(|set| {
        let means: serde_json::Map<String, serde_json::Value> =
            NAMES.iter().enumerate().map(|(at, name)| ((*name).to_owned(), json!(set.mean(at)))).collect();
        let cuts: Vec<_> = CUTS.iter().map(|cut| json!({"min_score": cut, "kept": set.kept(*cut), "false_alarms": set.false_alarms(*cut)})).collect();
        let value = json!({"messages": set.rows.len(), "idle_messages": set.idle.len(), "measures": means, "cuts": cuts, "microseconds": set.microseconds, "index_bytes": set.bytes.0, "terms_bytes": set.bytes.1});
        (set.set.clone(), value)
    });
    let mean: serde_json::Map<String, serde_json::Value> = NAMES
        .iter()
        .enumerate()
        .map(|(at, name)| {
            let (mean, half) = over_sets(all, at);
            ((*name).to_owned(), json!({"mean": mean, "interval": half}))
        })
        .collect();
    writeln!(io::stdout().lock(), "{}", json!({"sets": sets.collect::<serde_json::Map<_, _>>(), "mean": mean}))?;
    Ok(())
}

/// What is lost without each part, in the mean over sets.
pub fn ablation(sets: &[Loaded], weights: &Weights) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let sets: Vec<&Loaded> = sets.iter().collect();
    let reached = |weights: &Weights, tables: &WordTables| -> Result<[f64; 2], Failure> {
        let all = super::measure_with(&sets, weights, tables, usize::MAX)?;
        Ok([RECALL_5, NDCG_10].map(|measure| measures::mean(all.iter().map(|set| set.mean(measure)))))
    };
    let built_in = WordTables::built_in();
    let whole = reached(weights, built_in)?;
    writeln!(out, "| without | recall@5 | nDCG@10 |\n| --- | ---: | ---: |")?;
    writeln!(out, "| nothing | {:.4} | {:.4} |", whole[0], whole[1])?;
    let mut row =
        |part: &str, without: [f64; 2]| writeln!(out, "| {part} | {:+.4} | {:+.4} |", without[0] - whole[0], without[1] - whole[1]);
    row("word weights", reached(&Weights { unlisted_word: 1.0, ..*weights }, &WordTables::new([], |_| true))?)?;
    for (part, changes) in PARTS {
        let mut weights = *weights;
        for (name, value) in *changes {
            if let Some(weight) = weights.get_mut(name) {
                *weight = *value;
            }
        }
        row(part, reached(&weights, built_in)?)?;
    }
    Ok(())
}
