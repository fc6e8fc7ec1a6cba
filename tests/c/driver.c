/* Runs the calls that it reads, through the C ABI, so that the tests can hold every language to the same cases.
 *
 * It reads records of a word, a length, a line break and that many bytes:
 *   options N     makes a broker (in place of the one before); enricher N does so with an enricher
 *   <call> N      runs tb_broker_<call> or tb_<call>
 * and answers each with a status, a length, a line break and the answer, or the error's JSON.
 * When the enricher is asked it writes "ask N" and the request, and reads a status and an answer in the same form.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "toolbroker.h"

static int read_record(char word[64], char **bytes, size_t *len)
{
    char head[128];
    if (!fgets(head, sizeof head, stdin) || sscanf(head, "%63s %zu", word, len) != 2) return 0;
    *bytes = malloc(*len + 1);
    if (!*bytes || fread(*bytes, 1, *len, stdin) != *len) exit(3);
    (*bytes)[*len] = 0;
    return 1;
}

static void write_record(const char *word, const char *bytes, size_t len)
{
    printf("%s %zu\n", word, len);
    fwrite(bytes, 1, len, stdout);
    fflush(stdout);
}

static int32_t ask(void *ctx, void *call_ctx, const char *request, size_t request_len, tb_writer *writer)
{
    char word[64], *bytes;
    size_t len;
    int32_t status;
    (void)ctx;
    (void)call_ctx;
    write_record("ask", request, request_len);
    if (!read_record(word, &bytes, &len)) exit(3);
    status = (int32_t)strtol(word, NULL, 10);
    if (tb_writer_write(writer, bytes, len) != TB_OK) exit(3);
    free(bytes);
    return status;
}

static int32_t make(tb_broker **broker, const char *options, size_t len, int with_enricher, tb_error **error)
{
    tb_builder *builder;
    int32_t status = tb_builder_new(options, len, &builder, error);
    if (status != TB_OK) return status;
    if (with_enricher && (status = tb_builder_set_enricher(builder, ask, NULL, NULL, error)) != TB_OK) {
        tb_builder_free(builder);
        return status;
    }
    return tb_builder_build(builder, broker, error);
}

typedef int32_t call_fn(const tb_broker *, const char *, size_t, tb_buf *, tb_error **);
typedef int32_t calling_back_fn(const tb_broker *, const char *, size_t, void *, tb_buf *, tb_error **);
typedef int32_t library_fn(const char *, size_t, tb_buf *, tb_error **);

static const struct { const char *name; call_fn *call; } calls[] = {
    { "add_tools", tb_broker_add_tools },
    { "replace_tools", tb_broker_replace_tools },
    { "remove_tools", tb_broker_remove_tools },
    { "all_tools", tb_broker_all_tools },
    { "load_rules", tb_broker_load_rules },
    { "all_rules", tb_broker_all_rules },
    { "load_intents", tb_broker_load_intents },
    { "detect_intent", tb_broker_detect_intent },
    { "tokenize", tb_broker_tokenize },
    { "score_by_keywords", tb_broker_score_by_keywords },
    { "score_by_intent", tb_broker_score_by_intent },
    { "find_by_names", tb_broker_find_by_names },
    { "estimate", tb_broker_estimate },
    { "prune", tb_broker_prune },
};
static const struct { const char *name; calling_back_fn *call; } calling_back[] = {
    { "select", tb_broker_select },
    { "overrides", tb_broker_overrides },
};
static const struct { const char *name; library_fn *call; } library[] = {
    { "read_rules", tb_read_rules },
    { "read_hints", tb_read_hints },
    { "default_rules", tb_default_rules },
    { "info", tb_info },
};

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

static int32_t run(const tb_broker *broker, const char *name, const char *request, size_t len, tb_buf *answer, tb_error **error)
{
    size_t i;
    for (i = 0; i < COUNT(calls); i++)
        if (!strcmp(name, calls[i].name)) return calls[i].call(broker, request, len, answer, error);
    for (i = 0; i < COUNT(calling_back); i++)
        if (!strcmp(name, calling_back[i].name)) return calling_back[i].call(broker, request, len, NULL, answer, error);
    for (i = 0; i < COUNT(library); i++)
        if (!strcmp(name, library[i].name)) return library[i].call(request, len, answer, error);
    fprintf(stderr, "driver: no call named %s\n", name);
    exit(3);
}

int main(void)
{
    tb_broker *broker = NULL;
    char word[64], *request, status_text[16];
    size_t len;
    while (read_record(word, &request, &len)) {
        tb_error *error = NULL;
        tb_buf answer = { NULL, 0 };
        int32_t status;
        if (!strcmp(word, "options") || !strcmp(word, "enricher")) {
            tb_broker_free(broker);
            broker = NULL;
            status = make(&broker, request, len, !strcmp(word, "enricher"), &error);
        } else {
            status = run(broker, word, request, len, &answer, &error);
        }
        snprintf(status_text, sizeof status_text, "%d", (int)status);
        if (error)
            write_record(status_text, tb_error_json(error), strlen(tb_error_json(error)));
        else
            write_record(status_text, answer.data ? answer.data : "", answer.len);
        tb_error_free(error);
        tb_buf_free(&answer);
        free(request);
    }
    tb_broker_free(broker);
    return 0;
}
