"""Every command: its name, the module that holds it, and its one line of help.

Literal tables, so that `thruline --help` imports no command and docs/cli.md is generated from one place.
"""

COMMANDS: dict[str, tuple[str, str]] = {
    "sessions": ("thruline.cli.sessions", "List sessions and look into one."),
    "handoff": ("thruline.cli.handoff", "Print what the next session must know of one."),
    "pickup": ("thruline.cli.pickup", "Print the prompt that continues a packet."),
    "packet": ("thruline.cli.packet", "List, read and move on the packets of this project."),
    "files": ("thruline.cli.files", "Choose the files of a packet."),
    "relay": ("thruline.cli.relay", "Continue a session in another client."),
    "loop": ("thruline.cli.loop", "Repeat a prompt in a session until its promise is kept."),
    "continue": ("thruline.cli.continuing", "Print what the last session and its agents left here."),
    "signal": ("thruline.cli.signal", "Write and check the handoffs that agents leave each other."),
    "verify": ("thruline.cli.verify", "Check every quotation and pointer of a brief, packet or fork."),
    "receipt": ("thruline.cli.receipt", "Show what models cost, by feature, model or project."),
    "statusline": ("thruline.cli.statusline", "Show what our line in a client's status bar says."),
    "injected": ("thruline.cli.injected", "Show what we told which session's model, when and why."),
    "archive": ("thruline.cli.archive", "Keep copies of sessions that outlive their client's."),
    "forget": ("thruline.cli.forget", "Remove everything we keep of a session."),
    "config": ("thruline.cli.config", "Show and change settings, and where each value comes from."),
    "context": ("thruline.cli.context", "Give a project its context folder, or show what it has."),
    "doctor": ("thruline.cli.doctor", "Check this machine and project; every finding comes with a fix."),
    "install": ("thruline.cli.install", "Set up hooks and commands in the coding agents of this machine."),
    "uninstall": ("thruline.cli.uninstall", "Take our hooks and commands out again, and nothing else."),
    "migrate": ("thruline.cli.migrate", "Make packets of what other tools left in this project."),
    "off": ("thruline.cli.off", "Silence every hook of ours, here or everywhere."),
    "on": ("thruline.cli.on", "Let our hooks answer again."),
    "roster": ("thruline.cli.roster", "Check command, agent and skill files, ours and yours."),
    "scrub": ("thruline.cli.scrub", "Remove secrets from a file, after showing what would change."),
    "bench": ("thruline.cli.bench", "Measure this thruline, from its source."),
    "completion": ("thruline.cli.completion", "Print the completion script of your shell."),
}

# Commands that are asked for many times a day and answer from files that lie ready: the module that declares each for
# both lanes, with and without click (docs/design/0026-quick-lane.md).
QUICK: dict[str, str] = {
    "handoff brief": "thruline.cli.handoff_brief",
    "handoff prepare": "thruline.cli.handoff_spine",
    "loop list": "thruline.cli.loop_list",
    "packet list": "thruline.cli.packet_list",
    "sessions list": "thruline.cli.sessions_list",
}

# The commands of `handoff` and their modules; what names none of them is meant for the first.
HANDOFF: dict[str, str] = {
    "brief": "thruline.cli.handoff_brief_click",
    "prepare": "thruline.cli.handoff_prepare",
    "prompt": "thruline.cli.handoff_prompt",
    "reduce": "thruline.cli.handoff_merge",
    "finalize": "thruline.cli.handoff_merge",
}
DEFAULTS: dict[str, dict[str, str]] = {"handoff": HANDOFF}

# Commands that programs of ours start, and that no list shows.
HIDDEN: dict[str, str] = {
    "work": "thruline.cli.work",
    "hook": "thruline.cli.hook",
}
