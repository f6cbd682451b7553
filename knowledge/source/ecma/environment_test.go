package ecma

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
)

// said are the facts of a file, one a line.
func said(f source.File) string {
	f.Facts = source.SortFacts(f.Facts)
	var b strings.Builder
	for _, x := range f.Facts {
		fmt.Fprintf(&b, "%s %s", x.Kind, x.Name)
		for _, part := range [][2]string{{"=", x.ID}, {"<", x.Of}, {"|", x.Also}, {":", x.Value}, {"~", x.Default}, {"$", x.Usage}, {"?", x.Help}} {
			if part[1] != "" {
				fmt.Fprintf(&b, " %s%s", part[0], part[1])
			}
		}
		b.WriteString("\n")
	}
	return strings.TrimSpace(b.String())
}

func TestEnvironment(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ src, want string }{
		"defaults": {"const a = process.env.A || 'x', b = process.env['B'] ?? 80\nconst c = process.env.C || other\nlisten(process.env.D || 3000 + n)\n",
			"env A ~x\nenv B ~80\nenv C\nenv D"},
		"functions": {`function env(name, other) { return process.env[name] || other }
const port = (key) => process.env[key] ?? "80"
const typed = (key: string, or: string): string => process.env[key] ?? or
other(function (key) { return process.env[key] })
const b = env("PORT", "1") + get("API_KEY") + upper("EOF") + conf.get("A_B")
`, "env API_KEY <get\nenv PORT <env ~1\nreads  =env :fallback\nreads  =port ~80\nreads  =typed :fallback"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := said(languageOf("a.ts").Extract(context.Background(), "a.ts", []byte(c.src))); got != c.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, c.want)
			}
		})
	}
}
