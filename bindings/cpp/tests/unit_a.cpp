// One of two units of a program, of which each includes the header. Where one of them is built without exceptions, each has its own types.
#include "check.hpp"

int tools_in_unit_b();

int main()
{
    toolbroker::Builder builder;
    builder.enricher([](std::string_view, void *) { return std::string(R"({"hints":[{"output_shape":"of unit a"}]})"); });
    const toolbroker::Broker broker = broker_of(builder);
    CHECK_CONTAINS(*broker.try_overrides(R"({"names":["a"]})"), "of unit a");
    CHECK(tools_in_unit_b() == 1);
}
