//! Picks tools by rules that stand in the program. A client that holds its tools in a list of its own asks for their places.

use toolbroker::{Broker, Options, Result, RuleFormat, SelectRequest};

const NAMES: [&str; 5] = ["build_start", "build_status", "build_cancel", "docs_search", "docs_delete"];

const TOOLS: &str = r#"[
    {"name": "build_start", "description": "Starts a build."},
    {"name": "build_status", "description": "Tells how far a build is.", "annotations": {"readOnlyHint": true}},
    {"name": "build_cancel", "description": "Ends a build before it is done."},
    {"name": "docs_search", "description": "Finds pages of the manual.", "annotations": {"readOnlyHint": true}},
    {"name": "docs_delete", "description": "Deletes a page of the manual."}
]"#;

/// Builds are hidden until someone asks for one; what deletes is never shown.
const RULES: &str = r#"{"rules": [
    {"name": "no builds", "match": {"patterns": ["build_*"]}, "action": {"type": "exclude"}},
    {"name": "builds when asked", "intent": "run-build", "match": {"patterns": ["build_*"]}, "action": {"type": "allow"}, "priority": 10},
    {"name": "nothing deletes", "match": {"patterns": ["*_delete"]}, "action": {"type": "exclude"}, "priority": 100}
]}"#;

fn pick(broker: &Broker, message: &str) -> Result<()> {
    println!("{message}");
    for place in broker.select(&SelectRequest::for_message(message))?.indices() {
        println!("  {}", NAMES[place]);
    }
    Ok(())
}

fn main() -> Result<()> {
    let broker = Broker::new(Options::standard());
    broker.add_tools("depot", TOOLS)?;
    broker.load_rules_from_text(RULES, RuleFormat::Json)?;

    pick(&broker, "How do I write a table in the manual?")?;
    pick(&broker, "Run build 7 again")
}
