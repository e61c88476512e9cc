"""What may be as it was before needs no flag; what was changed after that does."""

from tests.brief.ferry import BRIEF, HOME, SESSION
from tests.brief.sessions import check_text
from tests.session.talk import edit, run


def test_a_file_that_may_be_as_it_was_needs_no_flag() -> None:
    flags = "\n".join(line for line in BRIEF.split("\n") if "⚑" not in line)
    undone = [*edit(40, f"{HOME}/src/sand.py", before=1, after=2), *edit(42, f"{HOME}/src/sand.py", before=2, after=1)]
    before = [one for one in SESSION if one.line < 34]
    assert [one.kind for one in check_text(flags, [*before, *undone]).troubles if one.kind == "untold"] == []
    more = edit(44, f"{HOME}/src/sand.py", before=1, after=3)
    told = [one.kind for one in check_text(flags, [*before, *undone, *more]).troubles if one.kind == "untold"]
    assert told == ["untold", "untold"]


def test_work_that_git_may_have_put_back_needs_no_flag() -> None:
    flags = "\n".join(line for line in BRIEF.split("\n") if "⚑" not in line)
    for verb, kinds in (("status", ["untold", "untold"]), ("stash", []), ("checkout src", [])):
        # What was refused did not run, so it is no run after the last edit either.
        more = run(40, f"git {verb}", "refused", text="no")
        assert [one.kind for one in check_text(flags, [*SESSION, *more]).troubles] == kinds, verb


def test_a_change_after_git_was_asked_to_put_back_is_still_to_be_told() -> None:
    flags = "\n".join(line for line in BRIEF.split("\n") if "⚑" not in line)
    more = [*run(40, "git stash"), *run(42, "git stash pop"), *edit(44, f"{HOME}/src/ebb.py")]
    assert [one.kind for one in check_text(flags, [*SESSION, *more]).troubles] == ["untold", "untold"]


def test_a_file_that_ends_changed_needs_its_flags_however_much_of_it_was_undone() -> None:
    flags = "\n".join(line for line in BRIEF.split("\n") if "⚑" not in line)
    before = [one for one in SESSION if one.line < 34]
    texts = [(1, 2), (2, 1), (1, 2), (3, 4)]
    edits = [edit(40 + 2 * at, f"{HOME}/src/sand.py", before=old, after=new) for at, (old, new) in enumerate(texts)]
    told = check_text(flags, [*before, *(part for each in edits for part in each)]).troubles
    assert [one.kind for one in told if one.kind == "untold"] == ["untold", "untold"]
