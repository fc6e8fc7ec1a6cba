// Runs the calls that it reads, through the Swift API, so that the tests can hold every language to the same cases. tests/c/driver.c describes the pipe.

import Foundation
import Toolbroker

func readByte() -> UInt8? { try? FileHandle.standardInput.read(upToCount: 1)?.first }

/// So many bytes; a pipe gives them in pieces.
func readBytes(_ length: Int) -> Data {
    var bytes = Data()
    while bytes.count < length {
        guard let piece = try? FileHandle.standardInput.read(upToCount: length - bytes.count), !piece.isEmpty else {
            fatalError("driver: the record ends early")
        }
        bytes += piece
    }
    return bytes
}

/// A record: a word, and as many bytes as were announced behind it. Nil at the end of input.
func readRecord() -> (word: String, text: String)? {
    var head: [UInt8] = []
    while let byte = readByte(), byte != UInt8(ascii: "\n") { head.append(byte) }
    if head.isEmpty { return nil }
    let parts = String(decoding: head, as: UTF8.self).split(separator: " ")
    guard parts.count == 2, let length = Int(parts[1]) else { fatalError("driver: no head of a record") }
    return (String(parts[0]), String(decoding: readBytes(length), as: UTF8.self))
}

func writeRecord(_ word: String, _ text: String) {
    FileHandle.standardOutput.write(Data("\(word) \(text.utf8.count)\n\(text)".utf8))
}

/// Asks the test at the other end of the pipe. A status that is a failure goes to the library as it came.
@Sendable func answer(to word: String, _ question: some Encodable) throws -> String {
    writeRecord(word, String(decoding: try JSONEncoder().encode(question), as: UTF8.self))
    guard let (word, text) = readRecord(), let status = Int32(word) else { fatalError("driver: no answer") }
    guard status == 0 else { throw ToolbrokerError(code: .callback, status: status, message: text) }
    return text
}

let ask: Enricher = { tools in
    struct Answer: Decodable { let hints: [Hints?] }
    let question = tools.map { $0.server.isEmpty ? ["name": $0.name] : ["name": $0.name, "server": $0.server] }
    let text = try answer(to: "ask", ["tools": question])
    return try JSONDecoder().decode(Answer.self, from: Data(text.utf8)).hints
}

let embed: Embedder = { texts in
    let lines = try answer(to: "embed", ["texts": texts]).split(separator: "\n", omittingEmptySubsequences: false)
    return lines.dropLast().map { line in line.split(separator: " ").map { Float($0)! } }
}

var broker: Broker?
while let (word, text) = readRecord() {
    do throws(ToolbrokerError) {
        switch word {
        case "options", "enricher", "embedder":
            broker?.close()
            broker = try Broker(json: text, enricher: word == "enricher" ? ask : nil, embedder: word == "embedder" ? embed : nil)
            writeRecord("0", "")
        default:
            guard let broker else { fatalError("driver: no broker was made") }
            writeRecord("0", try broker.call(word, text))
        }
    } catch {
        writeRecord("\(error.status)", error.json)
    }
}
