"""Which journal is used where."""

import os

import pytest

from tests.disk.projects import build_paths
from thruline.disk.atomic import Lock
from thruline.disk.transaction import find_journals, settle, transaction
from thruline.disk.transaction.mount import find_type, is_shared, is_shared_type
from thruline.errors import DiskError
from thruline.layout import ProjectPaths

MOUNTS = """\
22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
30 22 0:30 / /mnt/team\\040files rw - nfs4 server:/x rw
31 22 0:31 / /mnt/team rw - cifs //server/x rw
32 22 0:32 / /home/me/sshfs rw - fuse.sshfs me@there: rw
33 22 0:33 / /share rw - 9p share rw
34 22 0:34 / /share rw - ext4 /dev/sdb1 rw
"""


@pytest.mark.parametrize(
    ("folder", "kind", "shared"),
    [
        ("/home/me", "ext4", False),
        ("/mnt/team files/project", "nfs4", True),
        ("/mnt/team", "cifs", True),
        ("/mnt/teamwork", "ext4", False),
        ("/home/me/sshfs/a/b", "fuse.sshfs", True),
        ("/share/hidden-by-a-later-mount", "ext4", False),
    ],
)
def test_the_mount_decides_which_journal_is_used(folder: str, kind: str, shared: bool) -> None:
    assert find_type(MOUNTS, folder) == kind
    assert is_shared_type(kind) == shared


def test_shared_types_and_unknown_ones_get_no_sqlite() -> None:
    assert all(map(is_shared_type, ("nfs", "smb3", "virtiofs", "9p", "fuse.anything", "")))
    assert not any(map(is_shared_type, ("ext4", "xfs", "btrfs", "tmpfs", "overlay", "zfs", "fuseblk", "apfs")))
    assert is_shared("/no/such/folder")


def test_on_a_local_disk_the_journal_is_a_database_and_on_a_shared_one_a_sheet(
    project: ProjectPaths, monkeypatch: pytest.MonkeyPatch, boot_id: bool
) -> None:
    from thruline.disk.transaction import recovery as module

    for shared, kind in ((False, "table"), (True, "sheet")):
        monkeypatch.setattr(module, "is_shared", lambda _, shared=shared: shared)
        with transaction(project) as change:
            change.write(build_paths(project)[0], kind.encode())
        assert [each.kind for each in find_journals(project)] == ([kind] if boot_id else [])
        settle(project, kind="table")


def test_a_lock_is_held_while_the_block_runs(project: ProjectPaths) -> None:
    with transaction(project), pytest.raises(DiskError), Lock(os.path.join(project.journal, "lock"), 0.0):
        pass
