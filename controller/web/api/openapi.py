"""The OpenAPI 3.1 document of the API, made of its operations: their paths, their shapes, and who may have them."""

import re
from collections.abc import Iterator, Sequence
from inspect import cleandoc
from types import UnionType
from typing import Any, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

from controller.client.api_types import SCHEMA_NAMES, Refusal
from controller.runtime.staff.permissions import OPEN, TokenRole, find_route_roles
from controller.shape import Schema, Shape, make_shape
from controller.web.api.operations import API_VERSION, Operation

PATH_PARAMETER_PATTERN = re.compile(r"\{(\w+)(?::int)?\}")

MAX_SAFE_INTEGER = 2**53 - 1
"""The largest number that every reader of JSON keeps whole."""

DESCRIPTION_BY_STATUS = {
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

HOST_CHECK_STATUSES = (403,)
"""The page answers so to a host name that it does not have, before it looks at anything else."""
AUTHENTICATOR_STATUSES = (401, 403, 429, 503)
"""The door answers so to whoever is not let in."""


def build_openapi_document(operations: Sequence[Operation]) -> Schema:
    """Make the document; a shape that several operations use stands in it once."""
    shapes: dict[str, Schema] = {}
    paths: dict[str, Schema] = {}
    for operation in operations:
        told = _build_operation(operation, shapes)
        paths.setdefault(PATH_PARAMETER_PATTERN.sub(r"{\1}", operation.path), {})[operation.method.lower()] = told
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Table controller",
            "version": API_VERSION,
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


def _build_operation(operation: Operation, shapes: dict[str, Schema]) -> Schema:
    right = find_route_roles(operation.method, operation.path)
    answer: Schema = {"description": "Done"}
    if operation.response_type is not None:
        answer["content"] = {operation.media_type: {"schema": build_schema(operation.response_type, shapes)}}
    refused = {*HOST_CHECK_STATUSES, *operation.refusal_statuses, *(() if right is OPEN else AUTHENTICATOR_STATUSES)}
    answers: Schema = {str(operation.success_status): answer}
    for status in sorted(refused):
        shape = build_schema(Refusal, shapes)
        if status in operation.refusal_statuses and right is OPEN:
            shape = {"anyOf": [shape, build_schema(operation.response_type, shapes)]}
        answers[str(status)] = {
            "description": DESCRIPTION_BY_STATUS[status],
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
    parameters = [*_build_parameters(operation)]
    if parameters:
        told["parameters"] = parameters
    if operation.request_type is not None:
        shape = build_schema(operation.request_type, shapes)
        told["requestBody"] = {"required": True, "content": {"application/json": {"schema": shape}}}
    return told


def _build_parameters(operation: Operation) -> Iterator[Schema]:
    for name in PATH_PARAMETER_PATTERN.findall(operation.path):
        number = {"type": "integer", "minimum": 0, "maximum": MAX_SAFE_INTEGER}
        yield {"name": name, "in": "path", "required": True, "schema": number}
    for place, named in (
        ("query", operation.description_by_query_parameter),
        ("header", operation.description_by_header),
    ):
        for name, about in named.items():
            yield {"name": name, "in": place, "description": about, "schema": {"type": "string"}}


def build_schema(shape: Any, shapes: dict[str, Schema]) -> Schema:  # noqa: ANN401 - an annotation is any object
    """The schema of a shape; what a class describes is put into `shapes` and referred to."""
    return make_shape(shape, lambda annotation, words: _make_api_shape(annotation, words, shapes)).schema


def _make_api_shape(annotation: Any, words: str, shapes: dict[str, Schema]) -> Shape | None:  # noqa: ANN401
    """The shape of what only an answer of the API can be: an object by its name, `null`, anything."""
    schema: Schema
    if isinstance(annotation, dict):
        schema = annotation
    elif annotation is Any:
        schema = {}
    elif is_typeddict(annotation):
        schema = _refer_to_object(annotation, shapes)
    elif get_origin(annotation) is NotRequired:
        schema = build_schema(get_args(annotation)[0], shapes)
    elif get_origin(annotation) in (Union, UnionType):
        schema = {"anyOf": [build_schema(each, shapes) for each in get_args(annotation)]}
    else:
        return None
    return Shape(lambda value: value, words, schema)


def _refer_to_object(kind: Any, shapes: dict[str, Schema]) -> Schema:  # noqa: ANN401 - a class of the API
    name = SCHEMA_NAMES[kind]
    if name not in shapes:
        shapes[name] = {}  # it may hold itself
        hints = get_type_hints(kind, include_extras=True)
        shapes[name] = {
            "type": "object",
            "description": " ".join(cleandoc(kind.__doc__ or "").split()),
            "properties": {key: build_schema(hint, shapes) for key, hint in hints.items()},
            "required": sorted(kind.__required_keys__),
        }
    return {"$ref": f"#/components/schemas/{name}"}
