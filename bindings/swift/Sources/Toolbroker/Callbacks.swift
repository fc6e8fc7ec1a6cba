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

/// Takes warnings, one line each. It runs on the thread of the call, inside the call, with no lock held, on several threads at once where several call; it
/// may call the same broker.
public typealias Logger = @Sendable (_ message: String) -> Void

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
        do {
            let asked: Question = try JSON.read(String(decoding: request, as: UTF8.self))
            return write(try JSON.text(of: Answer(hints: try enricher(asked.tools))), to: writer, then: TB_OK)
        } catch is CancellationError {
            return TB_STOP
        } catch let error as ToolbrokerError {
            return write(error.message, to: writer, then: error.status < 0 ? error.status : -1)
        } catch {
            return write(String(describing: error), to: writer, then: -1)
        }
    }

    private func write(_ text: String, to writer: OpaquePointer?, then status: Int32) -> Int32 {
        var text = text
        let written = text.withUTF8 { text in
            let text = UnsafeRawBufferPointer(text).bindMemory(to: CChar.self)
            return tb_writer_write(writer, text.baseAddress, text.count)
        }
        return written == TB_OK ? status : written
    }

    private struct Question: Decodable { let tools: [ToolID] }
    private struct Answer: Encodable { let hints: [Hints?] }
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
