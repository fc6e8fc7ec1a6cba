/* Guidance on the selected tools for the system prompt: an enricher looks it up, the library writes the block.
 * The argument is the folder of the data. */
#include "example.h"
#include "json.h"

/* `ctx` is the text of hints.json: {"server/name": {…}}. */
static int32_t look_up(void *ctx, void *call_ctx, const char *request, size_t len, tb_writer *writer)
{
    struct json known, asked, tool;
    const char *inside = NULL, *between = "";
    int32_t status = tb_writer_write(writer, "{\"hints\":[", 10);
    (void)call_ctx;
    known.at = ctx;
    known.len = strlen(ctx);
    asked.at = request;
    asked.len = len;
    asked = json_get(asked, "tools");
    while (json_next(asked, &inside, &tool)) {
        struct json server = json_get(tool, "server"), name = json_get(tool, "name"), hints;
        char id[2100];
        snprintf(id, sizeof id, "%.*s/%.*s", (int)server.len, server.at, (int)name.len, name.at);
        hints = json_get(known, id);
        if (!hints.len) {
            hints.at = "null";
            hints.len = 4;
        }
        if (status == TB_OK) status = tb_writer_write(writer, between, strlen(between));
        if (status == TB_OK) status = tb_writer_write(writer, hints.at, hints.len);
        between = ",";
    }
    if (status == TB_OK) status = tb_writer_write(writer, "]}", 2);
    return status;
}

int main(int argc, char **argv)
{
    const char *folder = argc > 1 ? argv[1] : "examples/data";
    static const char request[] = "{\"tools\":[{\"server\":\"notes\",\"name\":\"notes_search\"},{\"server\":\"notes\",\"name\":\"notes_read\"},"
                                  "{\"server\":\"depot\",\"name\":\"build_start\"}]}";
    static const char turn[] = "{\"message\":\"search my notes on the build and append its log\",\"budget\":{\"max_tools\":4}}";
    char path[1024];
    struct json whole, block;
    tb_builder *builder;
    tb_broker *broker;
    tb_buf answer;
    tb_error *error = NULL;
    snprintf(path, sizeof path, "%s/hints.json", folder);
    must(tb_builder_new(NULL, 0, &builder, &error), &error);
    must(tb_builder_set_enricher(builder, look_up, read_file(path, 0), free, &error), &error);
    must(tb_builder_build(builder, &broker, &error), &error);
    add_server(broker, folder, "notes");
    add_server(broker, folder, "calendar");
    add_server(broker, folder, "depot");

    must(tb_broker_select(broker, turn, strlen(turn), NULL, &answer, &error), &error);
    whole.at = answer.data;
    whole.len = answer.len;
    block = json_get(whole, "override_block");
    puts("of the selection");
    json_print(block);
    tb_buf_free(&answer);

    must(tb_broker_overrides(broker, request, strlen(request), NULL, &answer, &error), &error);
    whole.at = answer.data;
    whole.len = answer.len;
    block = json_get(whole, "block");
    puts("\nof three tools by name");
    json_print(block);
    tb_buf_free(&answer);
    tb_broker_free(broker);
    return 0;
}
