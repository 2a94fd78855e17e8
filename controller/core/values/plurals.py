"""How many of something, in words."""


def pluralize(count: int, thing: str) -> str:
    """Return the count with what is counted, as people say it: `1 hand`, `2 hands`."""
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"
