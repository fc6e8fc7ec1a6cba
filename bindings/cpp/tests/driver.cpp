// Runs the calls that it reads, through the C++ interface. tests/c/driver.c describes what goes over the pipe; this answers as it does.
#include <sstream>

#include "check.hpp"

using toolbroker::Broker;
using toolbroker::Builder;
using toolbroker::EmbedderAnswer;
using toolbroker::EnricherAnswer;
using toolbroker::Error;
using toolbroker::Result;

struct Record {
    std::string word, text;
};

static std::optional<Record> read_record()
{
    char head[128], word[64];
    std::size_t len = 0;
    if (!std::fgets(head, sizeof head, stdin)) return std::nullopt;
    if (std::sscanf(head, "%63s %zu", word, &len) != 2) FAIL("no record: %s", head);
    std::string text(len, '\0');
    if (std::fread(text.data(), 1, len, stdin) != len) FAIL("a record that ends early: %s", head);
    return Record{word, text};
}

static void write_record(const std::string &word, std::string_view text)
{
    std::printf("%s %zu\n", word.c_str(), text.size());
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
}

static EnricherAnswer ask(std::string_view request, void *)
{
    write_record("ask", request);
    const std::optional<Record> answer = read_record();
    if (!answer) FAIL("the enricher was not answered");
    switch (const int status = std::atoi(answer->word.c_str())) {
    case TB_OK: return answer->text;
    case TB_PASS: return std::nullopt;
    case TB_STOP: return EnricherAnswer::stop();
    default: return EnricherAnswer::failure(answer->text, status);
    }
}

static EmbedderAnswer embed(std::string_view request, void *)
{
    write_record("embed", request);
    const std::optional<Record> answer = read_record();
    if (!answer) FAIL("the embedder was not answered");
    if (const int status = std::atoi(answer->word.c_str())) return EmbedderAnswer::failure(answer->text, status);
    std::vector<std::vector<float>> vectors;
    std::istringstream lines(answer->text);
    for (std::string line; std::getline(lines, line);) {
        std::vector<float> &vector = vectors.emplace_back();
        // Not by a stream, which reads no infinite number.
        for (char *at = line.data(), *const end = at + line.size(); at < end;) vector.push_back(std::strtof(at, &at));
    }
    return vectors;
}

static void write_outcome(const Error &error, const std::string *answer)
{
    write_record(std::to_string(error.status), answer ? *answer : error.json);
}

int main()
{
    std::optional<Broker> broker;
    while (const std::optional<Record> record = read_record()) {
        if (record->word == "options" || record->word == "enricher" || record->word == "embedder") {
            broker.reset();
            Builder builder(record->text);
            if (record->word == "enricher") builder.enricher(ask);
            if (record->word == "embedder") builder.embedder(embed);
            Result<Broker> made = builder.try_build();
            const std::string none;
            write_outcome(made.error(), made ? &none : nullptr);
            if (made) broker = std::move(made).value();
        } else {
            if (!broker) FAIL("%s before a broker was made", record->word.c_str());
            const Result<std::string> answer = broker->try_call(record->word, record->text);
            write_outcome(answer.error(), answer ? &*answer : nullptr);
        }
    }
}
