"""Check reports: check.py SCHEMA REPORT... prints one TAP line for each.

Besides the schema: what a schema cannot say, such as that labels are those of
captures and rows are as long as their columns. check.py SCHEMA --broken REPORT
changes a good report in many ways, each of which has to be found.
"""
import copy
import json
import sys

import jsonschema

VALIDATOR = getattr(jsonschema, "Draft202012Validator", None)


def rows_of(report):
    for name in ("series", "histograms"):
        for key, series in report[name].items():
            yield key, series


def mismatches(report):
    """Sentences about what does not fit together."""
    labels = [c["label"] for c in report["captures"]]
    if len(set(labels)) != len(labels):
        yield "labels are not unique"
    for where in ("values", "series", "histograms"):
        for key in report[where]:
            if not any(key.startswith(label + ".") for label in labels):
                yield "%s is of no capture" % key
    for label in report["verdicts"]:
        if label not in labels:
            yield "a verdict about %s" % label
    for finding in report["findings"]:
        if finding["capture"] not in labels + [None]:
            yield "a finding about %s" % finding["capture"]
    for stream in report["streams"]:
        if list(stream["packets"]) != labels:
            yield "a stream of other captures"
    for key, series in rows_of(report):
        for row in series["rows"]:
            if len(row) != len(series["columns"]):
                yield "a row of %s is not as long as its columns" % key
    names = [run["run"] for run in report.get("runs", [])]
    for run in report.get("runs", []):
        if "captures" in run:
            yield from mismatches(run)
    for cell in report.get("cells", []):
        if cell["capture"] not in labels or not set(cell["runs"]) <= set(names):
            yield "a cell of no capture or run"
    for key, value in report["values"].items():
        low, high = value.get("low"), value.get("high")
        if low is not None and high is not None and low > high:
            yield "%s has its interval upside down" % key


def problems(validator, report):
    found = ["%s: %s" % ("/".join(map(str, e.absolute_path)), e.message[:200])
             for e in validator.iter_errors(report)]
    return found or list(mismatches(report))


def first(report, wanted):
    return next(v for v in report["values"].values() if wanted(v))


def set_at(*where):
    """Sets what is at a path; its last word is the value."""
    def change(report):
        for step in where[:-2]:
            report = report[step]
        report[where[-2]] = where[-1]
    return change


BROKEN = {
    "another schema": set_at("schema", "capdiff-report/2"),
    "a status of 3": set_at("status", 3),
    "an unknown key": set_at("extra", 1),
    "an unknown role": set_at("captures", 0, "role", "dut"),
    "packets below zero": set_at("captures", 0, "packets", -1),
    "a time without zone": set_at("captures", 0, "first", "2026-11-30T18:53:01"),
    "a time as a number": set_at("captures", 0, "first", 1796064781.5),
    "a file cut short somewhere": set_at("captures", 0, "cut_short", True),
    "no label": lambda r: r["captures"][0].pop("label"),
    "no findings": lambda r: r.pop("findings"),
    "a null without reason": lambda r: first(
        r, lambda v: v["value"] is None).pop("reason"),
    "a reason without null": lambda r: first(
        r, lambda v: v["value"] is not None).update(reason="n<50"),
    "a number as text": lambda r: first(
        r, lambda v: v["unit"] == "ns").update(value="12"),
    "half of an interval": lambda r: first(
        r, lambda v: "low" in v).pop("high"),
    "better: more": lambda r: first(
        r, lambda v: "better" in v).update(better="more"),
    "a value of no capture": lambda r: r["values"].update(
        {"nobody.loss.missing": r["values"]["hw.file.packets"]}),
    "a key without dots": lambda r: r["values"].update(
        {"packets": r["values"]["hw.file.packets"]}),
    "a verdict of no capture": lambda r: r["verdicts"].update(
        {"nobody": r["verdicts"]["laptop"]}),
    "a verdict without reason": set_at("verdicts", "laptop", "reasons", []),
    "a verdict of 1": set_at("verdicts", "laptop", "complete", 1),
    "a finding without text": lambda r: r["findings"].append(
        {"severity": "note", "code": "x", "capture": None}),
    "an unknown severity": lambda r: r["findings"].append(
        {"severity": "bad", "code": "x", "capture": None, "text": "x"}),
    "a ragged series": lambda r: r["series"].update(
        {"hw.loss.gap": {"label": "x", "of": 1, "columns": ["a", "b"],
                         "rows": [[1]]}}),
    "texts in a series": lambda r: r["series"].update(
        {"hw.loss.gap": {"label": "x", "of": 1, "columns": ["a"],
                         "rows": [["1"]]}}),
    "a limit without outcome": lambda r: r["limits"]["results"].append(
        {"expression": "a<=1", "key": "a", "value": "2"}),
}


def check_broken(validator, path):
    with open(path, encoding="utf-8") as file:
        good = json.load(file)
    yield "unchanged: good", not problems(validator, good), ""
    for name, change in BROKEN.items():
        report = copy.deepcopy(good)
        change(report)
        yield "found: " + name, problems(validator, report), ""


def check_good(validator, paths):
    for path in paths:
        with open(path, encoding="utf-8") as file:
            found = problems(validator, json.load(file))
        yield path, not found, "\n# ".join([""] + found[:5])


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        schema = json.load(file)
    VALIDATOR.check_schema(schema)
    validator = VALIDATOR(schema)
    if sys.argv[2] == "--broken":
        results = check_broken(validator, sys.argv[3])
    else:
        results = check_good(validator, sys.argv[2:])
    for name, good, why in results:
        print("%s - %s%s" % ("ok" if good else "not ok", name, why))


if VALIDATOR is None:
    sys.exit("this jsonschema does not know draft 2020-12")
main()
