"""The rows of features.toml, and what counts as proof of one."""

from pathlib import Path

import pytest

from tools import ledger

ROOT = Path(__file__).parents[2]
COUNTS = {"F000": 60, "F001": 37, "F002": 49, "F003": 28, "F004": 54}


def row(**fields: object) -> ledger.Row:
    return ledger.Row(**{"id": "F003-02", "say": "x", "level": "must", "status": "done", "by": "y", **fields})


def test_every_feature_has_exactly_one_row() -> None:
    expected = [f"{seed}-{n:02d}" for seed, count in COUNTS.items() for n in range(1, count + 1)]
    assert list(ledger.read_rows(ROOT / "features.toml")) == expected


def test_the_ledger_of_this_repository_is_sound() -> None:
    assert ledger.check_rows(ledger.read_rows(ROOT / "features.toml")) == []


def test_no_two_rows_say_the_same() -> None:
    rows = ledger.read_rows(ROOT / "features.toml")
    assert len({r.say for r in rows.values()}) == len(rows)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"level": "maybe"}, "level 'maybe'"),
        ({"status": "nearly"}, "status 'nearly'"),
        ({"status": "declined"}, "need why_not"),
        ({"by": ""}, "need by"),
        ({"say": " "}, "say is empty"),
    ],
)
def test_an_unsound_row_is_named_with_its_fault(fields: dict[str, object], said: str) -> None:
    [problem] = ledger.check_rows({"F003-02": row(**fields)})
    assert problem.startswith("F003-02: ")
    assert said in problem


def test_an_unknown_key_in_a_row_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "features.toml"
    path.write_text('[F003-02]\nsay = "x"\nlevel = "must"\nstatus = "planned"\nstate = "done"\n')
    with pytest.raises(TypeError, match="state"):
        ledger.read_rows(path)


def test_a_run_survives_writing_and_reading(tmp_path: Path) -> None:
    run = {"tests/a.py::test_b": ledger.Outcome("passed", (("F003-02", "unit"), ("F003-03", "cli")))}
    path = ledger.find_run(tmp_path, "fast")
    ledger.write_run(path, run)
    assert ledger.read_run(path) == run
    assert [p.name for p in path.parent.iterdir()] == ["fast.json"]


def test_a_client_row_is_not_proven_by_a_unit_test() -> None:
    rows = {"F003-02": row(client=True)}
    run = {"t": ledger.Outcome("passed", (("F003-02", "unit"),))}
    assert ledger.check_done(rows, run, "clients")[0]
    run = {"t": ledger.Outcome("passed", (("F003-02", "client"),))}
    assert ledger.check_done(rows, run, "clients") == ([], [])


def test_each_suite_answers_for_its_own_rows_only() -> None:
    rows = {"F003-02": row(), "F003-17": row(id="F003-17", client=True)}
    assert [line[:7] for line in ledger.check_done(rows, {}, "fast")[0]] == ["F003-02"]
    assert [line[:7] for line in ledger.check_done(rows, {}, "clients")[0]] == ["F003-17"]


def test_planned_and_declined_rows_need_no_proof() -> None:
    rows = {"a": row(status="planned"), "b": row(status="declined", why_not="z")}
    assert ledger.check_done(rows, {}, "fast") == ([], [])
