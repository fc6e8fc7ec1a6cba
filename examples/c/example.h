/* What the examples share: an error ends them with its text, and a file becomes text. */
#ifndef EXAMPLE_H
#define EXAMPLE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "toolbroker.h"

/* It takes the error's address, since C does not say whether the call or a plain `error` beside it is looked at first. */
static inline void must(int32_t status, tb_error **error)
{
    if (status == TB_OK) return;
    fprintf(stderr, "%s: %s\n", tb_status_name(status), tb_error_message(*error));
    tb_error_free(*error);
    exit(1);
}

/* The text of a file with room for `more` bytes behind it, to be freed. */
static inline char *read_file(const char *path, size_t more)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    long len;
    if (file && !fseek(file, 0, SEEK_END) && (len = ftell(file)) >= 0 && !fseek(file, 0, SEEK_SET)) {
        text = malloc((size_t)len + more + 1);
        if (text && fread(text, 1, (size_t)len, file) == (size_t)len) text[len] = 0;
        else len = -1;
    } else {
        len = -1;
    }
    if (len < 0) {
        fprintf(stderr, "cannot read %s\n", path);
        exit(1);
    }
    fclose(file);
    return text;
}

/* Hands over what a server answered to tools/list, from the file <folder>/tools/<server>.json. */
static inline void add_server(const tb_broker *broker, const char *folder, const char *server)
{
    char path[1024], head[256], *text;
    tb_error *error = NULL;
    tb_buf report;
    size_t head_len;
    snprintf(path, sizeof path, "%s/tools/%s.json", folder, server);
    head_len = (size_t)snprintf(head, sizeof head, "{\"server\":\"%s\",\"tools\":", server);
    text = read_file(path, head_len + 1);
    memmove(text + head_len, text, strlen(text) + 1);
    memcpy(text, head, head_len);
    strcat(text, "}");
    must(tb_broker_add_tools(broker, text, strlen(text), &report, &error), &error);
    tb_buf_free(&report);
    free(text);
}

#endif
