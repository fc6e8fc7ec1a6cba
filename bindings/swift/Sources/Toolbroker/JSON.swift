#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Values to JSON and back, with the errors of this package.
enum JSON {
    /// The JSON of a value; the same value gives the same text, since keys are sorted.
    static func text(of value: some Encodable) throws(ToolbrokerError) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return String(decoding: try encoder.encode(value), as: UTF8.self)
        } catch {
            throw ToolbrokerError(code: .invalidRequest, status: -6, message: "the request cannot be written as JSON: \(error)")
        }
    }

    /// Reads an answer. `tools` are the texts of the tools in it, where there are any.
    static func read<Answer: Decodable>(_ answer: String, tools: [String] = []) throws(ToolbrokerError) -> Answer {
        let decoder = JSONDecoder()
        decoder.userInfo[Tool.texts] = tools
        do {
            return try decoder.decode(Answer.self, from: Data(answer.utf8))
        } catch {
            throw ToolbrokerError(code: .unexpectedAnswer, status: 103, message: "the library's answer is no \(Answer.self): \(error)")
        }
    }
}
