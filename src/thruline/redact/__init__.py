"""Secrets stop here: what leaves the machine, enters git, memory or a prompt goes through `redact` first.

Pure functions over text. `find_secrets` says where the secrets are, `redact` puts `[redacted:RULE]` in their place and
counts them. The marker never is a secret itself, so redacting twice changes nothing, and a quotation that holds a
marker can be checked later: at that place of the source, `find_secrets` must find that rule.
"""

from thruline.redact.find import Redacted, Secret, find_secrets, redact, render_marker

__all__ = ["Redacted", "Secret", "find_secrets", "redact", "render_marker"]
