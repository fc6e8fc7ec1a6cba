// Guidance on the selected tools for the system prompt: an enricher looks it up, the library writes the block.
// The argument is the folder of the data.
#include <iostream>

#include "example.hpp"

// `known` is hints.json: {"server/name": {…}}.
static toolbroker::Enricher look_up(const Json &known)
{
    return [known](std::string_view request, void *) {
        const Json asked = Json::parse(request);
        Json hints = Json::array();
        for (const Json &tool : asked["tools"])
            hints.push_back(known.value(tool["server"].get<std::string>() + "/" + tool["name"].get<std::string>(), Json()));
        return Json{{"hints", hints}}.dump();
    };
}

int main(int argc, char **argv)
{
    try {
        const std::string folder = argc > 1 ? argv[1] : "examples/data";
        toolbroker::Broker broker = toolbroker::Builder().enricher(look_up(Json::parse(read_file(folder + "/hints.json")))).build();
        for (const char *server : {"notes", "calendar", "depot"}) add_server(broker, folder, server);

        const Json turn = {{"message", "search my notes on the build and append its log"}, {"budget", {{"max_tools", 4}}}};
        std::cout << "of the selection\n" << call(broker, "select", turn)["override_block"].get<std::string>();

        const Json three = {{{"server", "notes"}, {"name", "notes_search"}},
                            {{"server", "notes"}, {"name", "notes_read"}},
                            {{"server", "depot"}, {"name", "build_start"}}};
        std::cout << "\nof three tools by name\n" << call(broker, "overrides", {{"tools", three}})["block"].get<std::string>();
    } catch (const std::exception &failure) {
        std::cerr << failure.what() << '\n';
        return 1;
    }
}
