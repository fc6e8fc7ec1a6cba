// The other unit.
#include "check.hpp"

int tools_in_unit_b()
{
    toolbroker::Builder builder;
    builder.enricher([](std::string_view, void *) { return std::string(R"({"hints":[{"output_shape":"of unit b"}]})"); });
    const toolbroker::Broker broker = broker_of(builder);
    CHECK_CONTAINS(*broker.try_overrides(R"({"names":["a"]})"), "of unit b");
    add_tools(broker, R"({"server":"s","tools":[{"name":"a"}]})");
    return static_cast<int>(broker.try_select_indices()->size());
}
