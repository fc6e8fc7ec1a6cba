import CToolbroker
import Foundation
import XCTest

@testable import Toolbroker

/// When the library's broker and the callbacks are freed, and what a closed broker does.
final class LifetimeTests: XCTestCase {
    private func witnessed(_ freed: Counter) throws -> Broker {
        let (one, two, three) = (Witness(freed), Witness(freed), Witness(freed))
        return try brokerWithTools(
            enricher: { tools in withExtendedLifetime(one) { tools.map { _ in nil } } },
            embedder: { texts in withExtendedLifetime(three) { texts.map { _ in [1] } } },
            logger: { _ in withExtendedLifetime(two) {} })
    }

    func testTheLastReferenceFrees() throws {
        let freed = Counter()
        var broker: Broker? = try witnessed(freed)
        XCTAssertEqual(try broker?.select().count, 2)
        XCTAssertEqual(freed.value, 0)
        broker = nil
        XCTAssertEqual(freed.value, 3)
    }

    func testClosingFreesOnce() throws {
        let freed = Counter()
        let broker = try witnessed(freed)
        XCTAssertTrue(broker.isOpen)
        broker.close()
        XCTAssertEqual(freed.value, 3)
        XCTAssertFalse(broker.isOpen)
        broker.close()
        XCTAssertEqual(freed.value, 3)
    }

    func testEveryCallOnAClosedBrokerThrows() throws {
        let broker = try brokerWithTools()
        broker.close()
        XCTAssertEqual(try errorOf(try broker.call("select")), .closed)
        XCTAssertEqual(try errorOf(try broker.call("select", Data())).code, .closed)
        XCTAssertEqual(try errorOf(try broker.select()).status, 101)
        XCTAssertEqual(try errorOf(try broker.selectIndices()).text, "the broker is closed")
        XCTAssertEqual(try errorOf(try broker.rank(RankRequest(message: "x"))).code, .closed)
        XCTAssertEqual(try errorOf(try broker.embedTools()).code, .closed)
        XCTAssertEqual(try errorOf(try broker.addTools("[]")).code, .closed)
        XCTAssertEqual(try errorOf(try broker.call("info")).code, .closed)
        XCTAssertNoThrow(try Broker.info())
    }

    func testBadOptionsFreeTheCallbacks() throws {
        let freed = Counter()
        XCTAssertEqual(try errorOf(try Broker(json: #"{"profil":"x"}"#, enricher: makeEnricher(Witness(freed)))).code, .invalidOptions)
        XCTAssertEqual(freed.value, 1)
    }

    func testTheLibraryFreesAnEnricherThatItRefuses() throws {
        let freed = Counter()
        var (builder, error): (OpaquePointer?, OpaquePointer?)
        XCTAssertEqual(tb_builder_new(nil, 0, &builder, nil), TB_OK)
        XCTAssertEqual(EnricherBox(makeEnricher(Witness(freed))).set(on: builder, &error), TB_OK)
        XCTAssertEqual(freed.value, 0)
        XCTAssertEqual(EnricherBox(makeEnricher(Witness(freed))).set(on: builder, &error), TB_ERR_INVALID_REQUEST)
        XCTAssertEqual(freed.value, 1)
        tb_error_free(error)
        tb_builder_free(builder)
        XCTAssertEqual(freed.value, 2)
    }

    func testTheLibraryFreesAnEmbedderThatItRefuses() throws {
        let freed = Counter()
        let makeEmbedder = { (witness: Witness) -> Embedder in { texts in withExtendedLifetime(witness) { texts.map { _ in [1] } } } }
        var (builder, error): (OpaquePointer?, OpaquePointer?)
        XCTAssertEqual(tb_builder_new(nil, 0, &builder, nil), TB_OK)
        XCTAssertEqual(EmbedderBox(makeEmbedder(Witness(freed))).set(on: builder, &error), TB_OK)
        XCTAssertEqual(freed.value, 0)
        XCTAssertEqual(EmbedderBox(makeEmbedder(Witness(freed))).set(on: builder, &error), TB_ERR_INVALID_REQUEST)
        XCTAssertEqual(freed.value, 1)
        tb_error_free(error)
        tb_builder_free(builder)
        XCTAssertEqual(freed.value, 2)
    }

    func testACallThatClosesItsBrokerEndsAsIfItWereOpen() throws {
        let holder = Holder()
        holder.broker = try brokerWithTools(enricher: { tools in
            holder.broker?.close()
            XCTAssertEqual(try errorOf(try holder.broker!.select()).code, .closed)
            return tools.map { _ in Hints(outputShape: "a list") }
        })
        let selection = try XCTUnwrap(holder.broker).select()
        XCTAssertEqual(selection.count, 2)
        XCTAssertTrue(try XCTUnwrap(selection.overrideBlock).contains("- **clean**: a list"))
    }

    func testClosingWaitsForNoCallAndFreesBehindTheLast() throws {
        let freed = Counter()
        let (inside, goOn, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let broker = try brokerWithTools(enricher: makeEnricher(Witness(freed)) {
            inside.signal()
            goOn.wait()
        })
        Thread.detachNewThread {
            XCTAssertEqual(try? broker.select().count, 2)
            done.signal()
        }
        inside.wait()
        broker.close()
        XCTAssertEqual(freed.value, 0)
        goOn.signal()
        done.wait()
        XCTAssertEqual(freed.value, 1)
    }

    func testAnotherABIIsTold() throws {
        let error = try errorOf(try ABI.compare(header: 1, library: 2).get())
        XCTAssertEqual(error.code, .abiMismatch)
        XCTAssertEqual(error.status, 102)
        XCTAssertEqual(error.text, "this package was built for ABI 1 of libtoolbroker, and the library that was found has ABI 2")
        XCTAssertNoThrow(try ABI.matches.get())
    }
}

/// It alone holds the witness, so that letting go of the enricher shows.
private func makeEnricher(_ witness: Witness, _ whenAsked: @escaping @Sendable () -> Void = {}) -> Enricher {
    { tools in
        whenAsked()
        return withExtendedLifetime(witness) { tools.map { _ in nil } }
    }
}

private final class Holder: @unchecked Sendable {
    var broker: Broker?
}
