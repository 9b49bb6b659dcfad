"""Converts what a TOML file has to typed values; an error says what is allowed in its place."""

from __future__ import annotations

import re
from typing import Any, TypeVar

import msgspec
from msgspec.inspect import DictType, ListType, LiteralType, StructType, UnionType, type_info

from rsaxcel.store.errors import UserError, nearest

Value = TypeVar("Value")

_UNKNOWN = re.compile(r"(?:unknown field `|enum value ')([^`']*)")
_PLACE = re.compile(r"at `\$\.?([^`]*)`")


def convert(content: Any, kind: type[Value]) -> Value:
    """Convert; ``UserError`` with the first mistake and its place."""
    try:
        return msgspec.convert(content, kind)
    except msgspec.ValidationError as error:
        text = str(error)
        if not (unknown := _UNKNOWN.search(text)):
            raise UserError(text) from error
        place = _PLACE.search(text)
        names = _allowed(type_info(kind), re.findall(r"\w+|\[[^]]*]", place[1]) if place else [])
        meant = nearest(unknown[1], names)
        raise UserError(f"{text}{meant}; allowed: {', '.join(names)}") from error


def _allowed(kind: Any, place: list[str]) -> list[str]:
    """Names of fields, or words, that a type has at a place."""
    if isinstance(kind, UnionType):
        found = (_allowed(x, place) for x in kind.types)
        return next(filter(None, found), [])
    if isinstance(kind, ListType) and place:
        return _allowed(kind.item_type, place[1:])
    if isinstance(kind, DictType) and place:
        return _allowed(kind.value_type, place[1:])
    if isinstance(kind, StructType):
        if not place:
            return [x.encode_name for x in kind.fields]
        found = (_allowed(x.type, place[1:]) for x in kind.fields if x.encode_name == place[0])
        return next(found, [])
    return [str(x) for x in kind.values] if isinstance(kind, LiteralType) else []
