#!/usr/bin/env python3
"""Prints what a run measured, the model beside toolbroker: table.py FOLDER

FOLDER holds model.txt (what `go test -bench` printed) and standard.tsv and go-0.2.tsv (what benches/select.c printed).
"""
import os, re, statistics, sys

folder = sys.argv[1]
CASES = [("select", "SelectJSON"), ("select_indices", "Select"), ("select message", None), ("detect_intent", "Detect"), ("register", "Register")]
COUNTER_CHECK = ["select", "tools change before each", "20 requests in turn", "no two alike"]


def read_model():
    runs = {}
    for line in open(os.path.join(folder, "model.txt")):
        if found := re.match(r"Benchmark(\w+?)(?:-\d+)?\s+\d+\s+([\d.]+) ns/op", line):
            runs.setdefault(found[1], []).append(float(found[2]))
    return {name: statistics.median(times) for name, times in runs.items()}


def read_ours(profile):
    rows = {}
    for line in open(os.path.join(folder, profile + ".tsv")):
        name, *numbers = line.rstrip("\n").split("\t")
        rows[name] = [float(number) for number in numbers]
    return rows


def us(nanoseconds):
    return f"{nanoseconds / 1e3:,.1f}"


def ratio(value):
    return f"{value:,.0f}" if value >= 10 else f"{value:.1f}"


model = read_model()
ours = {profile: read_ours(profile) for profile in ("go-0.2", "standard")}

print("\n| case | profile | model, µs | toolbroker, µs | times as fast | median of calls | 99 % below | bytes out |")
print("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |")
for case, of_model in CASES:
    for profile, rows in ours.items():
        mean, median, high, size = rows[case]
        theirs = model[of_model] if of_model else None
        beside = (us(theirs), ratio(theirs / mean)) if theirs else ("–", "–")
        print(f"| {case} | {profile} | {beside[0]} | {us(mean)} | {beside[1]} | {us(median)} | {us(high)} | {size:,.0f} |")

print("\nCounter-check: no answer is remembered. Median of calls, µs:\n")
print("| " + " | ".join(["profile", *COUNTER_CHECK]) + " |")
print("| --- |" + " ---: |" * len(COUNTER_CHECK))
for profile, rows in ours.items():
    print("| " + " | ".join([profile, *(us(rows[case][1]) for case in COUNTER_CHECK)]) + " |")
