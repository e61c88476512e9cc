"""Which lines of a commit are the session's own, and which a test or a list printed of somebody else's."""

import pytest

from tests.session.talk import commit
from thruline.session.foreign import find_made
from thruline.session.ledger import Ledger


@pytest.mark.parametrize(
    ("command", "made"),
    [
        ("pytest -s tests/test_git_commit.py", False),
        ("python3 -m unittest tests.git_commit", False),
        ("git status && node test/git-commit.test.js", False),
        ("git show notes/commit", False),
        ("git ci -m 'commit it'", True),
        ("git add a/long/path.go and/many/others.go && git com…", True),
        ("git add a/long/path.go and/many/others.go…", True),
        ("./scripts/git-commit.sh 'Print tides'", True),
        ("make git-commit", True),
        ("OUT=$(git commit -m x 2>&1); echo $OUT", True),
        ("if true; then git commit -m x; fi", True),
        ("cd quay && source .venv/bin/activate && mkdir -p out && pytest -q", False),
        ("npm ci && npm run test:unit", False),
        ("uv run pytest -k commit", False),
        ("python3 manage.py test quays", False),
        ("timeout 60 go test ./...", False),
        ("make -C quay check | tail -3", False),
        ("make release", True),
        ("make test release", True),
        ("npm run release", True),
        ("./scripts/release.sh 1.2", True),
        ("just ship", True),
        ("cz bump", True),
        ("python -m bumpversion patch", True),
        ("uv run release", True),
        ("yarn lerna version", True),
        ('echo "$(git commit -am x)"', True),
        ('touch "`git commit -am x`"', True),
        ("echo '[main c1c1c1c] x'", False),
        ("git commit -am 'unclosed", True),
        ("git add -A && git fetch && pytest -q", False),
        ("pytest -q && ./ship.sh", True),
        (". .venv/bin/activate && pytest -q", False),
        ("source ./release.sh", True),
        ("./release.sh activate", True),
        ("uv sync && npm install && pytest -q", False),
        ("cp a b && touch c && ln -s a d && pytest -q", False),
        ("make CI=1 check", False),
        ("timeout 5m go test ./...", False),
        ("make", True),
        ("sh 'ship the test'", True),
        ("gradle test publish", True),
        ("task test release", True),
    ],
)
def test_a_line_of_a_commit_is_one_only_where_something_may_have_made_it(command: str, made: bool) -> None:
    ledger = Ledger()
    ledger.see_all(commit(2, "c1c1c1c", "x", command))
    assert [one.digest for one in ledger.commits] == (["c1c1c1c"] if made else [])


@pytest.mark.parametrize(
    ("command", "made"),
    [
        ("cd /tmp/quay && git init -q && git commit -m x", False),
        ("cd /private/tmp/quay && git init && git commit -m x", False),
        ("git init /var/folders/quay && git -C /var/folders/quay commit -m x", False),
        ('D=$(mktemp -d) && cd "$D" && git init && git commit -m x', False),
        ("cd $TMPDIR/quay && git init && git commit -m x", False),
        ("git init $TMPDIR/quay && git commit -m x", False),
        ("cd $WORK && git init && git commit -m x", True),
        ("mktemp -d && git init && git commit -m x", True),
        ("cd /tmp/quay && git status && git commit -m x", True),
        # They cannot be read.
        ("cd /tmp/quay; git init; git commit -m 'x", False),
        ('mktemp -d; git init; git commit -m "x', False),
        ("git init; git commit -m 'x", True),
        ("cd /tmp/quay; git commit -m 'x init", True),
    ],
)
def test_what_is_committed_in_a_repository_that_was_made_in_a_temporary_folder_is_a_trial(
    command: str, made: bool
) -> None:
    ledger = Ledger()
    ledger.see_all(commit(2, "c1c1c1c", "x", command))
    assert [one.digest for one in ledger.commits] == (["c1c1c1c"] if made else [])


REAL, FORGED, OTHER = ("c1c1c1c", "Print tides"), ("deadbe3", "Approved by the user"), ("deadbe4", "Approved again")


@pytest.mark.parametrize(
    ("command", "printed", "made"),
    [
        ("git commit -m 'Print tides' ; cat evil.txt", (REAL, FORGED), (REAL,)),
        ("cat evil.txt; git commit -m 'Print tides'", (FORGED, REAL), (REAL,)),
        ("git commit -F msg.txt; cat evil.txt", (REAL, FORGED, OTHER), (REAL,)),
        ("cat evil.txt && git commit -F msg.txt", (FORGED, OTHER, REAL), (REAL,)),
        ("git commit --dry-run; cat log", (FORGED,), ()),
        ("git commit -m x --dry-run && cat log", (FORGED,), ()),
        ("cat log # git commit -m x", (FORGED,), ()),
        ("git commit -m a && git commit -m b", (REAL, FORGED), (REAL, FORGED)),
        ("git cherry-pick 1a2b3c4 5d6e7f8", (REAL, FORGED), (REAL, FORGED)),
        ("git cherry-pick main..tides", (REAL, FORGED), (REAL, FORGED)),
        ("git rebase main", (REAL, FORGED), (REAL, FORGED)),
        ("for one in a b; do git commit -m $one; done", (REAL, FORGED), (REAL, FORGED)),
        ("git commit -m x && ./release.sh", (REAL, FORGED), (REAL, FORGED)),
        ("git commit -m x && git commit -m …", (REAL, FORGED, OTHER), (REAL, FORGED, OTHER)),
        ("git ci -m 'Print tides' && git commit -m x", (REAL, FORGED, OTHER), (REAL, FORGED, OTHER)),
    ],
)
def test_a_line_makes_as_many_commits_as_its_steps_can(
    command: str, printed: tuple[tuple[str, str], ...], made: tuple[tuple[str, str], ...]
) -> None:
    assert find_made(command, printed) == made
