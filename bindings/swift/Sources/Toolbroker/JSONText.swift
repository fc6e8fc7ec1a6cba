/// Finds values in JSON text without reading them, so that a tool's own text can be handed on byte for byte.
struct JSONText {
    private let bytes: [UInt8]

    init(_ text: String) { bytes = Array(text.utf8) }

    /// Whether the text cannot end the object that it is put into, nor add a key to it. Whether it is JSON the library finds out.
    var staysOneValue: Bool {
        var depth = 0
        var at = 0
        while at < bytes.count {
            switch bytes[at] {
            case UInt8(ascii: "\""): at = endOfString(at) - 1
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ","): if depth == 0 { return false }
            default: break
            }
            if depth < 0 { return false }
            at += 1
        }
        return depth == 0
    }

    /// The texts of the items of a well-formed list, or of the list under the key `tools` of a well-formed object; none where there is no such list.
    func tools() -> [String] {
        let start = skipSpace(0)
        if start < bytes.count, bytes[start] == UInt8(ascii: "{") {
            let pieces = pieces(inside: start)
            // Keys and values take turns.
            for at in stride(from: 0, to: pieces.count - 1, by: 2) where bytes[pieces[at]].elementsEqual("\"tools\"".utf8) {
                return items(pieces[at + 1].lowerBound)
            }
            return []
        }
        return items(start)
    }

    private func items(_ start: Int) -> [String] {
        guard start < bytes.count, bytes[start] == UInt8(ascii: "[") else { return [] }
        return pieces(inside: start).map { String(decoding: bytes[$0], as: UTF8.self) }
    }

    /// The values, and in an object also the keys, directly inside the brackets at `start`.
    private func pieces(inside start: Int) -> [Range<Int>] {
        var pieces: [Range<Int>] = []
        var at = start + 1
        while true {
            while at < bytes.count, isSpace(bytes[at]) || bytes[at] == UInt8(ascii: ",") || bytes[at] == UInt8(ascii: ":") { at += 1 }
            if at >= bytes.count || bytes[at] == UInt8(ascii: "]") || bytes[at] == UInt8(ascii: "}") { return pieces }
            let end = endOfValue(at)
            pieces.append(at..<end)
            at = end
        }
    }

    private func endOfValue(_ start: Int) -> Int {
        var depth = 0
        var at = start
        repeat {
            switch bytes[at] {
            case UInt8(ascii: "\""): at = endOfString(at)
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                at += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                at += 1
            default:
                at += 1
                while depth == 0, at < bytes.count, !isSpace(bytes[at]), !",:]}".utf8.contains(bytes[at]) { at += 1 }
            }
        } while depth > 0 && at < bytes.count
        return at
    }

    private func endOfString(_ start: Int) -> Int {
        var at = start + 1
        while at < bytes.count, bytes[at] != UInt8(ascii: "\"") { at += bytes[at] == UInt8(ascii: "\\") ? 2 : 1 }
        return min(at + 1, bytes.count)
    }

    private func skipSpace(_ start: Int) -> Int {
        var at = start
        while at < bytes.count, isSpace(bytes[at]) { at += 1 }
        return at
    }

    private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }
}
