#!/usr/bin/env python3
"""Turns a workload into what a client would send: workload.py WORKLOAD.json FOLDER

Writes two whole requests (tools.json, rules.json) and lists of select or detect requests, one a line:
intents.txt, messages.txt, and for the counter-check again.txt (20 requests, to be sent in turn) and new.txt (2,000 requests of the same kind,
no two alike).
"""
import json, os, sys

workload, folder = json.load(open(sys.argv[1])), sys.argv[2]
os.makedirs(folder, exist_ok=True)
tools, intents, messages = workload["tools"], workload["intents"], workload["messages"]


def write(name, requests):
    with open(os.path.join(folder, name), "w") as file:
        file.writelines(json.dumps(request) + "\n" for request in requests)


def varied(i):
    tool = tools[i * 7 % len(tools)]
    return {"intent": intents[i % len(intents)], "message": f"{messages[i % len(messages)]} number {i:04}", "pins": [tool["server"] + "/" + tool["name"]]}


write("tools.json", [{"tools": tools}])
write("rules.json", [{"rules": workload["rules"]}])
write("intents.txt", [{"intent": intent} for intent in intents])
write("messages.txt", [{"message": message} for message in messages])
write("again.txt", [varied(i) for i in range(20)])
write("new.txt", [varied(i) for i in range(2000)])
