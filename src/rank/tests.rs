use super::*;
use crate::words::Language;

/// A tool of a test: server, name, description.
type Given<'a> = (&'a str, &'a str, &'a str);

fn terms(tools: &[Given]) -> Vec<ToolTerms> {
    let text = |(server, name, description): &Given| {
        ToolTerms::new(&ToolText { server, name, title: "", description, tags: &[], input_schema: None })
    };
    tools.iter().map(text).collect()
}

fn query(message: &str, hints: &[&str]) -> Query<'static> {
    let hints: Vec<String> = hints.iter().map(|hint| (*hint).to_owned()).collect();
    Query::new(message, &hints, None, &Weights::default(), WordTables::built_in())
}

/// The score of each tool.
fn scores(message: &str, hints: &[&str], tools: &[Given]) -> Vec<f64> {
    let terms = terms(tools);
    let index = Index::new(&terms.iter().collect::<Vec<_>>(), |tool| tools[tool].0, Weights::default());
    index.scores(&query(message, hints), None, |_| true)
}

/// The names of the tools that have anything, best first.
fn ranked<'a>(message: &str, tools: &[Given<'a>]) -> Vec<&'a str> {
    let scores = scores(message, &[], tools);
    let mut order: Vec<usize> = (0..tools.len()).filter(|tool| scores[*tool] > 0.0).collect();
    order.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]));
    order.into_iter().map(|tool| tools[tool].1).collect()
}

#[test]
fn what_a_message_asks_for_comes_first() {
    let tools = [
        ("mail", "mail_send", "Sends a mail."),
        ("weather", "weather_forecast", "The forecast for a place."),
        ("files", "file_delete", "Deletes a file."),
        ("files", "directory_list", "Lists what a directory holds."),
    ];
    for (message, best) in [
        ("What will the weather be like in Oslo?", "weather_forecast"),
        ("Do I need an umbrella?", "weather_forecast"),
        ("Please erase that file", "file_delete"),
        ("show me the folder", "directory_list"),
        ("write an email to Bob", "mail_send"),
    ] {
        assert_eq!(ranked(message, &tools).first(), Some(&best), "{message}");
    }
}

#[test]
fn a_message_of_words_that_say_nothing_finds_nothing() {
    let tools = [("todo", "todo_go", "Goes ahead with the next to-do. Say yes to go ahead."), ("x", "file_delete", "Deletes a file.")];
    for message in ["Yes please, go ahead.", "thanks!", "", "Vielen Dank, das ist sehr gut", "ありがとうございます"] {
        assert_eq!(scores(message, &[], &tools), [0.0, 0.0], "{message}");
    }
}

#[test]
fn only_whole_words_and_their_plain_endings_count() {
    let tools = [
        ("mail", "mail_list_unread", "Lists unread mail."),
        ("x", "serve_start", "Serves a model on a local port."),
        ("x", "line_edit", "Edits a line of a text."),
        ("x", "deadline_list", "Lists deadlines and their dates."),
    ];
    let message = "Kindly observe which rooms are reserved; the sign is unreadable, the deadline moved, and we meet online.";
    assert_eq!(ranked(message, &tools), ["deadline_list"]);
    assert_eq!(ranked("serving", &tools), ["serve_start"]);
}

#[test]
fn a_stem_helps_no_word_that_a_tool_has_as_it_stands() {
    let tools = [("a", "x", "A listing of rooms."), ("b", "y", "Lists rooms.")];
    assert_eq!(ranked("listing", &tools), ["x"]);
}

#[test]
fn names_that_stand_in_the_message_win_over_every_description() {
    let guide = "Guide for the repo graph: trace, query, code, snippet, symbol, search, index, build, all in one place, graph trace query code snippet.";
    let tools = [
        ("docs", "repo_guide", guide),
        ("web", "web_search", "Searches the web: query, search, index."),
        ("repo", "graph_trace", "Repository tool."),
        ("repo", "code_snippet", "Repository tool."),
    ];
    let scores = scores("graph_trace code_snippet repo-map", &[], &tools);
    assert_eq!(scores[2..], [1.0, 1.0]);
    assert!(scores[..2].iter().all(|score| *score < 1.0), "{scores:?}");
}

fn score(message: &str, name: &str) -> f64 {
    scores(message, &[], &[("s", name, ""), ("s", "other", "")])[0]
}

#[test]
fn a_name_in_running_text_needs_two_parts_and_its_marks() {
    for message in ["Call graph_trace.", "`Graph_Trace`(x)", "s/graph_trace now", "graph_traceを使って"] {
        assert_eq!(score(message, "graph_trace"), 1.0, "{message}");
    }
    for message in ["graph trace it", "repo/graph_trace now", "graph-trace it", "my_graph_trace", "graph_traces"] {
        assert!(score(message, "graph_trace") < 1.0, "{message}");
    }
    assert!(score("search it there", "search") < 1.0);
    assert!(score("the shelf count, now", "shelf count") < 1.0);
    assert_eq!(score("run getUser now", "getUser"), 1.0);
    assert_eq!(score("use ns:tool now", "ns:tool"), 1.0);
}

#[test]
fn a_name_that_is_quoted_the_whole_message_or_a_hint_scores_one() {
    for message in [" Search ", "run \"search\" now", "run `search`", "« search »"] {
        assert_eq!(score(message, "search"), 1.0, "{message}");
    }
    assert_eq!(score("all", "all"), 1.0);
    let tools = [("web", "search", "")];
    assert_eq!(scores("", &["x", "SEARCH"], &tools), [1.0]);
    assert_eq!(scores("", &["web/search"], &tools), [1.0]);
    assert!(scores("", &["web search"], &tools)[0] < 1.0);
}

#[test]
fn a_name_with_its_server_is_that_servers_tool_alone() {
    let tools = [("depot", "search", ""), ("notes", "search", ""), ("gh", "issues/list_all", ""), ("zz", "list_all", "")];
    for (text, meant) in [("notes/search", 1), ("gh/issues/list_all", 2)] {
        for scores in [scores("", &[text], &tools), scores(&format!("call {text} now"), &[], &tools)] {
            let named: Vec<usize> = (0..tools.len()).filter(|at| scores[*at] == 1.0).collect();
            assert_eq!(named, [meant], "{text}");
        }
    }
    assert!(scores("", &["nosuch/search"], &tools).iter().all(|score| *score < 1.0));
}

#[test]
fn what_nobody_sees_parts_no_word() {
    let tools = [("s", "deadline_list", "")];
    let plain = scores("show deadline", &[], &tools);
    for message in ["show \u{2068}deadline\u{2069}", "show deadline\u{200f}", "show dead\u{ad}line", "show dead\u{2060}line"] {
        assert_eq!(scores(message, &[], &tools), plain, "{message:?}");
    }
}

#[test]
fn a_tag_that_is_a_hint_raises_as_a_word_of_the_name_does() {
    let tags = ["CI".to_owned(), "code review".to_owned()];
    let text = |name, tags| ToolText { server: "", name, title: "", description: "", tags, input_schema: None };
    let terms = [ToolTerms::new(&text("x", &tags)), ToolTerms::new(&text("y", &[]))];
    let index = Index::new(&[&terms[0], &terms[1]], |_| "", Weights { tag: 0.0, ..Weights::default() });
    for hint in ["ci", "Code Review"] {
        assert!(index.scores(&query("", &[hint]), None, |_| true)[0] > 0.0, "{hint}");
    }
    for (message, hints) in [("ci", &[][..]), ("", &["review"])] {
        assert_eq!(index.scores(&query(message, hints), None, |_| true), [0.0, 0.0]);
    }
}

#[test]
fn each_script_is_ranked() {
    let tools = [
        ("a", "weather_now", "現在の天気を返します。"),
        ("b", "mail_send", "メールを送ります。"),
        ("c", "statutes_find", "国内の条例と法律を探します。"),
        ("d", "calendar_ko", "일정을 추가합니다."),
        ("e", "weather_zh", "查询城市的天气预报。"),
        ("f", "translate_ru", "Переводит тексты на другой язык."),
        ("g", "tables_de", "Benennt Tabellen um."),
        ("h", "cafe_fr", "Cherche des cafés à Paris."),
        ("i", "train_th", "ค้นหาตารางเวลารถไฟ"),
    ];
    for (message, best) in [
        ("騒音の条例を調べてください", "statutes_find"),
        ("メールを書いて", "mail_send"),
        ("일정에 회의를 넣어줘", "calendar_ko"),
        ("请查一下北京的天气预报", "weather_zh"),
        ("Переведи этот текст", "translate_ru"),
        ("die Tabelle umbenennen", "tables_de"),
        ("un CAFE s'il te plaît", "cafe_fr"),
        ("รถไฟไปเชียงใหม่", "train_th"),
    ] {
        assert_eq!(ranked(message, &tools).first(), Some(&best), "{message}");
    }
}

#[test]
fn each_clause_gets_its_tool() {
    let tools = [
        ("a", "weather_forecast", "The weather forecast for a city on a day."),
        ("b", "weather_history", "The weather of a city on a day of the past."),
        ("c", "weather_alerts", "Weather alerts for a city."),
        ("d", "mail_send", "Sends a mail."),
    ];
    let message = "Get the weather forecast for the city of Oslo on that day, the weather alerts for the city, and then send Bob mail.";
    let first = ranked(message, &tools)[..3].to_vec();
    assert!(first.contains(&"mail_send"), "{first:?}");
}

#[test]
fn a_path_calls_for_file_tools() {
    let tools =
        [("a", "read_file", "Reads a file."), ("b", "root_cause", "Root cause analysis."), ("c", "excel_read_sheet", "Reads a sheet.")];
    assert_eq!(ranked("What is in /root/data/sales.xlsx?", &tools)[0], "excel_read_sheet");
    assert_eq!(ranked("What is in /root/data/notes.txt?", &tools)[0], "read_file");
}

#[test]
fn hidden_tools_score_nothing_and_help_no_other() {
    let tools = [("a", "file_read", "Reads a file."), ("a", "file_write", "Writes a file."), ("b", "file_move", "Moves a file.")];
    let terms = terms(&tools);
    let index = Index::new(&terms.iter().collect::<Vec<_>>(), |tool| tools[tool].0, Weights::default());
    let query = query("file", &[]);
    let all = index.scores(&query, None, |_| true);
    let some = index.scores(&query, None, |tool| tool != 1);
    assert_eq!(some[1], 0.0);
    assert!(some[0] < all[0]);
}

#[test]
fn a_tool_that_comes_first_for_most_others_counts_less() {
    let texts: Vec<(String, String)> =
        (0..200).map(|n| (format!("tool_{n}"), format!("Runs job{n} with input{n}."))).chain([hub()]).collect();
    let tools: Vec<Given> = texts.iter().map(|(name, text)| ("s", name.as_str(), text.as_str())).collect();
    let terms = terms(&tools);
    let index = |hub| Index::new(&terms.iter().collect::<Vec<_>>(), |_| "s", Weights { hub, ..Weights::default() });
    let query = query("job17", &[]);
    let (plain, damped) = (index(0.0).scores(&query, None, |_| true), index(1.0).scores(&query, None, |_| true));
    assert_eq!(plain[17], damped[17]);
    assert!(damped[200] < plain[200], "{} {}", damped[200], plain[200]);
}

/// A tool that names everything.
fn hub() -> (String, String) {
    let words: Vec<String> = (0..200).map(|n| format!("job{n} input{n}")).collect();
    ("run_anything".to_owned(), format!("Runs {}.", words.join(" ")))
}

#[test]
fn nothing_asked_is_empty() {
    for query in [query("", &[]), query(" \n", &["", " "])] {
        assert!(query.is_empty());
    }
    assert!(!query("the", &[]).is_empty());
    assert!(!query("", &["x"]).is_empty());
    assert_eq!(scores("x", &[], &[]), [0.0; 0]);
}

#[test]
fn what_stands_behind_many_words_is_left_out_and_said_so() {
    let words = |count: usize| (0..count).map(|n| format!("w{n}")).collect::<Vec<_>>().join(" ");
    assert!(!query(&words(crate::limits::MESSAGE_WORDS / 3), &[]).cut);
    assert!(query(&words(crate::limits::MESSAGE_WORDS), &[]).cut);
    let repeated = format!("{} clean", "build ".repeat(crate::limits::MESSAGE_WORDS));
    assert!(query(&repeated, &[]).cut);
}

#[test]
fn a_language_can_be_given() {
    let read = |language| Query::new("die Datei", &[], language, &Weights::default(), WordTables::built_in());
    assert_eq!(read(None).language.code(), "de");
    assert_eq!(read(Some(Language::ENGLISH)).stems.len(), 2);
}

#[test]
fn hits_say_what_was_found_where() {
    let tools = [("w", "weather_forecast", "The forecast.\nUses a city."), ("x", "mail", "A mail.")];
    let terms = terms(&tools);
    let index = Index::new(&terms.iter().collect::<Vec<_>>(), |tool| tools[tool].0, Weights::default());
    let hits = index.hits(&query("umbrella forecast in some cities", &[]), 0, &terms[0]);
    let shown: Vec<_> = hits.iter().map(|hit| (hit.term.as_str(), hit.found, hit.by, hit.fields.join(" "))).collect();
    assert_eq!(
        shown,
        [
            ("umbrella", Some("weather"), "topic", "name".to_owned()),
            ("forecast", None, "word", "name first_sentence".to_owned()),
            ("cities", None, "word", "description".to_owned()),
        ]
    );
    assert!(hits.iter().all(|hit| hit.score > 0.0 && hit.weight > 0.0));
}

#[test]
fn what_has_no_weight_is_no_hit() {
    let terms = terms(&[("a", "rooms_list", "Lists rooms."), ("b", "seat_map", "Rooms and seats on a map.")]);
    for (weight, message) in
        [("stem", "listing"), ("word_pair", "list of rooms"), ("unlisted_word", "seatmapless rooms"), ("quoted", "'rooms'")]
    {
        let mut weights = Weights::default();
        *weights.get_mut(weight).unwrap() = 0.0;
        let index = Index::new(&terms.iter().collect::<Vec<_>>(), |tool| ["a", "b"][tool], weights);
        let query = Query::new(message, &[], None, &weights, WordTables::built_in());
        let best = index.best(&query, None, 10);
        let by_tool: std::collections::HashSet<usize> = best.iter().map(|(tool, _)| *tool).collect();
        assert_eq!(best.len(), by_tool.len(), "{weight}");
        for (tool, _) in &best {
            assert!(index.hits(&query, *tool, &terms[*tool]).iter().all(|hit| hit.score > 0.0), "{weight}");
        }
        let scores = index.scores(&query, None, |_| true);
        assert!(
            best.iter().all(|(tool, score)| scores[*tool] == *score) && scores.iter().filter(|score| **score > 0.0).count() == best.len(),
            "{weight}"
        );
    }
}
