"""Places that can be opened.

`transcript:L<n>[-L<m>]`, `transcript:a1:L<n>`, `commit:<hash>[:path]`, `file:<path>[:symbol|:L<n>]`
"""


def render_pointer(line: int, last: int = 0, source: str = "") -> str:
    """`transcript:L12`, `transcript:L12-L20` or `transcript:a1:L12`."""
    label = f"{source}:" if source else ""
    end = f"-L{last}" if last and last != line else ""
    return f"transcript:{label}L{line}{end}"
