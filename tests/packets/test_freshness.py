"""What changed since a packet was written: an edited file makes exactly its own claims stale."""

from pathlib import Path

import pytest

from tests.packets.conftest import commit
from tests.packets.projects import Project
from thruline.operations.packets.files import add_files
from thruline.operations.packets.freshness import Freshness, Names, build_state, check_freshness
from thruline.operations.packets.named import find_named, strip_roots
from thruline.operations.packets.pickup import pick_up
from thruline.operations.packets.store import read_packet
from thruline.operations.packets.verbs import edit_packet

CLAIMS = (
    "- `exporter.py` is done\n- see nightly.sh and\n  `test_exporter.py`\n"
    "- my_exporter.py and exporter.pyc are others\n- other/exporter.py is elsewhere"
)


def check(project: Project, packet_id: str) -> Freshness:
    return check_freshness(project.paths, read_packet(project.paths, packet_id))


def test_a_packet_is_fresh_as_long_as_nothing_changed(repository: Project) -> None:
    made = repository.hand_off()
    found = check(repository, made.id)
    assert found.fresh
    assert (found.changed, found.gone, found.commits, found.stale, found.unproved) == ((), (), (), (), ())


def test_an_edit_makes_exactly_the_claims_stale_that_name_the_file(repository: Project) -> None:
    made = repository.hand_off()
    edit_packet(repository.paths, made.id, "Notes", CLAIMS)
    lines = Path(made.path).read_text().splitlines()
    (repository.root / "test_exporter.py").write_text("changed\n")
    found = check(repository, made.id)
    assert found.changed == ("test_exporter.py",)
    assert [lines[one.line - 1] for one in found.stale] == ["- see nightly.sh and"]
    (repository.root / "test_exporter.py").write_text("def test_it(): ...\n")
    assert check(repository, made.id).fresh  # by content, not by time
    (repository.root / "exporter.py").unlink()
    found = check(repository, made.id)
    assert (found.changed, found.gone) == ((), ("exporter.py",))
    named = [lines[one.line - 1] for one in found.stale]
    assert "- `exporter.py` is done" in named
    assert "- my_exporter.py and exporter.pyc are others" not in named
    assert "- see nightly.sh and" not in named
    assert "- other/exporter.py is elsewhere" not in named
    assert all("exporter.py" in line for line in named)


def test_a_name_is_known_however_it_is_written() -> None:
    names = Names(("src/a b.py",), ("/home/user/orders",))
    words = {"src/a%20b.py", "src/a b.py", "a%20b.py", "/home/user/orders/src/a%20b.py", "./src/a%20b.py"}
    assert all(names.find(word) == {"src/a b.py"} for word in words)
    others = ("lib/a%20b.py", "b.py", "a", "src", "a%20b.pyc", "", "/elsewhere/src/a%20b.py", "other/src/a%20b.py")
    assert not any(names.find(word) for word in others)


def test_files_of_one_name_in_several_folders_are_told_apart(repository: Project) -> None:
    names = ("utils.py", "a/utils.py", "b/utils.py", "sp ace/my file.py")
    for name in names:
        path = repository.root / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("one\n")
    made = repository.hand_off()
    for name in names:
        add_files(repository.paths, [name], made.id, str(repository.root))
    claims = [f"- `{name}` is done" for name in names] + ["- /somewhere/else/utils.py is another's"]
    edit_packet(repository.paths, made.id, "Notes", "\n".join(claims))
    lines = Path(made.path).read_text().splitlines()
    for name in names:
        (repository.root / name).write_text("two\n")
        stale = check(repository, made.id).stale
        assert [lines[one.line - 1] for one in stale] == [f"- `{name}` is done"]
        (repository.root / name).write_text("one\n")


def test_a_file_that_no_claim_names_makes_none_stale(repository: Project) -> None:
    (repository.root / "weekly.sh").write_text("true\n")
    made = repository.hand_off()
    (repository.root / "weekly.sh").write_text("false\n")
    assert check(repository, made.id).fresh


def test_a_large_file_is_compared_by_its_size_and_by_pieces_from_its_beginning_to_its_end(repository: Project) -> None:
    path = repository.root / "nightly.sh"
    size = 80 << 20
    with path.open("wb") as file:
        file.truncate(size)
    [before] = build_state(str(repository.root), ["nightly.sh"])
    assert not before.endswith("gone")
    assert build_state(str(repository.root), ["nightly.sh"]) == [before]
    for place in (0, size - 1):
        with path.open("r+b") as file:
            file.seek(place)
            file.write(b"x")
        [after] = build_state(str(repository.root), ["nightly.sh"])
        assert after != before, place
        before = after
    with path.open("ab") as file:
        file.truncate(size + 1)
    assert build_state(str(repository.root), ["nightly.sh"]) != [before]


def test_commits_that_landed_are_listed_newest_first(repository: Project) -> None:
    made = repository.hand_off()
    for name in ("a", "b"):
        (repository.root / name).write_text(name)
        commit(repository, "add", name)
        commit(repository, "commit", "-q", "-m", f"Add {name}.")
    assert [subject for _, subject in check(repository, made.id).commits] == ["Add b.", "Add a."]
    prompt = pick_up(repository.paths, made.id).prompt
    digest = check(repository, made.id).commits[0][0]
    assert f"- landed: commit `{digest}`\n  > git, commit:{digest}: `Add b.`" in prompt


def test_what_was_committed_since_is_told_beside_the_claims_that_it_settles(repository: Project) -> None:
    made = repository.hand_off()
    path = Path(made.path)
    open_end = "- [ ] resolve the conflict in `exporter.py` and the one in `nightly.sh`"
    path.write_text(path.read_text().replace("## Plan\n", f"## Plan\n{open_end}\n"))
    for name in ("exporter.py", "nightly.sh", "test_exporter.py"):
        (repository.root / name).write_text("resolved\n")
    assert check(repository, made.id).committed == ()
    assert "committed since" not in pick_up(repository.paths, made.id).prompt
    commit(repository, "add", "exporter.py", "test_exporter.py")
    commit(repository, "commit", "-q", "-m", "Resolve the first one.")
    (repository.root / "test_exporter.py").write_text("at work on it again\n")
    assert check(repository, made.id).committed == ("exporter.py",)
    prompt = pick_up(repository.paths, made.id).prompt
    line = path.read_text().splitlines().index(open_end) + 1
    names = "`exporter.py` (committed since), `nightly.sh`"
    assert f"- stale, line {line} of the packet: it names {names}" in prompt
    assert "- changed: `exporter.py` (committed since)\n" in prompt
    assert "`test_exporter.py` (committed" not in prompt


def test_what_was_listed_as_not_committed_and_was_since_is_settled(repository: Project) -> None:
    (repository.root / "exporter.py").write_text("the session's work\n")
    (repository.root / "nightly.sh").write_text("the session's work\n")
    made = repository.hand_off()
    path = Path(made.path)
    one = "- \u2691 verify: not committed by the session: `exporter.py`. (`transcript:L111-L130`)"
    both, many = one.replace("y`.", "y`, `nightly.sh`."), one.replace("y`.", "y` and 3 more.")
    text = path.read_text()
    assert text.count(one) == 2  # as the session left it: in the prompt, and below Open Questions
    path.write_text(text.replace("## Open Questions\n", f"## Open Questions\n{both}\n{many}\n"))
    listed = path.read_text().splitlines()
    lines = [number for number, line in enumerate(listed, 1) if line in (one, both)][1:]
    assert check(repository, made.id).settled == ()
    commit(repository, "add", "exporter.py")
    commit(repository, "commit", "-q", "-m", "The export.")
    found = check(repository, made.id)
    assert [(each.line, each.files) for each in found.settled] == [(lines[1], ("exporter.py",))]
    assert found.fresh  # not a byte of it changed
    told = f"- settled, line {lines[1]} of the packet: committed since: `exporter.py`\n"
    assert told in pick_up(repository.paths, made.id).prompt
    commit(repository, "add", "nightly.sh")
    commit(repository, "commit", "-q", "-m", "The night.")
    assert [each.line for each in check(repository, made.id).settled] == lines
    (repository.root / "exporter.py").write_text("at work on it again\n")
    assert check(repository, made.id).settled == ()


def test_a_quotation_that_no_longer_holds_is_told(repository: Project) -> None:
    made = repository.hand_off()
    Path(made.path).write_text(Path(made.path).read_text().replace("don't add a pause", "do add a pause"))
    found = check(repository, made.id)
    assert found.unproved
    assert not found.fresh


@pytest.mark.feature("F003-10", via="unit")
def test_a_pickup_renders_the_packet_and_changes_no_byte(repository: Project) -> None:
    made = repository.hand_off()
    (repository.root / "exporter.py").write_text("changed\n")
    before = repository.snapshot()
    prompt = pick_up(repository.paths, made.id).prompt
    assert repository.snapshot() == before
    assert made.id in prompt
    assert "Goal: finish the export" in prompt
    assert "No, don't add a pause." in prompt
    assert "- changed: `exporter.py`" in prompt
    assert "- stale, line " in prompt


def test_a_file_that_only_a_claim_names_makes_exactly_its_claims_stale(repository: Project) -> None:
    (repository.root / "docs").mkdir()
    (repository.root / "docs" / "usage.md").write_text("--simulate\n")
    commit(repository, "add", "docs")
    made = repository.hand_off()
    lines = Path(made.path).read_text().splitlines()
    assert "docs/usage.md" not in made.suggested
    assert check(repository, made.id).fresh
    (repository.root / "docs" / "usage.md").write_text("--dry-run\n")
    found = check(repository, made.id)
    assert found.changed == ("docs/usage.md",)
    first = lines.index("## Plan")
    naming = [at + 1 for at in range(first, len(lines)) if "docs/usage.md" in lines[at]]
    assert naming
    assert [one.line for one in found.stale] == naming


def test_files_are_named_in_full_by_a_bare_name_or_as_the_session_saw_them(repository: Project) -> None:
    for name in ("src/deep/queue.py", "a/many.py", "b/many.py", "c/many.py", "d/many.py", "my file.md"):
        path = repository.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("one\n")
    commit(repository, "add", "-A")
    said = {
        "Context": "- see queue.py, many.py and nightly.sh. Not ../x, /etc/passwd or .agent/context/root.json",
        "Plan": "- /seen/elsewhere/exporter.py and `my file.md`, never gone.py",
        "Relevant Files": "- `test_exporter.py`",
    }
    found = find_named(repository.paths, said, ["/seen/elsewhere"])
    assert set(found) == {"src/deep/queue.py", "nightly.sh", "exporter.py", "my file.md"}


def test_a_file_with_blanks_in_its_name_or_its_root_makes_exactly_its_claims_stale(repository: Project) -> None:
    (repository.root / "my file.py").write_text("one\n")
    (repository.root / "another file.py").write_text("one\n")
    commit(repository, "add", ".")
    made = repository.hand_off()
    claims = f"- my file.py stays\n- {repository.root}/another file.py too\n- file.py is none, nor is tummy file.py"
    edit_packet(repository.paths, made.id, "Notes", claims)
    lines = Path(made.path).read_text().splitlines()
    for name, claim in (("my file.py", 0), ("another file.py", 1)):
        (repository.root / name).write_text("two\n")
        found = check(repository, made.id)
        assert found.changed == (name,)
        assert [lines[one.line - 1] for one in found.stale] == [claims.split("\n")[claim]]
        (repository.root / name).write_text("one\n")
    assert strip_roots("see /a b/c/d.py", ["/a b/c"]) == "see d.py"


def test_what_an_edited_section_says_of_a_file_turns_stale_with_it(repository: Project) -> None:
    (repository.root / "brandnew.py").write_text("one\n")
    made = repository.hand_off()
    edit_packet(repository.paths, made.id, "Constraints", "- brandnew.py must stay as it is.")
    assert check(repository, made.id).fresh
    (repository.root / "brandnew.py").write_text("two\n")
    found = check(repository, made.id)
    assert found.changed == ("brandnew.py",)
    assert [one.text for one in found.stale] == ["- brandnew.py must stay as it is."]
