/* The host's functions: what they are handed, what becomes of what they answer, and when their contexts are freed. */
#include "calls.h"
#include "check.h"

struct host {
    int asked, logged, freed_enricher, freed_logger;
    void *seen_call_ctx;
    char request[4096], log[4096];
    int32_t status;
    const char *pieces[4];
    const tb_broker *broker;
};

static int32_t enrich(void *ctx, void *call_ctx, const char *request, size_t len, tb_writer *writer)
{
    struct host *host = ctx;
    size_t at;
    host->asked++;
    host->seen_call_ctx = call_ctx;
    CHECK(len < sizeof host->request);
    memcpy(host->request, request, len);
    host->request[len] = 0;
    for (at = 0; at < 4 && host->pieces[at]; at++) CHECK(tb_writer_write(writer, host->pieces[at], strlen(host->pieces[at])) == TB_OK);
    return host->status;
}

static void take_log(void *ctx, void *call_ctx, const char *message, size_t len)
{
    struct host *host = ctx;
    host->logged++;
    host->seen_call_ctx = call_ctx;
    CHECK(len < sizeof host->log && !memchr(message, '\n', len));
    memcpy(host->log, message, len);
    host->log[len] = 0;
}

static void free_enricher(void *ctx) { ((struct host *)ctx)->freed_enricher++; }
static void free_logger(void *ctx) { ((struct host *)ctx)->freed_logger++; }

static tb_builder *builder_of(struct host *host, const char *options)
{
    tb_builder *builder;
    tb_error *error = NULL;
    EXPECT(tb_builder_new(options, strlen(options), &builder, &error), TB_OK, error);
    EXPECT(tb_builder_set_enricher(builder, enrich, host, free_enricher, &error), TB_OK, error);
    EXPECT(tb_builder_set_logger(builder, take_log, host, free_logger, &error), TB_OK, error);
    return builder;
}

static tb_broker *broker_of(struct host *host, const char *options)
{
    tb_broker *broker;
    tb_error *error = NULL;
    memset(host, 0, sizeof *host);
    EXPECT(tb_builder_build(builder_of(host, options), &broker, &error), TB_OK, error);
    add_tools(broker, "{\"server\":\"s\",\"tools\":[{\"name\":\"a\"},{\"name\":\"b\"}]}");
    host->broker = broker;
    return broker;
}

static void is_freed_once(tb_broker *broker, struct host *host)
{
    CHECK(host->freed_enricher == 0 && host->freed_logger == 0);
    tb_broker_free(broker);
    CHECK(host->freed_enricher == 1 && host->freed_logger == 1);
}

/* What both calls make of the enricher's answer: select goes on and warns, overrides fails. */
static void fails_with(struct host *host, const char *message, const char *in_json)
{
    tb_buf answer;
    tb_error *error = NULL;
    int here;
    host->logged = 0;
    EXPECT(tb_broker_select(host->broker, TEXT("{}"), &here, &answer, &error), TB_OK, error);
    CHECK(contains(answer.data, "\"enricher_failed\"") && contains(answer.data, "\"count\":2") && !contains(answer.data, "override_block"));
    CHECK(host->logged == 1 && host->seen_call_ctx == &here);
    if (!contains(host->log, "toolbroker: compose override block failed") || !contains(host->log, message))
        FAIL("the log is: %s", host->log);
    tb_buf_free(&answer);

    CHECK(tb_broker_overrides(host->broker, TEXT("{\"names\":[\"a\",\"b\"]}"), &here, &answer, &error) == TB_ERR_CALLBACK);
    CHECK(!answer.data && answer.len == 0);
    if (!contains(tb_error_message(error), "compose override block: ") || !contains(tb_error_message(error), message))
        FAIL("the message is: %s", tb_error_message(error));
    if (!contains(tb_error_json(error), in_json)) FAIL("the error is: %s", tb_error_json(error));
    tb_error_free(error);
    CHECK(host->logged == 1);
}

static void block_is(struct host *host, const char *line)
{
    tb_buf answer;
    tb_error *error = NULL;
    EXPECT(tb_broker_overrides(host->broker, TEXT("{\"tools\":[{\"server\":\"s\",\"name\":\"a\"},{\"server\":\"s\",\"name\":\"b\"}]}"), NULL, &answer,
                               &error), TB_OK, error);
    if (*line ? !contains(answer.data, line) : !contains(answer.data, "\"block\":\"\"")) FAIL("the block is: %s", answer.data);
    CHECK(host->seen_call_ctx == NULL);
    tb_buf_free(&answer);
}

static void answers_become_the_block(void)
{
    struct host host;
    tb_broker *broker = broker_of(&host, "");
    tb_buf answer;
    tb_error *error = NULL;
    int here;

    host.pieces[0] = "{\"hints\":[nu";
    host.pieces[1] = "";
    host.pieces[2] = "ll,{\"output_shape\":\"\xe2\x82";
    host.pieces[3] = "\xac a list\"}]}";
    EXPECT(tb_broker_select(broker, TEXT("{}"), &here, &answer, &error), TB_OK, error);
    CHECK(contains(answer.data, "- **b**: \xe2\x82\xac a list\\n") && !contains(answer.data, "**a**"));
    CHECK(host.asked == 1 && host.logged == 0 && host.seen_call_ctx == &here);
    CHECK(!strcmp(host.request, "{\"tools\":[{\"name\":\"a\",\"server\":\"s\"},{\"name\":\"b\",\"server\":\"s\"}]}")
          || !strcmp(host.request, "{\"tools\":[{\"server\":\"s\",\"name\":\"a\"},{\"server\":\"s\",\"name\":\"b\"}]}"));
    tb_buf_free(&answer);
    block_is(&host, "- **b**: ");

    memset(host.pieces, 0, sizeof host.pieces);
    block_is(&host, "");
    host.pieces[0] = "rubbish";
    host.status = TB_PASS;
    block_is(&host, "");
    CHECK(host.logged == 0);
    is_freed_once(broker, &host);
}

static void failures_are_told(void)
{
    struct host host;
    tb_broker *broker = broker_of(&host, "");
    tb_buf answer;
    tb_error *error = NULL;

    host.status = -7;
    host.pieces[0] = "the store is away";
    fails_with(&host, "the store is away", "\"callback_status\":-7");
    host.pieces[0] = NULL;
    fails_with(&host, "-7", "\"callback_status\":-7");
    host.status = INT32_MIN;
    fails_with(&host, "-2147483648", "\"callback_status\":-2147483648");
    host.pieces[0] = "not \xff UTF-8";
    fails_with(&host, "not \xef\xbf\xbd UTF-8", "\"callback_status\"");

    host.status = TB_OK;
    fails_with(&host, "the enricher's answer", "\"callback\"");
    host.pieces[0] = "{\"hints\":";
    fails_with(&host, "the enricher's answer", "\"callback\"");
    host.pieces[0] = "[]";
    fails_with(&host, "the enricher's answer", "\"callback\"");
    host.pieces[0] = "{\"hints\":{}}";
    fails_with(&host, "the enricher's answer", "\"callback\"");
    host.pieces[0] = "{\"hints\":[1,2]}";
    fails_with(&host, "the enricher's answer", "\"callback\"");
    host.pieces[0] = "{\"hints\":[{}]}";
    fails_with(&host, "1 hints for 2 tools", "\"callback\"");
    host.pieces[0] = "{\"hints\":[null,null,null]}";
    fails_with(&host, "3 hints for 2 tools", "\"callback\"");

    host.status = TB_STOP;
    host.logged = 0;
    EXPECT(tb_broker_select(broker, TEXT("{}"), NULL, &answer, &error), TB_ERR_STOPPED, error);
    CHECK(!answer.data && host.logged == 0);
    EXPECT(tb_broker_overrides(broker, TEXT("{\"names\":[\"a\"]}"), NULL, &answer, &error), TB_ERR_STOPPED, error);
    is_freed_once(broker, &host);
}

/* Nothing selected, nothing asked; and the call without callbacks never asks. */
static void is_asked_only_about_what_is_selected(void)
{
    struct host host;
    tb_broker *broker = broker_of(&host, "");
    tb_buf answer;
    tb_error *error = NULL;
    size_t number;
    EXPECT(tb_broker_select_indices(broker, TEXT("{}"), NULL, 0, &number, &error), TB_OK, error);
    CHECK(number == 2 && host.asked == 0);
    EXPECT(tb_broker_select(broker, TEXT("{\"budget\":{\"max_tools\":1}}"), NULL, &answer, &error), TB_OK, error);
    CHECK(host.asked == 1 && contains(host.request, "\"a\"") && !contains(host.request, "\"b\""));
    tb_buf_free(&answer);
    EXPECT(tb_broker_remove_tools(broker, TEXT("{\"server\":\"s\"}"), &answer, &error), TB_OK, error);
    tb_buf_free(&answer);
    EXPECT(tb_broker_select(broker, TEXT("{}"), NULL, &answer, &error), TB_OK, error);
    CHECK(host.asked == 1 && contains(answer.data, "\"count\":0"));
    tb_buf_free(&answer);
    is_freed_once(broker, &host);
}

static void is_asked_in_the_way_of_the_profile(void)
{
    struct host host;
    tb_buf answer;
    tb_error *error = NULL;
    tb_broker *broker = broker_of(&host, "{\"profile\":\"go-0.2\"}");
    host.pieces[0] = "{\"hints\":[{\"output_shape\":\"x\"}]}";
    EXPECT(tb_broker_select(broker, TEXT("{}"), NULL, &answer, &error), TB_OK, error);
    CHECK(host.asked == 2 && !strcmp(host.request, "{\"tools\":[{\"name\":\"b\"}]}"));
    CHECK(contains(answer.data, "- **a**: x\\n- **b**: x\\n"));
    tb_buf_free(&answer);
    is_freed_once(broker, &host);

    broker = broker_of(&host, "{\"enricher_batch\":false}");
    host.pieces[0] = "{\"hints\":[null]}";
    EXPECT(tb_broker_select(broker, TEXT("{}"), NULL, &answer, &error), TB_OK, error);
    CHECK(host.asked == 2 && contains(host.request, "\"server\":\"s\"") && contains(host.request, "\"name\":\"b\""));
    tb_buf_free(&answer);
    is_freed_once(broker, &host);
}

static int32_t write_badly(void *ctx, void *call_ctx, const char *request, size_t len, tb_writer *writer)
{
    const size_t limit = (size_t)256 << 20;
    (void)ctx; (void)call_ctx; (void)request; (void)len;
    CHECK(tb_writer_write(writer, NULL, 0) == TB_OK);
    CHECK(tb_writer_write(writer, NULL, 1) == TB_ERR_NULL_ARGUMENT);
    CHECK(tb_writer_write(writer, "x", SIZE_MAX) == TB_ERR_TOO_LARGE);
    CHECK(tb_writer_write(writer, "x", limit + 1) == TB_ERR_TOO_LARGE);
    CHECK(tb_writer_write(writer, "{", 1) == TB_OK);
    CHECK(tb_writer_write(writer, "x", limit) == TB_ERR_TOO_LARGE);
    CHECK(tb_writer_write(NULL, "x", 1) == TB_ERR_NULL_ARGUMENT);
    /* What was refused is not in the answer. */
    CHECK(tb_writer_write(writer, TEXT("\"hints\":[{\"output_shape\":\"whole\"}]}")) == TB_OK);
    return TB_OK;
}

static void the_writer_bears_bad_arguments(void)
{
    tb_builder *builder;
    tb_broker *broker;
    tb_buf answer;
    tb_error *error = NULL;
    EXPECT(tb_builder_new(NULL, 0, &builder, &error), TB_OK, error);
    EXPECT(tb_builder_set_enricher(builder, write_badly, NULL, NULL, &error), TB_OK, error);
    EXPECT(tb_builder_build(builder, &broker, &error), TB_OK, error);
    EXPECT(tb_broker_overrides(broker, TEXT("{\"names\":[\"a\"]}"), NULL, &answer, &error), TB_OK, error);
    CHECK(contains(answer.data, "- **a**: whole"));
    tb_buf_free(&answer);
    tb_broker_free(broker);
}

/* What a test's embedder does. */
struct model {
    int asked, logged, freed;
    size_t texts;
    void *call_ctx;
    int32_t (*answer)(struct model *, const char *request, size_t len, tb_vectors *vectors);
};

/* The texts of a request: each begins behind a quotation mark that follows `[` or `,`. */
static size_t texts_of(const char *request, size_t len)
{
    size_t at, count = 0;
    for (at = 1; at < len; at++) count += request[at] == '"' && (request[at - 1] == '[' || request[at - 1] == ',');
    return count;
}

static int32_t embed(void *ctx, void *call_ctx, const char *request, size_t len, tb_vectors *vectors)
{
    struct model *model = ctx;
    model->asked++;
    model->call_ctx = call_ctx;
    model->texts += texts_of(request, len);
    return model->answer(model, request, len, vectors);
}

static void model_logs(void *ctx, void *call_ctx, const char *message, size_t len)
{
    (void)call_ctx;
    CHECK(len > 29 && !memcmp(message, "toolbroker: embedding failed:", 29));
    ((struct model *)ctx)->logged++;
}

static void free_model(void *ctx) { ((struct model *)ctx)->freed++; }

/* Texts that begin alike are alike: "boat" is near "banana". */
static int32_t by_first_letter(struct model *model, const char *request, size_t len, tb_vectors *vectors)
{
    size_t at;
    (void)model;
    for (at = 1; at < len; at++) {
        float values[26] = { 0 };
        if (request[at] != '"' || (request[at - 1] != '[' && request[at - 1] != ',')) continue;
        values[(request[at + 1] - 'a' + 26) % 26] = 2.5f;
        CHECK(tb_vectors_push(vectors, values, 26) == TB_OK);
    }
    return TB_OK;
}

static int32_t no_vectors(struct model *model, const char *request, size_t len, tb_vectors *vectors)
{
    (void)model; (void)request; (void)len; (void)vectors;
    return TB_OK;
}

static int32_t fails_with_text(struct model *model, const char *request, size_t len, tb_vectors *vectors)
{
    (void)model; (void)request; (void)len;
    CHECK(tb_vectors_explain(vectors, TEXT("the model is not loaded")) == TB_OK);
    return -77;
}

static int32_t stops(struct model *model, const char *request, size_t len, tb_vectors *vectors)
{
    (void)model; (void)request; (void)len; (void)vectors;
    return TB_STOP;
}

static int32_t lengths_differ(struct model *model, const char *request, size_t len, tb_vectors *vectors)
{
    static const float values[64];
    size_t at;
    (void)model;
    for (at = 0; at < texts_of(request, len); at++) tb_vectors_push(vectors, values, at + 1);
    return TB_OK;
}

static int32_t pushes_badly(struct model *model, const char *request, size_t len, tb_vectors *vectors)
{
    static const float value = 1;
    size_t at;
    CHECK(tb_vectors_push(NULL, &value, 1) == TB_ERR_NULL_ARGUMENT);
    CHECK(tb_vectors_push(vectors, NULL, 1) == TB_ERR_NULL_ARGUMENT);
    CHECK(tb_vectors_push(vectors, &value, 65537) == TB_ERR_TOO_LARGE);
    CHECK(tb_vectors_push(vectors, &value, SIZE_MAX) == TB_ERR_TOO_LARGE);
    CHECK(tb_vectors_explain(NULL, TEXT("x")) == TB_ERR_NULL_ARGUMENT);
    CHECK(tb_vectors_explain(vectors, NULL, 1) == TB_ERR_NULL_ARGUMENT);
    CHECK(tb_vectors_explain(vectors, NULL, 0) == TB_OK);
    (void)model;
    for (at = 0; at < texts_of(request, len); at++) CHECK(tb_vectors_push(vectors, &value, 1) == TB_OK);
    CHECK(tb_vectors_push(vectors, &value, 1) == TB_ERR_TOO_LARGE);
    return TB_OK;
}

static tb_broker *broker_with_model(struct model *model)
{
    tb_builder *builder;
    tb_broker *broker;
    tb_error *error = NULL;
    EXPECT(tb_builder_new(NULL, 0, &builder, &error), TB_OK, error);
    EXPECT(tb_builder_set_embedder(builder, embed, model, free_model, &error), TB_OK, error);
    EXPECT(tb_builder_set_logger(builder, model_logs, model, NULL, &error), TB_OK, error);
    EXPECT(tb_builder_build(builder, &broker, &error), TB_OK, error);
    add_tools(broker, "{\"server\":\"s\",\"tools\":[{\"name\":\"apple\"},{\"name\":\"banana\"},{\"name\":\"cherry\"}]}");
    return broker;
}

/* Vectors find what no word does; each tool is asked for once, and the caller's context arrives. */
static void vectors_rank(void)
{
    struct model model = { 0, 0, 0, 0, NULL, by_first_letter };
    tb_broker *broker = broker_with_model(&model);
    tb_buf answer;
    tb_error *error = NULL;
    EXPECT(tb_broker_embed_tools(broker, NULL, 0, &answer, &answer, &error), TB_OK, error);
    CHECK(!strcmp(answer.data, "{\"embedded\":3}") && model.call_ctx == &answer && model.texts == 3);
    tb_buf_free(&answer);
    EXPECT(tb_broker_rank(broker, TEXT("{\"message\":\"boat\",\"top\":1}"), &model, &answer, &error), TB_OK, error);
    CHECK(contains(answer.data, "\"banana\"") && !contains(answer.data, "apple") && model.call_ctx == &model);
    tb_buf_free(&answer);
    EXPECT(tb_broker_select(broker, TEXT("{\"message\":\"boat\",\"budget\":{\"max_tools\":1}}"), NULL, &answer, &error), TB_OK, error);
    CHECK(contains(answer.data, "\"banana\"") && !contains(answer.data, "warnings"));
    tb_buf_free(&answer);
    CHECK(model.texts == 5 && model.logged == 0 && model.freed == 0);
    tb_broker_free(broker);
    CHECK(model.freed == 1);
}

/* Whatever an embedder does wrong, words rank, and the answer says so. */
static void words_rank_without_vectors(const char *text, int32_t (*wrong)(struct model *, const char *, size_t, tb_vectors *))
{
    struct model model = { 0, 0, 0, 0, NULL, NULL };
    tb_broker *broker = broker_with_model(&model);
    tb_buf answer;
    tb_error *error = NULL;
    model.answer = wrong;
    EXPECT(tb_broker_rank(broker, TEXT("{\"message\":\"an apple\"}"), NULL, &answer, &error), TB_OK, error);
    CHECK(contains(answer.data, "\"apple\"") && contains(answer.data, "embedder_failed") && contains(answer.data, text));
    tb_buf_free(&answer);
    CHECK(model.logged == 1);
    CHECK(tb_broker_embed_tools(broker, TEXT("{}"), NULL, &answer, &error) == TB_ERR_CALLBACK);
    CHECK(contains(tb_error_message(error), text) && !answer.data);
    CHECK(contains(tb_error_json(error), "-77") == (wrong == fails_with_text));
    tb_error_free(error);
    tb_broker_free(broker);
    CHECK(model.freed == 1);
}

static void embedders_fail(void)
{
    struct model model = { 0, 0, 0, 0, NULL, stops };
    tb_broker *broker = broker_with_model(&model);
    tb_builder *builder;
    tb_buf answer;
    tb_error *error = NULL;
    CHECK(tb_broker_rank(broker, TEXT("{\"message\":\"an apple\"}"), NULL, &answer, &error) == TB_ERR_STOPPED);
    tb_error_free(error);
    CHECK(tb_broker_select(broker, TEXT("{\"message\":\"an apple\"}"), NULL, &answer, &error) == TB_ERR_STOPPED);
    tb_error_free(error);
    model.answer = pushes_badly;
    EXPECT(tb_broker_embed_tools(broker, TEXT("{}"), NULL, &answer, &error), TB_OK, error);
    tb_buf_free(&answer);
    tb_broker_free(broker);
    words_rank_without_vectors("the model is not loaded", fails_with_text);
    words_rank_without_vectors("0 vectors for 3 texts", no_vectors);
    words_rank_without_vectors("a vector of 2 values after one of 1", lengths_differ);

    model.freed = 0;
    EXPECT(tb_builder_set_embedder(NULL, embed, &model, free_model, &error), TB_ERR_NULL_ARGUMENT, error);
    CHECK(model.freed == 1);
    EXPECT(tb_builder_new(NULL, 0, &builder, &error), TB_OK, error);
    EXPECT(tb_builder_set_embedder(builder, NULL, &model, free_model, &error), TB_OK, error);
    CHECK(model.freed == 2);
    EXPECT(tb_builder_set_embedder(builder, embed, &model, free_model, &error), TB_OK, error);
    EXPECT(tb_builder_set_embedder(builder, embed, &model, free_model, &error), TB_ERR_INVALID_REQUEST, error);
    CHECK(model.freed == 3);
    tb_builder_free(builder);
    CHECK(model.freed == 4);
}

static void call_everything(const tb_broker *broker)
{
    tb_buf answer;
    tb_error *error = NULL;
    size_t at, number;
    for (at = 0; at < CALLS; at++) {
        const struct call *call = &calls[at];
        EXPECT(run_call(call, broker, call->request, strlen(call->request), NULL, &answer, &error), TB_OK, error);
        tb_buf_free(&answer);
    }
    EXPECT(tb_broker_select_indices(broker, TEXT("{}"), NULL, 0, &number, &error), TB_OK, error);
    EXPECT(tb_broker_replace_tools(broker, TEXT("{\"server\":\"s\",\"tools\":[{\"name\":\"changed\"}]}"), &answer, &error), TB_OK, error);
    tb_buf_free(&answer);
}

/* How many callbacks run inside one another: the calls that a callback makes ask the enricher again. */
static int depth;

static int32_t enrich_and_call(void *ctx, void *call_ctx, const char *request, size_t len, tb_writer *writer)
{
    struct host *host = ctx;
    (void)call_ctx; (void)request; (void)len; (void)writer;
    host->asked++;
    if (depth > 0) return TB_PASS;
    depth++;
    call_everything(host->broker);
    depth--;
    return -1;
}

static void log_and_call(void *ctx, void *call_ctx, const char *message, size_t len)
{
    struct host *host = ctx;
    (void)call_ctx; (void)message; (void)len;
    host->logged++;
    depth++;
    call_everything(host->broker);
    depth--;
}

/* A callback may call everything on the same broker; the selection that it runs in keeps the state that it began with. */
static void callbacks_call_back(void)
{
    struct host host;
    tb_builder *builder;
    tb_broker *broker;
    tb_buf answer;
    tb_error *error = NULL;
    memset(&host, 0, sizeof host);
    EXPECT(tb_builder_new(NULL, 0, &builder, &error), TB_OK, error);
    EXPECT(tb_builder_set_enricher(builder, enrich_and_call, &host, NULL, &error), TB_OK, error);
    EXPECT(tb_builder_set_logger(builder, log_and_call, &host, NULL, &error), TB_OK, error);
    EXPECT(tb_builder_build(builder, &broker, &error), TB_OK, error);
    host.broker = broker;
    add_tools(broker, "{\"server\":\"s\",\"tools\":[{\"name\":\"before\"}]}");
    EXPECT(tb_broker_select(broker, TEXT("{}"), NULL, &answer, &error), TB_OK, error);
    /* Once by this call, and twice, by select and overrides, in each of the two callbacks. */
    CHECK(host.asked == 5 && host.logged == 1);
    CHECK(contains(answer.data, "\"before\"") && !contains(answer.data, "\"changed\"") && contains(answer.data, "\"total\":1"));
    tb_buf_free(&answer);
    EXPECT(tb_broker_all_tools(broker, NULL, 0, &answer, &error), TB_OK, error);
    CHECK(contains(answer.data, "\"changed\"") && !contains(answer.data, "\"before\""));
    tb_buf_free(&answer);
    tb_broker_free(broker);
}

static void contexts_are_freed_once_on_every_path(void)
{
    struct host host, second;
    tb_builder *builder;
    tb_broker *broker;
    tb_error *error = NULL;

    memset(&host, 0, sizeof host);
    tb_builder_free(builder_of(&host, ""));
    CHECK(host.freed_enricher == 1 && host.freed_logger == 1);

    memset(&host, 0, sizeof host);
    EXPECT(tb_builder_build(builder_of(&host, ""), NULL, &error), TB_ERR_NULL_ARGUMENT, error);
    CHECK(host.freed_enricher == 1 && host.freed_logger == 1);

    memset(&host, 0, sizeof host);
    EXPECT(tb_builder_set_enricher(NULL, enrich, &host, free_enricher, &error), TB_ERR_NULL_ARGUMENT, error);
    EXPECT(tb_builder_set_logger(NULL, take_log, &host, free_logger, &error), TB_ERR_NULL_ARGUMENT, error);
    CHECK(host.freed_enricher == 1 && host.freed_logger == 1);

    memset(&host, 0, sizeof host);
    memset(&second, 0, sizeof second);
    builder = builder_of(&host, "");
    EXPECT(tb_builder_set_enricher(builder, enrich, &second, free_enricher, &error), TB_ERR_INVALID_REQUEST, error);
    EXPECT(tb_builder_set_logger(builder, take_log, &second, free_logger, &error), TB_ERR_INVALID_REQUEST, error);
    CHECK(second.freed_enricher == 1 && second.freed_logger == 1);
    EXPECT(tb_builder_build(builder, &broker, &error), TB_OK, error);
    is_freed_once(broker, &host);
    CHECK(second.freed_enricher == 1 && second.asked == 0);

    /* A NULL function sets none; one can still be set. */
    memset(&host, 0, sizeof host);
    EXPECT(tb_builder_new(NULL, 0, &builder, &error), TB_OK, error);
    EXPECT(tb_builder_set_enricher(builder, NULL, &host, free_enricher, &error), TB_OK, error);
    EXPECT(tb_builder_set_logger(builder, NULL, &host, free_logger, &error), TB_OK, error);
    CHECK(host.freed_enricher == 1 && host.freed_logger == 1);
    memset(&second, 0, sizeof second);
    EXPECT(tb_builder_set_enricher(builder, enrich, &second, free_enricher, &error), TB_OK, error);
    EXPECT(tb_builder_set_logger(builder, take_log, &second, free_logger, &error), TB_OK, error);
    EXPECT(tb_builder_build(builder, &broker, &error), TB_OK, error);
    is_freed_once(broker, &second);
    CHECK(host.freed_enricher == 1 && host.freed_logger == 1);

    /* Without a function to free it nothing happens to a context. */
    EXPECT(tb_builder_new(NULL, 0, &builder, &error), TB_OK, error);
    EXPECT(tb_builder_set_enricher(builder, enrich, &host, NULL, &error), TB_OK, error);
    tb_builder_free(builder);
    CHECK(host.freed_enricher == 1);
}

int main(void)
{
    suite_begins();
    answers_become_the_block();
    failures_are_told();
    is_asked_only_about_what_is_selected();
    is_asked_in_the_way_of_the_profile();
    the_writer_bears_bad_arguments();
    callbacks_call_back();
    vectors_rank();
    embedders_fail();
    contexts_are_freed_once_on_every_path();
    return 0;
}
