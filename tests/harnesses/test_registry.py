from thruline.harnesses.registry import HARNESSES


def test_the_eight_have_names_packages_and_programs_of_their_own():
    assert [harness.name for harness in HARNESSES] == [
        "claude-code", "codex", "gemini-cli", "opencode", "droid", "copilot", "qwen", "pi",
    ]  # fmt: skip
    for field in ("name", "title", "package", "programs", "npm", "home"):
        values = [getattr(harness, field) for harness in HARNESSES]
        assert all(values)
        assert len(set(values)) == len(values), field


def test_package_is_the_name_as_python_writes_it():
    for harness in HARNESSES:
        assert harness.package == "thruline.harnesses." + harness.name.replace("-", "_")
