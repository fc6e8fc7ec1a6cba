//! Tools that a message means in other words, even in another language: an embedder turns texts into vectors, and what points the same way fits.
//! The argument is the folder of the data.

use std::error::Error;

use toolbroker::{Broker, CallContext, Embedder, Options, RankRequest};

/// Stands in for a model of sentence vectors, which a client has of its own: each meaning is a direction, and some words point there.
const MEANINGS: [&[&str]; 3] = [&["calendar", "event", "meeting", "termin"], &["note", "notiz"], &["build", "release", "fassung"]];

struct Model;

impl Embedder for Model {
    fn embed(&self, _: CallContext, texts: &[&str]) -> toolbroker::Result<Vec<Vec<f32>>> {
        let vector = |text: &&str| {
            let text = text.to_lowercase();
            MEANINGS.iter().map(|words| words.iter().filter(|word| text.contains(**word)).count() as f32).collect()
        };
        Ok(texts.iter().map(vector).collect())
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).unwrap_or("examples/data".to_owned());
    let broker = Broker::builder(Options::standard()).embedder(Model).build();
    for server in ["notes", "calendar", "depot"] {
        broker.add_tools(server, &std::fs::read_to_string(format!("{folder}/tools/{server}.json"))?)?;
    }
    println!("{} tools have a vector", broker.embed_tools(CallContext::default())?);

    for message in ["Welche Termine habe ich morgen?", "Schreib mir eine Notiz", "Welche Fassung ist die letzte?"] {
        let ranking = broker.rank(&RankRequest { top: 3, ..RankRequest::for_message(message) })?;
        let names: Vec<&str> = ranking.tools.iter().map(|ranked| ranking.tool(ranked).id().name.as_str()).collect();
        println!("{message}\n  {}", names.join(", "));
    }
    Ok(())
}
