"""A hook that notes what a client tells it and answers with what a test wants: `recorder.py FOLDER EVENT`.

Each call adds a row to `FOLDER/seen.jsonl`; what lies in `FOLDER/<event>.out` is printed. It also notes whether the
transcript has a summary at that moment: what a client has not written yet, nobody can read there.
"""

import json
import os
import sys
from pathlib import Path


def main(folder: str, event: str) -> None:
    """Notes the call, then answers."""
    payload = json.load(sys.stdin)
    transcript = Path(payload.get("transcript_path") or os.devnull)
    written = transcript.read_text(encoding="utf-8") if transcript.is_file() else ""
    row = {"event": event, "payload": payload, "summary_in_transcript": '"isCompactSummary":true' in written}
    with open(os.path.join(folder, "seen.jsonl"), "ab") as file:
        file.write(json.dumps(row).encode() + b"\n")
    answer = Path(folder, event + ".out")
    if answer.exists():
        sys.stdout.write(answer.read_text(encoding="utf-8"))


if __name__ == "__main__":
    main(*sys.argv[1:])
