"""Installed for real, headless: real clients run our hooks, know our commands, and are as before when we are gone."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import thruline
from tests.clients.ours import assert_no_trouble, run_thruline
from tests.clients.terminal import DOWN, ENTER, Terminal
from tests.clients.waiting import wait_until
from tests.clients.world import Command, MakeWorld, World
from thruline.harnesses.codex.install import build_trust_hash, build_trust_key
from thruline.harnesses.installing import find_handlers
from thruline.layout import UserPaths

pytestmark = pytest.mark.client

TURNS = (Command("echo fine"), "Done.")
FILES = {"claude-code": "settings.json", "codex": "hooks.json"}
THEIRS = '{\n    "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}\n}\n'


def find_settings(world: World) -> Path:
    return world.config / FILES[world.harness]


def read_config(world: World) -> dict[str, bytes]:
    """Every file of the client's configuration that people write, and of the home's skills."""
    names = ("settings.json", "hooks.json", "config.toml")
    found = {name: (world.config / name).read_bytes() for name in names if (world.config / name).exists()}
    return found | {str(path): path.read_bytes() for path in (world.home / ".agents").rglob("*") if path.is_file()}


def trust(world: World) -> None:
    """What a person does in the interactive client's review, where it has one."""
    if world.harness != "codex":
        return
    path = find_settings(world)
    config = world.config / "config.toml"
    rows = [
        f'\n[hooks.state."{build_trust_key(str(path), each)}"]\ntrusted_hash = "{build_trust_hash(each)}"\n'
        for each in find_handlers(json.loads(path.read_text()))
    ]
    config.write_text(config.read_text() + "".join(rows))


def build_trusted_words(world: World, prompt: str) -> list[str]:
    """A headless turn that takes no short cut around trust."""
    return [word for word in world.build_words(prompt) if word != "--dangerously-bypass-hook-trust"]


def find_spooled(world: World) -> set[tuple[str, str]]:
    """Which events of which client reached the spool."""
    spool = Path(UserPaths(str(world.state), "").spool)
    found = [json.loads(path.read_text()) for path in spool.rglob("*.json")]
    return {(str(each["harness"]), str(each["event"])) for each in found}


def freeze_worker(world: World) -> None:
    """Keeps what hooks leave where it can be counted: the worker of a world finds no interpreter."""
    stub = Path(UserPaths(str(world.state), "").hook_entry)
    stub.write_text(stub.read_text().replace(repr(sys.executable), "''"))


def thaw_worker(world: World) -> None:
    """The stub as install wrote it, which is the only one that doctor calls sound."""
    stub = Path(UserPaths(str(world.state), "").hook_entry)
    stub.write_text(stub.read_text().replace("''", repr(sys.executable)))


def test_installed_hooks_answer_and_leave_no_byte_in_a_project_without_marker(client_world: MakeWorld) -> None:
    world = client_world(*TURNS)
    find_settings(world).write_text(THEIRS)
    before, files = read_config(world), world.project_files()
    run_thruline(world, "install", "--yes", "--harness", world.harness)
    freeze_worker(world)
    trust(world)
    run = world.run(build_trusted_words(world, "Do it."))
    assert run.code == 0, run.stderr
    assert "Done." in run.stdout
    spooled = find_spooled(world)
    assert {(world.harness, event) for event in ("session_start", "prompt", "turn_end", "session_end")} <= spooled
    assert world.project_files() == files
    assert_no_trouble(world)
    run_thruline(world, "uninstall", "--yes")
    after = read_config(world)
    assert {name: after[name] for name in before if name != "config.toml"} == {
        name: data for name, data in before.items() if name != "config.toml"
    }
    assert set(after) == set(before)


def test_an_environment_may_go_and_another_version_come(client_world: MakeWorld, tmp_path: Path) -> None:
    world = client_world(*TURNS, *TURNS, *TURNS)
    first = copy_package(tmp_path / "first", "0.0.1")
    run_thruline(world, "install", "--yes", "--harness", world.harness, package=first)
    freeze_worker(world)
    trust(world)
    settings = find_settings(world).read_bytes()
    assert world.run(build_trusted_words(world, "Do it.")).code == 0
    assert find_spooled(world)
    clear_spool(world)

    shutil.rmtree(first)  # hooks are silent, and the session does not notice
    run = world.run(build_trusted_words(world, "Do it."))
    assert (run.code, "Done." in run.stdout) == (0, True), run.stderr
    assert find_spooled(world) == set()

    second = copy_package(tmp_path / "second", "999.0.0")
    run_thruline(world, "install", "--yes", "--harness", world.harness, package=second)
    freeze_worker(world)
    assert find_settings(world).read_bytes() == settings
    assert world.run(build_trusted_words(world, "Do it.")).code == 0
    assert (world.harness, "prompt") in find_spooled(world)  # trust was kept: nobody was asked again


def copy_package(folder: Path, version: str) -> str:
    """This package as another version, somewhere else."""
    source = Path(thruline.__file__).parent
    shutil.copytree(source, folder / "thruline", ignore=shutil.ignore_patterns("__pycache__"))
    init = folder / "thruline" / "__init__.py"
    init.write_text(init.read_text().replace(f'"{thruline.__version__}"', f'"{version}"'))
    assert version in init.read_text()
    return str(folder)


def clear_spool(world: World) -> None:
    shutil.rmtree(UserPaths(str(world.state), "").spool, ignore_errors=True)


def test_a_sibling_project_keeps_its_own_spool(client_world: MakeWorld) -> None:
    world = client_world(*TURNS, *TURNS)
    run_thruline(world, "install", "--yes", "--harness", world.harness)
    freeze_worker(world)
    trust(world)
    assert world.run(build_trusted_words(world, "Do it.")).code == 0
    here = world.project
    world.project = world.root / "sibling"
    shutil.copytree(here, world.project)
    files = world.project_files()
    assert world.run(build_trusted_words(world, "Do it.")).code == 0
    assert world.project_files() == files
    keys = sorted(path.name for path in Path(UserPaths(str(world.state), "").spool).iterdir())
    assert [key.rpartition("-")[0] for key in keys] == ["project", "sibling"]


def test_off_silences_every_hook_of_a_real_session(client_world: MakeWorld) -> None:
    world = client_world(*TURNS, *TURNS)
    run_thruline(world, "install", "--yes", "--harness", world.harness)
    freeze_worker(world)
    trust(world)
    for words in (["off"], ["off", "--here"]):
        run_thruline(world, *words)
        assert world.run(build_trusted_words(world, "Do it.")).code == 0
        assert find_spooled(world) == set()
        run_thruline(world, "on", *words[1:])


# --- one client each ---


@pytest.mark.feature("F002-07", via="client")
def test_a_compaction_is_heard_before_and_after(claude_world: MakeWorld) -> None:
    world = claude_world("First answer.", *TURNS, "A summary.")
    run_thruline(world, "install", "--yes", "--harness", "claude-code")
    freeze_worker(world)
    assert world.ask("First question.").code == 0
    [transcript] = world.transcripts()
    assert world.ask("Do it.", resume=world.read_session_id(transcript)).code == 0  # one answer is too short for it
    run = world.ask("/compact keep the names", resume=world.read_session_id(transcript))
    assert run.code == 0, run.stderr
    assert {("claude-code", "before_compact"), ("claude-code", "after_compact")} <= find_spooled(world)


def test_the_plugin_passes_the_clients_own_validation(claude_world: MakeWorld) -> None:
    world = claude_world()
    run_thruline(world, "install", "--yes", "--harness", "claude-code")
    plugin = Path(UserPaths(str(world.state), "").plugin) / "claude-code"
    for folder in (plugin, plugin / "thruline"):
        run = world.run(["plugin", "validate", str(folder)])
        assert run.code == 0, run.stdout + run.stderr
        assert "error" not in run.stdout.lower().replace("0 errors", "")


def test_the_plugins_commands_are_there_with_their_session(claude_world: MakeWorld) -> None:
    world = claude_world("Read.", "Read again.")
    run_thruline(world, "install", "--yes", "--harness", "claude-code")
    for _ in range(2):  # the older version takes a declared plugin in at its first start
        run = world.run(["-p", "/thruline:verify notes/brief.md", "--dangerously-skip-permissions"])
        assert run.code == 0, run.stderr
    told = json.dumps(world.requests()[-1])
    assert "thruline verify notes/brief.md" in told
    assert "<command-name>/thruline:verify</command-name>" in told
    listed = json.loads(world.run(["plugin", "list", "--json"]).stdout)
    assert [(each["id"], each["enabled"]) for each in listed] == [("thruline@thruline", True)]
    run_thruline(world, "uninstall", "--yes")
    assert json.loads(world.run(["plugin", "list", "--json"]).stdout) == []
    assert "thruline" not in world.run(["plugin", "marketplace", "list"]).stdout


def test_user_and_project_settings_together_run_a_hook_once(claude_world: MakeWorld) -> None:
    world = claude_world(*TURNS)
    (world.project / ".git" / "info").mkdir(exist_ok=True)
    (world.project / ".git" / "info" / "exclude").write_text(".claude/settings.local.json\n")
    for scope in ("--user", "--project", "--shared"):
        run_thruline(world, "install", "--yes", "--harness", "claude-code", scope)
    freeze_worker(world)
    assert world.run(world.build_words("Do it.")).code == 0
    spool = Path(UserPaths(str(world.state), "").spool)
    prompts = [path for path in spool.rglob("*.json") if json.loads(path.read_text())["event"] == "prompt"]
    assert len(prompts) == 1


def test_untrusted_hooks_are_skipped_and_doctor_says_so(codex_world: MakeWorld) -> None:
    world = codex_world(*TURNS, *TURNS)
    told = run_thruline(world, "install", "--yes", "--harness", "codex")
    assert "Hooks need review" in told
    freeze_worker(world)
    assert world.run(build_trusted_words(world, "Do it.")).code == 0
    assert find_spooled(world) == set()
    thaw_worker(world)
    assert "9 of our 9 hooks wait to be trusted" in run_thruline(world, "doctor")
    trust(world)
    assert "wait to be trusted" not in run_thruline(world, "doctor")
    freeze_worker(world)
    assert world.run(build_trusted_words(world, "Do it.")).code == 0
    assert ("codex", "prompt") in find_spooled(world)


def test_after_the_clients_own_review_hooks_run_and_doctor_is_content(codex_world: MakeWorld) -> None:
    world = codex_world(*TURNS)
    run_thruline(world, "install", "--yes", "--harness", "codex")
    freeze_worker(world)
    world.let_in()
    config = world.config / "config.toml"
    with Terminal(world.binary, cwd=world.project, env=world.environment()) as screen:
        told = screen.wait_for("Continue without trusting")
        assert "Hooks need review" in told  # the words of our advice
        assert "9 hooks are new or changed" in told
        screen.press(DOWN, "› 2. Trust all")
        screen.press(ENTER, "Ask Codex to do anything")
        wait_until(lambda: config.read_text().count("trusted_hash") == 9)
    clear_spool(world)
    thaw_worker(world)
    assert "wait to be trusted" not in run_thruline(world, "doctor")
    freeze_worker(world)
    assert world.run(build_trusted_words(world, "Do it.")).code == 0
    assert ("codex", "prompt") in find_spooled(world)


def test_our_hash_is_the_clients_own(codex_world: MakeWorld) -> None:
    world = codex_world()
    find_settings(world).write_text(THEIRS)
    run_thruline(world, "install", "--yes", "--harness", "codex")
    path = find_settings(world)
    ours = {
        build_trust_key(str(path), each): build_trust_hash(each) for each in find_handlers(json.loads(path.read_text()))
    }
    theirs = ask_for_hooks(world)
    assert {each["key"]: each["currentHash"] for each in theirs["hooks"]} == ours
    assert theirs["warnings"] == []
    assert theirs["errors"] == []


def ask_for_hooks(world: World) -> dict[str, list[dict[str, str]]]:
    """What the client itself says of the hooks it found."""
    calls = [
        {"id": 1, "method": "initialize", "params": {"clientInfo": {"name": "test", "version": "1"}}},
        {"method": "initialized"},
        {"id": 2, "method": "hooks/list", "params": {"cwds": [str(world.project)]}},
    ]
    with subprocess.Popen(
        [str(world.binary), "app-server"],
        cwd=world.project,
        env=world.environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as server:
        assert server.stdin
        assert server.stdout
        try:
            server.stdin.write("".join(json.dumps(call) + "\n" for call in calls))
            server.stdin.flush()
            for line in server.stdout:
                answer = json.loads(line)
                if answer.get("id") == 2:
                    found: dict[str, list[dict[str, str]]] = answer["result"]["data"][0]
                    return found
        finally:
            server.kill()
    raise AssertionError("the client did not answer")


def test_the_clients_model_is_offered_our_skills(codex_world: MakeWorld) -> None:
    world = codex_world("Fine.")
    run_thruline(world, "install", "--yes", "--harness", "codex")
    assert world.run(build_trusted_words(world, "Hello.")).code == 0
    told = json.dumps(world.requests()[0])
    for name in ("thruline-handoff", "thruline-verify", "thruline-sessions"):
        assert name in told
