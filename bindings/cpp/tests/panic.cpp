// A panic inside the library becomes an Error, also where it happens below an enricher. Needs a library with the feature `test-panic`.
#include "check.hpp"

using toolbroker::Broker;
using toolbroker::Builder;
using toolbroker::EnricherAnswer;
using toolbroker::Error;

extern "C" std::int32_t tb_test_panic(tb_error **error);

static Error panic()
{
    tb_error *error = nullptr;
    const std::int32_t status = tb_test_panic(&error);
    return Error::take(status, error);
}

int main()
{
    Error seen;
    Builder builder;
    builder.enricher([&](std::string_view, void *) {
        seen = panic();
        return EnricherAnswer::failure(seen.message, seen.status);
    });
    const Broker broker = broker_of(builder);
    for (int round = 0; round < 3; round++) {
        const Error error = panic();
        CHECK(error == TB_ERR_PANIC && error.code == "panic");
        CHECK_CONTAINS(error.message, "asked to panic");
        CHECK_CONTAINS(error.json, "\"code\":\"panic\"");
        add_tools(broker, R"({"server":"s","tools":[{"name":"a"}]})");
        CHECK_CONTAINS(broker.select(), "\"count\":1");

        EXPECT(broker.try_overrides(R"({"names":["a"]})"), TB_ERR_CALLBACK);
        CHECK(seen == TB_ERR_PANIC);
        CHECK_CONTAINS(broker.try_overrides(R"({"names":["a"]})").error().message, "asked to panic");
    }
}
