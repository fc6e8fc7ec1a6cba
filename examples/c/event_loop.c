/* A desktop client's shape: one thread runs the window's event loop, others talk to the servers.
 *
 * The loop waits for two things: what the user types (standard input, a line a message) and what the server threads report (a pipe). A server's thread
 * hands its tools to the broker itself, since a broker may be used from any thread; only the report goes to the loop. Selecting takes microseconds, so
 * the loop does it where it stands. `/reload NAME` lets a server answer anew. The argument is the folder of the data. */
#define _POSIX_C_SOURCE 200809L
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

#include "example.h"
#include "json.h"

struct client {
    const tb_broker *broker;
    const char *folder;
    int report_to, reports;
    int connecting;
};

/* What a server's thread tells the loop: a line of text. */
struct work {
    struct client *client;
    char server[64];
};

/* Runs on a thread of its own, as a connection to a server does. Here a file stands for what the server answers to tools/list. */
static void *list_tools(void *argument)
{
    struct work *work = argument;
    char path[1200], head[128], line[256], *request;
    struct json whole, total;
    tb_buf report = { NULL, 0 };
    tb_error *error = NULL;
    size_t head_len;
    snprintf(path, sizeof path, "%s/tools/%s.json", work->client->folder, work->server);
    head_len = (size_t)snprintf(head, sizeof head, "{\"server\":\"%s\",\"tools\":", work->server);
    request = read_file(path, head_len + 1);
    memmove(request + head_len, request, strlen(request) + 1);
    memcpy(request, head, head_len);
    strcat(request, "}");
    /* In one step: a selection that runs now sees the old tools or the new ones, and never none. */
    if (tb_broker_replace_tools(work->client->broker, request, strlen(request), &report, &error) == TB_OK) {
        whole.at = report.data;
        whole.len = report.len;
        total = json_get(whole, "total");
        snprintf(line, sizeof line, "%s is there; %.*s tools in all\n", work->server, (int)total.len, total.at);
    } else {
        snprintf(line, sizeof line, "%s: %.150s\n", work->server, tb_error_message(error));
    }
    /* A line shorter than PIPE_BUF arrives in one piece. */
    if (write(work->client->report_to, line, strlen(line)) < 0) perror("report");
    tb_error_free(error);
    tb_buf_free(&report);
    free(request);
    free(work);
    return NULL;
}

static void connect_server(struct client *client, const char *server)
{
    struct work *work = malloc(sizeof *work);
    pthread_t thread;
    work->client = client;
    snprintf(work->server, sizeof work->server, "%s", server);
    if (pthread_create(&thread, NULL, list_tools, work) == 0) {
        pthread_detach(thread);
        client->connecting++;
    } else {
        free(work);
    }
}

/* From a message to the body of the request to the model. */
static void send_message(const struct client *client, const char *message)
{
    char request[4096] = "{\"budget\":{\"share\":0.2,\"window\":4096,\"max_tools\":4},\"message\":", *end;
    const char *inside = NULL, *cut = "";
    struct json whole, tools, tool;
    tb_buf answer;
    tb_error *error = NULL;
    if (strlen(message) > 600) {
        puts("that is too long for an example");
        return;
    }
    end = json_quote(request + strlen(request), message);
    strcpy(end, "}");
    must(tb_broker_select(client->broker, request, strlen(request), NULL, &answer, &error), &error);
    whole.at = answer.data;
    whole.len = answer.len;
    tools = json_get(whole, "tools");
    printf("> %s\n", message);
    /* `tools` is the list that goes into the request to the model; a real client sends it now, without waiting, and goes on with its loop. */
    while (json_next(tools, &inside, &tool)) {
        struct json name = json_get(tool, "name");
        printf("%s%.*s", cut, (int)name.len, name.at);
        cut = ", ";
    }
    puts("");
    tb_buf_free(&answer);
}

static void typed(struct client *client, char *line)
{
    line[strcspn(line, "\r\n")] = 0;
    if (!strncmp(line, "/reload ", 8)) connect_server(client, line + 8);
    else if (*line) send_message(client, line);
}

static void loop(struct client *client)
{
    static const char *const servers[] = { "notes", "calendar", "depot" };
    char line[4096];
    size_t started = 0;
    int more = 1;
    while (more || client->connecting) {
        struct pollfd wait[2];
        /* One server after the other, and the user after them, so that the example always prints the same. */
        if (!client->connecting && started < 3) connect_server(client, servers[started++]);
        wait[0].fd = client->reports;
        wait[1].fd = client->connecting ? -1 : STDIN_FILENO;
        wait[0].events = wait[1].events = POLLIN;
        wait[0].revents = wait[1].revents = 0;
        if (poll(wait, 2, -1) < 0) continue;
        if (wait[0].revents & POLLIN) {
            ssize_t len = read(client->reports, line, sizeof line - 1);
            if (len > 0) printf("%.*s", (int)len, line);
            client->connecting--;
        } else if (wait[1].revents) {
            if (fgets(line, sizeof line, stdin)) typed(client, line);
            else more = 0;
        }
    }
}

int main(int argc, char **argv)
{
    struct client client;
    int pipes[2];
    tb_builder *builder;
    tb_broker *broker;
    tb_error *error = NULL;
    setvbuf(stdin, NULL, _IONBF, 0); /* What fgets kept for itself poll would not see. */
    if (pipe(pipes) != 0) return 1;
    must(tb_builder_new(NULL, 0, &builder, &error), &error);
    must(tb_builder_build(builder, &broker, &error), &error);
    client.broker = broker;
    client.folder = argc > 1 ? argv[1] : "examples/data";
    client.reports = pipes[0];
    client.report_to = pipes[1];
    client.connecting = 0;
    loop(&client);
    tb_broker_free(broker);
    close(pipes[0]);
    close(pipes[1]);
    return 0;
}
