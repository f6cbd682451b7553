"""Every way to bind a name, beside the same name free."""

from __future__ import annotations

import os.path as paths
import xml.dom.minidom
from contextlib import contextmanager as manager
from typing import TYPE_CHECKING, Annotated, Any, Literal, Optional

if TYPE_CHECKING:
    from decimal import Decimal
    import fractions as fr

LIMIT, (low, *high) = 10, (1, 2, 3)
total = count = LIMIT
total += count
outside.attribute = total
table = {key: value for key, value in rows for value in key if (seen := value)}
nested = [[cell for cell in row if cell in nested] for row in table if row is not cell]
ordered = sorted(table, key=lambda pair, *, last=LIMIT: (pair[last], total, first))
later = lambda: (lambda x=LIMIT: lambda: x + y)()

for step in range(LIMIT):
    show(step, step.real)
else:
    show(low)
with open(paths.join("a")) as handle, manager() as (one, two.three):
    handle.read(one)


def parameters(a, b: Decimal = LIMIT, /, c: "fr.Fraction" = total, *d: "Any", e=lambda q: q.a, **f: int) -> Optional["Shape"]:
    return a.x, b.sqrt().y, c.numerator, d.count, e(low), f.items(), g


def typed(s: Shape, t: Optional[Shape], u: "Shape | None", v: str, w: Any, z: Shape):
    z = z or s
    local: Shape = t.copy()
    made = Shape(v.strip())
    again = Shape()
    again = other()
    return s.area().wide, t.area, u.area, v.upper, w.area, z.area, local.area, made.area, again.area


def literal(mode: Literal["count", "total"], note: Annotated[int, "count"], prose: "the total amount"): ...


def globals_and_others():
    global total, fresh
    total = fresh = 1
    inner = 2

    def change():
        nonlocal inner
        inner = count
        return inner, total

    def shadow(count, total=total):
        return count, total, [inner for inner in LIMIT]

    return change, shadow(inner), inner.real


def statements(items):
    import json
    from shop import money as cash, rate

    for index, (head, *tail) in enumerate(items):
        head.run(index, tail)
    while (n := next_of(items)) is not None:
        del n
    try:
        json.loads(rate(cash.parse))
    except (KeyError, paths.error) as problem:
        raise Failure(problem.args) from total
    finally:
        assert LIMIT, items[low:high].done
    with manager() as m, open(m.name) as [x, y]:
        x.y[total].z = y
    items.count += LIMIT
    items[low] -= high
    yield from (item.name async for item in items if item not in high)
    return [i for i in i for j in i if (k := j)], k, i


def patterns(value):
    match value:
        case Shape(name=found, parts=[first, *_]) if found > LIMIT:
            return found, first
        case {"k": paths.sep, **rest} | (1 | 2 as rest):
            return rest
        case xml.dom.Node():
            return first
        case _:
            return missing


def text(a):
    return f"{a.b!r:>{LIMIT}} {total=} {table['x']!s} {[a for a in low]} {{a}}" f"{ {'k': count}['k'] }"


@manager
@paths.wraps(total, key=low)
def decorated(): ...


class Base(outside.Meta, metaclass=paths.Type, limit=LIMIT):
    size = LIMIT
    twice = size * 2
    low = low
    several = [size for _ in range(size)]

    for bit in high:
        show(bit, size)

    class Part:
        size = size
        def name(self): return self.size, size

    def __init__(self, size=size, part: Part = None):
        self.size, self._part = size, part.size
        self.grow(lambda: self.shrink)

    @classmethod
    def make(cls, *args): return cls(*args), cls.size, __class__

    @staticmethod
    def plain(self): return self.size

    def lost(self):
        self = total
        return self.size

    def hidden(this):
        def inside(self): return self.size, this.size
        class Local:
            field = this.field
            copy = field
            def run(self): return self.x, this.y
        return inside, Local.copy, Local().run

    @property
    def area(self): return self.__secret
    @area.setter
    def area(self, value): self.__secret = value


class Shape(Base): ...


if __name__ == "__main__":
    shape = Shape()
    shape.area
    del total
