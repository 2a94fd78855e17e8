"""Everything that a table imports, for processes that are forked from one that has it (`tests.warm_start`)."""

import gc
import importlib
import pkgutil

import config
import controller
import drivers

for package in (config, controller, drivers):
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        importlib.import_module(module.name)
for name in ("uvicorn.lifespan.on", "uvicorn.loops.asyncio", "uvicorn.protocols.http.h11_impl"):
    importlib.import_module(name)
gc.freeze()
