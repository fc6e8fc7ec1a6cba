import CToolbroker
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Holds all tools, rules and intents, and decides which tools a model sees.
///
/// A broker may be shared between threads, tasks and actors, and every call may run on several at once: a call sees one state from beginning to end, and
/// neither waits for changes nor makes them wait. Calls are synchronous: they take microseconds to a few milliseconds and do no input or output (but for
/// a rule file that `loadRules` is told to read), so that they may be made from an actor or a task as they are.
///
/// The library's broker is freed with the last reference to this object, or by `close()`, in both cases when the last call under way has ended.
/// A callback that refers to the broker that it was given to must do so weakly, or the broker must be closed: else the two keep each other alive.
public final class Broker: Sendable {
    /// The library's broker and how many use it: this object until it is closed, and each call under way.
    private let handle: Mutex<Handle?>

    /// Makes a broker without tools and rules, with the built-in intents.
    ///
    /// - Parameters:
    ///   - options: the profile, and single switches that win over it.
    ///   - enricher: knows guidance on tools; see `Enricher`.
    ///   - embedder: turns texts into vectors; see `Embedder`.
    ///   - logger: takes warnings; see `Logger`.
    /// - Throws: `invalidOptions`; `abiMismatch` where the library does not belong to this package.
    public convenience init(
        _ options: Options = Options(), enricher: Enricher? = nil, embedder: Embedder? = nil, logger: Logger? = nil
    ) throws(ToolbrokerError) {
        try self.init(json: try JSON.text(of: options), enricher: enricher, embedder: embedder, logger: logger)
    }

    /// Makes a broker with options as JSON, for switches that this package does not know; otherwise as the other initializer.
    ///
    /// - Parameters:
    ///   - options: a JSON object as `docs/contract.md` describes it; empty text is the standard profile.
    ///   - enricher: knows guidance on tools; see `Enricher`.
    ///   - embedder: turns texts into vectors; see `Embedder`.
    ///   - logger: takes warnings; see `Logger`.
    /// - Throws: `invalidJSON`, `invalidOptions`, `tooLarge`, `tooDeep`; `abiMismatch` where the library does not belong to this package.
    public init(json options: String, enricher: Enricher? = nil, embedder: Embedder? = nil, logger: Logger? = nil) throws(ToolbrokerError) {
        try ABI.matches.get()
        handle = Mutex(try Handle(options, enricher, embedder, logger))
    }

    /// Closes the broker. Calls under way end as if it were open, then it is freed; calls from now on throw `closed`. Closing again does nothing.
    public func close() {
        // What is taken out is let go of behind the lock: a callback's own deinit may call the broker.
        let taken = handle.withLock { handle in
            defer { handle = nil }
            return handle
        }
        withExtendedLifetime(taken) {}
    }

    /// Whether the broker was not closed yet. Another thread may close it right after.
    public var isOpen: Bool { handle.withLock { $0 != nil } }

    /// Makes any call of the contract, by name: every call and every key of the library, also those for which this package has no types.
    ///
    /// The answer's tools are byte for byte as they came in.
    /// - Parameters:
    ///   - name: the call, such as `select`.
    ///   - request: a JSON object, or empty text.
    /// - Returns: the answer, JSON.
    /// - Throws: the errors of that call; `invalidRequest` where there is no call of that name; `closed`.
    public func call(_ name: String, _ request: String = "") throws(ToolbrokerError) -> String {
        var request = request
        let (entry, handle) = (try Entry.named(name), try open())
        return try request.withUTF8 { request in handle.run(entry, UnsafeRawBufferPointer(request)) { String(decoding: $0, as: UTF8.self) } }.get()
    }

    /// Makes any call of the contract with UTF-8 bytes; otherwise as with text. Bytes that are not UTF-8 throw `invalidUTF8`.
    ///
    /// - Parameters:
    ///   - name: the call, such as `select`.
    ///   - request: a JSON object in UTF-8, or nothing.
    /// - Returns: the answer, JSON in UTF-8.
    /// - Throws: the errors of that call; `invalidRequest` where there is no call of that name; `closed`.
    public func call(_ name: String, _ request: Data) throws(ToolbrokerError) -> Data {
        let (entry, handle) = (try Entry.named(name), try open())
        return try request.withUnsafeBytes { request in handle.run(entry, request) { Data($0) } }.get()
    }

    /// Makes a call that needs no broker: `info`, `default_rules`, `read_rules`, `read_hints`.
    ///
    /// - Parameters:
    ///   - name: the call, such as `info`.
    ///   - request: a JSON object, or empty text.
    /// - Returns: the answer, JSON.
    /// - Throws: the errors of that call; `invalidRequest` where there is no such call or it needs a broker; `abiMismatch`.
    public static func call(_ name: String, _ request: String = "") throws(ToolbrokerError) -> String {
        try ABI.matches.get()
        let entry = try Entry.named(name)
        guard case .library = entry else {
            throw ToolbrokerError(code: .invalidRequest, status: TB_ERR_INVALID_REQUEST, message: "the call `\(name)` needs a broker")
        }
        var request = request
        return try request.withUTF8 { request in
            entry.run(on: nil, UnsafeRawBufferPointer(request)) { String(decoding: $0, as: UTF8.self) }
        }.get()
    }

    /// Selects as `select` does, and gives the places of the tools in the order of registration, from 0. No tool is copied and no callback runs,
    /// so that an embedder has no part in the order: the call for a host that holds the tools in a list of its own.
    ///
    /// - Parameter request: as for `select`.
    /// - Returns: the places, in the order of the selection.
    /// - Throws: `invalidRequest`, `tooLarge`; `closed`.
    public func selectIndices(_ request: SelectRequest = SelectRequest()) throws(ToolbrokerError) -> [Int] {
        let handle = try open()
        var text = try JSON.text(of: request)
        return try text.withUTF8 { handle.selectIndices($0) }.get()
    }

    /// The library's broker, kept alive for one call.
    private func open() throws(ToolbrokerError) -> Handle {
        guard let handle = handle.withLock({ $0 }) else { throw .closed }
        return handle
    }
}

/// A broker of the library. The last reference frees it: that of the open `Broker`, or of a call that outlasts it.
///
/// The mark is unchecked because the compiler knows nothing of the pointer: the library promises that all calls on a broker may run at once, and it is freed
/// when no call can hold it any more.
private final class Handle: @unchecked Sendable {
    private let pointer: OpaquePointer

    init(_ options: String, _ enricher: Enricher?, _ embedder: Embedder?, _ logger: Logger?) throws(ToolbrokerError) {
        var options = options
        pointer = try options.withUTF8 { Handle.make($0, enricher, embedder, logger) }.get()
    }

    deinit { tb_broker_free(pointer) }

    func run<Answer>(
        _ entry: Entry, _ request: UnsafeRawBufferPointer, _ read: (UnsafeRawBufferPointer) -> Answer
    ) -> Result<Answer, ToolbrokerError> {
        withExtendedLifetime(self) { entry.run(on: pointer, request, read) }
    }

    func selectIndices(_ request: UnsafeBufferPointer<UInt8>) -> Result<[Int], ToolbrokerError> {
        withExtendedLifetime(self) {
            let text = UnsafeRawBufferPointer(request).bindMemory(to: CChar.self)
            var capacity = 64
            while true {
                var count = 0
                var error: OpaquePointer?
                var status = TB_OK
                let places = [Int](unsafeUninitializedCapacity: capacity) { places, initialized in
                    status = tb_broker_select_indices(pointer, text.baseAddress, text.count, places.baseAddress, capacity, &count, &error)
                    initialized = min(count, capacity)
                }
                guard status == TB_OK else { return .failure(ToolbrokerError(status: status, taking: error)) }
                if count <= capacity { return .success(places) }
                // Another thread may have added tools meanwhile, hence the loop.
                capacity = count
            }
        }
    }

    private static func make(
        _ options: UnsafeBufferPointer<UInt8>, _ enricher: Enricher?, _ embedder: Embedder?, _ logger: Logger?
    ) -> Result<OpaquePointer, ToolbrokerError> {
        let text = UnsafeRawBufferPointer(options).bindMemory(to: CChar.self)
        var builder: OpaquePointer?
        var broker: OpaquePointer?
        var error: OpaquePointer?
        var status = tb_builder_new(text.baseAddress, text.count, &builder, &error)
        if status == TB_OK, let enricher { status = EnricherBox(enricher).set(on: builder, &error) }
        if status == TB_OK, let embedder { status = EmbedderBox(embedder).set(on: builder, &error) }
        if status == TB_OK, let logger { status = LoggerBox(logger).set(on: builder, &error) }
        if status == TB_OK {
            status = tb_builder_build(builder, &broker, &error)
        } else {
            tb_builder_free(builder)
        }
        guard status == TB_OK, let broker else { return .failure(ToolbrokerError(status: status, taking: error)) }
        return .success(broker)
    }
}

/// Whether the library speaks the ABI of the header that this package was built with.
enum ABI {
    /// Looked at before the library's first use.
    static let matches = compare(header: UInt32(TB_ABI_VERSION), library: tb_abi_version())

    static func compare(header: UInt32, library: UInt32) -> Result<Void, ToolbrokerError> {
        if header == library { return .success(()) }
        let message = "this package was built for ABI \(header) of libtoolbroker, and the library that was found has ABI \(library)"
        return .failure(ToolbrokerError(code: .abiMismatch, status: 102, message: message))
    }
}
