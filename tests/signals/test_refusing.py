"""Everyday refusals are corrections before anybody answered them, also with a reason behind them, and no decisions."""

import pytest

from tests.session.talk import agent, human
from thruline.session.parts import Said
from thruline.signals.cues import LANGUAGES, load_refusing
from thruline.signals.features import build_features
from thruline.signals.miner import mine
from thruline.signals.refusing import DECLINING, find_floor
from thruline.signals.signal import Signal
from thruline.signals.situation import Situation, Step

# What the brief counts as sure (engines/rules).
SURE = 0.5
DONE = {
    "en": "The upload lost its last part. I added a sleep of one second to `upload()` and the tests pass.",
    "de": "Der Export ist fertig, ich habe eine Pause in export.py hinzugefügt.",
    "es": "Listo, he añadido una pausa en export.py y las pruebas pasan.",
    "fr": "C'est fait, j'ai ajouté une pause dans export.py et les tests passent.",
    "ja": "修正しました。export.py に待ち時間を追加しました。",
    "pt": "Pronto, adicionei uma pausa em export.py e os testes passam.",
    "ru": "Готово, я добавил паузу в export.py, тесты проходят.",
    "zh": "已完成，我在 export.py 里添加了等待。",
}
YIELDS = {
    "en": "You're right, sorry. I took it out again.",
    "de": "Du hast recht, ich habe das rückgängig gemacht.",
    "es": "Tienes razón, lo he quitado.",
    "fr": "Tu as raison, je l'ai retirée.",
    "ja": "おっしゃる通りです。元に戻しました。",
    "pt": "Você tem razão, tirei.",
    "ru": "Ты прав, я убрал.",
    "zh": "你说得对，我已经撤销了。",
}
ASKED = "The upload lost its last part. Shall I add a sleep to `upload()`?"
REFUSALS = [
    ("en", "No, that's wrong. A sleep only hides the race; wait for the writer to close."),
    ("en", "That's wrong. The part is lost before the upload starts."),
    ("en", "Nope. The last part is written after the upload has begun."),
    ("en", "No - the server closes the stream, the client is fine with it."),
    ("en", "Wrong, the part is lost on the server."),
    ("en", "Hmm, no. That's not what I meant, I wanted to know why."),
    ("en", "Sorry, but that is not right: the tests never upload anything."),
    ("en", "This is still wrong, the last part has no checksum."),
    ("en", "That isn't what I asked for. I asked why it happens."),
    ("en", "Not like that, we have a queue for this."),
    ("en", "You misunderstood, the part is lost while it is read."),
    ("en", "I didn't ask for a sleep, I asked for the reason."),
    ("en", "Undo that, a sleep slows every test down."),
    ("en", "Please undo that, the sleep hides the bug."),
    ("en", "ok, revert this and look at the writer first"),
    ("en", "Could you take that out again. It makes the suite slow."),
    ("en", "No no, put it back the way it was, we need that for old servers."),
    ("en", "No, don't sleep there. Wait for the writer."),
    ("en", "Don't add sleeps, they make the suite slow."),
    ("en", "wait, that's just wrong. we never sleep in this project"),
    ("en", "@bot no, this is incorrect because the writer is async"),
    ("de", "Nein, das ist falsch. Eine Pause verdeckt nur den Fehler."),
    ("de", "Das stimmt so nicht, der Fehler liegt im Schreiber."),
    ("de", "Nein, keine Pause! Warte auf den Schreiber."),
    ("de", "Mach das rückgängig, das macht alle Tests langsam."),
    ("de", "So nicht, dafür haben wir eine Warteschlange."),
    ("es", "No, eso está mal. Una pausa solo esconde el error."),
    ("es", "Eso no es lo que te pedí, quería saber la causa."),
    ("es", "Deshaz eso, hace lentas todas las pruebas."),
    ("es", "No uses pausas, espera a que termine la escritura."),
    ("fr", "Non, c'est faux. Une pause cache seulement l'erreur."),
    ("fr", "Ce n'est pas ce que j'ai demandé, je voulais la cause."),
    ("fr", "Annule ça, les tests deviennent trop lents."),
    ("fr", "Non, pas de pause, attends la fin de l'écriture."),
    ("ja", "違います。待ち時間はエラーを隠すだけです。"),
    ("ja", "いいえ、それは間違いです。原因を調べてください。"),
    ("ja", "それを元に戻してください。テストが遅くなります。"),
    ("ja", "sleepは使わないでください。"),
    ("pt", "Não, isso está errado. A pausa só esconde o erro."),
    ("pt", "Não é isso que eu pedi, eu queria a causa."),
    ("pt", "Desfaz isso, os testes ficam lentos."),
    ("ru", "Нет, это неправильно. Пауза только скрывает ошибку."),
    ("ru", "Это не то, что я просил, мне нужна причина."),
    ("ru", "Откати это, тесты стали медленными."),
    ("ru", "Не надо пауз, дождись конца записи."),
    ("zh", "不对，不要用等待，应该等写入结束。"),
    ("zh", "这样做是错的，等待只会掩盖问题。"),
    ("zh", "请撤销这个修改，测试变慢了。"),
    ("zh", "不是这个意思，我想知道原因。"),
]

NEW = [
    ("en", "Get rid of this deprecation warning in the CI log next."),
    ("en", "Roll back this migration on staging and tell me the row count."),
    ("en", "Revert this customer's invoice to a draft when the payment fails."),
    ("en", "Undo all is the next menu entry: implement it like redo."),
    ("en", "Undo and redo should work in the editor too."),
    ("en", "Undo support for the form comes next."),
    ("en", "Undo, redo and copy belong into the menu."),
    ("en", "Roll back the database when a step of the import fails."),
    ("en", "Revert the button to its default colour when the form is reset."),
    ("en", "Get rid of those old log files with a nightly job."),
    ("en", "It's wrong to charge a user twice, so make the endpoint idempotent next."),
    ("en", "It was wrong in the old version too, now please write the release notes."),
    ("en", "It is wrong that a guest can see prices. Next, please hide them."),
    ("en", "Nothing wrong with it. Next: docs."),
    ("en", "Now write the release notes."),
    ("en", "Add a test for the empty queue."),
    ("en", "Please also cover the import with tests."),
    ("en", "Could you explain how the queue works?"),
    ("en", "How long does the upload take?"),
    ("en", "Why is the queue needed?"),
    ("en", "What does `upload()` return on an error?"),
    ("en", "Is the wrong part shown in the log?"),
    ("en", "Can you undo a commit with git?"),
    ("en", "Show me the diff."),
    ("en", "Commit it and push the branch."),
    ("en", "ok, next one: the search page"),
    ("en", "And now the same for downloads."),
    ("en", "Then build the settings page."),
    ("en", "thanks, that's exactly what I wanted"),
    ("en", "Thank you, this works well."),
    ("en", "Great work, go on."),
    ("en", "Perfect. Let's do the report next."),
    ("en", "Looks good, ship it."),
    ("en", "Nice, I like the new names."),
    ("en", "You're right, go on."),
    ("en", "That's right, the writer closes last."),
    ("en", "That is correct. Carry on."),
    ("en", "No problem, take your time."),
    ("en", "No worries, we can do that later."),
    ("en", "No rush, finish the docs first."),
    ("en", "No need to hurry."),
    ("en", "No idea, what do you think?"),
    ("en", "Well done, that was quick."),
    ("en", "It's fine, leave it."),
    ("en", "This is great, thanks."),
    ("en", "Stop the server and run the tests again."),
    ("en", "Wait for the build, then deploy it."),
    ("en", "Remove the old parser, nobody uses it."),
    ("en", "Delete the branch after merging."),
    ("en", "Rename the module to queue."),
    ("en", "Put the settings back into the menu, below the search."),
    ("en", "Write a function that tells whether a date is wrong."),
    ("en", "Implement a rollback command for the migrations."),
    ("en", "Make an undo button for the editor."),
    ("en", "When the answer is wrong, show a hint to the pupil."),
    ("en", 'The error message says "wrong password", please translate it.'),
    ("en", "Not sure yet, show me both ways."),
    ("en", "Actually, let's also log the time."),
    ("en", "Hmm, what about big files?"),
    ("en", "So the next step is the cache, right?"),
    ("en", "I'm back. Where were we?"),
    ("en", "Use the staging server for this."),
    ("en", "Let's call it a day."),
    ("en", "Just run it once more."),
    ("en", "Change the colour of the header to blue."),
    ("de", "Keine Eile, aber danach bitte die Doku aktualisieren."),
    ("de", "Keine Tests heute, mach mit der Doku weiter."),
    ("de", "Baue als Nächstes eine Rückgängig-Funktion für den Editor."),
    ("de", "Das ist super, vielen Dank!"),
    ("de", "Warum ist die Pause nötig?"),
    ("de", "Nimm die neue Bibliothek und schreib einen Test."),
    ("es", "Ahora añade una función de deshacer al editor."),
    ("es", "Gracias, está muy bien."),
    ("es", "¿Por qué hace falta la pausa?"),
    ("es", "Revierte la migración en staging cuando falle la prueba."),
    ("fr", "Ajoute maintenant un bouton pour annuler dans l'éditeur."),
    ("fr", "Annule tout abonnement quand le compte est supprimé."),
    ("fr", "Pas de souci, passe à la documentation."),
    ("fr", "Pas de tests pour aujourd'hui, continue avec la documentation."),
    ("fr", "Merci, c'est très bien."),
    ("pt", "Agora adicione um botão de desfazer no editor."),
    ("pt", "Obrigado, ficou ótimo."),
    ("pt", "Por que a pausa é necessária?"),
    ("pt", "Reverta a migração no staging quando o teste falhar."),
    ("ru", "Отмени подписку пользователя через API, когда он удаляет аккаунт."),
    ("ru", "Откати миграцию на стейдже и запусти тесты."),
    ("ru", "Убери это предупреждение из лога сборки."),
    ("ru", "Верни список заказов в ответе API."),
    ("ru", "Спасибо, всё работает."),
    ("ru", "Почему нужна пауза?"),
    ("ru", "Не так давно мы добавили очередь, теперь напиши к ней тесты."),
    ("ru", "Тут ошибка сборки на сервере, посмотри, пожалуйста."),
    ("ja", "次は元に戻してやり直す機能を実装してください。"),
    ("ja", "編集画面に取り消してやり直すボタンを追加してください。"),
    ("ja", "失敗しないで動くようにテストを書いてください。"),
    ("ja", "ありがとうございます、完璧です。"),
    ("ja", "なぜ待ち時間が必要ですか？"),
    ("ja", "次はドキュメントを更新してください。"),
    ("zh", "帮我实现编辑器的撤销功能"),
    ("zh", "写一个数据库回滚脚本"),
    ("zh", "接下来实现撤销和重做按钮，并写测试。"),
    ("zh", "撤销这个用户的订阅时要发邮件。"),
    ("zh", "给编辑器加上撤销。"),
    ("zh", "请写一个脚本，让日志里不要再打印密码。"),
    ("zh", "请确保日志里不要再出现警告，谢谢，做得很好"),
    ("zh", "谢谢，做得很好。"),
    ("zh", "为什么需要等待？"),
    ("zh", "接下来更新文档。"),
]


def hear(language: str, text: str, said: str = "", *, answered: bool = False) -> list[Signal]:
    """What is mined of a message behind a delivery, or behind what `said` says."""
    parts = [human(1, "look"), agent(2, said or DONE[language]), human(3, text)]
    return [one for one in mine([*parts, *([agent(4, YIELDS[language])] if answered else [])]) if one.line == 3]


@pytest.mark.parametrize("answered", [False, True])
@pytest.mark.parametrize(("language", "text"), REFUSALS)
def test_a_refusal_with_its_reason_is_a_sure_correction_and_no_decision(
    language: str, text: str, answered: bool
) -> None:
    found = {one.kind: one.strength for one in hear(language, text, answered=answered)}
    assert found.get("correction", 0.0) >= SURE
    assert "decision" not in found


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "no problem, thanks"),
        ("en", "No, that's fine. Leave it."),
        ("en", "no need, go on"),
        ("en", "No more questions, commit it"),
        ("en", "wrong window, sorry"),
        ("en", "ok thanks"),
        ("en", "great, commit it"),
        ("de", "Nein danke, das passt so."),
        ("de", "Kein Problem, mach weiter."),
        ("es", "No pasa nada, gracias."),
        ("fr", "Pas de problème, merci."),
        ("fr", "Non, c'est bon, merci."),
        ("ja", "いいえ、大丈夫です。"),
        ("pt", "Não precisa, obrigado."),
        ("ru", "Не надо, спасибо."),
        ("zh", "不用了，谢谢。"),
    ],
)
def test_a_no_that_refuses_nothing_is_lifted_to_no_correction(language: str, text: str) -> None:
    said = Said(3, "human", "turn", text)
    assert find_floor(build_features(Situation(said, (Step("text", DONE[language]),)))) == 0.0


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Revert this."),
        ("en", "Thanks"),
        ("en", "good"),
        ("en", "ok thanks"),
        ("en", "thanks, nice work"),
        ("en", "Undo that, it is slow."),
        ("de", "Vielen Dank!"),
        ("es", "Gracias"),
        ("fr", "Parfait, merci"),
        ("ja", "ありがとうございます"),
        ("pt", "obrigado"),
        ("ru", "Спасибо"),
        ("zh", "谢谢"),
    ],
)
def test_what_answers_no_question_and_no_offer_settles_nothing(language: str, text: str) -> None:
    assert [one.kind for one in hear(language, text) if one.kind == "decision"] == []


@pytest.mark.parametrize("text", ["No.", "nope", "Nein.", "нет", "non", "不"])
def test_a_plain_no_to_a_question_is_no_sure_correction(text: str) -> None:
    found = {one.kind: one.strength for one in hear("en", text, ASKED)}
    assert found.get("correction", 0.0) < SURE


OFFERED = "There are two ways:\n1. Add a sleep.\n2. Wait for the writer.\nBoth would work."


def test_a_no_to_a_question_settles_it() -> None:
    assert "decision" in [one.kind for one in hear("en", "no, leave it", ASKED)]


def test_a_refusal_that_names_an_option_settles_too() -> None:
    assert {one.kind for one in hear("en", "No, that's wrong. Let's go with option 2.", OFFERED)} == {
        "correction", "decision",
    }  # fmt: skip
    assert {one.kind for one in hear("en", "No, that's wrong. A sleep hides the race.", OFFERED)} == {"correction"}


def test_every_language_tells_the_same_works_of_refusing() -> None:
    works = list(load_refusing("en"))
    assert all(list(load_refusing(name)) == works for name in LANGUAGES)


UNDOING = [
    ("en", "undo this."),
    ("en", "Undo that change, it is slow"),
    ("en", "revert that commit and look at the writer"),
    ("en", "Undo all of it please"),
    ("en", "get rid of that, it hides the bug"),
    ("en", "Roll that back."),
    ("en", "undo your edits"),
    ("ru", "Отмени это изменение, тесты стали медленными."),
    ("ru", "Отмени!"),
    ("ja", "この変更を元に戻してください。"),
    ("ja", "元に戻して。"),
    ("zh", "把这个修改撤销吧。"),
    ("zh", "撤销。测试变慢了。"),
    ("zh", "请把它改回去"),
    ("fr", "Annule tout, les tests deviennent trop lents."),
]


def floor(language: str, text: str, said: str = "") -> float:
    """What a message counts for at least behind a delivery, or behind what `said` says."""
    step = Step("text", said or DONE[language])
    return find_floor(build_features(Situation(Said(3, "human", "turn", text), (step,))))


@pytest.mark.parametrize(("language", "text"), NEW)
def test_no_floor_makes_a_correction_of_new_work_of_a_question_or_of_thanks(language: str, text: str) -> None:
    assert floor(language, text) < SURE


@pytest.mark.parametrize(("language", "text"), UNDOING)
def test_wanting_undone_what_was_done_is_a_sure_correction(language: str, text: str) -> None:
    assert floor(language, text) >= SURE


def test_a_change_is_undone_only_where_one_was_made() -> None:
    assert floor("en", "Undo that change.", "The upload lost its last part.") == 0.0


@pytest.mark.parametrize(("language", "text"), [one for one in REFUSALS + UNDOING if one[0] != "en"])
def test_no_floor_is_among_the_strongest_where_no_label_confirms_it(language: str, text: str) -> None:
    assert floor(language, text) <= DECLINING


@pytest.mark.parametrize("asked", ["Shall I add a pause?", "Should the old table go as well?"])
@pytest.mark.parametrize("text", ["No.", "No, not yet.", "no, leave it as it is"])
def test_a_no_to_a_question_is_an_answer_and_no_correction(text: str, asked: str) -> None:
    assert floor("en", text, f"The export is done now. {asked}") == 0.0
