//! A selection as a person likes to read it.

use std::io::{self, Write};

use comfy_table::{Cell, CellAlignment, ColumnConstraint, ContentArrangement, Row, Table, Width, presets};
use toolbroker::{By, Explanation, Fate, Ranked, Ranking, Selection, TermHit, ToolFate, ToolId};

/// Columns to print within where the terminal does not say.
const WIDTH: u16 = 100;

/// Prints what was picked, and with `explain` what became of everything.
pub fn print(output: &mut impl Write, selection: &Selection, explain: bool) -> io::Result<()> {
    if selection.count() > 0 {
        writeln!(output, "{}\n", lines(&tools(selection)))?;
    }
    writeln!(output, "{}", summary(selection))?;
    let explanation = selection.explanation.as_ref().filter(|_| explain);
    let Some(explanation) = explanation else { return Ok(()) };
    if !explanation.tools.is_empty() {
        writeln!(output, "\nEvery tool\n{}", lines(&fates(explanation)))?;
    }
    if !explanation.rules.is_empty() {
        writeln!(output, "\nEvery rule\n{}", lines(&rules(explanation)))?;
    }
    Ok(())
}

/// Prints a ranking: the tools, and the words that each was found by.
pub fn print_ranking(output: &mut impl Write, ranking: &Ranking, total: usize) -> io::Result<()> {
    let total = grouped(total as u64);
    if ranking.tools.is_empty() {
        return writeln!(output, "None of {total} tools has anything of this.");
    }
    let name = |ranked: &Ranked| ranking.tool(ranked).id().to_string();
    let mut table = table(&["#", "tool", "score", "found by"]);
    for (at, ranked) in ranking.tools.iter().enumerate() {
        let row = vec![number(at + 1), Cell::new(name(ranked)), score(Some(ranked.score)), Cell::new(found_by(ranked))];
        table.add_row(one_high(row));
    }
    favour_names(&mut table, ranking.tools.iter().map(name), width() / 2);
    writeln!(output, "{}\n\n{} of {total} tools; language {}", lines(&table), ranking.tools.len(), ranking.language.code())
}

/// The words that say most first: `rain → weather 4.1`.
fn found_by(ranked: &Ranked) -> String {
    let mut hits: Vec<&TermHit> = ranked.terms.iter().flatten().collect();
    hits.sort_by(|a, b| b.score.total_cmp(&a.score));
    let text = |hit: &&TermHit| match hit.found {
        Some(found) => format!("{} → {found} {:.1}", hit.term, hit.score),
        None => format!("{} {:.1}", hit.term, hit.score),
    };
    hits.iter().map(text).collect::<Vec<_>>().join(", ")
}

/// A table without the spaces that fill its lines to the right.
fn lines(table: &Table) -> String {
    table.lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>().join("\n")
}

fn tools(selection: &Selection) -> Table {
    let short: Vec<_> = selection.summarized().collect();
    let has_short = !short.is_empty();
    let scores = scores(selection);
    let has_scores = scores.iter().any(Option::is_some);
    let mut head = vec!["#", "tool"];
    head.extend(has_scores.then_some("score"));
    head.push("tokens");
    head.extend(has_short.then_some("form"));
    head.push("what it does");
    let mut table = table(&head);
    for (at, tool) in selection.tools().enumerate() {
        let is_short = short.contains(&tool.id());
        let text = if is_short { tool.summarized_json() } else { tool.json() };
        let mut row = vec![number(at + 1), Cell::new(tool.id())];
        if has_scores {
            row.push(score(scores.get(at).copied().flatten()));
        }
        row.push(number(text.len() / 4));
        if has_short {
            row.push(Cell::new(if is_short { "short" } else { "" }));
        }
        row.push(Cell::new(first_sentence(tool.summarized_json())));
        table.add_row(one_high(row));
    }
    favour_names(&mut table, selection.tools().map(|tool| tool.id().to_string()), width() / 2);
    table
}

/// The score of each tool shown, in the order of the answer: the explanation has the tools in that order, among others.
fn scores(selection: &Selection) -> Vec<Option<f64>> {
    let fates = selection.explanation.iter().flat_map(|explanation| &explanation.tools);
    fates.filter(|tool| matches!(tool.fate, Fate::Shown | Fate::Summarized)).map(|tool| tool.score).collect()
}

/// How many tools, at what cost, for which intent, and what became of the others.
fn summary(selection: &Selection) -> String {
    if selection.total() == 0 {
        return "Nothing selected: no tool was read.".to_owned();
    }
    let mut parts = Vec::new();
    if !selection.intent.is_empty() {
        let found = selection.intents.iter().find(|intent| intent.name == selection.intent);
        let why = found.map(|found| format!(" ({:.2}: {})", found.confidence, found.keywords.join(", ")));
        parts.push(format!("intent {}{}", selection.intent, why.unwrap_or_default()));
    }
    let losses = [
        (selection.hidden, "hidden by rules"),
        (selection.cut.min_score, "below the least score"),
        (selection.cut.tokens, "cut by the budget"),
        (selection.cut.max_tools, "cut by their number"),
    ];
    parts.extend(losses.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{} {what}", grouped(*count as u64))));
    let total = grouped(selection.total() as u64);
    if selection.count() == 0 {
        let line = format!("Nothing selected of {total} tools: {}", parts.join("; "));
        // Without a rule that hides, the rationale speaks of all tools, which here are none.
        return if selection.hidden == 0 { line } else { format!("{line}\n{}", selection.rationale) };
    }
    parts.insert(0, format!("{} of {total} tools, {} tokens", grouped(selection.count() as u64), grouped(selection.tokens)));
    format!("{}\n{}", parts.join("; "), selection.rationale)
}

fn fates(explanation: &Explanation) -> Table {
    let has_scores = explanation.tools.iter().any(|tool| tool.score.is_some());
    let mut head = vec!["rank", "tool", "fate", "by", "tokens"];
    head.extend(has_scores.then_some("score"));
    let mut table = table(&head);
    for tool in &explanation.tools {
        let rank = tool.rank.map_or(Cell::new(""), number);
        let mut row = vec![rank, Cell::new(name(tool)), Cell::new(fate(tool)), Cell::new(by(tool)), number(tool.tokens as usize)];
        if has_scores {
            row.push(score(tool.score));
        }
        table.add_row(one_high(row));
    }
    // The numbers take 22 columns; a rule's name may be cut, the other reasons are short.
    let longest = |text: fn(&ToolFate) -> String| explanation.tools.iter().map(|tool| text(tool).chars().count()).max().unwrap_or(0) as u16;
    let others = 22 + longest(fate) + 2 + longest(by).min(18) + 2;
    favour_names(&mut table, explanation.tools.iter().map(name), width().saturating_sub(others).max(width() / 4));
    table
}

fn name(tool: &ToolFate) -> String {
    ToolId { server: tool.server.clone(), name: tool.name.clone() }.to_string()
}

fn fate(tool: &ToolFate) -> String {
    let fate = match tool.fate {
        Fate::Shown => "shown",
        Fate::Summarized => "short",
        Fate::Hidden => "hidden",
        Fate::Cut => "cut",
        Fate::Deferred => "deferred",
    };
    if tool.pinned { format!("{fate}, pinned") } else { fate.to_owned() }
}

/// What decided, in the words of the contract.
fn by(tool: &ToolFate) -> String {
    match (tool.by, &tool.rule) {
        (By::Rule, Some(rule)) => format!("rule: {rule}"),
        (By::Rule, None) => "a rule".to_owned(),
        (By::Whitelist, _) => "whitelist".to_owned(),
        (By::Default, _) => "default".to_owned(),
        (By::Pin, _) => "pin".to_owned(),
        (By::Core, _) => "core".to_owned(),
        (By::Own, _) => "own".to_owned(),
        (By::Wanted, _) => "wanted".to_owned(),
        (By::Called, _) => "called".to_owned(),
        (By::Rank, _) => "rank".to_owned(),
        (By::Kept, _) => "kept".to_owned(),
        (By::NewTools, _) => "new_tools".to_owned(),
        (By::Repack, _) => "repack".to_owned(),
        (By::MinScore, _) => "min_score".to_owned(),
        (By::Tokens, _) => "tokens".to_owned(),
        (By::MaxTools, _) => "max_tools".to_owned(),
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

/// Gives the second column, which has the names, the room that they need, up to `most`: a cut name may be that of several tools, a cut sentence still says much.
fn favour_names(table: &mut Table, names: impl Iterator<Item = String>, most: u16) {
    let longest = names.map(|name| name.chars().count()).max().unwrap_or(0);
    let least = u16::try_from(longest + 2).unwrap_or(u16::MAX).min(most);
    if let Some(column) = table.column_mut(1) {
        column.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(least)));
    }
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

fn score(score: Option<f64>) -> Cell {
    Cell::new(score.map_or(String::new(), |score| format!("{score:.3}"))).set_alignment(CellAlignment::Right)
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

/// A description's first sentence, as the short form of the tool has it.
fn first_sentence(summarized_json: &str) -> String {
    let tool: serde_json::Value = serde_json::from_str(summarized_json).unwrap_or_default();
    tool["description"].as_str().unwrap_or_default().chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
