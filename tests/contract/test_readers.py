"""What every reader owes, run over the samples in `samples/` and `tests/harnesses/<harness>/samples/`.

A new client passes by having a folder in `harnesses/` and at least one sample; no test names it.
"""

import json
import random
from pathlib import Path

import pytest

from thruline.harnesses import jsonl, line_reader
from thruline.harnesses.registry import Harness
from thruline.harnesses.transcripts import find_readable, open_reader, recognise
from thruline.session.identity import Identity
from thruline.session.parts import ACTIONS, HUMAN_KINDS, Call, Part, Result, Said, Used

TESTS = Path(__file__).parents[1]


def find_samples() -> list[tuple[Harness, Path]]:
    ours = sorted((TESTS.parent / "samples").glob("*/*.jsonl"))
    found = [(recognise(str(path)), path) for path in ours]
    for harness in find_readable():
        folder = TESTS / "harnesses" / harness.package.rpartition(".")[2] / "samples"
        found += [(harness, path) for path in sorted(folder.glob("*.jsonl"))]
    return found


CASES = [pytest.param(harness, path, id=f"{harness.name}/{path.stem}") for harness, path in find_samples()]


def parts_of(harness: Harness, path: Path, **options: object) -> list[Part]:
    return list(open_reader(harness, str(path), **options))


def test_every_reader_has_samples() -> None:
    assert {harness.name for harness, _ in find_samples()} == {harness.name for harness in find_readable()}


@pytest.mark.parametrize(("harness", "path"), CASES)
def test_its_own_transcripts_are_recognised(harness: Harness, path: Path) -> None:
    assert recognise(str(path)) == harness


@pytest.mark.parametrize(("harness", "path"), CASES)
def test_lines_are_those_of_the_file(harness: Harness, path: Path) -> None:
    lines = len(path.read_bytes().splitlines())
    assert all(1 <= part.line <= lines for part in parts_of(harness, path))


@pytest.mark.parametrize(("harness", "path"), CASES)
def test_reading_on_from_any_line_gives_what_one_reading_gives(harness: Harness, path: Path, tmp_path: Path) -> None:
    whole = [repr(part) for part in parts_of(harness, path)]
    data = path.read_bytes().splitlines(keepends=True)
    copy = tmp_path / path.name
    for cut in range(1, len(data)):
        copy.write_bytes(b"".join(data[:cut]))
        first = open_reader(harness, str(copy), live=True)
        begun = [repr(part) for part in first]
        state = json.loads(json.dumps(first.checkpoint()))
        with copy.open("ab") as file:
            file.write(b"".join(data[cut:]))
        rest = [repr(part) for part in open_reader(harness, str(copy), checkpoint=state)]
        assert begun + rest == whole, f"cut behind line {cut}"


@pytest.mark.parametrize(("harness", "path"), CASES)
def test_blocks_give_the_same_parts_many_at_a_time(harness: Harness, path: Path) -> None:
    blocks = list(open_reader(harness, str(path)).blocks())
    assert all(blocks), "never an empty one"
    assert [repr(part) for block in blocks for part in block] == [repr(part) for part in parts_of(harness, path)]


@pytest.mark.parametrize("threshold", [-1, jsonl.FAST_FROM_BYTES])
@pytest.mark.parametrize(("harness", "path"), CASES)
def test_a_reading_without_tokens_tells_everything_else_and_ends_with_the_same_record(
    harness: Harness, path: Path, threshold: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line_reader, "FAST_FROM_BYTES", threshold)
    found, without = parts_of(harness, path), parts_of(harness, path, tokens=False)
    assert [repr(part) for part in without] == [repr(part) for part in found if not isinstance(part, Used)]
    whole, short = Identity(), Identity()
    whole.see_all(found)
    short.see_all(without)
    assert (short.session_id, short.cwd, short.last_uuid) == (whole.session_id, whole.cwd, whole.last_uuid)


@pytest.mark.parametrize(("harness", "path"), CASES)
def test_human_words_are_marked_with_where_they_stand(harness: Harness, path: Path) -> None:
    raw = path.read_text("utf-8", "replace").splitlines()
    humans = [part for part in parts_of(harness, path) if isinstance(part, Said) and part.by == "human"]
    for part in humans:
        assert part.kind in HUMAN_KINDS
        first_words = json.dumps(part.text.split("\n")[0][:30], ensure_ascii=False)[1:-1]
        assert first_words in raw[part.line - 1] or not part.text.isascii()


@pytest.mark.parametrize(("harness", "path"), CASES)
def test_what_a_call_does_has_the_same_name_whatever_the_client_calls_its_tool(harness: Harness, path: Path) -> None:
    assert {part.action for part in parts_of(harness, path) if isinstance(part, Call)} <= set(ACTIONS)


@pytest.mark.parametrize(("harness", "path"), CASES)
def test_a_result_belongs_to_a_call(harness: Harness, path: Path) -> None:
    parts = parts_of(harness, path)
    calls = {part.call_id for part in parts if isinstance(part, Call)}
    results = [part.call_id for part in parts if isinstance(part, Result)]
    assert len(results) == len(set(results))
    assert set(results) <= calls


@pytest.mark.parametrize(("harness", "path"), CASES)
def test_a_glued_line_gives_both_its_records(harness: Harness, path: Path, tmp_path: Path) -> None:
    data = path.read_bytes().splitlines(keepends=True)
    at = len(data) // 2
    glued = tmp_path / path.name
    glued.write_bytes(b"".join(data[:at]) + data[at].rstrip(b"\n") + b"".join(data[at + 1 :]))
    reader = open_reader(harness, str(glued))
    found = list(reader)
    assert len(found) == len(parts_of(harness, path))
    assert [problem.kind for problem in reader.problems if problem.line == at + 1] == ["glued"]


@pytest.mark.parametrize(("harness", "path"), CASES)
def test_damage_is_told_with_its_line_and_the_rest_still_arrives(harness: Harness, path: Path, tmp_path: Path) -> None:
    data = path.read_bytes().splitlines(keepends=True)
    broken = tmp_path / path.name
    broken.write_bytes(
        b"".join(data[:2]) + b'{"type": "user", "mess\n' + b"\x00" * 40 + b"\n" + b"".join(data[2:]) + data[-1][:25]
    )
    reader = open_reader(harness, str(broken))
    found = list(reader)
    assert len(found) >= len(parts_of(harness, path)) - 1
    told = {(problem.line, problem.kind) for problem in reader.problems}
    assert {(3, "json"), (4, "nul"), (len(data) + 3, "cut")} <= told


@pytest.mark.parametrize(("harness", "path"), CASES)
def test_a_live_reading_leaves_an_unfinished_line_for_later(harness: Harness, path: Path, tmp_path: Path) -> None:
    data = path.read_bytes()
    live = tmp_path / path.name
    live.write_bytes(data + data.splitlines()[-1][:30])
    reader = open_reader(harness, str(live), live=True)
    assert len([*reader, *reader.pending()]) == len(parts_of(harness, path))
    assert reader.problems == []
    assert reader.checkpoint()["offset"] == len(data)


def read_all_ways(
    harness: Harness, path: Path, monkeypatch: pytest.MonkeyPatch
) -> list[tuple[list[str], list[tuple[int, str]]]]:
    """What the fast decoder, the same with lines mended for it, and the plain one make of a file: parts, problems."""
    told = []
    for threshold, huge in ((-1, 1 << 60), (-1, 0), (1 << 60, 1 << 60)):
        monkeypatch.setattr(line_reader, "FAST_FROM_BYTES", threshold)
        monkeypatch.setattr(jsonl, "_HUGE", huge)
        reader = open_reader(harness, str(path))
        found = [repr(part) for part in reader]
        told.append((found, [(problem.line, problem.kind) for problem in reader.problems]))
    return told


@pytest.mark.parametrize(("harness", "path"), CASES)
def test_all_decoders_say_the_same_of_damaged_bytes(
    harness: Harness, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = path.read_bytes()
    broken = tmp_path / path.name
    chance = random.Random(path.name)
    for _ in range(40):
        mutated = bytearray(data)
        for _ in range(chance.randint(1, 6)):
            mutated[chance.randrange(len(mutated))] = chance.choice(
                (0xFF, 0xC3, 0xE2, 0x80, 0x00, chance.randrange(256))
            )
        broken.write_bytes(mutated)
        fast, mended, slow = read_all_ways(harness, broken, monkeypatch)
        assert fast == mended == slow


@pytest.mark.parametrize(("harness", "path"), CASES)
def test_a_bad_byte_in_any_text_is_told_and_costs_no_words(
    harness: Harness, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = path.read_bytes()
    human = [part for part in parts_of(harness, path) if isinstance(part, Said) and part.by == "human"]
    lines = data.splitlines(keepends=True)
    broken = tmp_path / path.name
    for part in human:
        word = max(part.text.split(), key=lambda one: len(one) if one.isalnum() and one.isascii() else 0).encode()
        damaged = lines[part.line - 1].replace(word, word[:-1] + b"\xff")
        broken.write_bytes(b"".join([*lines[: part.line - 1], damaged, *lines[part.line :]]))
        fast, mended, slow = read_all_ways(harness, broken, monkeypatch)
        assert fast == mended == slow
        assert (part.line, "encoding") in fast[1]
        words = word[:-1].decode() + "\ufffd"
        assert any(words in one for one in fast[0] if "by='human'" in one)


@pytest.mark.parametrize(("harness", "path"), CASES)
def test_asking_for_what_is_pending_changes_nothing(harness: Harness, path: Path, tmp_path: Path) -> None:
    data = path.read_bytes().splitlines(keepends=True)
    copy = tmp_path / path.name
    whole = [repr(part) for part in parts_of(harness, path)]
    for cut in range(1, len(data)):
        copy.write_bytes(b"".join(data[:cut]))
        reader = open_reader(harness, str(copy), live=True)
        begun = [repr(part) for part in reader]
        before = json.dumps(reader.checkpoint())
        kept = reader.checkpoint()
        asked = [[repr(part) for part in reader.pending()] for _ in range(2)]
        assert asked[0] == asked[1]
        assert json.dumps(reader.checkpoint()) == before == json.dumps(kept)
        with copy.open("ab") as file:
            file.write(b"".join(data[cut:]))
        # The same value serves twice: a reading leaves what it was given as it was.
        for _ in range(2):
            assert begun + [repr(part) for part in open_reader(harness, str(copy), checkpoint=kept)] == whole
        assert json.dumps(kept) == before


def find_places(value: object, path: tuple[object, ...] = ()) -> list[tuple[object, ...]]:
    """Every place in a record that holds a value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [*([path] if path else []), *(place for key, each in inner for place in find_places(each, (*path, key)))]


@pytest.mark.parametrize(("harness", "path"), CASES)
def test_any_value_may_be_of_any_kind(
    harness: Harness, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    odd = tmp_path / path.name
    chance = random.Random(path.name)
    for _ in range(40):
        lines = []
        for record in records:
            changed = json.loads(json.dumps(record))
            *way, last = chance.choice(find_places(changed))
            holder = changed
            for key in way:
                holder = holder[key]
            holder[last] = chance.choice(({"a": [1]}, [{"type": "text"}, 7], 7, 2.5, True, None, "words", ""))
            lines.append(json.dumps(changed, separators=(",", ":")))
        odd.write_text("\n".join(lines) + "\n", encoding="utf-8")
        fast, mended, slow = read_all_ways(harness, odd, monkeypatch)
        assert fast == mended == slow
