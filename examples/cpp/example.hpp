// What the examples with files share.
#ifndef EXAMPLE_HPP
#define EXAMPLE_HPP

#include <fstream>
#include <stdexcept>
#include <string>

#include "toolbroker_json.hpp"

using Json = nlohmann::ordered_json;

inline Json read_json(const std::string &path)
{
    std::ifstream file(path);
    if (!file) throw std::runtime_error("cannot read " + path);
    return Json::parse(file);
}

// Hands over what a server answered to tools/list, from the file <folder>/tools/<server>.json.
inline void add_server(const toolbroker::Broker &broker, const std::string &folder, const std::string &server)
{
    call(broker, "add_tools", {{"server", server}, {"tools", read_json(folder + "/tools/" + server + ".json")}});
}

#endif
