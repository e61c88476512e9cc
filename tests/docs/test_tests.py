"""How tests are kept: what two of them need lies in a module of its own, where both can find it."""

import re
from pathlib import Path

TESTS = Path(__file__).parents[1]
FROM_A_TEST = re.compile(r"^\s*(?:from|import) (tests\.(?:\w+\.)*test_\w+)", re.MULTILINE)


def test_no_module_imports_from_a_module_of_tests() -> None:
    places = [
        path for folder in (TESTS, TESTS.parent / "bench", TESTS.parent / "tools") for path in folder.rglob("*.py")
    ]
    assert len(places) > 300
    found = {str(path): FROM_A_TEST.findall(path.read_text(encoding="utf-8")) for path in places}
    assert {path: names for path, names in found.items() if names} == {}
