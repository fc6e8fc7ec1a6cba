/* Every call once, and one rule file: under a tracer this program shows that the library opens that file and nothing else.
 * The argument is the rule file's path. */
#include "calls.h"
#include "check.h"

int main(int argc, char **argv)
{
    tb_broker *broker;
    tb_buf answer;
    tb_error *error = NULL;
    char request[4096];
    size_t at, number;
    if (argc != 2) FAIL("files needs the path of a rule file");
    snprintf(request, sizeof request, "{\"path\":\"%s\"}", argv[1]);
    suite_begins();
    broker = broker_with("");
    add_tools(broker, "{\"server\":\"s\",\"tools\":[{\"name\":\"a\"}]}");
    for (at = 0; at < CALLS; at++) {
        EXPECT(run_call(&calls[at], broker, calls[at].request, strlen(calls[at].request), NULL, &answer, &error), TB_OK, error);
        tb_buf_free(&answer);
        EXPECT(run_call(&calls[at], broker, "{", 1, NULL, &answer, &error), TB_ERR_INVALID_JSON, error);
    }
    EXPECT(tb_broker_select_indices(broker, TEXT("{}"), NULL, 0, &number, &error), TB_OK, error);
    EXPECT(tb_broker_load_rules(broker, request, strlen(request), &answer, &error), TB_OK, error);
    tb_buf_free(&answer);
    tb_broker_free(broker);
    return 0;
}
