//! A weighed score as a number from 0 to 1 that means the same for every message and registry.

use super::weights::Weights;

/// The confidence in a tool, rounded to 6 places: 0 for none, a half where it is as likely right as wrong.
///
/// A logistic regression of whether a tool is right on the logarithms of its weighed score and of `known` came to odds that grow with the square
/// of the score and fall with the root of `known`, the worth of the message's words that the registry knows: a long message reaches the same score
/// more easily. `docs/ranking.md` has the figures.
pub(super) fn confidence(weighed: f32, known: f32, weights: &Weights) -> f64 {
    let square = f64::from(weighed) * f64::from(weighed);
    let even = weights.even_odds * weights.even_odds * (1.0 + f64::from(known)).sqrt();
    if square > 0.0 { rounded(square / (square + even)) } else { 0.0 }
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
        let weights = Weights { even_odds: 10.0, ..Weights::default() };
        assert_eq!(confidence(10.0, 0.0, &weights), 0.5);
        assert_eq!(confidence(20.0, 15.0, &weights), 0.5);
        assert_eq!(confidence(0.0, 0.0, &weights), 0.0);
        assert_eq!(confidence(0.0, 0.0, &Weights { even_odds: 0.0, ..weights }), 0.0);
        assert!(confidence(30.0, 0.0, &weights) > confidence(20.0, 0.0, &weights));
    }
}
