"""Session continuity for coding agents.

Kept free of imports: hooks pay for whatever stands here.
"""

__version__ = "0.1.0"
