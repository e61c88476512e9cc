"""What people and agents meant: corrections, refusals, decisions, constraints, reversals, intents, files.

Mined by rules from the parts of a session, without a model: structure first (a refused call, an interrupt, a rewind, a
test that failed and then passed), then words, read together with what the agent had just said or done. Every signal
carries the exact words it was taken from and the place where they stand.
"""
