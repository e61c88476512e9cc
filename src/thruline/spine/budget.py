"""How large a text is for a model.

Four bytes a token is an estimate and is called one wherever it is shown; a true count needs the model's own
vocabulary, which cannot be had offline.
"""

BYTES_PER_TOKEN = 4

# A spine up to this size is read in one go.
DIRECT_TOKENS = 60_000
# One chunk, when it must be cut.
CHUNK_TOKENS = 30_000


def estimate_tokens(size_in_bytes: int) -> int:
    """About how many tokens so many bytes are."""
    return (size_in_bytes + BYTES_PER_TOKEN - 1) // BYTES_PER_TOKEN
