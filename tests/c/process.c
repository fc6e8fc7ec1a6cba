/* What could take a process down: forking, large texts, deep nesting on a small stack. The argument is that stack's size in KiB;
 * a second one, `nesting`, leaves the large texts out: without optimization they take minutes. */
#define _DEFAULT_SOURCE
#include <pthread.h>
#ifndef _WIN32
#include <sys/wait.h>
#endif

#include "calls.h"
#include "check.h"

#define DEPTH_LIMIT 128

#ifndef _WIN32
static void a_child_uses_the_broker(void)
{
    tb_broker *broker = broker_with("");
    tb_buf answer;
    tb_error *error = NULL;
    int status;
    pid_t child;
    add_tools(broker, "{\"server\":\"s\",\"tools\":[{\"name\":\"a\"}]}");
    child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        add_tools(broker, "{\"server\":\"s\",\"tools\":[{\"name\":\"b\"}]}");
        EXPECT(tb_broker_select(broker, TEXT("{\"message\":\"b\"}"), NULL, &answer, &error), TB_OK, error);
        CHECK(contains(answer.data, "\"total\":2"));
        tb_buf_free(&answer);
        EXPECT(tb_broker_select(broker, TEXT("{"), NULL, &answer, &error), TB_ERR_INVALID_JSON, error);
        tb_broker_free(broker);
        _exit(0);
    }
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    EXPECT(tb_broker_select(broker, TEXT("{}"), NULL, &answer, &error), TB_OK, error);
    CHECK(contains(answer.data, "\"total\":1"));
    tb_buf_free(&answer);
    tb_broker_free(broker);
}
#endif

/* A text of `head`, a unit many times, and `tail`. */
static char *text_of(const char *head, const char *unit, size_t times, const char *tail, size_t *len)
{
    size_t head_len = strlen(head), unit_len = strlen(unit), tail_len = strlen(tail), at;
    char *text = malloc(head_len + unit_len * times + tail_len + 1), *end = text + head_len;
    CHECK(text);
    memcpy(text, head, head_len);
    for (at = 0; at < times; at++, end += unit_len) memcpy(end, unit, unit_len);
    memcpy(end, tail, tail_len + 1);
    *len = (size_t)(end - text) + tail_len;
    return text;
}

static void large_texts(const char *options)
{
    static const char *const units[] = { "x", "build it ", "\xe6\x9d\xb1\xe4\xba\xac", "\\u0000", "a_B-9 " };
    static const struct { const char *call, *head; } of_words[] = {
        { "select", "{\"message\":\"" }, { "detect_intent", "{\"message\":\"" },
        { "tokenize", "{\"intent\":\"" }, { "score_by_intent", "{\"intent\":\"" },
    };
    tb_broker *broker = broker_with(options);
    tb_buf answer;
    tb_error *error = NULL;
    size_t unit, at, len;
    char *text = text_of("{\"server\":\"s\",\"tools\":[{\"name\":\"a\",\"description\":\"", "word ", 2000000, "end\"}]}", &len);
    EXPECT(tb_broker_add_tools(broker, text, len, &answer, &error), TB_OK, error);
    CHECK(contains(answer.data, "\"refused\":[]") && contains(answer.data, "\"total\":1"));
    tb_buf_free(&answer);
    free(text);
    for (unit = 0; unit < sizeof units / sizeof units[0]; unit++) {
        for (at = 0; at < sizeof of_words / sizeof of_words[0]; at++) {
            text = text_of(of_words[at].head, units[unit], 10000000 / strlen(units[unit]), "\"}", &len);
            EXPECT(run_call(call_named(of_words[at].call), broker, text, len, NULL, &answer, &error), TB_OK, error);
            CHECK(answer.data && strlen(answer.data) == answer.len);
            tb_buf_free(&answer);
            free(text);
        }
    }
    EXPECT(tb_broker_estimate(broker, TEXT("{}"), &answer, &error), TB_OK, error);
    CHECK(atol(answer.data) > 2000000);
    tb_buf_free(&answer);
    tb_broker_free(broker);
}

/* A place where a text can be nested: what stands before, how deep the text is there already, one level opened and closed, and what stands behind. */
struct nesting {
    const char *call, *head;
    int outside;
    const char *open, *close, *tail;
    /* What comes when the limit is passed; TB_OK where the answer tells of it. */
    int32_t status;
};

static const struct nesting nestings[] = {
    { "add_tools", "{\"tools\":[{\"name\":\"a\",\"inputSchema\":{\"x\":", 2, "[", "]", "}}]}", TB_OK },
    { "add_tools", "{\"tools\":[{\"name\":\"a\",\"extra\":", 1, "{\"k\":", "}", "}]}", TB_OK },
    { "replace_tools", "{\"server\":\"s\",\"tools\":[{\"name\":\"a\",\"_meta\":", 1, "[", "]", "}]}", TB_OK },
    { "estimate", "{\"tools\":[{\"name\":\"a\",\"inputSchema\":{\"x\":", 2, "[", "]", "}}]}", TB_ERR_TOO_DEEP },
    { "prune", "{\"budget\":1,\"tools\":[{\"name\":\"a\",\"inputSchema\":{\"x\":", 2, "[", "]", "}}]}", TB_ERR_TOO_DEEP },
    { "find_by_names", "{\"names\":[\"a\"],\"tools\":[{\"name\":\"a\",\"inputSchema\":{\"x\":", 2, "[", "]", "}}]}", TB_ERR_TOO_DEEP },
    { "score_by_intent", "{\"intent\":\"a\",\"tools\":[{\"name\":\"a\",\"inputSchema\":{\"x\":", 2, "[", "]", "}}]}", TB_ERR_TOO_DEEP },
    { "score_by_keywords", "{\"keywords\":[\"a\"],\"tools\":[{\"name\":\"a\",\"inputSchema\":{\"x\":", 2, "[", "]", "}}]}", TB_ERR_TOO_DEEP },
    { "select", "{\"hints\":", 1, "[", "]", "}", TB_ERR_TOO_DEEP },
    { "select", "{\"budget\":", 1, "{\"k\":", "}", "}", TB_ERR_TOO_DEEP },
    { "overrides", "{\"tools\":", 1, "[", "]", "}", TB_ERR_TOO_DEEP },
    { "detect_intent", "{\"message\":", 1, "[", "]", "}", TB_ERR_TOO_DEEP },
    { "tokenize", "{\"intent\":", 1, "[", "]", "}", TB_ERR_TOO_DEEP },
    { "load_intents", "{\"intents\":", 1, "{\"k\":", "}", "}", TB_ERR_TOO_DEEP },
    { "load_rules", "{\"rules\":", 1, "[", "]", "}", TB_ERR_TOO_DEEP },
    { "load_rules", "{\"rules\":[{\"match\":", 3, "{\"not\":", "}", "}]}", TB_ERR_TOO_DEEP },
    { "load_rules", "{\"format\":\"json\",\"text\":\"{\\\"rules\\\":", 1, "[", "]", "}\"}", TB_ERR_TOO_DEEP },
    { "load_rules", "{\"text\":\"rules: ", 1, "[", "]", "\"}", TB_ERR_TOO_DEEP },
    { "load_rules", "{\"text\":\"rules: ", 1, "{k: ", "}", "\"}", TB_ERR_TOO_DEEP },
    { "load_rules", "{\"text\":\"", 0, "- ", "", "\"}", TB_ERR_TOO_DEEP },
    { "read_rules", "{\"text\":\"rules: ", 1, "[", "]", "\"}", TB_ERR_TOO_DEEP },
    { "read_rules", "{\"rules\":", 1, "[", "]", "}", TB_ERR_TOO_DEEP },
    { "read_hints", "{\"text\":\"{\\\"output_shape\\\":", 1, "[", "]", "}\"}", TB_ERR_INVALID_HINTS },
    { "options", "{\"profile\":", 1, "[", "]", "}", TB_ERR_TOO_DEEP },
};

static void nested(const char *options, const struct nesting *nesting, int depth)
{
    size_t times = (size_t)(depth - nesting->outside), open_len, len;
    char *opened = text_of(nesting->head, nesting->open, times, "1", &open_len);
    char *text = text_of(opened, nesting->close, times, nesting->tail, &len);
    tb_broker *broker = broker_with(options);
    tb_error *error = NULL;
    tb_buf answer = { NULL, 0 };
    tb_builder *builder = NULL;
    int32_t status;
    int told;
    if (!strcmp(nesting->call, "options")) status = tb_builder_new(text, len, &builder, &error);
    else status = run_call(call_named(nesting->call), broker, text, len, NULL, &answer, &error);
    told = status == TB_ERR_TOO_DEEP || (answer.data && contains(answer.data, "\"too_deep\""));
    if (status == TB_ERR_PANIC || status == TB_ERR_TOO_LARGE) FAIL("%s, %s, %d: %s", options, nesting->call, depth, tb_error_message(error));
    if (depth <= DEPTH_LIMIT && told)
        FAIL("%s, %s %s, %d levels are within the limit: %s", options, nesting->call, nesting->head, depth, tb_error_message(error));
    if (depth > DEPTH_LIMIT && status != nesting->status)
        FAIL("%s, %s %s, %d levels: %d, not %d: %s", options, nesting->call, nesting->head, depth, (int)status, (int)nesting->status,
             tb_error_message(error));
    if (depth > DEPTH_LIMIT && status == TB_OK && !told) FAIL("%s, %s, %d: %s", options, nesting->call, depth, answer.data);
    tb_buf_free(&answer);
    tb_error_free(error);
    tb_builder_free(builder);

    /* What was taken comes out again. */
    EXPECT(tb_broker_select(broker, TEXT("{\"message\":\"a\"}"), NULL, &answer, &error), TB_OK, error);
    tb_buf_free(&answer);
    EXPECT(tb_broker_all_tools(broker, TEXT("{\"detail\":\"full\"}"), &answer, &error), TB_OK, error);
    tb_buf_free(&answer);
    tb_broker_free(broker);
    free(opened);
    free(text);
}

static void *nest_everywhere(void *options)
{
    static const int depths[] = { DEPTH_LIMIT - 1, DEPTH_LIMIT, DEPTH_LIMIT + 1, 100000 };
    size_t at, depth;
    for (at = 0; at < sizeof nestings / sizeof nestings[0]; at++)
        for (depth = 0; depth < sizeof depths / sizeof depths[0]; depth++) nested(options, &nestings[at], depths[depth]);
    return NULL;
}

static void deep_nesting_on_a_small_stack(const char *options, size_t stack)
{
    pthread_attr_t attributes;
    pthread_t thread;
    CHECK(pthread_attr_init(&attributes) == 0);
    CHECK(pthread_attr_setstacksize(&attributes, stack) == 0);
    CHECK(pthread_create(&thread, &attributes, nest_everywhere, (void *)options) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    pthread_attr_destroy(&attributes);
}

int main(int argc, char **argv)
{
    size_t stack = (size_t)(argc > 1 ? atoi(argv[1]) : 256) << 10;
    suite_begins();
#ifndef _WIN32
    a_child_uses_the_broker();
#endif
    deep_nesting_on_a_small_stack("", stack);
    deep_nesting_on_a_small_stack("{\"profile\":\"go-0.2\"}", stack);
    if (argc > 2 && !strcmp(argv[2], "nesting")) return 0;
    large_texts("");
    large_texts("{\"profile\":\"go-0.2\"}");
    return 0;
}
