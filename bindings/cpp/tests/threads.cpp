// Many threads on one broker: each error and each exception belongs to its own call, and close() waits for nobody and harms nobody.
// The argument is how many rounds each thread runs.
#include <atomic>
#include <stdexcept>
#include <thread>

#include "check.hpp"

using toolbroker::Broker;
using toolbroker::Builder;
using toolbroker::EmbedderAnswer;
using toolbroker::EnricherAnswer;
using toolbroker::Error;
using toolbroker::Result;

static const int threads = 64;
static int rounds = 100;

template <class Body>
static void run_all(const Body &body)
{
    std::atomic<int> ready{0};
    std::vector<std::thread> running;
    for (int number = 0; number < threads; number++)
        running.emplace_back([&ready, &body, number] {
            for (ready++; ready < threads;) std::this_thread::yield();
            body(number);
        });
    for (std::thread &thread : running) thread.join();
}

static std::string tools_of(int generation)
{
    std::string tools;
    for (int at = 0; at < 10; at++)
        tools += (at ? "," : "") + std::string("{\"name\":\"tool_") + std::to_string(at) + "\",\"description\":\"generation " + std::to_string(generation) + ".\"}";
    return "{\"server\":\"live\",\"tools\":[" + tools + "]}";
}

static void each_error_is_of_its_own_call()
{
    const Broker broker;
    run_all([&](int number) {
        for (int round = 0; round < rounds; round++) {
            const std::string key = "key_" + std::to_string(number) + "_" + std::to_string(round) + "_";
            const Result<std::string> answer = broker.try_select("{" + toolbroker::quote(key) + ":1}");
            EXPECT(answer, TB_ERR_INVALID_REQUEST);
            CHECK_CONTAINS(answer.error().message, key);
            CHECK_CONTAINS(answer.error().json, key);
        }
    });
}

static void each_exception_and_context_is_of_its_own_call()
{
    Builder builder;
    builder.embedder([](std::string_view, void *context) -> EmbedderAnswer { throw std::runtime_error(*static_cast<std::string *>(context)); });
    builder.enricher([](std::string_view, void *context) -> EnricherAnswer { throw std::runtime_error(*static_cast<std::string *>(context)); });
    const Broker broker = builder.build();
    add_tools(broker, tools_of(0));
    run_all([&](int number) {
        for (int round = 0; round < rounds; round++) {
            std::string own = "thread " + std::to_string(number) + ", round " + std::to_string(round) + ".";
            const Result<std::string> answer = round % 2 ? broker.try_embed_tools("", &own) : broker.try_overrides(R"({"names":["a"]})", &own);
            EXPECT(answer, TB_ERR_CALLBACK);
            CHECK_CONTAINS(answer.error().message, own);
            try {
                std::rethrow_exception(answer.error().cause);
            } catch (const std::runtime_error &error) {
                CHECK(error.what() == own);
            }
        }
    });
}

// Tools get their vectors while others rank by them, and while they are replaced.
static void ranking_while_vectors_are_made_is_safe()
{
    Builder builder;
    builder.embedder([](std::string_view request, void *) {
        std::size_t texts = 0;
        for (std::size_t at = 1; at < request.size(); at++) texts += request[at] == '"' && (request[at - 1] == '[' || request[at - 1] == ',');
        return std::vector<std::vector<float>>(texts, {1, 2});
    });
    const Broker broker = builder.build();
    add_tools(broker, tools_of(0));
    run_all([&](int number) {
        for (int round = 0; round < rounds; round++) {
            if (number % 16 == 0)
                EXPECT(broker.try_replace_tools(tools_of(number * rounds + round)), TB_OK);
            else if (number % 16 == 1)
                EXPECT(broker.try_embed_tools(), TB_OK);
            else
                CHECK(!contains(broker.rank(R"({"message":"generation"})"), "warnings"));
        }
    });
}

static void each_answer_is_of_one_state()
{
    const Broker broker;
    add_tools(broker, tools_of(0));
    run_all([&](int number) {
        for (int round = 0; round < rounds; round++) {
            if (number % 8 == 0) {
                EXPECT(broker.try_replace_tools(tools_of(number * rounds + round)), TB_OK);
                continue;
            }
            CHECK(broker.select_indices().size() == 10);
            const std::string answer = broker.select(R"({"message":"generation"})");
            const std::size_t at = answer.find("generation ");
            const std::string generation = answer.substr(at, answer.find('.', at) + 1 - at);
            int same = 0;
            for (std::size_t next = answer.find(generation); next != answer.npos; next = answer.find(generation, next + 1)) same++;
            if (same != 10) FAIL("several generations in one answer: %s", answer.c_str());
        }
    });
}

// Calls that run while others close the broker end as they would have; what was held is freed once, by the last of them.
static void closing_while_calls_run_is_safe()
{
    for (int round = 0; round < rounds; round++) {
        std::atomic<int> freed{0};
        std::shared_ptr<int> held(new int(7), [&freed](int *number) {
            freed++;
            delete number;
        });
        Builder builder;
        builder.enricher([held](std::string_view, void *) -> EnricherAnswer {
            CHECK(*held == 7);
            return std::nullopt;
        });
        Broker broker = builder.build();
        builder = Builder();
        held.reset();
        add_tools(broker, tools_of(round));
        run_all([&](int number) {
            if (number % 16 == 5) return broker.close();
            const Result<std::string> answer = broker.try_select();
            if (answer)
                CHECK_CONTAINS(*answer, "\"count\":10");
            else
                EXPECT(answer, Error::closed);
        });
        EXPECT(broker.try_select(), Error::closed);
        CHECK(freed == 1);
    }
}

// A broker that others call may be replaced by another.
static void moving_while_calls_run_is_safe()
{
    Broker broker;
    add_tools(broker, tools_of(0));
    run_all([&](int number) {
        for (int round = 0; round < rounds; round++) {
            if (number == 5) {
                Broker next;
                add_tools(next, tools_of(round));
                broker = std::move(next);
            } else {
                CHECK(broker.select_indices().size() == 10);
            }
        }
    });
}

int main(int argc, char **argv)
{
    if (argc > 1) rounds = std::atoi(argv[1]);
    CHECK(rounds > 0);
    each_error_is_of_its_own_call();
    each_exception_and_context_is_of_its_own_call();
    each_answer_is_of_one_state();
    ranking_while_vectors_are_made_is_safe();
    closing_while_calls_run_is_safe();
    moving_while_calls_run_is_safe();
}
