//! What the ranking reaches on a set that its weights and word tables have never seen.

use std::io::{self, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use toolbroker::{Weights, WordTables};

use super::learn::{self, Lessons};
use super::measures::{Measured, NDCG_10, RECALL_5, mean};
use super::{Loaded, fit, measure_with};
use crate::Failure;

/// What one set reaches with everything, and with nothing made from it.
#[derive(Clone)]
struct Outcome {
    whole: [f64; 2],
    without: [f64; 2],
    /// The standard error of the change of nDCG@10, message by message.
    error: f64,
}

/// Outcomes by the places of their sets.
type Outcomes = Vec<(usize, Outcome)>;

/// Prints the table. `related`: the other sets of a set's group are left out with it. Weights are fitted from neutral ones on the sets that stay.
pub fn table(sets: &[Loaded], weights: &Weights, related: bool) -> Result<(), Failure> {
    let group_of = learn::groups(sets);
    let lessons: Vec<Lessons> = sets.iter().map(Lessons::of).collect();
    let mut left_out: Vec<Vec<usize>> = if related {
        group_of.iter().map(|group| (0..sets.len()).filter(|at| group_of[*at] == *group).collect()).collect()
    } else {
        (0..sets.len()).map(|at| vec![at]).collect()
    };
    left_out.sort();
    left_out.dedup();
    let next = AtomicUsize::new(0);
    let outcomes: Mutex<Vec<Result<Outcomes, Failure>>> = Mutex::default();
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(left_out) = left_out.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let found = without(left_out, sets, &lessons, &group_of, weights);
                    outcomes.lock().expect("no thread panics while it holds this").push(found);
                }
            });
        }
    });
    let outcomes = outcomes.into_inner().expect("no thread panicked");
    let mut outcomes = outcomes.into_iter().collect::<Result<Vec<_>, _>>()?.concat();
    outcomes.sort_by_key(|(at, _)| *at);
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "| set | recall@5 | without | change | nDCG@10 | without | change | ± |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    )?;
    let mut means = [0.0; 4];
    let mut variance = 0.0;
    for (at, outcome) in outcomes {
        let Outcome { whole, without, error } = outcome;
        let values = [whole[0], without[0], whole[1], without[1]];
        means.iter_mut().zip(values).for_each(|(mean, value)| *mean += value / sets.len() as f64);
        variance += (error / sets.len() as f64).powi(2);
        row(&mut out, &sets[at].set.name, values, error)?;
    }
    row(&mut out, "**mean**", means, variance.sqrt())
}

fn row(out: &mut impl Write, name: &str, [recall, recall_without, ndcg, ndcg_without]: [f64; 4], error: f64) -> Result<(), Failure> {
    let change = |with: f64, without: f64| without - with;
    writeln!(
        out,
        "| {name} | {recall:.3} | {recall_without:.3} | {:+.3} | {ndcg:.3} | {ndcg_without:.3} | {:+.3} | {error:.3} |",
        change(recall, recall_without),
        change(ndcg, ndcg_without),
    )?;
    Ok(())
}

/// What each of some sets reaches with nothing made from any of them.
fn without(left_out: &[usize], sets: &[Loaded], lessons: &[Lessons], group_of: &[usize], weights: &Weights) -> Result<Outcomes, Failure> {
    let kept: Vec<usize> = (0..sets.len()).filter(|at| !left_out.contains(at)).collect();
    let taught: Vec<&Lessons> = kept.iter().map(|at| &lessons[*at]).collect();
    let groups: Vec<usize> = kept.iter().map(|at| group_of[*at]).collect();
    let others: Vec<&Loaded> = kept.iter().map(|at| &sets[*at]).collect();
    let tables = learn::tables(&taught, &groups);
    let (fitted, reached) = fit::fit(&others, &tables, fit::start(), |_| {})?;
    let names: Vec<&str> = left_out.iter().map(|at| sets[*at].set.name.as_str()).collect();
    eprintln!("without {}: {reached:.4} on the others, with {}", names.join(", "), fit::to_json(&fitted));
    let outcome = |at: &usize| {
        let measure = |weights, tables| Ok::<_, Failure>(measure_with(&[&sets[*at]], weights, tables, usize::MAX)?.remove(0));
        let (whole, without) = (measure(weights, WordTables::built_in())?, measure(&fitted, &tables)?);
        let changes: Vec<f64> = whole.rows.iter().zip(&without.rows).map(|(with, without)| without[NDCG_10] - with[NDCG_10]).collect();
        let mean_change = mean(changes.iter().copied());
        let variance = mean(changes.iter().map(|change| (change - mean_change).powi(2)));
        let of = |measured: &Measured| [measured.mean(RECALL_5), measured.mean(NDCG_10)];
        Ok((*at, Outcome { whole: of(&whole), without: of(&without), error: (variance / changes.len() as f64).sqrt() }))
    };
    left_out.iter().map(outcome).collect()
}
