//! The vectors of the replaced package, profile `go-0.2`: every answer must be the one that the plain Go model gave.

use crate::common::ops::{self, Make};
use serde_json::Value;

fn hold(make: &Make) {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let (mut count, mut wrong) = (0, Vec::new());
    for file in &files {
        for (at, line) in std::fs::read_to_string(file).unwrap().lines().enumerate() {
            let (request, wanted) = line.strip_prefix("{\"in\":").and_then(|rest| rest.split_once(",\"out\":")).unwrap();
            let wanted = &wanted[..wanted.len() - 1];
            let answer = ops::answer(request, "go-0.2", make);
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
