//! `toolbroker select`: one selection over tools from files.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use toolbroker::{Broker, Options, Profile, SelectRequest};

use super::{Failure, sources, table};

#[derive(Args)]
pub struct Arguments {
    /// Files that hold tools/list results or lists of tools, folders of them, or - for standard input
    #[arg(long, required = true, num_args = 1.., value_name = "FILE")]
    tools: Vec<PathBuf>,
    /// The server of files that do not name one themselves (otherwise the file's name)
    #[arg(long, allow_hyphen_values = true, value_name = "NAME")]
    server: Option<String>,
    /// A file of rules: .yaml, .yml or .json
    #[arg(long, value_name = "FILE")]
    rules: Option<String>,
    /// What the user wrote
    #[arg(long, allow_hyphen_values = true, value_name = "TEXT")]
    message: Option<String>,
    /// The intent, instead of what the message says
    #[arg(long, allow_hyphen_values = true, value_name = "NAME")]
    intent: Option<String>,
    /// Words, tool names or tags to raise
    #[arg(long, num_args = 1.., value_name = "WORD")]
    hint: Vec<String>,
    /// Tools ahead of rank and safe from cuts: server/name or a name
    #[arg(long, num_args = 1.., value_name = "TOOL")]
    pin: Vec<String>,
    /// How many tokens the tools may take
    #[arg(long, value_name = "TOKENS", conflicts_with_all = ["share", "window"])]
    budget: Option<u64>,
    /// The share of the context window that the tools may take, from 0 to 1
    #[arg(long, allow_negative_numbers = true, value_name = "SHARE")]
    share: Option<f64>,
    /// The context window in tokens
    #[arg(long, value_name = "TOKENS")]
    window: Option<u64>,
    /// How many tools may be shown
    #[arg(long, value_name = "N")]
    max_tools: Option<u64>,
    /// Cut tools that score less, from 0 to 1
    #[arg(long, allow_negative_numbers = true, value_name = "SCORE")]
    min_score: Option<f64>,
    /// By how well tools fit, or as they were registered
    #[arg(long, value_name = "ORDER", value_parser = ["rank", "registered"])]
    order: Option<String>,
    /// How the broker behaves: standard, or as the Go package it replaces
    #[arg(long, default_value = "standard", value_name = "PROFILE", value_parser = ["standard", "go-0.2"])]
    profile: String,
    /// Say what happened to every tool and what every rule did
    #[arg(long)]
    explain: bool,
    /// Print the library's answer as JSON
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let profile = Profile::NAMES.iter().find(|(name, _)| *name == arguments.profile).map_or(Profile::Standard, |(_, profile)| *profile);
    let broker = Broker::new(Options::of(profile));
    sources::add(&broker, &arguments.tools, arguments.server.as_deref())?;
    if let Some(rules) = &arguments.rules {
        broker.load_rules_from_file(rules)?;
    }
    let selection = broker.select(&request(arguments)?)?;
    let mut output = io::stdout().lock();
    if arguments.json {
        writeln!(output, "{}", selection.to_json())?;
    } else {
        // In JSON the warnings are part of the answer.
        for warning in &selection.warnings {
            eprintln!("toolbroker: warning: {}", warning.message);
        }
        table::print(&mut output, &selection, arguments.explain)?;
    }
    Ok(())
}

/// The arguments as the request that every language sends, so that they are checked as it is. Places in that text, which nobody wrote, are not told.
fn request(arguments: &Arguments) -> Result<SelectRequest, Failure> {
    let request = json!({
        "message": arguments.message,
        "intent": arguments.intent,
        "hints": arguments.hint,
        "pins": arguments.pin,
        "budget": { "tokens": arguments.budget, "share": arguments.share, "window": arguments.window, "max_tools": arguments.max_tools },
        "min_score": arguments.min_score,
        "order": arguments.order,
        // A table shows scores, which stand in the explanation.
        "explain": arguments.explain || !arguments.json,
    });
    SelectRequest::from_json(&request.to_string()).map_err(|error| error.without_position().into())
}
