package golang

import (
	"context"
	"testing"

	"github.com/causaldocs/causal/knowledge/source/sourcetest"
)

// TestUnnamed checks which function literals handle routes and commands, and the order of their references.
func TestUnnamed(t *testing.T) {
	t.Parallel()
	const cobra = "import \"github.com/spf13/cobra\"\n"
	const web = "import \"net/http\"\n"
	const cli = "import \"github.com/urfave/cli/v2\"\n"
	for _, c := range []struct{ what, src, want string }{
		{"a command", cobra + "var c = &cobra.Command{RunE: func(cmd *cobra.Command, args []string) error { if x { return g(h()) }; go k(); return nil }, Use: \"serve DIR\"}", "command serve: cobra.Command x h() g() k()"},
		{"a command with a constant of another file", cobra + "var c = &cobra.Command{RunE: func(cmd *cobra.Command, args []string) error { return g(h()) }, Use: useServe}", ""},
		{"a declared function", cobra + "var c = &cobra.Command{Use: \"serve\", RunE: run}", ""},
		{"in a function", cobra + "func cmd(db *DB) *cobra.Command { c := &cobra.Command{Use: \"serve\"}; if x { c.Run = func(*cobra.Command, []string) { db.Open(); func() { g() }() } }; return c }\ntype DB struct{}\nfunc (*DB) Open() {}", "command serve: cobra.Command DB.Open() g()"},
		{"a call around it", cobra + "var c = &cobra.Command{Use: \"serve\", RunE: with(func(cmd *cobra.Command, args []string) error { return g() })}", "command serve: cobra.Command g()"},
		{"urfave", cli + "var c = &cli.Command{Name: \"serve\", Action: func(*cli.Context) error { return g() }}", "command serve: cli.Context g()"},
		{"a route", web + "func Routes() { http.HandleFunc(\"/x\", func(w http.ResponseWriter, r *http.Request) { g() }) }", "route /x: http.ResponseWriter http.Request g()"},
		{"none", web + "func Routes() { on(func() { g() }) }", ""},
	} {
		got := ""
		f := Language{}.Extract(context.Background(), "a/a.go", []byte("package a\n"+c.src))
		for _, s := range f.Unnamed {
			if got != "" {
				got += "; "
			}
			got += s.Name + ": " + sourcetest.Course(s.Body)
		}
		if got != c.want || f.Problem != "" {
			t.Errorf("%s: %s %s\nis   %s\nwant %s", c.what, c.src, f.Problem, got, c.want)
		}
	}
}
