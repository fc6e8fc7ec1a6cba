// A header of another ABI than the library's is told by its numbers. This unit says that it is of such a one.
#include "toolbroker.h"

#undef TB_ABI_VERSION
#define TB_ABI_VERSION 4711

#include "check.hpp"

using toolbroker::Error;

int main()
{
    const Error error = toolbroker::Builder().try_build().error();
    CHECK(error == Error::abi_mismatch && error.code == "abi_mismatch");
    CHECK_CONTAINS(error.message, "toolbroker.h is of ABI 4711");
    CHECK_CONTAINS(error.message, "of ABI " + std::to_string(toolbroker::abi_version()));
    CHECK(toolbroker::try_info().error() == Error::abi_mismatch);
    try {
        toolbroker::Broker broker;
        FAIL("a broker was made");
    } catch (const toolbroker::Exception &exception) {
        CHECK(exception.error() == Error::abi_mismatch);
    }
}
