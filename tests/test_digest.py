"""The digest of a brief's sources is the standard one, whichever module it comes from."""

import hashlib
import subprocess
import sys

import pytest

from thruline.digest import sha256


@pytest.mark.parametrize("data", [b"", b"words", bytes(range(256)) * 300])
def test_a_digest_is_that_of_the_standard_library(data: bytes) -> None:
    digest = sha256(data[:7])
    digest.update(data[7:])
    assert digest.hexdigest() == hashlib.sha256(data).hexdigest()


def test_the_library_is_loaded_only_where_python_has_no_digest_of_its_own() -> None:
    for gone, loaded in (((), "False"), (("_sha2", "_sha256"), "True")):
        code = f"import sys\nfor name in {gone!r}: sys.modules[name] = None\n"
        code += "import thruline.digest as d\nd.sha256(b'')\nprint('hashlib' in sys.modules)"
        found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert found.stdout.strip() == loaded
