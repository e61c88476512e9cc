"""The pytest plugin, run on small suites of its own."""

import json
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

ROOT = Path(__file__).parents[2]
FEATURES = """
[F003-02]
say = "the root"
level = "must"
status = "done"
by = "layout"

[F003-17]
say = "loops in a client"
level = "must"
status = "done"
by = "hooks"
client = true
"""
GOOD = """
import pytest

@pytest.mark.feature("F003-02", via="unit")
def test_root():
    pass

def test_other():
    pass

@pytest.mark.client
@pytest.mark.feature("F003-17", via="client")
def test_loop():
    pass
"""
FAST = ("-m", "not client and not shared")
CLIENTS = ("-m", "client or shared")


@pytest.fixture
def suite(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A project with two done rows, the plugin and one test file."""
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # other plugins take a second to load, each time
    pytester.makefile(".toml", features=FEATURES)
    pytester.makeini("[pytest]\ntestpaths = tests\nmarkers =\n  client: x\n  shared: x\naddopts = --strict-markers")
    write(pytester, GOOD)
    return pytester


def write(pytester: pytest.Pytester, text: str) -> None:
    path = pytester.path / "tests" / "test_it.py"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)


def run(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    return pytester.runpytest_inprocess("-p", "tests.plugins.ledger", "-p", "no:cacheprovider", *arguments)


def recorded(pytester: pytest.Pytester, suite: str) -> dict[str, str]:
    path = pytester.path / ".cache" / "features" / f"{suite}.json"
    stored = json.loads(path.read_text()) if path.exists() else {}
    return {test.split("::")[-1]: entry["outcome"] for test, entry in stored.items()}


@pytest.mark.feature("F002-43", via="unit")
def test_a_full_run_with_proof_passes_and_is_recorded(suite: pytest.Pytester) -> None:
    assert run(suite, *FAST).ret == 0
    assert recorded(suite, "fast") == {"test_root": "passed"}
    assert recorded(suite, "clients") == {}
    assert run(suite, *CLIENTS).ret == 0
    assert recorded(suite, "clients") == {"test_loop": "passed"}
    assert recorded(suite, "fast") == {"test_root": "passed"}


@pytest.mark.parametrize(
    ("mark", "said"),
    [
        ('"F003-99", via="unit"', "feature 'F003-99' is no row of features.toml"),
        ('"F003-02", via="hand"', "has via='hand'; it is one of unit, cli, client"),
        ('"F003-02"', "a feature mark is feature("),
        ('"F003-02", "F003-17", via="unit"', "a feature mark is feature("),
        ('"F003-17", via="client"', "the test is not marked `client`"),
    ],
)
def test_a_wrong_mark_is_a_collection_error_with_its_test(suite: pytest.Pytester, mark: str, said: str) -> None:
    write(suite, f"import pytest\n@pytest.mark.feature({mark})\ndef test_it(): pass\n")
    result = run(suite, *FAST)
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines(f"*tests/test_it.py::test_it: *{said.replace('[', '[[]')}*")


def test_a_wrong_mark_on_a_class_is_found_too(suite: pytest.Pytester) -> None:
    write(suite, 'import pytest\n@pytest.mark.feature("F9", via="unit")\nclass TestIt:\n  def test_it(self): pass\n')
    result = run(suite)
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines("*feature 'F9' is no row*")


@pytest.mark.parametrize(
    "body",
    [
        "def test_root(): pass",
        "@pytest.mark.xfail\n@pytest.mark.feature('F003-02', via='unit')\ndef test_root(): assert 0",
    ],
    ids=["unmarked", "xfail"],
)
def test_a_done_row_without_a_passing_test_fails_a_full_run(suite: pytest.Pytester, body: str) -> None:
    write(suite, "import pytest\n" + body)
    result = run(suite, *FAST)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines("FAILED F003-02 is done, but no test of it passed: the root")


def test_a_test_that_fails_in_teardown_is_no_proof(suite: pytest.Pytester) -> None:
    write(
        suite,
        "import pytest\n@pytest.fixture\ndef end():\n  yield\n  assert 0\n"
        "@pytest.mark.feature('F003-02', via='unit')\ndef test_root(end): pass\n",
    )
    run(suite, *FAST)
    assert recorded(suite, "fast") == {"test_root": "failed"}


def test_a_done_client_row_fails_only_the_clients_run(suite: pytest.Pytester) -> None:
    write(suite, GOOD.replace('@pytest.mark.feature("F003-17", via="client")', ""))
    assert run(suite, *FAST).ret == 0
    result = run(suite, *CLIENTS)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines('FAILED F003-17 is done, but no via="client" test of it passed*')


def test_skipped_proof_is_a_note_here_and_a_failure_in_ci(
    suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(suite, GOOD.replace("def test_loop():\n    pass", "def test_loop():\n    pytest.skip('no client')"))
    result = run(suite, *CLIENTS)
    assert result.ret == 0
    result.stdout.fnmatch_lines("note: F003-17 is done, but its*tests were skipped*")
    monkeypatch.setenv("CI", "true")
    assert run(suite, *CLIENTS).ret == pytest.ExitCode.TESTS_FAILED


@pytest.mark.parametrize(
    "narrowing",
    [
        ("-k", "other"),
        ("tests/test_more.py",),
        ("tests/test_it.py::test_other",),
        ("--deselect", "tests/test_it.py::test_root"),
        ("--ignore", "tests/test_it.py"),
        ("-x",),
    ],
    ids=lambda words: words[0],
)
def test_a_partial_run_erases_nothing_and_judges_nothing(suite: pytest.Pytester, narrowing: tuple[str, ...]) -> None:
    assert run(suite, *FAST).ret == 0
    (suite.path / "tests" / "test_a_first.py").write_text("def test_first(): pass\n")
    (suite.path / "tests" / "test_more.py").write_text("def test_more(): pass\n")
    if narrowing == ("-x",):
        (suite.path / "tests" / "test_a_first.py").write_text("def test_breaks(): assert 0\n")
    result = run(suite, *FAST, *narrowing)
    assert recorded(suite, "fast") == {"test_root": "passed"}
    result.stdout.no_fnmatch_line("*is done, but*")


def test_a_partial_run_updates_the_tests_it_ran(suite: pytest.Pytester) -> None:
    assert run(suite, *FAST).ret == 0
    write(suite, GOOD.replace("def test_root():\n    pass", "def test_root():\n    assert 0"))
    run(suite, *FAST, "-k", "root")
    assert recorded(suite, "fast") == {"test_root": "failed"}


def test_a_partial_run_leaves_the_other_tests_as_they_were(suite: pytest.Pytester) -> None:
    write(suite, GOOD + "\n@pytest.mark.feature('F003-02', via='cli')\ndef test_second_root():\n    pass\n")
    assert run(suite, *FAST).ret == 0
    run(suite, *FAST, "-k", "second")
    assert recorded(suite, "fast") == {"test_root": "passed", "test_second_root": "passed"}


def test_a_file_that_cannot_be_collected_makes_the_run_partial(suite: pytest.Pytester) -> None:
    assert run(suite, *FAST).ret == 0
    write(suite, "import no_such_module\n")
    (suite.path / "tests" / "test_more.py").write_text("def test_more(): pass\n")
    result = run(suite, *FAST, "--continue-on-collection-errors")
    assert recorded(suite, "fast") == {"test_root": "passed"}
    result.stdout.no_fnmatch_line("*is done, but*")


def test_a_full_run_forgets_tests_that_are_gone(suite: pytest.Pytester) -> None:
    assert run(suite, *FAST).ret == 0
    write(suite, GOOD.replace("test_root", "test_found_root"))
    assert run(suite, *FAST).ret == 0
    assert recorded(suite, "fast") == {"test_found_root": "passed"}


def test_only_listing_the_tests_records_nothing(suite: pytest.Pytester) -> None:
    assert run(suite, "--collect-only", "-q").ret == 0
    assert recorded(suite, "fast") == {}


def test_parameters_count_as_one_test_that_passes_only_whole(suite: pytest.Pytester) -> None:
    test = "@pytest.mark.feature('F003-02', via='unit')\n@pytest.mark.parametrize('n', [1, 2, 3])\n"
    write(suite, f"import pytest\n{test}def test_root(n):\n  if n == 3: pytest.skip('x')\n")
    run(suite, *FAST)
    assert recorded(suite, "fast") == {"test_root": "passed"}
    write(suite, f"import pytest\n{test}def test_root(n):\n  assert n != 2\n")
    run(suite, *FAST)
    assert recorded(suite, "fast") == {"test_root": "failed"}


RERUNS = """
import pytest
from _pytest.runner import runtestprotocol

@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item, nextitem):
    "What rerun plugins do: the failed attempt is reported as `rerun`, then all phases come again."
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    for attempt in (1, 2):
        reports = runtestprotocol(item, nextitem=nextitem, log=False)
        again = attempt == 1 and any(report.failed for report in reports)
        for report in reports:
            if again and report.failed:
                report.outcome = "rerun"
            item.ihook.pytest_runtest_logreport(report=report)
        if not again:
            break
    return True
"""


def test_the_last_attempt_of_a_rerun_counts(suite: pytest.Pytester) -> None:
    suite.makeconftest(RERUNS)
    write(suite, GOOD.replace("def test_root():\n    pass", "def test_root(n=[0]):\n    n[0] += 1; assert n[0] == 2"))
    run(suite, *FAST)
    assert recorded(suite, "fast") == {"test_root": "passed"}


def test_workers_of_xdist_report_to_one_record(suite: pytest.Pytester) -> None:
    arguments = ("-p", "xdist", "-p", "tests.plugins.ledger", "-p", "no:cacheprovider", "-n", "2", *FAST)
    assert suite.runpytest_subprocess(*arguments).ret == 0
    assert recorded(suite, "fast") == {"test_root": "passed"}
    write(suite, GOOD.replace('@pytest.mark.feature("F003-02", via="unit")', ""))
    result = suite.runpytest_subprocess(*arguments)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines("FAILED F003-02 is done, but no test of it passed: the root")


def test_a_wrong_mark_stops_xdist_too(suite: pytest.Pytester) -> None:
    write(suite, GOOD.replace("F003-02", "F003-98"))
    result = suite.runpytest_subprocess("-p", "xdist", "-p", "tests.plugins.ledger", "-n", "2", *FAST)
    assert result.ret != 0
    result.stdout.fnmatch_lines("*feature 'F003-98' is no row of features.toml*")


AGAIN = """
import pathlib
import pytest

@pytest.mark.client
def test_flaky():
    before = pathlib.Path("before")
    assert before.exists() or before.touch()

@pytest.mark.client
@pytest.mark.feature("F003-17", via="client")
def test_flaky_proof():
    assert {steady} or pathlib.Path("before-too").exists() or pathlib.Path("before-too").touch()
"""


@pytest.mark.parametrize("steady", [True, False])
def test_a_second_run_of_what_failed_keeps_the_proof_of_the_first(suite: pytest.Pytester, steady: bool) -> None:
    write(suite, AGAIN.format(steady=steady))
    words = ("-p", "tests.plugins.ledger", *CLIENTS)
    assert suite.runpytest_inprocess(*words).ret == pytest.ExitCode.TESTS_FAILED
    result = suite.runpytest_inprocess(*words, "--last-failed", "--last-failed-no-failures", "none")
    assert (result.ret, len(result.parseoutcomes())) == (0, 1)
    assert recorded(suite, "clients") == {"test_flaky_proof": "passed"}


def test_a_second_run_still_misses_a_proof_that_nothing_gave(suite: pytest.Pytester) -> None:
    write(suite, AGAIN.format(steady=True).replace('@pytest.mark.feature("F003-17", via="client")', ""))
    words = ("-p", "tests.plugins.ledger", *CLIENTS)
    assert suite.runpytest_inprocess(*words).ret == pytest.ExitCode.TESTS_FAILED
    result = suite.runpytest_inprocess(*words, "--last-failed")
    assert (result.ret, result.parseoutcomes()) == (pytest.ExitCode.TESTS_FAILED, {"passed": 1})
    result.stdout.fnmatch_lines("FAILED F003-17 is done, but no*")
