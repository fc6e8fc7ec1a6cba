/* With unit_a.c: the header in two units of one program, as C and as C++. */
#include "toolbroker.h"

int32_t make(tb_broker **broker);

int32_t make(tb_broker **broker)
{
    tb_builder *builder = 0;
    int32_t status = tb_builder_new(0, 0, &builder, 0);
    return status == TB_OK ? tb_builder_build(builder, broker, 0) : status;
}
