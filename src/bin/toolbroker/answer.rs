//! `toolbroker answer`: what differential tests speak.

use std::io::{self, BufRead, Write};

use clap::Args;
use serde_json::json;

use super::{Failure, local, ops};

#[derive(Args)]
pub struct Arguments {
    /// The profile of the broker that each request gets: standard or go-0.2
    #[arg(long, default_value = "standard", value_name = "PROFILE", value_parser = ["standard", "go-0.2"])]
    profile: String,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut input = io::stdin().lock();
    let mut output = io::stdout().lock();
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line)? > 0 {
        let answer = match std::str::from_utf8(&line) {
            Ok(text) if text.trim().is_empty() => None,
            Ok(text) => Some(ops::answer(text, &arguments.profile, &local::make)),
            Err(error) => {
                let message = format!("not UTF-8 at byte {}", error.valid_up_to());
                Some(json!({ "error": { "code": "invalid_utf8", "message": message } }).to_string())
            }
        };
        if let Some(answer) = answer {
            output.write_all(answer.as_bytes())?;
            output.write_all(b"\n")?;
            output.flush()?;
        }
        line.clear();
    }
    Ok(())
}
