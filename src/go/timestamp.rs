//! Whether a text is a timestamp to `gopkg.in/yaml.v3`. What time it is does not matter here.

/// `2006-1-2`, alone, or with `T` or `t`, a time and a zone, or with spaces and a time.
pub(crate) fn is_timestamp(text: &str) -> bool {
    let mut rest = text;
    let Some(year) = digits(&mut rest, 4, 4) else { return false };
    if !eat(&mut rest, '-') {
        return false;
    }
    let Some(month) = digits(&mut rest, 1, 2).filter(|month| (1..=12).contains(month)) else { return false };
    if !eat(&mut rest, '-') || !digits(&mut rest, 1, 2).is_some_and(|day| (1..=days(year, month)).contains(&day)) {
        return false;
    }
    if rest.is_empty() {
        return true;
    }
    if eat(&mut rest, 'T') || eat(&mut rest, 't') {
        return clock(&mut rest) && zone(&mut rest) && rest.is_empty();
    }
    let time = rest.trim_start_matches(' ');
    time.len() < rest.len() && {
        rest = time;
        clock(&mut rest) && rest.is_empty()
    }
}

fn days(year: u32, month: u32) -> u32 {
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

fn clock(rest: &mut &str) -> bool {
    let ok = digits(rest, 1, 2).is_some_and(|hour| hour < 24)
        && eat(rest, ':')
        && digits(rest, 1, 2).is_some_and(|minute| minute < 60)
        && eat(rest, ':')
        && digits(rest, 1, 2).is_some_and(|second| second < 60);
    if let Some(fraction) = rest.strip_prefix(['.', ',']).filter(|fraction| fraction.starts_with(|c: char| c.is_ascii_digit())) {
        *rest = fraction.trim_start_matches(|c: char| c.is_ascii_digit());
    }
    ok
}

/// Go allows a shift of 24 hours and of 60 minutes.
fn zone(rest: &mut &str) -> bool {
    eat(rest, 'Z')
        || (eat(rest, '+') || eat(rest, '-'))
            && digits(rest, 2, 2).is_some_and(|hours| hours <= 24)
            && eat(rest, ':')
            && digits(rest, 2, 2).is_some_and(|minutes| minutes <= 60)
}

fn eat(rest: &mut &str, c: char) -> bool {
    rest.strip_prefix(c).map(|behind| *rest = behind).is_some()
}

fn digits(rest: &mut &str, least: usize, most: usize) -> Option<u32> {
    let count = rest.bytes().take(most).take_while(u8::is_ascii_digit).count();
    let (number, behind) = rest.split_at(count);
    *rest = behind;
    (count >= least).then(|| number.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first group is from yaml.org/type/timestamp.html.
    #[test]
    fn dates_and_times_are_told_from_other_text() {
        for text in ["2001-12-15T02:59:43.1Z", "2001-12-14t21:59:43.10-05:00", "2001-12-15 2:59:43.10", "2002-12-14"] {
            assert!(is_timestamp(text), "{text}");
        }
        for text in ["2024-2-29", "2024-1-1T1:2:3Z", "2024-1-1   1:2:3", "2024-1-1 1:2:3,5", "2024-1-1T1:2:3+24:60"] {
            assert!(is_timestamp(text), "{text}");
        }
        let others = [
            "",
            "2024",
            "2024-1",
            "24-1-1",
            "2024-13-1",
            "2023-2-29",
            "2024-1-1T",
            "2024-1-1T1:2:3",
            "2024-1-1 1:2",
            "2024-1-1 1:2:3Z",
            "x",
        ];
        for text in others {
            assert!(!is_timestamp(text), "{text}");
        }
    }
}
