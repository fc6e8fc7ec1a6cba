import CToolbroker

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Why a call failed. A failed call changed nothing.
///
/// It belongs to the call that threw it and depends on nothing else, so that it may be kept and handed between threads.
public struct ToolbrokerError: Error, Sendable, Equatable {
    /// What kind of failure it is; stable.
    public let code: Code
    /// The number that C has for the code: negative from the library, 101 and up from this package. Numbers may be added.
    public let status: Int32
    /// What went wrong, in one line without place and hint.
    public let message: String
    /// What went wrong, in one line with place and hint: what a log shows.
    public let text: String
    /// Where it is, what to do about it, and every fault where there are several.
    public let detail: Detail
    /// The error as the library wrote it: JSON as `docs/contract.md` describes it, with every key that a newer library may have.
    public let json: String

    /// The kind of a failure: one of the names below, or one that a newer library brings.
    public struct Code: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
        /// The name, such as `invalid_rule`.
        public let rawValue: String
        /// The code of that name, also where this package does not know it.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The code of a status of the library; `unknown` where the library has no such status.
        public init(status: Int32) { self.init(rawValue: String(cString: tb_status_name(status))) }
        /// The name.
        public var description: String { rawValue }

        /// A fault of the library was caught. The broker stays usable.
        public static let panic = Code(rawValue: "panic")
        /// A required pointer is NULL: no call of this package brings it about.
        public static let nullArgument = Code(rawValue: "null_argument")
        /// Bytes that are not UTF-8.
        public static let invalidUTF8 = Code(rawValue: "invalid_utf8")
        /// Text that is not JSON.
        public static let invalidJSON = Code(rawValue: "invalid_json")
        /// Text that is not YAML.
        public static let invalidYAML = Code(rawValue: "invalid_yaml")
        /// A request with an unknown key, a wrong type or a value out of range.
        public static let invalidRequest = Code(rawValue: "invalid_request")
        /// The same, in options.
        public static let invalidOptions = Code(rawValue: "invalid_options")
        /// A rule text with faults.
        public static let invalidRule = Code(rawValue: "invalid_rule")
        /// An intent table with faults.
        public static let invalidIntents = Code(rawValue: "invalid_intents")
        /// Text that is not hints.
        public static let invalidHints = Code(rawValue: "invalid_hints")
        /// A tool that was refused, or tools that are no list.
        public static let invalidTool = Code(rawValue: "invalid_tool")
        /// Over a limit of size or number.
        public static let tooLarge = Code(rawValue: "too_large")
        /// Nested deeper than the limit.
        public static let tooDeep = Code(rawValue: "too_deep")
        /// A file that cannot be read.
        public static let io = Code(rawValue: "io")
        /// The enricher or the embedder failed; `detail.callbackStatus` has its number.
        public static let callback = Code(rawValue: "callback")
        /// The enricher or the embedder threw `CancellationError`.
        public static let stopped = Code(rawValue: "stopped")
        /// The broker was closed. Status 101.
        public static let closed = Code(rawValue: "closed")
        /// This package was built for another ABI than the library has. Status 102.
        public static let abiMismatch = Code(rawValue: "abi_mismatch")
        /// The library answered what the typed call does not understand; `call` gives the answer as it is. Status 103.
        public static let unexpectedAnswer = Code(rawValue: "unexpected_answer")
    }

    /// Where a fault is. What is not known is nil.
    public struct Place: Hashable, Sendable, Codable {
        /// The file, or the name given for a text.
        public let file: String?
        /// The line, from 1.
        public let line: Int?
        /// The column in characters, from 1.
        public let column: Int?
        /// The value inside the text, as `rules[2].match.patterns[0]`.
        public let path: String?
    }

    /// One fault of several.
    public struct Fault: Hashable, Sendable, Codable {
        /// What kind of fault it is.
        public let code: Code
        /// What is wrong, in one line.
        public let message: String
        /// Where it is.
        public let place: Place?
        /// What to do about it.
        public let hint: String?

        private enum CodingKeys: String, CodingKey {
            case code, message, hint
            case place = "at"
        }
    }

    /// What is known beside code and message.
    public struct Detail: Hashable, Sendable, Codable {
        /// Where the fault is.
        public let place: Place?
        /// What to do about it.
        public let hint: String?
        /// The number that the callback failed with.
        public let callbackStatus: Int32?
        /// Every fault where there are several, the first being the error itself.
        public let faults: [Fault]?

        private enum CodingKeys: String, CodingKey {
            case hint, faults
            case place = "at"
            case callbackStatus = "callback_status"
        }
    }

    /// An error that an enricher or an embedder throws to choose its number: a negative `status` comes back as `detail.callbackStatus`, `message` in the message.
    public init(code: Code, status: Int32, message: String) {
        self.init(code: code, status: status, message: message, text: message, detail: nil, json: nil)
    }

    /// Reads an error of the library and frees it.
    init(status: Int32, taking error: OpaquePointer?) {
        defer { tb_error_free(error) }
        let text = String(cString: tb_error_message(error))
        let json = String(cString: tb_error_json(error))
        let fault = try? JSONDecoder().decode(Fault.self, from: Data(json.utf8))
        let detail = try? JSONDecoder().decode(Detail.self, from: Data(json.utf8))
        self.init(
            code: fault?.code ?? Code(status: status), status: error == nil ? status : tb_error_status(error),
            message: fault?.message ?? text, text: text, detail: detail, json: fault == nil ? nil : json)
    }

    private init(code: Code, status: Int32, message: String, text: String, detail: Detail?, json: String?) {
        self.code = code
        self.status = status
        self.message = message
        self.text = text
        self.detail = detail ?? Detail(place: nil, hint: nil, callbackStatus: nil, faults: nil)
        let quoted = { (text: String) in (try? JSON.text(of: text)) ?? "\"\"" }
        self.json = json ?? "{\"code\":\(quoted(code.rawValue)),\"message\":\(quoted(message))}"
    }

    static let closed = ToolbrokerError(code: .closed, status: 101, message: "the broker is closed")
}

extension ToolbrokerError: CustomStringConvertible, LocalizedError {
    /// `code: text`.
    public var description: String { "\(code): \(text)" }
    /// The text, for `localizedDescription`.
    public var errorDescription: String? { text }
}
