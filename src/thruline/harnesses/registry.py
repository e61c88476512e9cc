"""The harnesses that thruline knows: one literal table, the only place outside their folders that names them.

What a harness can do is which modules its `package` has (`wire`, `reader`, `find`, `install`, `launch`, `oneshot`);
what is true of it without any code is a field here. Every list of sessions imports this module, so it does without
`dataclasses`, which alone costs as much as such a list may.
"""

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


class Harness:
    """One foreign client.

    `home` is where it keeps its files, below the user's home folder. `home_variable` moves it: to the variable's value
    with `home_below` behind it, or as its `find.find_homes` reads it. `session_variable` holds the session's id in
    the shell of its tools; empty if none.
    `launch_env_drop` are the variables that it gives its tools and that a client opened from there must not see: it
    would take itself for a part of the session it was opened from.
    """

    name: str
    title: str
    package: str
    programs: "tuple[str, ...]"
    npm: str
    home: str
    home_variable: str = ""
    home_below: str = ""
    session_variable: str = ""
    launch_env_drop: "tuple[str, ...]" = ()

    def __init__(self, **fields: "str | int | tuple[str, ...]") -> None:
        # A default is the class's own attribute.
        for field in fields:
            if field not in self.__annotations__:
                raise TypeError(f"a harness has no {field}")
        self.__dict__.update(fields)

    def __repr__(self) -> str:
        return f"Harness({self.name!r})"


HARNESSES: "tuple[Harness, ...]" = (
    Harness(
        name="claude-code",
        title="Claude Code",
        package="thruline.harnesses.claude_code",
        programs=("claude",),
        npm="@anthropic-ai/claude-code",
        home=".claude",
        home_variable="CLAUDE_CONFIG_DIR",
        session_variable="CLAUDE_CODE_SESSION_ID",
        launch_env_drop=("CLAUDECODE", "CLAUDE_CODE_CHILD_SESSION", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SESSION_ID"),
    ),
    Harness(
        name="codex",
        title="Codex CLI",
        package="thruline.harnesses.codex",
        programs=("codex",),
        npm="@openai/codex",
        home=".codex",
        home_variable="CODEX_HOME",
        session_variable="CODEX_SESSION_ID",
        launch_env_drop=("CODEX_SESSION_ID", "CODEX_THREAD_ID"),
    ),
    Harness(
        name="gemini-cli",
        title="Gemini CLI",
        package="thruline.harnesses.gemini_cli",
        programs=("gemini",),
        npm="@google/gemini-cli",
        home=".gemini",
        home_variable="GEMINI_CLI_HOME",
        home_below=".gemini",
    ),
    Harness(
        name="opencode",
        title="OpenCode",
        package="thruline.harnesses.opencode",
        programs=("opencode",),
        npm="opencode-ai",
        home=".local/share/opencode",
        home_variable="XDG_DATA_HOME",
        home_below="opencode",
    ),
    Harness(
        name="droid",
        title="Factory Droid",
        package="thruline.harnesses.droid",
        programs=("droid",),
        npm="@factory/cli-linux-x64",
        home=".factory",
    ),
    Harness(
        name="copilot",
        title="GitHub Copilot CLI",
        package="thruline.harnesses.copilot",
        programs=("copilot",),
        npm="@github/copilot",
        home=".copilot",
        home_variable="COPILOT_HOME",
        session_variable="COPILOT_AGENT_SESSION_ID",
    ),
    Harness(
        name="qwen",
        title="Qwen Code",
        package="thruline.harnesses.qwen",
        programs=("qwen",),
        npm="@qwen-code/qwen-code",
        home=".qwen",
    ),
    Harness(
        name="pi",
        title="pi",
        package="thruline.harnesses.pi",
        programs=("pi",),
        npm="@mariozechner/pi-coding-agent",
        home=".pi/agent",
        home_variable="PI_CODING_AGENT_DIR",
    ),
)


def find_program(names: "tuple[str, ...]", env: "Mapping[str, str]") -> str:
    """The first of `names` in PATH, or nothing."""
    ends = [end.lower() for end in env.get("PATHEXT", ".EXE;.CMD").split(";")] if sys.platform == "win32" else [""]
    for folder in env.get("PATH", "").split(os.pathsep):
        for name in names:
            for end in ends:
                path = os.path.join(folder, name + end)
                if os.path.isabs(folder) and os.path.isfile(path) and os.access(path, os.X_OK):
                    return path
    return ""
