/* Just enough JSON to walk through the library's answers, which are well-formed. A client uses the JSON library that it has. */
#ifndef JSON_H
#define JSON_H

#include <stdio.h>
#include <string.h>

/* A piece of a JSON text. */
struct json {
    const char *at;
    size_t len;
};

/* Behind one value, a key or a mark between them. */
static inline const char *json_skip(const char *at)
{
    int depth = 0;
    do {
        at += strspn(at, " \t\r\n");
        if (*at == '"') {
            for (at++; *at != '"'; at++)
                if (*at == '\\') at++;
            at++;
        } else if (*at == '{' || *at == '[') {
            depth++;
            at++;
        } else if (*at == '}' || *at == ']') {
            depth--;
            at++;
        } else {
            size_t len = strcspn(at, "{}[]\":, \t\r\n");
            at += len ? len : 1;
        }
        at += strspn(at, " \t\r\n");
    } while (depth > 0);
    return at;
}

/* Moves to the next item of a list, or the next key or value of an object: `item` begins as the list and `inside` as NULL. */
static inline int json_next(struct json all, const char **inside, struct json *item)
{
    if (!*inside) *inside = all.at + strspn(all.at, " \t\r\n") + 1;
    *inside += strspn(*inside, ",: \t\r\n");
    if (**inside == ']' || **inside == '}') return 0;
    item->at = *inside;
    *inside = json_skip(item->at);
    item->len = (size_t)(*inside - item->at);
    return 1;
}

/* The value of a key of an object, texts without their quotes; an empty piece where there is none. */
static inline struct json json_get(struct json object, const char *key)
{
    struct json found = { "", 0 }, name, value;
    const char *inside = NULL;
    while (json_next(object, &inside, &name) && json_next(object, &inside, &value)) {
        if (name.len < strlen(key) + 2 || strncmp(name.at + 1, key, strlen(key)) || name.at[strlen(key) + 1] != '"') continue;
        found = value;
        if (*value.at == '"') {
            found.at++;
            found.len -= 2;
        }
    }
    return found;
}

/* Writes a text as a JSON string, quotes and all, and gives the place behind it. `out` has room for 6 bytes a byte, 2 quotes and a NUL. */
static inline char *json_quote(char *out, const char *text)
{
    *out++ = '"';
    for (; *text; text++) {
        unsigned char byte = (unsigned char)*text;
        if (byte < 0x20) {
            out += sprintf(out, "\\u%04x", byte);
            continue;
        }
        if (byte == '"' || byte == '\\') *out++ = '\\';
        *out++ = *text;
    }
    *out++ = '"';
    *out = 0;
    return out;
}

/* Prints a text as its reader sees it: the escapes that lines and quotes need, no others. */
static inline void json_print(struct json text)
{
    size_t at;
    for (at = 0; at < text.len; at++) {
        if (text.at[at] == '\\' && at + 1 < text.len) {
            at++;
            putchar(text.at[at] == 'n' ? '\n' : text.at[at]);
        } else {
            putchar(text.at[at]);
        }
    }
}

#endif
