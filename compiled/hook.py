"""The build hook of the wheel: with `TABLE_COMPILED=yes` it holds the compiled core beside the source.

Without it, and for an editable installation, nothing is done and the wheel is `py3-none-any`, as ever.
"""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompiledHook(BuildHookInterface[Any]):
    """Compiles the core and adds what comes of it to the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the extensions, and say that the wheel is for one Python and machine only."""
        if os.environ.get("TABLE_COMPILED") != "yes" or version == "editable":
            return
        sys.path.append(self.root)  # the hook is read from its file, and is of no package
        from compiled.elsewhere.target import Target

        target = Target.asked()
        folder = Path(self.root) / "build" / "compiled"
        subprocess.run([sys.executable, "-m", "compiled.build", str(folder)], cwd=self.root, check=True)
        lib = folder / "lib"
        files = sorted(path for path in lib.rglob("*") if path.is_file())
        build_data["force_include"].update({str(path): str(path.relative_to(lib)) for path in files})
        build_data["pure_python"], build_data["infer_tag"] = False, target is None
        if target:
            build_data["tag"] = target.tag
