// What becomes of an enricher's, an embedder's and a logger's answers and exceptions.
#include <algorithm>
#include <limits>
#include <optional>
#include <stdexcept>

#include "every_call.hpp"

using toolbroker::Broker;
using toolbroker::Builder;
using toolbroker::Embedder;
using toolbroker::EmbedderAnswer;
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

using Vectors = std::vector<std::vector<float>>;

// The first letters of a request's texts: each stands behind a quotation mark that follows `[` or `,`.
static std::string first_letters(std::string_view request)
{
    std::string letters;
    for (std::size_t at = 1; at + 1 < request.size(); at++)
        if (request[at] == '"' && (request[at - 1] == '[' || request[at - 1] == ',')) letters += request[at + 1];
    return letters;
}

// Texts that begin alike are alike: "boat" is near "banana".
static Vectors by_first_letter(std::string_view request)
{
    Vectors vectors;
    for (char letter : first_letters(request)) {
        vectors.emplace_back(26);
        vectors.back()[static_cast<std::size_t>(letter - 'a')] = 2.5f;
    }
    return vectors;
}

static Broker broker_with_model(Embedder embedder, std::vector<std::string> *log = nullptr)
{
    Builder builder;
    builder.embedder(std::move(embedder));
    if (log) builder.logger([log](std::string_view message, void *) { log->emplace_back(message); });
    Broker broker = broker_of(builder);
    add_tools(broker, R"({"server":"s","tools":[{"name":"apple"},{"name":"banana"},{"name":"cherry"}]})");
    return broker;
}

static void words_rank()
{
    Broker broker;
    add_tools(broker, R"({"server":"s","tools":[{"name":"mail_send"},{"name":"file_read"}]})");
    const std::string ranking = broker.rank(R"({"message":"read it"})");
    CHECK_CONTAINS(ranking, R"("file_read")");
    CHECK_CONTAINS(ranking, R"("language":"en")");
    CHECK(!contains(ranking, "mail_send") && !contains(ranking, "warnings"));
    CHECK(broker.embed_tools() == R"({"embedded":0})");
    EXPECT(broker.try_rank(R"({"mesage":"x"})"), TB_ERR_INVALID_REQUEST);
    EXPECT(broker.try_embed_tools(R"({"tools":[]})"), TB_ERR_INVALID_REQUEST);
}

static void vectors_rank()
{
    std::string asked;
    std::vector<void *> contexts;
    Broker broker = broker_with_model([&](std::string_view request, void *context) {
        CHECK_CONTAINS(request, R"({"texts":[")");
        asked += first_letters(request);
        contexts.push_back(context);
        return by_first_letter(request);
    });
    int here = 0;
    CHECK(broker.embed_tools("", &here) == R"({"embedded":3})");
    CHECK(asked == "abc" && contexts == std::vector<void *>{&here});
    // No word of the message is in a tool.
    const std::string ranking = broker.rank(R"({"message":"boat","top":1})", &asked);
    CHECK_CONTAINS(ranking, "\"banana\"");
    CHECK(!contains(ranking, "apple") && contexts.back() == &asked);
    CHECK_CONTAINS(broker.select(R"({"message":"boat","budget":{"max_tools":1}})"), "\"banana\"");
    CHECK(!contexts.back());
    // Each tool was asked for once; the message each time.
    CHECK(asked == "abcbb");
    CHECK(broker.embed_tools() == R"({"embedded":0})");
    add_tools(broker, R"({"server":"s","tools":[{"name":"date"},{"name":"apple"}]})");
    CHECK(broker.call("embed_tools", "", &here) == R"({"embedded":1})");
    CHECK(asked == "abcbbd" && contexts.back() == &here);
}

// Without embed_tools the first call that ranks asks for the tools.
static void the_first_call_that_ranks_asks_for_the_tools()
{
    std::string asked;
    Broker broker = broker_with_model([&](std::string_view request, void *) {
        asked += first_letters(request);
        return by_first_letter(request);
    });
    for (int round = 0; round < 3; round++) CHECK_CONTAINS(broker.rank(R"({"message":"zoo"})"), "\"tools\":[]");
    std::string sorted = asked;
    std::sort(sorted.begin(), sorted.end());
    CHECK(sorted == "abczzz");
}

static void a_stop_of_the_embedder_ends_the_call()
{
    std::vector<std::string> log;
    Broker broker = broker_with_model([](std::string_view, void *) { return EmbedderAnswer::stop(); }, &log);
    EXPECT(broker.try_rank(R"({"message":"an apple"})"), TB_ERR_STOPPED);
    EXPECT(broker.try_select(R"({"message":"an apple"})"), TB_ERR_STOPPED);
    EXPECT(broker.try_embed_tools(), TB_ERR_STOPPED);
    CHECK(log.empty());
}

// What the calls make of an embedder's failure: embed_tools fails, the others go on with words and warn.
static Error no_vectors(Embedder embedder, std::string_view reason, std::string_view number = "")
{
    std::vector<std::string> log;
    Broker broker = broker_with_model(std::move(embedder), &log);
    for (std::string_view call : {"rank", "select"}) {
        const Result<std::string> answer = broker.try_call(call, R"({"message":"an apple"})");
        EXPECT(answer, TB_OK);
        CHECK_CONTAINS(*answer, "\"embedder_failed\"");
        CHECK_CONTAINS(*answer, "\"apple\"");
        CHECK_CONTAINS(*answer, reason);
    }
    CHECK(log.size() == 2);
    CHECK_CONTAINS(log[0], "toolbroker: embedding failed");
    CHECK_CONTAINS(log[0], reason);

    const Result<std::string> embedded = broker.try_embed_tools();
    EXPECT(embedded, TB_ERR_CALLBACK);
    CHECK(embedded.error().code == "callback");
    CHECK_CONTAINS(embedded.error().message, reason);
    if (number.empty())
        CHECK(!contains(embedded.error().json, "callback_status"));
    else
        CHECK_CONTAINS(embedded.error().json, "\"callback_status\":" + std::string(number));
    return embedded.error();
}

static void words_rank_where_the_embedder_fails()
{
    const Error error = no_vectors([](std::string_view, void *) -> EmbedderAnswer { throw Away(); }, "the store is away", "-1");
    try {
        std::rethrow_exception(error.cause);
    } catch (const Away &away) {
        CHECK(away.shelf == 12);
    }
    CHECK(no_vectors([](std::string_view, void *) -> EmbedderAnswer { throw 5; }, "no std::exception", "-1").cause);
    no_vectors([](std::string_view, void *) -> EmbedderAnswer { throw std::runtime_error("not \xff UTF-8"); }, "not \xef\xbf\xbd UTF-8", "-1");
    no_vectors([](std::string_view, void *) -> EmbedderAnswer { throw std::runtime_error(""); }, "-1", "-1");

    CHECK(!no_vectors([](std::string_view, void *) { return EmbedderAnswer::failure("no model", -7); }, "no model", "-7").cause);
    no_vectors([](std::string_view, void *) { return EmbedderAnswer::failure("no model"); }, "no model", "-1");
    no_vectors([](std::string_view, void *) { return EmbedderAnswer::failure("no model", TB_STOP); }, "no model", "-1");
}

static void words_rank_where_the_vectors_do_not_fit()
{
    const std::string too_large = std::to_string(TB_ERR_TOO_LARGE);
    no_vectors([](std::string_view, void *) { return Vectors(); }, "0 vectors for 3 texts");
    no_vectors([](std::string_view, void *) { return Vectors{{1}, {1, 2}, {1}}; }, "a vector of 2 values after one of 1");
    no_vectors([](std::string_view, void *) { return Vectors(4, {1, 2}); }, "vector 4, of 2 values", too_large);
    no_vectors([](std::string_view, void *) { return Vectors(3, std::vector<float>(65537)); }, "vector 1, of 65537 values", too_large);
    for (float value : {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()})
        no_vectors([=](std::string_view, void *) { return Vectors(3, {1, value}); }, "finite");
    no_vectors([](std::string_view, void *) { return Vectors(3); }, "");
}

static void an_embedder_calls_back()
{
    int depth = 0;
    Broker broker;
    Builder builder;
    builder.embedder([&](std::string_view request, void *) {
        if (depth++ == 0) every_call_gives(broker, TB_OK);
        return by_first_letter(request);
    });
    broker = broker_of(builder);
    add_tools(broker, R"({"server":"s","tools":[{"name":"a"}]})");
    CHECK_CONTAINS(broker.rank(R"({"message":"a"})"), "\"a\"");
    CHECK(depth > 1);
}

int main()
{
    words_rank();
    vectors_rank();
    the_first_call_that_ranks_asks_for_the_tools();
    a_stop_of_the_embedder_ends_the_call();
    words_rank_where_the_embedder_fails();
    words_rank_where_the_vectors_do_not_fit();
    an_embedder_calls_back();
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
