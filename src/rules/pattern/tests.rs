use super::*;

fn pattern(text: &str, fold: Fold) -> Pattern {
    Pattern::new(text, fold).unwrap_or_else(|fault| panic!("{text}: {}", fault.message))
}

fn fits(text: &str, name: &str) -> bool {
    pattern(text, Fold::Exact).fits(name)
}

fn assert_fits(text: &str, fitting: &[&str], others: &[&str]) {
    for name in fitting {
        assert!(fits(text, name), "{text} fits {name}");
    }
    for name in others {
        assert!(!fits(text, name), "{text} does not fit {name}");
    }
}

fn malformed(text: &str) -> (String, usize, Option<String>) {
    let fault = Pattern::new(text, Fold::Exact).expect_err(text);
    (fault.message, fault.at, fault.hint)
}

#[test]
fn a_plain_pattern_fits_itself_only() {
    assert_fits("build", &["build"], &["", "buil", "builds", "rebuild", "Build"]);
}

#[test]
fn a_star_crosses_slash_and_dot() {
    assert_fits("ops*", &["ops", "ops/list", "ops/host/delete", "ops.delete"], &["op", "status", "xops"]);
    assert_fits("*delete", &["delete", "ops/host/delete", "ops.delete", "deletedelete"], &["ops/list", "deleted"]);
    assert_fits("a*b*c", &["abc", "a/b.c", "axxbyybzzc"], &["ab", "acb", "abcd"]);
    assert_fits("*", &["", "a", "a/b"], &[]);
    assert_fits("a**b", &["ab", "axb"], &["a"]);
}

#[test]
fn a_question_mark_is_one_character_of_any_length_in_bytes() {
    assert_fits("a?c", &["abc", "a/c", "a.c", "a条c", "a🚀c"], &["ac", "abbc"]);
    assert_fits("*?", &["a", "ab"], &[""]);
}

#[test]
fn sets_hold_characters_and_ranges() {
    assert_fits("v[0-9a-c_]", &["v0", "v9", "vb", "v_"], &["v", "vd", "v00", "v-"]);
    assert_fits("v[!0-9]", &["va", "v/", "v条"], &["v1", "v"]);
    assert_fits("v[^0-9]", &["va"], &["v1"]);
    assert_fits("[一-龠]*", &["条例"], &["a条"]);
}

#[test]
fn in_a_set_a_hyphen_at_an_edge_and_escapes_are_themselves() {
    assert_fits("[a-]", &["a", "-"], &["b"]);
    assert_fits("[-a]", &["a", "-"], &["b"]);
    assert_fits(r"[\]\-\!]", &["]", "-", "!"], &["a", "\\"]);
    assert_fits("[a!^]", &["a", "!", "^"], &["b"]);
    assert_fits("[*?{,}]", &["*", "?", "{", ",", "}"], &["a", ""]);
}

#[test]
fn braces_hold_alternatives() {
    assert_fits("{get,list}_mail", &["get_mail", "list_mail"], &["mail", "_mail", "getlist_mail", "{get,list}_mail"]);
    assert_fits("mail_{get,list}", &["mail_get", "mail_list"], &["mail_", "mail_ge"]);
    assert_fits("mail{,_all}", &["mail", "mail_all"], &["mail_"]);
    assert_fits("mail{_all,}", &["mail", "mail_all"], &["mail_"]);
    assert_fits("{a}", &["a"], &["", "b"]);
    assert_fits("x{}y", &["xy"], &["x{}y"]);
}

#[test]
fn braces_nest_and_hold_every_other_part() {
    assert_fits("a{b{c,d}e,f*,[gh]?}z", &["abcez", "abdez", "afz", "afoooz", "agxz", "ah/z"], &["az", "abez", "aexz", "agz"]);
    assert_fits(r"{\,,\}}", &[",", "}"], &["", "\\"]);
    assert_fits("{a,b}{c,d}*{e,f}", &["ace", "bdxxf", "adef"], &["ac", "acx", "cce"]);
}

#[test]
fn sixteen_braces_may_nest() {
    let deep = |depth: usize| format!("{}a{}", "{".repeat(depth), "}".repeat(depth));
    assert!(fits(&deep(16), "a"));
    let (message, at, _) = malformed(&deep(17));
    assert_eq!((message.as_str(), at), ("braces are nested deeper than 16", 16));
}

#[test]
fn closing_marks_and_commas_outside_are_themselves() {
    assert_fits("a]b}c,d!e", &["a]b}c,d!e"], &["abcde"]);
}

#[test]
fn a_backslash_takes_the_next_character_as_it_is() {
    assert_fits(r"\*\?\[\{\\\a", &[r"*?[{\a"], &["xy[{\\a"]);
    assert_fits(r"\*", &["*"], &["a", ""]);
}

#[test]
fn a_leading_exclamation_mark_takes_away_and_does_not_count_for_fitting() {
    let away = pattern("!build_*", Fold::Exact);
    assert!(away.takes_away() && away.fits("build_all") && !away.fits("!build_all"));
    let literal = pattern(r"\!build", Fold::Exact);
    assert!(!literal.takes_away() && literal.fits("!build"));
    let twice = pattern("!!a", Fold::Exact);
    assert!(twice.takes_away() && twice.fits("!a"));
}

#[test]
fn case_folds_on_both_sides() {
    let folded = |text: &str, name: &str| pattern(text, Fold::Case).fits(name);
    assert!(folded("GitHub_*", "github_ISSUE"));
    assert!(folded("straße_Ä", "STRAßE_ä"));
    assert!(folded("x[A-Z]{Q,r}", "Xqq") && folded("x[a-z]{Q,r}", "XQR"));
    assert!(!folded("x[!a-c]", "xB") && !folded("x[!A-C]", "xb"));
    assert!(!folded("run_build", "run-build"));
    assert!(!pattern("GitHub", Fold::Exact).fits("github"));
}

#[test]
fn intents_fold_hyphen_underscore_dot_and_space() {
    let folded = |text: &str, name: &str| pattern(text, Fold::Intent).fits(name);
    for name in ["run-build", "run_build", "Run.Build", "RUN BUILD"] {
        assert!(folded("run_build", name) && folded("run build", name) && folded("*[.]{build,test}", name), "{name}");
        assert!(!folded("run[!_]build", name) && !folded("run/build", name), "{name}");
    }
    assert_eq!(super::folded("Run_Build", Fold::Intent), super::folded("run build", Fold::Intent));
}

#[test]
fn a_malformed_pattern_is_told_with_its_place_and_a_way_out() {
    let fault = |message: &str, at, hint: &str| (message.to_owned(), at, Some(hint.to_owned()));
    let bracket = r"add `]`, or write `\[` for the character itself";
    let brace = r"add `}`, or write `\{` for the character itself";
    let set = r"write `\]` or `\!` for the characters themselves";
    assert_eq!(malformed(""), fault("empty pattern", 0, "`*` fits every name"));
    assert_eq!(malformed("!"), fault("`!` alone", 0, "write what to take away behind the `!`"));
    assert_eq!(malformed("ä["), fault("`[` is not closed", 1, bracket));
    assert_eq!(malformed("x[a-"), fault("`[` is not closed", 1, bracket));
    assert_eq!(malformed("!x[!"), fault("`[` is not closed", 2, bracket));
    assert_eq!(malformed("x{a,b"), fault("`{` is not closed", 1, brace));
    assert_eq!(malformed("{a,{b}"), fault("`{` is not closed", 0, brace));
    assert_eq!(malformed("x[]"), fault("empty set", 1, set));
    assert_eq!(malformed("x[!]"), fault("empty set", 1, set));
    assert_eq!(malformed("[]a]"), fault("empty set", 0, set));
    assert_eq!(malformed("x[az-a]"), fault("range `z-a` runs backwards", 3, "write `a-z`"));
    assert_eq!(malformed(r"ab\"), fault(r"`\` at the end", 2, r"write `\\` for the character itself"));
    assert_eq!(malformed(r"[\"), fault(r"`\` at the end", 1, r"write `\\` for the character itself"));
}

#[test]
fn a_pattern_may_be_as_long_as_the_limit() {
    assert!(fits(&"a".repeat(limits::PATTERN_BYTES), &"a".repeat(limits::PATTERN_BYTES)));
    assert_eq!(malformed(&"a".repeat(limits::PATTERN_BYTES + 1)).0, "the pattern has 1025 bytes, 1024 are allowed");
}

#[test]
fn hostile_patterns_come_to_an_end() {
    let name = "a".repeat(limits::NAME_BYTES);
    for text in [
        format!("{}b", "*a".repeat(500)),
        format!("{}b", "{*a,*b}".repeat(146)),
        format!("{}b", "{a,aa}".repeat(170)),
        format!("{}b", "{*,*}*".repeat(170)),
        format!("{}*{}", "{".repeat(16), "}".repeat(16)) + &"{,a}".repeat(200) + "b",
    ] {
        assert!(!fits(&text, &name), "{text}");
        assert!(fits(&text, &format!("{name}b")) || text.starts_with("{a,aa}"), "{text}");
    }
}

/// Every short pattern over a few marks agrees with a matcher that simply tries everything.
#[test]
fn short_patterns_agree_with_trying_everything() {
    fn tries(pattern: &[char], name: &[char]) -> bool {
        match pattern.split_first() {
            None => name.is_empty(),
            Some(('*', rest)) => (0..=name.len()).any(|taken| tries(rest, &name[taken..])),
            Some((wanted, rest)) => name.split_first().is_some_and(|(c, left)| (*wanted == '?' || wanted == c) && tries(rest, left)),
        }
    }
    let texts = |alphabet: &[char], longest: usize| {
        let mut all = vec![String::new()];
        let mut from = 0;
        for _ in 0..longest {
            let until = all.len();
            for at in from..until {
                alphabet.iter().for_each(|c| all.push(format!("{}{c}", all[at])));
            }
            from = until;
        }
        all
    };
    let names = texts(&['a', 'b'], 5);
    for text in texts(&['a', 'b', '*', '?'], 5).iter().skip(1) {
        let chars: Vec<char> = text.chars().collect();
        let (sequence, program) = (pattern(text, Fold::Exact), pattern(&format!("{{{text}}}"), Fold::Exact));
        for name in &names {
            let expected = tries(&chars, &name.chars().collect::<Vec<_>>());
            assert_eq!((sequence.fits(name), program.fits(name)), (expected, expected), "{text} {name}");
        }
    }
}
