"""The judges' arithmetic."""

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
