package render

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
)

// TestDefaultsOfFlags: a flag may begin with what another file of its module declares, or another module.
func TestDefaultsOfFlags(t *testing.T) {
	t.Parallel()
	flag := func(name, from string) source.Fact {
		return source.Fact{Kind: source.Flag, Name: name, Of: source.Program, Usage: from}
	}
	holds := func(id, text string) source.Fact { return source.Fact{Kind: source.Holds, ID: id, Default: text} }
	unit := func(name string, facts ...source.Fact) source.Unit {
		return source.Unit{Path: name, File: source.File{Facts: facts}}
	}
	main := unit("cmd/main.go",
		flag("--addr", "defaultAddr"), flag("--word", "word"), flag("--wait", "waitDefault"), flag("--lost", "nothing"),
		flag("--other", "conf.Settings.Addr"), flag("--away", "time.RFC3339"))
	main.File.Imports = []source.Import{{Path: "example.com/x/conf", Names: []source.Name{{Name: "Settings"}}}, {Path: "time"}}
	word := constant("word", `"a"`, false)
	cmd := behaviorOf(&survey.Module{
		Module: source.Module{Path: "cmd", Units: []source.Unit{
			main, unit("cmd/a.go", holds("defaultAddr", ":80"), holds("waitDefault", "1s")), unit("cmd/b.go", holds("waitDefault", "2s")),
		}},
		Declared: []source.Declared{{Name: "word", Symbol: &word}},
		Uses:     []source.Use{{Module: "conf", Name: "Settings"}},
	}, nil)
	conf := behaviorOf(&survey.Module{Module: source.Module{Path: "conf", Units: []source.Unit{unit("conf/conf.go", holds("Settings.Addr", ":90"))}}}, nil)
	surfaces := []surface{{module: "cmd", Command: true, Elements: cmd}, {module: "conf", Elements: conf}}
	page := renderCommands(Config{}, surfaces, func(string, string, bool) string { return "tool" })
	var got []string
	for _, b := range surfaces[0].Elements {
		if b.Kind == source.Flag {
			got = append(got, fmt.Sprintf("%s=%s%s", b.Name, b.Default, b.Usage))
		}
	}
	slices.Sort(got)
	want := "--addr=:80 --away= --lost= --other=:90 --wait= --word=a"
	if strings.Join(got, " ") != want || !strings.Contains(page, "| `:90` |") {
		t.Errorf("got %s, want %s:\n%s", strings.Join(got, " "), want, page)
	}
}
