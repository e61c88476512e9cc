"""Whether a person's few words say that what was delivered works."""

from thruline.signals.cues import load_confirming, split_words

# Who says more goes on to something else, or adds a condition.
FEW_WORDS = 7


def is_confirmed(text: str) -> bool:
    """Whether somebody says that it works, and nothing against it: "ok, works. great"."""
    told = text.strip()
    if "\n" in told or told.endswith(("?", "？")) or len(told.split()) > FEW_WORDS:
        return False
    known, words = load_confirming(), split_words(told)
    spaced = f" {' '.join(words)} "
    if any(word in known["unless"] or word.endswith("n't") for word in words):
        return False
    return any(f" {each} " in spaced for each in known["works"]) or any(each in told for each in known["running"])
