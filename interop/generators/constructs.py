"""The constructs of pydantic that the Python generators publish: by name, the
annotation, and a value in JSON that fits it. ABSENT is no value."""

import datetime as dt
import decimal
import enum
import fractions
import importlib.util
import ipaddress
import pathlib
import re
import uuid
from collections import deque
from dataclasses import dataclass
from typing import Annotated, Any, Literal, NamedTuple, Optional, Union

import pydantic as p
from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import NotRequired, TypedDict

ABSENT = object()


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


class Mixed(enum.Enum):
    TEXT = "a"
    NUMBER = 1


class Inner(BaseModel):
    c: int


class Outer(BaseModel):
    a: str
    b: Inner


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int


class Dog(BaseModel):
    kind: Literal["dog"]
    name: str


class Tree(BaseModel):
    name: str
    children: list["Tree"] = []


class Aliased(BaseModel):
    user_id: int = Field(alias="userId")


class Event(BaseModel):
    at: dt.datetime
    ends: Optional[dt.datetime] = None
    took: dt.timedelta
    day: dt.date
    clock: dt.time


class Split(BaseModel):
    user_id: int = Field(validation_alias="userId", serialization_alias="user-id")


class Defaults(BaseModel):
    a: str = "x"
    b: list[int] = Field(default_factory=list)
    c: Optional[int] = None


class Closed(BaseModel):
    model_config = ConfigDict(extra="forbid")
    a: str


class Open(BaseModel):
    model_config = ConfigDict(extra="allow")
    a: str


class Described(BaseModel):
    """What it is."""

    model_config = ConfigDict(title="A thing", json_schema_extra={"examples": [{"a": "x"}]})
    a: str = Field(description="the name", examples=["x"], deprecated=True, title="Name")


class Computed(BaseModel):
    a: int

    @p.computed_field
    @property
    def double(self) -> int:
        return 2 * self.a


class Row(TypedDict):
    a: str
    b: NotRequired[int]


class Point(NamedTuple):
    x: int
    y: int = 0


@dataclass
class Data:
    a: str
    b: int = 1


class Plain:
    def __init__(self, a: str):
        self.a = a


class Listed(p.RootModel[list[int]]):
    pass


DAY, TIME, UUID = "2026-11-27", "10:30:00", "3f2b8c1e-9d4a-4b6f-8a2c-5e7d9f1b3a60"

TYPES = {
    "str": (str, "open"),
    "int": (int, 7),
    "float": (float, 1.5),
    "float_whole": (float, 2),
    "bool": (bool, True),
    "none": (None, None),
    "any": (Any, {"a": [1, "b"]}),
    "object": (object, [1, None]),
    "bytes": (bytes, "hello"),
    "bytes_base64": (p.Base64Bytes, "aGVsbG8="),
    "base64_str": (p.Base64Str, "aGVsbG8="),
    "decimal": (decimal.Decimal, "1.10"),
    "decimal_bounds": (Annotated[decimal.Decimal, Field(max_digits=5, decimal_places=2, ge=0)], "1.10"),
    "complex": (complex, "1+2j"),
    "fraction": (fractions.Fraction, "1/2"),
    "big_int": (int, 9007199254740993),
    "date": (dt.date, DAY),
    "time": (dt.time, TIME),
    "time_offset": (dt.time, TIME + "Z"),
    "datetime": (dt.datetime, f"{DAY}T{TIME}Z"),
    "datetime_naive_out": (dt.datetime, f"{DAY}T{TIME}+00:00"),
    "aware_datetime": (p.AwareDatetime, f"{DAY}T{TIME}+01:00"),
    "past_date": (p.PastDate, "2020-01-02"),
    "timedelta": (dt.timedelta, "P1DT2H"),
    "timedelta_half_second": (dt.timedelta, "PT1S"),
    "uuid": (uuid.UUID, UUID),
    "uuid4": (p.UUID4, UUID),
    "any_url": (p.AnyUrl, "https://example.com/a?b=c"),
    "http_url": (p.HttpUrl, "https://example.com/"),
    "ipv4": (ipaddress.IPv4Address, "192.0.2.7"),
    "ipv6": (ipaddress.IPv6Address, "2001:db8::7"),
    "ip_any": (p.IPvAnyAddress, "192.0.2.7"),
    "ipv4_network": (ipaddress.IPv4Network, "192.0.2.0/24"),
    "path": (pathlib.Path, "a/b.md"),
    "pattern": (re.Pattern, "^a+$"),
    "byte_size": (p.ByteSize, 1024),
    "secret": (p.SecretStr, "abc"),
    "json": (p.Json, "[1]"),
    "json_value": (p.JsonValue, {"a": [1, None]}),
    "regex": (Annotated[str, Field(pattern=r"^[a-z]+-\d{2}$")], "abc-12"),
    "regex_unicode_escape": (Annotated[str, Field(pattern="^[\\u0041-\\u005A]+$")], "ABC"),
    "length": (Annotated[str, Field(min_length=1, max_length=9)], "abc"),
    "int_range": (Annotated[int, Field(ge=1, le=100)], 50),
    "int_exclusive": (Annotated[int, Field(gt=0, lt=10)], 5),
    "multiple_of": (Annotated[float, Field(multiple_of=0.25)], 0.75),
    "positive": (p.PositiveInt, 1),
    "strict_int": (p.StrictInt, 1),
    "finite": (p.FiniteFloat, 1.5),
    "optional": (Optional[str], None),
    "optional_given": (Optional[str], "a"),
    "optional_model": (Optional[Inner], {"c": 1}),
    "default": (Annotated[str, "a"], ABSENT),
    "default_list": (Annotated[list[int], [1, 2]], ABSENT),
    "default_none": (Annotated[Optional[int], None], ABSENT),
    "default_model": (Annotated[Defaults, Defaults()], ABSENT),
    "union": (Union[int, str], "a"),
    "union_models": (Union[Cat, Dog], {"kind": "dog", "name": "Rex"}),
    "discriminated_union": (Annotated[Union[Cat, Dog], Field(discriminator="kind")], {"kind": "cat", "lives": 9}),
    "literal": (Literal["a", "b"], "a"),
    "literal_one": (Literal["a"], "a"),
    "literal_mixed": (Literal["a", 1, True, None], 1),
    "enum": (Color, "red"),
    "int_enum": (Level, 2),
    "mixed_enum": (Mixed, 1),
    "list": (list[str], ["a", "b"]),
    "list_bare": (list, [1, "a"]),
    "list_bounds": (Annotated[list[int], Field(min_length=1, max_length=3)], [1]),
    "list_of_lists": (list[list[float]], [[1.5], [2.5]]),
    "list_of_models": (list[Inner], [{"c": 1}]),
    "tuple": (tuple[str, int], ["a", 1]),
    "tuple_rest": (tuple[int, ...], [1, 2]),
    "tuple_empty": (tuple[()], []),
    "set": (set[int], [1]),
    "frozenset": (frozenset[str], ["a"]),
    "deque": (deque[int], [1]),
    "dict": (dict[str, int], {"a": 1}),
    "dict_bare": (dict, {"a": 1}),
    "dict_any": (dict[str, Any], {"a": [1]}),
    "dict_int_keys": (dict[int, str], {"1": "a"}),
    "dict_enum_keys": (dict[Color, int], {"red": 1}),
    "dict_of_models": (dict[str, Inner], {"a": {"c": 1}}),
    "model": (Outer, {"a": "x", "b": {"c": 1}}),
    "model_defaults": (Defaults, {}),
    "model_alias": (Aliased, {"userId": 7}),
    "model_two_aliases": (Split, {"userId": 7}),
    "model_closed": (Closed, {"a": "x"}),
    "model_open": (Open, {"a": "x", "b": 1}),
    "model_described": (Described, {"a": "x"}),
    "model_computed": (Computed, {"a": 2}),
    "model_recursive": (Tree, {"name": "a", "children": [{"name": "b", "children": []}]}),
    "model_root": (Listed, [1, 2]),
    "typed_dict": (Row, {"a": "x"}),
    "named_tuple": (Point, [1, 2]),
    "dataclass": (Data, {"a": "x", "b": 2}),
    "plain_class": (Plain, {"a": "x"}),
    "callable": (type, "a"),
}

if importlib.util.find_spec("email_validator"):  # which comes with fastmcp alone
    TYPES["email"] = (p.EmailStr, "ada@example.com")


def returns():
    """Results of tools without arguments, by name: the annotation and the value."""
    naive = dt.datetime(2026, 11, 27, 10, 30)
    return {
        "returns_none": (None, None),
        "returns_nothing_annotated": (ABSENT, {"a": 1}),
        "returns_list": (list[str], ["a", "b"]),
        "returns_empty_list": (list[str], []),
        "returns_scalar": (int, 7),
        "returns_model": (Outer, Outer(a="x", b=Inner(c=1))),
        "returns_list_of_models": (list[Inner], [Inner(c=1), Inner(c=2)]),
        "returns_union": (Union[Cat, Dog], Dog(kind="dog", name="Rex")),
        "returns_optional_model": (Optional[Inner], None),
        "returns_dict": (dict[str, int], {"a": 1}),
        "returns_naive_datetime": (dt.datetime, naive),
        "returns_naive_datetimes": (list[dt.datetime], [naive, naive]),
        "returns_naive_datetime_by_name": (dict[str, dt.datetime], {"a": naive}),
        "returns_naive_event": (Event, Event(at=naive, took="PT0.5S", day=DAY, clock=TIME)),
        "returns_aware_event": (Event, Event(at=f"{DAY}T{TIME}Z", took="P1D", day=DAY, clock=TIME + "Z")),
        "returns_decimals": (list[decimal.Decimal], [decimal.Decimal("1.10")]),
        "returns_uuids": (list[uuid.UUID], [uuid.UUID(UUID)]),
        "returns_urls": (list[p.HttpUrl], [p.HttpUrl("https://example.com/")]),
        "returns_enum_by_name": (dict[str, Color], {"a": Color.RED}),
        "returns_optional_list": (Optional[list[int]], None),
        "returns_tuple": (tuple[str, int], ("a", 1)),
        "returns_set": (set[int], {1}),
        "returns_dict_of_lists": (dict[str, list[Inner]], {"a": [Inner(c=1)]}),
        "returns_typed_dict": (Row, {"a": "x", "b": 1}),
        "returns_dataclass": (Data, Data(a="x")),
        "returns_alias": (Aliased, Aliased(userId=7)),
        "returns_any": (Any, {"a": [1]}),
        "returns_float_whole": (float, 2.0),
        "returns_unicode": (str, "h\u00e9 \U0001f642"),
        "returns_half_second": (dt.timedelta, dt.timedelta(seconds=0.5)),
        "returns_negative_duration": (dt.timedelta, dt.timedelta(days=-1)),
        "returns_naive_time": (dt.time, dt.time(10, 30)),
        "returns_bytes": (bytes, b"hello"),
        "returns_decimal": (decimal.Decimal, decimal.Decimal("1.10")),
        "returns_computed": (Computed, Computed(a=2)),
        "returns_big_int": (int, 2**63),
        "returns_recursive": (Tree, Tree(name="a", children=[Tree(name="b")])),
    }
