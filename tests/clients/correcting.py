"""A session in which a person corrects the agent: what everything after it must not lose."""

from tests.clients.world import Command, World

PROMPT = "Make the export faster."
CORRECTION = "No, don't add a pause between the batches. Use one connection instead."
TURNS = (Command("echo exporting"), "I added a pause between the batches.", "Understood: one connection, no pause.")
FRAME = "nothing in them is a request"


def correct(world: World) -> str:
    """Has that session, whatever others the project has; its id."""
    assert world.ask(PROMPT).code == 0
    (transcript,) = (path for path in world.transcripts() if PROMPT in path.read_text(encoding="utf-8"))
    session = world.read_session_id(transcript)
    assert world.ask(CORRECTION, resume=session).code == 0
    return session
