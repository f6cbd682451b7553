package ecma_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/ecma"
)

func TestRegistrations(t *testing.T) {
	t.Parallel()
	src := `import { register, registry } from './core.js';
import { Csv, make } from './csv';

register('csv', Csv);
registry.registerFormat("json", new Json(), { fast: true })
register(make(1));
register('fn', () => 1);
register(a.b + 1);
registered('x', Csv);
register();
if (debug) register('debug', Csv);
{ register('block', Csv); }
export function later() { register('later', Csv); }
await register('awaited', Csv);
`
	for _, l := range []source.Language{ecma.JavaScript, ecma.TypeScript} {
		name := "src/plug" + l.Extensions()[0]
		f := l.Extract(context.Background(), name, []byte(src))
		got := ""
		for _, x := range f.Facts {
			if x.Kind == source.Register {
				got += fmt.Sprintf("%d %s(%q, %s)\n", x.Line, x.Of, x.Name, x.ID)
			}
		}
		want := "4 register(\"csv\", Csv)\n5 registry.registerFormat(\"json\", Json)\n6 register(\"\", make)\n7 register(\"fn\", )\n14 register(\"awaited\", Csv)\n"
		if got != want || f.Problem != "" {
			t.Errorf("%s: got\n%swant\n%s%s", l.Name(), got, want, f.Problem)
		}
	}
}
