"""How meaning is asked for: the prompts, what fills them, and whether an answer can be used.

Pure but for reading the prompts' own files. Who answers is the engines' matter; what becomes of an answer, the brief's.
"""
