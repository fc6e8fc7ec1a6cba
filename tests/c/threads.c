/* Many threads on one broker: each error belongs to its own call, each answer to one state. The argument is how many rounds each thread runs. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>

#include "check.h"

#define THREADS 64
#define TOOLS 10

static tb_broker *broker;
static int rounds = 200;
static pthread_barrier_t start;

struct thread {
    int number;
    pthread_t handle;
};

static void run_all(void *(*body)(void *))
{
    struct thread threads[THREADS];
    int at;
    CHECK(pthread_barrier_init(&start, NULL, THREADS) == 0);
    for (at = 0; at < THREADS; at++) {
        threads[at].number = at;
        CHECK(pthread_create(&threads[at].handle, NULL, body, &threads[at]) == 0);
    }
    for (at = 0; at < THREADS; at++) CHECK(pthread_join(threads[at].handle, NULL) == 0);
    pthread_barrier_destroy(&start);
}

/* The error of a call names what that very call was asked, whatever fails beside it. */
static void *fail_with_own_name(void *arg)
{
    struct thread *self = arg;
    int round;
    pthread_barrier_wait(&start);
    for (round = 0; round < rounds; round++) {
        char name[64], request[128];
        tb_error *error = NULL;
        tb_buf answer;
        snprintf(name, sizeof name, "key_%d_%d_", self->number, round);
        snprintf(request, sizeof request, "{\"%s\":1}", name);
        CHECK(tb_broker_select(broker, request, strlen(request), NULL, &answer, &error) == TB_ERR_INVALID_REQUEST);
        if (!contains(tb_error_message(error), name)) FAIL("of %s: %s", name, tb_error_message(error));
        CHECK(contains(tb_error_json(error), name));
        tb_error_free(error);
    }
    return NULL;
}

static void call(int32_t (*function)(const tb_broker *, const char *, size_t, tb_buf *, tb_error **), const char *request)
{
    tb_buf answer;
    tb_error *error = NULL;
    EXPECT(function(broker, request, strlen(request), &answer, &error), TB_OK, error);
    tb_buf_free(&answer);
}

static void replace_all(int generation)
{
    char request[4096];
    size_t len = (size_t)sprintf(request, "{\"server\":\"live\",\"tools\":[");
    int at;
    for (at = 0; at < TOOLS; at++)
        len += (size_t)sprintf(request + len, "%s{\"name\":\"tool_%d\",\"description\":\"generation %d.\"}", at ? "," : "", at, generation);
    sprintf(request + len, "]}");
    call(tb_broker_replace_tools, request);
}

/* Two rules that belong together: both hide, or neither is there. */
static void load_rules(int both)
{
    call(tb_broker_load_rules, both ? "{\"rules\":[{\"match\":{\"patterns\":[\"tool_0\"]},\"action\":{\"type\":\"exclude\"}},"
                                      "{\"match\":{\"patterns\":[\"tool_1\"]},\"action\":{\"type\":\"exclude\"}}]}"
                                    : "{\"rules\":[]}");
}

static void one_state(const char *answer)
{
    const char *at = strstr(answer, "generation ");
    char generation[32];
    int live, hidden;
    size_t len;
    CHECK(at);
    len = strcspn(at, "\"") + 1;
    CHECK(len < sizeof generation);
    memcpy(generation, at, len);
    generation[len] = 0;
    live = count(answer, "\"generation ");
    hidden = !contains(answer, "\"tool_0\"") + !contains(answer, "\"tool_1\"");
    if (count(answer, generation) != live) FAIL("two generations in one answer: %s", answer);
    if (hidden == 1 || live != TOOLS - hidden) FAIL("half of the rules in one answer: %s", answer);
}

static void *change_or_select(void *arg)
{
    struct thread *self = arg;
    int round;
    pthread_barrier_wait(&start);
    for (round = 0; round < rounds; round++) {
        tb_buf answer;
        tb_error *error = NULL;
        char request[128];
        switch (self->number % 8) {
        case 0:
            replace_all(self->number * rounds + round);
            break;
        case 1:
            load_rules(round % 2);
            break;
        case 2:
            sprintf(request, "{\"server\":\"other %d\",\"tools\":[{\"name\":\"x\"},{\"name\":\"y\"}]}", self->number);
            call(tb_broker_add_tools, request);
            sprintf(request, "{\"server\":\"other %d\"}", self->number);
            call(tb_broker_remove_tools, request);
            break;
        default:
            EXPECT(tb_broker_select(broker, TEXT("{\"message\":\"generation\"}"), NULL, &answer, &error), TB_OK, error);
            one_state(answer.data);
            tb_buf_free(&answer);
        }
    }
    return NULL;
}

int main(int argc, char **argv)
{
    suite_begins();
    if (argc > 1) rounds = atoi(argv[1]);
    CHECK(rounds > 0);
    broker = broker_with("");
    run_all(fail_with_own_name);
    replace_all(0);
    run_all(change_or_select);
    tb_broker_free(broker);
    return 0;
}
