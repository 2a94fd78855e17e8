"""A copy of the tree without what is built in it: that comes and goes while other parts of the gate run beside."""

import shutil
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parents[1]
BUILT = ("__pycache__", "build", "dist", "*.egg-info")


def copy_tree(names: Iterable[str], folder: Path, root: Path = ROOT) -> None:
    """Copy the files and folders of these names, from the root, into a folder, each to its own place."""
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        if (root / name).is_dir():
            shutil.copytree(root / name, folder / name, ignore=shutil.ignore_patterns(*BUILT))
        else:
            shutil.copy(root / name, folder / name)
