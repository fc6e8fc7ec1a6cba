//! Words that say nothing about which tool is meant.

use std::sync::LazyLock;

/// The 45 words that the Go package's tokenizer drops.
static STOP_WORDS: LazyLock<Vec<&str>> = LazyLock::new(|| read(include_str!("stop_words.json")));

/// Further function words, what people write around any request, and pairs of characters that are only endings.
static REQUEST_WORDS: LazyLock<Vec<&str>> = LazyLock::new(|| read(include_str!("request_words.json")));

/// Whether the tokenizer drops a word.
pub(crate) fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.binary_search(&word).is_ok()
}

/// Whether a message's word says nothing about tools.
pub(super) fn is_empty_word(word: &str) -> bool {
    is_stop_word(word) || REQUEST_WORDS.binary_search(&word).is_ok()
}

/// Sorted, and no hash set: that keeps no pointer to the beginning of its memory, and a leak checker takes it for lost when the program ends.
fn read(list: &'static str) -> Vec<&'static str> {
    let mut words: Vec<&str> = serde_json::from_str(list).expect("a built-in list is well-formed");
    words.sort_unstable();
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tokenizer_drops_45_words() {
        assert_eq!(STOP_WORDS.len(), 45);
        assert!(is_stop_word("the") && !is_stop_word("please"));
    }

    #[test]
    fn words_of_requests_are_empty_and_words_of_tools_are_not() {
        for word in ["the", "please", "help", "want", "くだ"] {
            assert!(is_empty_word(word), "{word}");
        }
        for word in ["list", "search", "create", "file", "find", "read", "show", "条例"] {
            assert!(!is_empty_word(word), "{word}");
        }
    }
}
