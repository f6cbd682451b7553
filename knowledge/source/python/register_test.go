package python_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/python"
)

func TestRegistrations(t *testing.T) {
	t.Parallel()
	src := `import atexit
from .core import register, registry
from django.contrib import admin

@register("json")
class Json: pass

@registry.register
async def later(): pass

@admin.register(Book)
@other("x")
class BookAdmin: pass

register("csv", Csv())
registry.register(name="xml", factory=Xml)
_unused = registry.register_all(Toml)
atexit.register(close, 1)
codecs.register(lambda name: None)
registered("x", Y)
register(compute(1)[0])

if debug:
    register("debug", Debug)

def later():
    register("later", Later)
    @register("inner")
    class Inner: pass

class C:
    register("member", C)
    @register("method")
    def m(self): pass
`
	f := python.Language{}.Extract(context.Background(), "pkg/plug.py", []byte(src))
	var b strings.Builder
	for _, x := range f.Facts {
		if x.Kind == source.Register {
			fmt.Fprintf(&b, "%d %s(%q, %s)\n", x.Line, x.Of, x.Name, x.ID)
		}
	}
	want := `5 register("json", Json)
8 registry.register("", later)
11 admin.register("", BookAdmin)
15 register("csv", Csv)
16 registry.register("xml", )
17 registry.register_all("", Toml)
18 atexit.register("", close)
`
	if sorted(b.String()) != sorted(want) || f.Problem != "" {
		t.Errorf("got\n%s\nwant\n%s%s", b.String(), want, f.Problem)
	}
}

func sorted(text string) string {
	lines := strings.Split(text, "\n")
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}
