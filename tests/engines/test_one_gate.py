"""Nothing but the gate can call a model: who imports what could, is a closed list."""

import ast
from pathlib import Path

import thruline
from thruline.engines.asker import MODULES

SOURCE = Path(thruline.__file__).parent
# What can speak to a model or to anybody: sockets, HTTP, providers' libraries, programs.
NETWORK = {"socket", "ssl", "http", "urllib", "asyncio", "httpx", "requests", "aiohttp", "websockets"}
PROVIDERS = {"pydantic_ai", "anthropic", "openai", "google", "litellm", "ollama"}
MAY_NETWORK = {"engines/api"}
MAY_RUN = {
    "gitfacts/program.py": "git",
    "child.py": "what RUNNERS run",
    "operations/clipboard.py": "the system's own program that fills the clipboard",
}
RUNNERS = {
    "engines/command.py": "headless clients, through the gate",
    "operations/packets/validating.py": "the validators of a packet, when a person asks for it",
    "engines/drive.py": "turns of the user's own session for `loop run`, through the meter",
    "hooks/loop_turn.py": "the command of a loop's --until, which its user gave",
    "operations/loops/running.py": "the same, where the loop is driven",
    "operations/loops/run_note.py": "nothing; it ends what a killed driver left running",
}


def imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return {one for one in found if not one.startswith("urllib.parse")}  # text in, text out


def modules() -> dict[str, set[str]]:
    return {path.relative_to(SOURCE).as_posix(): imports(path) for path in SOURCE.rglob("*.py")}


def test_only_the_api_engine_can_open_a_connection() -> None:
    guilty = {
        name: sorted(one for one in found if one.split(".")[0] in NETWORK | PROVIDERS)
        for name, found in modules().items()
        if not any(name.startswith(allowed) for allowed in MAY_NETWORK)
    }
    assert {name: found for name, found in guilty.items() if found} == {}


def test_programs_are_run_in_few_places_and_each_says_which() -> None:
    running = {name for name, found in modules().items() if "subprocess" in found}
    assert running <= set(MAY_RUN)
    assert {name for name, found in modules().items() if "thruline.child" in found} == set(RUNNERS)


def test_only_the_gate_opens_an_engine_that_calls_a_model() -> None:
    engines = {module.removeprefix("thruline.") for module in MODULES.values()}
    for name, found in modules().items():
        inside = any(name.startswith(engine.replace(".", "/")) for engine in engines)
        reached = {one for one in found if any(one.startswith(f"thruline.{engine}") for engine in engines)}
        assert inside or not reached, f"{name} imports {reached}"
    opened = [name for name in modules() if "import_module(MODULES" in (SOURCE / name).read_text(encoding="utf-8")]
    assert opened == ["engines/gate.py"]


def test_a_client_s_one_shot_is_reached_by_the_command_engine_alone() -> None:
    for name, found in modules().items():
        text = (SOURCE / name).read_text(encoding="utf-8")
        if name != "engines/command.py" and not name.startswith("harnesses/"):
            assert "oneshot" not in text, name
            assert not any("oneshot" in one for one in found), name


def test_only_a_run_of_a_loop_drives_a_client_and_it_passes_the_meter() -> None:
    drivers = {name for name, found in modules().items() if "thruline.engines.drive" in found}
    assert drivers == {"operations/loops/running.py"}
    text = (SOURCE / "engines/drive.py").read_text(encoding="utf-8")
    assert text.index("meter.check_enabled()") < text.index("meter.reserve(") < text.index("run_child(\n")
    for name in modules():
        if name != "engines/drive.py" and not name.startswith("harnesses/"):
            assert '.drive"' not in (SOURCE / name).read_text(encoding="utf-8"), name
