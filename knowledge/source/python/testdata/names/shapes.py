#!/usr/bin/env python
# -*- coding: utf-8 -*-
"""Shapes, and what can be done with them.

    Indented example.
"""

from __future__ import annotations

import os, sys
import os.path
import xml.dom.minidom
import collections.abc as cabc
from typing import (
    TYPE_CHECKING,  # a comment
    Any,
    overload,
)
from dataclasses import dataclass, field as make

if TYPE_CHECKING:
    from .base import Base as _Base
try:
    import json
except ImportError:
    json = None
else: JSON = True

__all__ = ["Shape", 'area', "LIMIT"]
__all__ += ["Alias"]

LIMIT: int = 0x10
_HIDDEN = f"{LIMIT!r:>{LIMIT}} {os.name = } {'nested'}"
Alias = dict[str, "Shape"]
first, *rest = [1, 2, 3]
x = y = lambda a, b=1: (a, b)
type_ = 1; second = 2
table = {
    "key": [1, 2,],
    **{},
}


class Shape(_Base, metaclass=type("M", (type,), {})):
    'One line.'

    sides: int
    name = "shape"
    _cache: dict[str, Any] = {}
    __slots__ = ()

    class Inner: value = 1; other: int = 2

    @property
    def size(self): return self._size
    @size.setter
    def size(self, value): self._size = value

    @overload
    def scale(self, by: int) -> Shape: ...
    @overload
    def scale(self, by: float) -> "Shape": ...
    def scale(
        self,
        by,  # the factor
        /, *,
        deep: bool=False,
        callback=lambda s: s,
        **options: Any,
    ) -> Shape:
        r"""Scale.

        .. deprecated:: 2.0
           Use :func:`area`.
        """
        import copy
        def local(): "not seen"
        return copy.copy(self)

    async def __aenter__(self): pass

    if sys.platform == "win32":
        def handle(self): return 1
    else:
        def handle(self, *args): return 2


@dataclass(frozen=True, order = True)
class Point:
    x: int = 0
    y: list[int] = make(default_factory=list)


def area(shape: 'Shape', unit: str="m\u00b2", *, f=-1, g=~2, h=a[1:2, ::3], i=not x, j=2**-1, k=(1,), l=f"{x:>{y}}") -> float:
    """
    The area.

      Deeper.
	Tabbed.
    """
    print(os.path.join("a", os.environ["HOME"]), os.environ.get('PORT', "80"), os.getenv("HOST"))
    os.environ["WRITTEN"] = "1"
    xml.dom.minidom.parse(xml.sax)
    sys.exit(3)


for loop in range(3):
    hidden_by_loop = loop
    def in_loop(): pass

if __name__ == '__main__':
    raise SystemExit(1)
