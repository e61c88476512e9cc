"""Names of files that begin with a moment: `YYYYMMDD-HHMMSS-slug`, of packets and of loops.

Hooks and lists import it, so it does without `re`; how such a name is made is in `slug.py`.
"""

END = ".md"
_SIGNS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-")


def is_stamped_id(text: str) -> bool:
    """Whether `text` can name a file of ours: nothing that looks like a path or an option does."""
    digits, slug = text[:8] + text[9:15], text[15:]
    if len(digits) != 14 or text[8] != "-" or not (digits.isascii() and digits.isdigit()):
        return False
    return not slug or (slug[0] == "-" != slug[-1] and "--" not in slug and _SIGNS.issuperset(slug))
