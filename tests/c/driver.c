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
#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#endif

#include "calls.h"
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

int main(void)
{
    tb_broker *broker = NULL;
    char word[64], *request, status_text[16];
    size_t len;
#ifdef _WIN32
    /* Lengths count bytes; in text mode a line break is two of them. */
    _setmode(_fileno(stdin), _O_BINARY);
    _setmode(_fileno(stdout), _O_BINARY);
#endif
    while (read_record(word, &request, &len)) {
        tb_error *error = NULL;
        tb_buf answer = { NULL, 0 };
        int32_t status;
        if (!strcmp(word, "options") || !strcmp(word, "enricher")) {
            tb_broker_free(broker);
            broker = NULL;
            status = make(&broker, request, len, !strcmp(word, "enricher"), &error);
        } else {
            const struct call *call = call_named(word);
            if (!call) {
                fprintf(stderr, "driver: no call named %s\n", word);
                exit(3);
            }
            status = run_call(call, broker, request, len, NULL, &answer, &error);
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
