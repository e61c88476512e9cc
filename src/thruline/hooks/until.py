"""`--until`: the command that must pass before a promise is believed. Imported for that alone."""

import os
import signal
import subprocess
import tempfile


def run_until(command: str, root: str, seconds: int) -> "tuple[str, str]":
    """How it failed ("" where it passed) and what it said; it and its children are gone when this returns."""
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            command,
            shell=True,  # the user's own words, given with `loop start` and shown there
            cwd=root,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            env={**os.environ, "THRULINE_OFF": "1"},
        )
        try:
            code = process.wait(seconds)
            how = f"ended with status {code}" if code else ""
        except subprocess.TimeoutExpired:
            how = f"did not end within {seconds} s"
        finally:
            _end(process)
        output.seek(max(0, output.seek(0, os.SEEK_END) - 16_384))
        return how, output.read().decode("utf-8", "replace").strip()


def _end(process: "subprocess.Popen[bytes]") -> None:
    try:
        if os.name == "nt":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)
    except OSError:
        pass
    process.wait()
