/* Every call that takes a JSON request and gives a JSON answer, by its name in docs/contract.md. */
#ifndef CALLS_H
#define CALLS_H

#include <string.h>

#include "toolbroker.h"

struct call {
    const char *name;
    /* A request that a broker with the tool s/a answers. */
    const char *request;
    int32_t (*of_broker)(const tb_broker *, const char *, size_t, tb_buf *, tb_error **);
    int32_t (*calling_back)(const tb_broker *, const char *, size_t, void *, tb_buf *, tb_error **);
    int32_t (*of_library)(const char *, size_t, tb_buf *, tb_error **);
};

static const struct call calls[] = {
    { "add_tools", "{\"server\":\"s\",\"tools\":[{\"name\":\"b\"}]}", tb_broker_add_tools, NULL, NULL },
    { "replace_tools", "{\"server\":\"s\",\"tools\":[{\"name\":\"a\"}]}", tb_broker_replace_tools, NULL, NULL },
    { "remove_tools", "{\"server\":\"t\"}", tb_broker_remove_tools, NULL, NULL },
    { "all_tools", "{\"detail\":\"full\"}", tb_broker_all_tools, NULL, NULL },
    { "load_rules", "{\"rules\":[{\"match\":{\"patterns\":[\"zz\"]},\"action\":{\"type\":\"exclude\"}}]}", tb_broker_load_rules, NULL, NULL },
    { "all_rules", "{}", tb_broker_all_rules, NULL, NULL },
    { "load_intents", "{\"intents\":{\"greet\":[\"hello there\"]}}", tb_broker_load_intents, NULL, NULL },
    { "detect_intent", "{\"message\":\"hello there\"}", tb_broker_detect_intent, NULL, NULL },
    { "tokenize", "{\"intent\":\"send the email\"}", tb_broker_tokenize, NULL, NULL },
    { "score_by_keywords", "{\"keywords\":[\"a\"],\"max_results\":3}", tb_broker_score_by_keywords, NULL, NULL },
    { "score_by_intent", "{\"intent\":\"send the email\"}", tb_broker_score_by_intent, NULL, NULL },
    { "find_by_names", "{\"names\":[\"a\"]}", tb_broker_find_by_names, NULL, NULL },
    { "estimate", "{}", tb_broker_estimate, NULL, NULL },
    { "prune", "{\"budget\":100}", tb_broker_prune, NULL, NULL },
    { "select", "{\"message\":\"a\",\"explain\":true}", NULL, tb_broker_select, NULL },
    { "rank", "{\"message\":\"a\",\"explain\":true}", NULL, tb_broker_rank, NULL },
    { "embed_tools", "{}", NULL, tb_broker_embed_tools, NULL },
    { "overrides", "{\"names\":[\"a\"]}", NULL, tb_broker_overrides, NULL },
    { "info", "{}", NULL, NULL, tb_info },
    { "default_rules", "{}", NULL, NULL, tb_default_rules },
    { "read_rules", "{\"text\":\"rules: []\"}", NULL, NULL, tb_read_rules },
    { "read_hints", "{\"text\":\"{\\\"output_shape\\\":\\\"x\\\"}\"}", NULL, NULL, tb_read_hints },
};

#define CALLS (sizeof calls / sizeof calls[0])

static inline const struct call *call_named(const char *name)
{
    size_t at;
    for (at = 0; at < CALLS; at++)
        if (!strcmp(calls[at].name, name)) return &calls[at];
    return NULL;
}

static inline int32_t run_call(const struct call *call, const tb_broker *broker, const char *request, size_t len, void *call_ctx, tb_buf *answer,
                               tb_error **error)
{
    if (call->of_broker) return call->of_broker(broker, request, len, answer, error);
    if (call->calling_back) return call->calling_back(broker, request, len, call_ctx, answer, error);
    return call->of_library(request, len, answer, error);
}

#endif
