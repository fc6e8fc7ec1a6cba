//! A weighed score as a number from 0 to 1 that means the same for every message.

use super::weights::Weights;

/// The confidence in a tool of this weighed score, rounded to 6 places: 0 for none, a half at [`Weights::even_odds`].
pub(super) fn confidence(weighed: f32, weights: &Weights) -> f64 {
    let square = f64::from(weighed) * f64::from(weighed);
    rounded(square / (square + weights.even_odds * weights.even_odds))
}

/// To 6 places.
pub(super) fn rounded(score: f64) -> f64 {
    (score * 1e6).round() / 1e6
}
