//! The replaced package's stop words.

use std::sync::LazyLock;

/// The 45 words that the Go package's tokenizer drops.
static STOP_WORDS: LazyLock<Vec<&str>> = LazyLock::new(|| read(include_str!("stop_words.json")));

/// Whether the tokenizer drops a word.
pub(crate) fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.binary_search(&word).is_ok()
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
}
