"""The one error of the configuration: it names file, line and key."""

from pathlib import Path


class ConfigError(ValueError):
    """A file that cannot be used; the message begins with file and line and names the key."""

    def __init__(self, path: Path, line: int, key: str, message: str) -> None:
        """Keep the parts; `key` may be empty where the file as a whole is wrong."""
        super().__init__(f"{path.name}:{line}: {key}: {message}" if key else f"{path.name}:{line}: {message}")
        self.path = path
        self.line = line
        self.key = key
        self.message = message
