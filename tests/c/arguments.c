/* What every function does with arguments that are missing, empty, too long or out of range. */
#define _DEFAULT_SOURCE
#include <limits.h>
#ifdef _WIN32
#include <windows.h>
#undef TEXT
#else
#include <sys/mman.h>
#endif

#include "calls.h"
#include "check.h"

#define INPUT_LIMIT ((size_t)256 << 20)

/* Memory that may not be touched: reading one byte of it ends the program. */
static const char *forbidden;

static const char *memory_without_access(void)
{
#ifdef _WIN32
    const char *memory = VirtualAlloc(NULL, 4096, MEM_RESERVE | MEM_COMMIT, PAGE_NOACCESS);
    CHECK(memory);
#else
    const char *memory = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(memory != MAP_FAILED);
#endif
    return memory;
}

static tb_broker *broker;

/* Runs a call with rubbish in its out-parameters, so that zeroes after a failure are the library's doing. */
static void fails(const struct call *call, const tb_broker *on, const char *request, size_t len, int32_t wanted)
{
    tb_error *error = (tb_error *)&error;
    tb_buf answer;
    int32_t status;
    answer.data = (const char *)&answer;
    answer.len = 7;
    status = run_call(call, on, request, len, NULL, &answer, &error);
    if (status != wanted) FAIL("%s is %d, not %d: %s", call->name, (int)status, (int)wanted, status ? tb_error_message(error) : "");
    CHECK(!answer.data && answer.len == 0);
    CHECK(tb_error_status(error) == wanted);
    CHECK(strlen(tb_error_message(error)) > 0 && contains(tb_error_json(error), tb_status_name(wanted)));
    tb_error_free(error);

    answer.data = (const char *)&answer;
    answer.len = 7;
    CHECK(run_call(call, on, request, len, NULL, &answer, NULL) == wanted);
    CHECK(!answer.data && answer.len == 0);
}

static void calls_with_missing_pointers(void)
{
    size_t at;
    for (at = 0; at < CALLS; at++) {
        const struct call *call = &calls[at];
        const char *request = call->request;
        tb_error *error = (tb_error *)&error;
        tb_buf answer = { NULL, 0 };

        if (!call->of_library) fails(call, NULL, request, strlen(request), TB_ERR_NULL_ARGUMENT);
        fails(call, broker, NULL, 1, TB_ERR_NULL_ARGUMENT);

        EXPECT(run_call(call, broker, request, strlen(request), NULL, NULL, &error), TB_ERR_NULL_ARGUMENT, error);
        CHECK(run_call(call, broker, request, strlen(request), NULL, NULL, NULL) == TB_ERR_NULL_ARGUMENT);
        CHECK(run_call(call, NULL, NULL, 0, NULL, NULL, NULL) == TB_ERR_NULL_ARGUMENT);

        error = (tb_error *)&error;
        EXPECT(run_call(call, broker, request, strlen(request), NULL, &answer, &error), TB_OK, error);
        CHECK(answer.data && answer.len == strlen(answer.data));
        tb_buf_free(&answer);
        CHECK(run_call(call, broker, request, strlen(request), NULL, &answer, NULL) == TB_OK);
        tb_buf_free(&answer);
        CHECK(!answer.data && answer.len == 0);
        tb_buf_free(&answer);
    }
}

/* NULL with 0 and a pointer with 0 are both the empty text: the same answer or the same error. */
static void calls_with_every_length(void)
{
    size_t at;
    for (at = 0; at < CALLS; at++) {
        const struct call *call = &calls[at];
        tb_error *null_error = NULL, *empty_error = NULL;
        tb_buf null_answer, empty_answer;
        int32_t status = run_call(call, broker, NULL, 0, NULL, &null_answer, &null_error);
        CHECK(run_call(call, broker, forbidden, 0, NULL, &empty_answer, &empty_error) == status);
        CHECK(!strcmp(tb_error_message(null_error), tb_error_message(empty_error)));
        CHECK(null_answer.len == empty_answer.len);
        if (status == TB_OK) CHECK(!strcmp(null_answer.data, empty_answer.data));
        else CHECK(status == TB_ERR_INVALID_JSON || status == TB_ERR_INVALID_REQUEST);
        tb_buf_free(&null_answer);
        tb_buf_free(&empty_answer);
        tb_error_free(null_error);
        tb_error_free(empty_error);

        fails(call, broker, forbidden, INPUT_LIMIT + 1, TB_ERR_TOO_LARGE);
        fails(call, broker, forbidden, SIZE_MAX, TB_ERR_TOO_LARGE);
        fails(call, broker, NULL, SIZE_MAX, TB_ERR_TOO_LARGE);
    }
}

static void calls_with_bad_text(void)
{
    static const struct { const char *text; size_t len; int32_t status; } bad[] = {
        { TEXT("{\"x\":\"\xff\"}"), TB_ERR_INVALID_UTF8 },
        { TEXT("{\"x\":\"\xc3\"}"), TB_ERR_INVALID_UTF8 },
        { TEXT("\xed\xa0\x80"), TB_ERR_INVALID_UTF8 },
        { TEXT("{"), TB_ERR_INVALID_JSON },
        { TEXT("{\0}"), TB_ERR_INVALID_JSON },
        { TEXT("{}\0"), TB_ERR_INVALID_JSON },
        { TEXT("{\"x\0y\":1}"), TB_ERR_INVALID_JSON },
        { TEXT("[]"), TB_ERR_INVALID_REQUEST },
        { TEXT("1"), TB_ERR_INVALID_REQUEST },
        { TEXT("{\"no_such_key\":1}"), TB_ERR_INVALID_REQUEST },
    };
    size_t at, text;
    for (at = 0; at < CALLS; at++)
        for (text = 0; text < sizeof bad / sizeof bad[0]; text++) fails(&calls[at], broker, bad[text].text, bad[text].len, bad[text].status);
}

/* A NUL that a text carries as \u0000 comes back escaped, in answers and in errors, and nothing behind it is lost. */
static void nul_in_texts(void)
{
    static const char tools[] = "{\"server\":\"n\\u0000s\",\"tools\":[{\"name\":\"x\\u0000tail\",\"description\":\"d\\u0000tail\"}]}";
    static const char bad_tool[] = "{\"server\":\"n\",\"tools\":[{\"name\":\"x\\u0000tail\",\"description\":1}]}";
    static const char rules[] = "{\"rules\":[{\"name\":\"r\\u0000tail\",\"match\":{\"patterns\":[\"x\\u0000*\"]},\"action\":{\"type\":\"exclude\"}}]}";
    static const char bad_rules[] = "{\"rules\":[{\"name\":\"r\",\"match\":{\"patterns\":[\"x\"]},\"action\":{\"type\":\"ex\\u0000tail\"}}]}";
    static const char intents[] = "{\"intents\":{\"i\\u0000tail\":[\"phrase\\u0000tail\"]}}";
    tb_broker *own = broker_with("");
    tb_error *error = NULL;
    tb_buf answer;

    EXPECT(tb_broker_add_tools(own, TEXT(tools), &answer, &error), TB_OK, error);
    CHECK(contains(answer.data, "x\\u0000tail") && answer.len == strlen(answer.data));
    tb_buf_free(&answer);
    EXPECT(tb_broker_add_tools(own, TEXT(bad_tool), &answer, &error), TB_OK, error);
    CHECK(contains(answer.data, "\"refused\":[{") && contains(answer.data, "x\\u0000tail"));
    tb_buf_free(&answer);
    EXPECT(tb_broker_select(own, TEXT("{}"), NULL, &answer, &error), TB_OK, error);
    CHECK(contains(answer.data, "\"count\":1") && contains(answer.data, "d\\u0000tail") && answer.len == strlen(answer.data));
    tb_buf_free(&answer);
    EXPECT(tb_broker_load_rules(own, TEXT(rules), &answer, &error), TB_OK, error);
    tb_buf_free(&answer);
    EXPECT(tb_broker_select(own, TEXT("{\"explain\":true}"), NULL, &answer, &error), TB_OK, error);
    CHECK(contains(answer.data, "\"count\":0") && contains(answer.data, "r\\u0000tail") && answer.len == strlen(answer.data));
    tb_buf_free(&answer);
    EXPECT(tb_broker_load_intents(own, TEXT(intents), &answer, &error), TB_OK, error);
    tb_buf_free(&answer);

    CHECK(tb_broker_load_rules(own, TEXT(bad_rules), &answer, &error) == TB_ERR_INVALID_RULE);
    CHECK(contains(tb_error_message(error), "tail") && contains(tb_error_json(error), "tail"));
    tb_error_free(error);
    CHECK(tb_broker_select(own, TEXT("{\"ke\\u0000tail\":1}"), NULL, &answer, &error) == TB_ERR_INVALID_REQUEST);
    CHECK(contains(tb_error_message(error), "tail") && contains(tb_error_json(error), "tail"));
    tb_error_free(error);
    CHECK(tb_read_rules(TEXT("{\"path\":\"no\\u0000tail.json\"}"), &answer, &error) == TB_ERR_IO);
    CHECK(contains(tb_error_message(error), "tail"));
    tb_error_free(error);
    tb_broker_free(own);
}

static int32_t no_enricher(void *ctx, void *call_ctx, const char *request, size_t len, tb_writer *writer)
{
    (void)ctx; (void)call_ctx; (void)request; (void)len; (void)writer;
    return TB_OK;
}

static void no_logger(void *ctx, void *call_ctx, const char *message, size_t len)
{
    (void)ctx; (void)call_ctx; (void)message; (void)len;
}

static void making_a_broker(void)
{
    static const struct { const char *text; size_t len; int32_t status; } bad[] = {
        { NULL, 1, TB_ERR_NULL_ARGUMENT },
        { NULL, SIZE_MAX, TB_ERR_TOO_LARGE },
        { TEXT("\xff"), TB_ERR_INVALID_UTF8 },
        { TEXT("{\0}"), TB_ERR_INVALID_JSON },
        { TEXT("{"), TB_ERR_INVALID_JSON },
        { TEXT("[]"), TB_ERR_INVALID_OPTIONS },
        { TEXT("{\"profil\":\"go-0.2\"}"), TB_ERR_INVALID_OPTIONS },
        { TEXT("{\"profile\":\"go-9\"}"), TB_ERR_INVALID_OPTIONS },
    };
    tb_builder *builder;
    tb_broker *made;
    tb_error *error = NULL;
    size_t at;
    for (at = 0; at < sizeof bad / sizeof bad[0]; at++) {
        builder = (tb_builder *)&builder;
        EXPECT(tb_builder_new(bad[at].text, bad[at].len, &builder, &error), bad[at].status, error);
        CHECK(!builder);
        CHECK(tb_builder_new(bad[at].text, bad[at].len, &builder, NULL) == bad[at].status);
    }
    EXPECT(tb_builder_new(forbidden, INPUT_LIMIT + 1, &builder, &error), TB_ERR_TOO_LARGE, error);
    EXPECT(tb_builder_new(forbidden, SIZE_MAX, &builder, &error), TB_ERR_TOO_LARGE, error);
    EXPECT(tb_builder_new(NULL, 0, NULL, &error), TB_ERR_NULL_ARGUMENT, error);
    CHECK(tb_builder_new(NULL, 0, NULL, NULL) == TB_ERR_NULL_ARGUMENT);
    CHECK(tb_builder_new(forbidden, 0, &builder, NULL) == TB_OK && builder);
    tb_builder_free(builder);

    EXPECT(tb_builder_set_enricher(NULL, no_enricher, NULL, NULL, &error), TB_ERR_NULL_ARGUMENT, error);
    EXPECT(tb_builder_set_logger(NULL, no_logger, NULL, NULL, &error), TB_ERR_NULL_ARGUMENT, error);
    CHECK(tb_builder_set_enricher(NULL, NULL, NULL, NULL, NULL) == TB_ERR_NULL_ARGUMENT);
    CHECK(tb_builder_set_logger(NULL, NULL, NULL, NULL, NULL) == TB_ERR_NULL_ARGUMENT);
    CHECK(tb_builder_new(NULL, 0, &builder, NULL) == TB_OK);
    CHECK(tb_builder_set_enricher(builder, NULL, NULL, NULL, NULL) == TB_OK);
    CHECK(tb_builder_set_logger(builder, NULL, NULL, NULL, NULL) == TB_OK);
    CHECK(tb_builder_set_enricher(builder, no_enricher, NULL, NULL, NULL) == TB_OK);
    CHECK(tb_builder_set_logger(builder, no_logger, NULL, NULL, NULL) == TB_OK);
    CHECK(tb_builder_set_enricher(builder, no_enricher, NULL, NULL, NULL) == TB_ERR_INVALID_REQUEST);
    CHECK(tb_builder_set_logger(builder, no_logger, NULL, NULL, NULL) == TB_ERR_INVALID_REQUEST);
    made = (tb_broker *)&made;
    EXPECT(tb_builder_build(NULL, &made, &error), TB_ERR_NULL_ARGUMENT, error);
    CHECK(!made);
    CHECK(tb_builder_build(NULL, NULL, NULL) == TB_ERR_NULL_ARGUMENT);
    EXPECT(tb_builder_build(builder, NULL, &error), TB_ERR_NULL_ARGUMENT, error);
}

static void selecting_places(void)
{
    size_t places[2] = { 99, 99 }, number = 7;
    tb_error *error = (tb_error *)&error;
    tb_broker *own = broker_with("");
    add_tools(own, "{\"server\":\"s\",\"tools\":[{\"name\":\"c\"},{\"name\":\"a\"},{\"name\":\"b\"}]}");
    EXPECT(tb_broker_select_indices(NULL, TEXT("{}"), places, 2, &number, &error), TB_ERR_NULL_ARGUMENT, error);
    CHECK(number == 0);
    number = 7;
    EXPECT(tb_broker_select_indices(own, NULL, 1, places, 2, &number, &error), TB_ERR_NULL_ARGUMENT, error);
    CHECK(number == 0);
    EXPECT(tb_broker_select_indices(own, "{}", 2, NULL, 2, &number, &error), TB_ERR_NULL_ARGUMENT, error);
    EXPECT(tb_broker_select_indices(own, TEXT("{}"), places, 2, NULL, &error), TB_ERR_NULL_ARGUMENT, error);
    EXPECT(tb_broker_select_indices(own, forbidden, INPUT_LIMIT + 1, places, 2, &number, &error), TB_ERR_TOO_LARGE, error);
    EXPECT(tb_broker_select_indices(own, forbidden, SIZE_MAX, places, 2, &number, &error), TB_ERR_TOO_LARGE, error);
    EXPECT(tb_broker_select_indices(own, TEXT("\xff"), places, 2, &number, &error), TB_ERR_INVALID_UTF8, error);
    EXPECT(tb_broker_select_indices(own, TEXT("{\"x\":1}"), places, 2, &number, &error), TB_ERR_INVALID_REQUEST, error);
    CHECK(tb_broker_select_indices(NULL, NULL, 0, NULL, 0, NULL, NULL) == TB_ERR_NULL_ARGUMENT);
    CHECK(places[0] == 99 && places[1] == 99 && number == 0);

    EXPECT(tb_broker_select_indices(own, "{}", 2, NULL, 0, &number, &error), TB_OK, error);
    CHECK(number == 3);
    EXPECT(tb_broker_select_indices(own, TEXT("{}"), places, 2, &number, &error), TB_OK, error);
    CHECK(number == 3 && places[0] == 1 && places[1] == 2);
    places[1] = 99;
    /* No text is a request without keys. */
    EXPECT(tb_broker_select_indices(own, NULL, 0, places, 1, &number, &error), TB_OK, error);
    CHECK(number == 3 && places[0] == 1 && places[1] == 99);
    EXPECT(tb_broker_select_indices(own, TEXT("["), places, 1, &number, &error), TB_ERR_INVALID_JSON, error);
    CHECK(number == 0);
    EXPECT(tb_broker_select_indices(own, TEXT("{}"), places, 1, &number, NULL), TB_OK, error);
    CHECK(number == 3 && places[0] == 1 && places[1] == 99);
    tb_broker_free(own);
}

static void freeing_nothing(void)
{
    tb_buf empty = { NULL, 0 };
    tb_buf_free(NULL);
    tb_buf_free(&empty);
    tb_error_free(NULL);
    tb_builder_free(NULL);
    tb_broker_free(NULL);
    CHECK(tb_error_status(NULL) == TB_OK);
    CHECK(!strcmp(tb_error_message(NULL), ""));
    CHECK(!strcmp(tb_error_json(NULL), "null"));
    CHECK(tb_writer_write(NULL, "x", 1) == TB_ERR_NULL_ARGUMENT);
    CHECK(tb_writer_write(NULL, NULL, 0) == TB_ERR_NULL_ARGUMENT);
}

static void numbers(void)
{
    static const int32_t unknown[] = { 1, 2, TB_ERR_STOPPED - 1, INT32_MAX, INT32_MIN };
    size_t at;
    int32_t status, other;
    CHECK(tb_abi_version() == TB_ABI_VERSION);
    CHECK(strlen(tb_version()) >= 5);
    for (status = TB_OK; status >= TB_ERR_STOPPED; status--) {
        CHECK(strcmp(tb_status_name(status), "unknown"));
        for (other = TB_OK; other > status; other--) CHECK(strcmp(tb_status_name(status), tb_status_name(other)));
    }
    for (at = 0; at < sizeof unknown / sizeof unknown[0]; at++) CHECK(!strcmp(tb_status_name(unknown[at]), "unknown"));
    CHECK(!strcmp(tb_status_name(TB_ERR_INVALID_RULE), "invalid_rule"));
    CHECK(sizeof(tb_buf) == sizeof(char *) + sizeof(size_t));
}

int main(void)
{
    suite_begins();
    forbidden = memory_without_access();
    broker = broker_with("");
    add_tools(broker, "{\"server\":\"s\",\"tools\":[{\"name\":\"a\"}]}");
    freeing_nothing();
    numbers();
    calls_with_missing_pointers();
    calls_with_every_length();
    calls_with_bad_text();
    nul_in_texts();
    making_a_broker();
    selecting_places();
    tb_broker_free(broker);
    return 0;
}
