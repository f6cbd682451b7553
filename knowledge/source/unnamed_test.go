package source_test

import (
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
)

// TestUnnamedFlows: a flow may start at a function literal that handles a route or a command, and literals count as callers.
func TestUnnamedFlows(t *testing.T) {
	t.Parallel()
	helpers := "\n// a does.\nfunc a() { x.Do() }\n\n// b does.\nfunc b() { x.Do() }\n\nvar x any\n"
	command := func(name, body string) string {
		return "var " + name + "Cmd = &cobra.Command{Use: `" + name + "`, Run: func(*cobra.Command, []string) { " + body + " }}\n"
	}
	for name, c := range map[string]struct{ src, want string }{
		"a command":       {command("serve", "a(); b()"), "command serve: command serve>a command serve>b"},
		"a short one":     {command("serve", "a()"), ""},
		"of one name":     {command("serve", "a(); b()") + command("other", "") + "var again = &cobra.Command{Use: `serve`, Run: func(*cobra.Command, []string) { b(); a() }}\n", "command serve: command serve>a command serve>b"},
		"beside a main":   {command("serve", "a(); b()") + "func main() { b(); a() }\n", "main: main>b main>a; command serve: command serve>a command serve>b"},
		"what many use":   {command("c1", "a(); b()") + command("c2", "a()") + command("c3", "a()") + command("c4", "a()") + command("c5", "a()"), ""},
		"with conditions": {command("serve", "if x == nil { a(); return }; b()"), "command serve: command serve>a command serve>b"},
	} {
		m := goModule("a", "import \"github.com/spf13/cobra\"\n\n"+c.src+helpers)
		linker := source.Linker{Table: func(string) (source.Table, bool) { return source.Table{}, false }}
		if got := spellFlows(source.Flows(m, m.Declarations(), nil, linker)); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
