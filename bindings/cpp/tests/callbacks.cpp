// What becomes of an enricher's and a logger's answers and exceptions.
#include <optional>
#include <stdexcept>

#include "every_call.hpp"

using toolbroker::Broker;
using toolbroker::Builder;
using toolbroker::Enricher;
using toolbroker::EnricherAnswer;
using toolbroker::Error;
using toolbroker::Exception;
using toolbroker::Result;

static const char both[] = R"({"tools":[{"server":"s","name":"a"},{"server":"s","name":"b"}]})";

struct Away : std::runtime_error {
    int shelf = 12;
    Away() : std::runtime_error("the store is away") {}
};

static Broker broker_with(Enricher enricher, std::vector<std::string> *log = nullptr)
{
    Builder builder;
    builder.enricher(std::move(enricher));
    if (log) builder.logger([log](std::string_view message, void *) { log->emplace_back(message); });
    Broker broker = broker_of(builder);
    add_tools(broker, R"({"server":"s","tools":[{"name":"a"},{"name":"b"}]})");
    return broker;
}

static void answers_become_the_block()
{
    std::string asked;
    Broker broker = broker_with([&](std::string_view request, void *) {
        asked = request;
        return std::string("{\"hints\":[null,{\"output_shape\":\"\xe2\x82\xac a list\"}]}");
    });
    CHECK_CONTAINS(broker.overrides(both), "- **b**: \xe2\x82\xac a list\\n");
    CHECK_CONTAINS(broker.select(), "- **b**: \xe2\x82\xac a list\\n");
    CHECK_CONTAINS(asked, R"("tools":[)");
    CHECK_CONTAINS(asked, R"("server":"s")");
}

static void nothing_is_as_if_there_were_no_enricher()
{
    Broker nothing = broker_with([](std::string_view, void *) { return std::nullopt; });
    CHECK_CONTAINS(nothing.overrides(both), R"("block":"")");
    CHECK(!contains(nothing.select(), "enricher_failed"));
    Broker empty = broker_with([](std::string_view, void *) { return std::optional<std::string>(); });
    CHECK_CONTAINS(empty.overrides(both), R"("block":"")");
    Broker text = broker_with([](std::string_view, void *) { return std::optional<std::string>(R"({"hints":[{"output_shape":"x"},null]})"); });
    CHECK_CONTAINS(text.overrides(both), "- **a**: x");
}

static void stop_ends_the_call()
{
    std::vector<std::string> log;
    Broker broker = broker_with([](std::string_view, void *) { return EnricherAnswer::stop(); }, &log);
    EXPECT(broker.try_overrides(both), TB_ERR_STOPPED);
    EXPECT(broker.try_select(), TB_ERR_STOPPED);
    CHECK(log.empty());
}

// What both calls make of a failure: overrides fails, select goes on and warns.
static Error fails_with(Enricher enricher, std::string_view reason, std::string_view number)
{
    std::vector<std::string> log;
    Broker broker = broker_with(std::move(enricher), &log);
    Result<std::string> answer = broker.try_select();
    EXPECT(answer, TB_OK);
    CHECK_CONTAINS(*answer, "\"enricher_failed\"");
    CHECK_CONTAINS(*answer, "\"count\":2");
    CHECK(log.size() == 1);
    CHECK_CONTAINS(log[0], reason);

    Result<std::string> block = broker.try_overrides(both);
    EXPECT(block, TB_ERR_CALLBACK);
    CHECK(block.error().code == "callback");
    CHECK_CONTAINS(block.error().message, reason);
    CHECK_CONTAINS(block.error().json, "\"callback_status\":" + std::string(number));
    return block.error();
}

static void exceptions_become_errors()
{
    Error error = fails_with([](std::string_view, void *) -> EnricherAnswer { throw Away(); }, "the store is away", "-1");
    CHECK(error.cause);
    const Error copy = error;
    error = Error();
    try {
        std::rethrow_exception(copy.cause);
    } catch (const Away &away) {
        CHECK(away.shelf == 12);
    }

    Error number = fails_with([](std::string_view, void *) -> EnricherAnswer { throw 5; }, "no std::exception", "-1");
    try {
        std::rethrow_exception(number.cause);
    } catch (int thrown) {
        CHECK(thrown == 5);
    }

    fails_with([](std::string_view, void *) -> EnricherAnswer { throw std::runtime_error("not \xff UTF-8"); }, "not \xef\xbf\xbd UTF-8", "-1");
    fails_with([](std::string_view, void *) -> EnricherAnswer { throw std::runtime_error(""); }, "-1", "-1");
}

static void the_throwing_call_carries_the_exception()
{
    Broker broker = broker_with([](std::string_view, void *) -> EnricherAnswer { throw Away(); });
    try {
        broker.overrides(both);
        FAIL("nothing was thrown");
    } catch (const Exception &exception) {
        CHECK_CONTAINS(exception.what(), "the store is away");
        try {
            std::rethrow_exception(exception.error().cause);
        } catch (const Away &away) {
            CHECK(away.shelf == 12);
        }
    }
}

static void failures_keep_their_number()
{
    Error error = fails_with([](std::string_view, void *) { return EnricherAnswer::failure("no shelf", -7); }, "no shelf", "-7");
    CHECK(!error.cause);
    fails_with([](std::string_view, void *) { return EnricherAnswer::failure("no shelf"); }, "no shelf", "-1");
    fails_with([](std::string_view, void *) { return EnricherAnswer::failure("no shelf", TB_STOP); }, "no shelf", "-1");
    fails_with([](std::string_view, void *) { return EnricherAnswer::failure("no shelf", INT32_MIN); }, "no shelf", "-2147483648");
}

static void a_wrong_answer_is_told()
{
    Broker rubbish = broker_with([](std::string_view, void *) { return std::string("rubbish"); });
    Result<std::string> block = rubbish.try_overrides(both);
    EXPECT(block, TB_ERR_CALLBACK);
    CHECK(!block.error().cause);
    Broker one = broker_with([](std::string_view, void *) { return std::string(R"({"hints":[{}]})"); });
    CHECK_CONTAINS(one.try_overrides(both).error().message, "1 hints for 2 tools");
}

static void an_exception_of_the_logger_is_dropped()
{
    int logged = 0;
    Builder builder;
    builder.enricher([](std::string_view, void *) { return EnricherAnswer::failure("no shelf"); });
    builder.logger([&](std::string_view, void *) {
        logged++;
        if (logged == 1) throw Away();
        throw 5;
    });
    Broker broker = broker_of(builder);
    add_tools(broker, R"({"server":"s","tools":[{"name":"a"}]})");
    CHECK_CONTAINS(broker.select(), "enricher_failed");
    CHECK_CONTAINS(broker.select(), "enricher_failed");
    CHECK(logged == 2);
}

static void a_call_hands_its_context_to_its_callbacks()
{
    void *asked_with = nullptr, *logged_with = nullptr;
    Builder builder;
    builder.enricher([&](std::string_view, void *context) {
        asked_with = context;
        return EnricherAnswer::failure("no shelf");
    });
    builder.logger([&](std::string_view, void *context) { logged_with = context; });
    Broker broker = broker_of(builder);
    add_tools(broker, R"({"server":"s","tools":[{"name":"a"}]})");
    int here = 0;
    broker.select("", &here);
    CHECK(asked_with == &here && logged_with == &here);
    broker.select();
    CHECK(!asked_with && !logged_with);
    broker.call("select", "", &here);
    CHECK(asked_with == &here);
    EXPECT(broker.try_overrides(both), TB_ERR_CALLBACK);
    CHECK(!asked_with);
    EXPECT(broker.try_overrides(both, &here), TB_ERR_CALLBACK);
    CHECK(asked_with == &here);
}

static void callbacks_call_back()
{
    int asked = 0, logged = 0, depth = 0;
    Broker broker;
    const auto everything = [&] {
        if (depth > 0) return;
        depth++;
        every_call_gives(broker, TB_OK);
        EXPECT(broker.try_replace_tools(R"({"server":"s","tools":[{"name":"changed"}]})"), TB_OK);
        depth--;
    };
    Builder builder;
    builder.enricher([&](std::string_view, void *) -> EnricherAnswer {
        asked++;
        if (depth > 0) return std::nullopt;
        everything();
        throw Away();
    });
    builder.logger([&](std::string_view, void *) {
        logged++;
        everything();
    });
    broker = broker_of(builder);
    add_tools(broker, R"({"server":"s","tools":[{"name":"before"}]})");
    // The selection keeps the state that it began with.
    const std::string selection = broker.select();
    CHECK_CONTAINS(selection, "\"before\"");
    CHECK(!contains(selection, "\"changed\""));
    // Once by this call, and by select, overrides and call in each of the two callbacks.
    CHECK(asked == 7 && logged == 1);
    CHECK_CONTAINS(broker.all_tools(), "\"changed\"");
}

// An exception belongs to the call whose enricher threw it, also where that call was made by another enricher.
static void nested_exceptions_stay_apart()
{
    int depth = 0;
    Broker broker;
    Builder builder;
    builder.enricher([&](std::string_view, void *) -> EnricherAnswer {
        if (depth > 0) throw 5;
        depth++;
        Result<std::string> inner = broker.try_overrides(both);
        depth--;
        CHECK(inner.error().cause);
        return EnricherAnswer::failure("the outer one");
    });
    broker = broker_of(builder);
    Result<std::string> outer = broker.try_overrides(both);
    EXPECT(outer, TB_ERR_CALLBACK);
    CHECK_CONTAINS(outer.error().message, "the outer one");
    CHECK(!outer.error().cause);
}

int main()
{
    answers_become_the_block();
    nothing_is_as_if_there_were_no_enricher();
    stop_ends_the_call();
    exceptions_become_errors();
    the_throwing_call_carries_the_exception();
    failures_keep_their_number();
    a_wrong_answer_is_told();
    an_exception_of_the_logger_is_dropped();
    a_call_hands_its_context_to_its_callbacks();
    callbacks_call_back();
    nested_exceptions_stay_apart();
}
