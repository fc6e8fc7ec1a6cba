// Closing, moving and what is left of a broker then; when functions are freed.
#include <type_traits>

#include "every_call.hpp"

using toolbroker::Broker;
using toolbroker::Builder;
using toolbroker::EmbedderAnswer;
using toolbroker::EnricherAnswer;
using toolbroker::Error;
using toolbroker::Exception;

static_assert(!std::is_copy_constructible_v<Broker> && !std::is_copy_assignable_v<Broker>);
static_assert(std::is_nothrow_move_constructible_v<Broker> && std::is_nothrow_move_assignable_v<Broker>);

static void a_closed_broker_gives_errors()
{
    Broker broker;
    add_tools(broker, R"({"server":"s","tools":[{"name":"a"}]})");
    CHECK(broker.is_open());
    every_call_gives(broker, TB_OK);
    broker.close();
    CHECK(!broker.is_open());
    every_call_gives(broker, Error::closed);
    broker.close();
    every_call_gives(broker, Error::closed);
    CHECK(broker.try_select().error().code == "closed");
    CHECK_CONTAINS(broker.try_select().error().message, "closed or was moved from");
    try {
        broker.select();
        FAIL("a closed broker selects");
    } catch (const Exception &exception) {
        CHECK(exception.error() == Error::closed);
    }
}

static void moves_hand_over_what_is_held()
{
    Broker first;
    add_tools(first, R"({"server":"s","tools":[{"name":"a"}]})");
    Broker second(std::move(first));
    every_call_gives(first, Error::closed);
    every_call_gives(second, TB_OK);

    Broker third;
    third = std::move(second);
    every_call_gives(second, Error::closed);
    CHECK_CONTAINS(third.all_tools(), "\"a\"");

    second = std::move(third);
    CHECK_CONTAINS(second.all_tools(), "\"a\"");
    third.close();
    first = std::move(third);
    every_call_gives(first, Error::closed);
}

static void a_broker_moved_into_itself_stays()
{
    Broker broker;
    add_tools(broker, R"({"server":"s","tools":[{"name":"a"}]})");
    Broker &same = broker;
    broker = std::move(same);
    CHECK_CONTAINS(broker.all_tools(), "\"a\"");
    broker.close();
    broker = std::move(same);
    every_call_gives(broker, Error::closed);
}

// Counts how often the last copy of what a function holds is freed.
static std::shared_ptr<int> counted(int &freed)
{
    return std::shared_ptr<int>(new int(7), [&freed](int *number) {
        freed++;
        delete number;
    });
}

static Builder counting(int &freed_enricher, int &freed_embedder, int &freed_logger, std::string_view options = {})
{
    Builder builder(options);
    builder.enricher([held = counted(freed_enricher)](std::string_view, void *) -> EnricherAnswer { return std::nullopt; });
    builder.embedder([held = counted(freed_embedder)](std::string_view, void *) { return EmbedderAnswer::failure("no model"); });
    builder.logger([held = counted(freed_logger)](std::string_view, void *) {});
    return builder;
}

static void functions_are_freed_once()
{
    int enricher = 0, embedder = 0, logger = 0;
    {
        Broker broker = counting(enricher, embedder, logger).build();
        CHECK(enricher == 0 && embedder == 0 && logger == 0);
        broker.close();
        CHECK(enricher == 1 && embedder == 1 && logger == 1);
        broker.close();
    }
    CHECK(enricher == 1 && embedder == 1 && logger == 1);

    enricher = embedder = logger = 0;
    {
        Broker broker = counting(enricher, embedder, logger).build();
        Broker other;
        other = std::move(broker);
        CHECK(enricher == 0 && embedder == 0 && logger == 0);
        other = Broker();
        CHECK(enricher == 1 && embedder == 1 && logger == 1);
    }
    CHECK(enricher == 1 && embedder == 1 && logger == 1);

    enricher = embedder = logger = 0;
    { counting(enricher, embedder, logger); }
    CHECK(enricher == 1 && embedder == 1 && logger == 1);

    enricher = embedder = logger = 0;
    EXPECT(counting(enricher, embedder, logger, R"({"profil":"standard"})").try_build(), TB_ERR_INVALID_OPTIONS);
    CHECK(enricher == 1 && embedder == 1 && logger == 1);
}

static void a_builder_makes_several_brokers()
{
    int enricher = 0, embedder = 0, logger = 0;
    {
        const Builder builder = counting(enricher, embedder, logger);
        Broker first = builder.build(), second = builder.build();
        add_tools(first, R"({"server":"s","tools":[{"name":"a"}]})");
        first.close();
        CHECK_CONTAINS(second.select(), "\"count\":0");
        CHECK(enricher == 0 && embedder == 0 && logger == 0);
    }
    CHECK(enricher == 1 && embedder == 1 && logger == 1);

    Builder again;
    again.enricher([held = counted(enricher)](std::string_view, void *) -> EnricherAnswer { return std::nullopt; });
    again.enricher(nullptr);
    CHECK(enricher == 2);
    again.embedder([held = counted(embedder)](std::string_view, void *) { return EmbedderAnswer::stop(); });
    again.embedder(nullptr);
    CHECK(embedder == 2);
    Broker without = again.build();
    CHECK(without.embed_tools() == "{\"embedded\":0}");
    CHECK_CONTAINS(without.overrides(R"({"names":["a"]})"), "\"block\":\"\"");
}

// The call that runs holds what it works on.
static void a_callback_may_close_its_broker()
{
    int freed = 0;
    Broker broker;
    Builder builder;
    builder.enricher([&broker, &freed, held = counted(freed)](std::string_view, void *) -> EnricherAnswer {
        broker.close();
        CHECK(freed == 0 && *held == 7);
        EXPECT(broker.try_all_tools(), Error::closed);
        return std::string(R"({"hints":[{"output_shape":"closing"}]})");
    });
    broker = builder.build();
    builder = Builder();
    CHECK_CONTAINS(broker.overrides(R"({"names":["a"]})"), "closing");
    CHECK(freed == 1);
    EXPECT(broker.try_overrides(R"({"names":["a"]})"), Error::closed);
}

static void an_embedder_may_close_its_broker()
{
    int freed = 0;
    Broker broker;
    Builder builder;
    builder.embedder([&broker, &freed, held = counted(freed)](std::string_view, void *) -> EmbedderAnswer {
        broker.close();
        CHECK(freed == 0 && *held == 7);
        EXPECT(broker.try_rank(), Error::closed);
        return std::vector<std::vector<float>>{{1}};
    });
    broker = builder.build();
    builder = Builder();
    add_tools(broker, R"({"server":"s","tools":[{"name":"a"}]})");
    CHECK(broker.embed_tools() == "{\"embedded\":1}");
    CHECK(freed == 1);
    EXPECT(broker.try_embed_tools(), Error::closed);
}

int main()
{
    a_closed_broker_gives_errors();
    moves_hand_over_what_is_held();
    a_broker_moved_into_itself_stays();
    functions_are_freed_once();
    a_builder_makes_several_brokers();
    a_callback_may_close_its_broker();
    an_embedder_may_close_its_broker();
}
