"""The real clients that the suite drives, fetched from npm into a cache outside the repository.

    python -m tools.clients                              fetch what is missing, say what there is
    python -m tools.clients --path claude-code@pinned    print the path of one binary

A client is its vendor's native binary, so Node runs only while fetching. Each comes in two editions: `pinned`, the
version our facts were taken from, and `newest`, what a user who updates today has. With CI=true a client that cannot
be had is a failure; elsewhere it is a warning, and the tests that need it say why they were skipped.
"""
