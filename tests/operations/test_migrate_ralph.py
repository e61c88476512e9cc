"""A Ralph state file becomes a paused loop that holds nobody; the file stays."""

from pathlib import Path

import pytest

from thruline.layout import ProjectPaths, build_project_paths, find_root, find_state_dir
from thruline.operations.loops.listing import read_pointer
from thruline.operations.loops.store import read_loop
from thruline.operations.loops.verbs import activate_here, activate_loop
from thruline.operations.migrate.ralph import migrate_loops
from thruline.operations.sessions.current import Current
from thruline.operations.stamped import find_stamped_ids

STATE = """\
---
active: true
iteration: 4
max_iterations: 20
completion_promise: "ALL GREEN"
started_at: "2026-11-16T08:00:00Z"
---

Make the suite green.

---
Then tidy up.
"""


@pytest.fixture
def paths(tmp_path: Path, home: Path) -> ProjectPaths:
    (tmp_path / "project" / ".some").mkdir(parents=True)
    return build_project_paths(find_root(str(tmp_path / "project")), find_state_dir())


@pytest.mark.feature("F003-25", via="unit")
def test_a_state_file_becomes_a_paused_loop_once_and_stays(paths: ProjectPaths) -> None:
    file = Path(paths.root, ".some", "ralph-loop.local.md")
    file.write_text(STATE)
    [planned] = migrate_loops(paths, dry_run=True)
    assert (planned.origin, planned.loop, find_stamped_ids(paths.loops)) == (".some/ralph-loop.local.md", "", [])
    [made] = migrate_loops(paths)
    loop = read_loop(paths, made.loop)
    assert (loop.status, loop.paused_by, loop.session) == ("paused", "migrate", "")
    assert (loop.iteration, loop.max_iterations, loop.promises) == (4, 20, ("ALL GREEN",))
    assert loop.prompt == "Make the suite green.\n\n---\nThen tidy up."
    assert read_pointer(paths).sessions == {}
    assert file.read_text() == STATE
    [again] = migrate_loops(paths)
    assert (again.loop, again.why) == (made.loop, "migrated before")
    assert find_stamped_ids(paths.loops) == [made.loop]
    session = Current("some-client", "0a1b2c3d-1111-2222-3333-444455556666")
    assert activate_loop(paths, made.loop, session).front
    assert read_loop(paths, made.loop).session == session.name


def test_a_loop_without_a_session_binds_to_the_one_that_activates_it(
    paths: ProjectPaths, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path(paths.root, ".some", "ralph-loop.local.md").write_text(STATE)
    [made] = migrate_loops(paths)
    monkeypatch.setenv("CODEX_SESSION_ID", "0a1b2c3d-1111-2222-3333-444455556666")
    activate_here(paths, made.loop, "", paths.root)
    assert read_pointer(paths).sessions == {"0a1b2c3d-1111-2222-3333-444455556666": made.loop}


@pytest.mark.parametrize("text", ["", "no front matter", "---\nactive: true\n---\n\n", "---\nopen: true\n"])
def test_what_holds_no_prompt_is_told_and_left(paths: ProjectPaths, text: str) -> None:
    Path(paths.root, ".some", "ralph-loop.local.md").write_text(text)
    [made] = migrate_loops(paths)
    assert (made.loop, bool(made.why)) == ("", True)
    assert find_stamped_ids(paths.loops) == []


def test_a_link_out_of_the_project_is_not_read(paths: ProjectPaths, tmp_path: Path) -> None:
    (tmp_path / "out.md").write_text(STATE)
    Path(paths.root, ".some", "ralph-loop.local.md").symlink_to(tmp_path / "out.md")
    [made] = migrate_loops(paths)
    assert made.loop == ""


@pytest.mark.parametrize("dry_run", [True, False])
def test_a_limit_that_cannot_be_read_does_not_become_no_limit(paths: ProjectPaths, dry_run: bool) -> None:
    Path(paths.root, ".some", "ralph-loop.local.md").write_text(STATE.replace("20\n", '"x"\n'))
    [made] = migrate_loops(paths, dry_run=dry_run)
    assert (made.loop, made.why) == ("", 'its max_iterations is "x", which is no number; 0 stands for no limit')
    assert find_stamped_ids(paths.loops) == []


def test_a_prompt_that_is_too_long_for_a_loop_is_told_and_left(paths: ProjectPaths) -> None:
    Path(paths.root, ".some", "ralph-loop.local.md").write_text(STATE + "x" * 1_000_000)
    [made] = migrate_loops(paths)
    assert (made.loop, made.why) == ("", "The prompt is too long for a loop.")
    assert find_stamped_ids(paths.loops) == []
