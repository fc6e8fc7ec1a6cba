#include <stdio.h>
#include <string.h>

#include "toolbroker.h"

static const char tools[] = "{\"server\":\"make\",\"tools\":[{\"name\":\"build_all\"},{\"name\":\"clean\"}]}";
static const char turn[] = "{\"message\":\"please build it\",\"budget\":{\"tokens\":4000}}";

int main(void)
{
    tb_builder *builder;
    tb_broker *broker = NULL;
    tb_buf report = { NULL, 0 }, answer = { NULL, 0 };
    tb_error *error = NULL;
    int failed = tb_builder_new(NULL, 0, &builder, &error) ||
                 tb_builder_build(builder, &broker, &error) ||
                 tb_broker_add_tools(broker, tools, strlen(tools), &report, &error) ||
                 tb_broker_select(broker, turn, strlen(turn), NULL, &answer, &error);
    puts(failed ? tb_error_message(error) : answer.data); /* {"tools":[{"name":"build_all","server":"make"},… */
    tb_buf_free(&report);
    tb_buf_free(&answer);
    tb_error_free(error);
    tb_broker_free(broker);
    return failed;
}
