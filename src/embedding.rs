//! Vectors of texts, made by the host's own model: asked for, checked and kept.

use crate::error::{Code, Error, Result};
use crate::limits;
use crate::overrides::CallContext;
use crate::tool::Tool;

/// Turns texts into vectors. It is called on the thread of the call, while no lock is held.
pub trait Embedder: Send + Sync {
    /// A vector for each text, in the order given, all of one length.
    ///
    /// # Errors
    /// Whatever went wrong; tools are then ranked by words alone, and the answer says so. `stopped` ends the call.
    fn embed(&self, context: CallContext, texts: &[&str]) -> Result<Vec<Vec<f32>>>;
}

/// Makes the vectors that these tools do not have yet; answers how many.
///
/// # Errors
/// The embedder's, and `callback` for an answer that does not fit. What was made before is kept.
pub(crate) fn embed_tools(tools: &[&Tool], embedder: &dyn Embedder, context: CallContext) -> Result<usize> {
    let mut dimension = tools.iter().find_map(|tool| tool.vector()).map(<[f32]>::len);
    let missing: Vec<&Tool> = tools.iter().copied().filter(|tool| tool.vector().is_none()).collect();
    for batch in missing.chunks(limits::EMBEDDING_BATCH) {
        let texts: Vec<String> = batch.iter().map(|tool| tool.embedding_text()).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        for (tool, vector) in batch.iter().zip(embed(embedder, context, &texts, &mut dimension)?) {
            tool.keep_vector(vector);
        }
    }
    Ok(missing.len())
}

/// The vector of a message, one long as those of the tools, which are made first where they are missing.
///
/// # Errors
/// As [`embed_tools`].
pub(crate) fn embed_message(tools: &[&Tool], text: &str, embedder: &dyn Embedder, context: CallContext) -> Result<Vec<f32>> {
    embed_tools(tools, embedder, context)?;
    let mut dimension = tools.iter().find_map(|tool| tool.vector()).map(<[f32]>::len);
    Ok(embed(embedder, context, &[text], &mut dimension)?.remove(0))
}

/// How near each tool is to a message by its vector: the cosine, from -1 to 1; 0 where the vectors are of another length.
pub(crate) fn similarities(tools: &[&Tool], message: &[f32]) -> Vec<f32> {
    let near = |vector: &[f32]| if vector.len() == message.len() { dot(vector, message) } else { 0.0 };
    tools.iter().map(|tool| tool.vector().map_or(0.0, near)).collect()
}

/// Asks for vectors, checks them, and makes each one long.
fn embed(embedder: &dyn Embedder, context: CallContext, texts: &[&str], dimension: &mut Option<usize>) -> Result<Vec<Vec<f32>>> {
    let bad = |message: String| Error::new(Code::Callback, format!("the embedder's answer: {message}"));
    let mut vectors = embedder.embed(context, texts)?;
    if vectors.len() != texts.len() {
        return Err(bad(format!("{} vectors for {} texts", vectors.len(), texts.len())));
    }
    for vector in &mut vectors {
        let expected = *dimension.get_or_insert(vector.len());
        if vector.len() != expected {
            return Err(bad(format!("a vector of {} values after one of {expected}", vector.len())));
        }
        if vector.is_empty() || vector.len() > limits::VECTOR_VALUES {
            return Err(bad(format!("a vector of {} values; from 1 to {} are taken", vector.len(), limits::VECTOR_VALUES)));
        }
        if vector.iter().any(|value| !value.is_finite()) {
            return Err(bad("a value that is no finite number".to_owned()));
        }
        // Divided by the largest value first: squares of large values are no finite numbers.
        let largest = vector.iter().fold(0.0f32, |largest, value| largest.max(value.abs()));
        if largest > 0.0 {
            vector.iter_mut().for_each(|value| *value /= largest);
            let length = dot(vector, vector).sqrt();
            vector.iter_mut().for_each(|value| *value /= length);
        }
    }
    Ok(vectors)
}

/// In eight sums, in a fixed order: the same on every platform, and as fast as it can be.
fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0f32; 8];
    let (a8, b8) = (a.chunks_exact(8), b.chunks_exact(8));
    let rest: f32 = a8.remainder().iter().zip(b8.remainder()).map(|(a, b)| a * b).sum();
    for (a, b) in a8.zip(b8) {
        for at in 0..8 {
            sums[at] += a[at] * b[at];
        }
    }
    sums.iter().sum::<f32>() + rest
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;
    use crate::{Broker, Options, RankRequest};

    /// A vector by the first letter of a text: what begins alike is alike.
    struct Letters {
        asked: Arc<Mutex<Vec<usize>>>,
        answer: fn(&str) -> Vec<f32>,
    }

    impl Embedder for Letters {
        fn embed(&self, _: CallContext, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
            self.asked.lock().unwrap().push(texts.len());
            Ok(texts.iter().map(|text| (self.answer)(text)).collect())
        }
    }

    fn letters(text: &str) -> Vec<f32> {
        let mut vector = vec![0.0; 26];
        text.bytes().take(1).for_each(|b| vector[usize::from(b.to_ascii_lowercase() - b'a') % 26] = 3.0);
        vector
    }

    fn broker(answer: fn(&str) -> Vec<f32>) -> (Broker, Arc<Mutex<Vec<usize>>>) {
        let asked = Arc::new(Mutex::new(Vec::new()));
        let broker = Broker::builder(Options::standard()).embedder(Letters { asked: asked.clone(), answer }).build();
        broker.add_tools("s", r#"[{"name":"apple"},{"name":"banana","description":"Yellow."},{"name":"cherry"}]"#).unwrap();
        (broker, asked)
    }

    fn names(broker: &Broker, message: &str) -> (Vec<String>, usize) {
        let ranking = broker.rank(&RankRequest::for_message(message)).unwrap();
        (ranking.tools.iter().map(|ranked| ranking.tool(ranked).id().name.clone()).collect(), ranking.warnings.len())
    }

    #[test]
    fn what_no_word_finds_is_found_by_vectors() {
        let (broker, _) = broker(letters);
        assert_eq!(names(&broker, "boat"), (vec!["banana".to_owned()], 0));
        let plain = Broker::new(Options::standard());
        plain.add_tools("s", r#"[{"name":"banana"}]"#).unwrap();
        assert_eq!(names(&plain, "boat").0.len(), 0);
    }

    #[test]
    fn a_tool_is_embedded_once_and_again_when_its_text_changes() {
        let (broker, asked) = broker(letters);
        names(&broker, "x");
        names(&broker, "y");
        assert_eq!(*asked.lock().unwrap(), [3, 1, 1]);
        broker
            .replace_tools("s", r#"[{"name":"apple","inputSchema":{"type":"object"}},{"name":"banana","description":"Green."}]"#)
            .unwrap();
        names(&broker, "z");
        assert_eq!(asked.lock().unwrap()[3..], [1, 1]);
    }

    #[test]
    fn tools_are_embedded_ahead_in_batches() {
        let (broker, asked) = broker(letters);
        let many: Vec<String> = (0..200).map(|n| format!(r#"{{"name":"t{n}"}}"#)).collect();
        broker.add_tools("s", &format!("[{}]", many.join(","))).unwrap();
        assert_eq!(broker.embed_tools(None).unwrap(), 203);
        assert_eq!(broker.embed_tools(None).unwrap(), 0);
        assert_eq!(*asked.lock().unwrap(), [64, 64, 64, 11]);
    }

    #[test]
    fn a_bad_answer_leaves_the_words_and_is_said() {
        let bad: [fn(&str) -> Vec<f32>; 4] = [|_| vec![], |_| vec![f32::NAN], |text| vec![1.0; text.len()], |_| vec![f32::INFINITY; 4]];
        for answer in bad {
            let (broker, _) = broker(answer);
            assert_eq!(names(&broker, "apple"), (vec!["apple".to_owned()], 1));
            assert_eq!(broker.embed_tools(None).unwrap_err().code, Code::Callback);
        }
    }

    #[test]
    fn vectors_of_any_size_are_made_one_long() {
        for vector in [vec![0.0, 0.0], vec![f32::MAX, f32::MAX], vec![f32::MIN_POSITIVE, 0.0], vec![1e-30, 1e30]] {
            struct Fixed(Vec<f32>);
            impl Embedder for Fixed {
                fn embed(&self, _: CallContext, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
                    Ok(vec![self.0.clone(); texts.len()])
                }
            }
            let made = embed(&Fixed(vector.clone()), None, &["x"], &mut None).unwrap().remove(0);
            let length = dot(&made, &made);
            assert!(length == 0.0 && vector[0] == 0.0 || (length - 1.0).abs() < 1e-5, "{vector:?} {length}");
        }
    }
}
