"""What a session shows, folded from its parts, to hold what a claim states against it."""
