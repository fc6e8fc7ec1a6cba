//! The first sentence of a description.

use unicode_segmentation::UnicodeSegmentation;

/// A description up to the end of its first sentence or line, by the sentence rules of Unicode (UAX #29).
pub(crate) fn first_sentence(description: &str) -> &str {
    let line = description.trim_start().lines().next().unwrap_or("");
    // The rules look ahead from every mark, which takes quadratic time in a line of marks. No sentence that ends is that long.
    let head = &line[..line.char_indices().nth(LONGEST_SENTENCE).map_or(line.len(), |(at, _)| at)];
    let sentence = head.split_sentence_bounds().next().unwrap_or("");
    if sentence.len() == head.len() { line.trim_end() } else { sentence.trim_end() }
}

/// Characters within which a first sentence ends, or else the line is the sentence.
const LONGEST_SENTENCE: usize = 1_000;
