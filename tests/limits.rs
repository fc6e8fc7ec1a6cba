//! Every limit is documented, has a getter, and holds: what is at the limit passes, what is one over fails with its code.

use serde_json::{Value, json};
use toolbroker::{Broker, Code, Options, limits};

fn broker() -> Broker {
    Broker::new(Options::standard())
}

fn code(result: Result<String, toolbroker::Error>) -> Option<Code> {
    result.err().map(|error| error.code)
}

fn load_rules(text: String) -> Option<Code> {
    code(broker().call("load_rules", &json!({ "text": text }).to_string(), None))
}

fn rules(count: usize) -> String {
    let rule = json!({ "match": { "patterns": ["*"] }, "action": { "type": "full" } });
    json!({ "rules": vec![rule; count] }).to_string()
}

/// What a report says of the one tool that was handed in.
fn refusal(tool: &Value) -> Value {
    let report = broker().call("add_tools", &json!({ "tools": [tool] }).to_string(), None).unwrap();
    serde_json::from_str::<Value>(&report).unwrap()["refused"][0]["code"].clone()
}

#[test]
fn are_documented_and_have_a_getter() {
    let info: Value = serde_json::from_str(&toolbroker::call("info", "").unwrap()).unwrap();
    let page = include_str!("../docs/contract.md");
    for (name, value) in limits::ALL {
        assert_eq!(info["limits"][name], value, "{name}");
        let digits = value.to_string();
        let mut grouped = String::new();
        for (at, digit) in digits.chars().enumerate() {
            if at > 0 && (digits.len() - at).is_multiple_of(3) {
                grouped.push(',');
            }
            grouped.push(digit);
        }
        assert!(page.contains(&format!("| `{name}` | {grouped} |")), "{name} {grouped}");
    }
}

#[test]
fn of_names_and_tools() {
    assert_eq!(refusal(&json!({ "name": "a".repeat(limits::NAME_BYTES) })), Value::Null);
    assert_eq!(refusal(&json!({ "name": "a".repeat(limits::NAME_BYTES + 1) })), "too_large");
    assert_eq!(refusal(&json!({ "name": "a", "description": "x".repeat(limits::TOOL_BYTES) })), "too_large");
    let frame = r#"{"description":"","name":"a"}"#.len();
    assert_eq!(refusal(&json!({ "name": "a", "description": "x".repeat(limits::TOOL_BYTES - frame) })), Value::Null);
}

#[test]
fn of_the_number_of_tools() {
    let tools: Vec<Value> = (0..=limits::TOOLS).map(|at| json!({ "name": format!("t{at}") })).collect();
    let report = broker().call("add_tools", &json!({ "tools": tools }).to_string(), None).unwrap();
    let report: Value = serde_json::from_str(&report).unwrap();
    assert_eq!(report["total"], limits::TOOLS);
    assert_eq!((report["refused"].as_array().unwrap().len(), &report["refused"][0]["code"]), (1, &json!("too_large")));
}

#[test]
fn of_depth_in_tools_requests_rules_and_options() {
    let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    let tool = |depth: usize| format!(r#"{{"tools":[{{"name":"a","inputSchema":{{"x":{}}}}}]}}"#, nested(depth - 2));
    let report = broker().call("add_tools", &tool(limits::DEPTH), None).unwrap();
    assert!(report.contains(r#""total":1"#), "{report}");
    for depth in [limits::DEPTH + 1, 100_000] {
        let report = broker().call("add_tools", &tool(depth), None).unwrap();
        assert!(report.contains(r#""code":"too_deep""#) && report.contains(r#""total":0"#), "{report}");
        assert_eq!(code(broker().call("select", &format!(r#"{{"hints":{}}}"#, nested(depth)), None)), Some(Code::TooDeep));
        assert_eq!(load_rules(format!("rules: {}", nested(depth))), Some(Code::TooDeep));
        assert_eq!(Options::from_json(&nested(depth)).unwrap_err().code, Code::TooDeep);
    }
}

#[test]
fn of_rules_and_their_parts() {
    assert_eq!(load_rules(rules(limits::RULES)), None);
    assert_eq!(load_rules(rules(limits::RULES + 1)), Some(Code::TooLarge));
    let of_patterns = |patterns: Vec<String>| {
        load_rules(json!({ "rules": [{ "match": { "patterns": patterns }, "action": { "type": "full" } }] }).to_string())
    };
    assert_eq!(of_patterns(vec!["a".into(); limits::PATTERNS]), None);
    assert_eq!(of_patterns(vec!["a".into(); limits::PATTERNS + 1]), Some(Code::TooLarge));
    assert_eq!(of_patterns(vec!["a".repeat(limits::PATTERN_BYTES)]), None);
    assert_eq!(of_patterns(vec!["a".repeat(limits::PATTERN_BYTES + 1)]), Some(Code::TooLarge));
}

#[test]
fn of_rule_texts() {
    assert_eq!(load_rules("#".repeat(limits::RULE_BYTES)), None);
    assert_eq!(load_rules("#".repeat(limits::RULE_BYTES + 1)), Some(Code::TooLarge));
    let list = |items: usize| format!("rules: [{}", "a,".repeat(items)) + "]";
    assert_eq!(load_rules(list(limits::NODES)), Some(Code::TooLarge));
    let bomb = "a: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\n\
                e: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: [*e,*e,*e,*e,*e,*e,*e,*e,*e,*e]\n";
    assert_eq!(load_rules(bomb.to_owned()), Some(Code::TooLarge));
}

#[test]
fn of_texts_that_aliases_repeat() {
    let rules = "- {name: *a, match: {tags: [q]}, action: {type: pin}}\n".repeat(100);
    let text =
        format!("rules:\n- {{name: &a {}, match: {{tags: [q]}}, action: {{type: pin}}}}\n{rules}", "x".repeat(limits::RULE_BYTES / 64));
    assert_eq!(load_rules(text.clone()), Some(Code::TooLarge));
    let go = toolbroker::call("read_rules", &json!({ "text": text, "profile": "go-0.2" }).to_string());
    assert_eq!(code(go), Some(Code::TooLarge));
}

/// Time that grows with the square would not come to an end here.
#[test]
fn a_description_of_marks_ends() {
    for text in [format!("x.{},", " ".repeat(2_000_000)), format!("x.{},", ")".repeat(2_000_000))] {
        assert_eq!(refusal(&json!({ "name": "a", "description": text })), Value::Null);
    }
}

#[test]
fn of_intent_tables() {
    let load = |intents: Value| code(broker().call("load_intents", &json!({ "intents": intents, "mode": "replace" }).to_string(), None));
    let table = |count: usize| (0..count).map(|at| (format!("i{at}"), json!(["x"]))).collect::<serde_json::Map<_, _>>().into();
    assert_eq!(load(table(limits::INTENTS)), None);
    assert_eq!(load(table(limits::INTENTS + 1)), Some(Code::TooLarge));
    let phrases = |count: usize| json!({ "a": (0..count).map(|at| format!("p{at}")).collect::<Vec<_>>() });
    assert_eq!(load(phrases(limits::PHRASES)), None);
    assert_eq!(load(phrases(limits::PHRASES + 1)), Some(Code::TooLarge));
    assert_eq!(load(json!({ "a": ["x".repeat(limits::PHRASE_BYTES)] })), None);
    assert_eq!(load(json!({ "a": ["x".repeat(limits::PHRASE_BYTES + 1)] })), Some(Code::TooLarge));
}

#[test]
fn of_lists_in_requests() {
    for (call, key) in [("select", "hints"), ("select", "pins"), ("score_by_keywords", "keywords"), ("find_by_names", "names")] {
        let request = |count: usize| json!({ key: vec!["a"; count] }).to_string();
        assert_eq!(code(broker().call(call, &request(limits::LIST_ITEMS), None)), None, "{key}");
        assert_eq!(code(broker().call(call, &request(limits::LIST_ITEMS + 1), None)), Some(Code::TooLarge), "{key}");
    }
}

#[test]
fn of_values_in_a_request() {
    let request = |count: usize| format!("{{\"rules\":[{}1]}}", "1,".repeat(count - 1));
    // The object and the list are values too; a list of rules has a limit of its own, which is met first.
    let message = |count: usize| broker().call("load_rules", &request(count), None).unwrap_err().message;
    assert!(message(limits::NODES - 2).contains("entries"), "{}", message(limits::NODES - 2));
    assert_eq!(message(limits::NODES - 1), format!("more than {} values", limits::NODES));
}

#[test]
fn of_one_text() {
    let request = format!(r#"{{"message":"{}"}}"#, "x".repeat(limits::INPUT_BYTES));
    assert_eq!(code(broker().call("select", &request, None)), Some(Code::TooLarge));
}

/// The replaced package knows no limit but memory.
#[test]
fn of_numbers_and_lengths_are_lifted_on_request() {
    let call = |broker: &Broker, name: &str, request: Value| -> Value {
        serde_json::from_str(&broker.call(name, &request.to_string(), None).unwrap()).unwrap()
    };
    let (broker, ruled) = (Broker::new(Options::go_0_2()), Broker::new(Options::go_0_2()));
    let tools: Vec<Value> = (0..=limits::TOOLS).map(|at| json!({ "name": format!("t{at}") })).collect();
    assert_eq!(call(&broker, "add_tools", json!({ "tools": tools }))["total"], limits::TOOLS + 1);
    let large = json!({ "name": "n".repeat(limits::NAME_BYTES + 1), "description": "x".repeat(limits::TOOL_BYTES) });
    assert_eq!(call(&broker, "add_tools", json!({ "tools": [large] }))["total"], limits::TOOLS + 2);
    let names = json!({ "names": vec!["t0"; limits::LIST_ITEMS + 1], "indices": true });
    assert_eq!(call(&broker, "find_by_names", names.clone())[limits::LIST_ITEMS], 0);
    assert_eq!(call(&broker, "overrides", json!({ "names": names["names"] }))["block"], "");
    let rule = json!({ "action": { "type": "pin" } });
    assert_eq!(call(&ruled, "load_rules", json!({ "rules": vec![rule; limits::RULES + 1] }))["rules"], limits::RULES + 1);
    let held = Broker::new(Options { limits: toolbroker::LimitsHeld::All, ..Options::go_0_2() });
    assert_eq!(code(held.call("find_by_names", &names.to_string(), None)), Some(Code::TooLarge));
}
