"""A correction that a fork wrote again is one correction, in the signals and in the brief."""

import json
from pathlib import Path

from tests.harnesses.claude_code.conftest import Transcript
from thruline.operations.handoff.brief import make_brief
from thruline.operations.sessions.locate import locate
from thruline.operations.sessions.reading import Reading
from thruline.signals.miner import mine

NO = "No, don't add a pause. We tried that in spring and it only hid the problem."


def test_a_correction_that_a_fork_wrote_again_is_told_once(tmp_path: Path) -> None:
    talk = Transcript(tmp_path / "5e551011-0000-4000-8000-000000000001.jsonl")
    talk.user("The export writes some orders twice. Find out why.")
    talk.agent("I suggest a pause between the pages.")
    talk.user(NO)
    talk.agent("You're right, sorry. The cursor is inclusive, that is the cause.")
    lines = talk.path.read_text().splitlines()
    copied = [json.dumps(json.loads(line) | {"sessionId": "6e551011-0000-4000-8000-000000000002"}) for line in lines]
    talk.path.write_text("\n".join([*lines, *copied]) + "\n")
    located = locate(str(talk.path), folder=str(tmp_path))
    found = [signal for signal in mine(Reading(located)) if signal.kind == "correction"]
    assert [(signal.quote, signal.line) for signal in found] == [(NO, 3)]
    assert make_brief(located, None, fresh=True).text.count("We tried that in spring") == 1
