//! The schemas of `docs/schemas` are held against what the cases ask and what the library answers.

use jsonschema::{Registry, Resource, Validator};
use serde_json::{Value, json};

use crate::cases;
use crate::common::in_rust;
use crate::common::ops::Calls;

const FILES: [&str; 8] = ["options", "tools-report", "rules", "select-request", "selection", "ranking", "error", "requests"];

struct Schemas {
    registry: Registry<'static>,
}

impl Schemas {
    fn read() -> Self {
        let pairs = FILES.map(|name| {
            let file = format!("{}/docs/schemas/{name}.json", env!("CARGO_MANIFEST_DIR"));
            let schema: Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
            (address(name), Resource::from_contents(schema))
        });
        let registry = pairs.into_iter().fold(Registry::new(), |registry, (address, resource)| registry.add(address, resource).unwrap());
        Schemas { registry: registry.prepare().unwrap() }
    }

    fn of(&self, name: &str, part: &str) -> Validator {
        let schema = json!({ "$ref": format!("{}{part}", address(name)) });
        jsonschema::options().with_registry(&self.registry).with_base_uri(address("here")).build(&schema).unwrap()
    }
}

/// The schemas name each other by relative address; any base will do.
fn address(name: &str) -> String {
    format!("json-schema:///{name}.json")
}

fn fault(validator: &Validator, value: &Value) -> Option<String> {
    validator.iter_errors(value).next().map(|error| format!("{error} at {} in {value}", error.instance_path()))
}

#[test]
fn fit_every_request_and_answer_of_the_cases() {
    let schemas = Schemas::read();
    let (options, error) = (schemas.of("options", ""), schemas.of("error", ""));
    let (selection, ranking, report) = (schemas.of("selection", ""), schemas.of("ranking", ""), schemas.of("tools-report", ""));
    let (mut wrong, mut held) = (Vec::new(), 0);
    for (file, case) in cases::all() {
        let name = format!("{file}: {}", case["name"]);
        let mut hold = |what: &str, validator: &Validator, value: &Value| {
            held += 1;
            wrong.extend(fault(validator, value).map(|fault| format!("{name}, {what}: {fault}")));
        };
        let broker: Box<dyn Calls> = match in_rust(cases::making(&case)) {
            Ok(broker) => broker,
            Err(text) => {
                hold("error", &error, &serde_json::from_str(&text).unwrap());
                continue;
            }
        };
        hold("options", &options, &case.get("options").cloned().unwrap_or(json!({})));
        let is_full = case["options"]["profile"] != "go-0.2" && case["options"]["answer"] != "go";
        for step in case["steps"].as_array().unwrap() {
            let call = step["call"].as_str().unwrap();
            let request = step.get("request");
            let text = step["text"].as_str().map_or_else(|| request.map_or(String::new(), Value::to_string), str::to_owned);
            match (broker.call(call, &text), request) {
                (Err(text), _) => hold("error", &error, &serde_json::from_str(&text).unwrap()),
                (Ok(answer), request) => {
                    if let Some(request) = request {
                        hold(&format!("request {call}"), &schemas.of("requests", &format!("#/$defs/{call}")), request);
                    }
                    let answer: Value = serde_json::from_str(&answer).unwrap();
                    match call {
                        "select" if is_full => hold("selection", &selection, &answer),
                        "rank" => hold("ranking", &ranking, &answer),
                        "add_tools" | "replace_tools" | "remove_tools" => hold("report", &report, &answer),
                        _ => {}
                    }
                }
            }
        }
    }
    assert!(held > 500, "{held}");
    assert!(wrong.is_empty(), "{} of {held}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn refuse_what_the_contract_refuses() {
    let schemas = Schemas::read();
    for (name, part, value) in [
        ("options", "", json!({ "profil": "standard" })),
        ("select-request", "", json!({ "budget": { "tokens": "many" } })),
        ("rules", "", json!({ "rules": [{ "match": { "patterns": ["*"] }, "action": { "type": "exlude" } }] })),
        ("requests", "#/$defs/add_tools", json!({ "servr": "x", "tools": [] })),
    ] {
        assert!(fault(&schemas.of(name, part), &value).is_some(), "{name}: {value}");
    }
}
