//! All tools, live: a change makes a new immutable [`Snapshot`], readers keep the one they have.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, OnceLock};

use crate::error::{Code, Error};
use crate::intent::IntentTable;
use crate::limits;
use crate::options::{Identity, Options};
use crate::pins::{StandingPins, StandingPlaces};
use crate::rank::{Index, Weights};
use crate::rules::{Kind, RuleSet};
use crate::tool::{Incoming, Refusal, Tool, ToolId};

/// One state of everything that a selection looks at.
#[derive(Clone)]
pub(crate) struct Snapshot {
    /// In the order of registration.
    pub tools: Vec<Arc<Tool>>,
    /// Places in `tools` by (server, name) in byte order, equal ones as registered.
    pub by_id: Vec<u32>,
    /// The same by name, then server.
    by_name: Vec<u32>,
    pub rules: Arc<RuleSet>,
    pub intents: Arc<IntentTable>,
    /// For each tool the set of rules that match it, `rules.row_words()` words each.
    rows: Vec<u64>,
    /// For each rule the number of tools it matches.
    pub matched: Vec<u32>,
    pub pins: Arc<StandingPins>,
    /// Which tools these are.
    pub pinned: StandingPlaces,
    /// What messages are compared with; the same for states with the same tools.
    index: Arc<OnceLock<Index>>,
}

/// What a change of the registry did.
#[derive(Debug, Default)]
pub struct Report {
    /// Tools that are new.
    pub added: Vec<ToolId>,
    /// Tools that took the place of one with the same server and name.
    pub replaced: Vec<ToolId>,
    /// Tools that are gone.
    pub removed: Vec<ToolId>,
    /// Tools that were not taken, and why.
    pub refused: Vec<Refusal>,
    /// What the host should know beside that.
    pub warnings: Vec<ReportWarning>,
    /// How many tools are registered now.
    pub total: usize,
}

/// Something that the host should know of a tool that was taken, or of the list that it came in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportWarning {
    /// A stable word for the kind.
    pub code: &'static str,
    /// The tool; without a name where the whole list is meant.
    pub id: ToolId,
    /// One line.
    pub message: String,
}

impl fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "Snapshot({} tools, {} rules)", self.tools.len(), self.rules.rules.len())
    }
}

impl Snapshot {
    pub fn empty(intents: Arc<IntentTable>, options: &Options) -> Self {
        let rules = Arc::new(RuleSet::new(Vec::new(), options));
        Snapshot {
            tools: Vec::new(),
            by_id: Vec::new(),
            by_name: Vec::new(),
            rules,
            intents,
            rows: Vec::new(),
            matched: Vec::new(),
            pins: Arc::default(),
            pinned: StandingPlaces::default(),
            index: Arc::default(),
        }
    }

    /// What messages are compared with: the tools in the order of [`Snapshot::by_id`], so that the order of registration never shows in a score.
    /// Where tools are ranked a change makes it, so that no reader has to.
    pub fn index(&self, weights: &Weights) -> &Index {
        self.index.get_or_init(|| {
            let tools = self.tools_by_id();
            let terms: Vec<_> = tools.iter().map(|tool| tool.terms()).collect();
            Index::new(&terms, |tool| &tools[tool].id.server, *weights)
        })
    }

    /// The same state, its tools not yet made ready to be compared.
    pub fn without_index(&self) -> Self {
        Snapshot { index: Arc::default(), ..self.clone() }
    }

    /// The tools in the order of [`Snapshot::by_id`].
    pub fn tools_by_id(&self) -> Vec<&Tool> {
        self.by_id.iter().map(|place| &*self.tools[*place as usize]).collect()
    }

    /// The place of each tool in [`Snapshot::by_id`].
    pub fn places_by_id(&self) -> Vec<u32> {
        let mut places = vec![0; self.tools.len()];
        for (place, tool) in self.by_id.iter().enumerate() {
            places[*tool as usize] = place as u32;
        }
        places
    }

    /// The rules that match a tool.
    pub fn row(&self, tool: usize) -> &[u64] {
        let words = self.rules.row_words();
        &self.rows[tool * words..(tool + 1) * words]
    }

    /// The tools with exactly this server and name: places, in the order of registration.
    pub fn find(&self, server: &str, name: &str) -> &[u32] {
        let key = |place: &u32| {
            let id = &self.tools[*place as usize].id;
            (id.server.as_str(), id.name.as_str())
        };
        let start = self.by_id.partition_point(|place| key(place) < (server, name));
        let end = self.by_id.partition_point(|place| key(place) <= (server, name));
        &self.by_id[start..end]
    }

    /// The tools with this name on any server: places, by server.
    fn with_name(&self, name: &str) -> &[u32] {
        let key = |place: &u32| self.tools[*place as usize].id.name.as_str();
        let start = self.by_name.partition_point(|place| key(place) < name);
        let end = self.by_name.partition_point(|place| key(place) <= name);
        &self.by_name[start..end]
    }

    /// The tools that a text names: those it is the bare name of, by server, and those it is `server/name` of, at whichever `/`.
    pub fn named(&self, text: &str) -> Vec<u32> {
        let mut found = self.with_name(text).to_vec();
        for (at, _) in text.match_indices('/') {
            found.extend(self.find(&text[..at], &text[at + 1..]));
        }
        found
    }

    /// The tools of a list of names, in that order. Where tools stand beside one another under one name, the last registered is meant.
    pub fn found(&self, names: &[String], identity: Identity) -> Vec<u32> {
        let last = |name: &String| self.with_name(name).iter().copied().max();
        names
            .iter()
            .flat_map(|name| match identity {
                Identity::Replace => self.named(name),
                Identity::Append => last(name).into_iter().collect(),
            })
            .collect()
    }

    /// Whether a rule is an `include` that no registered tool meets.
    pub fn is_empty_include(&self, rule: usize) -> bool {
        self.rules.rules[rule].kind == Some(Kind::Include) && self.matched[rule] == 0
    }

    pub fn with_rules(&self, rules: RuleSet) -> Self {
        let mut rows = Vec::with_capacity(self.tools.len() * rules.row_words());
        self.tools.iter().for_each(|tool| rules.push_row(&mut rows, tool));
        Snapshot { matched: matched(&rules, &rows), rules: Arc::new(rules), rows, ..self.clone() }
    }

    pub fn with_pins(&self, pins: StandingPins) -> Self {
        let pinned = StandingPlaces::of(&pins, self);
        Snapshot { pins: Arc::new(pins), pinned, ..self.clone() }
    }

    pub fn with_intents(&self, intents: IntentTable) -> Self {
        Snapshot { intents: Arc::new(intents), ..self.clone() }
    }

    /// The tools that came in are added, or take the place of those with the same server and name.
    pub fn with_added(&self, incoming: Incoming, options: &Options) -> (Self, Report) {
        self.changed(incoming, options, |_| false)
    }

    /// The tools of one server are now exactly those that came in.
    pub fn with_replaced(&self, server: &str, mut incoming: Incoming, options: &Options) -> (Self, Report) {
        let (own, foreign) = std::mem::take(&mut incoming.tools).into_iter().partition(|(_, tool)| tool.id.server == server);
        incoming.tools = own;
        for (index, tool) in foreign as Vec<(usize, Tool)> {
            let message = format!("it names the server `{}`, and the tools of `{server}` are replaced", tool.id.server);
            let error = Error::new(Code::InvalidTool, message).with_path("server");
            incoming.refused.push(Refusal { index, server: tool.id.server, name: Some(tool.id.name), error });
        }
        incoming.refused.sort_by_key(|refusal| refusal.index);
        self.changed(incoming, options, |id| id.server == server)
    }

    /// With none but these tools: for a look at tools that are not registered.
    pub fn with_replaced_all(&self, incoming: Incoming, options: &Options) -> Self {
        let bare = Snapshot {
            tools: Vec::new(),
            by_id: Vec::new(),
            by_name: Vec::new(),
            rows: Vec::new(),
            matched: Vec::new(),
            pinned: StandingPlaces::default(),
            index: Arc::default(),
            ..self.clone()
        };
        bare.with_added(incoming, options).0
    }

    /// Without the tools for which `gone` holds.
    pub fn without(&self, gone: impl Fn(&ToolId) -> bool, options: &Options) -> (Self, Report) {
        self.changed(Incoming::default(), options, gone)
    }

    fn changed(&self, incoming: Incoming, options: &Options, gone: impl Fn(&ToolId) -> bool) -> (Self, Report) {
        let mut report = Report { refused: incoming.refused, ..Report::default() };
        report.warnings = incoming.warnings.into_iter().map(|w| ReportWarning { code: w.code, id: w.id, message: w.message }).collect();
        let identity = options.identity;
        let mut change = Change::of(incoming.tools, identity, &mut report);

        let mut tools = Vec::with_capacity(self.tools.len() + change.tools.len());
        let mut kept = Vec::with_capacity(self.tools.len());
        for (place, tool) in self.tools.iter().enumerate() {
            if let Some(new) = change.take(&tool.id, identity) {
                new.take_vector(tool);
                report.replaced.push(tool.id.clone());
                tools.push(new);
                kept.push(None);
            } else if gone(&tool.id) {
                report.removed.push(tool.id.clone());
            } else {
                tools.push(tool.clone());
                kept.push(Some(place));
            }
        }
        // Places are 32 bits wide, whatever the limits.
        let most = options.bound(limits::TOOLS).min(u32::MAX as usize);
        for (index, tool) in change.tools.into_iter().flatten() {
            if tools.len() == most {
                let error = Error::new(Code::TooLarge, format!("the registry holds {most} tools"));
                let (server, name) = (tool.id.server.clone(), Some(tool.id.name.clone()));
                report.refused.push(Refusal { index, server, name, error });
                continue;
            }
            report.added.push(tool.id.clone());
            tools.push(tool);
            kept.push(None);
        }
        report.total = tools.len();
        (self.next(tools, &kept), report)
    }

    /// The next state, with these tools. `kept`: for each its place in this one, where it was there; its row is taken over.
    fn next(&self, tools: Vec<Arc<Tool>>, kept: &[Option<usize>]) -> Self {
        let mut rows = Vec::with_capacity(tools.len() * self.rules.row_words());
        for (tool, kept) in tools.iter().zip(kept) {
            match kept {
                Some(place) => rows.extend_from_slice(self.row(*place)),
                None => self.rules.push_row(&mut rows, tool),
            }
        }
        let mut by_id: Vec<u32> = (0..tools.len() as u32).collect();
        by_id.sort_by(|a, b| tools[*a as usize].id.cmp(&tools[*b as usize].id).then(a.cmp(b)));
        let mut by_name = by_id.clone();
        by_name.sort_by(|a, b| tools[*a as usize].id.name.cmp(&tools[*b as usize].id.name));
        let matched = matched(&self.rules, &rows);
        let bare = Snapshot {
            tools,
            by_id,
            by_name,
            rules: self.rules.clone(),
            intents: self.intents.clone(),
            rows,
            matched,
            pins: self.pins.clone(),
            pinned: StandingPlaces::default(),
            index: Arc::default(),
        };
        let pinned = StandingPlaces::of(&bare.pins, &bare);
        Snapshot { pinned, ..bare }
    }
}

/// For each rule the number of rows that it is in.
fn matched(rules: &RuleSet, rows: &[u64]) -> Vec<u32> {
    let mut matched = vec![0; rules.rules.len()];
    if rules.row_words() > 0 {
        for row in rows.chunks_exact(rules.row_words()) {
            crate::rules::ones(row).for_each(|rule| matched[rule] += 1);
        }
    }
    matched
}

/// The tools of one change, findable by identity; each is taken out when its place is known.
struct Change {
    tools: Vec<Option<(usize, Arc<Tool>)>>,
    places: HashMap<ToolId, usize>,
}

impl Change {
    fn of(incoming: Vec<(usize, Tool)>, identity: Identity, report: &mut Report) -> Self {
        let mut change = Change { tools: Vec::with_capacity(incoming.len()), places: HashMap::new() };
        for (index, tool) in incoming {
            if identity == Identity::Append {
                change.tools.push(Some((index, Arc::new(tool))));
                continue;
            }
            match change.places.get(&tool.id) {
                Some(place) => {
                    let message = format!("`{}` is given twice; the later one is taken", tool.id);
                    report.warnings.push(ReportWarning { code: "given_twice", id: tool.id.clone(), message });
                    change.tools[*place] = Some((index, Arc::new(tool)));
                }
                None => {
                    change.places.insert(tool.id.clone(), change.tools.len());
                    change.tools.push(Some((index, Arc::new(tool))));
                }
            }
        }
        change
    }

    /// The tool that takes the place of a registered one.
    fn take(&mut self, id: &ToolId, identity: Identity) -> Option<Arc<Tool>> {
        if identity == Identity::Append {
            return None;
        }
        self.places.get(id).and_then(|place| self.tools[*place].take()).map(|(_, tool)| tool)
    }
}
