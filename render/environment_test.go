package render

import (
	"fmt"
	"path"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/render/node"
)

// TestEnvironmentThroughFunctions: a variable whose name is given to a function counts where that function reads it.
func TestEnvironmentThroughFunctions(t *testing.T) {
	t.Parallel()
	conf := settle([]node.Behavior{
		{Kind: source.Reads, ID: "Get", Value: source.Fallback, File: "conf.go"},
		{Kind: source.Reads, ID: "Int", Of: "Get", Value: source.Fallback, File: "conf.go"},
		{Kind: source.Reads, ID: "Fixed", Default: "none", File: "conf.go"},
		{Kind: source.Reads, ID: "Other", Of: "nothing", File: "conf.go"},
		{Kind: source.Env, Name: "OWN", Of: "Int", Default: "1", File: "conf.go"},
		{Kind: source.Env, Name: "NOT", Of: "Other", File: "conf.go"},
		{Kind: source.Reads, ID: "Get", Name: "*_FILE", File: "conf.go"},
		{Kind: source.Reads, ID: "Prefixed", Name: "APP_*", File: "conf.go"},
		{Kind: source.Reads, ID: source.Keys + "lib", Name: "LIB_*", Value: ". _", File: "conf.go"},
		{Kind: source.Env, Name: "db.host", Of: source.Keys + "lib", Default: "db", File: "conf.go"},
		{Kind: source.Env, Name: "not-one", Of: source.Keys + "lib", File: "conf.go"},
		{Kind: source.Reads, ID: source.Keys + "words", Name: "*", Value: source.Snake, File: "conf.go"},
		{Kind: source.Env, Name: "baseURL", Of: source.Keys + "words", File: "conf.go"},
		{Kind: source.Holds, ID: "Names.TOKEN", Default: "APP_TOKEN", File: "conf.go"},
	})
	var got []string
	for _, e := range environmentOf([]surface{
		{module: "conf", Elements: conf},
		{module: "main", Elements: []node.Behavior{
			{Kind: source.Env, Name: "PORT", Of: "conf#Int", Default: "80", File: "main.go"},
			{Kind: source.Env, Name: "HOST", Of: "conf#Fixed", Default: "80", File: "main.go"},
			{Kind: source.Env, Name: "NO", Of: "conf#Print", File: "main.go"},
			{Kind: source.Env, Name: "HOME", File: "main.go"},
			{Kind: source.Env, Name: source.Placeholder("conf#Names.TOKEN"), File: "main.go"},
			{Kind: source.Env, Name: source.Placeholder("conf#Names.NONE"), File: "main.go"},
			{Kind: source.Env, Name: "key", Of: source.Keys + "lib", File: "main.go"},
			{Kind: source.Env, Name: "KEY", Of: "conf#Get", Default: "x", File: "main.go"},
			{Kind: source.Env, Name: "NAME", Of: "conf#Prefixed", File: "main.go"},
			{Kind: source.Env, Name: "LATER", Of: "lib/env#Int", File: "main.go"},
			{Kind: source.Env, Name: "MADE", Of: "lib/made#Int", File: "main.go"},
		}},
		{module: "lib/env", Elements: []node.Behavior{{Kind: source.Env, Name: source.Unknown, File: "desc.go"}}},
		{module: "lib/made", Elements: []node.Behavior{{Kind: source.Env, Name: source.Unknown, File: "made.go"}}},
	}) {
		got = append(got, fmt.Sprintf("%s %s=%s", e.file(), e.Name, e.Default))
	}
	want := "lib/env/desc.go *=, lib/made/made.go *=, main/main.go *=, main/main.go APP_NAME=, main/main.go APP_TOKEN=, conf/conf.go BASE_URL=, main/main.go HOME=, main/main.go HOST=none, main/main.go KEY=x, main/main.go KEY_FILE=, main/main.go LATER=, conf/conf.go LIB_DB_HOST=db, conf/conf.go OWN=1, main/main.go PORT=80"
	if strings.Join(got, ", ") != want {
		t.Errorf("got %s, want %s", strings.Join(got, ", "), want)
	}
}

// TestVariablesBelowTools: a directory such as tools is one of tools only if the product imports nothing from it.
func TestVariablesBelowTools(t *testing.T) {
	t.Parallel()
	const reads = "package auth\n\nimport \"os\"\n\nvar Leeway = os.Getenv(\"LEEWAY\")\n"
	const uses = "package main\n\nimport \"example.com/x/tools/auth\"\n\nfunc main() { println(auth.Leeway) }\n"
	for name, c := range map[string]struct {
		file, user string
		tools      bool
	}{
		"a library":              {"tools/auth/a.go", "cmd/x/main.go", false},
		"used by a tool":         {"tools/auth/a.go", "scripts/make/main.go", true},
		"used by nothing":        {"tools/auth/a.go", "", true},
		"a tool among tools":     {"tools/ci/auth/a.go", "cmd/x/main.go", true},
		"a directory of scripts": {"scripts/auth/a.go", "cmd/x/main.go", true},
	} {
		files := map[string]string{"go.mod": "module example.com/x\n", c.file: reads}
		if c.user != "" {
			files[c.user] = strings.Replace(uses, "tools/auth", path.Dir(c.file), 1)
		}
		r := newRepo(t, files)
		r.nodes()
		page := r.conclude(r.plugin(), engine.Unit{Kind: PageKind, Subject: operationPage}, nil).Body.(*Page).generated
		if !strings.Contains(page, "`LEEWAY`") || strings.Contains(page, "Variables of builds") != c.tools {
			t.Errorf("%s:\n%s", name, page)
		}
	}
}
