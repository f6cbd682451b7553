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
	many := func(b node.Behavior, as string) node.Behavior {
		b.Also = as
		return b
	}
	var got []string
	for _, e := range keysOf([]surface{
		{module: "main", Elements: []node.Behavior{
			key("", source.Program, "Config"), key("", source.Program, "Inner"), key("name", "Config", ""), key("inner", "Config", "Inner"),
			key("db", "Config", "db#Options"), key("", "Config", "Common"), key("wait", "Config", "time#Duration"), key("again", "Inner", "Inner"),
			key("deep", "Inner", ""), key("shared", "Common", ""), key("other", "Other", ""),
			key("", source.Program, "Held"), key("held", "Other", "Held"), key("kept", "Held", ""),
			many(key("rules", "Config", "Rule"), "[]"), many(key("hosts", "Config", "Host"), ".*"), many(key("", "Host", "Port"), ".*"),
			key("path", "Rule", ""), key("number", "Port", ""),
		}},
		{module: "db", Elements: []node.Behavior{key("host", "Options", "")}},
	}) {
		got = append(got, e.Name)
	}
	if want := "name inner.deep db.host shared wait rules rules[].path hosts hosts.*.*.number kept"; strings.Join(got, " ") != want {
		t.Errorf("got %q, want %q", strings.Join(got, " "), want)
	}
}
