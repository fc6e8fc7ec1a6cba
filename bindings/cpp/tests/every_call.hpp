// Makes every call of a broker and of the library once. bindings/cpp/tests/whole.sh holds it to the list of exports.
#ifndef EVERY_CALL_HPP
#define EVERY_CALL_HPP

#include "check.hpp"

// `wanted` is the status of the calls of a broker; the request is one that a broker with the tool s/a answers.
inline void every_call_gives(const toolbroker::Broker &broker, std::int32_t wanted)
{
    EXPECT(broker.try_add_tools(R"({"server":"s","tools":[{"name":"b"}]})"), wanted);
    EXPECT(broker.try_replace_tools(R"({"server":"s","tools":[{"name":"a"}]})"), wanted);
    EXPECT(broker.try_remove_tools(R"({"server":"t"})"), wanted);
    EXPECT(broker.try_all_tools(R"({"detail":"full"})"), wanted);
    EXPECT(broker.try_load_rules(R"({"rules":[{"match":{"patterns":["zz"]},"action":{"type":"exclude"}}]})"), wanted);
    EXPECT(broker.try_all_rules(), wanted);
    EXPECT(broker.try_load_intents(R"({"intents":{"greet":["hello there"]}})"), wanted);
    EXPECT(broker.try_select(R"({"message":"a","explain":true})"), wanted);
    EXPECT(broker.try_rank(R"({"message":"a","explain":true})"), wanted);
    EXPECT(broker.try_embed_tools(), wanted);
    EXPECT(broker.try_select_indices(), wanted);
    EXPECT(broker.try_detect_intent(R"({"message":"hello there"})"), wanted);
    EXPECT(broker.try_tokenize(R"({"intent":"send the email"})"), wanted);
    EXPECT(broker.try_score_by_keywords(R"({"keywords":["a"],"max_results":3})"), wanted);
    EXPECT(broker.try_score_by_intent(R"({"intent":"send the email"})"), wanted);
    EXPECT(broker.try_find_by_names(R"({"names":["a"]})"), wanted);
    EXPECT(broker.try_estimate(), wanted);
    EXPECT(broker.try_prune(R"({"budget":100})"), wanted);
    EXPECT(broker.try_overrides(R"({"names":["a"]})"), wanted);
    EXPECT(broker.try_call("select", "{}"), wanted);
    EXPECT(broker.try_call("all_rules", ""), wanted);
    EXPECT(broker.try_call("info", "{}"), wanted);
    EXPECT(toolbroker::try_info(), TB_OK);
    EXPECT(toolbroker::try_default_rules(), TB_OK);
    EXPECT(toolbroker::try_read_rules(R"({"text":"rules: []"})"), TB_OK);
    EXPECT(toolbroker::try_read_hints(R"({"text":"{\"output_shape\":\"x\"}"})"), TB_OK);
}

#endif
