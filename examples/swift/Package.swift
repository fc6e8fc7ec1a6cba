// swift-tools-version: 6.0
import PackageDescription

let names = ["hello", "basic", "rules_file", "overrides"]

let package = Package(
    name: "examples",
    platforms: [.macOS(.v15)],
    // A link to bindings/swift: the package manager calls packages after their folders, and this one is in a folder `swift` too.
    dependencies: [.package(path: "toolbroker")],
    targets: names.map { .executableTarget(name: $0, dependencies: [.product(name: "Toolbroker", package: "toolbroker")], path: $0) },
    swiftLanguageModes: [.v6]
)
