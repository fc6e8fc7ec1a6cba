/// What became of tools that were added, replaced or removed. One bad tool is refused by itself; the others are taken.
public struct ToolsReport: Hashable, Sendable, Codable {
    /// Tools that are new.
    public let added: [ToolID]
    /// Tools that took the place of those of the same server and name.
    public let replaced: [ToolID]
    /// Tools that are gone.
    public let removed: [ToolID]
    /// Tools that were not taken, and why.
    public let refused: [Refusal]
    /// What is to know of tools that were taken.
    public let warnings: [Warning]?
    /// How many tools are registered now.
    public let total: Int

    /// A tool that was not taken.
    public struct Refusal: Hashable, Sendable, Codable {
        /// Its place in the list that was handed in, from 0.
        public let index: Int
        /// Its server.
        public let server: String?
        /// Its name, where one could be read.
        public let name: String?
        /// What kind of fault it has.
        public let code: ToolbrokerError.Code
        /// What is wrong, in one line.
        public let message: String
        /// The value inside the tool.
        public let path: String?
    }
}

/// Something to know that is no failure.
public struct Warning: Hashable, Sendable, Codable {
    /// What kind it is, such as `unknown_pin`; more may come.
    public let code: String
    /// What it is, in one line.
    public let message: String
    /// The server of the tool that it is about.
    public let server: String?
    /// The name of the tool that it is about, where it is about one.
    public let name: String?
}
