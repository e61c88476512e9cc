"""The session that comes with the project, in its client's own format."""

import shutil
from pathlib import Path

SAMPLE = Path(__file__).parents[1] / "samples" / "orders-export" / "session.jsonl"
SESSION = "5e0c7f4a-31b2-4c6d-9a58-7d1f0e2b9c34"


def put_sample(home: Path) -> Path:
    """The sample where its client would keep it; its place."""
    folder = home / ".claude" / "projects" / "-home-dev-orders-export"
    folder.mkdir(parents=True)
    return Path(shutil.copy(SAMPLE, folder / f"{SESSION}.jsonl"))
