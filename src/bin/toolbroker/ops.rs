//! The operations of `toolbroker answer`: one JSON request, one JSON answer, by the calls of a broker. The tests run the same operations through C.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use toolbroker::{Code, Error};

use super::case_embedder::CaseEmbedder;

/// Runs the calls of `docs/contract.md`; an error is its JSON.
pub trait Calls {
    /// A call on the broker, or one that needs none.
    fn call(&self, name: &str, request: &str) -> Result<String, String>;
}

/// What a broker is made of for one operation.
pub struct Making {
    /// The broker's options, as JSON.
    pub options: String,
    /// What the enricher knows, by tool name; `None` for no enricher.
    pub hints: Option<BTreeMap<String, Value>>,
    /// The enricher fails with this text, where it is not empty.
    pub hints_error: String,
    /// `None` for no embedder. A broker has an enricher or an embedder.
    pub embedder: Option<CaseEmbedder>,
}

/// Makes a broker, or says in JSON why not.
pub type Make<'a> = dyn Fn(Making) -> Result<Box<dyn Calls>, String> + 'a;

/// The operations, and what each takes beside `op`. A case takes what else it likes within its `input`.
const OPERATIONS: [(&str, &[&str]); 15] = [
    (
        "select",
        &["tools", "rules", "intent", "message", "hints", "hints_error", "pins", "min_score", "order", "budget", "explain", "options"],
    ),
    ("all_tools", &["tools", "options"]),
    ("detect_intent", &["message", "options"]),
    ("tokenize", &["intent", "options"]),
    ("score_by_keywords", &["keywords", "max_results", "tools", "options"]),
    ("score_by_intent", &["intent", "max_results", "tools", "options"]),
    ("find_by_names", &["names", "tools", "options"]),
    ("estimate", &["tools", "options"]),
    ("prune", &["budget", "tools", "options"]),
    ("overrides", &["names", "hints", "hints_error", "options"]),
    ("rules_yaml", &["yaml"]),
    ("rules_json", &["text"]),
    ("hints", &["text"]),
    ("steps", &["steps", "hints", "hints_error", "embedder", "options"]),
    ("case", &["input"]),
];

/// One operation. Its fields are those of the replaced package's model, and those of a select request.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Request<'a> {
    op: String,
    #[serde(borrow)]
    tools: Option<&'a RawValue>,
    #[serde(borrow)]
    rules: Option<&'a RawValue>,
    intent: Option<String>,
    message: Option<String>,
    keywords: Option<Vec<String>>,
    names: Option<Vec<String>>,
    max_results: Option<i64>,
    #[serde(borrow)]
    budget: Option<&'a RawValue>,
    yaml: Option<String>,
    text: Option<String>,
    hints: Option<Value>,
    hints_error: Option<String>,
    embedder: Option<CaseEmbedder>,
    pins: Option<Vec<String>>,
    min_score: Option<f64>,
    order: Option<String>,
    explain: Option<bool>,
    #[serde(borrow)]
    input: Option<&'a RawValue>,
    #[serde(borrow)]
    options: Option<&'a RawValue>,
    #[serde(borrow)]
    steps: Vec<Step<'a>>,
}

/// One call of a worked case: a request, or a text that is handed over as it is.
#[derive(Deserialize)]
struct Step<'a> {
    call: String,
    #[serde(borrow)]
    request: Option<&'a RawValue>,
    text: Option<String>,
}

/// The input of a reported case.
#[derive(Deserialize)]
struct Case<'a> {
    message: Option<String>,
    intent: Option<String>,
    hints: Option<Vec<String>>,
    pins: Option<Vec<String>>,
    min_score: Option<f64>,
    #[serde(borrow)]
    tools: Option<&'a RawValue>,
    #[serde(borrow)]
    rules: Option<&'a RawValue>,
    rules_yaml: Option<String>,
    #[serde(borrow)]
    intents: Option<&'a RawValue>,
    #[serde(borrow)]
    budget: Option<&'a RawValue>,
    provider: Option<String>,
    session: Option<bool>,
    turns: Option<Vec<String>>,
}

/// Answers one line.
pub fn answer(line: &str, profile: &str, make: &Make) -> String {
    let request: Request = match serde_json::from_str(line) {
        Ok(request) => request,
        Err(error) => return json!({ "error": { "code": "invalid_json", "message": error.to_string() } }).to_string(),
    };
    if let Some(fault) = fault_of_keys(line, &request.op) {
        return format!("{{\"error\":{}}}", fault.to_json());
    }
    let is_go = profile == "go-0.2";
    match (run(&request, profile, make), request.op.as_str()) {
        (Ok(answer), _) => answer,
        (Err(_), "rules_yaml" | "rules_json" | "hints") if is_go => json!({ "error": true }).to_string(),
        (Err(error), "overrides") => {
            let error: Value = serde_json::from_str(&error).unwrap_or(Value::Null);
            json!({ "error": error["message"] }).to_string()
        }
        (Err(error), _) => format!("{{\"error\":{error}}}"),
    }
}

/// Keys that the operation does not take.
fn fault_of_keys(line: &str, op: &str) -> Option<Error> {
    let (_, known) = OPERATIONS.iter().find(|(name, _)| *name == op)?;
    let keys: BTreeMap<String, IgnoredAny> = serde_json::from_str(line).unwrap_or_default();
    let unknown = keys.keys().filter(|key| *key != "op" && !known.contains(&key.as_str()));
    let fault = |key: &String| {
        Error::new(Code::InvalidRequest, format!("unknown key `{key}` of op `{op}`")).with_path(key).with_suggestion(key, known)
    };
    Error::from_faults(unknown.map(fault).collect())
}

fn run(request: &Request, profile: &str, make: &Make) -> Result<String, String> {
    let enricher = request.hints.as_ref().and_then(Value::as_object);
    let hints_error = request.hints_error.clone().unwrap_or_default();
    let known = enricher.map(|hints| hints.iter().map(|(name, hints)| (name.clone(), hints.clone())).collect());
    let broker = make(Making {
        options: options(request, profile)?,
        hints: known.or((!hints_error.is_empty()).then(BTreeMap::new)),
        hints_error,
        embedder: request.embedder.clone(),
    })?;
    let tools = request.tools.map_or("[]", RawValue::get);
    let with_tools = |mut fields: Value| -> String {
        fields.as_object_mut().expect("fields are an object").retain(|_, value| !value.is_null());
        let text = fields.to_string();
        let comma = if text == "{}" { "" } else { "," };
        format!("{{\"tools\":{tools}{comma}{}", &text[1..])
    };
    let max_results = request.max_results;
    match request.op.as_str() {
        "select" => {
            broker.call("add_tools", &format!("{{\"tools\":{tools}}}"))?;
            if let Some(rules) = request.rules {
                broker.call("load_rules", &format!("{{\"rules\":{}}}", rules.get()))?;
            }
            let words = request.hints.as_ref().filter(|hints| hints.is_array());
            let fields = json!({
                "intent": request.intent.clone().or((profile == "go-0.2").then(String::new)),
                "message": request.message,
                "hints": words,
                "pins": request.pins,
                "min_score": request.min_score,
                "order": request.order,
                "budget": request.budget,
                "explain": request.explain,
            });
            broker.call("select", &fields.to_string())
        }
        "all_tools" => {
            broker.call("add_tools", &format!("{{\"tools\":{tools}}}"))?;
            broker.call("all_tools", "")
        }
        "detect_intent" => broker.call("detect_intent", &json!({ "message": request.message.clone().unwrap_or_default() }).to_string()),
        "tokenize" => broker.call("tokenize", &json!({ "intent": request.intent.clone().unwrap_or_default() }).to_string()),
        "score_by_keywords" => {
            let request = with_tools(json!({ "keywords": request.keywords, "max_results": max_results }));
            broker.call("score_by_keywords", &request).map(|list| names(&list))
        }
        "score_by_intent" => {
            let request = with_tools(json!({ "intent": request.intent, "max_results": max_results }));
            broker.call("score_by_intent", &request).map(|list| names(&list))
        }
        "find_by_names" => broker.call("find_by_names", &with_tools(json!({ "names": request.names }))),
        "estimate" => broker.call("estimate", &with_tools(json!({}))),
        "prune" => broker.call("prune", &with_tools(json!({ "budget": request.budget }))).map(|list| names(&list)),
        "overrides" => broker.call("overrides", &json!({ "names": request.names.clone().unwrap_or_default() }).to_string()),
        "rules_yaml" => broker.call(
            "read_rules",
            &json!({ "profile": profile, "text": request.yaml.clone().unwrap_or_default(), "format": "yaml" }).to_string(),
        ),
        "rules_json" => broker.call(
            "read_rules",
            &json!({ "profile": profile, "text": request.text.clone().unwrap_or_default(), "format": "json" }).to_string(),
        ),
        "hints" => broker.call("read_hints", &json!({ "text": request.text.clone().unwrap_or_default() }).to_string()),
        "steps" => Ok(steps(&*broker, &request.steps)),
        "case" => case(&*broker, request.input.map_or("{}", RawValue::get)),
        other => {
            let error = Error::new(Code::InvalidRequest, format!("unknown op `{other}`")).with_path("op");
            Err(error.with_suggestion(other, &OPERATIONS.map(|(name, _)| name)).to_json())
        }
    }
}

/// The options of the broker: the request's own, or the profile. A case has its own within its input, and its `profile` is one of them.
fn options(request: &Request, profile: &str) -> Result<String, String> {
    #[derive(Deserialize, Default)]
    #[serde(expecting = "an object")]
    struct Stated {
        profile: Option<String>,
        options: Option<serde_json::Map<String, Value>>,
    }
    if let Some(options) = request.options {
        return Ok(options.get().to_owned());
    }
    let stated: Stated = match request.input {
        Some(input) if request.op == "case" => serde_json::from_str(input.get()).map_err(|error| not_read(&error))?,
        _ => Stated::default(),
    };
    let mut options = stated.options.unwrap_or_default();
    options.entry("profile").or_insert_with(|| json!(stated.profile.as_deref().unwrap_or(profile)));
    Ok(Value::Object(options).to_string())
}

fn not_read(error: &serde_json::Error) -> String {
    json!({ "code": "invalid_json", "message": error.to_string() }).to_string()
}

/// The steps of a worked case, one after the other on one broker: `{"answer":…}` or `{"error":…}` for each.
fn steps(broker: &dyn Calls, steps: &[Step]) -> String {
    let run = |step: &Step| {
        let text = step.text.as_deref().or(step.request.map(RawValue::get)).unwrap_or_default();
        match broker.call(&step.call, text) {
            Ok(answer) => format!("{{\"answer\":{answer}}}"),
            Err(error) => format!("{{\"error\":{error}}}"),
        }
    };
    format!("[{}]", steps.iter().map(run).collect::<Vec<_>>().join(","))
}

/// A reported case: its tools and rules, and the names of the tools that are kept.
fn case(broker: &dyn Calls, input: &str) -> Result<String, String> {
    let unsupported = |what: &str| Err(json!({ "code": "invalid_request", "message": format!("{what} are not built yet") }).to_string());
    let case: Case = serde_json::from_str(input).map_err(|error| not_read(&error))?;
    if case.session == Some(true) || case.turns.is_some() {
        return unsupported("sessions");
    }
    if case.provider.is_some() {
        return unsupported("provider formats");
    }
    broker.call("add_tools", &format!("{{\"tools\":{}}}", case.tools.map_or("[]", RawValue::get)))?;
    if let Some(yaml) = &case.rules_yaml {
        broker.call("load_rules", &json!({ "text": yaml, "format": "yaml" }).to_string())?;
    }
    if let Some(rules) = case.rules {
        let request = match rules.get().starts_with('[') {
            true => format!("{{\"rules\":{}}}", rules.get()),
            false => json!({ "text": rules.get(), "format": "json" }).to_string(),
        };
        broker.call("load_rules", &request)?;
    }
    if let Some(intents) = case.intents {
        broker.call("load_intents", &format!("{{\"intents\":{}}}", intents.get()))?;
    }
    // A case that has only a message and wants a cut means that a tool without any hit is cut.
    let only_a_message = case.message.is_some() && case.budget.is_none() && case.rules.is_none() && case.rules_yaml.is_none();
    let min_score = case.min_score.or(only_a_message.then_some(0.000_001));
    let fields = json!({
        "message": case.message, "intent": case.intent, "hints": case.hints, "pins": case.pins, "budget": case.budget, "min_score": min_score,
    });
    let answer: Value = serde_json::from_str(&broker.call("select", &fields.to_string())?).unwrap_or(Value::Null);
    Ok(format!("{{\"kept\":{}}}", names(&answer["tools"].to_string())))
}

/// The names of a list of tools, as a list.
fn names(tools: &str) -> String {
    let tools: Option<Vec<Value>> = serde_json::from_str(tools).unwrap_or_default();
    json!(tools.unwrap_or_default().iter().map(|tool| tool["name"].clone()).collect::<Vec<_>>()).to_string()
}
