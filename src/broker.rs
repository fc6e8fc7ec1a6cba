//! The pieces put together: what a Rust user starts with.

use std::borrow::Cow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use crate::discover;
use crate::embedding::{self, Embedder};
use crate::error::{Code, Error, Result};
use crate::hints::Hints;
use crate::intent::{Intent, IntentTable};
use crate::limits;
use crate::options::{Options, Order};
use crate::overrides::{self, CallContext, Enricher};
use crate::pins::StandingPins;
use crate::rank::{Weights, WordTables};
use crate::ranking::{self, RankRequest, Ranking};
use crate::registry::{Report, Snapshot};
use crate::rules::{self, Rule, RuleFormat, RuleSet};
use crate::select::{self, SelectRequest, Selection, Warning};
use crate::tool::{Tool, ToolId, read_tools};

/// Takes what the library has to say beside its answers: one line each.
pub trait Logger: Send + Sync {
    /// A warning. It is called on the thread of the call, while no lock is held.
    fn warn(&self, context: CallContext, message: &str);
}

/// Holds every tool, the rules and the intents, and answers which tools the model sees.
///
/// A broker is shared between threads by reference. Each change swaps in a new state; a selection keeps the one it began with.
pub struct Broker {
    options: Options,
    /// What is known of words.
    tables: Cow<'static, WordTables>,
    enricher: Option<Box<dyn Enricher>>,
    embedder: Option<Box<dyn Embedder>>,
    logger: Option<Box<dyn Logger>>,
    /// Held while one pointer is cloned or swapped, never longer.
    snapshot: RwLock<Arc<Snapshot>>,
    /// One change at a time; readers do not take it.
    change: Mutex<()>,
}

/// What is fixed when a broker is made. From [`Broker::builder`].
pub struct BrokerBuilder {
    options: Options,
    enricher: Option<Box<dyn Enricher>>,
    embedder: Option<Box<dyn Embedder>>,
    logger: Option<Box<dyn Logger>>,
}

impl BrokerBuilder {
    /// What the broker will be fixed to.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Who knows guidance on tools.
    pub fn enricher(mut self, enricher: impl Enricher + 'static) -> Self {
        self.enricher = Some(Box::new(enricher));
        self
    }

    /// Who turns texts into vectors, by which tools are then ranked too.
    pub fn embedder(mut self, embedder: impl Embedder + 'static) -> Self {
        self.embedder = Some(Box::new(embedder));
        self
    }

    /// Who takes warnings.
    pub fn logger(mut self, logger: impl Logger + 'static) -> Self {
        self.logger = Some(Box::new(logger));
        self
    }

    /// The broker, without tools and rules, with the built-in intents.
    pub fn build(self) -> Broker {
        let snapshot = Snapshot::empty(Arc::new(IntentTable::built_in()), &self.options);
        Broker {
            options: self.options,
            tables: Cow::Borrowed(WordTables::built_in()),
            enricher: self.enricher,
            embedder: self.embedder,
            logger: self.logger,
            snapshot: RwLock::new(Arc::new(snapshot)),
            change: Mutex::new(()),
        }
    }
}

/// What the embedder came to.
#[derive(Default)]
pub(crate) struct Near {
    pub vector: Option<Vec<f32>>,
    pub warning: Option<Warning>,
}

impl Near {
    /// How near each tool is, in the order of (server, name).
    fn similarities(&self, snapshot: &Snapshot) -> Option<Vec<f32>> {
        self.vector.as_ref().map(|vector| embedding::similarities(&snapshot.tools_by_id(), vector))
    }
}

/// Which part of an intent table a host hands over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IntentMode {
    /// More phrases and intents.
    Extend,
    /// The whole table.
    Replace,
}

impl Broker {
    /// A broker without callbacks.
    pub fn new(options: Options) -> Self {
        Self::builder(options).build()
    }

    /// Starts a broker that has callbacks.
    pub fn builder(options: Options) -> BrokerBuilder {
        BrokerBuilder { options, enricher: None, embedder: None, logger: None }
    }

    /// A broker with the same tools that ranks them by other numbers and other tables of words: for measuring what these are worth.
    #[doc(hidden)]
    pub fn ranking_by(&self, weights: Weights, tables: WordTables) -> Broker {
        let mut broker = Broker::new(Options { ranking: weights, ..self.options });
        broker.tables = Cow::Owned(tables);
        broker.snapshot = RwLock::new(Arc::new(self.snapshot().without_index()));
        broker
    }

    /// The memory that ranking the registered tools takes, in bytes: of the index, and of the tools' terms that it is made of.
    #[doc(hidden)]
    pub fn ranking_bytes(&self) -> (usize, usize) {
        let snapshot = self.snapshot();
        let terms = snapshot.tools.iter().map(|tool| tool.terms().bytes()).sum();
        (snapshot.index(&self.options.ranking).bytes(), terms)
    }

    /// What was fixed when the broker was made.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Adds tools from any known form, or replaces those of the same server and name. `server`: of tools that name none.
    ///
    /// # Errors
    /// A text that holds no tools at all; one bad tool is refused in the report.
    pub fn add_tools(&self, server: &str, tools: &str) -> Result<Report> {
        let incoming = read_tools(tools, server, &self.options)?;
        incoming.prepare(&self.options);
        Ok(self.swap(|snapshot| snapshot.with_added(incoming, &self.options)))
    }

    /// Makes these the only tools of a server, in one step.
    ///
    /// # Errors
    /// As [`Broker::add_tools`].
    pub fn replace_tools(&self, server: &str, tools: &str) -> Result<Report> {
        let incoming = read_tools(tools, server, &self.options)?;
        incoming.prepare(&self.options);
        Ok(self.swap(|snapshot| snapshot.with_replaced(server, incoming, &self.options)))
    }

    /// Removes every tool of a server.
    pub fn remove_server(&self, server: &str) -> Report {
        self.swap(|snapshot| snapshot.without(|id| id.server == server, &self.options))
    }

    /// Removes single tools; unknown ones are a warning.
    pub fn remove_tools(&self, tools: &[ToolId]) -> Report {
        let gone: std::collections::HashSet<&ToolId> = tools.iter().collect();
        self.swap(|snapshot| {
            let (next, mut report) = snapshot.without(|id| gone.contains(id), &self.options);
            let unknown: std::collections::BTreeSet<&ToolId> =
                tools.iter().filter(|id| snapshot.find(&id.server, &id.name).is_empty()).collect();
            report.warnings.extend(unknown.into_iter().map(|id| crate::registry::ReportWarning {
                code: "unknown_tool",
                id: id.clone(),
                message: format!("no tool `{id}` is registered"),
            }));
            (next, report)
        })
    }

    /// The registered tools, in the order of registration.
    pub fn tools(&self) -> Vec<Arc<Tool>> {
        self.snapshot().tools.clone()
    }

    /// Puts these rules in force, in place of those before.
    ///
    /// # Errors
    /// Those of a rule text that says the same; the old rules then stay.
    pub fn load_rules(&self, rules: Vec<Rule>) -> Result<usize> {
        self.put_rules(rules::checked(rules, &self.options)?)
    }

    /// Puts rules in force that were checked when they were read.
    pub(crate) fn put_rules(&self, rules: Vec<Rule>) -> Result<usize> {
        let count = rules.len();
        if count > self.options.bound(limits::RULES) {
            return Err(Error::new(Code::TooLarge, format!("{count} rules, the limit is {}", limits::RULES)).with_path("rules"));
        }
        let rules = RuleSet::new(rules, &self.options);
        self.swap(|snapshot| (snapshot.with_rules(rules), ()));
        Ok(count)
    }

    /// Reads rules from a text, as the broker's options say, and puts them in force.
    ///
    /// # Errors
    /// `invalid_rule` with every fault and its place, `invalid_yaml`, `invalid_json`, `too_large`, `too_deep`; the old rules then stay.
    pub fn load_rules_from_text(&self, text: &str, format: RuleFormat) -> Result<usize> {
        self.put_rules(rules::from_text(text, format, &self.options)?.unwrap_or_default())
    }

    /// Reads rules from a file that ends in `.yaml`, `.yml` or `.json`, and puts them in force.
    ///
    /// # Errors
    /// As [`Broker::load_rules_from_text`], with the file's name; `io`; `invalid_request` for another ending.
    pub fn load_rules_from_file(&self, path: &str) -> Result<usize> {
        self.put_rules(rules::from_file(path, None, &self.options)?.unwrap_or_default())
    }

    /// The rules in force, as loaded.
    pub fn rules(&self) -> Vec<Rule> {
        self.snapshot().rules.loaded_order().map(|(_, compiled)| compiled.rule.clone()).collect()
    }

    /// Extends or replaces the intent table; answers the number of intents and phrases it then has.
    ///
    /// # Errors
    /// `invalid_intents` for an intent without a name or a phrase without a word, `too_large`; the old table then stays.
    pub fn load_intents(&self, entries: Vec<(String, Vec<String>)>, mode: IntentMode) -> Result<(usize, usize)> {
        crate::intent::check(&entries)?;
        self.try_swap(|snapshot| {
            let table = match mode {
                IntentMode::Extend => snapshot.intents.extended(entries),
                IntentMode::Replace => IntentTable::new(entries),
            };
            let counts = (table.entries().count(), table.entries().map(|(_, phrases)| phrases.len()).sum());
            if counts.0 > limits::INTENTS || counts.1 > limits::PHRASES {
                let message =
                    format!("{} intents and {} phrases, the limits are {} and {}", counts.0, counts.1, limits::INTENTS, limits::PHRASES);
                return Err(Error::new(Code::TooLarge, message).with_path("intents"));
            }
            Ok((snapshot.with_intents(table), counts))
        })
    }

    /// Pins tools for every selection and session, in place of those pinned before; answers how many registered tools are core tools and pins now.
    pub fn load_pins(&self, pins: StandingPins) -> (usize, usize) {
        self.swap(|snapshot| {
            let next = snapshot.with_pins(pins);
            let counts = (next.pinned.core.len(), next.pinned.pins.len());
            (next, counts)
        })
    }

    /// What is pinned for every selection and session.
    pub fn pins(&self) -> StandingPins {
        StandingPins::clone(&self.snapshot().pins)
    }

    /// Which tools the model sees for this request, with the override block where there is an enricher.
    ///
    /// # Errors
    /// `stopped`, where the enricher asks for it. Whatever else it does is a warning.
    pub fn select(&self, request: &SelectRequest) -> Result<Selection> {
        self.select_with(request, None)
    }

    /// As [`Broker::select`]; the callbacks get `context`.
    ///
    /// # Errors
    /// As [`Broker::select`].
    pub fn select_with(&self, request: &SelectRequest, context: CallContext) -> Result<Selection> {
        let snapshot = self.snapshot();
        let near = if select::needs_score(&self.options, request) {
            self.near(&snapshot, &request.message, &request.hints, context)?
        } else {
            Near::default()
        };
        let similarities = near.similarities(&snapshot);
        let mut selection = select::select(snapshot, &self.options, &self.tables, request, similarities.as_deref());
        selection.warnings.extend(near.warning);
        let (block, warning) = self.override_block(selection.tools(), context)?;
        selection.override_block = block;
        selection.warnings.extend(warning);
        Ok(selection)
    }

    /// As [`Broker::select`], but no callback runs: the override block stays empty.
    pub fn select_places(&self, request: &SelectRequest) -> Selection {
        select::select(self.snapshot(), &self.options, &self.tables, request, None)
    }

    /// The tools that fit a message, best first; rules and budget have no say.
    ///
    /// # Errors
    /// `stopped`, where the embedder asks for it. Whatever else it does is a warning.
    pub fn rank(&self, request: &RankRequest) -> Result<Ranking> {
        self.rank_with(request, None)
    }

    /// As [`Broker::rank`]; the embedder gets `context`.
    ///
    /// # Errors
    /// As [`Broker::rank`].
    pub fn rank_with(&self, request: &RankRequest, context: CallContext) -> Result<Ranking> {
        let snapshot = self.snapshot();
        let near = self.near(&snapshot, &request.message, &request.hints, context)?;
        let similarities = near.similarities(&snapshot);
        let mut ranking = ranking::rank(snapshot, &self.options, &self.tables, request, similarities.as_deref());
        ranking.warnings.extend(near.warning);
        Ok(ranking)
    }

    /// Makes the vectors of the registered tools that have none, so that no selection has to; answers how many it made, 0 without an embedder.
    ///
    /// # Errors
    /// The embedder's.
    pub fn embed_tools(&self, context: CallContext) -> Result<usize> {
        let Some(embedder) = self.embedder.as_deref() else { return Ok(0) };
        let snapshot = self.snapshot();
        let tools: Vec<&Tool> = snapshot.tools.iter().map(|tool| &**tool).collect();
        embedding::embed_tools(&tools, embedder, context)
    }

    /// The vector of what is asked for, where there is an embedder and it answers.
    pub(crate) fn near(&self, snapshot: &Snapshot, message: &str, hints: &[String], context: CallContext) -> Result<Near> {
        let text = if message.trim().is_empty() { hints.join(" ") } else { message.to_owned() };
        let Some(embedder) = self.embedder.as_deref().filter(|_| !text.trim().is_empty() && !snapshot.tools.is_empty()) else {
            return Ok(Near::default());
        };
        let tools = snapshot.tools_by_id();
        match embedding::embed_message(&tools, &text, embedder, context) {
            Ok(vector) => Ok(Near { vector: Some(vector), warning: None }),
            Err(error) if error.code == Code::Stopped => Err(error),
            Err(error) => {
                self.warn(context, &format!("toolbroker: embedding failed: {}", error.message));
                Ok(Near { vector: None, warning: Some(Warning { code: "embedder_failed", message: error.message }) })
            }
        }
    }

    /// The intents found in a message.
    pub fn detect_intent(&self, message: &str) -> Vec<Intent> {
        self.snapshot().intents.detect(message, self.options.phrases)
    }

    /// The registered tools that a list of names names, in that order; see `find_by_names` in `docs/contract.md`.
    pub fn find_by_names(&self, names: &[String]) -> Vec<Arc<Tool>> {
        let snapshot = self.snapshot();
        snapshot.found(names, self.options.identity).into_iter().map(|at| snapshot.tools[at as usize].clone()).collect()
    }

    /// The registered tools that hold these keywords, best first; `most` ≤ 0 is no cut.
    pub fn score_by_keywords(&self, keywords: &[String], most: i64) -> Vec<Arc<Tool>> {
        let tools = self.tools();
        let texts = tools.iter().map(|tool| (tool.id.name.as_str(), tool.description.as_str()));
        discover::score_by_keywords(texts, keywords, most).into_iter().map(|at| tools[at].clone()).collect()
    }

    /// The registered tools that hold the words of a sentence, best first; `most` ≤ 0 is no cut.
    pub fn score_by_intent(&self, intent: &str, most: i64) -> Vec<Arc<Tool>> {
        let tools = self.tools();
        let texts = tools.iter().map(|tool| (tool.id.name.as_str(), tool.description.as_str()));
        discover::score_by_intent(texts, intent, most).into_iter().map(|at| tools[at].clone()).collect()
    }

    /// The override block of an answer with these tools; a failing enricher is a warning there.
    ///
    /// # Errors
    /// `stopped`, where the enricher asks for it.
    pub(crate) fn override_block<'a>(
        &self,
        tools: impl Iterator<Item = &'a Tool>,
        context: CallContext,
    ) -> Result<(String, Option<Warning>)> {
        let Some(enricher) = self.enricher.as_deref() else { return Ok(Default::default()) };
        let tools: Vec<ToolId> = tools.map(|tool| tool.id.clone()).collect();
        if tools.is_empty() {
            return Ok(Default::default());
        }
        match overrides::compose(&tools, enricher, context, &self.options) {
            Ok(block) => Ok((block, None)),
            Err(error) if error.code == Code::Stopped => Err(error),
            Err(error) => {
                self.warn(context, &format!("toolbroker: compose override block failed: {}", error.message));
                Ok((String::new(), Some(Warning { code: "enricher_failed", message: error.message })))
            }
        }
    }

    /// The override block for these tools, with the broker's enricher.
    ///
    /// # Errors
    /// The enricher's, wrapped as `compose override block: …`.
    pub fn overrides(&self, tools: &[ToolId], context: CallContext) -> Result<String> {
        match self.enricher.as_deref() {
            Some(enricher) => overrides::compose(tools, enricher, context, &self.options),
            None => Ok(String::new()),
        }
    }

    /// The override block for these tools with hints that the host has at hand, which stand in the same order.
    pub fn overrides_of(&self, tools: &[ToolId], hints: &[Option<Hints>]) -> String {
        overrides::block(tools, hints, self.options.profile)
    }

    fn warn(&self, context: CallContext, message: &str) {
        if let Some(logger) = &self.logger {
            logger.warn(context, message);
        }
    }

    /// What is known of words.
    pub(crate) fn tables(&self) -> &WordTables {
        &self.tables
    }

    pub(crate) fn snapshot(&self) -> Arc<Snapshot> {
        // The lock holds a pointer that is swapped whole: a panic elsewhere cannot leave half a state in it.
        self.snapshot.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Makes a change from the state now in force. The new state is built while readers go on with the old one.
    fn try_swap<T, E>(&self, change: impl FnOnce(&Snapshot) -> Result<(Snapshot, T), E>) -> Result<T, E> {
        let _one_at_a_time: MutexGuard<()> = self.change.lock().unwrap_or_else(PoisonError::into_inner);
        let before = self.snapshot();
        let (next, answer) = change(&before)?;
        if self.options.order == Order::Rank {
            next.index(&self.options.ranking);
        }
        let next = Arc::new(next);
        let old = std::mem::replace(&mut *self.snapshot.write().unwrap_or_else(PoisonError::into_inner), next);
        // Both are dropped here, after the lock is open again: freeing many tools takes a while.
        drop((old, before));
        Ok(answer)
    }

    fn swap<T>(&self, change: impl FnOnce(&Snapshot) -> (Snapshot, T)) -> T {
        let Ok(answer) = self.try_swap(|snapshot| Ok::<_, std::convert::Infallible>(change(snapshot)));
        answer
    }
}
