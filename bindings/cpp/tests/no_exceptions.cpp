// The interface in a unit without exceptions. The argument `misuse` asks a failed result for its value, which ends the process with the error's text.
#include "every_call.hpp"

#if TB_HAS_EXCEPTIONS
#error "this suite is built without exceptions"
#endif

using toolbroker::Broker;
using toolbroker::Builder;
using toolbroker::EmbedderAnswer;
using toolbroker::EnricherAnswer;
using toolbroker::Error;
using toolbroker::Result;

int main(int argc, char **argv)
{
    std::string logged;
    int status = 0;
    Builder builder;
    builder.enricher([&](std::string_view, void *) -> EnricherAnswer {
        if (status < 0) return EnricherAnswer::failure("the store is away", status);
        return std::string(R"({"hints":[{"output_shape":"x"}]})");
    });
    builder.embedder([&](std::string_view, void *) -> EmbedderAnswer {
        if (status < 0) return EmbedderAnswer::failure("the model is away", status);
        return std::vector<std::vector<float>>{{1, 2}};
    });
    builder.logger([&](std::string_view message, void *) { logged = message; });
    Result<Broker> made = builder.try_build();
    EXPECT(made, TB_OK);
    Broker broker = std::move(made).value();
    add_tools(broker, R"({"server":"s","tools":[{"name":"a"}]})");
    every_call_gives(broker, TB_OK);
    CHECK_CONTAINS(*broker.try_overrides(R"({"names":["a"]})"), "- **a**: x");
    status = -7;
    EXPECT(broker.try_overrides(R"({"names":["a"]})"), TB_ERR_CALLBACK);
    CHECK_CONTAINS(*broker.try_select(), "enricher_failed");
    CHECK_CONTAINS(logged, "the store is away");
    add_tools(broker, R"({"server":"s","tools":[{"name":"b"}]})");
    EXPECT(broker.try_embed_tools(), TB_ERR_CALLBACK);
    CHECK_CONTAINS(*broker.try_rank(R"({"message":"b"})"), "embedder_failed");
    CHECK_CONTAINS(logged, "the model is away");
    status = 0;
    EXPECT(broker.try_embed_tools(), TB_OK);

    EXPECT(Builder(R"({"profil":"standard"})").try_build(), TB_ERR_INVALID_OPTIONS);
    if (argc > 1 && std::string_view(argv[1]) == "misuse") return broker.try_select("{").value().empty();
    Broker other = std::move(broker);
    every_call_gives(broker, Error::closed);
    every_call_gives(other, TB_OK);
    other.close();
    every_call_gives(other, Error::closed);
}
