//! The calls in this process, with an enricher that knows what it is given, or the embedder of a worked case.

use serde_json::Value;
use toolbroker::{Broker, CallContext, Code, Embedder, Enricher, Error, Hints, Options, ToolId};

use super::case_embedder::CaseEmbedder;
use super::ops::{Calls, Making};

/// A broker of this process.
pub struct Local(Broker);

/// An enricher that answers from a table, or fails with a text.
struct Known(Making);

impl Enricher for Known {
    fn lookup(&self, _: CallContext, tools: &[ToolId]) -> Result<Vec<Option<Hints>>, Error> {
        if !self.0.hints_error.is_empty() {
            return Err(Error::new(Code::Callback, &self.0.hints_error));
        }
        let known = |id: &ToolId| self.0.hints.as_ref()?.get(&id.to_string()).filter(|hints| hints.is_object());
        Ok(tools.iter().map(|id| known(id).map(hints)).collect())
    }
}

impl Embedder for CaseEmbedder {
    fn embed(&self, _: CallContext, texts: &[&str]) -> Result<Vec<Vec<f32>>, Error> {
        self.embed(texts).map_err(|message| Error::new(Code::Callback, message))
    }
}

fn hints(value: &Value) -> Hints {
    let texts = |key: &str| {
        let items = value[key].as_array().into_iter().flatten();
        items.map(|text| text.as_str().unwrap_or_default().to_owned()).collect()
    };
    Hints {
        preconditions: texts("preconditions"),
        anti_patterns: texts("anti_patterns"),
        chains_with: texts("chains_with"),
        output_shape: value["output_shape"].as_str().unwrap_or_default().to_owned(),
    }
}

/// Makes a broker of this process.
pub fn make(mut making: Making) -> Result<Box<dyn Calls>, String> {
    let options = Options::from_json(&making.options).map_err(|error| error.to_json())?;
    let builder = Broker::builder(options);
    let builder = match making.embedder.take() {
        Some(embedder) => builder.embedder(embedder),
        None => builder,
    };
    let builder = if making.hints.is_some() { builder.enricher(Known(making)) } else { builder };
    Ok(Box::new(Local(builder.build())))
}

impl Calls for Local {
    fn call(&self, name: &str, request: &str) -> Result<String, String> {
        let answer = match name {
            "read_rules" | "read_hints" | "default_rules" | "info" => toolbroker::call(name, request),
            _ => self.0.call(name, request, None),
        };
        answer.map_err(|error| error.to_json())
    }
}
