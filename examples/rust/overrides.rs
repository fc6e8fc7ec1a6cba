//! Guidance on the selected tools for the system prompt: an enricher looks it up, the library writes the block.
//! The argument is the folder of the data.

use std::error::Error;

use serde_json::Value;
use toolbroker::{Broker, Budget, CallContext, Enricher, Hints, Options, SelectRequest, ToolId};

/// `hints.json`: `{"server/name": {…}}`.
struct Known(Value);

impl Enricher for Known {
    fn lookup(&self, _: CallContext, tools: &[ToolId]) -> toolbroker::Result<Vec<Option<Hints>>> {
        Ok(tools.iter().map(|id| self.0.get(id.to_string()).map(hints)).collect())
    }
}

fn hints(value: &Value) -> Hints {
    let texts = |key: &str| value[key].as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect();
    Hints {
        preconditions: texts("preconditions"),
        anti_patterns: texts("anti_patterns"),
        chains_with: texts("chains_with"),
        output_shape: value["output_shape"].as_str().unwrap_or_default().to_owned(),
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).unwrap_or("examples/data".to_owned());
    let known = serde_json::from_str(&std::fs::read_to_string(format!("{folder}/hints.json"))?)?;
    let broker = Broker::builder(Options::standard()).enricher(Known(known)).build();
    for server in ["notes", "calendar", "depot"] {
        broker.add_tools(server, &std::fs::read_to_string(format!("{folder}/tools/{server}.json"))?)?;
    }

    let budget = Budget { max_tools: Some(4), ..Budget::default() };
    let request = SelectRequest { budget, ..SelectRequest::for_message("search my notes on the build and append its log") };
    print!("of the selection\n{}", broker.select(&request)?.override_block);

    let id = |server: &str, name: &str| ToolId { server: server.to_owned(), name: name.to_owned() };
    let tools = [id("notes", "notes_search"), id("notes", "notes_read"), id("depot", "build_start")];
    print!("\nof three tools by name\n{}", broker.overrides(&tools, None)?);
    Ok(())
}
