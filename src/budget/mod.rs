//! What tools cost, and what is dropped when it is too much.

/// The share of the context window that tools may take, where a request gives a window alone (the replaced package's default).
pub const DEFAULT_TOKEN_BUDGET_SHARE: f64 = 0.20;
/// The context window, in tokens, where a request gives a share alone (the replaced package's default).
pub const DEFAULT_CONTEXT_WINDOW_TOKENS: u64 = 200_000;

/// The estimate for one tool: a quarter of the bytes of its JSON, at least 1 (the replaced package's formula).
pub(crate) fn estimate(json: &str) -> u64 {
    (json.len() as u64 / 4).max(1)
}

/// How many of these tools stay: from the end they are dropped until the rest fits, but the first always stays.
pub(crate) fn prune(costs: &[u64], budget: i64) -> usize {
    let mut sum: i128 = costs.iter().map(|cost| i128::from(*cost)).sum();
    let mut kept = costs.len();
    while sum > i128::from(budget) && kept > 1 {
        kept -= 1;
        sum -= i128::from(costs[kept]);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_tool_always_stays() {
        assert_eq!(prune(&[10, 5, 5], 14), 1);
        assert_eq!(prune(&[10, 5, 5], 15), 2);
        assert_eq!(prune(&[10, 5, 5], -1), 1);
        assert_eq!(prune(&[], 0), 0);
    }
}
