"""A plugin of mypy: what `replace` may change of a Struct, and that no function of `dataclasses` meets one.

msgspec's `replace` takes any keyword; here it takes the fields of the Struct, each of its type, as mypy itself has it
for a data class. The functions of `dataclasses` fail with a Struct when they run, and `asdict` of a data class leaves
a Struct in it as it is; mypy takes a Struct for a data class, and says nothing.
"""

from collections.abc import Callable, Iterator

from mypy.nodes import Var
from mypy.plugin import FunctionContext, FunctionSigContext, Plugin
from mypy.plugins.dataclasses import replace_function_sig_callback
from mypy.types import CallableType, Instance, TupleType, Type, TypeType, TypeVarType, UnionType, get_proper_type

OF_DATA_CLASSES = {f"dataclasses.{name}" for name in ("asdict", "astuple", "fields", "is_dataclass", "replace")}


class StructPlugin(Plugin):
    """Hooks into calls by the full names of what is called."""

    def get_function_signature_hook(self, fullname: str) -> Callable[[FunctionSigContext], CallableType] | None:
        """Give msgspec's `replace` the fields of what it is given."""
        return replace_function_sig_callback if fullname == "msgspec.structs.replace" else None

    def get_function_hook(self, fullname: str) -> Callable[[FunctionContext], Type] | None:
        """Look at what `replace` and the functions of `dataclasses` are given."""
        if fullname == "msgspec.structs.replace":
            return _refuse_other
        if fullname not in OF_DATA_CLASSES:
            return None
        return _refuse_struct_within if fullname in ("dataclasses.asdict", "dataclasses.astuple") else _refuse_struct


def _refuse_struct(ctx: FunctionContext, *, within: bool = False) -> Type:
    for given in ctx.arg_types[0] if ctx.arg_types else ():
        for kind in dict.fromkeys(_structs(given, within=within, seen=set())):
            ctx.api.fail(f'"{kind}" is a Struct: take the function of controller.core.values.value', ctx.context)
    return ctx.default_return_type


def _refuse_struct_within(ctx: FunctionContext) -> Type:
    return _refuse_struct(ctx, within=True)


def _refuse_other(ctx: FunctionContext) -> Type:
    for given in ctx.arg_types[0]:
        kind = get_proper_type(given)
        if isinstance(kind, Instance) and not kind.type.has_base("msgspec.Struct"):
            ctx.api.fail(f'"{kind.type.name}" is no Struct: take the function of dataclasses', ctx.context)
    return ctx.default_return_type


def _structs(given: Type, *, within: bool, seen: set[str]) -> Iterator[str]:
    """The names of the Structs that a type is, or may hold."""
    kind = get_proper_type(given)
    if isinstance(kind, CallableType) and kind.is_type_obj():
        kind = get_proper_type(kind.ret_type)
    parts: list[Type] = []
    if isinstance(kind, TypeVarType):
        parts = [kind.upper_bound]
    elif isinstance(kind, TypeType):
        parts = [kind.item]
    elif isinstance(kind, UnionType | TupleType):
        parts = list(kind.items)
    elif isinstance(kind, Instance):
        if kind.type.has_base("msgspec.Struct"):
            yield kind.type.name
        elif within and kind.type.fullname not in seen:
            seen.add(kind.type.fullname)
            data = kind.type.names.values() if "dataclass" in kind.type.metadata else ()
            parts = [*kind.args, *(each.node.type for each in data if isinstance(each.node, Var) and each.node.type)]
    for part in parts:
        yield from _structs(part, within=within, seen=seen)


def plugin(_: str) -> type[Plugin]:
    """What mypy asks for, by its version."""
    return StructPlugin
