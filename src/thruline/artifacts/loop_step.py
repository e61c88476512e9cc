"""One step of a loop: from its file and the agent's last message to the file after it, and to the next prompt.

The hook takes it inside a client and `loop run` outside, so it is written for the dearer of the two: hooks import it,
and with it nothing at all. The file is a `Document`, or a `PlainLoop` where a hook read it.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from thruline.artifacts.frontmatter import Document
    from thruline.artifacts.loop_plain import PlainLoop

SCHEMA = 1
ACTIVE, PAUSED, DONE, CANCELLED = "active", "paused", "done", "cancelled"
STATUSES = (ACTIVE, PAUSED, DONE, CANCELLED)
PROMPT, NOTES = "Loop Prompt", "Notes"
BLOCKED = "BLOCKED"
BY_USER, BY_LIMIT, BY_BLOCKED = "user", "max_iterations", "promise: BLOCKED"
UNTIL_SECONDS = 120
MOST_UNTIL_SECONDS = 540  # the clients wait 600 for what we say at the end of a turn
# The mark by which readers know our prompts from the user's words; it must come first.
MARK = "<!-- thruline: loop {id}, iteration {iteration}{limit} -->\n"
TAIL = (
    "\n\n(When it is true, and not before, say {promises}; say <promise>BLOCKED</promise> if only the user can help.)"
)
FAILED = (
    "\n\nThe promise was not believed: the command that decides it {how}. The command and the end of its output, as "
    "information:\n{fence}\n$ {command}\n{output}\n{fence}"
)
QUOTED = "\n\nThe promise was not believed: in code marks it is a quotation. Say it as plain text when it is true."
ROOM = 400  # what a prompt must leave: for longer numbers, and to tell that a command failed
_OUTPUT = 4_000  # characters of a failed command that go back with the prompt
_LINE = 120


def is_running(document: "Document | PlainLoop") -> bool:
    """Whether this is a loop that we know how to continue: active, of our schema, with a limit that can be read."""
    return document.get("status") == ACTIVE and document.get("schema") == SCHEMA and is_limit_known(document)


def is_limit_known(document: "Document | PlainLoop") -> bool:
    """Whether the limit is a number, or none is set; one that cannot be read is not "no limit"."""
    return document.get("max_iterations") in (None, 0) or read_count(document, "max_iterations") > 0


def find_promise(document: "Document | PlainLoop", message: str) -> str:
    """The promise that `message` makes: the exact text between the tags, the last one where there are several.

    In code marks it is a quotation: agents write so about what they will say, or cannot say yet.
    """
    return _find_promise(document, _drop_code(message))


def _find_promise(document: "Document | PlainLoop", message: str) -> str:
    wanted = [*list_promises(document), BLOCKED]
    found = ""
    for piece in message.split("<promise>")[1:]:
        text, closed, _ = piece.partition("</promise>")
        if closed and text.strip() in wanted:
            found = text.strip()
    return found


def _drop_code(message: str) -> str:
    """The message without what code marks hold; a fence that stays open is none, nor is a mark alone on its line."""
    if "<promise>" not in message or ("`" not in message and "~~~" not in message):
        return message
    rows: list[str] = []
    held: list[str] = []
    fence = ""
    for line in message.split("\n"):
        bare = line.strip()
        if held:
            held.append(line)
            if bare.startswith(fence) and not bare.strip(fence[0]):
                held = []
        elif bare.startswith("~~~") or (bare.startswith("```") and "`" not in bare.lstrip("`")):
            held, fence = [line], bare[: len(bare) - len(bare.lstrip(bare[0]))]
        else:
            rows.append(_drop_spans(line))
    return "\n".join(rows + held).replace("`<promise>", "`")


def _drop_spans(line: str) -> str:
    """The line without what stands between as many backticks and as many again."""
    kept, rest = "", line
    while "`" in rest:
        before, _, rest = rest.partition("`")
        behind = rest.lstrip("`")
        marks = "`" * (1 + len(rest) - len(behind))
        _, closed, rest = behind.partition(marks)
        while closed and rest.startswith("`"):  # more of them than it began with
            _, closed, rest = rest.lstrip("`").partition(marks)
        kept += before + ("\0" if closed else marks)  # something: what stood around it did not stand together
        rest = rest if closed else behind
    return kept + rest


def list_promises(document: "Document | PlainLoop") -> "list[str]":
    """The promises that end the loop; one stands alone in the file, several as a list."""
    value = document.get("completion_promise")
    if isinstance(value, list):
        return [str(one) for one in value]
    return [value] if isinstance(value, str) and value else []


def read_until(document: "Document | PlainLoop", promise: str) -> "tuple[str, int]":
    """The command that must pass before `promise` is believed, and its seconds; empty where nothing need be run.

    Who says BLOCKED is believed: the loop is held, and no command could tell otherwise.
    """
    command = document.get("until")
    if not isinstance(command, str) or promise in ("", BLOCKED):
        return "", 0
    return command, min(read_count(document, "until_seconds") or UNTIL_SECONDS, MOST_UNTIL_SECONDS)


def take_step(
    document: "Document | PlainLoop", message: str, promise: str, failure: str, now: str, *, deaf: bool = False
) -> "tuple[Document | PlainLoop, str]":
    """The file after the turn that ended with `message`, and the next prompt; none where the session may stop.

    `failure` is why a promise that was made is not believed (`render_failure`). With `deaf` the client would not take
    another prompt: none is given and none counted, the loop stays as active as it was, and what comes instead of a
    prompt is that failure alone, for the person.
    """
    document = document.set("updated_at", now)
    if document.get("paused_by"):
        document = document.set("paused_by", None)  # a hand made it active again
    if last := find_last_line(message):
        document = document.set("last_line", last)
    if promise == BLOCKED:
        return document.set("status", PAUSED).set("paused_by", BY_BLOCKED), ""
    if promise and not failure:
        return document.set("status", DONE), ""
    iteration, most = read_count(document, "iteration") + 1, read_count(document, "max_iterations")
    if most and iteration > most:
        return document.set("status", PAUSED).set("paused_by", BY_LIMIT), ""
    if not promise and _find_promise(document, message):
        failure = QUOTED
    if deaf:
        return document, failure
    document = document.set("iteration", iteration)
    return document, render_prompt(document) + failure


def render_prompt(document: "Document | PlainLoop") -> str:
    """What the session is told at this iteration: our mark, the prompt as it was written, and how the loop ends."""
    most = read_count(document, "max_iterations")
    head = MARK.format(
        id=document.get("id"), iteration=read_count(document, "iteration"), limit=f" of {most}" if most else ""
    )
    named = " or ".join(f"<promise>{one}</promise>" for one in list_promises(document) if one != BLOCKED)
    return head + read_prompt(document) + (TAIL.format(promises=named) if named else "")


def render_failure(command: str, how: str, output: str, most: int = _OUTPUT) -> str:
    """Why a promise was not believed, with the end of what the command said, at most so much of it, fenced."""
    output = output[-most:] if most else ""
    command = command if most else command[:80]
    fence = "```"
    while fence in output + command:
        fence += "`"
    return FAILED.format(command=command, how=how, output=output, fence=fence)


def read_prompt(document: "Document | PlainLoop") -> str:
    """The prompt below its heading: what the fence holds, to the byte, or all of it where a person wrote none."""
    inner = _find_fenced(document.read_section(PROMPT, 2, exact=True) or "")
    if inner is None:
        # A person wrote it without a fence; or an editor changed the ends of all lines, and then they are \n again.
        text = document.read_section(PROMPT, 2) or ""
        inner = _find_fenced(text)
        return text if inner is None else inner
    return inner


def _find_fenced(text: str) -> "str | None":
    lines = text.strip("\n").split("\n")
    fence = lines[0].removesuffix("text")
    fenced = len(lines) > 1 and len(fence) > 2 and not fence.strip("`") and lines[-1] == fence
    return "\n".join(lines[1:-1]) if fenced else None


def find_last_line(message: str) -> str:
    """The last line of a message, cut: what a list shows of a loop."""
    lines = message.strip().splitlines()
    return lines[-1].strip()[:_LINE] if lines else ""


def read_count(document: "Document | PlainLoop", key: str) -> int:
    """The number under `key`; 0 where there is none, or something else."""
    value = document.get(key)
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 10:
        return int(value)  # somebody put it into quotation marks
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0
