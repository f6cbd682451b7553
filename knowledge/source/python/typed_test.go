package python_test

import (
	"testing"

	"github.com/causaldocs/causal/knowledge/source/python"
	"github.com/causaldocs/causal/knowledge/source/sourcetest"
)

func TestHeaders(t *testing.T) {
	sourcetest.Headers(t, python.Language{}, "shop.py", `
@cache
@deprecated("old, (x)")
async def parse[T: (int, str), *Ts](a, b: dict[str, int] = {"a": 1}, /, c=lambda x, y: x, *args: T, d: "T | None" = None, **rest) -> tuple[T, ...]:
    pass
def only(*, a: Annotated[int, Doc("how many")] = 1, b) -> None: ...
class Cart[T](Base[T], p.Other, metaclass=ABCMeta):
    limit: ClassVar[int] = 3
    name = "cart"
    def total(self, __secret, tax: float = .5) -> int: ...
    @staticmethod
    def make(first): ...
    @classmethod
    def of(cls, /, *, strict=False): ...
type Pair[T] = tuple[T, T]
LIMIT: Final = 10
`, `
parse: @cache @deprecated("old, (x)") async <T: (int, str), *Ts> (/:a, /:b: dict[str, int] = {"a": 1}, c = lambda x, y: x, v:args: T, *:d: "T | None" = None, k:rest) -> tuple[T, ...]
only: (*:a: int = 1, *:b) -> None
Cart: <T> (*:metaclass = ABCMeta) +Base[T] +p.Other
Cart.limit: -> ClassVar[int] = 3
Cart.name: = "cart"
Cart.total: (s:self, /:__secret, tax: float = .5) -> int
Cart.make: @staticmethod (first)
Cart.of: @classmethod (s:cls, *:strict = False)
Pair: = tuple[T, T]
LIMIT: -> Final = 10
`)
}
