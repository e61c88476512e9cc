"""Text that tries to instruct whoever reads it: told apart, reported, made harmless."""
