"""`api:<model>`: a provider's own interface, or a local server that speaks like one, through one library.

A question is one request with a deadline of ours; the library's clients try again by themselves where a server says it
is busy.
"""

from thruline.engines.api.provider import find_key, parse_model
from thruline.engines.asker import Asker, Options
from thruline.errors import MissingExtra, NotFound


def check_name(rest: str) -> None:
    """A usage error where nobody knows whose model it is."""
    parse_model(rest)


def open_asker(rest: str, options: Options) -> Asker:
    """The model of a name such as `anthropic/claude-…` or `local/llama3`."""
    provider, model = parse_model(rest)
    key = find_key(provider, options.keys)
    if provider.keys and not key:
        raise NotFound(
            f"There is no key for {provider.name}.",
            where=" or ".join(provider.keys),
            next=f"set the variable, or thruline config set models.{provider.name}_key KEY",
        )
    try:
        from thruline.engines.api.library import ApiAsker  # an extra: it may not be installed
    except ImportError:
        raise MissingExtra(
            "Asking a provider needs the extra [api].", where=f"api:{rest}", next="pip install 'thruline[api]'"
        ) from None
    return ApiAsker(provider, model, key, options)
