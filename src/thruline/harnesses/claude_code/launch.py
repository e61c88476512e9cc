"""Opening the client with a prompt in its box."""


def build_words(prompt: str) -> tuple[str, ...]:
    """The arguments: the prompt is put into the box and not sent, so that a person reads it first."""
    return ("--prefill", prompt)
