import CToolbroker

/// Where a call's text goes in and its answer comes out, as every function of the library has it.
typealias LibraryCall = (UnsafePointer<CChar>?, Int, UnsafeMutablePointer<tb_buf>?, UnsafeMutablePointer<OpaquePointer?>?) -> Int32
/// The same on a broker.
typealias BrokerCall = (OpaquePointer?, UnsafePointer<CChar>?, Int, UnsafeMutablePointer<tb_buf>?, UnsafeMutablePointer<OpaquePointer?>?) -> Int32
/// The same for a call that can run a callback, with the context of the call before the answer.
typealias AskingCall =
    (OpaquePointer?, UnsafePointer<CChar>?, Int, UnsafeMutableRawPointer?, UnsafeMutablePointer<tb_buf>?, UnsafeMutablePointer<OpaquePointer?>?) -> Int32

/// The function behind a call's name. A new call is one new line here.
enum Entry {
    case library(LibraryCall)
    case broker(BrokerCall)
    case asking(AskingCall)

    init?(_ name: String) {
        switch name {
        case "info": self = .library(tb_info)
        case "default_rules": self = .library(tb_default_rules)
        case "read_rules": self = .library(tb_read_rules)
        case "read_hints": self = .library(tb_read_hints)
        case "add_tools": self = .broker(tb_broker_add_tools)
        case "replace_tools": self = .broker(tb_broker_replace_tools)
        case "remove_tools": self = .broker(tb_broker_remove_tools)
        case "all_tools": self = .broker(tb_broker_all_tools)
        case "load_rules": self = .broker(tb_broker_load_rules)
        case "all_rules": self = .broker(tb_broker_all_rules)
        case "load_intents": self = .broker(tb_broker_load_intents)
        case "detect_intent": self = .broker(tb_broker_detect_intent)
        case "tokenize": self = .broker(tb_broker_tokenize)
        case "score_by_keywords": self = .broker(tb_broker_score_by_keywords)
        case "score_by_intent": self = .broker(tb_broker_score_by_intent)
        case "find_by_names": self = .broker(tb_broker_find_by_names)
        case "estimate": self = .broker(tb_broker_estimate)
        case "prune": self = .broker(tb_broker_prune)
        case "select": self = .asking(tb_broker_select)
        case "rank": self = .asking(tb_broker_rank)
        case "embed_tools": self = .asking(tb_broker_embed_tools)
        case "overrides": self = .asking(tb_broker_overrides)
        default: return nil
        }
    }

    /// The function of a call, or the error that there is none.
    static func named(_ name: String) throws(ToolbrokerError) -> Entry {
        guard let entry = Entry(name) else {
            throw ToolbrokerError(code: .invalidRequest, status: TB_ERR_INVALID_REQUEST, message: "there is no call named `\(name)`")
        }
        return entry
    }

    /// Runs the call; `read` takes what it needs from the answer, which is freed behind it. Only a call of the library does without a broker.
    func run<Answer>(
        on broker: OpaquePointer?, _ request: UnsafeRawBufferPointer, _ read: (UnsafeRawBufferPointer) -> Answer
    ) -> Result<Answer, ToolbrokerError> {
        var answer = tb_buf()
        var error: OpaquePointer?
        let text = request.bindMemory(to: CChar.self)
        let status =
            switch self {
            case .library(let function): function(text.baseAddress, text.count, &answer, &error)
            case .broker(let function): function(broker, text.baseAddress, text.count, &answer, &error)
            case .asking(let function): function(broker, text.baseAddress, text.count, nil, &answer, &error)
            }
        defer { tb_buf_free(&answer) }
        guard status == TB_OK else { return .failure(ToolbrokerError(status: status, taking: error)) }
        return .success(read(UnsafeRawBufferPointer(start: answer.data, count: answer.len)))
    }
}
