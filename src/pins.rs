//! Tools that are to stay: by name, or by whatever a rule can match.

use crate::document::{Fields, Node, Reader, parse_json};
use crate::error::{Code, Result};
use crate::limits;
use crate::options::Options;
use crate::registry::Snapshot;
use crate::rules::{CompiledMatch, Match, read_match};

/// Tools that are to stay, in a request or a session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pins {
    /// `server/name` or names.
    pub names: Vec<String>,
    /// What rules match tools by: patterns, tags, servers, annotations.
    pub matching: Vec<Match>,
}

impl Pins {
    /// Pins by name.
    pub fn named<T: Into<String>>(names: impl IntoIterator<Item = T>) -> Self {
        Pins { names: names.into_iter().map(Into::into).collect(), matching: Vec::new() }
    }

    /// Whether nothing is pinned.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty() && self.matching.is_empty()
    }

    /// Reads `pins` and `pins_matching`, or what else the keys are called.
    pub(crate) fn read(reader: &mut Reader, fields: &Fields, names: &str, matching: &str) -> Self {
        let read = |reader: &mut Reader, node: &Node| {
            let path = fields.at(matching);
            let items = reader.list(node, &path, limits::LIST_ITEMS);
            items.iter().enumerate().map(|(at, item)| read_match(reader, item, &format!("{path}[{at}]"))).collect()
        };
        Pins {
            names: fields.texts(reader, names, limits::LIST_ITEMS),
            matching: fields.get(matching).map(|node| read(reader, node)).unwrap_or_default(),
        }
    }

    /// The registered tools that are meant, once each: those named in their order, then the others by (server, name).
    pub(crate) fn places(&self, snapshot: &Snapshot) -> Vec<u32> {
        let mut places: Vec<u32> = self.names.iter().flat_map(|name| snapshot.named(name)).collect();
        if !self.matching.is_empty() {
            let matching = compiled(&self.matching);
            let fits = |place: &u32| matching.iter().any(|matching| matching.fits(&snapshot.tools[*place as usize]));
            places.extend(snapshot.by_id.iter().copied().filter(fits));
        }
        let mut seen = std::collections::HashSet::new();
        places.retain(|place| seen.insert(*place));
        places
    }
}

/// Matches in the language of patterns that pins are written in, whichever the rules are.
fn compiled(matching: &[Match]) -> Vec<CompiledMatch> {
    matching.iter().map(|matching| CompiledMatch::new(matching, &Options::standard())).collect()
}

/// What a broker pins for everyone.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StandingPins {
    /// What every session's list begins with, in this order.
    pub core: Pins,
    /// What else stays in every selection and list.
    pub pins: Pins,
}

impl StandingPins {
    /// Reads the request of `load_pins`.
    ///
    /// # Errors
    /// `invalid_json`, or `invalid_request` with every fault and its place.
    pub fn from_json(text: &str) -> Result<Self> {
        let document = parse_json(text)?;
        let mut reader = Reader::new(Code::InvalidRequest);
        let fields = reader.object(&document, "", &["core", "core_matching", "pins", "pins_matching"]);
        let pins = StandingPins {
            core: Pins::read(&mut reader, &fields, "core", "core_matching"),
            pins: Pins::read(&mut reader, &fields, "pins", "pins_matching"),
        };
        reader.finish(pins)
    }
}

/// Which registered tools the standing pins mean.
#[derive(Debug, Clone, Default)]
pub(crate) struct StandingPlaces {
    /// In order.
    pub core: Vec<u32>,
    pub pins: Vec<u32>,
}

impl StandingPlaces {
    pub fn of(pins: &StandingPins, snapshot: &Snapshot) -> Self {
        StandingPlaces { core: pins.core.places(snapshot), pins: pins.pins.places(snapshot) }
    }
}
