#!/usr/bin/env python3
"""Holds the answers that are measured against the model's: agree.py FOLDER OUT

What is fast must also be right: in profile go-0.2 the whole answer to every intent of the workload is the model's, as a JSON value.
OUT holds the programs `select` and `compat/oracle`.
"""
import json, os, subprocess, sys

folder, out = sys.argv[1], sys.argv[2]
workload = json.load(open(os.path.join(folder, "workload.json")))


def lines(command, text=None):
    done = subprocess.run(command, input=text, stdout=subprocess.PIPE, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


compat = os.path.join(out, "compat")
requests = [{"op": "select", "tools": workload["tools"], "rules": workload["rules"], "intent": intent} for intent in workload["intents"]]
expected = lines(
    [os.path.join(compat, "oracle"), os.path.join(compat, "intents.json"), os.path.join(compat, "stopwords.json")],
    "\n".join(json.dumps(request) for request in requests).encode(),
)
found = lines([os.path.join(out, "select"), folder, "go-0.2", "answers"])

wrong = [intent for intent, ours, theirs in zip(workload["intents"], found, expected, strict=True) if ours != theirs]
if wrong:
    sys.exit(f"agree: profile go-0.2 and the model answer differently for {', '.join(wrong)}")
kept = [answer["count"] for answer in found]
print(f"\nThe model's answers to all {len(found)} intents are ours in profile go-0.2; they keep {min(kept)} to {max(kept)} tools.")
