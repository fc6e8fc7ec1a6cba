//! A selection as JSON.

use super::Selection;
use crate::json::{push_entry, push_string};
use crate::options::AnswerKeys;

impl Selection {
    /// The answer as JSON; its keys are those of `docs/contract.md`, or the replaced package's six.
    pub fn to_json(&self) -> String {
        let texts = || self.chosen.iter().map(|chosen| self.text(chosen));
        let mut out = String::with_capacity(texts().map(|text| text.len() + 1).sum::<usize>() + 512);
        out.push_str("{\"tools\":");
        if self.chosen.is_empty() && self.answer == AnswerKeys::Go {
            out.push_str("null");
        } else {
            out.push('[');
            for (at, text) in texts().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                out.push_str(text);
            }
            out.push(']');
        }
        push_entry(&mut out, "count", &self.count().to_string());
        push_entry(&mut out, "total", &self.total().to_string());
        push_text(&mut out, "intent", &self.intent);
        if self.answer == AnswerKeys::Full {
            push_entry(&mut out, "intents", &to_json(&self.intents));
        }
        push_text(&mut out, "rationale", &self.rationale);
        if self.answer == AnswerKeys::Full {
            push_entry(&mut out, "tokens", &self.tokens.to_string());
            push_entry(&mut out, "hidden", &self.hidden.to_string());
            push_entry(&mut out, "cut", &to_json(&self.cut));
            let summarized: Vec<_> = self.summarized().collect();
            if !summarized.is_empty() {
                push_entry(&mut out, "summarized", &to_json(&summarized));
            }
            if !self.warnings.is_empty() {
                push_entry(&mut out, "warnings", &to_json(&self.warnings));
            }
        }
        if !self.override_block.is_empty() {
            push_text(&mut out, "override_block", &self.override_block);
        }
        if let Some(explanation) = &self.explanation {
            push_entry(&mut out, "explanation", &to_json(explanation));
        }
        out.push('}');
        out
    }

    fn text(&self, chosen: &super::Chosen) -> &str {
        let tool = &self.snapshot.tools[chosen.tool as usize];
        if chosen.summarized { tool.summarized_json() } else { tool.json() }
    }
}

fn push_text(out: &mut String, key: &str, text: &str) {
    push_entry(out, key, "");
    push_string(out, text);
}

fn to_json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("answers are plain data")
}
