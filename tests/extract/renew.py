"""Writes the snapshots of all prompts anew: `python -m tests.extract.renew`, then read the diff."""

from tests.extract.filled import SNAPSHOTS, fill
from thruline.extract.prompt import WAYS, find_names

for name in find_names():
    for way in WAYS:
        (SNAPSHOTS / f"{name}.{way}.md").write_text(fill(name, way), encoding="utf-8")
