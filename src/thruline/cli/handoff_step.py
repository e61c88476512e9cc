"""How a step of an agent's handoff is printed: tasks to copy, then the command that follows."""

from thruline.extract.prompt import render_value
from thruline.operations.handoff.tasks import Step


def render_step(step: Step) -> str:
    """One block a task; the lines below its name are its whole prompt."""
    blocks = [f"{len(step.tasks)} tasks. Spawn all of them in ONE block; the lines below a name are the whole prompt."]
    for task in step.tasks:
        lines = [f"{name}: {render_value(value)}" for name, value in task.inputs.items()]
        blocks.append("\n".join([f"agent {task.agent}", *(f"  {line}" for line in lines)]))
    blocks.append(f"then run\n  {step.then}")
    return "\n\n".join(blocks)
