"""The OpenAPI 3.1 document of the API, made of its operations: their paths, their shapes, and who may have them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from inspect import cleandoc
from types import NoneType, UnionType
from typing import Any, Literal, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

from controller.client.shapes import SCHEMA_NAMES, Refusal
from controller.runtime.staff.authority import OPEN, TokenRole, right_to
from controller.web.api.operations import VERSION, Operation

Schema = dict[str, Any]

PARAMETER = re.compile(r"\{(\w+)(?::int)?\}")

LARGEST = 2**53 - 1
"""The largest number that every reader of JSON keeps whole."""

STATUSES = {
    400: "The request is not of the form that this operation takes",
    401: "No token, or none that stands",
    403: "The token has another role, or this is not for tokens here",
    404: "The record has no such hand",
    409: "The table has moved on, or it cannot be done now",
    413: "The request is longer than any that is taken",
    415: "The request does not carry JSON",
    429: "Too much or too soon; `Retry-After` says when to come again",
    503: "The table is not up yet, or the record cannot be read",
}
"""What a refusal of each status means; its `code` is in the error catalogue."""

GUARD = (403,)
"""The page answers so to a host name that it does not have, before it looks at anything else."""
DOOR = (401, 403, 429, 503)
"""The door answers so to whoever is not let in."""


def document(operations: Sequence[Operation]) -> Schema:
    """Make the document; a shape that several operations use stands in it once."""
    shapes: dict[str, Schema] = {}
    paths: dict[str, Schema] = {}
    for operation in operations:
        told = _operation(operation, shapes)
        paths.setdefault(PARAMETER.sub(r"{\1}", operation.path), {})[operation.method.lower()] = told
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Table controller",
            "version": VERSION,
            "description": "A running poker table, for other machines. Nothing that is told names a card that lies "
            "face down. Within this version keys are added; none goes or changes its meaning.",
        },
        "paths": paths,
        "components": {
            "schemas": dict(sorted(shapes.items())),
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "Made at the table by `tablectl token add NAME --role ROLE`; its role says which "
                    "operations it may have.",
                }
            },
        },
    }


def _operation(operation: Operation, shapes: dict[str, Schema]) -> Schema:
    right = right_to(operation.method, operation.path)
    answer: Schema = {"description": "Done"}
    if operation.gives is not None:
        answer["content"] = {operation.media: {"schema": schema_of(operation.gives, shapes)}}
    refused = {*GUARD, *operation.refuses, *(() if right is OPEN else DOOR)}
    answers: Schema = {str(operation.status): answer}
    for status in sorted(refused):
        shape = schema_of(Refusal, shapes)
        if status in operation.refuses and right is OPEN:
            shape = {"anyOf": [shape, schema_of(operation.gives, shapes)]}
        answers[str(status)] = {
            "description": STATUSES[status],
            "content": {"application/json": {"schema": shape}},
        }
    told: Schema = {
        "operationId": operation.name,
        "summary": operation.summary,
        "responses": answers,
        "security": [],
    }
    if right is not None:
        roles = sorted(role.value for role in right if isinstance(role, TokenRole))
        told["security"] = [{"token": []}]
        told["description"] = f"For tokens with the role {' or '.join(roles)}."
    parameters = [*_parameters(operation)]
    if parameters:
        told["parameters"] = parameters
    if operation.takes is not None:
        shape = schema_of(operation.takes, shapes)
        told["requestBody"] = {"required": True, "content": {"application/json": {"schema": shape}}}
    return told


def _parameters(operation: Operation) -> Iterator[Schema]:
    for name in PARAMETER.findall(operation.path):
        number = {"type": "integer", "minimum": 0, "maximum": LARGEST}
        yield {"name": name, "in": "path", "required": True, "schema": number}
    for place, named in (("query", operation.query), ("header", operation.headers)):
        for name, about in named.items():
            yield {"name": name, "in": place, "description": about, "schema": {"type": "string"}}


_TYPES: Mapping[Any, str] = {int: "integer", float: "number", str: "string", bool: "boolean", NoneType: "null"}


def schema_of(shape: Any, shapes: dict[str, Schema]) -> Schema:  # noqa: ANN401 - an annotation is any object
    """The schema of a shape; what a class describes is put into `shapes` and referred to."""
    if isinstance(shape, dict):
        return shape
    if shape is Any:
        return {}
    if is_typeddict(shape):
        name = SCHEMA_NAMES[shape]
        if name not in shapes:
            shapes[name] = {}  # it may hold itself
            hints = get_type_hints(shape, include_extras=True)
            shapes[name] = {
                "type": "object",
                "description": " ".join(cleandoc(shape.__doc__ or "").split()),
                "properties": {key: schema_of(hint, shapes) for key, hint in hints.items()},
                "required": sorted(shape.__required_keys__),
            }
        return {"$ref": f"#/components/schemas/{name}"}
    origin, arguments = get_origin(shape), get_args(shape)
    if origin is NotRequired:
        return schema_of(arguments[0], shapes)
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin in (Union, UnionType):
        return {"anyOf": [schema_of(argument, shapes) for argument in arguments]}
    if origin is list:
        return {"type": "array", "items": schema_of(arguments[0], shapes)}
    if origin is dict:
        return {"type": "object", "additionalProperties": schema_of(arguments[1], shapes)}
    return {"type": _TYPES[shape]}
