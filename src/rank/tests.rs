use super::*;

/// The score of each tool, given as name and description.
fn scores(message: &str, tools: &[(&str, &str)]) -> Vec<f64> {
    let query = Query::new(message, &[]);
    tools.iter().map(|(name, description)| query.score(&ToolTerms::new(name, "", description, &[]))).collect()
}

fn score(message: &str, name: &str, description: &str) -> f64 {
    scores(message, &[(name, description)])[0]
}

fn hinted(hints: &[&str], tool: &ToolTerms) -> f64 {
    Query::new("", &texts(hints)).score(tool)
}

fn texts(list: &[&str]) -> Vec<String> {
    list.iter().map(|text| (*text).to_owned()).collect()
}

#[test]
fn a_word_counts_two_in_the_name_and_one_in_the_description() {
    assert_eq!(score("open tickets", "ticket_list", "Lists what is open."), 0.5);
    assert_eq!(score("open tickets", "ticket_open", "Opens it."), 0.833333);
    assert_eq!(score("red green blue", "blue_x", ""), 0.222222);
    assert_eq!(score("red green blue", "x", "nothing"), 0.0);
}

#[test]
fn a_title_counts_as_a_description_and_doubles_do_not_count() {
    let tool = ToolTerms::new("x", "Red", "red, red", &[]);
    assert_eq!(Query::new("red red car", &[]).score(&tool), 0.166667);
}

#[test]
fn words_that_say_nothing_are_not_counted() {
    assert_eq!(score("Could you please help me with the invoice?", "invoice_get", ""), 0.666667);
    assert_eq!(score("Yes please, go ahead.", "todo_go", "Goes ahead with the next to-do. Say yes to go ahead."), 0.0);
}

#[test]
fn only_whole_words_count() {
    let tools = [
        ("mail_list_unread", "Lists unread mail."),
        ("mail_reply", "Replies to a mail."),
        ("serve_start", "Serves a model on a local port."),
        ("line_edit", "Edits a line of a text."),
        ("deadline_list", "Lists deadlines and their dates."),
    ];
    let message = "Kindly observe which rooms are reserved; the sign is unreadable, the deadline moved, and we meet online.";
    let hits: Vec<bool> = scores(message, &tools).into_iter().map(|score| score > 0.0).collect();
    assert_eq!(hits, [false, false, false, false, true]);
}

#[test]
fn names_that_stand_in_the_message_win_over_every_description() {
    let others = [
        (
            "repo_guide",
            "Guide for the repo graph: trace, query, code, snippet, symbol, search, index, build, all in one place, graph trace query code snippet symbol search index build.",
        ),
        ("web_search", "Searches the web: query, search, index."),
        ("code_format", "Formats code; code, snippet, build."),
        ("build_log", "Shows the build log; build, trace, search."),
        ("index_card", "Prints an index card; index, graph."),
        ("query_plan", "Explains a database query; query, trace, index."),
    ];
    let named = ["graph_trace", "graph_query", "code_snippet", "symbol_search", "index_build"].map(|name| (name, "Repository tool."));
    let message = "graph_trace graph_query code_snippet symbol_search index_build repo-map";
    assert_eq!(scores(message, &named), [1.0; 5]);
    assert!(scores(message, &others).into_iter().all(|score| score < 1.0));
}

#[test]
fn a_shared_word_in_a_script_without_spaces_decides() {
    let tools =
        [("weather_now", "現在の天気を返します。"), ("mail_send", "メールを送ります。"), ("statutes_find", "国内の条例と法律を探します。")];
    let scores = scores("騒音の条例を調べてください", &tools);
    assert!(scores[2] > 0.0 && scores[2] > scores[0] && scores[2] > scores[1], "{scores:?}");
}

#[test]
fn a_name_inside_the_message_needs_two_parts_and_its_marks() {
    for message in ["Call graph_trace.", "`Graph_Trace`(x)", "repo/graph_trace now", "graph_traceを使って"] {
        assert_eq!(score(message, "graph_trace", ""), 1.0, "{message}");
    }
    for message in ["graph trace it", "graph-trace it", "my_graph_trace", "graph_traces"] {
        assert!(score(message, "graph_trace", "") < 1.0, "{message}");
    }
    assert!(score("search it there", "search", "") < 1.0);
    assert_eq!(score("run getUser now", "getUser", ""), 1.0);
    assert_eq!(score("the shelf count, now", "shelf count", ""), 1.0);
    assert_eq!(score("use ns:tool now", "ns:tool", ""), 1.0);
}

#[test]
fn a_name_that_is_the_whole_message_or_a_hint_scores_one() {
    assert_eq!(score(" Search ", "search", ""), 1.0);
    assert_eq!(score("all", "all", ""), 1.0);
    let tool = ToolTerms::new("search", "", "", &[]);
    assert_eq!(hinted(&["x", "SEARCH"], &tool), 1.0);
    assert_eq!(hinted(&["web/search"], &tool), 1.0);
    assert!(hinted(&["web search"], &tool) < 1.0);
}

#[test]
fn a_tag_that_is_a_hint_raises_like_a_word_in_the_name() {
    let tagged = ToolTerms::new("x", "", "", &texts(&["CI", "code review"]));
    assert_eq!(hinted(&["ci"], &tagged), 0.666667);
    assert_eq!(hinted(&["Code Review"], &tagged), 0.666667);
    assert_eq!(hinted(&["review"], &tagged), 0.0);
    assert_eq!(Query::new("ci", &[]).score(&tagged), 0.0);
    let also_named = ToolTerms::new("ci_run", "", "", &texts(&["ci"]));
    assert_eq!(hinted(&["ci"], &also_named), 0.666667);
}

#[test]
fn nothing_asked_is_empty_and_scores_nothing() {
    for query in [Query::new("", &[]), Query::new(" \n", &texts(&["", " "]))] {
        assert!(query.is_empty());
        assert_eq!(query.score(&ToolTerms::new("", "", "", &[])), 0.0);
        assert_eq!(query.score(&ToolTerms::new("a_b", "", "a", &[])), 0.0);
    }
    assert!(!Query::new("the", &[]).is_empty());
    assert!(!Query::new("", &texts(&["x"])).is_empty());
}

#[test]
fn a_long_message_scores_like_a_short_one() {
    let words: Vec<String> = (0..5_000).map(|n| format!("w{n}")).collect();
    let tool = ToolTerms::new("x_w7", "", &words[..100].join(" "), &[]);
    assert_eq!(Query::new(&words.join(" "), &[]).score(&tool), 0.0068);
}
