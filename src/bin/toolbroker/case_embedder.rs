//! An embedder that a worked case describes, so that every language ranks by the same vectors and none needs a model.

use serde::Deserialize;

/// A text's vector is the sum of what the entries that fit it add.
#[derive(Deserialize, Clone)]
pub struct CaseEmbedder(Vec<Entry>);

/// What is so for a text that holds another; the empty text is in every one.
#[derive(Deserialize, Clone)]
#[serde(deny_unknown_fields)]
struct Entry {
    if_text_has: String,
    /// The vector gets as long as the longest that is added; without any it has no values.
    #[serde(default)]
    add: Vec<f64>,
    /// The call fails with this message.
    fails: Option<String>,
    /// So many vectors are given for the text, which should get one.
    vectors: Option<usize>,
}

impl CaseEmbedder {
    /// What the embedder answers, whether it fits or not.
    pub fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, String> {
        let mut vectors = Vec::new();
        for text in texts {
            let (mut vector, mut times) = (Vec::new(), 1);
            for entry in self.0.iter().filter(|entry| text.contains(&entry.if_text_has)) {
                if let Some(message) = &entry.fails {
                    return Err(message.clone());
                }
                vector.resize(entry.add.len().max(vector.len()), 0.0);
                vector.iter_mut().zip(&entry.add).for_each(|(sum, value)| *sum += *value as f32);
                times = entry.vectors.unwrap_or(times);
            }
            vectors.extend(vec![vector; times]);
        }
        Ok(vectors)
    }
}
