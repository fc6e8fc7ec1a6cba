/* Runs the calls that it reads, through the C ABI, so that the tests can hold every language to the same cases.
 *
 * It reads records of a word, a length, a line break and that many bytes:
 *   options N     makes a broker (in place of the one before); enricher N does so with an enricher, embedder N with an embedder
 *   <call> N      runs tb_broker_<call> or tb_<call>
 * and answers each with a status, a length, a line break and the answer, or the error's JSON.
 * When the enricher is asked it writes "ask N" and the request, and reads a status and an answer in the same form; for the embedder it writes "embed N",
 * and the answer is a line for each vector, of numbers as strtof() reads them.
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

/* Asks the other end of the pipe. The answer, with a NUL behind it, is to be freed. */
static int32_t answer_to(const char *question, const char *request, size_t request_len, char **bytes, size_t *len)
{
    char word[64];
    write_record(question, request, request_len);
    if (!read_record(word, bytes, len)) exit(3);
    return (int32_t)strtol(word, NULL, 10);
}

static int32_t ask(void *ctx, void *call_ctx, const char *request, size_t request_len, tb_writer *writer)
{
    char *bytes;
    size_t len;
    int32_t status = answer_to("ask", request, request_len, &bytes, &len);
    (void)ctx;
    (void)call_ctx;
    if (tb_writer_write(writer, bytes, len) != TB_OK) exit(3);
    free(bytes);
    return status;
}

static int32_t embed(void *ctx, void *call_ctx, const char *request, size_t request_len, tb_vectors *vectors)
{
    char *bytes, *line, *line_end, *number_end;
    size_t len;
    int32_t status = answer_to("embed", request, request_len, &bytes, &len);
    (void)ctx;
    (void)call_ctx;
    if (status != TB_OK) {
        if (tb_vectors_explain(vectors, bytes, len) != TB_OK) exit(3);
    } else {
        /* A number takes two bytes at least, with what stands before the next. */
        float *values = malloc((len / 2 + 1) * sizeof *values);
        if (!values) exit(3);
        for (line = bytes; status == TB_OK && (line_end = strchr(line, '\n')); line = line_end + 1) {
            size_t count = 0;
            *line_end = 0;
            for (; line < line_end; line = number_end) values[count++] = strtof(line, &number_end);
            status = tb_vectors_push(vectors, values, count);
        }
        free(values);
    }
    free(bytes);
    return status;
}

/* `word` is the record's: options, or which callback the broker has. */
static int32_t make(tb_broker **broker, const char *word, const char *options, size_t len, tb_error **error)
{
    tb_builder *builder;
    int32_t status = tb_builder_new(options, len, &builder, error);
    if (status != TB_OK) return status;
    if (!strcmp(word, "enricher")) status = tb_builder_set_enricher(builder, ask, NULL, NULL, error);
    if (!strcmp(word, "embedder")) status = tb_builder_set_embedder(builder, embed, NULL, NULL, error);
    if (status != TB_OK) {
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
        if (!strcmp(word, "options") || !strcmp(word, "enricher") || !strcmp(word, "embedder")) {
            tb_broker_free(broker);
            broker = NULL;
            status = make(&broker, word, request, len, &error);
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
