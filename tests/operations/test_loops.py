"""The verbs of loops, from any terminal, and the hook between them: at most one loop holds a session, none is lost."""

import json
import os
import shlex
import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.operations.looping import HARNESS, ONE, TWO, start, stop
from thruline.artifacts.packet import HEADINGS, render_packet
from thruline.errors import NotFound, Refused, ThrulineError, UsageError
from thruline.harnesses.registry import HARNESSES
from thruline.harnesses.telling import find_block_limit, find_tellable
from thruline.layout import ProjectPaths, build_project_paths, find_root, find_state_dir
from thruline.operations.loops.lengths import LARGEST_NEW
from thruline.operations.loops.listing import list_loops, read_pointer
from thruline.operations.loops.store import find_loop_id, read_loop
from thruline.operations.loops.verbs import (
    Wish,
    activate_loop,
    cancel_loop,
    pause_loop,
    resume_loop,
    start_loop,
    stop_loops,
)
from thruline.operations.packets.store import write_packet
from thruline.operations.sessions.current import Current


@pytest.fixture
def paths(tmp_path: Path, home: Path) -> ProjectPaths:
    folder = tmp_path / "project"
    folder.mkdir()
    return build_project_paths(find_root(str(folder)), find_state_dir())


def mark(paths: ProjectPaths) -> None:
    """Gives the project its context folder."""
    folder = Path(paths.root, ".agent", "context")
    folder.mkdir(parents=True)
    (folder / "root.json").write_text("{}")


@pytest.mark.feature("F003-12", via="unit")
@pytest.mark.feature("F003-14", via="unit")
def test_many_loops_one_in_front_and_switching_is_explicit(paths: ProjectPaths) -> None:
    first = start(paths, "first")
    made = start_loop(paths, Wish("second"), ONE)
    assert made.behind == first.id
    other = start(paths, "third", TWO)
    assert read_pointer(paths).sessions == {ONE.session: made.loop.id, TWO.session: other.id}
    assert read_pointer(paths).last == other.id
    assert [read_loop(paths, each).status for each in (first.id, made.loop.id)] == ["active", "active"]
    assert "second" in stop(paths, ONE)
    assert activate_loop(paths, first.id).behind == made.loop.id
    assert "first" in stop(paths, ONE)
    cancel_loop(paths, first.id)
    assert stop(paths, ONE) == ""  # what is behind does not come forward by itself
    activate_loop(paths, made.loop.id, TWO)
    assert "second" in stop(paths, TWO)
    assert read_loop(paths, made.loop.id).session == TWO.name
    assert read_pointer(paths).sessions == {TWO.session: made.loop.id}


@pytest.mark.feature("F003-13", via="unit")
@pytest.mark.parametrize(
    "prompt", ["## Notes\n```text\nx\n```\n---\nid: 1", "ein\tEnde é 🙂", "`" * 7, "---\nstatus: done\n---"]
)
def test_a_prompt_is_kept_word_for_word_whatever_it_holds(paths: ProjectPaths, prompt: str) -> None:
    loop = start(paths, prompt, promises=('A: b, "c"', "# d"), until="true # x: 'y'", max_iterations=3)
    assert (loop.prompt, loop.promises, loop.until) == (prompt, ('A: b, "c"', "# d"), "true # x: 'y'")
    assert f"-->\n{prompt}\n" in stop(paths, ONE)
    assert (read_loop(paths, loop.id).prompt, read_loop(paths, loop.id).iteration) == (prompt, 1)


@pytest.mark.feature("F003-16", via="unit")
def test_each_verb_does_one_thing_and_refuses_what_cannot_follow(paths: ProjectPaths) -> None:
    loop = start(paths, promises=("DONE",), max_iterations=1)
    assert stop(paths, ONE)
    pause_loop(paths, loop.id)
    assert (read_loop(paths, loop.id).paused_by, read_pointer(paths).sessions) == ("user", {})
    assert stop(paths, ONE) == ""
    with pytest.raises(Refused, match="had its 1 iterations"):
        resume_loop(paths, loop.id)
    assert resume_loop(paths, loop.id, max_iterations=2).front
    assert "iteration 2 of 2" in stop(paths, ONE)
    cancel_loop(paths, loop.id)
    for verb in (pause_loop, resume_loop, cancel_loop, activate_loop):
        with pytest.raises(Refused, match="cannot become"):
            verb(paths, loop.id)
    assert stop(paths, ONE) == ""
    assert os.path.exists(loop.document.path)


def test_a_resumed_loop_does_not_push_another_out_of_the_way(paths: ProjectPaths) -> None:
    first = start(paths, "first")
    pause_loop(paths, first.id)
    second = start(paths, "second")
    assert not resume_loop(paths, first.id).front
    assert read_pointer(paths).sessions == {ONE.session: second.id}


def test_stop_all_holds_every_session_and_passes_over_what_is_broken(paths: ProjectPaths) -> None:
    loops = [start(paths, "first"), start(paths, "second", TWO), start(paths, "third", TWO)]
    Path(loops[0].document.path).write_text("broken")
    made, problems = stop_loops(paths)
    assert {one.loop.id for one in made} == {loops[1].id, loops[2].id}
    assert [each.split(":")[0] for each in problems] == [loops[0].id]
    assert read_pointer(paths).sessions == {}
    assert stop(paths, ONE) == stop(paths, TWO) == ""


@pytest.mark.parametrize("ref", ["../x", "/etc/passwd", "-x", "", "a b", "x.md", "."])
def test_what_looks_like_a_path_or_an_option_is_no_id(paths: ProjectPaths, ref: str) -> None:
    start(paths)
    with pytest.raises(Refused, match="no loop id"):
        find_loop_id(paths, ref)


def test_a_loop_is_named_by_the_beginning_of_its_id_or_words_of_it(paths: ProjectPaths) -> None:
    one, two = start(paths, "port the parser"), start(paths, "port the writer")
    assert find_loop_id(paths, "the-parser") == find_loop_id(paths, one.id) == one.id
    with pytest.raises(NotFound, match="names 2 loops"):
        find_loop_id(paths, "port")
    with pytest.raises(NotFound, match="No loop"):
        cancel_loop(paths, "nothing-like-it")
    assert {head.id for head in list_loops(paths).heads} == {one.id, two.id}


def test_a_loop_of_a_newer_schema_is_read_and_never_changed(paths: ProjectPaths) -> None:
    loop = start(paths)
    file = Path(loop.document.path)
    file.write_bytes(file.read_bytes().replace(b"schema: 1", b"schema: 2"))
    before = file.read_bytes()
    for verb in (pause_loop, cancel_loop, activate_loop, resume_loop):
        with pytest.raises(Refused, match="newer thruline"):
            verb(paths, loop.id)
    assert list_loops(paths).heads[0].newer
    assert file.read_bytes() == before


def test_hand_edits_and_unknown_fields_survive_a_turn_and_a_verb(paths: ProjectPaths) -> None:
    loop = start(paths)
    file = Path(loop.document.path)
    file.write_text(
        file.read_text().replace("status: active", "colour: blue # mine\nstatus: active") + "\nMy own note.\n"
    )
    Path(paths.active_loop).write_text(json.dumps({**json.loads(Path(paths.active_loop).read_text()), "later": 1}))
    assert stop(paths, ONE)
    pause_loop(paths, loop.id)
    assert "colour: blue # mine" in file.read_text()
    assert file.read_text().endswith("\nMy own note.\n")
    assert json.loads(Path(paths.active_loop).read_text())["later"] == 1


@pytest.mark.parametrize(
    "wish",
    [
        Wish(),
        Wish("x", packet="y"),
        Wish("x", promises=("",)),
        Wish("x", promises=("a\nb",)),
        Wish("x", promises=("</promise>",)),
        Wish("x", until="true"),
        Wish("x", promises=("D",), until="true", until_seconds=0),
        Wish("x", promises=("D",), until="true", until_seconds=541),
    ],
)
def test_what_can_be_no_loop_is_refused_before_anything_is_written(paths: ProjectPaths, wish: Wish) -> None:
    with pytest.raises(UsageError):
        start_loop(paths, wish, ONE)
    assert not os.path.exists(paths.base)


@pytest.mark.feature("F003-15", via="unit")
def test_a_packet_gives_its_prompt_its_promise_and_its_limit(paths: ProjectPaths) -> None:
    mark(paths)
    marked = build_project_paths(find_root(paths.root), find_state_dir())

    def render(packet_id: str) -> bytes:
        fields = {"source": "x", "loop_promise": "SHIPPED", "loop_max_iterations": 7}
        return render_packet(
            packet_id,
            datetime(2026, 11, 16, tzinfo=UTC),
            "Finish it.",
            fields=fields,
            sections={title: f"Text of {title}." for title in HEADINGS},
        )

    packet = write_packet(marked, "Finish it.", render)
    loop = start_loop(marked, Wish(packet=packet), ONE).loop
    assert (loop.source_packet_id, loop.promises, loop.max_iterations) == (packet, ("SHIPPED",), 7)
    assert "Text of Next Prompt (Draft)." in loop.prompt
    assert loop.document.path.startswith(os.path.join(paths.root, ".agent", "context", "loops"))
    assert start_loop(marked, Wish(packet=packet, promises=("OTHER",), max_iterations=2), ONE).loop.promises == (
        "OTHER",
    )


def test_a_session_of_another_project_gets_no_loop_here(paths: ProjectPaths, tmp_path: Path) -> None:
    with pytest.raises(Refused, match="another project"):
        start_loop(paths, Wish("x"), Current(HARNESS, ONE.session, str(tmp_path)))
    elsewhere = str(tmp_path / "it's here")
    with pytest.raises(Refused) as caught:
        start_loop(paths, Wish("x"), Current(HARNESS, ONE.session, elsewhere))
    assert shlex.split(caught.value.next)[:3] == ["thruline", "-C", elsewhere]


def test_a_link_out_of_a_marked_project_is_not_followed(paths: ProjectPaths, tmp_path: Path) -> None:
    mark(paths)
    marked = build_project_paths(find_root(paths.root), find_state_dir())
    (tmp_path / "out").mkdir()
    if os.path.isdir(marked.loops):
        shutil.rmtree(marked.loops)
    os.symlink(tmp_path / "out", marked.loops)
    with pytest.raises(ThrulineError):
        start_loop(marked, Wish("x"), ONE)
    assert os.listdir(tmp_path / "out") == []


def test_a_prompt_that_the_sessions_client_would_cut_is_refused(paths: ProjectPaths) -> None:
    short = next(each for each in find_tellable() if find_block_limit(each))
    any_length = next(each for each in find_tellable() if not find_block_limit(each))
    prompt = "x" * find_block_limit(short)
    with pytest.raises(Refused, match="too long for"):
        start_loop(paths, Wish(prompt), Current(short.name, TWO.session))
    assert list_loops(paths).heads == ()
    made = start_loop(paths, Wish(prompt), Current(any_length.name, ONE.session))
    with pytest.raises(Refused, match="too long for"):
        activate_loop(paths, made.loop.id, Current(short.name, TWO.session))
    assert read_pointer(paths).sessions == {ONE.session: made.loop.id}


def test_a_prompt_or_command_that_no_hook_would_read_whole_is_refused_before_anything_is_written(
    paths: ProjectPaths,
) -> None:
    whole = next(each for each in HARNESSES if each.session_variable and not find_block_limit(each))
    current = Current(whole.name, ONE.session)
    for prompt, until, why in (
        ("x" * LARGEST_NEW, "", "The prompt is too long for a loop."),
        ("Go on.", "true #" + "é" * (1 << 15), "The command is too long."),
    ):
        with pytest.raises(Refused, match=why):
            start_loop(paths, Wish(prompt, promises=("DONE",), until=until), current)
    assert (list_loops(paths).heads, read_pointer(paths).sessions) == ((), {})
    loop = start_loop(paths, Wish("x" * (LARGEST_NEW - 2_000), promises=("DONE",)), current).loop
    assert "iteration 1" in stop(paths, current, "é" * 200)
    assert read_loop(paths, loop.id).iteration == 1


@pytest.mark.parametrize("verb", [cancel_loop, pause_loop])
def test_a_file_that_grew_too_large_holds_nobody_after_a_verb(paths: ProjectPaths, verb: Any) -> None:
    loop = start(paths)
    Path(loop.document.path).write_bytes(loop.document.render() + b"x" * (1 << 20))
    with pytest.raises(Refused, match="It holds no session any more; its file was left as it is"):
        verb(paths, loop.id)
    assert read_pointer(paths).sessions == {}
