"""A command of `tablectl` as a value: its name, what it takes, what runs. Parsers are made from it here alone."""

import argparse
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Option:
    """One thing that a command takes: "--name VALUE", or without dashes, as "name VALUE", a word at its place.

    VALUE is what the help calls it, and may be left out. A `flag` takes no value. A `repeated` option collects its
    values. Options of one `either` exclude each other. A `default` and `choices` that can be called are asked for
    when the parser is made. All else is as in `add_argument`.
    """

    name: str
    help: str | None = None
    type: Callable[[str], object] | None = None
    _: KW_ONLY
    default: object = None
    choices: Collection[object] | Callable[[], Collection[object]] = ()
    nargs: str | None = None
    required: bool = False
    dest: str | None = None
    flag: bool = False
    repeated: bool = False
    either: str = ""

    @property
    def word(self) -> str:
        """What stands in the line: `--name`; of a word at its place, its name among the options."""
        return self.name.partition(" ")[0]

    @property
    def is_named(self) -> bool:
        """Whether it is said by name, and not by its place."""
        return self.name.startswith("--")

    def list_choices(self) -> tuple[object, ...]:
        """The values it may have; none where it may have any."""
        return tuple(self.choices() if callable(self.choices) else self.choices)

    def add_to(self, place: argparse._ActionsContainer) -> None:
        """Add it to a parser; what is left out here is left out there."""
        keywords: dict[str, Any] = {key: getattr(self, key) for key in ("help", "type", "nargs", "dest")}
        keywords["metavar"] = self.name.partition(" ")[2] or None
        keywords["default"] = self.default() if callable(self.default) else self.default
        keywords["choices"] = self.list_choices() or None
        keywords["required"] = self.required or None
        keywords["action"] = "store_true" if self.flag else "append" if self.repeated else None
        place.add_argument(self.word, **{key: value for key, value in keywords.items() if value is not None})


JSON = Option("--json", "print JSON", flag=True)


class Command:
    """A command, and all that it `takes`: options in the order of its help, and the commands below it.

    `text` is its line in a list, and `description` begins its own help: where that is left out, the line as a sentence.
    `run` takes the parsed options and returns the exit status. A command below has that of the one above, unless it
    names its own, and then mostly an `action` for that to call. What is in `defaults` stands among the options too.
    `aliases` are the older names, which stay. What is about an installed table's files and devices runs
    `as_table_user` for root. `hint`: what is said besides of a line that it does not take.
    """

    def __init__(
        self,
        name: str,
        text: str,
        *takes: "Option | Command",
        description: str = "",
        run: Callable[[argparse.Namespace], int] | None = None,
        action: Callable[..., object] | None = None,
        defaults: Mapping[str, object] | None = None,
        title: str = "commands",
        metavar: str = "COMMAND",
        aliases: Sequence[str] = (),
        as_table_user: bool = False,
        hint: str = "",
    ) -> None:
        self.name, self.text, self.title, self.metavar, self.aliases = name, text, title, metavar, aliases
        self.hint = hint
        self.description = description or (text if text[:1].isupper() else f"{text[:1].upper()}{text[1:]}.")
        self.options = [each for each in takes if isinstance(each, Option)]
        self.commands = [each for each in takes if isinstance(each, Command)]
        own = {"run": run, "action": action, "as_table_user": as_table_user}
        self.defaults = {**(defaults or {}), **{key: value for key, value in own.items() if value}}

    def walk(self, above: str = "") -> "Iterator[tuple[str, Command]]":
        """Itself and all below, each with its words: "journal list"."""
        words = f"{above} {self.name}".lstrip()
        yield words, self
        for each in self.commands:
            yield from each.walk(words)

    def add_to(
        self, subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]", **inherited: object
    ) -> argparse.ArgumentParser:
        """Make the parsers of it and of all below; what they parse has `run`, `parser` and `as_table_user`."""
        parser = subparsers.add_parser(self.name, aliases=self.aliases, help=self.text, description=self.description)
        if self.hint:
            refuse = parser.error
            parser.error = lambda message: refuse(f"{message}; {self.hint}")  # type: ignore[method-assign]
        groups: dict[str, argparse._MutuallyExclusiveGroup] = {}
        for option in self.options:
            if option.either and option.either not in groups:
                groups[option.either] = parser.add_mutually_exclusive_group()
            option.add_to(groups[option.either] if option.either else parser)
        defaults = {"as_table_user": False, **inherited, **self.defaults}
        if self.commands:
            title: dict[str, Any] = {"title": self.title} if self.title else {}
            below = parser.add_subparsers(metavar=self.metavar, required=True, **title)
            for command in self.commands:
                command.add_to(below, **defaults)
        else:
            parser.set_defaults(**defaults, parser=parser)
        return parser
