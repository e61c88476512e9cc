"""A hook as people usually write one: argparse, json, a log line, an answer. Run with `python -I`."""

import argparse
import json
import sys


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("event")
    parser.add_argument("--log", required=True)
    options = parser.parse_args()
    payload = json.load(sys.stdin)
    with open(options.log, "a", encoding="utf-8") as log:
        log.write(json.dumps({"event": options.event, "session": payload["session_id"]}) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
