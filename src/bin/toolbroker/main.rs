//! The command line: picks tools from files, and answers requests line by line.

mod answer;
mod case_embedder;
mod embedder;
mod eval;
mod local;
mod ops;
mod rank;
mod select;
mod sources;
mod table;

use std::io;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// The tool layer of a chat client: decides which tools of many MCP servers the model gets to see, and says why.
#[derive(Parser)]
#[command(version, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Picks tools for a message and prints them as a table
    Select(Box<select::Arguments>),
    /// Ranks tools for a message, or for one a line
    Rank(rank::Arguments),
    /// Measures the ranking on sets of messages whose right tools are known
    Eval(eval::Arguments),
    /// Answers one JSON request a line on standard input with one JSON line
    Answer(answer::Arguments),
}

/// What ends the command early.
enum Failure {
    /// To be told: one line.
    Message(String),
    /// Reading or writing failed.
    Io(io::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::Io(error)
    }
}

impl From<toolbroker::Error> for Failure {
    fn from(error: toolbroker::Error) -> Self {
        let faults = if error.faults.is_empty() { vec![error] } else { error.faults };
        Failure::Message(faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\ntoolbroker: "))
    }
}

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Select(arguments) => select::run(&arguments),
        Command::Rank(arguments) => rank::run(&arguments),
        Command::Eval(arguments) => eval::run(&arguments),
        Command::Answer(arguments) => answer::run(&arguments),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        // Who reads us has seen enough.
        Err(Failure::Io(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(Failure::Io(error)) => fail(&error.to_string()),
        Err(Failure::Message(message)) => fail(&message),
    }
}

fn fail(message: &str) -> ExitCode {
    eprintln!("toolbroker: {message}");
    ExitCode::FAILURE
}
