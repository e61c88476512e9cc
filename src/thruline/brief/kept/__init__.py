"""What a summary of a session must not lose, and what it lost."""
