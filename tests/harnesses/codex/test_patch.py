"""Patches, from their text and from the client's own account of them."""

from thruline.harnesses.codex.reader.patch import parse_patch, read_changes

TEXT = """apply_patch <<'EOF'
*** Begin Patch
*** Add File: made.txt
+one
+two
*** Delete File: gone.txt
*** Update File: kept.py
@@ def f():
-    return 1
+    return 2
*** Update File: here.py
*** Move to: there.py
@@
-a
+b
*** End Patch
EOF"""


def test_the_text_of_a_patch_names_its_files_and_what_becomes_of_them() -> None:
    patch = parse_patch(TEXT)
    assert patch.changes == [
        ("made.txt", "created"),
        ("gone.txt", "deleted"),
        ("kept.py", "edited"),
        ("here.py", "deleted"),
        ("there.py", "created"),
    ]
    assert patch.action() == "edit"


def test_a_patch_that_only_adds_writes_and_one_that_only_deletes_deletes() -> None:
    assert parse_patch("*** Begin Patch\n*** Add File: a\n+x\n*** End Patch").action() == "write"
    assert parse_patch("*** Begin Patch\n*** Delete File: a\n*** End Patch").action() == "delete"


def test_text_and_account_of_the_same_patch_agree() -> None:
    text = parse_patch("*** Begin Patch\n*** Update File: a\n@@\n-old\n+new\n*** Add File: b\n+x\n+y\n*** End Patch")
    told = read_changes(
        {
            "a": {"type": "update", "unified_diff": "@@ -1 +1 @@\n-old\n+new\n", "move_path": None},
            "b": {"type": "add", "content": "x\ny\n"},
        }
    )
    assert (text.changes, text.before, text.after) == (told.changes, told.before, told.after)


def test_what_is_no_patch_changes_nothing() -> None:
    for text in ("", "hello", "*** Move to: x", "*** Begin Patch"):
        patch = parse_patch(text)
        assert (patch.changes, patch.before, patch.after) == ([], 0, 0)
    assert read_changes(["a"]).changes == []
    assert read_changes({"a": 1, "b": {"type": "update", "unified_diff": 7}}).changes == [("b", "edited")]


def test_a_patch_of_one_file_tells_the_definitions_among_its_lines() -> None:
    begin, end = "*** Begin Patch\n*** Update File: tides.py\n@@\n", "\n*** End Patch"
    assert parse_patch(f"{begin}-def tide():\n+def tide(at):\n+def slack():{end}").symbols == (
        ("tide", 1),
        ("slack", 2),
    )
    assert parse_patch(TEXT).symbols == ()  # of several files
