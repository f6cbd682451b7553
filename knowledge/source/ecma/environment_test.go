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
			"env A ~x\nenv B ~80\nenv C $computed\nenv D $computed"},
		"arithmetic":   {"const a = process.env.A || 60 * 60\nconst b = process.env.B ?? ''\nconst c = process.env.C || { x: 1 }\n", "env A ~60 * 60\nenv B\nenv C"},
		"destructured": {"const { A, B = 'x', 'C-D': c = 1, E: e = f(), ...rest } = process.env\n", "env *\nenv A\nenv B ~x\nenv C-D ~1\nenv E $computed"},
		"constants": {"const KEY = 'A_KEY', P = 'B_'\nconst PRE: string = 'SHOP_'\nprocess.env[KEY]; process.env[PRE + 'TOKEN'] || 'x'; process.env[`${PRE}${name}_URL`]; process.env[name]; process.env[PRE] = 1\n",
			"env *\nenv A_KEY\nenv SHOP_*_URL\nenv SHOP_TOKEN ~x"},
		"lists": {"const NAMES = ['A_A', 'A_B']\nconst MAP = { B_A: 1, B_B: 2 }\nfor (const n of NAMES) need(process.env[n])\nObject.keys(MAP).forEach((k) => { process.env[k] })\n['C_A'].map(k => process.env[k] ?? '1')\n",
			"env A_A\nenv A_B\nenv B_A\nenv B_B\nenv C_A ~1"},
		"exits": {"const BUSY = 11\nprocess.exit(BUSY); process.exit(code)\n", "exit *\nexit 11"},
		"functions": {`function env(name, other) { return process.env[name] || other }
const port = (key) => process.env[key] ?? "80"
const typed = (key: string, or: string): string => process.env[key] ?? or
other(function (key) { return process.env[key] })
const b = env("PORT", "1") + get("API_KEY") + upper("EOF") + conf.get("A_B")
`, "env *\nenv API_KEY <get\nenv PORT <env ~1\nreads  =env :fallback\nreads  =port ~80\nreads  =typed :fallback"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := said(languageOf("a.ts").Extract(context.Background(), "a.ts", []byte(c.src))); got != c.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, c.want)
			}
		})
	}
}

func TestSets(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ src, want string }{
		"next.config.ts":  {"const basePath = process.env.BASE_PATH || ''\nexport default { env: { basePath, mode: 'x' }, other: { env: 1 } }\n", "env BASE_PATH\nsets basePath\nsets mode"},
		"vite.config.mjs": {"export default defineConfig({ define: { 'process.env.APP_VERSION': version } })\n", "sets APP_VERSION"},
		"src/next.ts":     {"export default { env: { mode: 'x' } }\n", ""},
	} {
		if got := said(languageOf("a.ts").Extract(context.Background(), name, []byte(c.src))); got != c.want {
			t.Errorf("%s\ngot:\n%s\nwant:\n%s", name, got, c.want)
		}
	}
}
