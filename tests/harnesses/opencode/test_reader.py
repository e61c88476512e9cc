"""What the reader makes of a session's lines."""

from pathlib import Path

import pytest

from tests.harnesses.opencode.stores import CART, CART_ID, REVIEW, REVIEW_ID, read_records
from thruline.harnesses import line_reader
from thruline.harnesses.canonical import render_lines
from thruline.harnesses.opencode.reader import Reader
from thruline.session.parts import (
    Asked,
    Call,
    Changed,
    Compacted,
    Delegated,
    Part,
    Result,
    Rewound,
    Said,
    Tasks,
    Used,
)


@pytest.fixture(params=["fast", "slow"], autouse=True)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_reader, "FAST_FROM_BYTES", -1 if request.param == "fast" else 1 << 60)


@pytest.fixture
def cart() -> list[Part]:
    reader = Reader(str(CART))
    found = list(reader)
    assert reader.problems == []
    assert "unknown" not in reader.counts
    return found


def test_only_what_people_typed_is_theirs(cart: list[Part]) -> None:
    assert [(part.line, part.kind, part.text) for part in cart if isinstance(part, Said) and part.by == "human"] == [
        (1, "turn", "Add a cart to the shop, without a database please."),
        (5, "rejection", "never delete the data folder, move it aside instead"),
        (6, "answer", "Swiss francs, rounded to five centimes"),
        (8, "turn", "No, keep prices as whole centimes, not floats."),
        (15, "turn", "Größe der Schrift bitte 14 → 16 🙂"),
    ]


def test_what_the_client_said_in_their_name_is_told_as_its_own(cart: list[Part]) -> None:
    told = [(part.line, part.kind) for part in cart if isinstance(part, Said) and part.by == "client"]
    assert told == [(1, "other"), (8, "command"), (12, "summary"), (13, "other"), (16, "interrupt")]


def test_every_call_says_what_it_does_and_how_it_ended(cart: list[Part]) -> None:
    ends = {part.call_id: part for part in cart if isinstance(part, Result)}
    told = [(part.line, part.name, part.action, ends[part.call_id].outcome) for part in cart if isinstance(part, Call)]
    assert told == [
        (2, "bash", "run", "ok"),
        (2, "read", "read", "ok"),
        (2, "glob", "search", "ok"),
        (3, "apply_patch", "edit", "ok"),
        (3, "bash", "run", "error"),
        (4, "edit", "edit", "ok"),
        (4, "edit", "edit", "ok"),
        (4, "write", "write", "ok"),
        (5, "bash", "run", "refused"),
        (6, "question", "ask", "ok"),
        (7, "todowrite", "tasks", "ok"),
        (7, "webfetch", "fetch", "ok"),
        (9, "task", "delegate", "ok"),
        (10, "bash", "run", "ok"),
        (16, "bash", "run", "interrupted"),
    ]


def test_files_and_commits_are_those_that_the_tools_tell(cart: list[Part]) -> None:
    results = [part for part in cart if isinstance(part, Result)]
    assert [change for part in results for change in part.changes] == [
        ("/home/dev/shop/app.py", "read"),
        ("/home/dev/shop/cart.py", "created"),
        ("/home/dev/shop/app.py", "edited"),
        ("/home/dev/shop/cart.py", "edited"),
        ("/home/dev/shop/cart.py", "edited"),
        ("/home/dev/shop/README.md", "edited"),
    ]
    assert [commit for part in results for commit in part.commits] == [("3f9c2d1", "Add the cart")]
    assert [part.exit_status for part in results if part.exit_status is not None] == [0, 1, 0]


def test_an_edit_undone_can_be_seen(cart: list[Part]) -> None:
    first, second = [part for part in cart if isinstance(part, Call) and part.name == "edit"]
    assert (first.before, first.after) == (second.after, second.before) != (0, 0)


def test_questions_tasks_compactions_and_tokens_are_facts(cart: list[Part]) -> None:
    asked = [(part.question, part.options, part.answer) for part in cart if isinstance(part, Asked)]
    assert asked == [
        ("Which currency?", ("EUR", "USD"), "Swiss francs, rounded to five centimes"),
        ("Show tax?", ("Yes", "No"), "Yes"),
    ]
    assert [part.items for part in cart if isinstance(part, Tasks)] == [
        (("cart page", "completed"), ("round the francs", "in_progress"), ("old idea", "deleted"))
    ]
    assert [(part.line, part.trigger) for part in cart if isinstance(part, Compacted)] == [(11, "auto")]
    used = [part for part in cart if isinstance(part, Used)]
    assert (len(used), used[0].input_tokens, used[0].output_tokens, used[0].context) == (11, 1200, 40, 1500)


def test_facts_are_told_when_they_change(cart: list[Part]) -> None:
    told = [(part.line, part.name, part.value) for part in cart if isinstance(part, Changed)]
    assert told == [
        (1, "session_id", CART_ID),
        (1, "version", "1.18.33"),
        (1, "cwd", "/home/dev/shop"),
        (1, "title", "A cart for the shop"),
        (2, "mode", "build"),
        (2, "model", "small-1"),
        (14, "cwd", "/home/dev/shop/web"),
        (16, "cwd", "/home/dev/shop"),
    ]


def test_a_subagent_is_linked_to_the_file_beside_it(tmp_path: Path) -> None:
    own, child = tmp_path / f"{CART_ID}.jsonl", tmp_path / f"{REVIEW_ID}.jsonl"
    own.write_bytes(CART.read_bytes())
    child.write_bytes(REVIEW.read_bytes())
    (told,) = [part for part in Reader(str(own)) if isinstance(part, Delegated)]
    assert (told.agent_id, told.path, told.outcome) == (REVIEW_ID, str(child), "The cart is fine.")


def test_the_prompts_of_a_subagent_are_not_a_persons() -> None:
    parts = list(Reader(str(REVIEW)))
    assert [(part.by, part.kind) for part in parts if isinstance(part, Said)] == [
        ("client", "subagent"),
        ("agent", "text"),
    ]
    assert [part.value for part in parts if isinstance(part, Changed) and part.name == "starter"] == [CART_ID]


def write_changed(path: Path, session: dict[str, object], first: int = 0) -> Path:
    records = read_records(CART)
    head = records[0].pop("session") | session
    for name in ("canonical", "harness"):
        del records[0][name]
    path.write_bytes(b"".join(render_lines("opencode", head, records[first:])))
    return path


def test_messages_that_were_undone_are_marked_as_left_behind(tmp_path: Path) -> None:
    name = read_records(CART)[7]["info"]["id"]
    path = write_changed(tmp_path / "a.jsonl", {"revert": {"messageID": name}})
    assert [(part.first, part.last) for part in Reader(str(path)) if isinstance(part, Rewound)] == [(8, 16)]


def test_the_clients_placeholder_is_no_title(tmp_path: Path) -> None:
    path = write_changed(tmp_path / "a.jsonl", {"title": "New session - 2026-11-15T10:00:00.000Z"})
    assert not [part for part in Reader(str(path)) if isinstance(part, Changed) and part.name == "title"]


def test_a_copy_under_new_ids_is_known_by_the_moments_of_its_messages(tmp_path: Path) -> None:
    own = Reader(str(CART))
    list(own)
    text = CART.read_text("utf-8").replace(CART_ID, "ses_fork").replace("msg_", "msg_fork_").replace("prt_", "prt_f_")
    fork = tmp_path / "fork.jsonl"
    fork.write_text(text, "utf-8")
    copy = Reader(str(fork))
    list(copy)
    assert own.trace().keys == copy.trace().keys
    assert len(own.trace().keys) == 16
    again = Reader(str(fork), seen=set(own.lines))
    assert not [part for part in again if isinstance(part, Said)]
    assert again.counts["copy"] == 16


def test_a_newer_form_of_the_lines_is_told_and_read_all_the_same(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(CART.read_bytes().replace(b'"canonical":1', b'"canonical":2', 1))
    reader = Reader(str(path))
    assert len(list(reader)) == len(list(Reader(str(CART))))
    assert [(problem.line, problem.kind) for problem in reader.problems] == [(1, "schema")]


@pytest.mark.parametrize(
    "line",
    [
        b'{"info":{"role":"user","time":{"created":1e99},"id":7},"parts":{"a":1}}',
        b'{"info":{"role":"assistant","time":[],"tokens":{"input":"x","cache":3}},"parts":[{"type":"tool"},7,null]}',
        b'{"info":{"role":"assistant","error":{"name":3,"data":4}},"parts":[{"type":"tool","tool":"task","state":{"metadata":{"sessionId":"../../x"}}}]}',
        b'{"info":{"role":"assistant"},"parts":[{"type":"tool","tool":"question","state":{"input":{"questions":[{"options":7}]},"metadata":{"answers":[7]}}}]}',
        b'{"info":{"role":"user","time":{"created":99999999999999999}},"parts":[{"type":"text","text":"still here"}]}',
        b'{"canonical":"x","session":{"revert":7,"unread":"y"},"info":7,"parts":[]}',
    ],
)
def test_no_shape_of_a_record_breaks_the_reading(line: bytes, tmp_path: Path) -> None:
    path = tmp_path / "odd.jsonl"
    path.write_bytes(line + b"\n" + CART.read_bytes())
    found = list(Reader(str(path)))
    assert len([part for part in found if isinstance(part, Said) and part.by == "human"]) >= 5
