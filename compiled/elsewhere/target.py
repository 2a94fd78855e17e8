"""For which machine and Python the core is compiled, and zig as the C compiler for them.

`TABLE_COMPILED_FOR=aarch64-3.13` in the environment asks for it. The headers of that Python are Debian's, where
`compiled/elsewhere/tools` has put them; C and its libraries are zig's own, which knows those of every machine.
"""

import os
import re
import subprocess
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

DEBIAN = Path(__file__).parents[2] / "build" / "debian"

LIBC = "2.34"
"""The C library that a table has at least, as for the wheels of others (`make wheels`)."""

FLAGS = ("-shared", "-s", "-fPIC", "-DNDEBUG", "-fwrapv", "-fno-sanitize=undefined")
"""What Python compiles its own modules with; zig would put traps where C leaves something undefined."""


@dataclass(frozen=True, slots=True)
class Target:
    """A machine, as `uname -m` names it, and a Python, such as `3.13`."""

    machine: str
    python: str

    @classmethod
    def asked(cls, environment: Mapping[str, str] = os.environ) -> Self | None:
        """The target that the environment names; none: this machine and Python. ValueError: it is none."""
        text = environment.get("TABLE_COMPILED_FOR", "")
        found = re.fullmatch(r"(aarch64|x86_64)-(3\.\d+)", text)
        if text and not found:
            raise ValueError(f"TABLE_COMPILED_FOR is a machine and a Python, such as aarch64-3.13, and not {text!r}")
        return cls(*found.groups()) if found else None

    @property
    def tag(self) -> str:
        """The tag of its wheel."""
        version = self.python.replace(".", "")
        return f"cp{version}-cp{version}-linux_{self.machine}"

    def file(self, extension: str) -> Path:
        """Where the extension of a module lies, such as `controller.core.values.chips`."""
        path = Path(*extension.split("."))
        return path.with_name(f"{path.name}.cpython-{self.python.replace('.', '')}-{self.machine}-linux-gnu.so")

    def compile(self, extensions: Sequence[Any], folder: Path) -> None:
        """Compile extensions, as setuptools has them, into `folder/lib`; no path of this machine gets into them.

        FileNotFoundError: Debian's headers are not there. CalledProcessError: zig has said why not.
        """
        name = f"{self.machine}-{self.python}"
        include = DEBIAN / name / "usr" / "include"
        if not (include / f"python{self.python}" / "Python.h").exists():
            raise FileNotFoundError(f"Python.h is not in {include}: compiled/elsewhere/tools BIN {name}")
        from ziglang import __file__ as beside

        # Debian's own headers of C come after zig's: they are there for one folder, the machine's part of Python.h.
        of_python = (f"-I{include / f'python{self.python}'}", f"-idirafter{include}", f"-ffile-prefix-map={folder}=.")
        zig = (str(Path(beside).with_name("zig")), "cc", "-target", f"{self.machine}-linux-gnu.{LIBC}")
        notes = os.environ | {"ZIG_GLOBAL_CACHE_DIR": f"{folder}/zig", "ZIG_LOCAL_CACHE_DIR": f"{folder}/zig"}

        def one(extension: Any) -> None:
            file = folder / "lib" / self.file(extension.name)
            file.parent.mkdir(parents=True, exist_ok=True)
            flags = [
                *FLAGS,
                *extension.extra_compile_args,
                *of_python,
                *(f"-I{each}" for each in extension.include_dirs),
            ]
            subprocess.run([*zig, *flags, *extension.sources, "-o", str(file)], env=notes, check=True)

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(one, extensions))
