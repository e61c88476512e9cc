"""The judges' arithmetic, and that it needs nothing but the standard library."""

import subprocess
import sys

from thruline.signals.model import Forest


def test_a_forest_adds_the_leaves_that_a_walk_from_each_root_finds():
    trees = [
        ["a", ["b", ["c", 1.0, 2.0], ["a", 4.0, 8.0]], ["c", 16.0, 32.0]],
        ["c", ["a", 64.0, 128.0], 256.0],
        512.0,
    ]
    forest = Forest(trees)
    for there in [set(), {"a"}, {"b"}, {"c"}, {"a", "b"}, {"a", "c"}, {"b", "c"}, {"a", "b", "c"}, {"x"}]:
        expected = 0.0
        for tree in trees:
            while isinstance(tree, list):
                tree = tree[2 if tree[0] in there else 1]
            expected += tree
        assert forest.add(frozenset(there)) == expected


def test_mining_imports_nothing_that_is_not_ours_or_the_standard_librarys() -> None:
    code = (
        "import sys\nbefore = set(sys.modules)\n"
        "from thruline.session.parts import Said\nfrom thruline.signals.miner import mine\n"
        "found = mine([Said(1, 'agent', 'text', 'Done, I added a cache.'),\n"
        " Said(2, 'human', 'turn', 'no, revert that'),\n"
        " Said(3, 'agent', 'text', 'You are right, reverting.')])\n"
        "names = {name.partition('.')[0] for name in set(sys.modules) - before}\n"
        "print(found[0].kind, sorted(names - sys.stdlib_module_names))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "correction ['thruline']\n"
