// What Go calls in place of toolbroker.h: calls by number, and callbacks that lead back to Go.
#ifndef TOOLBROKER_GO_CAPI_H
#define TOOLBROKER_GO_CAPI_H

#if __has_include("toolbroker.h")
#include "toolbroker.h"
#else
#error "toolbroker brings no library for this GOOS and GOARCH: install it there, and build with -tags toolbroker_system"
#endif

// The number of a call, such as "select", or -1.
int capi_call_number(const char *name, size_t name_len);

// Whether a call takes no broker.
int capi_needs_no_broker(int number);

// Runs a call on a broker without callbacks, or one that never runs any.
int32_t capi_call(int number, const tb_broker *broker, const char *request, size_t request_len, tb_buf *answer, tb_error **error);

// Runs a call that may come back to Go: `state` is a cgo.Handle that lives as long as the call.
int32_t capi_call_with_callbacks(int number, const tb_broker *broker, const char *request, size_t request_len, uintptr_t state, tb_buf *answer,
                                 tb_error **error);

// Makes a broker; the callbacks that are wanted lead to Go by the state of each call, so that C holds nothing of Go between calls.
int32_t capi_new(const char *options, size_t options_len, int with_enricher, int with_embedder, int with_logger, tb_broker **broker,
                 tb_error **error);

#endif
