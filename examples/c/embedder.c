/* Tools that a message means in other words, even in another language: an embedder turns texts into vectors, and what points the same way fits.
 * The argument is the folder of the data. */
#include "example.h"
#include "json.h"

/* Whether a text holds a word, in any case of the first letter. */
static int has(struct json text, const char *word)
{
    size_t len = strlen(word), i;
    for (i = 0; i + len <= text.len; i++)
        if ((text.at[i] | 0x20) == word[0] && !memcmp(text.at + i + 1, word + 1, len - 1)) return 1;
    return 0;
}

/* Stands in for a model of sentence vectors, which a client has of its own: each meaning is a direction, and some words point there. */
static int32_t embed(void *ctx, void *call_ctx, const char *request, size_t len, tb_vectors *vectors)
{
    static const char *const meanings[3][4] = { { "calendar", "event", "meeting", "termin" }, { "note", "notiz" }, { "build", "release", "fassung" } };
    struct json asked, text;
    const char *inside = NULL;
    (void)ctx;
    (void)call_ctx;
    asked.at = request;
    asked.len = len;
    asked = json_get(asked, "texts");
    while (json_next(asked, &inside, &text)) {
        float vector[3] = { 0, 0, 0 };
        int32_t status;
        int meaning, word;
        for (meaning = 0; meaning < 3; meaning++)
            for (word = 0; word < 4 && meanings[meaning][word]; word++) vector[meaning] += (float)has(text, meanings[meaning][word]);
        if ((status = tb_vectors_push(vectors, vector, 3)) != TB_OK) return status;
    }
    return TB_OK;
}

int main(int argc, char **argv)
{
    const char *folder = argc > 1 ? argv[1] : "examples/data";
    static const char *const messages[] = { "Welche Termine habe ich morgen?", "Schreib mir eine Notiz", "Welche Fassung ist die letzte?" };
    tb_builder *builder;
    tb_broker *broker;
    tb_buf answer;
    tb_error *error = NULL;
    struct json whole;
    size_t i;
    must(tb_builder_new(NULL, 0, &builder, &error), &error);
    must(tb_builder_set_embedder(builder, embed, NULL, NULL, &error), &error);
    must(tb_builder_build(builder, &broker, &error), &error);
    add_server(broker, folder, "notes");
    add_server(broker, folder, "calendar");
    add_server(broker, folder, "depot");
    must(tb_broker_embed_tools(broker, NULL, 0, NULL, &answer, &error), &error);
    whole.at = answer.data;
    whole.len = answer.len;
    json_print(json_get(whole, "embedded"));
    puts(" tools have a vector");
    tb_buf_free(&answer);

    for (i = 0; i < sizeof messages / sizeof *messages; i++) {
        char request[256];
        struct json tools, tool;
        const char *inside = NULL, *between = "  ";
        int len = snprintf(request, sizeof request, "{\"message\":\"%s\",\"top\":3}", messages[i]);
        must(tb_broker_rank(broker, request, (size_t)len, NULL, &answer, &error), &error);
        puts(messages[i]);
        whole.at = answer.data;
        whole.len = answer.len;
        tools = json_get(whole, "tools");
        while (json_next(tools, &inside, &tool)) {
            fputs(between, stdout);
            json_print(json_get(tool, "name"));
            between = ", ";
        }
        puts("");
        tb_buf_free(&answer);
    }
    tb_broker_free(broker);
    return 0;
}
