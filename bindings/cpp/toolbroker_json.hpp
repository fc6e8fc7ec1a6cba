/// @file toolbroker_json.hpp
/// Requests and answers as values of nlohmann::json (3.x), beside toolbroker.hpp, which needs no JSON library. Needs exceptions, as that library does to
/// tell a fault.
///
/// Without a type named, values are nlohmann::ordered_json, which keeps the order of keys: a tool then reaches the model with its schema as the server
/// wrote it. Numbers are as that library holds them (64 bits, or double); a tool that must stay as it is byte for byte goes through the text calls.
#ifndef TOOLBROKER_JSON_HPP
#define TOOLBROKER_JSON_HPP

#include <nlohmann/json.hpp>

#include "toolbroker.hpp"

#if defined(TB_HAS_EXCEPTIONS) && !TB_HAS_EXCEPTIONS
#error "toolbroker_json.hpp needs exceptions; toolbroker.hpp works without"
#endif

/// The C++ interface of toolbroker.
namespace toolbroker {

// Nothing in it is for users.
namespace detail {

inline Error json_fault(std::int32_t status, const char *what, const std::exception &exception)
{
    return Error::of(status, status_name(status), std::string(what) + exception.what());
}

template <class Json>
Result<Json> parsed(Result<std::string> answer)
{
    if (!answer) return answer.error();
    try {
        return Json::parse(answer.value());
    } catch (const typename Json::exception &exception) {
        return json_fault(TB_ERR_INVALID_JSON, "the answer: ", exception);
    }
}

} // namespace detail

/// Makes a broker's call by its name in docs/contract.md: `try_call(broker, "select", {{"message", "build it"}})`. `context` goes to the callbacks.
/// Errors: those of the call; TB_ERR_INVALID_UTF8 where the request holds other text; TB_ERR_INVALID_JSON where the JSON library cannot hold the answer.
template <class Json = nlohmann::ordered_json>
Result<Json> try_call(const Broker &broker, std::string_view name, const Json &request = Json::object(), void *context = nullptr)
{
    std::string text;
    try {
        text = request.dump();
    } catch (const typename Json::exception &exception) {
        return detail::json_fault(TB_ERR_INVALID_UTF8, "the request: ", exception);
    }
    return detail::parsed<Json>(broker.try_call(name, text, context));
}

/// As try_call(), but throws.
template <class Json = nlohmann::ordered_json>
Json call(const Broker &broker, std::string_view name, const Json &request = Json::object(), void *context = nullptr)
{
    return try_call<Json>(broker, name, request, context).value();
}

} // namespace toolbroker

#endif
