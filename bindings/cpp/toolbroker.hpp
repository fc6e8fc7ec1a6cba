/// @file toolbroker.hpp
/// The C++17 interface of toolbroker: header-only, over toolbroker.h, whose library the program links.
///
/// A call takes one JSON request and gives one JSON answer, as docs/contract.md describes them; empty text is the request {}. Each call comes twice:
/// `try_select(request)` gives a Result, which holds the answer or an Error, and `select(request)` gives the answer or throws an Exception that
/// carries the Error. Without exceptions (-fno-exceptions) only the first kind is there.
#ifndef TOOLBROKER_HPP
#define TOOLBROKER_HPP

// Compilers go on behind an #error; what they would say of the rest helps nobody.
#if (defined(_MSVC_LANG) && _MSVC_LANG < 201703L) || (!defined(_MSVC_LANG) && __cplusplus < 201703L)
#error "toolbroker.hpp needs C++17 or later: compile with -std=c++17 (MSVC: /std:c++17)"
#else

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "toolbroker.h"

#if defined(__cpp_exceptions) || defined(_CPPUNWIND)
#define TB_HAS_EXCEPTIONS 1
#else
#define TB_HAS_EXCEPTIONS 0
#endif

/// The C++ interface of toolbroker.
namespace toolbroker {

#if !TB_HAS_EXCEPTIONS
// Types of their own, so that one program may hold units of both kinds and the linker never takes the code of one for the other.
inline namespace without_exceptions {
#endif

/// A text as a JSON string, quotes and all: what a user wrote goes into a request through this.
/// Bytes that are not UTF-8 stay as they are; the call then fails with TB_ERR_INVALID_UTF8.
inline std::string quote(std::string_view text)
{
    std::string quoted = "\"";
    for (char byte : text) {
        if (static_cast<unsigned char>(byte) < 0x20) {
            char escape[8];
            std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(byte));
            quoted += escape;
            continue;
        }
        if (byte == '"' || byte == '\\') quoted += '\\';
        quoted += byte;
    }
    return quoted += '"';
}

/// The name of a status, such as "invalid_rule"; "unknown" for a number that the library does not know. Static text.
inline std::string_view status_name(std::int32_t status) noexcept { return tb_status_name(status); }

/// The version of the library, such as "0.1.0". Static text.
inline std::string_view version() noexcept { return tb_version(); }

/// The number of the ABI that the library speaks. Making a broker compares it with the header's, TB_ABI_VERSION.
inline std::uint32_t abi_version() noexcept { return tb_abi_version(); }

/// Why a call failed. It depends on nothing else and may be copied, kept and read from several threads.
struct Error {
    /// The status of a call on a broker that is closed or was moved from. Positive, so that it is none of the library's.
    static constexpr std::int32_t closed = 101;
    /// The status where this header and the library do not belong together. Positive, so that it is none of the library's.
    static constexpr std::int32_t abi_mismatch = 102;

    /// TB_OK for no error, a TB_ERR_ number, `closed` or `abi_mismatch`. A newer library may have others.
    std::int32_t status = TB_OK;
    /// The name of the status, such as "invalid_rule". Static text.
    std::string_view code = "ok";
    /// What went wrong, in one line with place and hint.
    std::string message;
    /// The same as JSON: code, message, place, hint, every fault; docs/contract.md describes it.
    std::string json;
    /// The exception that the enricher or the embedder threw, where that is why the call failed; else null.
    std::exception_ptr cause;

    /// What a failed function of toolbroker.h told: its error object, or where that is NULL its status alone. Takes the object and frees it.
    static Error take(std::int32_t status, tb_error *error)
    {
        if (!error) return of(status, status_name(status), "the call failed and gave no reason");
        const std::unique_ptr<tb_error, void (*)(tb_error *)> owner(error, tb_error_free);
        const std::int32_t told = tb_error_status(error);
        return Error{told, status_name(told), tb_error_message(error), tb_error_json(error), nullptr};
    }

    /// An error with a status, the static text of its code, and a message.
    static Error of(std::int32_t status, std::string_view code, std::string message)
    {
        std::string json = "{\"code\":" + quote(code) + ",\"message\":" + quote(message) + "}";
        return Error{status, code, std::move(message), std::move(json), nullptr};
    }

    /// Errors are equal where their statuses are; the texts may differ.
    friend bool operator==(const Error &left, const Error &right) noexcept { return left.status == right.status; }
    /// The opposite of ==.
    friend bool operator!=(const Error &left, const Error &right) noexcept { return left.status != right.status; }
    /// Whether the error has this status: `error == TB_ERR_IO`.
    friend bool operator==(const Error &error, std::int32_t number) noexcept { return error.status == number; }
    /// The opposite of ==.
    friend bool operator!=(const Error &error, std::int32_t number) noexcept { return error.status != number; }
};

#if TB_HAS_EXCEPTIONS
/// What the shorthands throw. Its what() is the error's message.
class Exception : public std::runtime_error {
public:
    /// An exception that carries this error.
    explicit Exception(Error error) : std::runtime_error(error.message), error_(std::make_shared<const Error>(std::move(error))) {}

    /// The error; it lives as long as the exception or a copy of it.
    const Error &error() const noexcept { return *error_; }

private:
    // Shared, since copying an exception must not throw.
    std::shared_ptr<const Error> error_;
};
#endif

/// The value of a call, or the Error why there is none.
template <class T>
class [[nodiscard]] Result {
public:
    /// A success.
    Result(T value) : value_(std::move(value)) {}
    /// A failure.
    Result(Error error) : error_(std::move(error)) {}

    /// Whether there is a value.
    bool ok() const noexcept { return value_.has_value(); }
    /// Whether there is a value.
    explicit operator bool() const noexcept { return ok(); }

    /// The value. Of a failure it throws an Exception with the error; without exceptions it ends the process with the error's text.
    const T &value() const &
    {
        need_value();
        return *value_;
    }
    /// The value, to be changed in place; otherwise the same.
    T &value() &
    {
        need_value();
        return *value_;
    }
    /// The value, moved out; otherwise the same.
    T value() &&
    {
        need_value();
        return std::move(*value_);
    }

    /// As value().
    const T &operator*() const & { return value(); }
    /// As value().
    T &operator*() & { return value(); }
    /// As value().
    T operator*() && { return std::move(*this).value(); }
    /// As value().
    const T *operator->() const { return &value(); }
    /// As value().
    T *operator->() { return &value(); }

    /// The error; of a success one with status TB_OK.
    const Error &error() const noexcept { return error_; }

private:
    void need_value() const
    {
        if (value_) return;
#if TB_HAS_EXCEPTIONS
        throw Exception(error_);
#else
        std::fprintf(stderr, "toolbroker: the value of a failed call was asked for: %s\n", error_.message.c_str());
        std::abort();
#endif
    }

    std::optional<T> value_;
    Error error_;
};

/// What an enricher answers: a text, nothing, a failure, or the wish to stop.
class EnricherAnswer {
public:
    /// The text {"hints":[{…} or null, …]}, one for each tool in order.
    EnricherAnswer(std::string text) : text_(std::move(text)) {}
    /// Nothing to say: the call goes on as if there were no enricher.
    EnricherAnswer(std::nullopt_t) : status_(TB_PASS) {}
    /// The text, or nothing to say.
    EnricherAnswer(std::optional<std::string> text) : status_(text ? TB_OK : TB_PASS), text_(std::move(text).value_or(std::string())) {}

    /// Ends the call with TB_ERR_STOPPED.
    static EnricherAnswer stop() { return EnricherAnswer(TB_STOP, std::string()); }
    /// A failure with its reason, as an exception with that text would be. The number, which is negative (any other counts as -1), comes back as
    /// `callback_status` in the error's JSON.
    static EnricherAnswer failure(std::string reason, std::int32_t status = -1) { return EnricherAnswer(status < 0 ? status : -1, std::move(reason)); }

    /// TB_OK, TB_PASS, TB_STOP or a negative number, as toolbroker.h describes them.
    std::int32_t status() const noexcept { return status_; }
    /// The text of the answer, or the reason of a failure.
    const std::string &text() const noexcept { return text_; }

private:
    EnricherAnswer(std::int32_t status, std::string text) : status_(status), text_(std::move(text)) {}

    std::int32_t status_ = TB_OK;
    std::string text_;
};

/// Knows guidance on tools. It is handed {"tools":[{"server","name"}]}, which lives for the call, and the `context` that the call was given.
///
/// It runs on every thread that calls the broker, several at once, with no lock held, and may call anything on the same broker, close() included. What
/// it throws does not pass through the library: in `overrides` it is an error with the exception's text, the code "callback" and the exception as
/// `cause`, in `select` a warning.
using Enricher = std::function<EnricherAnswer(std::string_view request, void *context)>;

/// What an embedder answers: vectors, a failure, or the wish to stop.
class EmbedderAnswer {
public:
    /// A vector for each text in order, all of one length.
    EmbedderAnswer(std::vector<std::vector<float>> vectors) : vectors_(std::move(vectors)) {}

    /// Ends the call with TB_ERR_STOPPED.
    static EmbedderAnswer stop() { return EmbedderAnswer(TB_STOP, std::string()); }
    /// A failure with its reason, as an exception with that text would be. The number, which is negative (any other counts as -1), comes back as
    /// `callback_status` in the error's JSON.
    static EmbedderAnswer failure(std::string reason, std::int32_t status = -1) { return EmbedderAnswer(status < 0 ? status : -1, std::move(reason)); }

    /// TB_OK, TB_STOP or a negative number, as toolbroker.h describes them.
    std::int32_t status() const noexcept { return status_; }
    /// The vectors; none of a failure.
    const std::vector<std::vector<float>> &vectors() const noexcept { return vectors_; }
    /// The reason of a failure.
    const std::string &reason() const noexcept { return reason_; }

private:
    EmbedderAnswer(std::int32_t status, std::string reason) : status_(status), reason_(std::move(reason)) {}

    std::int32_t status_ = TB_OK;
    std::vector<std::vector<float>> vectors_;
    std::string reason_;
};

/// Turns texts into vectors, by which tools are ranked beside their words. It is handed {"texts":["…", …]}, which lives for the call, and the `context`
/// that the call was given. Each tool is asked for once, by `embed_tools` or by the first call that ranks; the message each time.
///
/// It runs as the enricher does. What it throws is in `embed_tools` an error with the exception's text, the code "callback" and the exception as
/// `cause`; in `select` and `rank` it is a warning, and words alone rank. So it is with vectors that do not fit the texts.
using Embedder = std::function<EmbedderAnswer(std::string_view request, void *context)>;

/// Takes warnings: one line, which lives for the call, and the `context` that the call was given. It runs as the enricher does. What it throws is
/// dropped: there is nobody left to tell, and the warning stands in the answer too.
using Logger = std::function<void(std::string_view message, void *context)>;

// What the classes below are made of; nothing in it is for users.
namespace detail {

using BrokerFunction = std::int32_t(const tb_broker *, const char *, std::size_t, tb_buf *, tb_error **);
using CallbackFunction = std::int32_t(const tb_broker *, const char *, std::size_t, void *, tb_buf *, tb_error **);
using LibraryFunction = std::int32_t(const char *, std::size_t, tb_buf *, tb_error **);

// A call by its name in docs/contract.md; one of the three functions is set.
struct Call {
    std::string_view name;
    BrokerFunction *of_broker;
    CallbackFunction *calling_back;
    LibraryFunction *of_library;
};

inline const Call *call_named(std::string_view name) noexcept
{
    static const Call calls[] = {
        {"add_tools", tb_broker_add_tools, nullptr, nullptr},
        {"replace_tools", tb_broker_replace_tools, nullptr, nullptr},
        {"remove_tools", tb_broker_remove_tools, nullptr, nullptr},
        {"all_tools", tb_broker_all_tools, nullptr, nullptr},
        {"load_rules", tb_broker_load_rules, nullptr, nullptr},
        {"all_rules", tb_broker_all_rules, nullptr, nullptr},
        {"load_intents", tb_broker_load_intents, nullptr, nullptr},
        {"select", nullptr, tb_broker_select, nullptr},
        {"rank", nullptr, tb_broker_rank, nullptr},
        {"embed_tools", nullptr, tb_broker_embed_tools, nullptr},
        {"detect_intent", tb_broker_detect_intent, nullptr, nullptr},
        {"tokenize", tb_broker_tokenize, nullptr, nullptr},
        {"score_by_keywords", tb_broker_score_by_keywords, nullptr, nullptr},
        {"score_by_intent", tb_broker_score_by_intent, nullptr, nullptr},
        {"find_by_names", tb_broker_find_by_names, nullptr, nullptr},
        {"estimate", tb_broker_estimate, nullptr, nullptr},
        {"prune", tb_broker_prune, nullptr, nullptr},
        {"overrides", nullptr, tb_broker_overrides, nullptr},
        {"info", nullptr, nullptr, tb_info},
        {"default_rules", nullptr, nullptr, tb_default_rules},
        {"read_rules", nullptr, nullptr, tb_read_rules},
        {"read_hints", nullptr, nullptr, tb_read_hints},
    };
    for (const Call &call : calls)
        if (call.name == name) return &call;
    return nullptr;
}

// What this header hands to the library as a call's context.
struct CallState {
    void *context;
    std::exception_ptr thrown;
};

// Runs a function of the library, given where the answer and the error go, and makes a result of what it gave.
template <class Function>
Result<std::string> answer_of(const Function &function)
{
    tb_buf answer{nullptr, 0};
    tb_error *error = nullptr;
    const std::int32_t status = function(&answer, &error);
    if (status != TB_OK) return Error::take(status, error);
    std::unique_ptr<tb_buf, void (*)(tb_buf *)> owner(&answer, tb_buf_free);
    return std::string(answer.data, answer.len);
}

inline std::optional<Error> abi_fault()
{
    const std::uint32_t library = tb_abi_version();
    if (library == TB_ABI_VERSION) return std::nullopt;
    return Error::of(Error::abi_mismatch, "abi_mismatch",
                     "the header and the library do not belong together: toolbroker.h is of ABI " + std::to_string(TB_ABI_VERSION) + ", the library, " +
                         tb_version() + ", of ABI " + std::to_string(library));
}

inline Result<std::string> of_library(LibraryFunction *function, std::string_view request)
{
    if (std::optional<Error> fault = abi_fault()) return *std::move(fault);
    return answer_of([&](tb_buf *answer, tb_error **error) { return function(request.data(), request.size(), answer, error); });
}

// Deletes a function that the library owned.
template <class Function>
void free_boxed(void *function) noexcept
{
    delete static_cast<Function *>(function);
}

// The functions that the library calls. Nothing may leave them but a status.

// Where even the reason does not fit the status alone is told.
inline std::int32_t fail_callback(tb_writer *writer, std::string_view reason, std::int32_t status) noexcept
{
    static_cast<void>(tb_writer_write(writer, reason.data(), reason.size()));
    return status;
}

inline std::int32_t fail_callback(tb_vectors *vectors, std::string_view reason, std::int32_t status) noexcept
{
    static_cast<void>(tb_vectors_explain(vectors, reason.data(), reason.size()));
    return status;
}

inline std::int32_t ask(const Enricher &enricher, std::string_view request, void *context, tb_writer *writer)
{
    const EnricherAnswer answer = enricher(request, context);
    const std::int32_t written = tb_writer_write(writer, answer.text().data(), answer.text().size());
    if (written != TB_OK) return fail_callback(writer, status_name(written), written);
    return answer.status();
}

inline std::int32_t ask(const Embedder &embedder, std::string_view request, void *context, tb_vectors *vectors)
{
    const EmbedderAnswer answer = embedder(request, context);
    if (answer.status() != TB_OK) return fail_callback(vectors, answer.reason(), answer.status());
    std::size_t at = 0;
    for (const std::vector<float> &vector : answer.vectors()) {
        at++;
        const std::int32_t pushed = tb_vectors_push(vectors, vector.data(), vector.size());
        if (pushed == TB_OK) continue;
        return fail_callback(vectors,
                             std::string(status_name(pushed)) + ": vector " + std::to_string(at) + ", of " + std::to_string(vector.size()) +
                                 " values, is longer than the limit `vector_values`, or one more than there are texts",
                             pushed);
    }
    return TB_OK;
}

// `Function` is an Enricher, which answers by a tb_writer, or an Embedder, which does so by tb_vectors.
template <class Function, class Taker>
std::int32_t call_back(void *function, void *call_state, const char *request, std::size_t len, Taker *taker) noexcept
{
    auto *state = static_cast<CallState *>(call_state);
    void *context = state ? state->context : nullptr;
#if TB_HAS_EXCEPTIONS
    try {
        return ask(*static_cast<Function *>(function), {request, len}, context, taker);
    } catch (const std::exception &exception) {
        if (state) state->thrown = std::current_exception();
        return fail_callback(taker, exception.what(), -1);
    } catch (...) {
        if (state) state->thrown = std::current_exception();
        return fail_callback(taker, "an exception that is no std::exception", -1);
    }
#else
    return ask(*static_cast<Function *>(function), {request, len}, context, taker);
#endif
}

inline void log(void *logger, void *call_state, const char *message, std::size_t len) noexcept
{
    auto *state = static_cast<CallState *>(call_state);
    void *context = state ? state->context : nullptr;
#if TB_HAS_EXCEPTIONS
    try {
        (*static_cast<Logger *>(logger))({message, len}, context);
    } catch (...) {
    }
#else
    (*static_cast<Logger *>(logger))({message, len}, context);
#endif
}

} // namespace detail

/// Tells version, ABI number, profiles, every limit and the constants of the replaced package.
inline Result<std::string> try_info(std::string_view request = {}) { return detail::of_library(tb_info, request); }

/// Lists the built-in example rules, for well-known public MCP servers.
inline Result<std::string> try_default_rules(std::string_view request = {}) { return detail::of_library(tb_default_rules, request); }

/// Reads rules without a broker and lists them as written back: {"rules"}, {"text","format","file"} or {"path","format"}, and {"profile"}.
inline Result<std::string> try_read_rules(std::string_view request) { return detail::of_library(tb_read_rules, request); }

/// Reads the text of a tool's hints and answers them in canonical form: {"text"}.
inline Result<std::string> try_read_hints(std::string_view request) { return detail::of_library(tb_read_hints, request); }

#if TB_HAS_EXCEPTIONS
/// As try_info(), but throws.
inline std::string info(std::string_view request = {}) { return try_info(request).value(); }

/// As try_default_rules(), but throws.
inline std::string default_rules(std::string_view request = {}) { return try_default_rules(request).value(); }

/// As try_read_rules(), but throws.
inline std::string read_rules(std::string_view request) { return try_read_rules(request).value(); }

/// As try_read_hints(), but throws.
inline std::string read_hints(std::string_view request) { return try_read_hints(request).value(); }
#endif

class Broker;

/// What brokers are made of: options, an enricher, an embedder and a logger, all of them fixed once the broker is made. It may be used again for another broker;
/// each gets copies of the functions. One thread at a time.
class Builder {
public:
    /// Begins with options: a JSON object as docs/contract.md describes it, or empty text for the standard profile.
    explicit Builder(std::string_view options = {}) : options_(options) {}

    /// Sets the function that knows guidance on tools. Empty: none.
    Builder &enricher(Enricher enricher)
    {
        enricher_ = std::move(enricher);
        return *this;
    }

    /// Sets the function that turns texts into vectors. Empty: none; tools are then ranked by words alone.
    Builder &embedder(Embedder embedder)
    {
        embedder_ = std::move(embedder);
        return *this;
    }

    /// Sets the function that takes warnings. Empty: none.
    Builder &logger(Logger logger)
    {
        logger_ = std::move(logger);
        return *this;
    }

    /// Makes a broker, without tools and rules, with the built-in intents. Errors: those of bad options; Error::abi_mismatch.
    Result<Broker> try_build() const;

#if TB_HAS_EXCEPTIONS
    /// As try_build(), but throws.
    Broker build() const;
#endif

private:
    std::string options_;
    Enricher enricher_;
    Embedder embedder_;
    Logger logger_;
};

/// Holds all tools, rules and intents. Move-only.
///
/// Every call, close() included, may run on several threads at once. A call sees one state from beginning to end; a call that failed changed nothing.
/// After close(), or once it was moved from, every call fails with Error::closed, and a broker may be moved into it. Calls that run during close() end
/// as they would have; the last of them frees the tools and the functions. Only the destructor, as any object's, wants that no other thread begins a call.
class Broker {
public:
#if TB_HAS_EXCEPTIONS
    /// Makes a broker with options, or with empty text of the standard profile. Throws as Builder::build() does.
    explicit Broker(std::string_view options = {}) : Broker(Builder(options).build()) {}
#endif

    /// Takes over what the other holds, which is closed then.
    Broker(Broker &&other) noexcept : handle_(other.exchange(nullptr)) {}

    /// Closes itself and takes over what the other holds, which is closed then. Moved into itself, it stays as it is.
    Broker &operator=(Broker &&other) noexcept
    {
        exchange(other.exchange(nullptr));
        return *this;
    }

    /// Not to be copied: two names for one state would surprise.
    Broker(const Broker &) = delete;
    /// Not to be copied.
    Broker &operator=(const Broker &) = delete;

    /// Closes the broker.
    ~Broker() = default;

    /// Frees tools and functions, at once or when the calls that run have ended. Closing again does nothing.
    void close() noexcept { exchange(nullptr); }

    /// Whether it can still be called.
    bool is_open() const { return handle() != nullptr; }

    /// Makes the call of this name, as in docs/contract.md: `try_call("select", request)`. The methods below are the same calls, one by one.
    /// `context` goes to the callbacks that the call runs. Errors: those of the call; TB_ERR_INVALID_REQUEST for a name that is none.
    Result<std::string> try_call(std::string_view name, std::string_view request, void *context = nullptr) const
    {
        const detail::Call *call = detail::call_named(name);
        if (!call) return Error::of(TB_ERR_INVALID_REQUEST, status_name(TB_ERR_INVALID_REQUEST), "there is no call " + quote(name));
        if (call->of_broker) return run(call->of_broker, request);
        if (call->calling_back) return run(call->calling_back, request, context);
        return is_open() ? detail::of_library(call->of_library, request) : closed();
    }

    /// Adds tools, or replaces those of the same server and name: {"server","tools"}. Answers a report; a bad tool is refused in it by name.
    Result<std::string> try_add_tools(std::string_view request) const { return run(tb_broker_add_tools, request); }

    /// Makes these the only tools of a server, in one step: {"server","tools"}. Answers a report.
    Result<std::string> try_replace_tools(std::string_view request) const { return run(tb_broker_replace_tools, request); }

    /// Removes a server's tools, {"server"}, or single ones, {"tools":[{"server","name"}]}. Answers a report.
    Result<std::string> try_remove_tools(std::string_view request) const { return run(tb_broker_remove_tools, request); }

    /// Lists the registered tools: {"server","detail"}.
    Result<std::string> try_all_tools(std::string_view request = {}) const { return run(tb_broker_all_tools, request); }

    /// Puts rules in force in place of those before: {"rules"}, {"text","format","file"} or {"path","format"}. Answers {"rules":n}.
    Result<std::string> try_load_rules(std::string_view request) const { return run(tb_broker_load_rules, request); }

    /// Lists the rules in force, as loaded.
    Result<std::string> try_all_rules(std::string_view request = {}) const { return run(tb_broker_all_rules, request); }

    /// Extends or replaces the table of intents: {"intents":{"name":["phrase"]},"mode"}. Answers {"intents","phrases"}.
    Result<std::string> try_load_intents(std::string_view request) const { return run(tb_broker_load_intents, request); }

    /// Selects the tools that the model sees for a turn. Runs the enricher, the embedder and the logger, which are handed `context`.
    Result<std::string> try_select(std::string_view request = {}, void *context = nullptr) const { return run(tb_broker_select, request, context); }

    /// Ranks the registered tools by how well they fit a message; rules and budget have no say. Runs the embedder and the logger, which are handed `context`.
    Result<std::string> try_rank(std::string_view request = {}, void *context = nullptr) const { return run(tb_broker_rank, request, context); }

    /// Makes the vectors of the registered tools that have none yet. Answers {"embedded":n}, 0 without an embedder. Runs the embedder, which is handed
    /// `context`; TB_ERR_CALLBACK where it failed, with what it threw as the error's `cause`.
    Result<std::string> try_embed_tools(std::string_view request = {}, void *context = nullptr) const { return run(tb_broker_embed_tools, request, context); }

    /// Selects, and gives the places of the tools in the order of registration, from 0: no JSON is made and no callback runs.
    Result<std::vector<std::size_t>> try_select_indices(std::string_view request = {}) const
    {
        const std::shared_ptr<tb_broker> broker = handle();
        if (!broker) return closed();
        std::vector<std::size_t> indices(64);
        for (;;) {
            std::size_t count = 0;
            tb_error *error = nullptr;
            const std::int32_t status =
                tb_broker_select_indices(broker.get(), request.data(), request.size(), indices.data(), indices.size(), &count, &error);
            if (status != TB_OK) return Error::take(status, error);
            const bool all = count <= indices.size();
            indices.resize(count);
            if (all) return indices;
        }
    }

    /// Finds the intents of a message: {"message"}. Answers a list of {"name","confidence","keywords"}.
    Result<std::string> try_detect_intent(std::string_view request) const { return run(tb_broker_detect_intent, request); }

    /// Splits an intent sentence into keywords: {"intent"}. Answers a list of words.
    Result<std::string> try_tokenize(std::string_view request) const { return run(tb_broker_tokenize, request); }

    /// Lists the tools that hold keywords, best first: {"keywords","max_results","tools"}; without `tools` those registered.
    Result<std::string> try_score_by_keywords(std::string_view request) const { return run(tb_broker_score_by_keywords, request); }

    /// As try_score_by_keywords() with the words of a sentence: {"intent","max_results","tools"}.
    Result<std::string> try_score_by_intent(std::string_view request) const { return run(tb_broker_score_by_intent, request); }

    /// Lists the tools with these names, in the order asked: {"names","tools"}; without `tools` those registered.
    Result<std::string> try_find_by_names(std::string_view request) const { return run(tb_broker_find_by_names, request); }

    /// Estimates what tools cost in tokens: {"tools"}; without, those registered. Answers a number.
    Result<std::string> try_estimate(std::string_view request = {}) const { return run(tb_broker_estimate, request); }

    /// Lists the tools that stay when the last are dropped until the rest fits: {"budget","tools"}; without `tools` those registered.
    Result<std::string> try_prune(std::string_view request) const { return run(tb_broker_prune, request); }

    /// Composes the override block of tools: {"tools":[{"server","name"}]} or {"names"}. Answers {"block"}. Runs the enricher, which is handed `context`;
    /// TB_ERR_CALLBACK where it failed, with what it threw as the error's `cause`.
    Result<std::string> try_overrides(std::string_view request, void *context = nullptr) const { return run(tb_broker_overrides, request, context); }

#if TB_HAS_EXCEPTIONS
    /// As try_call(), but throws.
    std::string call(std::string_view name, std::string_view request, void *context = nullptr) const { return try_call(name, request, context).value(); }

    /// As try_add_tools(), but throws.
    std::string add_tools(std::string_view request) const { return try_add_tools(request).value(); }

    /// As try_replace_tools(), but throws.
    std::string replace_tools(std::string_view request) const { return try_replace_tools(request).value(); }

    /// As try_remove_tools(), but throws.
    std::string remove_tools(std::string_view request) const { return try_remove_tools(request).value(); }

    /// As try_all_tools(), but throws.
    std::string all_tools(std::string_view request = {}) const { return try_all_tools(request).value(); }

    /// As try_load_rules(), but throws.
    std::string load_rules(std::string_view request) const { return try_load_rules(request).value(); }

    /// As try_all_rules(), but throws.
    std::string all_rules(std::string_view request = {}) const { return try_all_rules(request).value(); }

    /// As try_load_intents(), but throws.
    std::string load_intents(std::string_view request) const { return try_load_intents(request).value(); }

    /// As try_select(), but throws.
    std::string select(std::string_view request = {}, void *context = nullptr) const { return try_select(request, context).value(); }

    /// As try_rank(), but throws.
    std::string rank(std::string_view request = {}, void *context = nullptr) const { return try_rank(request, context).value(); }

    /// As try_embed_tools(), but throws.
    std::string embed_tools(std::string_view request = {}, void *context = nullptr) const { return try_embed_tools(request, context).value(); }

    /// As try_select_indices(), but throws.
    std::vector<std::size_t> select_indices(std::string_view request = {}) const { return try_select_indices(request).value(); }

    /// As try_detect_intent(), but throws.
    std::string detect_intent(std::string_view request) const { return try_detect_intent(request).value(); }

    /// As try_tokenize(), but throws.
    std::string tokenize(std::string_view request) const { return try_tokenize(request).value(); }

    /// As try_score_by_keywords(), but throws.
    std::string score_by_keywords(std::string_view request) const { return try_score_by_keywords(request).value(); }

    /// As try_score_by_intent(), but throws.
    std::string score_by_intent(std::string_view request) const { return try_score_by_intent(request).value(); }

    /// As try_find_by_names(), but throws.
    std::string find_by_names(std::string_view request) const { return try_find_by_names(request).value(); }

    /// As try_estimate(), but throws.
    std::string estimate(std::string_view request = {}) const { return try_estimate(request).value(); }

    /// As try_prune(), but throws.
    std::string prune(std::string_view request) const { return try_prune(request).value(); }

    /// As try_overrides(), but throws.
    std::string overrides(std::string_view request, void *context = nullptr) const { return try_overrides(request, context).value(); }
#endif

private:
    friend class Builder;

    explicit Broker(std::shared_ptr<tb_broker> handle) : handle_(std::move(handle)) {}

    // A call holds a copy of its own, so that closing cannot free what it works on.
    std::shared_ptr<tb_broker> handle() const
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        return handle_;
    }

    // Gives the handle before. Where the caller drops it, the functions' destructors run with no lock held.
    std::shared_ptr<tb_broker> exchange(std::shared_ptr<tb_broker> handle) noexcept
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        handle_.swap(handle);
        return handle;
    }

    static Error closed() { return Error::of(Error::closed, "closed", "the broker is closed or was moved from"); }

    Result<std::string> run(detail::BrokerFunction *function, std::string_view request) const
    {
        const std::shared_ptr<tb_broker> broker = handle();
        if (!broker) return closed();
        return detail::answer_of([&](tb_buf *answer, tb_error **error) { return function(broker.get(), request.data(), request.size(), answer, error); });
    }

    Result<std::string> run(detail::CallbackFunction *function, std::string_view request, void *context) const
    {
        const std::shared_ptr<tb_broker> broker = handle();
        if (!broker) return closed();
        detail::CallState state{context, nullptr};
        Result<std::string> result = detail::answer_of(
            [&](tb_buf *answer, tb_error **error) { return function(broker.get(), request.data(), request.size(), &state, answer, error); });
        if (result || result.error() != TB_ERR_CALLBACK) return result;
        Error error = result.error();
        error.cause = state.thrown;
        return error;
    }

    mutable std::mutex mutex_;
    std::shared_ptr<tb_broker> handle_;
};

inline Result<Broker> Builder::try_build() const
{
    if (std::optional<Error> fault = detail::abi_fault()) return *std::move(fault);
    tb_builder *made = nullptr;
    tb_error *error = nullptr;
    std::int32_t status = tb_builder_new(options_.data(), options_.size(), &made, &error);
    if (status != TB_OK) return Error::take(status, error);
    std::unique_ptr<tb_builder, void (*)(tb_builder *)> builder(made, tb_builder_free);
    // The library owns the copies from here on, also where the call fails.
    if (enricher_) {
        status = tb_builder_set_enricher(made, detail::call_back<Enricher, tb_writer>, new Enricher(enricher_), detail::free_boxed<Enricher>, &error);
        if (status != TB_OK) return Error::take(status, error);
    }
    if (embedder_) {
        status = tb_builder_set_embedder(made, detail::call_back<Embedder, tb_vectors>, new Embedder(embedder_), detail::free_boxed<Embedder>, &error);
        if (status != TB_OK) return Error::take(status, error);
    }
    if (logger_) {
        status = tb_builder_set_logger(made, detail::log, new Logger(logger_), detail::free_boxed<Logger>, &error);
        if (status != TB_OK) return Error::take(status, error);
    }
    tb_broker *broker = nullptr;
    status = tb_builder_build(builder.release(), &broker, &error);
    if (status != TB_OK) return Error::take(status, error);
    return Broker(std::shared_ptr<tb_broker>(broker, tb_broker_free));
}

#if TB_HAS_EXCEPTIONS
inline Broker Builder::build() const { return try_build().value(); }
#endif

#if !TB_HAS_EXCEPTIONS
} // namespace without_exceptions
#endif

} // namespace toolbroker

#endif // C++17

#endif
