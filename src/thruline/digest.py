"""SHA-256 at the price of no library: CPython's own, without the one that `hashlib` loads around it.

That takes as long as reading a megabyte, and what is hashed to make a brief is a few pages. Both modules are private
to CPython, so `hashlib` stays the fallback.
"""

__all__ = ["sha256"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hashlib import sha256
else:
    try:
        from _sha2 import sha256  # since 3.12
    except ImportError:
        try:
            from _sha256 import sha256
        except ImportError:  # another Python
            from hashlib import sha256
