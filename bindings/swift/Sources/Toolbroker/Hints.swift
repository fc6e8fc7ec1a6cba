/// Guidance on a tool, for the override block of the system prompt.
public struct Hints: Hashable, Sendable, Codable {
    /// What must hold before it is called.
    public var preconditions: [String]?
    /// What it is not for.
    public var antiPatterns: [String]?
    /// Tools that are called after it.
    public var chainsWith: [String]?
    /// What it gives.
    public var outputShape: String?

    /// Guidance; nil is absent.
    public init(preconditions: [String]? = nil, antiPatterns: [String]? = nil, chainsWith: [String]? = nil, outputShape: String? = nil) {
        self.preconditions = preconditions
        self.antiPatterns = antiPatterns
        self.chainsWith = chainsWith
        self.outputShape = outputShape
    }

    private enum CodingKeys: String, CodingKey {
        case preconditions
        case antiPatterns = "anti_patterns"
        case chainsWith = "chains_with"
        case outputShape = "output_shape"
    }
}
