//! Loads three servers' tools and a rule file, and shows what the model sees for some messages within a budget.
//! The argument is the folder of the data.

use std::error::Error;

use toolbroker::{Broker, Budget, Options, SelectRequest};

const MESSAGES: [&str; 3] = [
    "Find my note on the garden and add that the roses need water",
    "Move the meeting with Ada to a time when we are all free",
    "Publish release 2.1 once its build is done",
];

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).unwrap_or("examples/data".to_owned());
    let broker = Broker::new(Options::standard());
    for server in ["notes", "calendar", "depot"] {
        broker.add_tools(server, &std::fs::read_to_string(format!("{folder}/tools/{server}.json"))?)?;
    }
    broker.load_rules_from_file(&format!("{folder}/rules.yaml"))?;

    for message in MESSAGES {
        let budget = Budget { tokens: Some(600), max_tools: Some(5) };
        let selection = broker.select(&SelectRequest { budget, ..SelectRequest::for_message(message) })?;
        println!("{message}");
        for tool in selection.tools() {
            println!("  {}", tool.id());
        }
        println!("  {} of {} tools, {} tokens; {}\n", selection.count(), selection.total(), selection.tokens, selection.rationale);
    }
    Ok(())
}
