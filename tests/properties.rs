//! What holds whatever the tools are: order of registration, explanation and failed calls never show; tools come out as they came in.

use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};
use toolbroker::{Broker, Options, SelectRequest};

/// A small generator with a fixed seed: the same tests on every run.
struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most
    }

    fn shuffle<T>(&mut self, list: &mut [T]) {
        for at in (1..list.len()).rev() {
            list.swap(at, self.below(at + 1));
        }
    }
}

const SERVERS: [&str; 4] = ["", "desk", "mail", "repo"];
const VERBS: [&str; 5] = ["list", "close", "send", "find", "delete"];
const NOUNS: [&str; 5] = ["ticket", "mail", "branch", "条例", "build"];

fn tools() -> Vec<Value> {
    let mut tools = Vec::new();
    for server in SERVERS {
        for (at, verb) in VERBS.iter().enumerate() {
            for noun in NOUNS {
                tools.push(json!({
                    "name": format!("{verb}_{noun}"),
                    "description": format!("To {verb} a {noun}. In full."),
                    "tags": [if at % 2 == 0 { "even" } else { "odd" }],
                    "annotations": { "readOnlyHint": *verb == "list" || *verb == "find" },
                    "server": server,
                }));
            }
        }
    }
    tools
}

fn rules() -> String {
    json!({ "rules": [
        { "name": "no delete", "match": { "patterns": ["delete_*"] }, "action": { "type": "exclude" }, "priority": 5 },
        { "name": "desk may", "match": { "servers": ["desk"], "tags": ["even"] }, "action": { "type": "allow" }, "priority": 9 },
        { "name": "short", "match": { "annotations": { "readOnlyHint": false } }, "action": { "type": "summarize" } },
        { "name": "tickets stay", "match": { "patterns": ["list_ticket"] }, "action": { "type": "pin" } },
    ] })
    .to_string()
}

fn requests() -> Vec<Value> {
    vec![
        json!({}),
        json!({ "message": "close the tickets and find a branch", "budget": { "tokens": 300 } }),
        json!({ "message": "条例を調べて", "budget": { "max_tools": 7 } }),
        json!({ "message": "send it", "hints": ["odd", "mail"], "min_score": 0.1 }),
        json!({ "intent": "run-build", "pins": ["mail/send_mail"], "budget": { "max_tools": 3 } }),
    ]
}

fn broker_of(tools: &[Value]) -> Broker {
    let broker = Broker::new(Options::standard());
    broker.call("load_rules", &rules(), None).unwrap();
    for part in tools.chunks(7) {
        broker.call("add_tools", &json!({ "tools": part }).to_string(), None).unwrap();
    }
    broker
}

#[test]
fn the_order_of_registration_never_shows() {
    let mut tools = tools();
    let answers = |broker: &Broker| -> Vec<String> {
        requests().iter().map(|request| broker.call("select", &request.to_string(), None).unwrap()).collect()
    };
    let first = answers(&broker_of(&tools));
    let mut random = Random(7);
    for _ in 0..20 {
        random.shuffle(&mut tools);
        assert_eq!(answers(&broker_of(&tools)), first);
    }
}

#[test]
fn an_explanation_changes_nothing_and_names_every_tool() {
    let broker = broker_of(&tools());
    for mut request in requests() {
        let plain: Value = serde_json::from_str(&broker.call("select", &request.to_string(), None).unwrap()).unwrap();
        request["explain"] = json!(true);
        let mut explained: Value = serde_json::from_str(&broker.call("select", &request.to_string(), None).unwrap()).unwrap();
        let explanation = explained.as_object_mut().unwrap().remove("explanation").unwrap();
        assert_eq!(plain, explained);
        let fates: Vec<&str> = explanation["tools"].as_array().unwrap().iter().map(|tool| tool["fate"].as_str().unwrap()).collect();
        let count = |wanted: &[&str]| fates.iter().filter(|fate| wanted.contains(fate)).count();
        assert_eq!(fates.len(), plain["total"].as_u64().unwrap() as usize);
        assert_eq!(count(&["shown", "summarized"]), plain["count"].as_u64().unwrap() as usize);
        assert_eq!(count(&["hidden"]), plain["hidden"].as_u64().unwrap() as usize);
        assert_eq!(count(&["cut"]), plain["cut"].as_object().unwrap().values().map(|n| n.as_u64().unwrap() as usize).sum::<usize>());
    }
}

#[test]
fn the_indices_are_those_of_the_tools() {
    let broker = broker_of(&tools());
    let registered = broker.tools();
    for request in requests() {
        let selection = broker.select(&SelectRequest::from_json(&request.to_string()).unwrap()).unwrap();
        let by_place: Vec<_> = selection.indices().map(|at| registered[at].id().clone()).collect();
        assert_eq!(by_place, selection.tools().map(|tool| tool.id().clone()).collect::<Vec<_>>());
    }
}

#[test]
fn a_failed_call_changes_nothing() {
    let broker = broker_of(&tools());
    let state = || ["all_tools", "all_rules"].map(|call| broker.call(call, "", None).unwrap());
    let before = state();
    for (call, request) in [
        ("add_tools", r#"{"tools":[{"name":"x"}"#),
        ("add_tools", r#"{"tools":7}"#),
        ("add_tools", r#"{"tools":[{"name":"x"}],"servr":"a"}"#),
        ("replace_tools", r#"{"tools":[]}"#),
        ("replace_tools", r#"{"server":"desk","tools":"x"}"#),
        ("remove_tools", r#"{"server":1}"#),
        ("remove_tools", r#"{"tools":[{"server":"desk"}]}"#),
        ("load_rules", r#"{"rules":[{"match":{},"action":{"type":"include"}}]}"#),
        ("load_rules", r#"{"text":"rules: ["}"#),
        ("load_rules", r#"{"path":"/nowhere/rules.yaml"}"#),
        ("load_intents", r#"{"intents":{"a":[1]}}"#),
        ("select", r#"{"budget":{"tokens":-1}}"#),
    ] {
        assert!(broker.call(call, request, None).is_err(), "{call} {request}");
        assert_eq!(state(), before, "{call} {request}");
    }
}

#[test]
fn a_tool_comes_out_byte_for_byte() {
    let texts = [
        r#"{ "title" : "é\u00e9", "name":"a" ,"inputSchema": {"z":1e21,"a":1.0,"b":123456789012345678901}, "server":"s", "x-own":[ ] }"#,
        r#"{"server":"s","name":"b","description":"a\/b <&> \ud83d\ude00","_meta":{"k":null},"icons":[{"src":"x"}]}"#,
    ];
    let broker = Broker::new(Options::standard());
    broker.add_tools("other", &format!("[{}]", texts.join(" , "))).unwrap();
    let selection = broker.select(&SelectRequest::default()).unwrap();
    assert_eq!(selection.tools().map(|tool| tool.json()).collect::<Vec<_>>(), texts);
    assert!(selection.to_json().contains(texts[0]));
    let without_server = r#"{"name":"c", "x":1 }"#;
    broker.add_tools("third", without_server).unwrap();
    let tools = broker.tools();
    assert_eq!((tools[2].received(), tools[2].json()), (without_server, r#"{"name":"c", "x":1 ,"server":"third"}"#));
}

#[test]
fn rules_made_in_rust_are_checked_as_if_they_were_read() {
    let broker = Broker::new(Options::standard());
    let rule = |kind: &str, patterns: &[&str]| toolbroker::Rule {
        name: "a".to_owned(),
        matching: toolbroker::Match { patterns: patterns.iter().map(|text| (*text).to_owned()).collect(), ..Default::default() },
        action: toolbroker::Action { kind: kind.to_owned() },
        ..Default::default()
    };
    let error = broker.load_rules(vec![rule("exlude", &["a["]), rule("pin", &[])]).unwrap_err();
    let paths: Vec<_> = error.faults.iter().map(|fault| fault.at.path.clone().unwrap()).collect();
    assert_eq!(paths, ["rules[0].match.patterns[0]", "rules[0].action.type", "rules[1].match", "rules[1].name"]);
    assert!(error.faults.iter().all(|fault| fault.at.line.is_none()));
    assert_eq!(broker.load_rules(vec![rule("exclude", &["a*"])]), Ok(1));
    assert!(broker.load_intents(vec![("x".to_owned(), vec!["!!".to_owned()])], toolbroker::IntentMode::Extend).is_err());
}

#[test]
fn a_selection_sees_one_state() {
    let broker = Broker::new(Options::standard());
    let generation = |number: usize| {
        let tools: Vec<Value> = (0..20).map(|at| json!({ "name": format!("t{at}"), "description": number.to_string() })).collect();
        Value::from(tools).to_string()
    };
    broker.replace_tools("s", &generation(0)).unwrap();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    let selection = broker.select(&SelectRequest::default()).unwrap();
                    let mut generations: Vec<&str> = selection.tools().map(|tool| tool.description()).collect();
                    assert_eq!(generations.len(), 20);
                    generations.dedup();
                    assert_eq!(generations.len(), 1, "one selection, one generation");
                }
            });
        }
        for number in 1..300 {
            broker.replace_tools("s", &generation(number)).unwrap();
        }
        done.store(true, Ordering::Relaxed);
    });
}

#[test]
fn what_is_logged_of_an_answer_names_tools_and_leaves_out_the_registry() {
    let broker = Broker::new(Options::standard());
    broker.add_tools("desk", &json!(tools()).to_string()).unwrap();
    let selection = broker.select(&SelectRequest { budget: toolbroker::Budget { max_tools: Some(1), tokens: None }, ..Default::default() });
    let ranking = broker.rank(&toolbroker::RankRequest { top: 1, ..toolbroker::RankRequest::for_message("close_ticket") });
    let (selection, ranking) = (format!("{:?}", selection.unwrap()), format!("{:?}", ranking.unwrap()));
    assert!(selection.starts_with(r#"Selection { tools: ["desk/close_branch"], total: 75,"#) && selection.len() < 400, "{selection}");
    assert!(ranking.contains("Snapshot(75 tools, 0 rules)") && ranking.len() < 400, "{ranking}");
}
