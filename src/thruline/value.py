"""Dataclasses that cost a sixth to define, for rooms that a command imports while somebody waits.

A brief defines some forty values. The standard decorator writes seven functions for each, compiles them one by one and
imports `inspect`: together more time than reading twenty megabytes. This one writes `__init__` alone; equality, hash
and the rest are closures. Whoever asks with `dataclasses.replace`, `fields` or `asdict` is answered as by the real
ones, which are then made. Type checkers see the real ones anyway.

Known are `frozen`, `slots` (always), defaults, `field(default_factory=…)`, `__post_init__` and, for what is no part of
what a value is, `field(default=…, compare=False)`; no field is inherited.
"""

from operator import attrgetter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from dataclasses import dataclass as dataclass
    from dataclasses import field as field
    from dataclasses import replace as replace
else:

    class field:  # noqa: N801 - the standard's own word
        """A default that is made anew for each value, or one that two values may differ in."""

        __slots__ = ("compare", "make")

        def __init__(self, *, default_factory=None, default=None, compare=True):
            self.make = default_factory or (lambda: default)
            self.compare = compare

    def dataclass(*, frozen=False, slots=True):
        """A decorator: the class with slots for its annotated names, and what a dataclass has."""
        assert slots, "always with slots"
        return lambda given: _build(given, frozen)

    def replace(value, /, **changes):
        """The value with other contents in some of its fields."""
        kind = value.__class__
        return kind(**{name: getattr(value, name) for name in kind.__match_args__} | changes)


def _build(given: type, frozen: bool) -> type:
    names = tuple(given.__annotations__)
    body = {name: each for name, each in given.__dict__.items() if name not in ("__dict__", "__weakref__")}
    defaults = {name: body.pop(name) for name in names if name in body}
    body |= {"__slots__": names, "__match_args__": names, "__dataclass_fields__": _Fields(defaults)}
    told = tuple(name for name in names if getattr(defaults.get(name), "compare", True) is not False)
    body |= _build_methods(given.__qualname__, names, told, frozen)
    made = type(given.__name__, given.__bases__, body)

    def begin(self: object, *given: object, **named: object) -> None:
        # Of the values that a command's rooms define it makes half: an `__init__` is written with the first.
        made.__init__ = _build_init(made, names, defaults, frozen)  # type: ignore[misc]
        made.__init__(self, *given, **named)  # type: ignore[misc]

    made.__init__ = begin  # type: ignore[misc]
    return made


def _build_init(made: type, names: tuple[str, ...], defaults: dict[str, object], frozen: bool) -> object:
    # A frozen class is filled through its slots, since it lets nobody assign.
    space = {f"_set_{name}": made.__dict__[name].__set__ for name in names} if frozen else {}
    space |= {f"_usual_{name}": _find_usual(each) for name, each in defaults.items()}
    given = ", ".join(f"{name}=_usual_{name}" if name in defaults else name for name in names)
    lines = [f"def __init__(self, {given}):"]
    for name in names:
        value = f"_usual_{name}() if {name} is _usual_{name} else {name}" if _is_factory(defaults.get(name)) else name
        lines.append(f" _set_{name}(self, {value})" if frozen else f" self.{name} = {value}")
    if hasattr(made, "__post_init__"):
        lines.append(" self.__post_init__()")
    exec("\n".join(lines), space)  # noqa: S102 - the names of a class that is being defined, as dataclasses does
    return space["__init__"]


def _is_factory(default: object) -> bool:
    return type(default).__name__ == "field"


def _find_usual(default: object) -> object:
    return default.make if _is_factory(default) else default  # type: ignore[attr-defined]


def _build_methods(name: str, names: tuple[str, ...], told: tuple[str, ...], frozen: bool) -> dict[str, object]:
    key, every = _build_reader(told), _build_reader(names)

    def equal(self: object, other: object) -> bool:
        return bool(key(self) == key(other)) if other.__class__ is self.__class__ else NotImplemented

    def tell(self: object) -> str:
        return f"{name}({', '.join(f'{each}={getattr(self, each)!r}' for each in told)})"

    def reduce(self: object) -> tuple[object, ...]:
        return self.__class__, every(self)

    def refuse(self: object, changed: str, *_: object) -> None:
        from dataclasses import FrozenInstanceError

        raise FrozenInstanceError(f"cannot assign to or delete field {changed!r}")

    methods: dict[str, object] = {"__eq__": equal, "__repr__": tell, "__reduce__": reduce, "__hash__": None}
    if frozen:
        methods |= {"__hash__": lambda self: hash(key(self)), "__setattr__": refuse, "__delattr__": refuse}
    return methods


def _build_reader(names: tuple[str, ...]) -> "Callable[[object], tuple[object, ...]]":
    read = attrgetter(*names)
    return read if len(names) > 1 else lambda value: (read(value),)


class _Fields:
    """`__dataclass_fields__`, made when it is first asked for."""

    __slots__ = ("_defaults", "_made")

    def __init__(self, defaults: dict[str, object]) -> None:
        self._defaults = defaults
        self._made: dict[str, object] | None = None

    def __get__(self, value: object, kind: type) -> dict[str, object]:
        if self._made is None:
            import dataclasses

            listed = []
            for name, annotated in kind.__annotations__.items():
                usual = self._defaults.get(name, dataclasses.MISSING)
                made = usual
                if _is_factory(usual):
                    made = dataclasses.field(default_factory=usual.make, compare=usual.compare)  # type: ignore[attr-defined]
                listed.append((name, annotated, *(() if usual is dataclasses.MISSING else (made,))))
            self._made = dataclasses.make_dataclass(kind.__name__, listed).__dataclass_fields__  # type: ignore[attr-defined]
        return self._made
