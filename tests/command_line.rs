//! The command line as a person and a test program use it.
#![cfg(feature = "cli")]

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/data");

fn run(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_toolbroker"))
        .args(arguments)
        .env("COLUMNS", "120")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// A folder of this test's own, with these files.
fn folder(test: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(test);
    for (name, text) in files {
        let file = folder.join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    }
    folder
}

#[test]
fn a_table_shows_what_was_picked_and_what_became_of_the_rest() {
    let tools = format!("{DATA}/tools");
    let rules = format!("{DATA}/rules.yaml");
    let output = run(&["select", "--tools", &tools, "--rules", &rules, "--message", "publish the release", "--max-tools", "2"], "");
    let text = out(&output);
    assert!(output.status.success(), "{}", err(&output));
    let first: Vec<&str> = text.lines().skip(1).map(|line| line.split_whitespace().nth(1).unwrap_or("")).take(2).collect();
    assert_eq!(first, ["notes/notes_search", "depot/release_publish"], "{text}");
    assert!(text.contains("2 of 20 tools") && text.contains("intent release") && text.contains("3 hidden by rules"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 130 || line.starts_with("applied rules")), "{text}");
}

#[test]
fn a_table_has_a_score_and_the_first_sentence_of_each_tool() {
    let tools = r#"[{"name":"mail_send","description":"Sends a mail. Then more."},{"name":"other","description":"Nothing."}]"#;
    let text = out(&run(&["select", "--tools", "-", "--message", "mail_send"], tools));
    assert!(
        text.lines().any(|line| line.contains("stdin/mail_send") && line.contains("1.000") && line.ends_with("Sends a mail.")),
        "{text}"
    );
    assert!(text.lines().any(|line| line.contains("stdin/other") && line.contains("0.000")), "{text}");
    let text = out(&run(&["select", "--tools", "-"], tools));
    assert!(!text.contains("score") && text.lines().all(|line| line == line.trim_end()), "{text}");
}

#[test]
fn what_is_cut_off_is_marked() {
    let tools = format!(r#"[{{"name":"a","description":"{}"}}]"#, "long words ".repeat(40));
    let text = out(&run(&["select", "--tools", "-"], &tools));
    assert!(text.lines().all(|line| line.chars().count() <= 120) && text.lines().any(|line| line.ends_with('…')), "{text}");
}

#[test]
fn nothing_selected_is_said_with_the_reason() {
    let output = run(&["select", "--tools", "-", "--message", "ferry", "--min-score", "0.5"], r#"[{"name":"a"},{"name":"b"}]"#);
    assert!(output.status.success());
    assert_eq!(out(&output), "Nothing selected of 2 tools: 2 below the least score\n");
    assert_eq!(out(&run(&["select", "--tools", "-"], "[]")), "Nothing selected: no tool was read.\n");
}

#[test]
fn warnings_stand_on_standard_error_and_hints_and_pins_take_several() {
    let tools = r#"[{"name":"a"},{"name":"b"},{"name":"c"}]"#;
    let output = run(&["select", "--tools", "-", "--pin", "c", "b", "nope", "--hint", "x", "y"], tools);
    assert_eq!(err(&output), "toolbroker: warning: pin `nope` names no registered tool\n");
    let names: Vec<String> = out(&output).lines().skip(1).take(3).map(|line| line.split_whitespace().nth(1).unwrap().to_owned()).collect();
    assert_eq!(names, ["stdin/b", "stdin/c", "stdin/a"]);
}

#[test]
fn an_explanation_names_every_tool_and_rule() {
    let tools = format!("{DATA}/tools");
    let rules = format!("{DATA}/rules.yaml");
    let text = out(&run(&["select", "--tools", &tools, "--rules", &rules, "--explain"], ""));
    assert!(text.contains("Every tool") && text.contains("Every rule"), "{text}");
    assert!(text.lines().any(|line| line.contains("notes/notes_delete") && line.contains("hidden")), "{text}");
    assert!(text.lines().any(|line| line.contains("calendar/rooms_list") && line.contains("short")), "{text}");
}

#[test]
fn json_is_the_librarys_answer() {
    let text = out(&run(&["select", "--tools", "-", "--server", "s", "--json"], r#"[{"name":"a"}]"#));
    let answer: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(answer["tools"], json!([{ "name": "a", "server": "s" }]));
}

#[test]
fn a_server_is_the_files_own_then_the_given_then_the_files_name() {
    let folder = folder("servers", &[("own.json", r#"{"server":"inside","tools":[{"name":"a"}]}"#), ("plain.json", r#"[{"name":"b"}]"#)]);
    let names = |more: &[&str]| {
        let arguments = [&["select", "--tools", folder.to_str().unwrap(), "--json"], more].concat();
        let answer: Value = serde_json::from_str(&out(&run(&arguments, ""))).unwrap();
        let name = |tool: &Value| format!("{}/{}", tool["server"].as_str().unwrap(), tool["name"].as_str().unwrap());
        answer["tools"].as_array().unwrap().iter().map(name).collect::<Vec<_>>()
    };
    assert_eq!(names(&[]), ["inside/a", "plain/b"]);
    assert_eq!(names(&["--server", "given"]), ["given/b", "inside/a"]);
    let response = r#"{"jsonrpc":"2.0","id":1,"server":"inside","result":{"tools":[{"name":"a"}]}}"#;
    let text = out(&run(&["select", "--tools", "-", "--server", "given"], response));
    assert!(text.contains("inside/a"), "{text}");
}

#[test]
fn a_refused_tool_is_named_and_the_others_are_taken() {
    let output = run(&["select", "--tools", "-"], r#"[{"name":"good"},{"name":"bad","tags":5}]"#);
    assert!(output.status.success());
    assert!(out(&output).contains("stdin/good"), "{}", out(&output));
    assert!(err(&output).contains("tool 2 `bad` is not taken: tags are a list of texts"), "{}", err(&output));
}

#[test]
fn a_list_that_goes_on_elsewhere_is_told() {
    let result = |cursor: &str| format!(r#"{{"tools":[{{"name":"a"}}],"nextCursor":{cursor}}}"#);
    let first_page = run(&["select", "--tools", "-"], &result(r#""page 2""#));
    assert!(first_page.status.success() && out(&first_page).contains("stdin/a"), "{}", out(&first_page));
    assert!(err(&first_page).starts_with("toolbroker: standard input: the result has a `nextCursor`"), "{}", err(&first_page));
    assert!(err(&run(&["rank", "--stdio"], &format!("{}\n", result("\"2\"")))).contains("nextCursor"));
    for last in ["null", "\"\""] {
        assert_eq!(err(&run(&["select", "--tools", "-"], &result(last))), "");
    }
}

#[test]
fn a_fault_in_rules_has_its_place_and_all_are_told() {
    let text = "rules:\n  - name: a\n    match: {patterns: [x]}\n    action: {type: exlude}\n  - intnt: b\n    match: {patterns: [x]}\n    action: {type: pin}\n";
    let folder = folder("faults", &[("rules.yaml", text), ("tools.json", r#"[{"name":"a"}]"#)]);
    let rules = folder.join("rules.yaml");
    let output = run(&["select", "--tools", folder.join("tools.json").to_str().unwrap(), "--rules", rules.to_str().unwrap()], "");
    assert_eq!(output.status.code(), Some(1));
    let told = err(&output);
    assert!(told.contains("rules.yaml:4:20: unknown action `exlude`") && told.contains("did you mean `exclude`?"), "{told}");
    assert!(told.contains("rules.yaml:5:5: unknown key `intnt`"), "{told}");
}

#[test]
fn faults_in_arguments_name_no_place_in_a_text_that_nobody_wrote() {
    let bad = run(&["select", "--tools", "-", "--message", "x", "--min-score", "2", "--share", "3"], "[]");
    let told = "toolbroker: out of range (at min_score); a score is from 0 to 1\ntoolbroker: out of range (at budget.share); a share is from 0 to 1\n";
    assert_eq!((bad.status.code(), err(&bad).as_str()), (Some(1), told));
}

#[test]
fn a_value_may_begin_with_a_hyphen() {
    let tools = r#"[{"name":"list_add","description":"Adds a line to the list."},{"name":"clean"}]"#;
    let message = "- a line for the list";
    let arguments =
        ["select", "--tools", "-", "--server", "-s", "--message", message, "--intent", "-none", "--hint=-list", "--max-tools", "1"];
    let picked = run(&arguments, tools);
    assert!(picked.status.success() && out(&picked).contains("-s/list_add") && out(&picked).contains("intent -none"), "{picked:?}");
    let ranked = out(&run(&["rank", "--tools", "-", "--server", "-s", "--query", message], tools));
    assert!(ranked.contains("-s/list_add"), "{ranked}");
    for arguments in [
        ["select", "--tools", "-", "--message", "x", "--min-score", "-0.5"],
        ["rank", "--tools", "-", "--query", "x", "--min-score", "-0.5"],
    ] {
        let bad = run(&arguments, tools);
        assert_eq!((bad.status.code(), err(&bad).contains("a score is from 0 to 1")), (Some(1), true), "{}", err(&bad));
    }
}

#[test]
fn usage_and_missing_files_are_told_apart() {
    assert_eq!(run(&["select"], "").status.code(), Some(2));
    let output = run(&["select", "--tools", "no/such/file.json"], "");
    assert_eq!(output.status.code(), Some(1));
    assert!(err(&output).starts_with("toolbroker: no/such/file.json: "), "{}", err(&output));
    let output = run(&["select", "--tools", "-", "--min-score", "2", "--message", "x"], "[]");
    assert!(output.status.code() == Some(1) && err(&output).contains("a score is from 0 to 1"), "{}", err(&output));
}

#[test]
fn the_version_is_told() {
    assert_eq!(out(&run(&["--version"], "")), concat!("toolbroker ", env!("CARGO_PKG_VERSION"), "\n"));
}

#[test]
fn a_reader_that_leaves_ends_it_quietly() {
    let tools: Vec<Value> = (0..20_000).map(|at| json!({ "name": format!("tool_{at}") })).collect();
    let folder = folder("many", &[("many.json", &Value::from(tools).to_string())]);
    let mut child = Command::new(env!("CARGO_BIN_EXE_toolbroker"))
        .args(["select", "--json", "--tools", folder.to_str().unwrap()])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{}", err(&output));
}

/// Every command of the page that follows a `$` is run, and must print what stands below it.
#[cfg(unix)]
#[test]
fn the_page_shows_what_is_printed() {
    let folder = folder("page", &[("faulty.yaml", "rules:\n  - name: a\n    match: {patterns: [x]}\n    action: {type: exlude}\n")]);
    let examples = folder.join("examples");
    if !examples.exists() {
        std::os::unix::fs::symlink(concat!(env!("CARGO_MANIFEST_DIR"), "/examples"), &examples).unwrap();
    }
    let program = PathBuf::from(env!("CARGO_BIN_EXE_toolbroker"));
    let path = format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let page = include_str!("../docs/command-line.md");
    let mut count = 0;
    for block in page.split("\n    $ ").skip(1) {
        let (command, rest) = block.split_once('\n').unwrap();
        let shown = rest.lines().take_while(|line| line.is_empty() || line.starts_with("    "));
        let shown: Vec<&str> = shown.map(|line| line.strip_prefix("    ").unwrap_or(line)).collect();
        let output = Command::new("sh")
            .args(["-c", &format!("{{ {command}; }} 2>&1")])
            .current_dir(&folder)
            .env("PATH", &path)
            .env_remove("COLUMNS")
            .output()
            .unwrap();
        assert_eq!(out(&output).trim_end(), shown.join("\n").trim_end(), "{command}");
        count += 1;
    }
    assert_eq!(count, 5);
}

#[test]
fn a_line_that_is_not_utf_8_is_answered_and_the_next_one_too() {
    let mut child =
        Command::new(env!("CARGO_BIN_EXE_toolbroker")).arg("answer").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"\xff\xfe\n{\"op\":\"estimate\",\"tools\":[]}").unwrap();
    let text = out(&child.wait_with_output().unwrap());
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(lines.len() == 2 && lines[0]["error"]["code"] == "invalid_utf8" && lines[1] == 0, "{text}");
}

#[test]
fn a_line_is_answered_before_the_next_one_comes() {
    let mut child =
        Command::new(env!("CARGO_BIN_EXE_toolbroker")).arg("answer").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (mut input, mut output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
    for _ in 0..2 {
        input.write_all(b"{\"op\":\"estimate\",\"tools\":[]}\n").unwrap();
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        assert_eq!(line, "0\n");
    }
    drop(input);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_case_states_its_options_and_may_hold_what_nobody_knows() {
    let doubles = r#""tools":[{"name":"a"},{"name":"a"}],"unheard":1"#;
    let cases = ["", r#""profile":"go-0.2","#, r#""options":{"identity":"append"},"#, r#""session":true,"#, r#""provider":"x","#];
    let lines: String = cases.iter().map(|more| format!("{{\"op\":\"case\",\"input\":{{{more}{doubles}}}}}\n")).collect();
    let text = out(&run(&["answer"], &lines));
    let answers: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers[0]["kept"], json!(["a"]));
    assert!(answers[1..3].iter().all(|answer| answer["kept"] == json!(["a", "a"])), "{text}");
    assert!(answers[3..].iter().all(|answer| answer["error"].is_object()), "{text}");
}

#[test]
fn answer_gives_one_line_for_each_and_survives_a_bad_one() {
    let lines =
        "{\"op\":\"tokenize\",\"intent\":\"Show the Build\"}\nnot json\n{\"op\":\"nonsense\"}\n{\"op\":\"estimate\",\"tools\":[]}\n";
    let output = run(&["answer", "--profile", "go-0.2"], lines);
    let answers: Vec<Value> = out(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), 4);
    assert_eq!(answers[0], json!(["show", "build"]));
    assert!(answers[1]["error"].is_object() && answers[2]["error"].is_object());
    assert_eq!(answers[3], 0);
}

#[test]
fn an_operation_refuses_what_it_does_not_take() {
    let requests = [
        (r#"{"op":"tokenise","intent":"x"}"#, "op", "did you mean `tokenize`?"),
        (r#"{"op":"select","tools":[],"mesage":"x"}"#, "mesage", "did you mean `message`?"),
        (r#"{"op":"estimate","tools":[],"budget":null}"#, "budget", "known: tools, options"),
        (r#"{"op":"rules_yaml","text":"rules: []"}"#, "text", "known: yaml"),
    ];
    let lines: String = requests.iter().map(|(line, ..)| format!("{line}\n")).collect();
    for profile in ["standard", "go-0.2"] {
        let text = out(&run(&["answer", "--profile", profile], &lines));
        let answers: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(answers.len(), requests.len());
        for (answer, (line, path, hint)) in answers.iter().zip(requests) {
            let error = &answer["error"];
            assert_eq!(
                (&error["code"], &error["at"]["path"], &error["hint"]),
                (&json!("invalid_request"), &json!(path), &json!(hint)),
                "{line}"
            );
        }
    }
    let two = out(&run(&["answer"], r#"{"op":"hints","a":1,"b":2}"#));
    assert_eq!(serde_json::from_str::<Value>(&two).unwrap()["error"]["faults"].as_array().unwrap().len(), 2);
}

#[test]
fn reported_cases_keep_what_they_must() {
    let cases: Vec<Value> = serde_json::from_str(include_str!("reported.json")).unwrap();
    let lines: Vec<String> = cases.iter().map(|case| json!({ "op": "case", "input": case["input"] }).to_string()).collect();
    let output = run(&["answer"], &(lines.join("\n") + "\n"));
    let answers: Vec<Value> = out(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((answers.len(), cases.len()), (6, 6));
    for (case, answer) in cases.iter().zip(answers) {
        let kept: Vec<&str> = answer["kept"].as_array().unwrap_or_else(|| panic!("{answer}")).iter().filter_map(Value::as_str).collect();
        let names = |key: &str| case["expect"][key].as_array().into_iter().flatten().filter_map(Value::as_str).collect::<Vec<_>>();
        assert!(names("kept").iter().all(|name| kept.contains(name)), "{}: {kept:?}", case["id"]);
        assert!(names("not_kept").iter().all(|name| !kept.contains(name)), "{}: {kept:?}", case["id"]);
    }
}

#[test]
fn a_ranking_shows_what_each_tool_was_found_by() {
    let tools = r#"[{"name":"forecast","description":"The weather."},{"name":"mail_send","description":"Sends a mail."}]"#;
    let text = out(&run(&["rank", "--tools", "-", "--query", "umbrella"], tools));
    assert!(text.lines().any(|line| line.contains("stdin/forecast") && line.contains("umbrella → ")), "{text}");
    assert!(!text.contains("mail_send") && text.contains("1 of 2 tools"), "{text}");
    let none = out(&run(&["rank", "--tools", "-", "--query", "thanks!"], tools));
    assert_eq!(none, "None of 2 tools has anything of this.\n");
}

#[test]
fn a_ranking_answers_line_by_line() {
    let input = concat!(
        r#"{"tools":[{"name":"forecast","description":"The weather."},{"name":"mail_send","description":"Sends a mail."}]}"#,
        "\n",
        r#"{"id":1,"query":"weather"}"#,
        "\n\n",
        r#"{"id":2,"query":"thanks"}"#,
        "\n"
    );
    assert_eq!(out(&run(&["rank", "--stdio"], input)), "[\"forecast\"]\n[]\n");
    let bad = run(&["rank", "--stdio"], "{\"tools\":[]}\n{\"id\":1}\n");
    assert!(!bad.status.success() && err(&bad).contains("line 2") && err(&bad).contains("query"), "{}", err(&bad));
}

#[test]
fn weights_that_are_none_are_named() {
    let bad = run(&["rank", "--stdio", "--weights", r#"{"nmae":1}"#], "");
    assert!(!bad.status.success() && err(&bad).contains("did you mean `name`?"), "{}", err(&bad));
}

#[test]
fn a_word_weighs_what_the_right_tools_of_two_sets_say() {
    // Both sets have `convert` and `platform`; the right tools have only the first.
    let tools = |language: &str| format!(r#"[{{"name":"{language}_convert"}},{{"name":"{language}_platform"}}]"#);
    let messages = |language: &str| format!(r#"[{{"query":"convert {language} platform","tools":["{language}_convert"]}}]"#);
    let sets = folder(
        "word-weights",
        &[
            ("one/tools.json", &tools("latin")),
            ("one/queries.json", &messages("latin")),
            ("two/tools.json", &tools("greek")),
            ("two/queries.json", &messages("greek")),
        ],
    );
    let text = out(&run(&["eval", "--sets", sets.to_str().unwrap(), "--task", "word-weights"], ""));
    // Of six words in messages, four stand in right tools: a mean of 2/3. (2 + 4·2/3) / (2 + 4) / (2/3) = 7/6, (0 + 4·2/3) / 6 / (2/3) = 2/3; of these the root.
    assert_eq!(text.lines().skip(1).collect::<Vec<_>>(), ["convert 1.08", "platform 0.82"]);
}

#[test]
fn a_mean_below_the_least_fails() {
    let eval = |least: &str| run(&["eval", "--sets", "tests/ranking", "--least", least], "");
    assert!(eval("recall@5=0.3").status.success());
    let below = eval("ndcg@10=0.9");
    assert!(!below.status.success() && err(&below).ends_with(", below 0.9\n"), "{}", err(&below));
}

#[test]
fn sets_are_measured() {
    let output = run(&["eval", "--sets", "tests/ranking", "--only", "everyday", "--json"], "");
    let measured: Value = serde_json::from_str(&out(&output)).unwrap();
    let everyday = &measured["sets"]["everyday"];
    assert_eq!((everyday["messages"].as_u64(), everyday["idle_messages"].as_u64()), (Some(160), Some(300)));
    let recall = |k: &str| everyday["measures"][format!("recall@{k}")].as_f64().unwrap();
    assert!(recall("1") <= recall("5") && recall("5") <= recall("10") && recall("10") > 0.0);
    let missing = run(&["eval", "--sets", "tests/ranking", "--only", "none"], "");
    assert!(!missing.status.success() && err(&missing).contains("there is no set `none`"), "{}", err(&missing));
}
