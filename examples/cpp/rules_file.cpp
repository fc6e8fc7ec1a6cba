// Loads three servers' tools and a rule file, and shows what the model sees for some messages within a budget.
// The argument is the folder of the data.
#include <iostream>

#include "example.hpp"

static void pick(const toolbroker::Broker &broker, const std::string &message)
{
    const Json selection = call(broker, "select", {{"message", message}, {"budget", {{"max_tools", 5}, {"tokens", 600}}}});
    std::cout << message << '\n';
    for (const Json &tool : selection["tools"])
        std::cout << "  " << tool["server"].get<std::string>() << '/' << tool["name"].get<std::string>() << '\n';
    std::cout << "  " << selection["count"] << " of " << selection["total"] << " tools, " << selection["tokens"] << " tokens; "
              << selection["rationale"].get<std::string>() << "\n\n";
}

int main(int argc, char **argv)
{
    try {
        const std::string folder = argc > 1 ? argv[1] : "examples/data";
        toolbroker::Broker broker;
        for (const char *server : {"notes", "calendar", "depot"}) add_server(broker, folder, server);
        call(broker, "load_rules", {{"path", folder + "/rules.yaml"}});
        pick(broker, "Find my note on the garden and add that the roses need water");
        pick(broker, "Move the meeting with Ada to a time when we are all free");
        pick(broker, "Publish release 2.1 once its build is done");
    } catch (const std::exception &failure) {
        std::cerr << failure.what() << '\n';
        return 1;
    }
}
