//! What a session promises: the list grows at its end, shrinks for a reason that it names, and goes on after a restart as if nothing had been.

use std::sync::Arc;

use serde_json::{Value, json};
use toolbroker::{Against, Broker, Options, Pins, Session, SessionOptions, StandingPins, TurnRequest, Why};

fn tool(server: &str, name: &str, description: &str) -> Value {
    json!({ "server": server, "name": name, "description": description, "inputSchema": { "type": "object" } })
}

fn broker(tools: &[Value]) -> Arc<Broker> {
    let broker = Broker::new(Options::standard());
    broker.add_tools("", &json!(tools).to_string()).unwrap();
    Arc::new(broker)
}

/// The desk of the reported case: tickets, mail, weather.
fn office() -> Vec<Value> {
    vec![
        tool("weather", "weather_now", "Shows the weather."),
        tool("mail", "mail_send", "Sends a mail."),
        tool("desk", "ticket_close", "Closes a ticket."),
        tool("desk", "ticket_list", "Lists tickets."),
    ]
}

fn session(broker: &Arc<Broker>, options: Value) -> Session {
    Session::from_json(broker.clone(), &options.to_string()).unwrap()
}

fn turn(session: &mut Session, request: Value) -> Value {
    let answer = session.call("turn", &request.to_string(), None).unwrap();
    serde_json::from_str(&answer).unwrap()
}

fn names(answer: &Value) -> Vec<&str> {
    answer["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect()
}

/// The list's bytes as they stand in an answer.
fn list(session: &mut Session, request: &TurnRequest) -> (String, toolbroker::Turn) {
    let turn = session.turn(request).unwrap();
    (turn.tools_json(), turn)
}

#[test]
fn the_list_of_a_turn_begins_with_that_of_the_turn_before() {
    let mut session = session(&broker(&office()), json!({}));
    let mut before = "[".to_owned();
    for (message, wanted) in [
        ("List the open tickets.", "ticket_list"),
        ("Now mail the summary to the team.", "mail_send"),
        ("And close ticket 7.", "ticket_close"),
    ] {
        let (bytes, turn) = list(&mut session, &TurnRequest::for_message(message));
        assert!(bytes.starts_with(before.trim_end_matches(']')), "{before} {bytes}");
        assert!(turn.tools().any(|tool| tool.id().name == wanted), "{message}: {bytes}");
        assert!(turn.tools().all(|tool| tool.id().name != "weather_now"), "{message}: {bytes}");
        assert!(!turn.repacked && turn.removed.is_empty());
        before = bytes;
    }
}

#[test]
fn the_prefix_counts_the_bytes_that_are_as_before() {
    let mut session = session(&broker(&office()), json!({ "new_tools": 1 }));
    let (first, _) = list(&mut session, &TurnRequest::for_message("mail_send"));
    let (second, turn) = list(&mut session, &TurnRequest::for_message("weather_now"));
    let common = first.bytes().zip(second.bytes()).take_while(|(a, b)| a == b).count();
    // After the first list's last tool stands `]`, in the second one `,`.
    assert_eq!((turn.prefix.tools, turn.prefix.bytes, common), (1, first.len() - 1, first.len() - 1));
    let (third, turn) = list(&mut session, &TurnRequest::default());
    assert_eq!((third.len(), turn.prefix.bytes), (second.len(), second.len()));
}

#[test]
fn the_fingerprint_is_the_sha256_of_the_list() {
    let mut session = session(&broker(&office()), json!({}));
    // `printf '[]' | sha256sum`
    let empty = "4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945";
    assert_eq!(turn(&mut session, json!({}))["fingerprint"], empty);
    let one = turn(&mut session, json!({ "message": "mail_send" }));
    let same = turn(&mut session, json!({}));
    assert_eq!(one["fingerprint"], same["fingerprint"]);
    assert_ne!(one["fingerprint"], empty);
}

#[test]
fn a_follow_up_without_words_of_its_own_keeps_what_the_message_before_brought() {
    let tools = [
        tool("todo", "todo_go", "Goes ahead with the next to-do. Say yes to go ahead."),
        tool("files", "file_delete", "Deletes a file."),
        tool("ferry", "ferry_times", "Departure times of ferries."),
    ];
    let mut session = session(&broker(&tools), json!({ "budget": { "max_tools": 2 } }));
    for message in ["When does the last ferry to Horten leave today?", "Yes please, go ahead."] {
        let answer = turn(&mut session, json!({ "message": message, "explain": true }));
        assert!(names(&answer).contains(&"ferry_times"), "{message}: {answer}");
        assert!(!names(&answer).contains(&"file_delete"), "{message}: {answer}");
        let ferry = answer["explanation"]["tools"].as_array().unwrap().iter().find(|tool| tool["name"] == "ferry_times").unwrap();
        assert_eq!(ferry["rank"], 1, "{message}: {answer}");
    }
}

#[test]
fn an_assent_keeps_the_intent_and_with_it_the_rules() {
    let broker = broker(&office());
    broker.load_intents(vec![("support".to_owned(), vec!["tickets".to_owned()])], toolbroker::IntentMode::Replace).unwrap();
    let rules = json!({ "rules": [{ "intent": "support", "match": { "servers": ["desk"] }, "action": { "type": "include" } }] });
    broker.call("load_rules", &rules.to_string(), None).unwrap();
    let mut session = session(&broker, json!({}));
    assert_eq!(turn(&mut session, json!({ "message": "list the tickets" }))["intent"], "support");
    assert_eq!(turn(&mut session, json!({ "message": "yes please, go ahead" }))["intent"], "support");
    assert_eq!(turn(&mut session, json!({ "message": "send a mail" }))["intent"], "");
}

#[test]
fn the_hosts_own_tools_stay_whatever_the_message_says() {
    let mut tools = office();
    tools.push(json!({ "type": "function", "function": { "name": "pick_option", "description": "Asks the person a question." } }));
    let broker = broker(&tools);
    let mut pinned = session(&broker, json!({ "budget": { "max_tools": 2 } }));
    assert_eq!(names(&turn(&mut pinned, json!({ "message": "close ticket 7" }))), ["pick_option", "ticket_close"]);
    let mut ranked = session(&broker, json!({ "own_tools": "ranked", "new_tools": 1 }));
    assert_eq!(names(&turn(&mut ranked, json!({ "message": "close ticket 7" }))), ["ticket_close"]);
}

#[test]
fn core_tools_come_first_and_are_the_same_for_every_session() {
    let broker = broker(&office());
    let core = StandingPins { core: Pins::named(["weather_now", "mail_send"]), pins: Pins::named(["ticket_list"]) };
    assert_eq!(broker.load_pins(core), (2, 1));
    for message in ["close ticket 7", "send a mail"] {
        let answer = turn(&mut session(&broker, json!({})), json!({ "message": message }));
        assert_eq!(names(&answer)[..3], ["weather_now", "mail_send", "ticket_list"], "{message}");
    }
    let selection: Value = serde_json::from_str(&broker.call("select", r#"{"budget":{"max_tools":3}}"#, None).unwrap()).unwrap();
    assert_eq!(names(&selection), ["weather_now", "mail_send", "ticket_list"]);
}

#[test]
fn pins_by_server_hold_and_say_where_they_alone_are_over_the_budget() {
    let mut session = session(&broker(&office()), json!({ "pins_matching": [{ "servers": ["desk"] }], "budget": { "tokens": 5 } }));
    let answer = turn(&mut session, json!({ "message": "send a mail", "pins": ["nosuch"] }));
    assert_eq!(names(&answer), ["ticket_close", "ticket_list"]);
    let codes: Vec<&str> = answer["warnings"].as_array().unwrap().iter().map(|warning| warning["code"].as_str().unwrap()).collect();
    assert_eq!(codes, ["unknown_pin", "pins_exceed_budget"]);
}

#[test]
fn a_full_budget_repacks_once_and_leaves_room() {
    let tools: Vec<Value> = (0..40).map(|at| tool("s", &format!("tool_{at}"), "Does it.")).collect();
    let broker = broker(&tools);
    let mut session = session(&broker, json!({ "budget": { "max_tools": 10 }, "new_tools": 1 }));
    let mut repacks = 0;
    for at in 0..40 {
        let answer = turn(&mut session, json!({ "message": format!("tool_{at}") }));
        assert!(answer["count"].as_u64().unwrap() <= 10);
        assert!(names(&answer).contains(&format!("tool_{at}").as_str()), "{answer}");
        if answer["repacked"] == true {
            repacks += 1;
            assert_eq!(answer["why"], json!(["budget"]));
            assert!(answer["count"].as_u64().unwrap() <= 5, "{answer}");
        }
    }
    // It fills to 10, falls to 5, and so on every fifth or sixth turn.
    assert!((5..=7).contains(&repacks), "{repacks}");
}

#[test]
fn with_append_a_full_list_takes_no_more_and_is_never_repacked() {
    let tools: Vec<Value> = (0..10).map(|at| tool("s", &format!("tool_{at}"), "Does it.")).collect();
    let mut session = session(&broker(&tools), json!({ "policy": "append", "budget": { "max_tools": 3 }, "new_tools": 1 }));
    for at in 0..10 {
        let answer = turn(&mut session, json!({ "message": format!("tool_{at}") }));
        assert_eq!(answer["repacked"], false);
        assert_eq!(answer["count"], (at + 1).min(3));
        assert_eq!(answer["cut"]["max_tools"], u8::from(at >= 3));
    }
    let pinned = turn(&mut session, json!({ "pins": ["tool_9"] }));
    assert_eq!((names(&pinned).last(), &pinned["why"]), (Some(&"tool_9"), &json!(["budget"])));
}

#[test]
fn tools_that_were_called_outlive_those_that_were_not() {
    let tools: Vec<Value> = (0..8).map(|at| tool("s", &format!("tool_{at}"), "Does it.")).collect();
    let mut session = session(&broker(&tools), json!({ "budget": { "max_tools": 4 }, "new_tools": 1 }));
    for (at, called) in [(0, ""), (1, "tool_0"), (2, ""), (3, ""), (4, "")] {
        turn(
            &mut session,
            json!({ "message": format!("tool_{at}"), "called": if called.is_empty() { json!([]) } else { json!([called]) } }),
        );
    }
    let answer = turn(&mut session, json!({}));
    assert!(names(&answer).contains(&"tool_0"), "{answer}");
    assert!(!names(&answer).contains(&"tool_1"), "{answer}");
}

#[test]
fn stale_tools_go_when_the_saving_is_more_than_the_cache_is_worth() {
    let long = "Words that nobody asks for. ".repeat(100);
    let tools = [tool("s", "old_tool", &long), tool("s", "new_tool", "New.")];
    let run = |behind: Value| {
        let mut session = session(&broker(&tools), json!({ "new_tools": 1, "keep_turns": 1, "horizon": 10, "window": 1 }));
        turn(&mut session, json!({ "message": "old_tool" }));
        for _ in 0..3 {
            turn(&mut session, json!({ "message": "new_tool" }));
        }
        let answer = turn(&mut session, json!({ "message": "new_tool", "behind": behind }));
        names(&answer).iter().map(|name| (*name).to_owned()).collect::<Vec<_>>()
    };
    // About 700 tokens stale: at a price of 0.1 and for 10 turns they are worth 700, and 0.9 of what stands behind is lost.
    assert_eq!(run(json!(100)), ["new_tool"]);
    assert_eq!(run(json!(5_000)), ["old_tool", "new_tool"]);
    assert_eq!(run(Value::Null), ["old_tool", "new_tool"]);
}

#[test]
fn what_changes_in_the_registry_is_told() {
    let broker = broker(&office());
    let mut session =
        Session::new(broker.clone(), SessionOptions { pins: Pins::named(["mail_send", "weather_now"]), ..Default::default() });
    turn(&mut session, json!({}));
    broker.replace_tools("mail", r#"[{"name":"mail_send","description":"Sends mails."}]"#).unwrap();
    let answer = turn(&mut session, json!({}));
    assert_eq!(answer["updated"], json!([{ "server": "mail", "name": "mail_send" }]));
    assert_eq!((&answer["repacked"], &answer["why"]), (&json!(true), &json!(["changed"])));
    assert_eq!(names(&answer), ["mail_send", "weather_now"]);
    broker.replace_tools("mail", "[]").unwrap();
    let answer = turn(&mut session, json!({}));
    assert_eq!(answer["removed"], json!([{ "server": "mail", "name": "mail_send", "why": "gone" }]));
    assert_eq!(names(&answer), ["weather_now"]);
}

#[test]
fn what_the_rules_hide_in_one_turn_stays_in_the_bytes_and_may_not_be_called() {
    let broker = broker(&office());
    broker.load_intents(vec![("quiet".to_owned(), vec!["quiet".to_owned()])], toolbroker::IntentMode::Replace).unwrap();
    let rules =
        json!({ "rules": [{ "name": "hush", "intent": "quiet", "match": { "servers": ["mail"] }, "action": { "type": "exclude" } }] });
    broker.call("load_rules", &rules.to_string(), None).unwrap();
    let mut session = session(&broker, json!({}));
    turn(&mut session, json!({ "message": "send a mail" }));
    assert_eq!(session.check_call("mail_send").against, None);
    let answer = turn(&mut session, json!({ "message": "quiet, list the tickets" }));
    assert!(names(&answer).contains(&"mail_send") && answer["repacked"] == false, "{answer}");
    assert!(!answer["allowed"].to_string().contains("mail_send"), "{answer}");
    let check = session.check_call("mail_send");
    assert_eq!((check.against, check.rule.as_deref()), (Some(Against::Hidden), Some("hush")));
    assert!(!check.refusal.contains("hush"));
    turn(&mut session, json!({ "message": "send a mail" }));
    assert_eq!(session.check_call("mail_send").against, None);
}

#[test]
fn a_refusal_says_what_is_so_and_names_the_nearest_tools() {
    let broker = broker(&office());
    let mut session = session(&broker, json!({ "pins": ["ticket_list", "mail_send"] }));
    assert_eq!(session.check_call("mail_send").refusal, "The tool `mail_send` is not offered now. No tool may be called now.");
    turn(&mut session, json!({}));
    let answer: Value = serde_json::from_str(&session.call("check_call", r#"{"name":"mail/mail_send"}"#, None).unwrap()).unwrap();
    assert_eq!(answer, json!({ "allowed": true, "server": "mail", "name": "mail_send" }));
    let check = session.check_call("send_mail");
    assert_eq!(check.against, Some(Against::Unknown));
    assert_eq!(check.refusal, "There is no tool `send_mail`. The nearest that may be called are `mail_send`, `ticket_list`.");
    assert_eq!(session.check_call("ticket_close").against, Some(Against::NotShown));
    broker.replace_tools("mail", "[]").unwrap();
    assert_eq!(session.check_call("mail_send").against, Some(Against::Gone));
    broker.add_tools("post", r#"[{"name":"ticket_list"}]"#).unwrap();
    turn(&mut session, json!({}));
    assert_eq!(session.check_call("ticket_list").against, Some(Against::Ambiguous));
    assert_eq!(session.check_call("post/ticket_list").against, None);
}

#[test]
fn history_names_what_is_not_offered_any_more_with_a_stub() {
    let broker = broker(&office());
    let mut session = session(&broker, json!({ "pins": ["ticket_list", "mail_send"] }));
    turn(&mut session, json!({}));
    broker.replace_tools("mail", "[]").unwrap();
    turn(&mut session, json!({}));
    let names = r#"{"names":["ticket_list","mail_send","mail_send","never"]}"#;
    let answer: Value = serde_json::from_str(&session.call("history", names, None).unwrap()).unwrap();
    let tools = answer["tools"].as_array().unwrap();
    assert_eq!(tools.len(), 2, "{answer}");
    assert_eq!((&tools[0]["asked"], &tools[0]["server"], &tools[0]["why"]), (&json!("mail_send"), &json!("mail"), &json!("gone")));
    assert_eq!((&tools[1]["asked"], &tools[1]["why"]), (&json!("never"), &json!("unknown")));
    assert_eq!(tools[0]["stub"]["name"], "mail_send");
    assert_eq!(tools[0]["stub"]["inputSchema"], json!({ "type": "object" }));
}

#[test]
fn with_all_the_list_is_fixed_and_allowed_follows_the_message() {
    let mut session = session(&broker(&office()), json!({ "policy": "all", "allow": "best", "new_tools": 1 }));
    let first = turn(&mut session, json!({ "message": "close ticket 7" }));
    assert_eq!(names(&first), ["ticket_close", "ticket_list", "mail_send", "weather_now"]);
    let second = turn(&mut session, json!({ "message": "send a mail" }));
    assert_eq!(first["fingerprint"], second["fingerprint"]);
}

#[test]
fn deferred_are_the_visible_tools_that_are_not_in_the_list() {
    let mut session = session(&broker(&office()), json!({ "deferred": true, "new_tools": 1 }));
    let answer = turn(&mut session, json!({ "message": "mail_send", "explain": true }));
    let deferred: Vec<&str> = answer["deferred"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(deferred, ["ticket_close", "ticket_list", "weather_now"]);
    assert_eq!(answer["explanation"]["tools"][3]["fate"], "deferred");
}

#[test]
fn a_malformed_request_says_where_and_changes_nothing() {
    let broker = broker(&office());
    let mut session = session(&broker, json!({}));
    turn(&mut session, json!({ "message": "send a mail" }));
    let before = session.save();
    for (request, path) in [(r#"{"calld":[]}"#, "calld"), (r#"{"behind":-1}"#, "behind"), (r#"{"budget":{"tokens":"x"}}"#, "budget.tokens")]
    {
        assert_eq!(session.call("turn", request, None).unwrap_err().at.path.as_deref(), Some(path));
    }
    assert_eq!(session.save(), before);
    for (options, path) in [
        (r#"{"polcy":"append"}"#, "polcy"),
        (r#"{"decay":2}"#, "decay"),
        (r#"{"window":65}"#, "window"),
        (r#"{"state":{"form":2}}"#, "state.form"),
        (r#"{"state":{"form":1,"turn":1,"list":[{"name":"x","sha256":"zz"}]}}"#, "state.list[0].sha256"),
    ] {
        let error = Session::from_json(broker.clone(), options).err().unwrap();
        assert_eq!(error.at.path.as_deref(), Some(path), "{options}");
    }
}

/// A small generator with a fixed seed: the same tests on every run.
struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most
    }
}

const NOUNS: [&str; 12] = ["ticket", "mail", "branch", "build", "invoice", "room", "ferry", "photo", "song", "recipe", "route", "note"];

fn many() -> Vec<Value> {
    let of = |noun: &&str| ["list", "close", "find"].map(|verb| tool(noun, &format!("{noun}_{verb}"), &format!("To {verb} a {noun}.")));
    NOUNS.iter().flat_map(of).collect()
}

/// What happens in one turn, and what else changes before it.
fn event(random: &mut Random) -> (Value, Option<(String, Value)>) {
    let noun = NOUNS[random.below(NOUNS.len())];
    let verb = ["list", "close", "find"][random.below(3)];
    let message = ["", "yes, go ahead", &format!("{verb} the {noun}")][random.below(3)].to_owned();
    let mut request = json!({ "message": message });
    if random.below(3) == 0 {
        request["called"] = json!([format!("{noun}_list")]);
    }
    if random.below(6) == 0 {
        request["wanted"] = json!([format!("{noun}_find")]);
    }
    if random.below(4) == 0 {
        request["behind"] = json!(random.below(2_000));
    }
    if random.below(12) == 0 {
        request["repack"] = json!(true);
    }
    let change = (random.below(8) == 0).then(|| {
        let kept = random.below(4);
        let verbs = ["list", "close", "find"];
        let tools: Vec<Value> = verbs[..kept.min(3)]
            .iter()
            .map(|verb| json!({ "name": format!("{noun}_{verb}"), "description": format!("To {verb} a {noun}.") }))
            .collect();
        (noun.to_owned(), json!(tools))
    });
    (request, change)
}

const POLICIES: [&str; 4] = ["append", "append-until-budget", "fresh", "all"];

fn options(random: &mut Random) -> Value {
    json!({ "policy": POLICIES[random.below(4)], "budget": { "max_tools": 4 + random.below(20) }, "new_tools": 1 + random.below(6), "keep_turns": random.below(5) })
}

#[test]
fn a_list_is_what_was_sent_and_more_unless_it_says_repacked() {
    for seed in 0..60 {
        let mut random = Random(seed);
        let broker = broker(&many());
        let mut session = session(&broker, options(&mut random));
        let mut before = "[]".to_owned();
        for _ in 0..25 {
            let (request, change) = event(&mut random);
            if let Some((server, tools)) = change {
                broker.replace_tools(&server, &tools.to_string()).unwrap();
            }
            let (bytes, turn) = list(&mut session, &TurnRequest::from_json(&request.to_string()).unwrap());
            let grows = bytes.starts_with(before.trim_end_matches(']'));
            assert_eq!(!turn.repacked, grows, "seed {seed}: {request}\n{before}\n{bytes}");
            assert_eq!(turn.why.is_empty(), !turn.repacked, "seed {seed}: {request} {:?}", turn.why);
            assert_eq!(bytes[..turn.prefix.bytes], before[..turn.prefix.bytes], "seed {seed}");
            assert_eq!(turn.kept + turn.added.len(), turn.count(), "seed {seed}");
            before = bytes;
        }
    }
}

#[test]
fn the_same_events_give_the_same_bytes_whatever_the_order_of_registration_and_though_it_stopped_in_between() {
    for seed in 0..40 {
        let mut random = Random(seed);
        let (straight, reversed) = (broker(&many()), broker(&many().into_iter().rev().collect::<Vec<_>>()));
        let options = options(&mut random);
        let (mut one, mut other) = (session(&straight, options.clone()), session(&reversed, options));
        for at in 0..20 {
            let (request, change) = event(&mut random);
            if let Some((server, tools)) = change {
                straight.replace_tools(&server, &tools.to_string()).unwrap();
                reversed.replace_tools(&server, &tools.to_string()).unwrap();
            }
            if random.below(2) == 0 {
                other = Session::from_json(reversed.clone(), &format!("{{\"state\":{}}}", other.save())).unwrap();
            }
            let mut explained = request.clone();
            explained["explain"] = json!(true);
            let a = turn(&mut one, request.clone());
            let mut b = turn(&mut other, explained);
            b.as_object_mut().unwrap().remove("explanation");
            assert_eq!(a.to_string(), b.to_string(), "seed {seed}, turn {at}: {request}");
            assert_eq!(one.save(), other.save(), "seed {seed}, turn {at}");
        }
    }
}

#[test]
fn a_turn_that_is_stopped_changes_nothing() {
    struct Stops;
    impl toolbroker::Embedder for Stops {
        fn embed(&self, context: toolbroker::CallContext, texts: &[&str]) -> toolbroker::Result<Vec<Vec<f32>>> {
            if context.is_some() {
                return Err(toolbroker::Error::new(toolbroker::Code::Stopped, "enough"));
            }
            Ok(vec![vec![1.0]; texts.len()])
        }
    }
    let broker = Broker::builder(Options::standard()).embedder(Stops).build();
    broker.add_tools("", &json!(office()).to_string()).unwrap();
    let mut session = Session::new(Arc::new(broker), SessionOptions::default());
    session.turn(&TurnRequest::for_message("send a mail")).unwrap();
    let before = session.save();
    let stop: &dyn std::any::Any = &();
    let error = session.turn_with(&TurnRequest::for_message("close ticket 7"), Some(stop)).unwrap_err();
    assert_eq!((error.code, session.save()), (toolbroker::Code::Stopped, before));
}

#[test]
fn tools_dropped_at_the_hosts_wish_are_named() {
    let mut session = session(&broker(&office()), json!({ "window": 1, "keep_turns": 0 }));
    turn(&mut session, json!({ "message": "mail_send" }));
    let request = TurnRequest { repack: true, ..TurnRequest::for_message("weather_now") };
    let (_, turn) = list(&mut session, &request);
    assert_eq!(turn.why, [Why::Asked]);
    assert_eq!(turn.removed.iter().map(|dropped| dropped.id.to_string()).collect::<Vec<_>>(), ["mail/mail_send"]);
    assert_eq!(turn.tools().map(|tool| tool.id().name.as_str()).collect::<Vec<_>>(), ["weather_now"]);
}
