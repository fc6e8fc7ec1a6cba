// Results, errors and exceptions; and texts that are empty, hold NUL, are large, or are no UTF-8.
#include <type_traits>

#include "check.hpp"

using toolbroker::Broker;
using toolbroker::Builder;
using toolbroker::Error;
using toolbroker::Exception;
using toolbroker::Result;
using toolbroker::quote;

static_assert(std::is_nothrow_copy_constructible_v<Exception>);

static void an_error_has_all_that_the_library_told()
{
    const Broker broker;
    const Error error = broker.try_select(R"({"mesage":"x"})").error();
    CHECK(error == TB_ERR_INVALID_REQUEST && error.code == "invalid_request");
    CHECK_CONTAINS(error.message, "unknown key `mesage`");
    CHECK_CONTAINS(error.json, "\"code\":\"invalid_request\"");
    CHECK_CONTAINS(error.json, "did you mean `message`?");
    CHECK(!error.cause);
}

static void errors_are_compared_by_status()
{
    const Broker broker;
    const Error first = broker.try_select(R"({"a":1})").error(), second = broker.try_select(R"({"b":1})").error();
    const Error other = broker.try_select("{").error();
    CHECK(first == second && first.message != second.message);
    CHECK(!(first != second));
    CHECK(first != other && !(first == other));
    CHECK(other == TB_ERR_INVALID_JSON && other != TB_OK);
    Error copy = other;
    copy = first;
    CHECK(copy.message == first.message && copy.json == first.json && copy.code == first.code);
}

static void an_unknown_status_is_an_error_like_others()
{
    const Error error = Error::take(-4711, nullptr);
    CHECK(error.status == -4711 && error.code == "unknown");
    CHECK(error.message == "the call failed and gave no reason");
    CHECK(error.json == R"({"code":"unknown","message":"the call failed and gave no reason"})");
    CHECK(error == -4711 && error != TB_ERR_IO);
}

static void a_result_is_a_value_or_an_error()
{
    Result<std::string> good = std::string("text");
    CHECK(good && good.ok() && *good == "text" && good->size() == 4 && good.value() == "text");
    CHECK(good.error() == TB_OK && good.error().code == "ok");
    good.value() += "s";
    const Result<std::string> copy = good;
    CHECK(copy.value() == "texts" && copy->size() == 5 && *copy == "texts");
    CHECK(std::move(good).value() == "texts");

    Result<std::string> bad = Error::of(TB_ERR_IO, "io", "gone");
    CHECK(!bad && !bad.ok() && bad.error() == TB_ERR_IO);
    int thrown = 0;
    try {
        static_cast<void>(*bad);
    } catch (const Exception &exception) {
        thrown++;
        CHECK(exception.error().message == "gone" && std::string_view(exception.what()) == "gone");
    }
    try {
        static_cast<void>(bad->size());
    } catch (const std::runtime_error &exception) {
        thrown++;
    }
    try {
        static_cast<void>(std::move(bad).value());
    } catch (const std::exception &exception) {
        thrown++;
    }
    CHECK(thrown == 3);
}

static void shorthands_throw_what_the_results_hold()
{
    const Broker broker;
    try {
        broker.load_rules(R"({"text":"rules: {"})");
        FAIL("nothing was thrown");
    } catch (const Exception &exception) {
        const Error error = broker.try_load_rules(R"({"text":"rules: {"})").error();
        CHECK(exception.error() == TB_ERR_INVALID_YAML && exception.error().json == error.json);
        CHECK(error.message == exception.what());
    }
    try {
        Broker with(R"({"profil":"standard"})");
        FAIL("nothing was thrown");
    } catch (const Exception &exception) {
        CHECK(exception.error() == TB_ERR_INVALID_OPTIONS);
        CHECK_CONTAINS(exception.what(), "profil");
    }
    CHECK_CONTAINS(Broker(R"({"profile":"go-0.2"})").select(), "\"count\":0");
}

static void a_call_goes_by_its_name()
{
    const Broker broker;
    CHECK(broker.call("select", "{}") == broker.select("{}"));
    CHECK(broker.call("info", "") == toolbroker::info());
    CHECK(broker.call("default_rules", "") == toolbroker::default_rules());
    CHECK(toolbroker::read_rules(R"({"text":"rules: []"})") == "[]");
    CHECK_CONTAINS(toolbroker::read_hints(R"({"text":"{\"output_shape\":\"x\"}"})"), "\"output_shape\":\"x\"");
    EXPECT(broker.try_call("selekt", "{}"), TB_ERR_INVALID_REQUEST);
    CHECK_CONTAINS(broker.try_call("selekt", "{}").error().message, "selekt");
    EXPECT(broker.try_call("", "{}"), TB_ERR_INVALID_REQUEST);
    CHECK_CONTAINS(toolbroker::info(), "\"version\":\"" + std::string(toolbroker::version()) + "\"");
    CHECK(toolbroker::abi_version() == TB_ABI_VERSION);
    CHECK(toolbroker::status_name(TB_ERR_IO) == "io" && toolbroker::status_name(99) == "unknown");
}

static void empty_text_is_the_empty_request()
{
    const Broker broker;
    CHECK(broker.select("") == broker.select("{}"));
    CHECK(broker.select(std::string_view()) == broker.select("{}"));
    CHECK(broker.select_indices("").empty());
    CHECK(toolbroker::info("") == toolbroker::info("{}"));
    EXPECT(broker.try_add_tools(""), TB_ERR_INVALID_REQUEST);
}

static void nul_is_a_character_like_others()
{
    const std::string name("a\0b", 3);
    const Broker broker;
    add_tools(broker, "{\"server\":\"s\",\"tools\":[{\"name\":" + quote(name) + "}]}");
    CHECK_CONTAINS(broker.all_tools(), R"("name":"a\u0000b")");
    CHECK_CONTAINS(broker.find_by_names("{\"names\":[" + quote(name) + "]}"), R"(a\u0000b)");

    const Error error = broker.try_select("{" + quote(name) + ":1}").error();
    CHECK(error == TB_ERR_INVALID_REQUEST);
    CHECK_CONTAINS(error.json, R"(a\u0000b)");
    CHECK_CONTAINS(error.json, R"("code":"invalid_request")");
    CHECK(!contains(error.message, std::string_view("\0", 1)));
    CHECK_CONTAINS(error.message, "unknown key");

    EXPECT(broker.try_select(std::string_view("{}\0", 3)), TB_ERR_INVALID_JSON);
}

static void quoting_bears_every_byte()
{
    CHECK(quote("") == "\"\"");
    CHECK(quote("plain \xe2\x82\xac /") == "\"plain \xe2\x82\xac /\"");
    CHECK(quote("\"\\") == R"("\"\\")");
    CHECK(quote("\n\x01\x1f\x7f") == "\"\\u000a\\u0001\\u001f\x7f\"");
    CHECK(quote(std::string_view("\0", 1)) == R"("\u0000")");
    const Broker broker;
    EXPECT(broker.try_select("{\"message\":" + quote("\xff") + "}"), TB_ERR_INVALID_UTF8);
    std::string ascii;
    for (char byte = 0; byte < 0x7f; byte++) ascii += byte;
    EXPECT(broker.try_select("{\"message\":" + quote(ascii) + "}"), TB_OK);
}

static void large_texts_go_in_and_come_out()
{
    const std::string description(10 << 20, 'x');
    const Broker broker;
    add_tools(broker, "{\"server\":\"s\",\"tools\":[{\"name\":\"a\",\"description\":" + quote(description) + "}]}");
    const std::string answer = broker.select();
    CHECK(answer.size() > description.size() && contains(answer, description));
    EXPECT(broker.try_select("{\"message\":" + quote(description) + "}"), TB_OK);
    EXPECT(broker.try_select(description), TB_ERR_INVALID_JSON);
}

static void all_indices_come_however_many()
{
    const Broker broker;
    CHECK(broker.select_indices().empty());
    for (std::size_t number : {1u, 63u, 64u, 65u, 1000u}) {
        std::string tools;
        for (std::size_t at = 0; at < number; at++) tools += (at ? ",{\"name\":\"t" : "{\"name\":\"t") + std::to_string(10000 + at) + "\"}";
        EXPECT(broker.try_replace_tools("{\"server\":\"s\",\"tools\":[" + tools + "]}"), TB_OK);
        const std::vector<std::size_t> indices = broker.select_indices();
        CHECK(indices.size() == number);
        for (std::size_t at = 0; at < number; at++) CHECK(indices[at] == at);
    }
    CHECK(broker.select_indices(R"({"message":"t10500"})").front() == 500);
    EXPECT(broker.try_select_indices("["), TB_ERR_INVALID_JSON);
}

int main()
{
    an_error_has_all_that_the_library_told();
    errors_are_compared_by_status();
    an_unknown_status_is_an_error_like_others();
    a_result_is_a_value_or_an_error();
    shorthands_throw_what_the_results_hold();
    a_call_goes_by_its_name();
    empty_text_is_the_empty_request();
    nul_is_a_character_like_others();
    quoting_bears_every_byte();
    large_texts_go_in_and_come_out();
    all_indices_come_however_many();
}
