"""Which engine a handoff asks, with whose settings, and what it answered before."""

import hashlib
import os
from dataclasses import dataclass

from thruline.config import load_config
from thruline.config.schema import Models
from thruline.engines.gate import Gate, Purpose
from thruline.engines.receipts import find_project_name
from thruline.engines.rules import VERSION
from thruline.extract.prompt import build_version
from thruline.layout import ProjectPaths, find_user_paths
from thruline.operations.handoff.ask import Asked, Tell, ask_brief
from thruline.operations.handoff.cache import Key, keep_brief, read_cached
from thruline.operations.sessions.describe import describe_sources
from thruline.operations.sessions.locate import Located
from thruline.operations.sessions.measure import measure_files, stamp_files
from thruline.value import replace

FEATURE = "handoff"


@dataclass(frozen=True, slots=True)
class Setting:
    """Everything that asking needs and a session does not tell."""

    engine: str
    models: Models
    receipts: str
    purpose: Purpose
    root: str
    overrides: str
    cache: str


def build_setting(located: Located, engine: str, project: ProjectPaths) -> Setting:
    """The user's settings, and the project's where it may narrow them."""
    user = find_user_paths()
    return Setting(
        engine=engine,
        models=load_config(project, user, os.environ).models,
        receipts=user.receipts,
        purpose=Purpose(FEATURE, find_project_name(project.root), located.session_id),
        root=project.root,
        overrides=os.path.join(user.config, "prompts"),
        cache=os.path.join(user.cache, "handoff"),
    )


def ask_cached(
    located: Located, setting: Setting, project: ProjectPaths, *, budget: int, fresh: bool, tell: Tell
) -> tuple[str, Asked | None]:
    """The brief's text, and how it came to be unless it was made before for this very state."""
    own = describe_sources(located, session="", leaf="")[0]
    prompts = f"{build_version(setting.overrides)}-{_name_settings(setting.models)}"
    size, stamp = measure_files(located), stamp_files(located)
    key = Key(located.session_id, "", size, setting.engine, str(VERSION), prompts, budget, own.digest, own.path, stamp)
    kept = None if fresh else read_cached(project, key)
    if kept is not None:
        return kept, None
    gate = Gate(setting.engine, setting.models, setting.receipts, setting.purpose)
    asked = ask_brief(
        located,
        gate,
        origin=setting.engine,
        root=setting.root,
        overrides=setting.overrides,
        cache=setting.cache,
        budget=budget,
        tell=tell,
    )
    text = asked.made.rendered.text
    # What the rules had to stand in for is asked again the next time; a file written anew is not what the key says.
    if not asked.failures and stamp_files(located) == stamp:
        _, trouble = keep_brief(project, replace(key, leaf=asked.made.leaf), text)
        asked = Asked(asked.made, asked.failures, asked.calls, trouble)
    return text, asked


def _name_settings(models: Models) -> str:
    """A name for what decides who answers beside the engine's own: another model or server is another answer."""
    told = f"{models.model}\0{models.base_url}".encode("utf-8", "replace")
    return hashlib.sha256(told).hexdigest()[:8]
