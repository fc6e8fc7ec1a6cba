use super::*;

fn names(message: &str) -> Vec<String> {
    IntentTable::built_in().detect(message, Phrases::Words).into_iter().map(|intent| intent.name).collect()
}

fn table(entries: &[(&str, &[&str])]) -> IntentTable {
    let owned = |(name, phrases): &(&str, &[&str])| ((*name).to_owned(), phrases.iter().map(|phrase| (*phrase).to_owned()).collect());
    IntentTable::new(entries.iter().map(owned).collect())
}

#[test]
fn the_built_in_table_has_21_intents_and_154_phrases_in_order() {
    let table = IntentTable::built_in();
    assert_eq!(table.entries().count(), 21);
    assert_eq!(table.entries().map(|(_, phrases)| phrases.len()).sum::<usize>(), 154);
    let (first, phrases) = table.entries().next().unwrap();
    assert_eq!((first, phrases[0].as_str(), phrases.len()), ("create-task", "create task", 7));
    assert_eq!(table.entries().last().unwrap().0, "check-drift");
}

/// Numbers are taken as written: what serde_json makes of them may differ in the last digit.
#[derive(serde::Deserialize)]
struct Case<'a> {
    #[serde(rename = "in")]
    request: Request,
    #[serde(borrow)]
    out: Option<Vec<Found<'a>>>,
}

#[derive(serde::Deserialize)]
struct Request {
    message: String,
}

#[derive(serde::Deserialize)]
struct Found<'a> {
    name: String,
    #[serde(borrow)]
    confidence: &'a serde_json::value::RawValue,
    keywords: Vec<String>,
}

#[test]
fn substrings_agree_with_the_model_to_the_last_digit() {
    let table = IntentTable::built_in();
    let mut lines = 0;
    for line in include_str!("../../tests/vectors/detect_intent.jsonl").lines() {
        let case: Case = serde_json::from_str(line).unwrap();
        let intent = |found: Found| {
            let confidence = found.confidence.get().parse().unwrap();
            Intent { name: found.name, confidence, keywords: found.keywords }
        };
        let expected: Vec<Intent> = case.out.into_iter().flatten().map(intent).collect();
        assert_eq!(table.detect(&case.request.message, Phrases::Substring), expected, "{line}");
        lines += 1;
    }
    assert_eq!(lines, 180);
}

#[test]
fn phrases_are_found_as_whole_words_only() {
    for message in ["We went shopping.", "an acronym", "He recalled it.", "the deployment", "undockered", "", "  \n", "!?"] {
        assert_eq!(names(message), [""; 0], "{message}");
    }
    for message in ["ping", "PING!", "(ping)", "please ping, now", "ping?", "ｐｉｎｇ"] {
        assert_eq!(names(message), ["check-health"], "{message}");
    }
}

#[test]
fn the_words_of_a_phrase_stand_in_a_row() {
    for message in ["run build", "Run-Build", "run_build", "run\n build", "runs builds"] {
        assert_eq!(names(message), ["run-build", "run-blueprint"], "{message}");
    }
    assert_eq!(names("build run"), [""; 0]);
    assert_eq!(names("run the build"), [""; 0]);
}

#[test]
fn plurals_count_as_singulars_on_both_sides() {
    let found = IntentTable::built_in().detect("Run the unit test and list task", Phrases::Words);
    let keywords: Vec<_> = found.iter().map(|intent| (intent.name.as_str(), intent.keywords.join(", "))).collect();
    assert_eq!(keywords, [("list-tasks", "list tasks".to_owned()), ("run-tests", "unit tests".to_owned())]);
}

#[test]
fn confidence_is_the_share_of_phrases_and_a_bonus_for_longer_ones() {
    let table = table(&[("b", &["one", "two words", "three", "four"]), ("a", &["one", "x", "y", "z"]), ("c", &["one", "two words"])]);
    let found = table.detect("one, and two words", Phrases::Words);
    let found: Vec<_> = found.iter().map(|intent| (intent.name.as_str(), intent.confidence)).collect();
    assert_eq!(found, [("c", 1.0), ("b", 0.6), ("a", 0.25)]);
}

#[test]
fn a_phrase_without_spaces_in_the_script_is_found_inside_a_run() {
    let table = table(&[("law", &["条例", "이슈 목록"])]);
    let keywords = |message: &str| table.detect(message, Phrases::Words).into_iter().flat_map(|intent| intent.keywords).collect::<Vec<_>>();
    assert_eq!(keywords("騒音の条例を調べて"), ["条例"]);
    assert_eq!(keywords("이슈 목록을 보여줘"), ["이슈 목록"]);
    assert_eq!(keywords("条 例"), [""; 0]);
    assert_eq!(keywords("例条"), [""; 0]);
}

#[test]
fn extending_adds_phrases_to_known_names_and_new_names_at_the_end() {
    let first = table(&[("b", &["x", "y"]), ("a", &["z"])]);
    let more = vec![("c".to_owned(), vec!["q".to_owned(), "q".to_owned()]), ("b".to_owned(), vec!["y".to_owned(), "w".to_owned()])];
    let all = first.extended(more);
    let entries: Vec<_> = all.entries().map(|(name, phrases)| format!("{name}: {}", phrases.join(" "))).collect();
    assert_eq!(entries, ["b: x y w", "a: z", "c: q"]);
    assert_eq!(first.entries().count(), 2);
    assert_eq!(all.detect("q", Phrases::Words)[0].confidence, 1.0);
}

#[test]
fn a_long_message_and_many_phrases_that_begin_alike_come_to_an_end() {
    let phrases: Vec<String> = (0..20_000).map(|n| format!("{}{n}", "a ".repeat(10))).collect();
    let table = IntentTable::new(vec![("many".to_owned(), phrases)]);
    let message = "a ".repeat(200_000) + "777";
    for phrases in [Phrases::Words, Phrases::Substring] {
        let found = table.detect(&message, phrases);
        assert_eq!(found[0].keywords.last().unwrap(), &("a ".repeat(10) + "777"), "{phrases:?}");
    }
}
