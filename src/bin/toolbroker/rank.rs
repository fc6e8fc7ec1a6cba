//! `toolbroker rank`: the tools that fit a message, best first.

use std::io::{self, BufRead, Write};
use std::path::PathBuf;

use clap::Args;
use serde::Deserialize;
use serde_json::{Value, json};
use toolbroker::{Broker, Options, RankRequest, Ranking};

use super::{Failure, embedder, sources, table};

#[derive(Args)]
pub struct Arguments {
    /// Files that hold tools/list results or lists of tools, folders of them, or - for standard input
    #[arg(long, required_unless_present = "stdio", num_args = 1.., value_name = "FILE")]
    tools: Vec<PathBuf>,
    /// The server of files that do not name one themselves (otherwise the file's name)
    #[arg(long, allow_hyphen_values = true, value_name = "NAME")]
    server: Option<String>,
    /// What the user wrote
    #[arg(long, required_unless_present = "stdio", allow_hyphen_values = true, value_name = "TEXT")]
    query: Option<String>,
    /// How many tools
    #[arg(long, value_name = "N", default_value_t = toolbroker::DEFAULT_TOP)]
    top: usize,
    /// Leave out tools that score less, from 0 to 1
    #[arg(long, allow_negative_numbers = true, value_name = "SCORE")]
    min_score: Option<f64>,
    /// The language of the text, instead of the one that it seems to be in
    #[arg(long, value_name = "CODE")]
    language: Option<String>,
    /// Other numbers for the score, a JSON object (see docs/ranking.md)
    #[arg(long, value_name = "JSON")]
    weights: Option<String>,
    /// A program that turns texts into vectors: it reads a JSON list of texts a line and answers each with a line, a list of lists of numbers
    #[arg(long, value_name = "COMMAND")]
    embedder: Option<String>,
    /// Say what each tool was found by
    #[arg(long)]
    explain: bool,
    /// Print the library's answer as JSON
    #[arg(long)]
    json: bool,
    /// Read {"tools":[…]} from the first line of standard input and {"id","query"} from each further one; answer each with a list of names
    #[arg(long, conflicts_with_all = ["tools", "query", "json", "explain"])]
    stdio: bool,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut builder = Broker::builder(options(arguments.weights.as_deref())?);
    if let Some(command) = &arguments.embedder {
        builder = builder.embedder(embedder::start(command)?);
    }
    let broker = builder.build();
    if arguments.stdio {
        return answer_lines(&broker, arguments);
    }
    sources::add(&broker, &arguments.tools, arguments.server.as_deref())?;
    let ranking = broker.rank(&request(arguments, arguments.query.as_deref().unwrap_or_default())?)?;
    let mut output = io::stdout().lock();
    if arguments.json {
        writeln!(output, "{}", ranking.to_json())?;
    } else {
        for warning in &ranking.warnings {
            eprintln!("toolbroker: warning: {}", warning.message);
        }
        table::print_ranking(&mut output, &ranking, broker.tools().len())?;
    }
    Ok(())
}

/// A broker's options with other numbers for the score.
pub fn options(weights: Option<&str>) -> Result<Options, Failure> {
    let Some(weights) = weights else { return Ok(Options::standard()) };
    let weights: Value = serde_json::from_str(weights).map_err(|error| Failure::Message(format!("--weights: {error}")))?;
    Options::from_json(&json!({ "ranking": weights }).to_string()).map_err(|error| error.without_position().into())
}

/// The arguments as the request that every language sends, so that they are checked as it is.
fn request(arguments: &Arguments, query: &str) -> Result<RankRequest, Failure> {
    let request = json!({
        "message": query,
        "top": arguments.top,
        "min_score": arguments.min_score,
        "language": arguments.language,
        "explain": arguments.explain || !arguments.json && !arguments.stdio,
    });
    RankRequest::from_json(&request.to_string()).map_err(|error| error.without_position().into())
}

#[derive(Deserialize)]
struct Query {
    query: String,
}

fn answer_lines(broker: &Broker, arguments: &Arguments) -> Result<(), Failure> {
    let mut input = io::stdin().lock();
    let mut output = io::stdout().lock();
    let mut line = String::new();
    input.read_line(&mut line)?;
    let report = broker.add_tools("", &line).map_err(|error| error.in_file(Some("standard input")))?;
    sources::tell(&report, "");
    for (at, line) in input.lines().enumerate() {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        let bad = |error| Failure::Message(format!("standard input, line {}: {error}", at + 2));
        let query: Query = serde_json::from_str(&line).map_err(bad)?;
        let ranking = broker.rank(&request(arguments, &query.query)?)?;
        writeln!(output, "{}", json!(names(&ranking)))?;
        output.flush()?;
    }
    Ok(())
}

fn names(ranking: &Ranking) -> Vec<&str> {
    ranking.tools.iter().map(|ranked| ranking.tool(ranked).id().name.as_str()).collect()
}
