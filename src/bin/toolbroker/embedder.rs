//! Vectors from another program.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Mutex;

use toolbroker::{CallContext, Code, Embedder, Error, Result};

use super::Failure;

/// A running program that answers each line, a JSON list of texts, with a line: a list of lists of numbers.
pub struct Program(Mutex<Pipes>);

struct Pipes {
    program: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

/// Starts a program: its name and arguments, parted by white space.
pub fn start(command: &str) -> std::result::Result<Program, Failure> {
    let mut words = command.split_whitespace();
    let name = words.next().ok_or_else(|| Failure::Message("--embedder: no program is named".to_owned()))?;
    let started = Command::new(name).args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut program = started.map_err(|error| Failure::Message(format!("--embedder: {name}: {error}")))?;
    let (Some(input), Some(output)) = (program.stdin.take(), program.stdout.take()) else {
        return Err(Failure::Message(format!("--embedder: {name}: no pipes")));
    };
    Ok(Program(Mutex::new(Pipes { program, input, output: BufReader::new(output) })))
}

impl Embedder for Program {
    fn embed(&self, _: CallContext, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
        let failed = |error: String| Error::new(Code::Callback, format!("the program did not answer with vectors: {error}"));
        let mut pipes = self.0.lock().map_err(|error| failed(error.to_string()))?;
        let question = serde_json::to_string(texts).map_err(|error| failed(error.to_string()))?;
        writeln!(pipes.input, "{question}").and_then(|()| pipes.input.flush()).map_err(|error| failed(error.to_string()))?;
        let mut answer = String::new();
        pipes.output.read_line(&mut answer).map_err(|error| failed(error.to_string()))?;
        serde_json::from_str(&answer).map_err(|error| failed(error.to_string()))
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        if let Ok(pipes) = self.0.get_mut() {
            // It may have ended already.
            let _ = pipes.program.kill();
            let _ = pipes.program.wait();
        }
    }
}
