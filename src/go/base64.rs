//! Standard base64 as Go's `base64.StdEncoding` decodes it: line breaks are passed over, padding is required, and the bits that the last
//! character has to spare are not looked at.

/// The bytes; `None` where the text is not base64.
pub(crate) fn decode(text: &str) -> Option<Vec<u8>> {
    let symbols: Vec<u8> = text.bytes().filter(|byte| !matches!(byte, b'\r' | b'\n')).collect();
    if !symbols.len().is_multiple_of(4) {
        return None;
    }
    let padding = symbols.iter().rev().take(2).take_while(|byte| **byte == b'=').count();
    let mut bytes = Vec::with_capacity(symbols.len() / 4 * 3);
    for group in symbols[..symbols.len() - padding].chunks(4) {
        let mut bits = 0;
        for symbol in group {
            bits = bits << 6 | value(*symbol)?;
        }
        bits <<= 6 * (4 - group.len());
        bytes.extend(&bits.to_be_bytes()[1..group.len()]);
    }
    Some(bytes)
}

fn value(symbol: u8) -> Option<u32> {
    let value = match symbol {
        b'A'..=b'Z' => symbol - b'A',
        b'a'..=b'z' => symbol - b'a' + 26,
        b'0'..=b'9' => symbol - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    };
    Some(value.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of RFC 4648, section 10.
    #[test]
    fn the_examples_of_the_standard_are_decoded() {
        let cases =
            [("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYg==", "foob"), ("Zm9vYmE=", "fooba"), ("Zm9vYmFy", "foobar")];
        for (text, decoded) in cases {
            assert_eq!(decode(text).as_deref(), Some(decoded.as_bytes()), "{text}");
        }
        assert_eq!(decode("Zm9v\r\nYmFy\n").as_deref(), Some(&b"foobar"[..]));
        assert_eq!(decode("Zh==").as_deref(), Some(&b"f"[..]));
    }

    #[test]
    fn what_is_not_base64_is_refused() {
        for text in ["Zg", "Zg=", "Z===", "====", "Zg==Zg==", "Z g=", "Zm9-", "=", "Zm8=\u{e9}"] {
            assert_eq!(decode(text), None, "{text}");
        }
    }
}
