//! `toolbroker eval`: how well the ranking puts the right tools first, on sets of messages whose right tools are known, and the numbers and words
//! that such sets teach.

mod fit;
mod learn;
mod left_out;
mod measures;
mod report;
mod sets;

use std::io::{self, Write};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use toolbroker::{Broker, Options, Weights, WordTables};

use self::learn::Lessons;
use self::measures::Measured;
use self::sets::Set;
use super::Failure;

#[derive(Args)]
pub struct Arguments {
    /// A folder of sets, each a folder with tools.json and queries.json
    #[arg(long, required = true, value_name = "DIR")]
    sets: PathBuf,
    /// Read the queries from the sets in this folder instead
    #[arg(long, value_name = "DIR")]
    queries: Option<PathBuf>,
    /// Only these sets
    #[arg(long, num_args = 1.., value_name = "NAME")]
    only: Vec<String>,
    /// Other numbers for the score, a JSON object (see docs/ranking.md)
    #[arg(long, value_name = "JSON")]
    weights: Option<String>,
    /// A program that turns texts into vectors: it reads a JSON list of texts a line and answers each with a line, a list of lists of numbers
    #[arg(long, value_name = "COMMAND", conflicts_with = "task")]
    embedder: Option<String>,
    /// How often each message is ranked, for the times
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    rounds: usize,
    /// Fail when the mean of a measure is below this
    #[arg(long, value_name = "MEASURE=VALUE", value_parser = least)]
    least: Vec<(usize, f64)>,
    /// Do this instead of measuring
    #[arg(long, value_enum, conflicts_with = "json")]
    task: Option<Task>,
    /// Print the measures as JSON
    #[arg(long)]
    json: bool,
}

/// What else sets are good for.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Task {
    /// Say what is lost when one part of the score is left out, part by part
    Ablation,
    /// Say how often the best tool is right, by its score
    Calibration,
    /// Print the table of word weights that the sets teach
    WordWeights,
    /// Name the entries of the tables that have a word of one group of sets only; sets that share messages or tools are one group
    WordsOfOneSet,
    /// Find the numbers of the score that do best, from neutral ones
    Fit,
    /// Measure each set with numbers and tables that are made without it
    LeftOut,
    /// The same, without the sets too that share messages or tools with it
    RelatedLeftOut,
}

/// A set whose tools are registered.
pub struct Loaded {
    pub set: Set,
    pub broker: Broker,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let options = super::rank::options(arguments.weights.as_deref())?;
    let sets = sets::read(&arguments.sets, arguments.queries.as_deref(), &arguments.only)?;
    if let Some(task) = arguments.task {
        let loaded = sets.into_iter().map(|set| load(set, &options, None)).collect::<Result<Vec<_>, _>>()?;
        return perform(task, &loaded, &options.ranking);
    }
    let mut all = Vec::with_capacity(sets.len());
    let count = sets.len();
    for (at, set) in sets.into_iter().enumerate() {
        eprintln!("{} of {count}: {}, {} tools, {} queries", at + 1, set.name, set.names.len(), set.queries.len());
        let loaded = load(set, &options, arguments.embedder.as_deref())?;
        all.push(Measured::of(&loaded.set, &loaded.broker, arguments.rounds, usize::MAX)?);
    }
    if arguments.json {
        report::json(&all)?
    } else {
        report::table(&all)?
    }
    for (measure, value) in &arguments.least {
        let (mean, _) = measures::over_sets(&all, *measure);
        if mean < *value {
            return Err(Failure::Message(format!("{} is {mean:.3}, below {value}", measures::NAMES[*measure])));
        }
    }
    Ok(())
}

/// A measure and the least that it may be.
fn least(text: &str) -> Result<(usize, f64), String> {
    let (name, value) = text.split_once('=').ok_or("a measure, `=` and a number")?;
    let measure =
        measures::NAMES.iter().position(|known| *known == name).ok_or_else(|| format!("known: {}", measures::NAMES.join(", ")))?;
    Ok((measure, value.parse().map_err(|_| format!("`{value}` is no number"))?))
}

fn perform(task: Task, sets: &[Loaded], weights: &Weights) -> Result<(), Failure> {
    let groups = learn::groups(sets);
    let lessons = || sets.iter().map(Lessons::of).collect::<Vec<_>>();
    let mut out = io::stdout().lock();
    match task {
        Task::Ablation => report::ablation(sets, weights)?,
        Task::Calibration => {
            let all: Vec<&Loaded> = sets.iter().collect();
            report::calibration(&measure_with(&all, weights, WordTables::built_in(), usize::MAX)?)?;
        }
        Task::WordWeights => {
            writeln!(
                out,
                "# A stem, and how much a word with this stem tells of the tools that are meant; 1 is the mean. \
                 Learned from messages and the tools that are right for them."
            )?;
            for (stem, weight) in learn::word_weights(&lessons().iter().collect::<Vec<_>>(), &groups) {
                writeln!(out, "{stem} {weight}")?;
            }
        }
        Task::WordsOfOneSet => {
            let mut found: Vec<_> = learn::entries_of_one_group(&lessons().iter().collect::<Vec<_>>(), &groups).into_iter().collect();
            found.sort_unstable();
            found.iter().try_for_each(|entry| writeln!(out, "{entry}"))?;
        }
        Task::Fit => {
            let all: Vec<&Loaded> = sets.iter().collect();
            let (fitted, reached) = fit::fit(&all, WordTables::built_in(), fit::start(), |step| eprintln!("{step}"))?;
            eprintln!("{reached:.4}");
            writeln!(out, "{}", fit::to_json(&fitted))?;
        }
        Task::LeftOut => left_out::table(sets, weights, false)?,
        Task::RelatedLeftOut => left_out::table(sets, weights, true)?,
    }
    Ok(())
}

fn load(set: Set, options: &Options, embedder: Option<&str>) -> Result<Loaded, Failure> {
    let broker = match embedder {
        Some(command) => Broker::builder(*options).embedder(super::embedder::start(command)?).build(),
        None => Broker::new(*options),
    };
    broker.add_tools("", &set.tools)?;
    if embedder.is_some() {
        broker.embed_tools(Default::default())?;
    }
    Ok(Loaded { set, broker })
}

/// Measures sets with other numbers and tables, on so many messages each.
fn measure_with(sets: &[&Loaded], weights: &Weights, tables: &WordTables, messages: usize) -> Result<Vec<Measured>, Failure> {
    let one = |loaded: &&Loaded| Measured::of(&loaded.set, &loaded.broker.ranking_by(*weights, tables.clone()), 0, messages);
    sets.iter().map(one).collect()
}
