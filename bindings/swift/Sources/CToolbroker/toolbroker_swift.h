// The installed header; pkg-config says where it is.
#include <toolbroker.h>
