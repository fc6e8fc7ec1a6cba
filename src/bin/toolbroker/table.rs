//! A selection as a person likes to read it.

use std::io::{self, Write};

use comfy_table::{Cell, CellAlignment, ContentArrangement, Row, Table, presets};
use toolbroker::{By, Explanation, Fate, Selection, ToolFate};

/// Columns to print within where the terminal does not say.
const WIDTH: u16 = 100;

pub fn print(output: &mut impl Write, selection: &Selection) -> io::Result<()> {
    if selection.count() > 0 {
        writeln!(output, "{}\n", tools(selection))?;
    }
    writeln!(output, "{}", summary(selection))?;
    for warning in &selection.warnings {
        writeln!(output, "warning: {}", warning.message)?;
    }
    if let Some(explanation) = &selection.explanation {
        writeln!(output, "\nEvery tool\n{}", fates(explanation))?;
        if !explanation.rules.is_empty() {
            writeln!(output, "\nEvery rule\n{}", rules(explanation))?;
        }
    }
    Ok(())
}

fn tools(selection: &Selection) -> Table {
    let short: Vec<_> = selection.summarized().collect();
    let has_short = !short.is_empty();
    let mut head = vec!["#", "tool", "tokens"];
    head.extend(has_short.then_some("form"));
    head.push("what it does");
    let mut table = table(&head);
    for (at, tool) in selection.tools().enumerate() {
        let is_short = short.contains(&tool.id());
        let text = if is_short { tool.summarized_json() } else { tool.json() };
        let mut row = vec![number(at + 1), Cell::new(tool.id()), number(text.len() / 4)];
        if has_short {
            row.push(Cell::new(if is_short { "short" } else { "" }));
        }
        row.push(Cell::new(if is_short { short_description(text) } else { one_line(tool.description()) }));
        table.add_row(one_high(row));
    }
    table
}

/// How many tools, at what cost, for which intent, and what became of the others.
fn summary(selection: &Selection) -> String {
    let mut line = format!("{} of {} tools, {} tokens", selection.count(), selection.total(), grouped(selection.tokens));
    if !selection.intent.is_empty() {
        line.push_str(&format!("; intent {}", selection.intent));
        let found = selection.intents.iter().find(|intent| intent.name == selection.intent);
        if let Some(found) = found {
            line.push_str(&format!(" ({:.2}: {})", found.confidence, found.keywords.join(", ")));
        }
    }
    let cuts = [(selection.hidden, "hidden by rules"), (selection.cut.min_score, "below the least score")];
    let limits = [(selection.cut.tokens, "cut by the budget"), (selection.cut.max_tools, "cut by their number")];
    for (count, what) in cuts.into_iter().chain(limits) {
        if count > 0 {
            line.push_str(&format!("; {count} {what}"));
        }
    }
    format!("{line}\n{}", selection.rationale)
}

fn fates(explanation: &Explanation) -> Table {
    let has_scores = explanation.tools.iter().any(|tool| tool.score.is_some());
    let mut head = vec!["rank", "tool", "fate", "because of", "tokens"];
    head.extend(has_scores.then_some("score"));
    let mut table = table(&head);
    for tool in &explanation.tools {
        let name = if tool.server.is_empty() { tool.name.clone() } else { format!("{}/{}", tool.server, tool.name) };
        let rank = tool.rank.map_or(Cell::new(""), number);
        let mut row = vec![rank, Cell::new(name), Cell::new(fate(tool)), Cell::new(because(tool)), number(tool.tokens as usize)];
        if has_scores {
            let score = tool.score.map_or(String::new(), |score| format!("{score:.3}"));
            row.push(Cell::new(score).set_alignment(CellAlignment::Right));
        }
        table.add_row(one_high(row));
    }
    table
}

fn fate(tool: &ToolFate) -> String {
    let fate = match tool.fate {
        Fate::Shown => "shown",
        Fate::Summarized => "short",
        Fate::Hidden => "hidden",
        Fate::Cut => "cut",
    };
    if tool.pinned { format!("{fate}, pinned") } else { fate.to_owned() }
}

fn because(tool: &ToolFate) -> String {
    match (tool.by, &tool.rule) {
        (By::Rule, Some(rule)) => format!("rule {rule}"),
        (By::Rule, None) => "a rule".to_owned(),
        (By::Whitelist, _) => "no include names it".to_owned(),
        (By::Default, _) => "nothing against it".to_owned(),
        (By::Pin, _) => "a pin".to_owned(),
        (By::MinScore, _) => "the least score".to_owned(),
        (By::Tokens, _) => "the budget".to_owned(),
        (By::MaxTools, _) => "the number of tools".to_owned(),
    }
}

fn rules(explanation: &Explanation) -> Table {
    let mut table = table(&["rule", "action", "applies", "matches", "decided"]);
    for rule in &explanation.rules {
        let matched =
            if rule.matched == 0 { Cell::new("none!").set_alignment(CellAlignment::Right) } else { number(rule.matched as usize) };
        let applies = if rule.applies { "yes" } else { "no" };
        let row = vec![Cell::new(&rule.name), Cell::new(&rule.action), Cell::new(applies), matched, number(rule.decided as usize)];
        table.add_row(one_high(row));
    }
    table
}

fn table(head: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic).set_width(width());
    table.set_header(head.iter().map(Cell::new));
    table.set_truncation_indicator("…");
    table
}

/// A row of one line: what does not fit ends with the mark of truncation.
fn one_high(cells: Vec<Cell>) -> Row {
    let mut row = Row::from(cells);
    row.max_height(1);
    row
}

/// The terminal's columns, as shells tell them.
fn width() -> u16 {
    std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok()).filter(|columns| *columns >= 40).unwrap_or(WIDTH)
}

fn number(value: usize) -> Cell {
    Cell::new(grouped(value as u64)).set_alignment(CellAlignment::Right)
}

/// Thousands apart.
fn grouped(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// What the model gets to read of a tool in short form.
fn short_description(json: &str) -> String {
    let tool: serde_json::Value = serde_json::from_str(json).unwrap_or_default();
    one_line(tool["description"].as_str().unwrap_or_default())
}

/// A description's first line.
fn one_line(description: &str) -> String {
    let line = description.trim_start().lines().next().unwrap_or_default();
    line.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
