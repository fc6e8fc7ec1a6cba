/*
 * What calls cost through the C ABI, JSON text in and JSON text out:
 *
 *     select FOLDER PROFILE            prints one line a case: name, mean, median, 99th percentile (ns a call), bytes out
 *     select FOLDER PROFILE answers    prints the answers to FOLDER/intents.txt, one a line, and measures nothing
 *
 * FOLDER is made by workload.py. The mean is the middle one of RUNS runs, since that is what `go test -bench` gives for the model.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "toolbroker.h"

#define RUNS 7
#define MOST_REQUESTS 2000

typedef struct {
    const char *data;
    size_t len;
} text;

typedef struct {
    text list[MOST_REQUESTS];
    size_t count;
} requests;

typedef struct {
    tb_broker *broker;
    size_t bytes; /* of all answers of a case */
    size_t room;
    size_t *places;
    size_t changes;
} bench;

typedef int32_t (*call)(bench *, text request);

static void check(int32_t status, tb_error *error) {
    if (status != TB_OK) {
        fprintf(stderr, "select: %s\n", tb_error_message(error));
        exit(1);
    }
}

static text read_file(const char *folder, const char *name) {
    char path[4096];
    FILE *file;
    long size;
    char *data;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (!(file = fopen(path, "rb")) || fseek(file, 0, SEEK_END) || (size = ftell(file)) < 0) {
        perror(path);
        exit(1);
    }
    rewind(file);
    data = malloc((size_t)size + 1);
    if (!data || fread(data, 1, (size_t)size, file) != (size_t)size) {
        perror(path);
        exit(1);
    }
    fclose(file);
    return (text){data, (size_t)size};
}

static requests read_lines(const char *folder, const char *name) {
    text all = read_file(folder, name);
    requests lines = {0};
    const char *at = all.data, *end = all.data + all.len, *stop;
    while (at < end && lines.count < MOST_REQUESTS && (stop = memchr(at, '\n', (size_t)(end - at)))) {
        lines.list[lines.count++] = (text){at, (size_t)(stop - at)};
        at = stop + 1;
    }
    return lines;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static tb_broker *new_broker(const char *profile, text tools, text rules) {
    char options[64];
    tb_error *error = NULL;
    tb_builder *builder;
    tb_broker *broker;
    tb_buf report;
    snprintf(options, sizeof options, "{\"profile\":\"%s\"}", profile);
    check(tb_builder_new(options, strlen(options), &builder, &error), error);
    check(tb_builder_build(builder, &broker, &error), error);
    check(tb_broker_add_tools(broker, tools.data, tools.len, &report, &error), error);
    tb_buf_free(&report);
    check(tb_broker_load_rules(broker, rules.data, rules.len, &report, &error), error);
    tb_buf_free(&report);
    return broker;
}

/* The measured calls. Each frees its answer: a caller must, so it belongs to the price. */

static int32_t select_json(bench *b, text request) {
    tb_buf answer;
    int32_t status = tb_broker_select(b->broker, request.data, request.len, NULL, &answer, NULL);
    b->bytes += answer.len;
    tb_buf_free(&answer);
    return status;
}

static int32_t select_indices(bench *b, text request) {
    size_t count;
    return tb_broker_select_indices(b->broker, request.data, request.len, b->places, b->room, &count, NULL);
}

static int32_t detect_intent(bench *b, text request) {
    tb_buf answer;
    int32_t status = tb_broker_detect_intent(b->broker, request.data, request.len, &answer, NULL);
    b->bytes += answer.len;
    tb_buf_free(&answer);
    return status;
}

/* Adds one tool, or removes it again; not measured. Every answer tells in `total` which of the two states it saw. */
static void change_tools(bench *b) {
    static const char tool[] = "{\"server\":\"bench\",\"tools\":[{\"name\":\"comes_and_goes\"}]}", server[] = "{\"server\":\"bench\"}";
    tb_buf report;
    tb_error *error = NULL;
    if (b->changes++ % 2 == 0) {
        check(tb_broker_add_tools(b->broker, tool, strlen(tool), &report, &error), error);
    } else {
        check(tb_broker_remove_tools(b->broker, server, strlen(server), &report, &error), error);
    }
    tb_buf_free(&report);
}

static void must_tell_state(bench *b, text request) {
    char total[32];
    tb_buf answer;
    tb_error *error = NULL;
    snprintf(total, sizeof total, "\"total\":%zu,", b->room + b->changes % 2);
    check(tb_broker_select(b->broker, request.data, request.len, NULL, &answer, &error), error);
    if (!strstr(answer.data, total)) {
        fprintf(stderr, "select: an answer is not of the state in force: no %s in it\n", total);
        exit(1);
    }
    tb_buf_free(&answer);
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void report(const char *name, double *means, double *each, size_t calls, size_t bytes) {
    qsort(means, RUNS, sizeof *means, ascending);
    qsort(each, calls, sizeof *each, ascending);
    printf("%s\t%.0f\t%.0f\t%.0f\t%zu\n", name, means[RUNS / 2], each[calls / 2], each[calls - 1 - calls / 100], bytes / calls);
}

/* Sends the requests in turn, each time in the same number per run, so that all runs do the same work. */
static void measure(bench *b, const char *name, call call, const requests *requests, size_t per_run, int changing) {
    double means[RUNS], *each = malloc(RUNS * per_run * sizeof *each);
    size_t run, at, count = requests->count;
    b->bytes = 0;
    for (run = 0; run < RUNS; run++) {
        double sum = 0;
        for (at = 0; at < per_run; at++) {
            text request = requests->list[at % count];
            double start, took;
            if (changing) {
                change_tools(b);
            }
            start = now();
            if (call(b, request) != TB_OK) {
                fprintf(stderr, "select: %s failed on %.*s\n", name, (int)request.len, request.data);
                exit(1);
            }
            took = now() - start;
            sum += each[run * per_run + at] = took;
            if (changing) {
                must_tell_state(b, request);
            }
        }
        means[run] = sum / (double)per_run;
    }
    report(name, means, each, RUNS * per_run, b->bytes);
    free(each);
}

static void measure_register(const char *profile, text tools, text rules) {
    double means[RUNS], each[RUNS];
    size_t run;
    for (run = 0; run < RUNS; run++) {
        double start = now();
        tb_broker *broker = new_broker(profile, tools, rules);
        means[run] = each[run] = now() - start;
        tb_broker_free(broker);
    }
    report("register", means, each, RUNS, 0);
}

static void print_answers(bench *b, const requests *requests) {
    size_t at;
    for (at = 0; at < requests->count; at++) {
        tb_buf answer;
        tb_error *error = NULL;
        check(tb_broker_select(b->broker, requests->list[at].data, requests->list[at].len, NULL, &answer, &error), error);
        puts(answer.data);
        tb_buf_free(&answer);
    }
}

/* How many tools are registered, by asking for the places of all. */
static size_t registered(tb_broker *broker) {
    tb_buf tools;
    tb_error *error = NULL;
    size_t count = 0;
    const char *at;
    check(tb_broker_all_tools(broker, NULL, 0, &tools, &error), error);
    for (at = tools.data; (at = strstr(at, "{\"name\":")) != NULL; at++) {
        count++;
    }
    tb_buf_free(&tools);
    return count;
}

int main(int argc, char **argv) {
    static requests intents, messages, again, fresh;
    text tools, rules;
    bench b = {0};
    if (argc < 3) {
        fprintf(stderr, "select FOLDER PROFILE [answers]\n");
        return 2;
    }
    tools = read_file(argv[1], "tools.json");
    rules = read_file(argv[1], "rules.json");
    intents = read_lines(argv[1], "intents.txt");
    messages = read_lines(argv[1], "messages.txt");
    again = read_lines(argv[1], "again.txt");
    fresh = read_lines(argv[1], "new.txt");
    b.broker = new_broker(argv[2], tools, rules);
    if (argc > 3) {
        print_answers(&b, &intents);
        tb_broker_free(b.broker);
        return 0;
    }
    b.room = registered(b.broker);
    b.places = malloc(b.room * sizeof *b.places);
    measure(&b, "select", select_json, &intents, 300, 0);
    measure(&b, "select_indices", select_indices, &intents, 300, 0);
    measure(&b, "select message", select_json, &messages, 320, 0);
    measure(&b, "detect_intent", detect_intent, &messages, 320, 0);
    measure_register(argv[2], tools, rules);
    measure(&b, "20 requests in turn", select_json, &again, 2000, 0);
    measure(&b, "no two alike", select_json, &fresh, 2000, 0);
    measure(&b, "tools change before each", select_json, &intents, 20, 1);
    free(b.places);
    tb_broker_free(b.broker);
    return 0;
}
