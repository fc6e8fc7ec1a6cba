// What the examples with files share.
#ifndef EXAMPLE_HPP
#define EXAMPLE_HPP

#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include "toolbroker_json.hpp"

using Json = nlohmann::ordered_json;

inline std::string read_file(const std::string &path)
{
    std::ifstream file(path, std::ios::binary);
    if (!file) throw std::runtime_error("cannot read " + path);
    return std::string(std::istreambuf_iterator<char>(file), {});
}

// Hands over what a server answered to tools/list, from the file <folder>/tools/<server>.json. As text, since tools are kept byte for byte.
inline void add_server(const toolbroker::Broker &broker, const std::string &folder, const std::string &server)
{
    const std::string tools = read_file(folder + "/tools/" + server + ".json");
    broker.add_tools("{\"server\":" + toolbroker::quote(server) + ",\"tools\":" + tools + "}");
}

#endif
