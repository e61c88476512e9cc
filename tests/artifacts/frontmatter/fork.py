"""A file as a person writes one, and what differs between two states of it."""

from thruline.artifacts.frontmatter import Document

FORK = b"""---
id: 2026-04-26-mcp-standard-a3f91c
status: reserved              # reserved | brief | in-progress
launched_at: null             # set when the child first opens
count: 3
related_ids: []       # siblings
tags: [one, "two", 'three']   # flow

# people comment
done_when:                    # success criteria
  - "STANDARD.md exists"
  # the hard one
  - Review integrated   # by whom?
unknown-key: 'it''s kept'
---

# Brief
"""


def lines_of(document: Document) -> list[bytes]:
    return document.render().splitlines(True)


def changed_lines(before: Document, after: Document) -> tuple[list[bytes], list[bytes]]:
    """What was taken out and what was put in, common ends aside."""
    old, new = lines_of(before), lines_of(after)
    while old and new and old[0] == new[0]:
        del old[0], new[0]
    while old and new and old[-1] == new[-1]:
        del old[-1], new[-1]
    return old, new
