"""One verb, one file. Doors call these; they raise `ThrulineError` and return plain values."""
