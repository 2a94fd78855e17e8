"""Compiles the core, rewritten in a folder of its own; the source stays as it is.

    python -m compiled.build FOLDER

leaves in `FOLDER/lib` what a wheel holds beside the source: an extension a module, all of which are in one library, and
the module that describes their classes. Python takes an extension before the source of the same name.
"""

import os
import shutil
import sys
from pathlib import Path

from compiled import explicit, spelling, verbs
from compiled.elsewhere.target import Target

ROOT = Path(__file__).parents[1]
CORE = ROOT / "controller" / "core"

ROOMS = ("values", "protocol", "rules", "model", "play", "irregularities", "engine")
"""The rooms of the core that are compiled, those below first: a base class is known before what is made of it."""

FIRST = ("display.py", "events.py")
"""What comes first in its room, for the same reason."""

INTERPRETED = ("protocol/vocabulary.py", "rules/questions/rule.py", "values/data.py")
"""Nothing but enums; keys of a rulebook, which are fields that say of themselves that they are answers; a decorator."""

BESIDE = ("config/setup.py",)
"""What is compiled besides the core: it makes the first event of a table."""

AMONG_THEMSELVES = ["-fvisibility=hidden", "-fno-semantic-interposition"]
"""A function calls one of another module straight, not by a table that a library could change: a sixth of an event."""


def modules() -> list[Path]:
    """The modules that are compiled, by their paths in the checkout.

    With `TABLE_COMPILED_ONLY="values/cards.py …"` these alone, for a quick look at a compiler: modules without a class
    that another is made of, and without a plan.
    """
    if only := os.environ.get("TABLE_COMPILED_ONLY", "").split():
        return [(CORE / each).relative_to(ROOT) for each in only]
    found = [path for room in ROOMS for path in sorted(CORE.glob(f"{room}/**/*.py"), key=_order)]
    chosen = [path for path in found if path.name != "__init__.py" and str(path.relative_to(CORE)) not in INTERPRETED]
    return [path.relative_to(ROOT) for path in chosen] + [Path(each) for each in BESIDE]


def _order(path: Path) -> tuple[bool, str]:
    return path.name not in FIRST, str(path)


def written(folder: Path) -> list[Path]:
    """Write the packages into a folder, the modules that are compiled in their other form; return those."""
    shutil.rmtree(folder, ignore_errors=True)
    for package in ("controller", "config"):
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(Path(__file__).with_name("runtime.py"), folder / _runtime())
    enums: spelling.Enums = {}
    tuples: spelling.Tuples = {}
    for path in CORE.rglob("*.py"):
        source = path.read_text(encoding="utf-8")
        tuples |= spelling.tuples_of(source)
        for name, members in spelling.enums_of(source).items():
            enums.setdefault(name, set()).update(members)
    known: explicit.Known = {}
    plan = Path(*verbs.MODULE.split(".")).with_suffix(".py")
    of_plan = verbs.verbs_of((ROOT / plan).read_text(encoding="utf-8"))
    for path in modules():
        source = (ROOT / path).read_text(encoding="utf-8")
        source = verbs.defined(source, of_plan) if path == plan else verbs.called(source, of_plan)
        text = explicit.explicit(spelling.spelled(source, enums, tuples), known)
        (folder / path).write_text(text, encoding="utf-8")
    return modules()


def _runtime() -> Path:
    return Path(*explicit.RUNTIME.split(".")).with_suffix(".py")


def compiled(folder: Path) -> Path:
    """Write and compile everything below a folder, for whom the environment says; return where the extensions are."""
    from mypyc.build import mypycify
    from setuptools import Distribution

    folder = folder.resolve()
    sources, lib = folder / "source", folder / "lib"
    paths = written(sources)
    shutil.rmtree(lib, ignore_errors=True)
    os.chdir(sources)
    os.environ["MYPYPATH"] = str(sources)
    flags = ["--config-file=", "--ignore-missing-imports", f"--cache-dir={folder / 'cache'}"]
    extensions = mypycify(
        [*flags, *map(str, paths)],
        group_name="controller_core",
        multi_file=True,
        target_dir=str(folder / "c"),
        opt_level=os.environ.get("TABLE_COMPILED_LEVEL", "2"),
        debug_level="0",
    )
    for each in extensions:
        each.extra_compile_args += AMONG_THEMSELVES
    if target := Target.asked():
        target.compile(extensions, folder)
    else:
        command = Distribution({"name": "table-controller", "ext_modules": extensions}).get_command_obj("build_ext")
        command.build_lib, command.build_temp = str(lib), str(folder / "objects")
        command.ensure_finalized()
        command.run()
    shutil.copy(sources / _runtime(), lib / _runtime())
    return lib


if __name__ == "__main__":
    compiled(Path(sys.argv[1]))
