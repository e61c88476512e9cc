"""The page of benchmarks keeps what was not run again, and says plainly what falls short."""

from bench import Row
from bench.page import HEAD, read_sections, render_page, render_section, render_table

FLOOR = Row("floor", 10.0, "ms", p95=12.0)
GOOD = Row("hook", 12.0, "ms", floor="floor", ratio=1.2, bar=1.5)
BAD = Row("hook", 20.0, "ms", floor="floor", ratio=2.0, bar=1.5)


def test_a_bar_is_on_the_ratio_where_there_is_one_and_else_on_the_value():
    assert [FLOOR.passed, GOOD.passed, BAD.passed] == [None, True, False]
    assert Row("lost", 0, "updates", bar=0).passed is True
    assert Row("lost", 1, "updates", bar=0).passed is False


def test_a_table_has_one_width_and_names_what_falls_short():
    lines = render_table([FLOOR, GOOD, BAD]).splitlines()
    assert len({len(line) for line in lines}) == 1
    assert [line.count("|") for line in lines] == [7] * 5
    assert "pass" in lines[3]
    assert "**falls short**" in lines[4]


def test_sections_of_benches_that_were_not_run_stay_to_the_byte():
    one, two = render_section("one", "One", [FLOOR, GOOD], 5), render_section("two", "Two", [FLOOR, BAD], 5)
    page = render_page("", {"one": one, "two": two}, ["one", "two"])
    assert page == HEAD + "\n" + one + "\n\n" + two + "\n"
    assert read_sections(page) == {"one": one, "two": two}
    again = render_page(page, {"two": render_section("two", "Two", [FLOOR, GOOD], 7)}, ["one", "two"])
    assert one in again
    assert two not in again


def test_a_bench_that_left_the_table_leaves_the_page():
    page = render_page("", {"gone": render_section("gone", "Gone", [FLOOR], 5)}, ["gone"])
    assert render_page(page, {}, ["other"]) == HEAD
