"""Reads a TOML file as every file of the configuration is read."""

import tomllib
from pathlib import Path
from typing import Any

from config.errors import ConfigError
from config.lines import line_of


def read_toml(path: Path) -> tuple[str, dict[str, Any]]:
    """The text of a file and what it says; raises `ConfigError` where it cannot be read or is no TOML."""
    try:
        text = path.read_bytes().decode()
        return text, tomllib.loads(text)
    except OSError as why:
        raise ConfigError(path, 1, "", f"cannot be read: {why.strerror}") from why
    except UnicodeDecodeError as why:
        raise ConfigError(path, 1, "", "is no UTF-8 text") from why
    except tomllib.TOMLDecodeError as why:
        raise ConfigError(path, line_of(why), "", f"is no TOML: {why}") from why
    except (RecursionError, ValueError) as why:  # brackets in brackets without end, a number of thousands of digits
        raise ConfigError(path, 1, "", "is no TOML that can be read: too deep, or a number too long") from why
