"""Parts that go through bytes come out as they were."""

import inspect
from pathlib import Path

from bench.monster import write_monster
from thruline.operations.sessions.locate import locate
from thruline.operations.sessions.reading import Reading
from thruline.session import parts
from thruline.session.parts.packed import KINDS, pack, unpack

PLACE = {"uuid": "u-1", "time": "2026-05-01T10:00:00Z", "source": "a1"}
EACH = [
    parts.Said(1, "human", "answer", "Nein, \u2019so\u2019 \ud800 🤔\n", about="which?", call_id="c1", **PLACE),
    parts.Thought(2, "hm", **PLACE),
    parts.Asked(3, "which?", ("a", "b"), "a", call_id="c1", **PLACE),
    parts.Planned(4, "first this", "approved", call_id="c2", **PLACE),
    parts.Call(
        5, "c3", "Edit", "edit", "a.py", paths=("a.py",), before=7, after=1 << 31, background=True,
        symbols=(("f", 2),), **PLACE,
    ),
    parts.Result(
        6, "c3", parts.OK, 9, text="out", exit_status=0, changes=(("a.py", "edited"),), commits=(("1234567", "s"),),
        logged=(("7654321", "t"),), **PLACE,
    ),
    parts.Tasks(7, (("write it", "pending"),), **PLACE),
    parts.Delegated(8, "x1", agent_kind="k", task="t", call_id="c", path="p", label="a2", outcome="o", last=3, **PLACE),
    parts.Compacted(9, "auto", tokens_before=None, tokens_after=5, retained="r", **PLACE),
    parts.Rewound(10, 3, 7, **PLACE),
    parts.Used(11, "m", 1, 2, 3, window=4, **PLACE),
    parts.Changed(12, "title", "a title", **PLACE),
]  # fmt: skip


def test_every_kind_of_part_comes_out_as_it_was() -> None:
    came = unpack(pack(EACH))
    assert [type(part) for part in came] == [type(part) for part in EACH]
    assert list(map(repr, came)) == list(map(repr, EACH))


def test_every_kind_there_is_can_be_handed_over() -> None:
    known = {kind for kind in vars(parts).values() if inspect.isclass(kind) and issubclass(kind, parts.Part)}
    assert set(KINDS) == known - {parts.Part} == {type(part) for part in EACH}


def test_nothing_is_changed_in_a_part_after_its_block_was_given(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    write_monster(path, 2)
    given = [(found, pack(found)) for found in Reading(locate(str(path), folder=str(tmp_path))).blocks()]
    assert len(given) > 1
    for found, packed in given:
        assert list(map(repr, unpack(packed))) == list(map(repr, found))
