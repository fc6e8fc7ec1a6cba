// What a suite needs to fail with a clear line.
#ifndef CHECK_HPP
#define CHECK_HPP

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "toolbroker.hpp"

#define FAIL(...)                                             \
    do {                                                      \
        std::fprintf(stderr, "%s:%d: ", __FILE__, __LINE__);  \
        std::fprintf(stderr, __VA_ARGS__);                    \
        std::fputc('\n', stderr);                             \
        std::exit(1);                                         \
    } while (0)

#define CHECK(condition)                                     \
    do {                                                     \
        if (!(condition)) FAIL("not so: %s", #condition);    \
    } while (0)

inline bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

#define CHECK_CONTAINS(text, part)                                                                             \
    do {                                                                                                       \
        const std::string check_text{text}, check_part{part};                                                  \
        if (!contains(check_text, check_part)) FAIL("no %s in: %s", check_part.c_str(), check_text.c_str());   \
    } while (0)

// A result's status is this one, and its error is whole.
#define EXPECT(result, wanted) expect((result).error(), (wanted), #result, __FILE__, __LINE__)

inline void expect(const toolbroker::Error &error, std::int32_t wanted, const char *what, const char *file, int line)
{
    const bool whole = wanted == TB_OK ? error.message.empty() : !error.message.empty() && contains(error.json, "{\"code\":\"" + std::string(error.code) + "\"");
    if (error == wanted && whole) return;
    std::fprintf(stderr, "%s:%d: %s is %d, not %d: %s %s\n", file, line, what, static_cast<int>(error.status), static_cast<int>(wanted),
                 error.message.c_str(), error.json.c_str());
    std::exit(1);
}

inline toolbroker::Broker broker_of(const toolbroker::Builder &builder)
{
    toolbroker::Result<toolbroker::Broker> broker = builder.try_build();
    EXPECT(broker, TB_OK);
    return std::move(broker).value();
}

inline void add_tools(const toolbroker::Broker &broker, std::string_view request)
{
    toolbroker::Result<std::string> report = broker.try_add_tools(request);
    EXPECT(report, TB_OK);
    CHECK_CONTAINS(*report, "\"refused\":[]");
}

#endif
