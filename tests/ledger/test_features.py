"""The page that `make features` writes."""

from tools import features, ledger
from tools.ledger import Outcome, Row

ROWS = {
    "F003-02": Row("F003-02", "The root", "must", "done", by="layout"),
    "F003-17": Row("F003-17", "A | loop", "must", "planned", client=True),
    "F001-36": Row("F001-36", "An audit", "future", "declined", why_not="Another product."),
}
RUN = {
    "tests/a.py::test_b": Outcome("passed", (("F003-02", "unit"),)),
    "tests/a.py::test_c": Outcome("passed", (("F003-02", "cli"),)),
    "tests/a.py::test_d": Outcome("failed", (("F003-17", "client"),)),
}


def test_a_row_shows_its_passing_tests_in_three_columns() -> None:
    page = features.render_page(ROWS, RUN)
    assert "| F003-02 | must | done | The root | layout | 1 | 1 |  |" in page
    assert "- F003-02 cli: `tests/a.py::test_c`" in page


def test_a_failed_test_counts_for_nothing() -> None:
    page = features.render_page(ROWS, RUN)
    assert "test_d" not in page
    assert "- F003: 17" in page


def test_a_bar_in_a_row_does_not_break_its_table() -> None:
    assert "A \\| loop ⚙" in features.render_page(ROWS, RUN)


def test_declined_rows_give_their_reason() -> None:
    assert "- **F001-36** An audit. Another product." in features.render_page(ROWS, RUN)


def test_the_counts_add_up() -> None:
    page = features.render_page(ROWS, RUN)
    assert "| F003 Context folder, packets, loops | 2 | 2 | 1 | 1 | 0 | 1 |" in page
    assert "| all | 3 | 2 | 1 | 1 | 1 | 1 |" in page


def test_the_page_does_not_depend_on_the_order_of_the_run() -> None:
    turned = dict(reversed(RUN.items()))
    assert features.render_page(ROWS, turned) == features.render_page(ROWS, RUN)


def test_flipping_a_row_changes_two_lines_of_the_real_ledger(tmp_path) -> None:  # type: ignore[no-untyped-def]
    before = (features.ROOT / "features.toml").read_text(encoding="utf-8")
    after = features.set_done(before, "F004-54", "docs/many.md")
    changed = [new for old, new in zip(before.split("\n"), after.split("\n"), strict=True) if old != new]
    assert changed == ['status = "done"', 'by = "docs/many.md"']
    (tmp_path / "features.toml").write_text(after, encoding="utf-8")
    row = ledger.read_rows(tmp_path / "features.toml")["F004-54"]
    assert (row.status, row.by) == ("done", "docs/many.md")
