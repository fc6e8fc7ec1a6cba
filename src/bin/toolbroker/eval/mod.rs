//! `toolbroker eval`: how well the ranking puts the right tools first, on sets of messages whose right tools are known.

mod measures;
mod report;
mod sets;

use std::path::PathBuf;

use clap::Args;
use toolbroker::{Broker, Options};

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
    /// Say what is lost when one part of the score is left out, part by part
    #[arg(long, conflicts_with = "json")]
    ablation: bool,
    /// How often each message is ranked, for the times
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    rounds: usize,
    /// Print the measures as JSON
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let options = super::rank::options(arguments.weights.as_deref())?;
    let sets = sets::read(&arguments.sets, arguments.queries.as_deref(), &arguments.only)?;
    if arguments.ablation {
        return report::ablation(&sets, &options);
    }
    let measured = measure(&sets, &options, arguments.rounds, true)?;
    if arguments.json { report::json(&measured) } else { report::table(&measured) }
}

/// Measures every set with one set of options; progress goes to standard error.
fn measure(sets: &[Set], options: &Options, rounds: usize, progress: bool) -> Result<Vec<Measured>, Failure> {
    let mut all = Vec::with_capacity(sets.len());
    for (at, set) in sets.iter().enumerate() {
        if progress {
            eprintln!("{} of {}: {}, {} tools, {} queries", at + 1, sets.len(), set.name, set.names.len(), set.queries.len());
        }
        let broker = Broker::new(*options);
        broker.add_tools("", &set.tools)?;
        all.push(Measured::of(set, &broker, rounds)?);
    }
    Ok(all)
}
