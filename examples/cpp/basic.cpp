// Picks tools by rules that stand in the program. A client that holds its tools in a list of its own asks for their places.
#include <iostream>
#include <string>
#include <vector>

#include "toolbroker.hpp"

static const std::vector<std::string> names = {"build_start", "build_status", "build_cancel", "docs_search", "docs_delete"};

static const char tools[] = R"({"server": "depot", "tools": [
    {"name": "build_start", "description": "Starts a build."},
    {"name": "build_status", "description": "Tells how far a build is.", "annotations": {"readOnlyHint": true}},
    {"name": "build_cancel", "description": "Ends a build before it is done."},
    {"name": "docs_search", "description": "Finds pages of the manual.", "annotations": {"readOnlyHint": true}},
    {"name": "docs_delete", "description": "Deletes a page of the manual."}
]})";

// Builds are hidden until someone asks for one; what deletes is never shown.
static const char rules[] = R"({"rules": [
    {"name": "no builds", "match": {"patterns": ["build_*"]}, "action": {"type": "exclude"}},
    {"name": "builds when asked", "intent": "run-build", "match": {"patterns": ["build_*"]}, "action": {"type": "allow"}, "priority": 10},
    {"name": "nothing deletes", "match": {"patterns": ["*_delete"]}, "action": {"type": "exclude"}, "priority": 100}
]})";

static void pick(const toolbroker::Broker &broker, const std::string &message)
{
    std::cout << message << '\n';
    for (std::size_t place : broker.select_indices("{\"message\":" + toolbroker::quote(message) + "}")) std::cout << "  " << names[place] << '\n';
}

int main()
{
    try {
        toolbroker::Broker broker;
        broker.add_tools(tools);
        broker.load_rules(rules);
        pick(broker, "How do I write a table in the manual?");
        pick(broker, "Run build 7 again");
    } catch (const toolbroker::Exception &failure) {
        std::cerr << failure.error().code << ": " << failure.what() << '\n';
        return 1;
    }
}
