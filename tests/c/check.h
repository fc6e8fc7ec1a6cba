/* What a suite needs to fail with a clear line. */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "toolbroker.h"

#define FAIL(...)                                        \
    do {                                                 \
        fprintf(stderr, "%s:%d: ", __FILE__, __LINE__);  \
        fprintf(stderr, __VA_ARGS__);                    \
        fputc('\n', stderr);                             \
        exit(1);                                         \
    } while (0)

#define CHECK(condition) do { if (!(condition)) FAIL("not so: %s", #condition); } while (0)

/* A call's status, with the error's text where it is another. Frees the error. */
#define EXPECT(call, wanted, error)                                                                               \
    do {                                                                                                          \
        int32_t expect_status = (call);                                                                           \
        if (expect_status != (wanted))                                                                            \
            FAIL("%s is %d (%s), not %d: %s", #call, (int)expect_status, tb_status_name(expect_status), (int)(wanted), \
                 tb_error_message(error));                                                                        \
        CHECK(tb_error_status(error) == expect_status);                                                           \
        tb_error_free(error);                                                                                     \
        (error) = NULL;                                                                                           \
    } while (0)

/* A text literal as pointer and length; it may hold NUL bytes. */
#define TEXT(literal) (literal), sizeof(literal) - 1

/* A sign in the trace of system calls: what comes before it is the loader's. */
static inline void suite_begins(void)
{
    if (access("/suite-begins", F_OK) == 0) FAIL("a file /suite-begins is in the way");
}

static inline int contains(const char *text, const char *part)
{
    return strstr(text, part) != NULL;
}

static inline int count(const char *text, const char *part)
{
    int found = 0;
    for (; (text = strstr(text, part)) != NULL; text += strlen(part)) found++;
    return found;
}

static inline tb_broker *broker_with(const char *options)
{
    tb_builder *builder = NULL;
    tb_broker *broker = NULL;
    tb_error *error = NULL;
    EXPECT(tb_builder_new(options, strlen(options), &builder, &error), TB_OK, error);
    EXPECT(tb_builder_build(builder, &broker, &error), TB_OK, error);
    CHECK(broker);
    return broker;
}

static inline void add_tools(const tb_broker *broker, const char *request)
{
    tb_buf report;
    tb_error *error = NULL;
    EXPECT(tb_broker_add_tools(broker, request, strlen(request), &report, &error), TB_OK, error);
    if (!contains(report.data, "\"refused\":[]")) FAIL("refused: %s", report.data);
    tb_buf_free(&report);
}

#endif
