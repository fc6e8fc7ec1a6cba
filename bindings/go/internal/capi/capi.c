#include <string.h>

#include "capi.h"
#include "_cgo_export.h"

typedef int32_t (*library_call)(const char *, size_t, tb_buf *, tb_error **);
typedef int32_t (*broker_call)(const tb_broker *, const char *, size_t, tb_buf *, tb_error **);
typedef int32_t (*context_call)(const tb_broker *, const char *, size_t, void *, tb_buf *, tb_error **);

// One of the three is set.
struct call {
    const char *name;
    library_call of_library;
    broker_call of_broker;
    context_call with_context;
};

static const struct call calls[] = {
    { "info", tb_info, 0, 0 },
    { "default_rules", tb_default_rules, 0, 0 },
    { "read_rules", tb_read_rules, 0, 0 },
    { "read_hints", tb_read_hints, 0, 0 },
    { "add_tools", 0, tb_broker_add_tools, 0 },
    { "replace_tools", 0, tb_broker_replace_tools, 0 },
    { "remove_tools", 0, tb_broker_remove_tools, 0 },
    { "all_tools", 0, tb_broker_all_tools, 0 },
    { "load_rules", 0, tb_broker_load_rules, 0 },
    { "all_rules", 0, tb_broker_all_rules, 0 },
    { "load_intents", 0, tb_broker_load_intents, 0 },
    { "select", 0, 0, tb_broker_select },
    { "rank", 0, 0, tb_broker_rank },
    { "embed_tools", 0, 0, tb_broker_embed_tools },
    { "detect_intent", 0, tb_broker_detect_intent, 0 },
    { "tokenize", 0, tb_broker_tokenize, 0 },
    { "score_by_keywords", 0, tb_broker_score_by_keywords, 0 },
    { "score_by_intent", 0, tb_broker_score_by_intent, 0 },
    { "find_by_names", 0, tb_broker_find_by_names, 0 },
    { "estimate", 0, tb_broker_estimate, 0 },
    { "prune", 0, tb_broker_prune, 0 },
    { "overrides", 0, 0, tb_broker_overrides },
};

int capi_call_number(const char *name, size_t name_len)
{
    for (size_t at = 0; at < sizeof calls / sizeof *calls; at++)
        if (strlen(calls[at].name) == name_len && !memcmp(calls[at].name, name, name_len)) return (int)at;
    return -1;
}

int capi_needs_no_broker(int number)
{
    return calls[number].of_library != 0;
}

int32_t capi_call_with_callbacks(int number, const tb_broker *broker, const char *request, size_t request_len, uintptr_t state, tb_buf *answer,
                                 tb_error **error)
{
    const struct call *call = &calls[number];
    if (call->of_library) return call->of_library(request, request_len, answer, error);
    if (call->of_broker) return call->of_broker(broker, request, request_len, answer, error);
    return call->with_context(broker, request, request_len, (void *)state, answer, error);
}

int32_t capi_call(int number, const tb_broker *broker, const char *request, size_t request_len, tb_buf *answer, tb_error **error)
{
    return capi_call_with_callbacks(number, broker, request, request_len, 0, answer, error);
}

static int32_t enrich(void *ctx, void *call_ctx, const char *request, size_t request_len, tb_writer *writer)
{
    (void)ctx;
    return capiEnrich((uintptr_t)call_ctx, (char *)request, request_len, writer);
}

static int32_t embed(void *ctx, void *call_ctx, const char *request, size_t request_len, tb_vectors *vectors)
{
    (void)ctx;
    return capiEmbed((uintptr_t)call_ctx, (char *)request, request_len, vectors);
}

static void warn(void *ctx, void *call_ctx, const char *message, size_t message_len)
{
    (void)ctx;
    capiWarn((uintptr_t)call_ctx, (char *)message, message_len);
}

int32_t capi_new(const char *options, size_t options_len, int with_enricher, int with_embedder, int with_logger, tb_broker **broker,
                 tb_error **error)
{
    tb_builder *builder;
    int32_t status = tb_builder_new(options, options_len, &builder, error);
    if (status != TB_OK) return status;
    if (with_enricher) status = tb_builder_set_enricher(builder, enrich, 0, 0, error);
    if (status == TB_OK && with_embedder) status = tb_builder_set_embedder(builder, embed, 0, 0, error);
    if (status == TB_OK && with_logger) status = tb_builder_set_logger(builder, warn, 0, 0, error);
    if (status != TB_OK) {
        tb_builder_free(builder);
        return status;
    }
    return tb_builder_build(builder, broker, error);
}
