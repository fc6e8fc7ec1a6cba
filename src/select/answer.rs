//! A selection as JSON.

use std::borrow::Cow;

use super::Selection;
use crate::json::{push_entry, push_text_entry, to_json};
use crate::options::AnswerKeys;

const OPENING: &str = "{\"tools\":";

impl Selection {
    /// The answer as JSON; its keys are those of `docs/contract.md`, or the replaced package's six.
    pub fn to_json(&self) -> String {
        let tools: Vec<Cow<str>> = self.chosen.iter().map(|chosen| self.text(chosen)).collect();
        let tools_len: usize = tools.iter().map(|text| text.len() + 1).sum();
        let rest = self.keys_behind_tools();
        // One byte more than the text: C gets a NUL behind it, for which a long text would otherwise move.
        let mut out = String::with_capacity(OPENING.len() + "null".len().max(1 + tools_len) + rest.len() + 1);
        out.push_str(OPENING);
        if tools.is_empty() && self.answer == AnswerKeys::Go {
            out.push_str("null");
        } else {
            out.push('[');
            for (at, text) in tools.into_iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                out.push_str(&text);
            }
            out.push(']');
        }
        out.push_str(&rest);
        out
    }

    /// From the comma behind the tools to the brace that closes the answer.
    fn keys_behind_tools(&self) -> String {
        let mut out = String::new();
        push_entry(&mut out, "count", &self.count().to_string());
        push_entry(&mut out, "total", &self.total().to_string());
        push_text_entry(&mut out, "intent", &self.intent);
        if self.answer == AnswerKeys::Full {
            push_entry(&mut out, "intents", &to_json(&self.intents));
        }
        push_text_entry(&mut out, "rationale", &self.rationale);
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
            push_text_entry(&mut out, "override_block", &self.override_block);
        }
        if let Some(explanation) = &self.explanation {
            push_entry(&mut out, "explanation", &to_json(explanation));
        }
        out.push('}');
        out
    }

    fn text(&self, chosen: &super::Chosen) -> Cow<'_, str> {
        let tool = &self.snapshot.tools[chosen.tool as usize];
        match (self.as_indices, chosen.summarized) {
            (true, _) => chosen.tool.to_string().into(),
            (false, true) => tool.summarized_json().into(),
            (false, false) => tool.json().into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Broker, Options, SelectRequest};

    #[test]
    fn an_answer_has_room_for_the_nul_of_c_and_no_more() {
        let broker = Broker::new(Options::standard());
        for tools in ["[]", r#"[{"name":"a"},{"name":"b"}]"#] {
            broker.add_tools("s", tools).unwrap();
            let answer = broker.select(&SelectRequest::default()).unwrap().to_json();
            assert!(answer.capacity() > answer.len());
            assert!(answer.capacity() <= answer.len() + 3, "{} for {answer}", answer.capacity());
        }
    }
}
