"""What an engine is given: the folds of one pass over a session, the mined signals, and git's answer."""

from thruline.engines.rules.material import Material
from thruline.gitfacts import Commit, DiffStat, NoAnswer, Status
from thruline.session.aside import Aside
from thruline.session.ledger import Ledger
from thruline.session.summary import Summary
from thruline.signals.signal import Signal
from thruline.value import dataclass, field


@dataclass(frozen=True, slots=True)
class GitState:
    """What git said of the project. `absent` tells in words why it was not asked; then there is nothing else."""

    absent: str = ""
    status: Status | NoAnswer | None = None
    log: tuple[Commit, ...] | NoAnswer = ()
    diff: DiffStat | NoAnswer | None = None


@dataclass(frozen=True, slots=True)
class Facts:
    """One session, read; `aside` is what its subagents did."""

    summary: Summary
    ledger: Ledger
    material: Material
    signals: tuple[Signal, ...] = ()
    git: GitState = field(default_factory=GitState)
    aside: Aside = field(default_factory=Aside)
