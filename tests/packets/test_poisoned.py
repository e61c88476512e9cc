"""A packet of a poisoned session: no planted order stands outside a quotation, front matter and prompt included."""

import re
from pathlib import Path

import pytest

from tests.brief.attacks import ATTACKS, NAMES, Attack
from tests.brief.planting import plant_names
from tests.packets.projects import Project
from thruline.brief.attempts.inert import blank_spans, fold
from thruline.brief.document import parse_document
from thruline.operations.packets.making import make_packet
from thruline.operations.packets.pickup import pick_up
from thruline.operations.sessions.locate import locate
from thruline.operations.verify import verify_file


@pytest.mark.parametrize("attack", [*ATTACKS, *NAMES], ids=lambda attack: attack.name)
def test_no_planted_name_says_anything_in_a_packet_or_its_prompt(
    attack: Attack, project: Project, tmp_path: Path
) -> None:
    located = locate(str(plant_names(attack, tmp_path).path), folder=str(tmp_path))
    made = make_packet(located, project.paths, "finish the export")
    text = Path(made.path).read_text(encoding="utf-8")
    for told in (text, pick_up(project.paths, made.id).prompt):
        document = parse_document(told)
        lines = [document.lines[at] for at in document.outside]
        if attack.markup:
            lines = [re.sub(r"\\.", "", blank_spans(line)) for line in lines]
        outside = re.sub(r"%20|⟦U\+0020⟧", " ", "\n".join(lines))
        assert attack.order not in outside
        assert fold(attack.order) == "" or fold(attack.order) not in fold(outside.replace("\\", ""))
    assert verify_file(made.path, folder=str(tmp_path)).report.troubles == ()
