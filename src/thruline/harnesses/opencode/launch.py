"""Opening the client with a prompt."""


def build_words(prompt: str) -> tuple[str, ...]:
    """The arguments: the prompt is its first message; in one word with the option, or a dash in front would be one."""
    return (f"--prompt={prompt}",)
