// swift-tools-version: 6.0
import Foundation
import PackageDescription

// Elsewhere the installed library is found through pkg-config. On Apple's systems it comes from the XCFramework that xcframework.sh makes, when there is one.
let framework = "Toolbroker.xcframework"
#if canImport(Darwin)
let isBinary = FileManager.default.fileExists(atPath: Context.packageDirectory + "/" + framework)
#else
let isBinary = false
#endif
let library: Target = isBinary
    ? .binaryTarget(name: "CToolbroker", path: framework)
    : .systemLibrary(name: "CToolbroker", pkgConfig: "toolbroker")

let package = Package(
    name: "toolbroker",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [.library(name: "Toolbroker", targets: ["Toolbroker"])],
    targets: [
        library,
        .target(name: "Toolbroker", dependencies: ["CToolbroker"]),
        .testTarget(name: "ToolbrokerTests", dependencies: ["Toolbroker", "CToolbroker"]),
        // Speaks the pipe protocol of tests/c/driver.c, so that the cases of all languages run through Swift.
        .executableTarget(name: "driver", dependencies: ["Toolbroker"], path: "Tests/driver"),
    ],
    swiftLanguageModes: [.v6]
)
