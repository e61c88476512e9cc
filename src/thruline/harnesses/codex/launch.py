"""Opening the client with a prompt."""


def build_words(prompt: str) -> tuple[str, ...]:
    """The arguments: the prompt is its first message; behind `--` nothing in it is taken for an option."""
    return ("--", prompt)
