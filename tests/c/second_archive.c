/* Two Rust archives in one program: each has its runtime, and both work. */
#include "check.h"

int32_t second_archive_answer(int32_t number);

int main(void)
{
    tb_broker *broker = broker_with("");
    tb_buf answer;
    tb_error *error = NULL;
    suite_begins();
    CHECK(second_archive_answer(1234) == 10);
    CHECK(second_archive_answer(-1) == -1);
    EXPECT(tb_broker_select(broker, TEXT("{"), NULL, &answer, &error), TB_ERR_INVALID_JSON, error);
    add_tools(broker, "{\"server\":\"s\",\"tools\":[{\"name\":\"a\"}]}");
    tb_broker_free(broker);
    return 0;
}
