"""What every client's `install.py` must say; and the texts that the roster becomes."""

import os
from types import ModuleType

import pytest

from thruline.artifacts.frontmatter import parse_document
from thruline.harnesses.installing import SCOPES, Surface, Wish, find_handlers, find_installers, render_skill
from thruline.harnesses.launching import find_openable
from thruline.harnesses.registry import Harness
from thruline.roster import Entry, Rules, check_text, read_roster

OURS = {
    "session_start", "session_end", "prompt", "turn_end", "tool_done", "tool_failed", "before_compact", "after_compact",
    "subagent_start", "subagent_end",
}  # fmt: skip
AGENT = Entry("agents", "digger", 'Says "why": digs.', (), ("Read", "Bash"), "haiku", "Dig.\n\n## When not to use it\n")
INSTALLERS = find_installers()


@pytest.fixture
def surface(home: object) -> Surface:
    return Surface({}, str(home), "/some/root", "/some/state/plugin/x")


@pytest.mark.parametrize(("harness", "module"), INSTALLERS, ids=[harness.name for harness, _ in INSTALLERS])
class TestEveryClient:
    def test_its_events_are_ours_and_the_needed_ones_are_there(self, harness: Harness, module: ModuleType) -> None:
        assert set(module.EVENTS.values()) <= OURS
        assert {"session_start", "session_end", "prompt", "turn_end", "tool_done", "before_compact"} <= set(
            module.EVENTS.values()
        )
        assert len(set(module.EVENTS.values())) == len(module.EVENTS)

    def test_every_wish_is_a_handler_with_a_limit_or_a_key_that_uninstall_knows(
        self, harness: Harness, module: ModuleType, surface: Surface
    ) -> None:
        wishes: list[Wish] = module.build_wishes(surface, "user", "run {}".format)
        for wish in wishes:
            if wish.listed:
                [handler] = find_handlers({"hooks": {wish.at[-1]: [wish.value]}})
                assert handler.command == f"run {module.EVENTS[handler.event]}"
                assert handler.entry["timeout"] >= 3
            else:
                assert wish.at in (*module.PLUGIN_KEYS, module.STATUS_SLOT)
        assert len(wishes) == len(module.EVENTS) + len(module.PLUGIN_KEYS) + bool(module.STATUS_SLOT)

    def test_settings_lie_in_the_home_or_in_the_project(
        self, harness: Harness, module: ModuleType, surface: Surface
    ) -> None:
        for scope in SCOPES:
            top = surface.home if scope == "user" else surface.root
            paths = module.find_settings(surface, scope)
            assert paths
            assert all(path.startswith(top + os.sep) for path in paths)

    def test_rendered_files_pass_our_own_check(self, harness: Harness, module: ModuleType, surface: Surface) -> None:
        files = module.render_files(surface, "user", [*read_roster(), AGENT], "1.2.3")
        texts = {path: text for path, text in files.items() if path.endswith(".md")}
        assert len(texts) >= 9
        for path, text in texts.items():
            parts = path.split(os.sep)
            kind = "skills" if parts[-1] == "SKILL.md" else parts[-2]
            assert check_text(text, path, kind, Rules()) == [], path
            assert "${ARGUMENTS}" not in text
            assert "${SESSION}" not in text
            assert "${HARNESSES}" not in text
            assert parse_document(text.encode(), path).problems == []


def test_a_skill_that_opens_a_client_names_those_that_can_be_opened() -> None:
    (relay,) = [entry for entry in read_roster() if (entry.kind, entry.name) == ("commands", "relay")]
    able = [harness.name for harness in find_openable()]
    assert f"HARNESS is one of: {', '.join(able)}." in render_skill(relay, "relay")


def test_a_skill_says_what_its_arguments_are() -> None:
    entry = Entry(
        "commands", "x", 'It\'s "so": fine\\.', ("[A]: a",), (), "", "Run\n\n    thruline x ${ARGUMENTS}${SESSION}\n"
    )
    text = render_skill(entry, "thruline-x")
    document = parse_document(text.encode(), "SKILL.md")
    assert document.values == {"name": "thruline-x", "description": 'It\'s "so": fine\\.'}
    assert "    thruline x ARGUMENTS\n" in text


@pytest.mark.parametrize(
    "settings",
    [None, [], {}, {"hooks": []}, {"hooks": {"Stop": {}}}, {"hooks": {"Stop": [1, {"hooks": 2}, {"hooks": [3, {}]}]}}],
)
def test_settings_of_another_shape_have_no_handlers(settings: object) -> None:
    assert find_handlers(settings) == []
