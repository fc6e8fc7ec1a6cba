//! The plain discovery functions of the Go package: keywords out of a sentence, and tools by the keywords they contain.

use std::cmp::Reverse;
use std::collections::HashSet;

use crate::go::lower;
use crate::rank::is_stop_word;

/// The fewest points with which a tool is listed.
pub const MIN_KEYWORD_SCORE: u64 = 1;

/// The words of a sentence, in order: in lower case, split at white space and `, . ! ? ; : ' " ( ) [ ] { }`, without words below three bytes,
/// stop words and doubles.
pub(crate) fn tokenize(intent: &str) -> Vec<String> {
    const MARKS: &str = ",.!?;:'\"()[]{}";
    let text = lower(intent);
    let mut seen = HashSet::new();
    text.split(|c: char| c.is_whitespace() || MARKS.contains(c))
        .filter(|word| word.len() >= 3 && !is_stop_word(word) && seen.insert(*word))
        .map(str::to_owned)
        .collect()
}

/// The places of the tools (name, description) that contain a keyword, best first: 2 points for each keyword in the name, 1 in the
/// description; where points are equal in the order given. At most `max_results` of them, where that is above 0.
pub(crate) fn score_by_keywords<'a>(tools: impl Iterator<Item = (&'a str, &'a str)>, keywords: &[String], max_results: i64) -> Vec<usize> {
    let mut seen = HashSet::new();
    let words: Vec<String> =
        keywords.iter().map(|keyword| lower(keyword.trim())).filter(|word| !word.is_empty() && seen.insert(word.clone())).collect();
    let mut hits = Vec::new();
    for (place, (name, description)) in tools.enumerate() {
        let (name, description) = (lower(name), lower(description));
        let points: u64 = words.iter().map(|word| 2 * u64::from(name.contains(word)) + u64::from(description.contains(word))).sum();
        if points >= MIN_KEYWORD_SCORE {
            hits.push((place, points));
        }
    }
    hits.sort_by_key(|(_, points)| Reverse(*points));
    if max_results > 0 {
        hits.truncate(usize::try_from(max_results).unwrap_or(usize::MAX));
    }
    hits.into_iter().map(|(place, _)| place).collect()
}

/// [`score_by_keywords`] with the words of a sentence.
pub(crate) fn score_by_intent<'a>(tools: impl Iterator<Item = (&'a str, &'a str)>, intent: &str, max_results: i64) -> Vec<usize> {
    score_by_keywords(tools, &tokenize(intent), max_results)
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    /// The request and the answer of each line; an answer of null is an empty list.
    fn cases(vectors: &str) -> Vec<(Value, Vec<String>)> {
        let case = |line: &str| {
            let mut case: Value = serde_json::from_str(line).unwrap();
            (case["in"].take(), texts(&case["out"]))
        };
        vectors.lines().map(case).collect()
    }

    fn texts(list: &Value) -> Vec<String> {
        list.as_array().into_iter().flatten().map(|text| text.as_str().unwrap().to_owned()).collect()
    }

    fn tools<'a>(request: &'a Value) -> Vec<(&'a str, &'a str)> {
        let text = |value: &'a Value| value.as_str().unwrap_or("");
        request["tools"].as_array().into_iter().flatten().map(|tool| (text(&tool["name"]), text(&tool["description"]))).collect()
    }

    fn named(tools: &[(&str, &str)], places: Vec<usize>) -> Vec<String> {
        places.into_iter().map(|place| tools[place].0.to_owned()).collect()
    }

    #[test]
    fn tokenize_agrees_with_the_model() {
        let cases = cases(include_str!("../tests/vectors/tokenize.jsonl"));
        assert_eq!(cases.len(), 60);
        for (request, expected) in cases {
            assert_eq!(tokenize(request["intent"].as_str().unwrap()), expected, "{request}");
        }
    }

    #[test]
    fn score_by_keywords_agrees_with_the_model() {
        let cases = cases(include_str!("../tests/vectors/score_by_keywords.jsonl"));
        assert_eq!(cases.len(), 120);
        for (request, expected) in cases {
            let tools = tools(&request);
            let places =
                score_by_keywords(tools.iter().copied(), &texts(&request["keywords"]), request["max_results"].as_i64().unwrap_or(0));
            assert_eq!(named(&tools, places), expected, "{request}");
        }
    }

    #[test]
    fn score_by_intent_agrees_with_the_model() {
        let cases = cases(include_str!("../tests/vectors/score_by_intent.jsonl"));
        assert_eq!(cases.len(), 60);
        for (request, expected) in cases {
            let tools = tools(&request);
            let places =
                score_by_intent(tools.iter().copied(), request["intent"].as_str().unwrap(), request["max_results"].as_i64().unwrap_or(0));
            assert_eq!(named(&tools, places), expected, "{request}");
        }
    }

    #[test]
    fn no_number_of_results_is_too_large_or_too_small() {
        let tools = [("a", "x"), ("b", "x"), ("x", "x")];
        for (max_results, expected) in [(i64::MIN, vec![2, 0, 1]), (0, vec![2, 0, 1]), (1, vec![2]), (i64::MAX, vec![2, 0, 1])] {
            assert_eq!(score_by_keywords(tools.into_iter(), &["X".to_owned(), " x ".to_owned()], max_results), expected);
        }
    }
}
