package render

import (
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/render/node"
)

func TestKeysOfConfigurations(t *testing.T) {
	t.Parallel()
	key := func(name, of, id string) node.Behavior {
		return node.Behavior{Kind: source.Config, Name: name, Of: of, ID: id, File: "a.go"}
	}
	var got []string
	for _, e := range keysOf([]surface{
		{module: "main", Elements: []node.Behavior{
			key("", source.Program, "Config"), key("", source.Program, "Inner"), key("name", "Config", ""), key("inner", "Config", "Inner"),
			key("db", "Config", "db#Options"), key("", "Config", "Common"), key("wait", "Config", "time#Duration"), key("again", "Inner", "Inner"),
			key("deep", "Inner", ""), key("shared", "Common", ""), key("other", "Other", ""),
			key("", source.Program, "Held"), key("held", "Other", "Held"), key("kept", "Held", ""),
		}},
		{module: "api", Elements: []node.Behavior{
			{Kind: source.Config, Of: source.Program, ID: "Settings", Usage: source.Fallback}, key("answer", "Settings", ""),
		}},
		{module: "app/src", Elements: []node.Behavior{key("", source.Program, source.Program)}},
		{module: "app/src/types", Elements: []node.Behavior{
			{Kind: source.Config, Of: source.Program, ID: "Settings", Usage: source.Fallback}, key("port", "Settings", ""),
		}},
		{module: "db", Elements: []node.Behavior{key("host", "Options", "")}},
	}) {
		got = append(got, e.Name)
	}
	if want := "name inner.deep db.host shared wait port kept"; strings.Join(got, " ") != want {
		t.Errorf("got %q, want %q", strings.Join(got, " "), want)
	}
}
