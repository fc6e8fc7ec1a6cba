/// What the library is.
public struct Info: Hashable, Sendable, Codable {
    /// Its version, such as `0.1.0`.
    public let version: String
    /// The number of its ABI.
    public let abi: Int
    /// The profiles it has.
    public let profiles: [String]
    /// Every limit by its name in `docs/contract.md`.
    public let limits: [String: Int]
    /// The languages of messages that it knows.
    public let languages: [Language]
    /// Every weight of `Options.ranking`, with its default.
    public let ranking: [String: Double]
    /// The constants of the replaced package.
    public let constants: [String: Double]
}
