/* With unit_b.c: the header in two units of one program, as C and as C++. */
#include "toolbroker.h"
/* A second time in the same unit. */
#include "toolbroker.h"

int32_t make(tb_broker **broker);

int main(void)
{
    tb_broker *broker = 0;
    tb_buf answer = { 0, 0 };
    if (tb_abi_version() != TB_ABI_VERSION) return 1;
    if (make(&broker) != TB_OK) return 2;
    if (tb_broker_select(broker, "{}", 2, 0, &answer, 0) != TB_OK) return 3;
    tb_buf_free(&answer);
    tb_broker_free(broker);
    return 0;
}
