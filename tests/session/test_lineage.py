"""Forks and resumed sessions: trees by shared ids, nothing trimmed by a guess."""

from thruline.session.lineage import Branch, Prompt, Trace, build_fork_tree, find_copies, find_twins


def trace(name: str, lines: dict[int, int], prompts: list[tuple[int, int, str]], parent: str = "") -> Trace:
    made = [Prompt(lines.get(key, 1), key, above, digest=key, time=time) for key, above, time in prompts]
    return Trace(f"/{name}.jsonl", name, lines, made, parent)


def draw(branches: list[Branch]) -> list[object]:
    return [(branch.trace.session_id, draw(branch.children)) for branch in branches]


def test_a_fork_hangs_under_the_session_whose_records_it_copies() -> None:
    # The original has the client's notes between its records; the copy has none.
    original = trace("a", {1: 1, 2: 3, 3: 4, 4: 9}, [(1, 0, "10:00"), (4, 3, "12:00")])
    fork = trace("b", {1: 2, 2: 3, 3: 4, 5: 5}, [(1, 0, "10:00"), (5, 3, "11:00")])
    for given in ([original, fork], [fork, original]):
        (root,) = build_fork_tree(given)
        assert draw([root]) == [("a", [("b", [])])]
        (child,) = root.children
        assert (child.shared, child.at, child.own, child.sure) == (3, 4, 5, False)


def test_a_noted_parent_decides() -> None:
    first = trace("a", {1: 1, 2: 2}, [(1, 0, "10:00")])
    second = trace("b", {1: 1, 2: 2, 3: 3}, [(1, 0, "10:00"), (3, 2, "09:00")], parent="a")
    (root,) = build_fork_tree([second, first])
    assert draw([root]) == [("a", [("b", [])])]
    assert root.children[0].sure


def test_a_fork_of_a_fork_hangs_under_the_nearer_one() -> None:
    first = trace("a", {1: 1, 2: 5}, [(1, 0, "10:00")])
    second = trace("b", {1: 1, 2: 2, 3: 3}, [(1, 0, "10:00"), (3, 2, "11:00")])
    third = trace("c", {1: 1, 2: 2, 3: 3, 4: 4}, [(1, 0, "10:00"), (3, 2, "11:00"), (4, 3, "12:00")])
    assert draw(build_fork_tree([third, second, first])) == [("a", [("b", [("c", [])])])]


def test_sessions_that_share_nothing_are_roots_and_claims_in_a_circle_end() -> None:
    assert draw(build_fork_tree([trace("a", {1: 1}, []), trace("b", {2: 1}, []), trace("c", {}, [])])) == [
        ("a", []),
        ("b", []),
    ]
    circle = [trace("a", {1: 1}, [], parent="b"), trace("b", {2: 1}, [], parent="a")]
    assert draw(build_fork_tree(circle)) == [("b", [("a", [])])]


def test_a_twin_is_the_same_words_under_the_same_record() -> None:
    one = Trace("/a", "a", {}, [Prompt(3, 30, 7, 99, "")])
    other = Trace("/b", "b", {}, [Prompt(5, 50, 7, 99, ""), Prompt(6, 60, 8, 99, ""), Prompt(7, 70, 0, 99, "")])
    assert find_twins([one, other]) == [("/a", 3, "/b", 5)]


def test_a_file_whose_records_all_stand_in_another_of_the_same_session_is_a_copy() -> None:
    whole = Trace("/a", "s", {1: 1, 2: 2, 3: 3}, [])
    same = Trace("/b", "s", {1: 1, 2: 2, 3: 3}, [])
    before = Trace("/c", "s", {1: 1, 2: 2}, [])
    went_on = Trace("/d", "s", {1: 1, 4: 2}, [])
    fork = Trace("/e", "t", {1: 1, 2: 2}, [])
    empty = Trace("/f", "s", {}, [])
    assert find_copies([before, went_on, fork, whole, same, empty]) == {"/b": "/a", "/c": "/a"}
