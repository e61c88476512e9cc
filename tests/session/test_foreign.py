"""Which lines of a commit are the session's own, and which a test or a list printed of somebody else's."""

import pytest

from tests.session.talk import commit
from thruline.session.ledger import Ledger


@pytest.mark.parametrize(
    ("command", "made"),
    [
        ("pytest -s tests/test_git_commit.py", False),
        ("python3 -m unittest tests.git_commit", False),
        ("git status && node test/git-commit.test.js", False),
        ("git show notes/commit", False),
        ("git ci -m 'commit it'", True),
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
    ],
)
def test_a_line_of_a_commit_is_one_only_where_something_may_have_made_it(command: str, made: bool) -> None:
    ledger = Ledger()
    ledger.see_all(commit(2, "c1c1c1c", "x", command))
    assert [one.digest for one in ledger.commits] == (["c1c1c1c"] if made else [])
