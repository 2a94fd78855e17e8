"""`tablectl completion`: the script by which a shell completes commands, options and the values that are known."""

import argparse
import shlex
from collections.abc import Iterable, Iterator

from controller.cli import load_all_commands
from controller.command_table import Command, Option

SCRIPT = """\
# Completes tablectl in bash; made by `tablectl completion bash`.
_tablectl() {
  local word path=tablectl words= current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$path $word" in
      PATHS) path+=" $word" ;;
    esac
  done
  case "$path $before" in
VALUES
    *) case "$path:${current:0:1}" in
OPTIONS
PLACES
    esac ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
complete -o default -F _tablectl tablectl
"""
"""Where nothing is known `-o default` completes names of files."""


def run(options: argparse.Namespace) -> int:  # noqa: ARG001 - there is one shell
    """Print the script."""
    print(render_script(load_all_commands()), end="")
    return 0


def render_script(commands: Iterable[Command]) -> str:
    """The script that completes these commands and all below them."""
    paths = dict(_walk_paths(Command("tablectl", "", *commands), "tablectl"))
    values = {
        f"{path} {option.word}": [str(choice) for choice in option.list_choices()]
        for path, command in paths.items()
        for option in command.options
        if option.is_named and not option.flag
    }
    options = {
        f"{path}:-": [*(option.word for option in command.options if option.is_named), "--help"]
        for path, command in paths.items()
    }
    places = {path: list(_list_words(command)) for path, command in paths.items()}
    return (
        SCRIPT.replace("PATHS", "|".join(map(shlex.quote, paths)))
        .replace("VALUES", _render_cases(values))
        .replace("OPTIONS", _render_cases(options))
        .replace("PLACES", _render_cases(places, ":*"))
    )


def _walk_paths(command: Command, path: str) -> Iterator[tuple[str, Command]]:
    yield path, command
    for below in command.commands:
        for name in (below.name, *below.aliases):
            yield from _walk_paths(below, f"{path} {name}")


def _list_words(command: Command) -> Iterator[str]:
    """What may stand next that is no option: commands, or values of a place that has few."""
    for below in command.commands:
        yield from (below.name, *below.aliases)
    for option in command.options:
        if not option.is_named:
            yield from map(str, option.list_choices())


def _render_cases(words_by_case: dict[str, list[str]], tail: str = "") -> str:
    """One line for each list of words."""
    cases: dict[str, list[str]] = {}
    for case, words in words_by_case.items():
        cases.setdefault(" ".join(words), []).append(shlex.quote(case) + tail)
    return "\n".join(f"    {'|'.join(each)}) words={shlex.quote(words)} ;;" for words, each in cases.items())


COMMAND = Command(
    "completion",
    "Prints what lets bash complete commands, options and known values; for this shell alone: "
    'eval "$(tablectl completion bash)"',
    Option("shell SHELL", "bash", choices=("bash",)),
    run=run,
)
