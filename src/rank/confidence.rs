//! A weighed score as a number from 0 to 1 that means the same for every message and registry.

use super::weights::Weights;

/// What the words of a message are worth: the sum of weight and rarity.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Worth {
    /// Of the words that the registry knows.
    pub known: f32,
    /// Of those that no tool has.
    pub unknown: f32,
}

/// The weighed score of a tool that is as likely right as wrong.
///
/// A logistic regression of whether a tool is right on the logarithms of its weighed score and of the worth of the known words came to odds that
/// grow with the square of the score and fall with the root of the worth: a long message reaches the same score more easily.
pub(super) fn even(worth: Worth, weights: &Weights) -> f64 {
    let long = weights.even_odds * (1.0 + f64::from(worth.known)).sqrt().sqrt();
    let short = weights.even_share * f64::from(worth.known + worth.unknown);
    long.min(short)
}

/// The confidence in a tool, rounded to 6 places: 0 for none, a half where it is as likely right as wrong.
pub(super) fn confidence(weighed: f32, even: f64) -> f64 {
    let square = f64::from(weighed) * f64::from(weighed);
    if square > 0.0 { rounded(square / (square + even * even)) } else { 0.0 }
}

/// No weighed score below this has that confidence or more: a little less than the least that has.
pub(super) fn least_weighed(confidence: f64, even: f64) -> f32 {
    let least = (confidence - 1e-6).clamp(0.0, 1.0 - 2e-6);
    (even * (least / (1.0 - least)).sqrt() * (1.0 - 1e-6)) as f32
}

/// To 6 places.
pub(super) fn rounded(score: f64) -> f64 {
    (score * 1e6).round() / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn even_odds_are_a_half_and_more_is_more() {
        assert_eq!(confidence(10.0, 10.0), 0.5);
        assert_eq!(confidence(0.0, 10.0), 0.0);
        assert_eq!(confidence(0.0, 0.0), 0.0);
        assert_eq!(confidence(1.0, 0.0), 1.0);
        assert!(confidence(30.0, 10.0) > confidence(20.0, 10.0));
    }

    #[test]
    fn less_than_the_least_weighed_score_is_less_confidence() {
        for weighed in [0.0, 0.01, 0.5, 3.0, 10.0, 47.0, 1e3, 1e5, 1e9] {
            let reached = confidence(weighed, 10.0);
            let least = least_weighed(reached, 10.0);
            assert!(least <= weighed, "{weighed}");
            assert!(least == 0.0 || confidence(least.next_down(), 10.0) < reached || reached == 1.0, "{weighed}");
        }
    }

    #[test]
    fn a_long_message_needs_more_and_a_short_one_less() {
        let weights = Weights { even_odds: 10.0, even_share: 2.0, ..Weights::default() };
        assert_eq!(even(Worth { known: 15.0, unknown: 0.0 }, &weights), 20.0);
        assert_eq!(even(Worth { known: 80.0, unknown: 9.0 }, &weights), 30.0);
        assert_eq!(even(Worth { known: 3.0, unknown: 1.0 }, &weights), 8.0);
    }
}
