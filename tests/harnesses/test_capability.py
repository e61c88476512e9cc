"""A client can do what its folder has a module for."""

import os
from pathlib import Path

import pytest

from thruline.harnesses import capability
from thruline.harnesses.capability import find_able, find_named, has, load
from thruline.harnesses.registry import HARNESSES

CAPABILITIES = ["wire", "reader", "find", "install", "launch", "oneshot", "drive"]


@pytest.mark.parametrize("name", CAPABILITIES)
def test_a_client_is_able_where_its_module_can_be_imported(name: str) -> None:
    able = find_able(name)
    assert able
    for harness in HARNESSES:
        if harness in able:
            assert load(harness, name).__name__ == f"{harness.package}.{name}"
        else:
            with pytest.raises(ModuleNotFoundError):
                load(harness, name)


def test_the_folder_alone_tells_and_nothing_is_imported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    harness = HARNESSES[0]
    folder = tmp_path / harness.package.rpartition(".")[2]
    folder.mkdir()
    monkeypatch.setattr(capability, "_HERE", str(tmp_path))
    assert not has(harness, "broken")
    (folder / "broken.py").write_text("import what_is_not_there")
    assert has(harness, "broken")
    assert find_named("broken", harness.name) is harness


def test_a_client_is_named_only_where_it_is_able() -> None:
    able = {harness.name for harness in find_able("launch")}
    for harness in HARNESSES:
        assert (find_named("launch", harness.name) is not None) == (harness.name in able)
    assert find_named("launch", "") is None
    assert find_named("launch", os.pardir) is None
