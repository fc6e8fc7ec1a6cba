//! The worked cases of `docs/contract.md`, in `tests/cases/*.json`.
//!
//! A case has options for its broker, what its enricher knows or its `embedder` does (`src/bin/toolbroker/case_embedder.rs`), and steps. A step has a call, a `request` (JSON) or `text` (as it is), and what must
//! come: `answer` (each key given must be equal, `null` is absent), `like` (the same all the way down, lists of the same length), or `error`.
//! `tool_names` stands for the `server/name` of the answer's tools, `block_lines` for the lines of an override block.

use std::collections::BTreeMap;

use crate::common::ops::{Make, Making};
use serde_json::{Value, json};

/// Every case, with the name of its file.
pub fn all() -> Vec<(String, Value)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let cases = |file: &std::path::PathBuf| -> Vec<(String, Value)> {
        let cases: Vec<Value> = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
        let name = file.file_name().unwrap().display().to_string();
        cases.into_iter().map(|case| (name.clone(), case)).collect()
    };
    files.iter().flat_map(cases).collect()
}

/// What each step of a case gave: an answer, or an error. The outer error is that of making the broker.
type Outcomes = Result<Vec<Result<Value, Value>>, Value>;

fn hold(outcomes: &dyn Fn(&Value) -> Outcomes) {
    let cases = all();
    let faults = |(file, case): &(String, Value)| {
        let fault = check(case, outcomes(case)).err()?;
        Some(format!("{file}: {}\n  {fault}", case["name"].as_str().unwrap()))
    };
    let wrong: Vec<String> = cases.iter().filter_map(faults).collect();
    assert!(cases.len() >= 40, "only {} cases", cases.len());
    assert!(wrong.is_empty(), "{} of {} cases fail:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

fn check(case: &Value, outcomes: Outcomes) -> Result<(), String> {
    let outcomes = match (outcomes, case.get("error")) {
        (Ok(outcomes), None) => outcomes,
        (Ok(_), Some(wanted)) => return Err(format!("making the broker must fail with {wanted}")),
        (Err(error), wanted) => return like(wanted.unwrap_or(&Value::Null), &error, "error"),
    };
    for (at, (step, outcome)) in case["steps"].as_array().unwrap().iter().zip(outcomes).enumerate() {
        check_step(step, outcome).map_err(|fault| format!("step {} ({}): {fault}", at + 1, step["call"]))?;
    }
    Ok(())
}

fn check_step(step: &Value, outcome: Result<Value, Value>) -> Result<(), String> {
    match (outcome, step.get("error")) {
        (Ok(answer), None) => {
            step.get("answer").map_or(Ok(()), |wanted| keys(wanted, &answer))?;
            step.get("like").map_or(Ok(()), |wanted| like(wanted, &answer, "answer"))
        }
        (Ok(answer), Some(wanted)) => Err(format!("wanted the error {wanted}, found {answer}")),
        (Err(error), None) => Err(format!("failed: {error}")),
        (Err(error), Some(wanted)) => like(wanted, &error, "error"),
    }
}

/// What the broker of a case is made of.
pub fn making(case: &Value) -> Making {
    let hints: Option<BTreeMap<String, Value>> = case.get("hints").map(|hints| serde_json::from_value(hints.clone()).unwrap());
    let hints_error = case["hints_error"].as_str().unwrap_or("").to_owned();
    let options = case.get("options").map_or(String::new(), Value::to_string);
    let embedder = case.get("embedder").map(|embedder| serde_json::from_value(embedder.clone()).unwrap());
    Making { options, hints: hints.or((!hints_error.is_empty()).then(BTreeMap::new)), hints_error, embedder }
}

/// Runs a case call by call.
fn by_calls(case: &Value, make: &Make) -> Outcomes {
    let read = |text: String| serde_json::from_str(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let broker = make(making(case)).map_err(read)?;
    let run = |step: &Value| {
        let request = match step.get("text") {
            Some(text) => text.as_str().unwrap().to_owned(),
            None => step.get("request").map_or(String::new(), Value::to_string),
        };
        broker.call(step["call"].as_str().unwrap(), &request).map(read).map_err(read)
    };
    Ok(case["steps"].as_array().unwrap().iter().map(run).collect())
}

/// Runs a case as one line of `toolbroker answer`.
#[cfg(feature = "cli")]
fn by_command_line(case: &Value) -> Outcomes {
    let options = case.get("options").cloned().unwrap_or(json!({}));
    let steps = case.get("steps").cloned().unwrap_or(json!([]));
    let mut line = json!({ "op": "steps", "options": options, "steps": steps });
    for key in ["hints", "hints_error", "embedder"] {
        line[key] = case[key].clone();
    }
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_toolbroker"));
    let pipe = std::process::Stdio::piped;
    let mut child = command.arg("answer").stdin(pipe()).stdout(pipe()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    // The answer begins only when the line has ended, so that writing first cannot block for ever.
    std::io::Write::write_all(&mut input, format!("{line}\n").as_bytes()).unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    match serde_json::from_slice::<Value>(&output.stdout).unwrap() {
        Value::Array(answers) => Ok(answers
            .into_iter()
            .map(|outcome| match outcome.get("error") {
                Some(error) => Err(error.clone()),
                None => Ok(outcome["answer"].clone()),
            })
            .collect()),
        error => Err(error["error"].clone()),
    }
}

/// Every key given must be equal; `null` says that it is absent.
fn keys(wanted: &Value, found: &Value) -> Result<(), String> {
    let Some(wanted_keys) = wanted.as_object() else {
        return if crate::common::equal(wanted, found) { Ok(()) } else { Err(format!("wanted {wanted}, found {found}")) };
    };
    for (key, wanted) in wanted_keys {
        let value = value_of(key, found);
        if !crate::common::equal(wanted, &value) {
            return Err(format!("{key}: wanted {wanted}, found {value}; the whole: {found}"));
        }
    }
    Ok(())
}

/// As `keys`, all the way down.
fn like(wanted: &Value, found: &Value, path: &str) -> Result<(), String> {
    match (wanted, found) {
        (Value::Object(keys), _) => keys.iter().try_for_each(|(key, wanted)| like(wanted, &value_of(key, found), &format!("{path}.{key}"))),
        (Value::Array(wanted), Value::Array(items)) if wanted.len() == items.len() => {
            wanted.iter().zip(items).enumerate().try_for_each(|(at, (wanted, item))| like(wanted, item, &format!("{path}[{at}]")))
        }
        _ if crate::common::equal(wanted, found) => Ok(()),
        _ => Err(format!("{path}: wanted {wanted}, found {found}")),
    }
}

fn value_of(key: &str, found: &Value) -> Value {
    match key {
        "tool_names" => {
            let tools = if found.is_object() { &found["tools"] } else { found };
            let name = |tool: &Value| match tool["server"].as_str() {
                Some(server) if !server.is_empty() => format!("{server}/{}", tool["name"].as_str().unwrap_or("")),
                _ => tool["name"].as_str().unwrap_or("").to_owned(),
            };
            json!(tools.as_array().map(|tools| tools.iter().map(name).collect::<Vec<_>>()).unwrap_or_default())
        }
        "block_lines" => {
            let block = found.get("override_block").or(found.get("block")).and_then(Value::as_str).unwrap_or("");
            let lines: Vec<&str> = block.strip_suffix('\n').unwrap_or(block).split('\n').skip(4).collect();
            json!(lines)
        }
        key => found.get(key).cloned().unwrap_or(Value::Null),
    }
}

#[test]
fn hold_in_rust() {
    hold(&|case| by_calls(case, &crate::common::in_rust));
}

#[test]
fn hold_through_c() {
    for driver in crate::common::drivers() {
        let make = crate::common::in_c(&driver);
        hold(&|case| by_calls(case, &make));
    }
}

#[cfg(feature = "cli")]
#[test]
fn hold_on_the_command_line() {
    hold(&by_command_line);
}
