import CToolbroker

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Knows guidance on tools: it is asked about some and gives the hints on each, in order, nil where it has none.
///
/// It runs on the thread of the call, inside the call, with no lock held, on several threads at once where several call; it may call the same broker.
/// With the option `enricherAsks: .names` the servers are empty. What it throws fails the call `overrides` with the code `callback` and the error's
/// description in the message; `select` goes on without a block, logs and warns. A thrown `ToolbrokerError` with a negative status hands on status and
/// message; any other error has the status -1. `CancellationError` ends both calls with the code `stopped`.
public typealias Enricher = @Sendable (_ tools: [ToolID]) throws -> [Hints?]

/// Turns texts into vectors, by which tools are then ranked beside their words: one vector for each text, in order, all of one length.
///
/// It is asked once for each tool, about up to 64 at a time, by `embedTools` or by the first call that ranks, and for the message each time. It runs on the
/// thread of the call, inside the call, with no lock held, on several threads at once where several call; it may call the same broker. What it throws, and
/// an answer that does not fit, fails `embedTools` with the code `callback`, as for the enricher; `select` and `rank` go on by words alone,
/// log, and warn with `embedder_failed`. `CancellationError` ends all of them with the code `stopped`.
public typealias Embedder = @Sendable (_ texts: [String]) throws -> [[Float]]

/// Takes warnings, one line each. It runs on the thread of the call, inside the call, with no lock held, on several threads at once where several call; it
/// may call the same broker.
public typealias Logger = @Sendable (_ message: String) -> Void

/// The status of a callback that answers by one of its own or throws; `tell` hands the library the reason and gives back the status that stands then.
private func status(of answer: () throws -> Int32, tell: (_ reason: String, _ status: Int32) -> Int32) -> Int32 {
    do {
        return try answer()
    } catch is CancellationError {
        return TB_STOP
    } catch let error as ToolbrokerError {
        return tell(error.message, error.status < 0 ? error.status : -1)
    } catch {
        return tell(String(describing: error), -1)
    }
}

/// Hands a text to the library by `take`; `status` stands where that went well.
private func hand(_ text: String, then status: Int32, take: (UnsafePointer<CChar>?, Int) -> Int32) -> Int32 {
    var text = text
    let taken = text.withUTF8 { text in
        let text = UnsafeRawBufferPointer(text).bindMemory(to: CChar.self)
        return take(text.baseAddress, text.count)
    }
    return taken == TB_OK ? status : taken
}

/// Keeps an enricher for the library, which releases it with the broker. No Swift error passes through the library.
final class EnricherBox: Sendable {
    private let enricher: Enricher

    init(_ enricher: @escaping Enricher) { self.enricher = enricher }

    /// The library owns one reference from here on, also when it refuses.
    func set(on builder: OpaquePointer?, _ error: inout OpaquePointer?) -> Int32 {
        tb_builder_set_enricher(
            builder,
            { context, _, request, length, writer in
                Unmanaged<EnricherBox>.fromOpaque(context!).takeUnretainedValue()
                    .answer(UnsafeRawBufferPointer(start: request, count: length), writer)
            },
            Unmanaged.passRetained(self).toOpaque(),
            { context in Unmanaged<EnricherBox>.fromOpaque(context!).release() },
            &error)
    }

    private func answer(_ request: UnsafeRawBufferPointer, _ writer: OpaquePointer?) -> Int32 {
        let write = { (text: String, status: Int32) in hand(text, then: status) { tb_writer_write(writer, $0, $1) } }
        return status(
            of: {
                let asked: Question = try JSON.read(String(decoding: request, as: UTF8.self))
                return write(try JSON.text(of: Answer(hints: try enricher(asked.tools))), TB_OK)
            }, tell: write)
    }

    private struct Question: Decodable { let tools: [ToolID] }
    private struct Answer: Encodable { let hints: [Hints?] }
}

/// Keeps an embedder for the library, which releases it with the broker. No Swift error passes through the library.
final class EmbedderBox: Sendable {
    private let embedder: Embedder

    init(_ embedder: @escaping Embedder) { self.embedder = embedder }

    /// The library owns one reference from here on, also when it refuses.
    func set(on builder: OpaquePointer?, _ error: inout OpaquePointer?) -> Int32 {
        tb_builder_set_embedder(
            builder,
            { context, _, request, length, vectors in
                Unmanaged<EmbedderBox>.fromOpaque(context!).takeUnretainedValue()
                    .answer(UnsafeRawBufferPointer(start: request, count: length), vectors)
            },
            Unmanaged.passRetained(self).toOpaque(),
            { context in Unmanaged<EmbedderBox>.fromOpaque(context!).release() },
            &error)
    }

    private func answer(_ request: UnsafeRawBufferPointer, _ vectors: OpaquePointer?) -> Int32 {
        status(
            of: {
                let asked: Question = try JSON.read(String(decoding: request, as: UTF8.self))
                return push(try embedder(asked.texts), for: asked.texts.count, to: vectors)
            },
            tell: { explain($0, to: vectors, then: $1) })
    }

    /// The library compares numbers and lengths. What it does not even take is told in its words.
    private func push(_ made: [[Float]], for texts: Int, to vectors: OpaquePointer?) -> Int32 {
        for (place, vector) in made.enumerated() {
            let status = vector.withUnsafeBufferPointer { tb_vectors_push(vectors, $0.baseAddress, $0.count) }
            guard status == TB_OK else {
                let fault = place < texts ? "a vector of \(vector.count) values" : "\(made.count) vectors for \(texts) texts"
                return explain("the embedder's answer: \(fault)", to: vectors, then: status)
            }
        }
        return TB_OK
    }

    private func explain(_ text: String, to vectors: OpaquePointer?, then status: Int32) -> Int32 {
        hand(text, then: status) { tb_vectors_explain(vectors, $0, $1) }
    }

    private struct Question: Decodable { let texts: [String] }
}

/// Keeps a logger for the library, which releases it with the broker.
final class LoggerBox: Sendable {
    private let logger: Logger

    init(_ logger: @escaping Logger) { self.logger = logger }

    /// The library owns one reference from here on, also when it refuses.
    func set(on builder: OpaquePointer?, _ error: inout OpaquePointer?) -> Int32 {
        tb_builder_set_logger(
            builder,
            { context, _, message, length in
                let text = String(decoding: UnsafeRawBufferPointer(start: message, count: length), as: UTF8.self)
                Unmanaged<LoggerBox>.fromOpaque(context!).takeUnretainedValue().logger(text)
            },
            Unmanaged.passRetained(self).toOpaque(),
            { context in Unmanaged<LoggerBox>.fromOpaque(context!).release() },
            &error)
    }
}
