/* Picks tools by rules that stand in the program. A client that holds its tools in a list of its own asks for their places. */
#include "example.h"
#include "json.h"

static const char *const names[] = { "build_start", "build_status", "build_cancel", "docs_search", "docs_delete" };

static const char tools[] =
    "{\"server\":\"depot\",\"tools\":["
    "{\"name\":\"build_start\",\"description\":\"Starts a build.\"},"
    "{\"name\":\"build_status\",\"description\":\"Tells how far a build is.\",\"annotations\":{\"readOnlyHint\":true}},"
    "{\"name\":\"build_cancel\",\"description\":\"Ends a build before it is done.\"},"
    "{\"name\":\"docs_search\",\"description\":\"Finds pages of the manual.\",\"annotations\":{\"readOnlyHint\":true}},"
    "{\"name\":\"docs_delete\",\"description\":\"Deletes a page of the manual.\"}]}";

/* Builds are hidden until someone asks for one; what deletes is never shown. */
static const char rules[] =
    "{\"rules\":["
    "{\"name\":\"no builds\",\"match\":{\"patterns\":[\"build_*\"]},\"action\":{\"type\":\"exclude\"}},"
    "{\"name\":\"builds when asked\",\"intent\":\"run-build\",\"match\":{\"patterns\":[\"build_*\"]},\"action\":{\"type\":\"allow\"},\"priority\":10},"
    "{\"name\":\"nothing deletes\",\"match\":{\"patterns\":[\"*_delete\"]},\"action\":{\"type\":\"exclude\"},\"priority\":100}]}";

static void pick(const tb_broker *broker, const char *message)
{
    char request[1024] = "{\"message\":", *end;
    size_t places[8], count, at;
    tb_error *error = NULL;
    end = json_quote(request + strlen(request), message);
    strcpy(end, "}");
    must(tb_broker_select_indices(broker, request, strlen(request), places, 8, &count, &error), &error);
    printf("%s\n", message);
    for (at = 0; at < count && at < 8; at++) printf("  %s\n", names[places[at]]);
}

int main(void)
{
    tb_builder *builder;
    tb_broker *broker;
    tb_buf answer;
    tb_error *error = NULL;
    if (tb_abi_version() != TB_ABI_VERSION) {
        fprintf(stderr, "this program and the library do not belong together\n");
        return 1;
    }
    must(tb_builder_new(NULL, 0, &builder, &error), &error);
    must(tb_builder_build(builder, &broker, &error), &error);
    must(tb_broker_add_tools(broker, tools, strlen(tools), &answer, &error), &error);
    tb_buf_free(&answer);
    must(tb_broker_load_rules(broker, rules, strlen(rules), &answer, &error), &error);
    tb_buf_free(&answer);

    pick(broker, "How do I write a table in the manual?");
    pick(broker, "Run build 7 again");
    tb_broker_free(broker);
    return 0;
}
