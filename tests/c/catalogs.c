/* Loads every tool list of a folder and selects from them all. Arguments: the folder, and how many servers and tools it holds. */
#define _DEFAULT_SOURCE
#include <dirent.h>

#include "check.h"

static const char *const requests[] = {
    "{}",
    "{\"message\":\"create an issue for the failing build\",\"budget\":{\"tokens\":4000}}",
    "{\"message\":\"what is the weather in \xe6\x9d\xb1\xe4\xba\xac\",\"budget\":{\"max_tools\":20}}",
    "{\"message\":\"query the database\",\"hints\":[\"sql\"],\"min_score\":0.2,\"explain\":true}",
    "{\"intent\":\"run-build\",\"order\":\"registered\",\"budget\":{\"share\":0.1,\"window\":100000}}",
};

static int is_json(const struct dirent *entry)
{
    size_t len = strlen(entry->d_name);
    return len > 5 && !strcmp(entry->d_name + len - 5, ".json");
}

/* {"server":name,"tools":the file's text} */
static char *request_of(const char *folder, const char *file)
{
    char path[4096], *request;
    size_t head, len;
    long size;
    FILE *in;
    snprintf(path, sizeof path, "%s/%s", folder, file);
    in = fopen(path, "rb");
    if (!in || fseek(in, 0, SEEK_END) || (size = ftell(in)) < 0 || fseek(in, 0, SEEK_SET)) FAIL("cannot read %s", path);
    len = (size_t)size;
    request = malloc(len + strlen(file) + 64);
    CHECK(request);
    head = (size_t)sprintf(request, "{\"server\":\"%.*s\",\"tools\":", (int)strlen(file) - 5, file);
    if (fread(request + head, 1, len, in) != len) FAIL("cannot read %s", path);
    strcpy(request + head + len, "}");
    fclose(in);
    return request;
}

static long number_of(const char *answer, const char *key)
{
    const char *at = answer, *found = NULL;
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\":", key);
    while ((at = strstr(at, quoted)) != NULL) {
        at += strlen(quoted);
        if (*at >= '0' && *at <= '9') found = at;
    }
    if (!found) FAIL("no %s in %s", key, answer);
    return atol(found);
}

int main(int argc, char **argv)
{
    tb_broker *broker = broker_with("");
    struct dirent **files;
    int servers, at;
    long tools = 0, wanted;
    size_t number, bytes = 0, each;
    tb_buf answer;
    tb_error *error = NULL;
    suite_begins();
    if (argc != 4) FAIL("catalogs needs a folder, the number of servers and the number of tools");
    servers = scandir(argv[1], &files, is_json, alphasort);
    if (servers != atoi(argv[2])) FAIL("%s has %d servers, not %s", argv[1], servers, argv[2]);
    wanted = atol(argv[3]);
    for (at = 0; at < servers; at++) {
        char *request = request_of(argv[1], files[at]->d_name);
        EXPECT(tb_broker_add_tools(broker, request, strlen(request), &answer, &error), TB_OK, error);
        if (!contains(answer.data, "\"refused\":[]")) FAIL("%s: %s", files[at]->d_name, answer.data);
        tools = number_of(answer.data, "total");
        bytes += strlen(request);
        tb_buf_free(&answer);
        free(request);
        free(files[at]);
    }
    free(files);
    if (tools != wanted) FAIL("%ld tools, not %ld", tools, wanted);
    for (each = 0; each < sizeof requests / sizeof requests[0]; each++) {
        EXPECT(tb_broker_select(broker, requests[each], strlen(requests[each]), NULL, &answer, &error), TB_OK, error);
        CHECK(contains(answer.data, "\"count\":") && strlen(answer.data) == answer.len);
        EXPECT(tb_broker_select_indices(broker, requests[each], strlen(requests[each]), NULL, 0, &number, &error), TB_OK, error);
        CHECK(each > 0 ? number <= (size_t)wanted : number == (size_t)wanted);
        tb_buf_free(&answer);
    }
    EXPECT(tb_broker_estimate(broker, TEXT("{}"), &answer, &error), TB_OK, error);
    printf("%d servers, %ld tools, %lu bytes, about %s tokens\n", servers, tools, (unsigned long)bytes, answer.data);
    tb_buf_free(&answer);
    tb_broker_free(broker);
    return 0;
}
