"""What doctor says of hooks in clients' settings, and what `--fix` does about it."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.cli.kept import ask
from thruline.harnesses.claude_code import install as claude_code
from thruline.harnesses.codex import install as codex
from thruline.harnesses.installing import find_handlers
from thruline.hooks.trouble import write_slow
from thruline.layout import HookPaths, build_project_key, find_user_paths
from thruline.operations.install.dead import find_dead_part

CLAUDE, CODEX = ".claude/settings.json", ".codex/hooks.json"


@pytest.fixture
def clients(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with both clients in it, and a project to stand in."""
    for name in (".claude", ".codex", "project"):
        (home / name).mkdir()
    monkeypatch.chdir(home / "project")
    return home


def examine(capsys: pytest.CaptureFixture[str], *words: str, code: int | None = None) -> list[dict[str, Any]]:
    from thruline.cli.door import run

    ended = run(["doctor", "--json", *words])
    assert code is None or ended == code
    found: list[dict[str, Any]] = json.loads(capsys.readouterr().out)["findings"]
    return [each for each in found if each["name"] in ("hooks", "door")]


def find_told(found: list[dict[str, Any]], words: str) -> dict[str, Any]:
    [each] = [each for each in found if words in each["what"]]
    return each


def write_hooks(path: Path, **commands: str) -> None:
    table = {event: [{"hooks": [{"type": "command", "command": line}]}] for event, line in commands.items()}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"hooks": table, "model": "opus"}, indent=4) + "\n")


def test_a_machine_without_hooks_has_nothing_broken(clients: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert {each["state"] for each in examine(capsys)} == {"ok"}


def test_a_fresh_installation_is_told_as_fine(clients: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ask(capsys, "install", "--yes", "--harness", "claude-code")
    states = {each["name"]: each for each in examine(capsys)}
    assert states["hooks"]["state"] == "ok"
    assert str(clients / CLAUDE) in states["hooks"]["what"]
    assert states["door"]["state"] in ("ok", "note")  # a note where thruline is not in PATH


@pytest.mark.feature("F002-37", via="cli")
@pytest.mark.parametrize(
    "name", [CLAUDE, CODEX, "project/.claude/settings.json", "project/.claude/settings.local.json"]
)
def test_a_dead_hook_of_anybody_is_found_and_removed_by_fix(
    clients: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = clients / name
    gone = str(clients / "gone" / "hook.sh")
    write_hooks(path, Stop=f"bash {gone} --x", PreToolUse="echo fine", SessionStart=gone)
    value = json.loads(path.read_text())
    value["hooks"]["PreToolUse"][0]["hooks"].append({"type": "command", "command": f"'{gone}'"})
    path.write_text(json.dumps(value, indent=4) + "\n")
    before = path.read_text()
    found = [each for each in examine(capsys, code=1) if "is not there" in each["what"]]
    assert len(found) == 3
    assert all(each["automatic"] and gone in each["what"] and str(path) in each["what"] for each in found)
    assert path.read_text() == before  # only told, until asked
    assert not [each for each in examine(capsys, "--fix") if "is not there" in each["what"]]
    value["hooks"] = {"PreToolUse": [{"hooks": [{"type": "command", "command": "echo fine"}]}]}
    assert json.loads(path.read_text()) == value
    backups = [each.read_text() for each in Path(find_user_paths().install_backups).iterdir()]
    assert before in backups


@pytest.mark.parametrize("quoted", ["bash $CLAUDE_PROJECT_DIR/.claude/hooks/x.sh", '"${CLAUDE_PROJECT_DIR}"/x.sh'])
def test_a_hook_of_the_user_that_lives_in_another_project_is_left_alone(
    clients: Path, quoted: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write_hooks(clients / CLAUDE, Stop=quoted)
    write_hooks(clients / "project" / CLAUDE, Stop=quoted)
    before = (clients / CLAUDE).read_bytes()
    [told] = [each for each in examine(capsys, code=1) if "is not there" in each["what"]]
    assert told["what"].startswith(str(clients / "project"))  # in the project's own file it is surely dead
    assert not [each for each in examine(capsys, "--fix") if "is not there" in each["what"]]
    assert (clients / CLAUDE).read_bytes() == before
    assert json.loads((clients / "project" / CLAUDE).read_text())["hooks"] == {}


@pytest.mark.parametrize(
    ("command", "dead"),
    [
        ("/no/such/program", "/no/such/program"),
        ("'/no/such place/x' --flag", "/no/such place/x"),
        ("python3 /no/such.py", "/no/such.py"),
        ("/usr/bin/env -S /no/x", ""),
        ("FOO=1 node /no/such.js", "/no/such.js"),
        ("python3 -I -S /no/such.py x", "/no/such.py"),
        ("node --require /no/such.js x.js", ""),
        ("bash -lc '/no/such'", ""),
        ("perl -ne /no/such", ""),
        ("$HOMEBREW_PREFIX/bin/env true", ""),
        ("$HOME/no-such-hook.sh", "HOME/no-such-hook.sh"),
        ("$CLAUDE_PROJECT_DIR/.claude/hooks/x.sh", "ROOT/.claude/hooks/x.sh"),
        ('"${CLAUDE_PROJECT_DIR}"/x.py', "ROOT/x.py"),
        ("~/no-such-hook.sh", "HOME/no-such-hook.sh"),
        ("test -x /no/such && /no/such", ""),
        ("/no/such || true", ""),
        ("python3 -c 'print(1)' /no/such", ""),
        ("some-tool-of-theirs run /no/such", ""),
        ("$PLUGIN/x.sh", ""),
        ("'unclosed", ""),
        ("sh -s", ""),
        ("", ""),
    ],
)
def test_only_what_surely_leads_nowhere_is_dead(home: Path, command: str, dead: str) -> None:
    wanted = dead.replace("ROOT", "/some/root").replace("HOME", str(home))
    assert find_dead_part(command, "/some/root", "CLAUDE_PROJECT_DIR") == wanted


def test_ours_in_two_states_would_run_twice(
    clients: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ask(capsys, "install", "--yes", "--harness", "claude-code")
    settings = json.loads((clients / CLAUDE).read_text())
    state = find_user_paths().state
    other = clients / "other-state"
    (other / "hook").mkdir(parents=True)
    for name in ("python", "entry.py"):
        (other / "hook" / name).write_text("")
    text = json.dumps({"hooks": settings["hooks"]}).replace(state, str(other))
    (clients / "project" / ".claude").mkdir()
    (clients / "project" / ".claude" / "settings.json").write_text(text)
    told = find_told(examine(capsys, code=1), "more than one hook of ours")
    assert "turn_end" in told["what"]


def test_the_same_line_twice_counts_only_where_the_client_runs_it_twice(
    clients: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ask(capsys, "install", "--yes")
    for name in (CLAUDE, CODEX):
        copy = clients / "project" / name
        copy.parent.mkdir()
        copy.write_text(json.dumps({"hooks": json.loads((clients / name).read_text())["hooks"]}))
    told = find_told(examine(capsys, code=1), "more than one hook of ours")
    assert told["what"].startswith("codex ")


@pytest.mark.parametrize("enabled", [True, False])
def test_the_same_line_in_a_plugin_runs_beside_the_one_in_settings(
    clients: Path, capsys: pytest.CaptureFixture[str], enabled: bool
) -> None:
    ask(capsys, "install", "--yes", "--harness", "claude-code")
    settings = json.loads((clients / CLAUDE).read_text())
    plugin = clients / "a plugin" / "hooks" / "hooks.json"
    write_hooks(plugin, Stop=settings["hooks"]["Stop"][0]["hooks"][0]["command"], SessionEnd="echo theirs")
    noted = {"version": 2, "plugins": {"x@y": [{"installPath": str(clients / "a plugin")}, 7], "odd": 1}}
    (clients / ".claude" / "plugins").mkdir()
    (clients / ".claude" / "plugins" / "installed_plugins.json").write_text(json.dumps(noted))
    settings["enabledPlugins"]["x@y"] = enabled
    (clients / CLAUDE).write_text(json.dumps(settings))
    found = [each for each in examine(capsys) if "more than one hook of ours" in each["what"]]
    assert len(found) == enabled
    for each in found:
        assert "for turn_end:" in each["what"]
        assert str(plugin) in each["what"]


def test_hooks_that_wait_for_trust_are_told_until_they_have_it(
    clients: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = clients / CODEX
    write_hooks(path, Stop="echo theirs")
    ask(capsys, "install", "--yes", "--harness", "codex")
    told = find_told(examine(capsys), "wait to be trusted")
    assert "9 of our 9" in told["what"]
    assert "start `codex` once" in told["fix"]
    handlers = [each for each in find_handlers(json.loads(path.read_text())) if "entry.py" in each.command]
    rows = [
        f'[hooks.state."{codex.build_trust_key(str(path), each)}"]\ntrusted_hash = "{codex.build_trust_hash(each)}"\n'
        for each in handlers
    ]
    (clients / ".codex" / "config.toml").write_text("".join(rows))
    assert not [each for each in examine(capsys) if "trusted" in each["what"]]
    changed = sum(each.entry["timeout"] == 10 for each in handlers)
    assert 0 < changed < len(handlers) == 9
    path.write_text(path.read_text().replace('"timeout": 10', '"timeout": 11'))
    assert f"{changed} of our 9" in find_told(examine(capsys), "wait to be trusted")["what"]


@pytest.mark.parametrize("key", ["disableAllHooks", "allowManagedHooksOnly", "strictKnownMarketplaces"])
def test_managed_settings_that_forbid_us_are_named(
    clients: Path, key: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    managed = clients / "managed-settings.json"
    managed.write_text(json.dumps({key: [] if key == "strictKnownMarketplaces" else True}))
    monkeypatch.setattr(claude_code, "MANAGED", (str(managed),))
    told = find_told(examine(capsys), str(managed))
    assert "ask whoever manages this machine" in told["fix"]


def test_what_a_clients_own_settings_switch_off_is_told(
    clients: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ask(capsys, "install", "--yes")
    settings = json.loads((clients / CLAUDE).read_text())
    settings["enabledPlugins"]["thruline@thruline"] = False
    (clients / CLAUDE).write_text(json.dumps({**settings, "disableAllHooks": True}))
    (clients / ".codex" / "config.toml").write_text(
        '[features]\nhooks = false\n[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "x"\n'
    )
    required = clients / "requirements.toml"
    required.write_text("allow_managed_hooks_only = true\n")
    monkeypatch.setattr(codex, "REQUIREMENTS", str(required))
    found = examine(capsys)
    for words in (
        "disableAllHooks in",
        "The plugin is switched off",
        "features.hooks",
        "both in",
        "allow_managed_hooks_only",
    ):
        find_told(found, words)


def test_a_second_configuration_folder_without_ours_is_told(
    clients: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ask(capsys, "install", "--yes", "--harness", "claude-code")
    (clients / "second").mkdir()
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", f"{clients / '.claude'},{clients / 'second'}")
    told = find_told(examine(capsys), "hooks are not there")
    assert str(clients / "second" / "settings.json") in told["what"]
    assert told["fix"] == "thruline install --harness claude-code"


def test_settings_that_are_no_json_are_told_and_left(clients: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (clients / CLAUDE).write_text('{"hooks": ')
    find_told(examine(capsys, "--fix"), "it is no JSON")
    assert (clients / CLAUDE).read_text() == '{"hooks": '


@pytest.mark.parametrize("what", ["stub", "link", "package", "version"])
def test_a_stale_door_is_broken_and_mended_by_fix(clients: Path, what: str, capsys: pytest.CaptureFixture[str]) -> None:
    ask(capsys, "install", "--yes")
    user = find_user_paths()
    stub, link = Path(user.hook_entry), Path(user.hook_python)
    now = stub.read_text()
    if what == "stub":
        stub.unlink()
    elif what == "link":
        link.unlink()
        link.symlink_to(clients / "gone")
    elif what == "package":
        stub.write_text(now.replace("sys.path.append('", "sys.path.append('/gone"))
    else:
        stub.write_text(now.replace("# Written by thruline ", "# Written by thruline 0.0."))
    assert [each for each in examine(capsys, code=1) if each["name"] == "door" and each["state"] == "broken"]
    assert not [each for each in examine(capsys, "--fix") if each["name"] == "door" and each["state"] == "broken"]
    assert stub.read_text() == now
    assert link.exists()


def test_hooks_that_are_off_or_met_trouble_are_told(
    clients: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from thruline.clock import read_clock, render_time

    user = find_user_paths()
    log = Path(user.hook_errors)
    log.parent.mkdir(parents=True)
    now = render_time(read_clock())
    line = {"at": now, "harness": "codex", "event": "prompt", "error": "Unusable", "detail": "not JSON", "place": ""}
    rows = [line, line, {**line, "at": "2020-01-01T00:00:00Z"}, {**line, "detail": "no end within 5 s", "event": ""}]
    log.write_text("".join(json.dumps(row) + "\n" for row in rows) + "torn {\n")
    ask(capsys, "off")
    ask(capsys, "off", "--here")
    assert os.path.exists(HookPaths(user.state, build_project_key("", os.path.realpath("."))).off)
    monkeypatch.setenv("THRULINE_OFF", "1")
    found = examine(capsys)
    assert "1 hook took too long and was given up" in find_told(found, "took too long")["what"]
    assert "2 times; most often codex prompt: not JSON (2)" in find_told(found, "met trouble")["what"]
    assert find_told(found, "off everywhere")["fix"] == "thruline on"
    assert find_told(found, "Hooks are off in")["fix"] == "thruline on --here"
    find_told(found, "THRULINE_OFF")


def test_slow_hooks_are_told_with_the_slowest(clients: Path, capsys: pytest.CaptureFixture[str]) -> None:
    user = find_user_paths()
    for seconds, event in ((1.2, "prompt"), (2.5, "turn_end")):
        write_slow(user.slow_hooks, "codex", event, seconds)
    with open(user.slow_hooks, "a", encoding="ascii") as log:
        log.write('{"at": "2020-01-01T00:00:00Z", "harness": "x", "event": "y", "seconds": 9}\n[1]\ntorn {\n')
    told = find_told(examine(capsys), "longer than a second")
    assert "2 hooks took longer than a second, the slowest 2.5 s (codex turn_end)" in told["what"]
    assert "disk" in told["fix"]
