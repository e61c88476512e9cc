"""What a hook imports: a handful of standard modules, our own few, and nothing from an environment."""

import marshal
import os
import sys
import tomllib
from pathlib import Path

import pytest

from tests.hooks.conftest import HARNESS, WIRED, Hook
from tests.hooks.imports import SOURCE, find_added, find_file, find_imports
from thruline.hooks.handlers import HANDLERS
from thruline.operations import hook_hot

ALLOWED = {"_json", "_thread", "fcntl", "msvcrt", "os", "sys", "time"}
OURS = (
    "artifacts.frontmatter",
    "artifacts.loop_command",
    "artifacts.loop_leave",
    "artifacts.loop_plain",
    "artifacts.loop_pointer",
    "artifacts.loop_step",
    "artifacts.scalar_text",
    "artifacts.stamp",
    "disk.",
    "errors",
    "harnesses.wiring",
    "hooks.",
    "layout",
    "pressure",
    "process",
    "scan",
)
FALLBACKS = {("thruline.scan", "json"), ("thruline.scan", "json.decoder")}
# What runs `loop start --until`, at the end of a turn with a promise in such a loop; test_loop.py tells that no other
# turn imports it.
SLOW = {("thruline.hooks.loop_until", "thruline.child")}


@pytest.mark.parametrize("harness", WIRED)
@pytest.mark.parametrize("event", HANDLERS)
def test_a_hook_adds_at_most_twelve_standard_modules_and_none_other(hook: Hook, harness: str, event: str):
    hook.write_ready(hook.here.build_start(harness), "Told.")
    payload = hook.build(tool_name="Bash", tool_input={"command": "make"})
    added, files, answer = find_added(hook, harness, event, payload)
    assert (b"Told." in answer) == (event == "session_start")
    standard = [name for name in added if not name.startswith("thruline")]
    assert {name.partition(".")[0] for name in standard} <= sys.stdlib_module_names
    assert len(standard) <= 12, standard
    assert [file for file in files if "site-packages" in file] == []
    package = "thruline.harnesses." + harness.replace("-", "_")
    told = event == "session_start"
    starts = event in ("session_end", "turn_end", "before_compact", "after_compact")
    spooled = "tool" not in event  # this one touches no file
    assert [name for name in added if name.startswith("thruline")] == sorted(
        [
            "thruline",
            "thruline.harnesses",
            package,
            package + ".wire",
            "thruline.harnesses.wiring",
            "thruline.hooks",
            *(f"thruline.hooks.{name}" for name in ("door", "event", "handlers", "payload")),
            *(["thruline.hooks.loop", "thruline.layout.project"] if event in ("session_start", "turn_end") else []),
            *(["thruline.hooks.ready"] if told else []),
            *(["thruline.hooks.spool", "thruline.process"] if spooled else []),
            *(["thruline.hooks.worker"] if starts else []),
            "thruline.layout",
            *(f"thruline.layout.{name}" for name in ("hook", "names", "root")),
            "thruline.scan",
        ]
    )


@pytest.mark.parametrize("event", HANDLERS)
def test_what_an_event_is_given_at_once_is_what_it_would_import_anyway(hook: Hook, event: str):
    added, _, _ = find_added(hook, HARNESS, event, hook.build(tool_name="Bash", tool_input={"command": "make"}))
    client = HARNESS.replace("-", "_")
    packs = [hook_hot._DOOR, *hook_hot._EVENTS.get(event, ()), hook_hot._build_client_pack(client)]
    assert {f"thruline.{name}".rstrip(".") for pack in packs for name in pack} <= set(added)


def test_every_hot_module_lies_in_one_pack():
    names = [name for pack in hook_hot._PACKS for name in pack]
    assert sorted(names) == sorted(set(names))
    assert {pack for packs in hook_hot._EVENTS.values() for pack in packs} <= set(hook_hot._PACKS)
    assert set(hook_hot._EVENTS) <= set(HANDLERS)


def test_a_pack_of_another_file_is_not_used(hook: Hook):
    # As if an upgrade came between the head and a pack that is asked for later: the package itself answers.
    hot = Path(hook.paths.hook_hot)
    data = bytearray(hot.read_bytes())
    mark = marshal.loads(data[: hook_hot.HEAD])[2][0]
    places = [at for at in range(hook_hot.HEAD, len(data)) if data.startswith(mark, at)]
    assert len(places) == len(hook_hot._PACKS) + len(list((SOURCE / "harnesses").glob("*/wire.py")))
    for at in places[1:]:
        data[at - 200 : at + len(mark)] = os.urandom(200 + len(mark))
    hot.write_bytes(data)
    hook.write_ready(hook.here.build_start(HARNESS), "Told.")
    assert hook.ask("session_start") == "Told."
    assert hook.read_troubles() == []


def test_every_module_that_hooks_can_reach_imports_only_what_is_free():
    waiting = [f"thruline.hooks.{path.stem}" for path in (SOURCE / "hooks").glob("*.py")]
    waiting += [f"thruline.harnesses.{path.parent.name}.wire" for path in (SOURCE / "harnesses").glob("*/wire.py")]
    waiting += [module.removesuffix(".wire") for module in waiting if module.endswith(".wire")]
    assert len(waiting) > 10
    seen: set[str] = set()
    while waiting:
        module = waiting.pop()
        if module in seen:
            continue
        seen.add(module)
        for name in find_imports(find_file(module.removesuffix(".__init__"))):
            if (module, name) in SLOW:
                continue
            if name.startswith("thruline"):
                assert name.removeprefix("thruline.").startswith(OURS), f"{module} imports {name}"
                waiting.append(name)
            else:
                assert name in ALLOWED or (module, name) in FALLBACKS, f"{module} imports {name}"
    assert "thruline.disk.atomic" in seen


def test_the_import_contract_forbids_hooks_every_room_that_they_may_not_enter():
    contracts = tomllib.loads((SOURCE.parents[1] / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    (hooks,) = [each for each in contracts if each.get("source_modules") == ["thruline.hooks"]]
    rooms = {path.stem for path in SOURCE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    free = {"__init__", "artifacts", "disk", "errors", "harnesses", "hooks", "layout", "pressure", "process", "scan"}
    assert {f"thruline.{room}" for room in rooms - free} <= set(hooks["forbidden_modules"])


def test_a_neighbour_in_the_environment_cannot_stand_in_for_a_standard_module(hook: Hook, tmp_path: Path):
    site = tmp_path / "site"
    site.mkdir()
    (site / "thruline").symlink_to(SOURCE)
    for name in ("os", "_json", "fcntl", "time", "_thread", "json"):
        (site / f"{name}.py").write_text("raise SystemExit('a neighbour was imported')")
    stub = Path(hook.paths.hook_entry)
    stub.write_text(stub.read_text().replace(repr(str(SOURCE.parent)), repr(str(site))))
    hook.write_ready(hook.here.build_start(HARNESS), "Told.")
    assert hook.ask("session_start") == "Told."
    assert hook.ask("turn_end") == ""
    assert hook.read_troubles() == []
    assert hook.find_starts(1)
