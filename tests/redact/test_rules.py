"""Every rule is held to its own examples."""

import pytest

from tests.redact.planting import fill, find_holes
from thruline.redact import find_secrets, redact
from thruline.redact.rules import compile_pattern, read_rules

RULES = (*read_rules().shapes, *read_rules().named)
FOUND = [pytest.param(rule.name, text, id=f"{rule.name}-{n}") for rule in RULES for n, text in enumerate(rule.found)]
SURVIVES = [
    pytest.param(rule.name, text, id=f"{rule.name}-{n}") for rule in RULES for n, text in enumerate(rule.survives)
]


@pytest.mark.parametrize(("rule", "example"), FOUND)
def test_what_a_rule_says_it_finds_is_found_under_its_name_and_gone(rule: str, example: str) -> None:
    for seed in range(25):
        text = fill(example, seed)
        result = redact(text)
        assert rule in result.receipt, text
        for value in find_holes(example, text):
            if len(value) > 12:  # shorter pieces are ids beside the secret
                assert value not in result.text


@pytest.mark.parametrize(("rule", "example"), SURVIVES)
def test_what_a_rule_says_it_spares_survives(rule: str, example: str) -> None:
    for seed in range(25):
        text = fill(example, seed)
        assert rule not in {secret.rule for secret in find_secrets(text)}, text


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_every_rule_says_what_it_is_and_has_examples_of_both_kinds(rule: object) -> None:
    assert rule.about.endswith(".")  # type: ignore[attr-defined]
    assert rule.found  # type: ignore[attr-defined]
    assert rule.survives  # type: ignore[attr-defined]


def test_names_are_unique_and_fit_into_a_marker() -> None:
    names = [rule.name for rule in RULES]
    assert len(set(names)) == len(names)
    assert all(name.replace("-", "").isalnum() and name == name.lower() for name in names)


def test_every_pattern_compiles() -> None:
    for shape in read_rules().shapes:
        for source in (shape.pattern, shape.before, shape.quick):
            compile_pattern(source, shape.anycase)
