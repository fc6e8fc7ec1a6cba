//! What the ranking reaches on a set that its weights and word tables have never seen.

use std::io::{self, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use toolbroker::{Weights, WordTables};

use super::learn::{self, Lessons};
use super::measures::{NDCG_10, RECALL_5};
use super::{Loaded, fit, measure_with};
use crate::Failure;

/// What one set reaches with everything, and with nothing made from it.
struct Outcome {
    whole: [f64; 2],
    without: [f64; 2],
}

/// Prints the table. `related`: the other sets of a set's group are left out with it. Weights are fitted from the beginning for each set.
pub fn table(sets: &[Loaded], weights: &Weights, related: bool) -> Result<(), Failure> {
    let group_of = learn::groups(sets);
    let lessons: Vec<Lessons> = sets.iter().map(Lessons::of).collect();
    let next = AtomicUsize::new(0);
    let outcomes: Mutex<Vec<(usize, Result<Outcome, Failure>)>> = Mutex::default();
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(set) = sets.get(at) else { break };
                    let kept: Vec<usize> =
                        (0..sets.len()).filter(|other| *other != at && !(related && group_of[*other] == group_of[at])).collect();
                    let outcome = outcome(set, sets, &kept, &lessons, &group_of, weights);
                    outcomes.lock().expect("no thread panics while it holds this").push((at, outcome));
                }
            });
        }
    });
    let mut outcomes = outcomes.into_inner().expect("no thread panicked");
    outcomes.sort_by_key(|(at, _)| *at);
    let mut out = io::stdout().lock();
    writeln!(out, "| set | recall@5 | without | change | nDCG@10 | without | change |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |")?;
    let mut means = [0.0; 4];
    for (at, outcome) in outcomes {
        let Outcome { whole, without } = outcome?;
        let values = [whole[0], without[0], whole[1], without[1]];
        means.iter_mut().zip(values).for_each(|(mean, value)| *mean += value / sets.len() as f64);
        row(&mut out, &sets[at].set.name, values)?;
    }
    row(&mut out, "**mean**", means)
}

fn row(out: &mut impl Write, name: &str, [recall, recall_without, ndcg, ndcg_without]: [f64; 4]) -> Result<(), Failure> {
    let change = |with: f64, without: f64| without - with;
    writeln!(
        out,
        "| {name} | {recall:.3} | {recall_without:.3} | {:+.3} | {ndcg:.3} | {ndcg_without:.3} | {:+.3} |",
        change(recall, recall_without),
        change(ndcg, ndcg_without),
    )?;
    Ok(())
}

fn outcome(
    set: &Loaded,
    sets: &[Loaded],
    kept: &[usize],
    lessons: &[Lessons],
    group_of: &[usize],
    weights: &Weights,
) -> Result<Outcome, Failure> {
    let taught: Vec<&Lessons> = kept.iter().map(|other| &lessons[*other]).collect();
    let groups: Vec<usize> = kept.iter().map(|other| group_of[*other]).collect();
    let others: Vec<&Loaded> = kept.iter().map(|other| &sets[*other]).collect();
    let tables = learn::tables(&taught, &groups);
    let name = &set.set.name;
    let (fitted, reached) = fit::fit(&others, &tables, fit::start(), |_| {})?;
    eprintln!("without {name}: {reached:.4} on the others, with {}", fit::to_json(&fitted));
    let of = |weights: &Weights, tables: &WordTables| -> Result<[f64; 2], Failure> {
        let all = measure_with(&[set], weights, tables, usize::MAX)?;
        Ok([all[0].mean(RECALL_5), all[0].mean(NDCG_10)])
    };
    Ok(Outcome { whole: of(weights, WordTables::built_in())?, without: of(&fitted, &tables)? })
}
