package golang_test

import (
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
)

func TestExits(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ src, want string }{
		"a literal":             {"func main() { os.Exit(2); os.Exit(-1) }", "-1, 2"},
		"a variable":            {"func main() { code := 1; switch { case a: code = 3; default: code = other() }; os.Exit(code) }", "*, 1, 3"},
		"a constant":            {"func main() { os.Exit(exitBusy) }", "$exitBusy"},
		"results of a function": {"func run() int { if x { return exitBusy }; f := func() int { return 9 }; return 3 }\nfunc main() { os.Exit(run()) }", "$exitBusy, 3"},
		"another's result":      {"func main() { os.Exit(cmd.Run()) }", "*"},
		"a function that exits": {"func Exit(code int) { os.Exit(code) }\nfunc main() { Exit(5); exitText(\"no\"); die(6) }", "=Exit, 5<Exit, 6<die"},
		"calls itself":          {"func run() int { return run() }\nfunc main() { os.Exit(run()) }", "*"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, f := range extract(t, "p.go", "package main\nimport \"os\"\n"+c.src+"\n").Facts {
				if f.Kind != source.Exit {
					continue
				}
				text := f.Name
				if f.ID != "" {
					text += "=" + f.ID
				}
				if f.Of != "" {
					text += "<" + f.Of
				}
				got = append(got, text)
			}
			if strings.Join(got, ", ") != c.want {
				t.Errorf("got %s, want %s", strings.Join(got, ", "), c.want)
			}
		})
	}
}
