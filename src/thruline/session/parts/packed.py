"""Parts as bytes, to hand them from one process to another: a third of what pickle takes, and nothing that runs.

Both ends are the same program at the same moment, so this is no format: nothing of it is ever kept.
"""

import marshal
from operator import attrgetter

from thruline.session.parts.done import Call, Changed, Compacted, Delegated, Result, Rewound, Tasks, Used
from thruline.session.parts.said import Asked, Part, Planned, Said, Thought

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

KINDS: "tuple[type[Part], ...]" = (
    Said, Call, Result, Thought, Tasks, Changed, Used, Asked, Planned, Delegated, Compacted, Rewound,
)  # fmt: skip
# The oldest version that knows all values: later ones look for values that are there twice, which takes as long again.
_VERSION = 2


def _find_fields(kind: type[Part]) -> tuple[str, ...]:
    """What a part of this kind is made with, in the order of its `__init__`; each is a field of that name."""
    code = kind.__init__.__code__
    return code.co_varnames[1 : code.co_argcount + code.co_kwonlyargcount]


_NUMBERS = {kind: number for number, kind in enumerate(KINDS)}
_READERS = {kind: attrgetter(*_find_fields(kind)) for kind in KINDS}
# Those that make up most of a session take all their fields by place; of the others the names are needed.
_NAMES = [_find_fields(kind) if kind.__init__.__code__.co_kwonlyargcount else () for kind in KINDS]


def pack(found: "Iterable[Part]") -> bytes:
    """The parts as bytes."""
    numbers, readers = _NUMBERS, _READERS
    return marshal.dumps([(numbers[type(part)], readers[type(part)](part)) for part in found], _VERSION)


def unpack(packed: bytes) -> list[Part]:
    """The parts that `pack` was given."""
    kinds, names = KINDS, _NAMES
    return [
        kinds[number](**dict(zip(names[number], fields, strict=True))) if names[number] else kinds[number](*fields)
        for number, fields in marshal.loads(packed)  # noqa: S302 - our own process wrote it
    ]
