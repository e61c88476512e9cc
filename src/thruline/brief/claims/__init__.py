"""What the words of a claim state, and which words a brief may use: read from text alone, nothing is looked up."""
