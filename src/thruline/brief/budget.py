"""How large a brief may be, in tokens: apart from what renders one, since a command line is parsed before that."""

DEFAULT_BUDGET = 3_000
SMALLEST_BUDGET = 300
