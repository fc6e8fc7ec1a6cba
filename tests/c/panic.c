/* A panic inside the library becomes a status. Needs a library with the feature `test-panic`. */
#include "check.h"

int32_t tb_test_panic(tb_error **error);

int main(void)
{
    tb_broker *broker = broker_with("");
    tb_error *error = (tb_error *)&error;
    tb_buf answer;
    int round;
    suite_begins();
    for (round = 0; round < 3; round++) {
        CHECK(tb_test_panic(&error) == TB_ERR_PANIC);
        CHECK(tb_error_status(error) == TB_ERR_PANIC);
        CHECK(contains(tb_error_message(error), "asked to panic"));
        CHECK(contains(tb_error_json(error), "\"code\":\"panic\"") && contains(tb_error_json(error), "asked to panic"));
        tb_error_free(error);
        CHECK(tb_test_panic(NULL) == TB_ERR_PANIC);
        EXPECT(tb_broker_add_tools(broker, TEXT("{\"server\":\"s\",\"tools\":[{\"name\":\"a\"}]}"), &answer, &error), TB_OK, error);
        tb_buf_free(&answer);
        EXPECT(tb_broker_select(broker, TEXT("{}"), NULL, &answer, &error), TB_OK, error);
        CHECK(contains(answer.data, "\"count\":1"));
        tb_buf_free(&answer);
    }
    tb_broker_free(broker);
    return 0;
}
