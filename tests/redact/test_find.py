"""Properties of redaction over any text."""

import json
import random

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from tests.redact.planting import fill, find_holes
from thruline.redact import Secret, find_secrets, redact, render_marker
from thruline.redact.rules import read_rules

RULES = (*read_rules().shapes, *read_rules().named)
PLANTS = [(rule.name, plant) for rule in RULES for plant in rule.found]
ON_A_LINE_OF_THEIR_OWN = (
    "  password: letmeinnow",
    "password: {hex:40}",
    "oauth_token: {hex:40}",
    "x-api-key: {hex:40}",
    "  password: >-\n    letmeinnow\n",
    "ENV DB_PASSWORD hunter22\n",
    "ENV DB_PASSWORD correcthorse\n",
)
seeds = st.integers(min_value=0, max_value=2**32)
texts = st.text(max_size=60)
relaxed = settings(deadline=None, max_examples=200, suppress_health_check=[HealthCheck.too_slow])


def wrap_in_json(text: str) -> str:
    return json.dumps({"type": "user", "message": {"content": text}}, ensure_ascii=False)


def wrap_twice(text: str) -> str:
    return json.dumps({"output": wrap_in_json(text)})


SURROUNDINGS = {
    "alone": lambda secret, left, right: secret,
    "at the start": lambda secret, left, right: secret + "\n" + right,
    "at the end": lambda secret, left, right: left + "\n" + secret,
    "between lines": lambda secret, left, right: left + "\n" + secret + "\n" + right,
    "between CRLF lines": lambda secret, left, right: left + "\r\n" + secret + "\r\n" + right,
    "in a code fence": lambda secret, left, right: f"{left}\n```sh\n{secret}\n```\n{right}",
    "beside other scripts": lambda secret, left, right: f"{left} — é日本語 {secret} Ω🙂 {right}",
    "in JSON": lambda secret, left, right: wrap_in_json(f"{left}\n{secret}\n{right}"),
    "in JSON in JSON": lambda secret, left, right: wrap_twice(f"{left}\n{secret}\n{right}"),
}


@pytest.mark.parametrize("place", SURROUNDINGS)
@pytest.mark.feature("F000-55", via="unit")
@settings(relaxed, max_examples=120)
@given(plant=st.sampled_from(PLANTS), seed=seeds, left=texts, right=texts)
def test_a_planted_secret_never_gets_through(
    place: str, plant: tuple[str, str], seed: int, left: str, right: str
) -> None:
    _rule, pattern = plant
    # A plain word or a commit's name is a secret only on a line of its own; within a sentence it is what it says.
    assume(not (place == "beside other scripts" and pattern in ON_A_LINE_OF_THEIR_OWN))
    secret = fill(pattern, seed)
    result = redact(SURROUNDINGS[place](secret, left, right))
    for value in find_holes(pattern, secret) or ["hunter22", "tr0ub4dor", "swordfish", "correcthorse"]:
        if len(value) > 12 or not find_holes(pattern, secret):
            assert value not in result.text, pattern
    assert result.places


@relaxed
@given(plant=st.sampled_from(PLANTS), seed=seeds, left=texts, right=texts)
def test_redacting_twice_is_redacting_once(plant: tuple[str, str], seed: int, left: str, right: str) -> None:
    once = redact(left + fill(plant[1], seed) + right)
    twice = redact(once.text)
    assert twice.text == once.text
    assert twice.places == ()


@relaxed
@given(
    parts=st.lists(st.tuples(st.sampled_from(PLANTS), seeds), min_size=2, max_size=5),
    glue=st.sampled_from(["", " ", "=", ":", "\\n", '"', ",", "@"]),
)
def test_secrets_that_touch_each_other_leave_nothing_for_a_second_pass(
    parts: list[tuple[tuple[str, str], int]], glue: str
) -> None:
    once = redact(glue.join(fill(plant[1], seed) for plant, seed in parts))
    assert redact(once.text).text == once.text


@relaxed
@given(plants=st.lists(st.tuples(st.sampled_from(PLANTS), seeds, st.text(max_size=30)), max_size=4))
def test_text_outside_the_places_is_identical_and_the_receipt_adds_up(
    plants: list[tuple[tuple[str, str], int, str]],
) -> None:
    source = "\n".join(f"{text} {fill(plant[1], seed)} {text}" for plant, seed, text in plants)
    result = redact(source)
    rebuilt, at = "", 0
    for place in result.places:
        assert at <= place.start < place.end
        rebuilt += source[at : place.start] + render_marker(place.rule)
        at = place.end
    assert rebuilt + source[at:] == result.text
    assert sum(result.receipt.values()) == len(result.places)
    assert list(result.places) == find_secrets(source)


@settings(relaxed, max_examples=400)
@given(st.text())
@example("password=\ud800hunter22\udcff")
@example("İ token=İİİİ password=hunter22")
@example("\\" * 50 + '"password\\": \\"')
def test_any_text_is_redacted_without_trouble_and_once_is_enough(text: str) -> None:
    once = redact(text)
    assert redact(once.text).text == once.text


@relaxed
@given(st.text(alphabet="paswordtokenkey=:\"'\\n []{}<>$&-_/@.1aZ", max_size=120))
def test_texts_made_of_the_pieces_of_assignments_are_stable(text: str) -> None:
    once = redact(text)
    assert redact(once.text).text == once.text


def random_hex(draw: random.Random, length: int) -> str:
    return "".join(draw.choice("0123456789abcdef") for _ in range(length))


def random_base64(draw: random.Random, length: int) -> str:
    return "".join(
        draw.choice("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/") for _ in range(length)
    )


INNOCENT = {
    "commit": lambda d: f"commit {random_hex(d, 40)}\nMerge: {random_hex(d, 7)} {random_hex(d, 7)}\n",
    "commit in prose": lambda d: f"HEAD is now at {random_hex(d, 9)} Add the token check; see {random_hex(d, 40)}.",
    "commit of a scope": lambda d: f"auth: {random_hex(d, 40)}\ntoken: {random_hex(d, 12)}",
    "commit after a word": lambda d: f"fix secret: {random_hex(d, 40)}\nReverted api_key: {random_hex(d, 40)} (#12)",
    "commit after password": lambda d: f"Undo the password: {random_hex(d, 40)}, and the passwd: a{random_hex(d, 7)}1.",
    "commit after authorization": lambda d: f"Fix authorization: {random_hex(d, 40)}",
    "commit in JSON": lambda d: f'{{"sha": "{random_hex(d, 40)}", "parent":"{random_hex(d, 40)}"}}',
    "object list": lambda d: f"100644 blob {random_hex(d, 40)}\tsrc/auth/token.py",
    "uuid": lambda d: '"sessionId":"{}-{}-4{}-a{}-{}"'.format(*(random_hex(d, n) for n in (8, 4, 3, 3, 12))),
    "npm lock": lambda d: f'"integrity": "sha512-{random_base64(d, 86)}=="',
    "pip lock": lambda d: f"keyring==25.0 \\\n    --hash=sha256:{random_hex(d, 64)}",
    "go.sum": lambda d: f"golang.org/x/oauth2 v0.21.0 h1:{random_base64(d, 43)}=",
    "checksum": lambda d: f"{random_hex(d, 64)}  secrets.tar.gz\n{random_hex(d, 32)}  token.txt",
    "docker digest": lambda d: f"image: app@sha256:{random_hex(d, 64)}",
    "data uri": lambda d: f"![x](data:image/png;base64,iVBORw0KGgo{random_base64(d, 3000)}==)",
    "png body": lambda d: f'"data": "iVBORw0KGgoAAAANSUhEUgAA{random_base64(d, 3000)}"',
    "jpeg body": lambda d: f'"data":"/9j/4AAQSkZJRg{random_base64(d, 3000)}"',
    "pdf body": lambda d: f"JVBERi0xLjcK{random_base64(d, 3000)}",
    "version": lambda d: f"v1.{d.randrange(99)}.{d.randrange(99)}-rc.1+build.{random_hex(d, 7)}",
    "path": lambda d: f"/home/me/.cache/token/{random_hex(d, 16)}/secret.key",
    "identifier": lambda d: "createPasswordResetTokenForUserAccountAndSendNotificationEmail",
    "minified": lambda d: '!function(e,t){"use strict";var n=e.token,r=t.key;n=r?r.value:n.id}(this,window);',
    "url": lambda d: f"https://example.com:8443/a/b?page=2&ref={random_hex(d, 7)}#token",
    "colour": lambda d: f"color: #{random_hex(d, 6)}; background:#{random_hex(d, 8)}",
    "tool call": lambda d: f'"id":"toolu_01{"".join(d.choice("ABCabc123") for _ in range(22))}"',
}


@pytest.mark.parametrize("kind", INNOCENT)
@settings(relaxed, max_examples=60)
@given(seed=seeds, wrapped=st.sampled_from([str, wrap_in_json, wrap_twice]))
def test_ids_hashes_and_images_are_never_touched(kind: str, seed: int, wrapped: object) -> None:
    text = wrapped(INNOCENT[kind](random.Random(seed)))  # type: ignore[operator]
    assert find_secrets(text) == []


@pytest.mark.parametrize("rule", [rule.name for rule in RULES])
def test_a_marker_is_never_a_secret_wherever_it_stands(rule: str) -> None:
    marker = render_marker(rule)
    for text in (
        marker,
        f"password={marker}",
        f'"token": "{marker}"',
        f"Authorization: Bearer {marker}",
        f"x://u:{marker}@h",
    ):
        assert redact(text).text == text


def test_four_equal_letters_inside_a_random_value_do_not_make_it_a_stand_in() -> None:
    value = fill("{alnum:20}", 5) + "xXxx" + fill("{alnum:20}", 6)
    assert value not in redact(f"?sv=1&sig={value}\nAPI_TOKEN={value}").text


def test_overlapping_finds_become_one_place_named_by_the_more_certain_rule() -> None:
    token = fill("ghp_{alnum:36}", 1)
    text = f"GITHUB_TOKEN={token}"
    assert find_secrets(text) == [Secret(13, 13 + len(token), "github-token")]


def test_without_entropy_only_issued_shapes_and_passwords_go() -> None:
    issued, random_value = fill("ghp_{alnum:36}", 1), fill("{alnum:32}", 2)
    text = f"password=hunter22\nx={issued}\nAPI_TOKEN={random_value}\nAuthorization: Bearer {random_value}\n"
    assert redact(text, entropy=False).receipt == {"github-token": 1, "password": 1}
    assert redact(text).receipt == {"authorization": 1, "github-token": 1, "named-secret": 1, "password": 1}


def test_places_count_characters_not_bytes() -> None:
    text = "日本語🙂 password=hunter22 é"
    (place,) = find_secrets(text)
    assert text[place.start : place.end] == "hunter22"


def test_redacted_json_is_still_json() -> None:
    key = fill("-----BEGIN PRIVATE KEY-----\n{base64:64}\n{base64:64}\n-----END PRIVATE KEY-----\n", 3)
    line = wrap_twice(json.dumps({"private_key": key, "password": 'a"b\\c12', "note": "kept"}))
    inner = json.loads(json.loads(json.loads(redact(line).text)["output"])["message"]["content"])
    assert inner == {"private_key": "[redacted:private-key]\n", "password": "[redacted:password]", "note": "kept"}
