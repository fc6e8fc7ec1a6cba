//! The vectors of the replaced package, profile `go-0.2`: every answer must be the one that the plain Go model gave.

use crate::common::ops::{self, Make};
use serde_json::Value;

fn hold(make: &Make) {
    hold_answers(&|requests| requests.iter().map(|request| ops::answer(request, "go-0.2", make)).collect());
}

/// The answers to all requests, in order.
type Answers<'a> = dyn Fn(&[&str]) -> Vec<String> + 'a;

fn hold_answers(answers: &Answers) {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let (mut count, mut wrong) = (0, Vec::new());
    for file in &files {
        let text = std::fs::read_to_string(file).unwrap();
        let parts = text.lines().map(|line| line.strip_prefix("{\"in\":").and_then(|rest| rest.split_once(",\"out\":")).unwrap());
        let (requests, wanted): (Vec<&str>, Vec<&str>) = parts.unzip();
        let answers = answers(&requests);
        assert_eq!(answers.len(), requests.len());
        for (at, (wanted, answer)) in wanted.iter().zip(answers).enumerate() {
            let wanted = &wanted[..wanted.len() - 1];
            let (mut wanted, mut found): (Value, Value) =
                (serde_json::from_str(wanted).unwrap(), serde_json::from_str(&answer).unwrap_or_else(|error| panic!("{answer}: {error}")));
            for value in [&mut wanted, &mut found] {
                without_sentence(value, "block");
                without_sentence(value, "override_block");
            }
            count += 1;
            if !crate::common::equal(&wanted, &found) {
                wrong.push(format!("{}:{}\n  wanted {wanted}\n  found  {found}", file.file_name().unwrap().display(), at + 1));
            }
        }
    }
    assert_eq!((count, files.len()), (1_312, 13));
    assert!(wrong.is_empty(), "{} of {count} differ:\n{}", wrong.len(), wrong[..wrong.len().min(20)].join("\n"));
}

/// The sentence between the heading and the lines is each implementation's own.
fn without_sentence(answer: &mut Value, key: &str) {
    let Some(Value::String(block)) = answer.get_mut(key) else { return };
    if block.is_empty() {
        return;
    }
    let parts: Vec<&str> = block.splitn(4, '\n').collect();
    let rest = parts[3].strip_prefix('\n').expect("an empty line after the sentence");
    *block = format!("{}\n{}", parts[0], rest);
}

#[test]
fn hold_in_rust() {
    hold(&crate::common::in_rust);
}

#[test]
fn hold_through_c() {
    for driver in crate::common::drivers() {
        hold(&crate::common::in_c(&driver));
    }
}

#[cfg(feature = "cli")]
#[test]
fn hold_on_the_command_line() {
    use std::io::{Read, Write};
    use std::process::{Command, Stdio};
    hold_answers(&|requests| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_toolbroker"));
        let mut child = command.args(["answer", "--profile", "go-0.2"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (mut input, mut output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let lines = requests.join("\n");
        let mut text = String::new();
        // Both ends at once: answers that nobody reads would stop the program, and then the writer.
        std::thread::scope(|scope| {
            scope.spawn(move || input.write_all(lines.as_bytes()).unwrap());
            output.read_to_string(&mut text).unwrap();
        });
        assert!(child.wait().unwrap().success());
        text.lines().map(str::to_owned).collect()
    });
}
