"""Cuts from a recorded transcript what is the client's own text (prompts, tool and skill listings), keeping every line.

python3 trim.py RECORDED.jsonl > session.jsonl
"""

import json
import sys

CLIENT_TEXT = {"skill_listing", "prompt_snapshot", "deferred_tools_delta", "agent_listing_delta", "session_context"}
CUT = "[client text cut]"


def cut(value, keep=("type", "hash", "names", "isInitial")):
    """Every string of `value` longer than a word becomes a note that it was cut."""
    if isinstance(value, dict):
        return {key: item if key in keep else cut(item) for key, item in value.items()}
    if isinstance(value, list):
        return [cut(item) for item in value[:1]]
    return CUT if isinstance(value, str) and len(value) > 40 else value


def trim(record):
    """The record without the client's own text."""
    if record.get("type", "").startswith("api-request"):
        return {key: cut(value) for key, value in record.items()}
    attachment = record.get("attachment") or {}
    if attachment.get("type") in CLIENT_TEXT:
        record["attachment"] = cut(attachment)
        for key in ("rendered",):
            if key in record:
                record[key] = CUT
    return record


with open(sys.argv[1], encoding="utf-8") as file:
    for line in file:
        print(json.dumps(trim(json.loads(line)), ensure_ascii=False, separators=(",", ":")))
