#!/usr/bin/env python3
"""Reads gate.json on stdin and prints a message: message.py slack|teams|text|title.

Nothing of the record can become markup, a link or a mention: Slack and Teams get plain text blocks.
"""
import json
import sys

MOST_REASONS = 5


def lines_of(record):
    config = record.get("config") or {}
    name = lambda key: (config.get(key) or {}).get("name") or "-"
    title = "{} - {} on {}".format(
        record["verdict"].replace("_", " "), name("workload"), name("cluster"))
    lines = []
    for leg in record["legs"]:
        ratio = leg["ratio"]
        lines.append("{}: {}{}".format(
            leg["precision"], "not measured" if ratio is None else "%.4f" % ratio,
            "" if leg["outcome"] == "pass" else " (%s)" % leg["outcome"]))
    reasons = [r for r in record["reasons"] if r["weight"] != "note"]
    lines += ["- {} [{}]".format(r["message"], r["code"]) for r in reasons[:MOST_REASONS]]
    if len(reasons) > MOST_REASONS:
        lines.append("- and %d more" % (len(reasons) - MOST_REASONS))
    nodes = (record.get("allocation") or {}).get("nodes") or []
    if nodes:
        lines.append("nodes: " + ", ".join(nodes))
    lines.append("run: " + record["run_id"])
    return title, lines


def printable(text):
    return "".join(c if c.isprintable() else " " for c in text)


def slack(title, lines):
    # The fallback text is marked up, the blocks are not.
    fallback = title.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return {"text": fallback,
            "blocks": [{"type": "header", "text": {"type": "plain_text", "text": title[:150]}},
                       {"type": "section",
                        "text": {"type": "plain_text", "text": "\n".join(lines)[:2900]}}]}


def teams(title, lines):
    run = lambda text, **more: {"type": "RichTextBlock",
                                "inlines": [dict({"type": "TextRun", "text": text}, **more)]}
    card = {"$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
            "type": "AdaptiveCard", "version": "1.4",
            "body": [run(title, weight="bolder", size="medium")] + [run(line) for line in lines]}
    return {"type": "message",
            "attachments": [{"contentType": "application/vnd.microsoft.card.adaptive",
                             "content": card}]}


def main():
    title, lines = lines_of(json.load(sys.stdin))
    title, lines = printable(title), [printable(line) for line in lines]
    kind = sys.argv[1] if len(sys.argv) == 2 else ""
    if kind == "text":
        print("\n".join([title] + lines))
    elif kind == "title":
        print(title)
    elif kind in ("slack", "teams"):
        print(json.dumps({"slack": slack, "teams": teams}[kind](title, lines)))
    else:
        sys.exit(__doc__)


main()
