/* The library is closed while a thread that called into it still lives: what the thread leaves to be cleaned up must still be there when it ends.
 * The argument is the library's path. */
#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>
#include <pthread.h>

#include "check.h"

static int32_t (*info)(const char *, size_t, tb_buf *, tb_error **);
static void (*free_buf)(tb_buf *);
static void (*free_error)(tb_error *);
static pthread_barrier_t has_called, is_closed;

static void find(void *library, const char *name, void *function)
{
    void *found = dlsym(library, name);
    if (!found) FAIL("no %s: %s", name, dlerror());
    /* ISO C has no way from an object pointer to a function pointer but this one. */
    memcpy(function, &found, sizeof found);
}

static void *call_and_outlive(void *unused)
{
    tb_buf answer;
    tb_error *error = NULL;
    (void)unused;
    CHECK(info(NULL, 0, &answer, &error) == TB_OK);
    free_buf(&answer);
    CHECK(info(TEXT("{"), &answer, &error) == TB_ERR_INVALID_JSON);
    free_error(error);
    pthread_barrier_wait(&has_called);
    pthread_barrier_wait(&is_closed);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    void *library;
    suite_begins();
    if (argc != 2) FAIL("unload needs the library's path");
    library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (!library) FAIL("%s", dlerror());
    find(library, "tb_info", &info);
    find(library, "tb_buf_free", &free_buf);
    find(library, "tb_error_free", &free_error);
    CHECK(pthread_barrier_init(&has_called, NULL, 2) == 0 && pthread_barrier_init(&is_closed, NULL, 2) == 0);
    CHECK(pthread_create(&thread, NULL, call_and_outlive, NULL) == 0);
    pthread_barrier_wait(&has_called);
    CHECK(dlclose(library) == 0);
    pthread_barrier_wait(&is_closed);
    CHECK(pthread_join(thread, NULL) == 0);
    library = dlopen(argv[1], RTLD_NOW | RTLD_NOLOAD);
    if (!library) FAIL("the library was unloaded (-z nodelete is missing)");
    return 0;
}
