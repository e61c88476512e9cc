"""What test_tracer has traced; the tracer's server loads this file."""

import os
import subprocess


def write_two_files(folder: str) -> str:
    """Creates `one`, then renames it to `two`."""
    with open(os.path.join(folder, "one"), "wb") as file:
        file.write(b"1")
    os.rename(os.path.join(folder, "one"), os.path.join(folder, "two"))
    return "done"


def start_a_program(folder: str) -> None:
    """Runs `touch`, two processes down."""
    subprocess.run(["sh", "-c", "touch made; true"], cwd=folder, check=True)


def open_a_socket() -> None:
    """Asks for a network connection that nobody answers."""
    import socket

    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as made:
        made.connect_ex(("127.0.0.1", 9))


def map_a_file(folder: str) -> None:
    """Changes a file through memory."""
    import mmap

    with open(os.path.join(folder, "mapped"), "w+b") as file:
        file.write(b"0")
        file.flush()
        with mmap.mmap(file.fileno(), 1) as mapped:
            mapped[0:1] = b"1"
