// Requests and answers as values of nlohmann::json.
#include "check.hpp"
#include "toolbroker_json.hpp"

using toolbroker::Broker;
using toolbroker::Builder;
using toolbroker::EnricherAnswer;
using toolbroker::Result;
using Json = nlohmann::ordered_json;

static void values_go_in_and_come_out()
{
    const Broker broker;
    const Json report = call(broker, "add_tools", {{"server", "make"}, {"tools", {{{"name", "build_all"}}, {{"name", "clean"}}}}});
    CHECK(report["added"].size() == 2 && report["total"] == 2);
    const Json selection = call(broker, "select", {{"message", "build \"it\"\n"}});
    CHECK(selection["count"] == 2 && selection["tools"][0]["name"] == "build_all");
    CHECK(call(broker, "estimate").is_number());
    CHECK(call(broker, "info")["version"] == std::string(toolbroker::version()));
}

static void keys_keep_their_order()
{
    const Broker broker;
    const Json tool = {{"name", "a"}, {"inputSchema", {{"zebra", 1}, {"apple", 2}}}, {"server", "s"}};
    call(broker, "add_tools", {{"tools", {tool}}});
    CHECK(call(broker, "select")["tools"][0].dump() == tool.dump());
}

static void the_kind_of_value_is_the_requests()
{
    const Broker broker;
    const nlohmann::json request = {{"message", "x"}};
    const nlohmann::json sorted = call(broker, "select", request);
    CHECK(sorted["count"] == 0);
    const Result<nlohmann::json> result = toolbroker::try_call<nlohmann::json>(broker, "select");
    CHECK((*result)["count"] == 0);
}

static void faults_are_errors()
{
    const Broker broker;
    const Result<Json> unknown = try_call(broker, "select", {{"mesage", "x"}});
    EXPECT(unknown, TB_ERR_INVALID_REQUEST);
    CHECK(Json::parse(unknown.error().json)["at"]["path"] == "mesage");
    EXPECT(try_call(broker, "select", {{"message", "\xff"}}), TB_ERR_INVALID_UTF8);
    EXPECT(try_call(broker, "selekt"), TB_ERR_INVALID_REQUEST);
    try {
        call(broker, "select", {{"mesage", "x"}});
        FAIL("nothing was thrown");
    } catch (const toolbroker::Exception &exception) {
        CHECK(exception.error() == TB_ERR_INVALID_REQUEST);
    }
}

// What the JSON library cannot hold must not end the program.
static void an_answer_out_of_range_is_an_error()
{
    const Broker broker;
    add_tools(broker, R"({"server":"s","tools":[{"name":"a","_meta":{"far":1e999}}]})");
    EXPECT(broker.try_select(), TB_OK);
    const Result<Json> answer = try_call(broker, "select");
    EXPECT(answer, TB_ERR_INVALID_JSON);
    CHECK_CONTAINS(answer.error().message, "out_of_range");
}

static void a_call_hands_its_context_to_its_callbacks()
{
    void *asked_with = nullptr;
    Builder builder;
    builder.enricher([&](std::string_view, void *context) -> EnricherAnswer {
        asked_with = context;
        return std::nullopt;
    });
    const Broker broker = builder.build();
    int here = 0;
    call(broker, "overrides", {{"names", {"a"}}}, &here);
    CHECK(asked_with == &here);
}

int main()
{
    values_go_in_and_come_out();
    keys_keep_their_order();
    the_kind_of_value_is_the_requests();
    faults_are_errors();
    an_answer_out_of_range_is_an_error();
    a_call_hands_its_context_to_its_callbacks();
}
