"""`thruline scrub`: shows what would change, asks with default no, then writes."""

import sys

import click

from thruline.cli.command import command as declare
from thruline.cli.command import is_terminal
from thruline.cli.settings import find_settings
from thruline.cli.show import render_json
from thruline.cli.terminal import make_visible, say, write_out
from thruline.errors import NotFound, Refused, UsageError
from thruline.operations.scrub import Scrub, build_scrub, read_scrub, write_scrub


@declare(
    "scrub",
    help="Remove secrets from FILE, after showing what would change. With - : from standard input to standard output; "
    "what was found is then told on standard error, with --json too.",
    example="thruline scrub notes.md\nthruline scrub --check transcript.jsonl\ngit diff | thruline scrub -",
)
@click.argument("file", metavar="FILE|-")
@click.option("--yes", is_flag=True, help="Write without asking.")
@click.option("--check", is_flag=True, help="Write nothing; exit 1 if there are secrets.")
def command(file: str, yes: bool, check: bool, as_json: bool) -> int:
    """Scrubs one file or standard input."""
    if yes and check:
        raise UsageError("--yes writes and --check does not.", where="thruline scrub", next="give one of them")
    if file == "-":
        return _scrub_stream(check, as_json)
    scrub = read_scrub(file, entropy=find_settings().redact.entropy)
    if check or not scrub.receipt:
        _tell(scrub, written=False, as_json=as_json)
        return 1 if scrub.receipt else 0
    if not as_json:
        say(_printable(scrub.diff))
        say(_render_receipt(scrub))
    if not yes:
        if not is_terminal() or as_json:
            raise Refused(
                f"Nothing was written: {_count(scrub)} found, and nobody is here to confirm.",
                where=file,
                next=f"thruline scrub --yes {file}",
            )
        if not click.confirm(make_visible(f"Write {file}?"), default=False):
            say("Nothing was written.")
            return 1
    _tell(scrub, written=True, as_json=as_json, links=write_scrub(scrub))
    return 0


def _scrub_stream(check: bool, as_json: bool) -> int:
    if sys.stdin is None:
        raise NotFound(
            "Standard input is closed.", where="thruline scrub -", next="pipe a text into it, or name a file"
        )
    scrub = build_scrub("-", sys.stdin.buffer.read(), entropy=find_settings().redact.entropy)
    if not check and sys.stdout.isatty():
        write_out(scrub.after.decode("utf-8", "replace"))
    elif not check:
        sys.stdout.buffer.write(scrub.after)
        sys.stdout.buffer.flush()
    receipt = render_json(_build_receipt(scrub, written=False)) if as_json else _render_receipt(scrub)
    say(receipt, err=not (check and as_json))
    return 1 if check and scrub.receipt else 0


def _tell(scrub: Scrub, *, written: bool, as_json: bool, links: int = 0) -> None:
    if as_json:
        say(render_json(_build_receipt(scrub, written=written) | ({"other_links": links} if written else {})))
    elif written:
        say(f"Wrote {scrub.path}.")
        if links:
            many = "1 other hard link of it still has" if links == 1 else f"{links} other hard links of it still have"
            say(f"{many} the secrets.")
    else:
        say(_render_receipt(scrub))


def _build_receipt(scrub: Scrub, *, written: bool) -> dict[str, object]:
    return {"file": scrub.path, "found": sum(scrub.receipt.values()), "receipt": scrub.receipt, "written": written}


def _render_receipt(scrub: Scrub) -> str:
    if not scrub.receipt:
        return f"No secrets found in {scrub.path}; nothing to do."
    return "\n".join(
        [f"{_count(scrub)} found in {scrub.path}:", *(f"  {n:4}  {rule}" for rule, n in scrub.receipt.items())]
    )


def _count(scrub: Scrub) -> str:
    total = sum(scrub.receipt.values())
    return "1 secret" if total == 1 else f"{total} secrets"


def _printable(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")
