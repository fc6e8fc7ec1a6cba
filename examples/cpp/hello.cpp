#include <iostream>

#include "toolbroker.hpp"

int main()
{
    try {
        toolbroker::Broker broker;
        broker.add_tools(R"({"server":"make","tools":[{"name":"build_all"},{"name":"clean"}]})");
        std::cout << broker.select(R"({"message":"please build it","budget":{"tokens":4000}})") << '\n';
    } catch (const toolbroker::Exception &failure) {
        std::cerr << failure.what() << '\n';
        return 1;
    }
}
