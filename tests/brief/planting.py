"""Sessions that hold an attack wherever one can stand."""

from pathlib import Path

from tests.brief.attacks import Attack
from tests.harnesses.claude_code.conftest import Transcript


def plant(attack: Attack, folder: Path) -> Transcript:
    """A session that holds the attack as a prompt, an answer, a failed tool's text, a refusal and a plan."""
    talk = Transcript(folder / "t" / "5e551011-0000-4000-8000-000000000001.jsonl")
    talk.user(attack.text)
    talk.agent(f"The page says: {attack.text}")
    talk.call("t1", "Bash", command=f"cat {attack.text}")
    talk.result("t1", attack.text, error=True)
    talk.call("t2", "Edit", file_path=attack.text, old_string="a", new_string="b")
    refusal = "The user doesn't want to proceed with this tool use. The tool use was rejected. the user said:\n"
    talk.result("t2", refusal + attack.text, error=True)
    talk.agent({"type": "tool_use", "id": "t3", "name": "ExitPlanMode", "input": {"plan": attack.text}})
    talk.result("t3", "User has approved your plan.", result={"plan": attack.text})
    talk.agent("Done with it.")
    return talk


def plant_names(attack: Attack, folder: Path) -> Transcript:
    """A session that holds the attack wherever somebody else chooses a name.

    Title, branch, folder, files, commits, tools, commands, models, versions, times, ids of session and records.
    """
    talk = Transcript(folder / "t" / "5e551011-0000-4000-8000-000000000001.jsonl", session=attack.text)
    flat = " ".join(attack.text.split())
    at = {"gitBranch": attack.text, "cwd": f"/home/dev/{attack.text}", "version": attack.text}
    talk.note(type="ai-title", aiTitle=attack.text)
    talk.user("Make the export safe for two workers.", **at)
    talk.agent("I will add a lock to the exporter.", **at)
    for number, path in enumerate((f"/home/dev/shop/{attack.text}", attack.text, f"docs/{attack.text}/a.md")):
        talk.call(f"w{number}", "Write", file_path=path, content="x")
        talk.result(f"w{number}", "File created", result={"type": "create", "filePath": path})
    talk.call("e1", "Edit", file_path=f"src/{attack.text}", old_string="a", new_string="b")
    talk.result("e1", f"String to replace not found. {attack.text}", error=True)
    for number, command in enumerate((f"make {attack.text}", attack.text, f"pytest -q {attack.text}")):
        talk.call(f"m{number}", "Bash", command=command)
        talk.result(f"m{number}", "built")
    for number in range(2):
        talk.call(f"f{number}", "Bash", command=f"pytest -k {attack.text}")
        talk.result(f"f{number}", "Exit code 1\nno", error=True)
    talk.call("c1", "Bash", command=f"git commit -m {attack.text}")
    talk.result("c1", f"[main 1a2b3c4] {flat}\n 1 file changed, 1 insertion(+)")
    talk.call("r1", "Bash", command=f"git checkout -- {attack.text}")
    talk.result("r1", "Updated 1 path")
    talk.call("a1", "Task", description=attack.text, prompt="look", subagent_type="general")
    talk.result("a1", "Error: it was stopped", error=True)
    talk.call("t1", "TodoWrite", todos=[{"content": attack.text, "status": "pending", "activeForm": "x"}])
    talk.result("t1", "Todos have been modified")
    talk.call("q1", "Edit", file_path=attack.text, old_string="a", new_string="b")
    refusal = "The user doesn't want to proceed with this tool use. The tool use was rejected. the user said:\n"
    talk.result("q1", refusal + "not that file", error=True)
    talk.call("q2", attack.text, command=attack.text)
    talk.result("q2", refusal + "not that tool", error=True)
    model = {"id": "m", "type": "message", "role": "assistant", "model": attack.text}
    done = [{"type": "text", "text": "The lock is in place now, and the export is safe."}]
    talk.record("assistant", message=model | {"content": done}, uuid=attack.text, **at)
    return talk


def plant_definitions(attack: Attack, folder: Path) -> Transcript:
    """A session that edits files which define the attack's words, in their order and each in a line of its own."""
    talk = Transcript(folder / "t" / "5e551011-0000-4000-8000-000000000001.jsonl")
    talk.user("Make the export safe for two workers.")
    code = "".join(f"def {name}(rows):\n    return rows\n" for name in attack.text.split())
    for number, (old, new) in enumerate((("", code), (code, code + "\n"))):
        talk.call(f"e{number}", "Edit", file_path=f"/home/dev/shop/lock_{number}.py", old_string=old, new_string=new)
        talk.result(f"e{number}", "The file has been updated.")
    talk.call(
        "e9", "Edit", file_path="/home/dev/shop/lock.py", old_string="", new_string="def hold_lock(row):\n    pass"
    )
    talk.result("e9", "The file has been updated.")
    talk.agent("The lock is in place now, and the export is safe.")
    return talk
