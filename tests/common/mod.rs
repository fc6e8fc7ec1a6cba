//! Cases and vectors, run by whoever can make the library's calls: this process, or a C program at the other end of a pipe.

#[path = "../../src/bin/toolbroker/case_embedder.rs"]
mod case_embedder;
#[path = "../../src/bin/toolbroker/local.rs"]
mod local;
#[path = "../../src/bin/toolbroker/ops.rs"]
pub mod ops;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::rc::Rc;

use case_embedder::CaseEmbedder;
pub use local::make as in_rust;
use ops::{Calls, Making};
use serde_json::Value;

/// The calls in a C program: `tests/c/driver.c` says how they go over the pipe.
struct InC(Rc<RefCell<Driver>>);

struct Driver {
    child: Child,
    /// `None` only while it ends.
    to: Option<ChildStdin>,
    from: BufReader<ChildStdout>,
    hints: BTreeMap<String, Value>,
    hints_error: String,
    embedder: Option<CaseEmbedder>,
}

/// A maker of brokers in one driver, where each takes the place of the one before. The command may have arguments, such as a checker to run it under.
pub fn in_c(command: &str) -> impl Fn(Making) -> Result<Box<dyn Calls>, String> {
    let mut words = command.split_whitespace();
    let program = words.next().expect("a driver has a name");
    let mut child = Command::new(program)
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("the driver {program} does not start: {error}"));
    let (to, from) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
    let driver = Rc::new(RefCell::new(Driver { child, to, from, hints: BTreeMap::new(), hints_error: String::new(), embedder: None }));
    move |making| {
        let verb = match (&making.hints, &making.embedder) {
            (None, None) => "options",
            (Some(_), None) => "enricher",
            (None, Some(_)) => "embedder",
            (Some(_), Some(_)) => panic!("a driver's broker has an enricher or an embedder"),
        };
        let mut its = driver.borrow_mut();
        (its.hints, its.hints_error, its.embedder) = (making.hints.unwrap_or_default(), making.hints_error, making.embedder);
        its.round(verb, &making.options)?;
        Ok(Box::new(InC(driver.clone())))
    }
}

impl Calls for InC {
    fn call(&self, name: &str, request: &str) -> Result<String, String> {
        self.0.borrow_mut().round(name, request)
    }
}

impl Driver {
    fn round(&mut self, word: &str, request: &str) -> Result<String, String> {
        self.send(word, request);
        loop {
            let (word, text) = self.receive();
            let (status, answer) = match word.as_str() {
                "ask" => self.enrich(&text),
                "embed" => self.embed(&text),
                "0" => return Ok(text),
                _ => return Err(text),
            };
            self.send(&status.to_string(), &answer);
        }
    }

    fn enrich(&self, request: &str) -> (i32, String) {
        if !self.hints_error.is_empty() {
            return (-7, self.hints_error.clone());
        }
        let request: Value = serde_json::from_str(request).expect("the enricher is asked in JSON");
        let hints = request["tools"].as_array().expect("a list of tools").iter().map(|tool| {
            let name = tool["name"].as_str().unwrap();
            let server = tool["server"].as_str().filter(|server| !server.is_empty());
            let id = server.map_or(name.to_owned(), |server| format!("{server}/{name}"));
            self.hints.get(&id).cloned().unwrap_or(Value::Null)
        });
        (0, serde_json::json!({ "hints": hints.collect::<Vec<_>>() }).to_string())
    }

    /// A line for each vector, of its numbers. Not JSON, which has no numbers for infinity and the like.
    fn embed(&self, request: &str) -> (i32, String) {
        #[derive(serde::Deserialize)]
        struct Question {
            texts: Vec<String>,
        }
        let question: Question = serde_json::from_str(request).expect("the embedder is asked in JSON");
        let texts: Vec<&str> = question.texts.iter().map(String::as_str).collect();
        match self.embedder.as_ref().expect("the broker has an embedder").embed(&texts) {
            Ok(vectors) => {
                let line = |vector: &Vec<f32>| vector.iter().map(f32::to_string).collect::<Vec<_>>().join(" ") + "\n";
                (0, vectors.iter().map(line).collect())
            }
            Err(message) => (-7, message),
        }
    }

    fn send(&mut self, word: &str, text: &str) {
        let to = self.to.as_mut().expect("the driver runs");
        let sent = write!(to, "{word} {}\n{text}", text.len()).and_then(|()| to.flush());
        sent.expect("the driver reads");
    }

    fn receive(&mut self) -> (String, String) {
        let mut head = String::new();
        self.from.read_line(&mut head).expect("the driver answers");
        let (word, len) = head.trim_end().split_once(' ').unwrap_or_else(|| panic!("the driver ended: {head:?}"));
        let mut bytes = vec![0; len.parse().expect("a length")];
        self.from.read_exact(&mut bytes).expect("the driver answers whole");
        (word.to_owned(), String::from_utf8(bytes).expect("answers are UTF-8"))
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // An end of input ends the driver; a checker that found something says so by its exit status.
        self.to = None;
        let status = self.child.wait().expect("the driver ends");
        if !std::thread::panicking() {
            assert!(status.success(), "the driver ended with {status}");
        }
    }
}

/// The drivers that `make test` built, from the environment.
pub fn drivers() -> Vec<String> {
    let drivers = std::env::var("TOOLBROKER_DRIVERS").unwrap_or_default();
    let list: Vec<String> = drivers.split(';').filter(|driver| !driver.trim().is_empty()).map(str::to_owned).collect();
    if list.is_empty() {
        eprintln!("left out: the calls through C (TOOLBROKER_DRIVERS names no driver; `make test` builds them)");
    }
    list
}

/// JSON values are equal where their numbers are equal as float64.
pub fn equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b)),
        (Value::Object(a), Value::Object(b)) => a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| equal(a, b))),
        _ => a == b,
    }
}
