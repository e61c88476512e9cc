"""What only looks, and what may have changed a file."""

import pytest

from thruline.session.looking import may_write


@pytest.mark.parametrize(
    ("command", "written"),
    [
        ("ls -la && cat a.py | head -3", False),
        ("grep -rn tide src 2>/dev/null | wc -l", False),
        ("cd src && git status && git log --oneline -3 2>&1", False),
        ("find . -name '*.py'", False),
        ("sed -n 1,9p a.py", False),
        ("find . -name '*.bak' -delete", True),
        ("sed -i s/a/b/ a.py", True),
        ("cat > a.py <<'EOF' print(1) EOF", True),
        ("echo x >> a.py", True),
        ("echo x | tee a.py", True),
        ("touch a.py", True),
        ("cp a.py b.py", True),
        ("python3 tides.py", True),
        ("make", True),
        ("git stash pop", True),
        ("if [ -f a.py ]; then rm a.py; fi", True),
        ("'unclosed", True),
        ("sed -Ei s/a/b/ a.py", True),
        ("sed -ri.bak s/a/b/ a.py", True),
        ("sed -n 's/tide/quay/w found.txt' a.py", True),
        ("sed -n '/tide/wfound.txt' a.py", True),
        ("sed -nE 's/tide/quay/gp' wait.py", False),
        ("sed -n -e 1,9p -e 's/now/then/p' wait.py", False),
        ("sort -uo a.txt a.txt", True),
        ("sort --output=a.txt b.txt", True),
        ("sort -u a.txt | uniq -c", False),
        ("uniq a.txt b.txt", True),
        ("git diff --output=tides.patch", True),
        ("git pull", True),
        ("git merge tides", True),
        ("git push", False),
        ("xxd -r tides.hex tides.bin", True),
        ("tree -o tides.txt", True),
        ("echo $(touch a.py)", True),
    ],
)
def test_only_what_is_known_to_look_changed_no_file(command: str, written: bool) -> None:
    assert may_write(command) is written
