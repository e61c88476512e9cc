"""What somebody else is quoted with is no rule of the person's; stress marks and one's own words are."""

import pytest

from tests.session.talk import agent, human
from thruline.signals.miner import mine
from thruline.signals.own import quotations


def rule(text: str) -> list[str]:
    session = [human(1, "look"), agent(2, "I looked at the invoices."), human(3, text), agent(4, "Okay.")]
    return [one.quote for one in mine(session) if one.kind == "constraint"]


@pytest.mark.parametrize(
    "text",
    [
        "Explain this message from my colleague: 'No, never use tabs. I told you: always rebase before merging.'",
        'The customer wrote: "Never show prices without tax. From now on always send invoices by mail." What now?',
        "My boss said “never use Kubernetes, always use plain files”, what do you make of it?",
        "Unser Kunde schrieb: „Ab jetzt immer per Post schicken, nie per Mail.“ Was heißt das?",
        "Le client a écrit : «Toujours envoyer par courrier, jamais par mail.» Que faire ?",
        "El cliente escribió: «Nunca más por correo, siempre en papel.» ¿Qué hacemos?",
        "同事说：「以后一律用空格，不要用制表符。」这是什么意思？",
        "客先が「今後は必ず郵送してください」と言っています。どう思いますか",
        "Клиент написал: «Впредь всегда отправляй почтой, никогда письмом». Что делать?",
        '"From now on always send invoices by mail", says the customer. Is that possible?',
        'I think he clearly said: "never use tabs in makefiles". Is that right?',
        "I know that our old boss says: 'never use tabs in makefiles'",
        "We heard Anna say: 'never use tabs in makefiles'",
        'I pasted a message from Anna: "from now on never use tabs"',
        "Ich glaube, der Kunde schrieb: „ab jetzt nie wieder Tabs“",
        "我同事说：「以后一律用空格，不要用制表符。」",
        "他写「以后一律用空格，不要用制表符。」",
        "私の上司が「今後は必ず郵送してください」と言いました",
        "> From now on always send invoices by mail.\n\nis this what the customer meant?",
    ],
)
def test_a_rule_in_somebody_elses_mouth_is_none_of_the_persons(text: str) -> None:
    assert rule(text) == []


@pytest.mark.parametrize(
    "text",
    [
        'From now on always use "plain files" for the till.',
        "I said: 'from now on no tabs in this project'.",
        'Add this to the rules: "never commit to main".',
        "As we wrote, 'from now on rebase before merging'",
        'The customer wrote "pay later". From now on always send invoices by mail.',
        "Always say 'please' in the letters, and don't ever shout.",
        "Never use the boss's 'quick' path.",
        "I clearly said: 'never push to main without asking'.",
        'As I always say: "from now on never mock the database in tests".',
        "I have already clearly said: 'never push to main without asking'.",
        'Let me say it again: "from now on never touch generated files".',
        'I told you and I also wrote it in CLAUDE.md: "from now on use tabs in makefiles".',
        "We just say: 'from now on use tabs in makefiles'.",
        'Said before: "from now on never touch generated files".',
        "“From now on never touch generated files”, as I already said.",
        "Wie ich schon sagte: „ab jetzt nie wieder npm, das ist nicht gut“.",
        "Gestern sagte ich: „ab jetzt nie wieder Tabs“.",
        "Ich habe doch klar gesagt: „ab jetzt nie wieder Tabs“.",
        "Je l'ai déjà dit : «ne jamais utiliser npm dans ce projet».",
        "Я уже ясно сказал: «впредь никогда не используй npm».",
        "Eu já disse: «a partir de agora nunca use npm neste projeto».",
        "以后请这样写「一律用空格，不要用制表符。」",
        "我已经明确说过：「以后一律用空格，不要用制表符。」",
        "私は「今後は必ず郵送してください」と言いました",
        "さっき言った「今後は必ず郵送してください」",
        "Ich sagte: „ab jetzt nie wieder Tabs“.",
        'Our reviewers said nothing, so from now on always "squash" first.',
    ],
)
def test_the_persons_own_words_between_marks_stay_rules(text: str) -> None:
    assert rule(text) != []


def test_what_is_said_beside_a_quotation_is_still_a_rule() -> None:
    assert rule('My boss said "always use tabs". Never do that here.') == ["Never do that here."]


def test_quotations_of_a_paste_are_not_weighed(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    tells = quotations._tells
    monkeypatch.setattr(quotations, "_tells", lambda clause, *rest: asked.append(clause) or tells(clause, *rest))
    rows = "\n".join(f'{{"id": {at}, "name": "row {at}", "said": "always"}}' for at in range(500))
    text = f'My boss said: "never use tabs", see:\n\n```json\n{rows}\n```\n\nWhat does she mean?'
    assert rule(text) == []
    assert 0 < len(asked) < 20
