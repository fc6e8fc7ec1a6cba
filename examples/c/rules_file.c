/* Loads three servers' tools and a rule file, and shows what the model sees for some messages within a budget.
 * The argument is the folder of the data. */
#include "example.h"
#include "json.h"

static const char *const messages[] = {
    "Find my note on the garden and add that the roses need water",
    "Move the meeting with Ada to a time when we are all free",
    "Publish release 2.1 once its build is done",
};

static void pick(const tb_broker *broker, const char *message)
{
    char request[1024] = "{\"budget\":{\"max_tools\":5,\"tokens\":600},\"message\":", *end;
    const char *inside = NULL;
    struct json whole, tools, tool;
    tb_buf answer;
    tb_error *error = NULL;
    end = json_quote(request + strlen(request), message);
    strcpy(end, "}");
    must(tb_broker_select(broker, request, strlen(request), NULL, &answer, &error), &error);
    whole.at = answer.data;
    whole.len = answer.len;
    tools = json_get(whole, "tools");
    printf("%s\n", message);
    while (json_next(tools, &inside, &tool)) {
        struct json server = json_get(tool, "server"), name = json_get(tool, "name");
        printf("  %.*s/%.*s\n", (int)server.len, server.at, (int)name.len, name.at);
    }
    printf("  %.*s of %.*s tools, %.*s tokens; %.*s\n\n", (int)json_get(whole, "count").len, json_get(whole, "count").at,
           (int)json_get(whole, "total").len, json_get(whole, "total").at, (int)json_get(whole, "tokens").len, json_get(whole, "tokens").at,
           (int)json_get(whole, "rationale").len, json_get(whole, "rationale").at);
    tb_buf_free(&answer);
}

int main(int argc, char **argv)
{
    const char *folder = argc > 1 ? argv[1] : "examples/data";
    char request[1100];
    size_t at;
    tb_builder *builder;
    tb_broker *broker;
    tb_buf answer;
    tb_error *error = NULL;
    must(tb_builder_new(NULL, 0, &builder, &error), &error);
    must(tb_builder_build(builder, &broker, &error), &error);
    add_server(broker, folder, "notes");
    add_server(broker, folder, "calendar");
    add_server(broker, folder, "depot");
    snprintf(request, sizeof request, "{\"path\":\"%s/rules.yaml\"}", folder);
    must(tb_broker_load_rules(broker, request, strlen(request), &answer, &error), &error);
    tb_buf_free(&answer);

    for (at = 0; at < sizeof messages / sizeof messages[0]; at++) pick(broker, messages[at]);
    tb_broker_free(broker);
    return 0;
}
