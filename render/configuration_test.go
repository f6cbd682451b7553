package render

import (
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/manifest"
	"github.com/causaldocs/causal/knowledge/manual"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/knowledge/survey"
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
	if want := "name inner inner.again inner.deep db db.host shared wait rules rules[].path hosts hosts.*.*.number port kept"; strings.Join(got, " ") != want {
		t.Errorf("got %q, want %q", strings.Join(got, " "), want)
	}
}

// The keys of a type that many keys have are listed once.
func TestKeysOfSharedTypes(t *testing.T) {
	t.Parallel()
	key := func(name, of, id, help string) node.Behavior {
		return node.Behavior{Kind: source.Config, Name: name, Of: of, ID: id, Help: help, File: "a.go"}
	}
	list := []node.Behavior{
		key("", source.Program, "Config", ""), key("limit", "TLS", "", "Limit of a."), key("cert", "TLS", "Cert", ""), key("file", "Cert", "", ""),
		key("once", "Config", "Cert", ""),
	}
	for _, name := range []string{"a", "b", "c", "d"} {
		list = append(list, key(name, "Config", "TLS", ""))
	}
	for places, want := range map[int]string{
		4: "| Key | Type | Declared in |\n|---|---|---|\n" +
			"| `a` | [keys of `TLS`](#keys-of-tls-in-app) | [`app/a.go`](../../app/a.go) |\n| `b` | [keys of `TLS`](#keys-of-tls-in-app) | [`app/a.go`](../../app/a.go) |\n" +
			"| `c` | [keys of `TLS`](#keys-of-tls-in-app) | [`app/a.go`](../../app/a.go) |\n| `d` | [keys of `TLS`](#keys-of-tls-in-app) | [`app/a.go`](../../app/a.go) |\n" +
			"| `once.file` |  | [`app/a.go`](../../app/a.go) |\n\n### Keys of `TLS` in `app`\n\nBelow each key of the table above with this type.\n\n" +
			"| Key | Declared in | Meaning |\n|---|---|---|\n| `cert.file` | [`app/a.go`](../../app/a.go) |  |\n| `limit` | [`app/a.go`](../../app/a.go) | Limit of a. |\n\n",
		1: "| Key | Declared in | Meaning |\n|---|---|---|\n| `a.cert.file` | [`app/a.go`](../../app/a.go) |  |\n| `a.limit` | [`app/a.go`](../../app/a.go) | Limit of a. |\n" +
			"| `once.file` | [`app/a.go`](../../app/a.go) |  |\n\n",
	} {
		p := &operatorPage{sheet: newSheet(Config{Layout: store.Layout{Docs: "docs/causal"}}, nil, "docs/causal/operations.md")}
		got := p.configuration([]string{"Key", "Type", "Default", "Declared in", "Meaning"}, otherKeys([]surface{{module: "app", Elements: list[:len(list)-4+places]}}))
		if got != want {
			t.Errorf("%d places: got\n%s\nwant\n%s", places, got, want)
		}
	}
}

// TestDocumentedKeys: what documents say about keys, sections, elements, and the keys of types that are declared elsewhere.
func TestDocumentedKeys(t *testing.T) {
	t.Parallel()
	key := func(name, of, id, value string) node.Behavior {
		return node.Behavior{Kind: source.Config, Name: name, Of: of, ID: id, Value: value, File: "a.go"}
	}
	shops := key("shops", "Config", "Shop", "map[string]Shop")
	shops.Also = ".*"
	surfaces := []surface{{module: "app", Elements: []node.Behavior{
		key("", source.Program, "Config", ""), key("mail", "Config", "Mail", "Mail"), key("log", "Config", "Log", "Log"), shops,
		key("", "Mail", "", "lib.Mail"), key("from", "Mail", "", "string"), key("level", "Log", "", "int"), key("port", "Shop", "", ""),
	}}}
	said := func(text, otherwise string) passage {
		return passage{Passage: manual.Passage{Text: text, Default: otherwise}, file: "README.md"}
	}
	p := &operatorPage{sheet: newSheet(Config{Layout: store.Layout{Docs: "docs/causal"}}, nil, "docs/causal/operations.md"), passages: map[string]passage{
		"mail": said("All of it", ""), "mail.from": said("Who sends it", "me"), "mail.to": said("Who gets it", ""), "mail.from.x": said("Below a key", ""), "shops.*": said("One shop", ""),
	}}
	want := "| `log.level` | `int` |  |  |\n" +
		"| `mail` |  |  | “All of it” [`README.md`](../../README.md) |\n" +
		"| `mail.*` | `lib.Mail` |  | More keys: the type is declared outside of the repository. |\n" +
		"| `mail.from` | `string` | “`me`” | “Who sends it” [`README.md`](../../README.md) |\n" +
		"| `mail.to` |  |  | “Who gets it” [`README.md`](../../README.md) |\n" +
		"| `shops` | `map[string]Shop` |  | “One shop” [`README.md`](../../README.md) |\n" +
		"| `shops.*.port` |  |  |  |\n\n"
	got := p.configuration([]string{"Key", "Type", "Default", "Declared in", "Meaning"}, otherKeys(surfaces))
	if _, got, _ = strings.Cut(strings.ReplaceAll(got, "| [`app/a.go`](../../app/a.go) ", ""), "|---|---|---|---|---|\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestExternal(t *testing.T) {
	t.Parallel()
	n := behaviorNames{k: &survey.Module{External: []string{"example.com/common/config", "example.com/x", "net/mail"}}}
	u := &source.Unit{File: source.File{Imports: []source.Import{{Path: "example.com/common/config"}, {Path: "example.com/own/lib/conf"}, {Path: "net/mail"}, {Path: "example.com/x", As: "other"}}}}
	for name, want := range map[string]bool{"config.Client": true, "other.Client": true, "conf.Mail": false, "mail.Address": false, "x.Client": false, "Client": false} {
		if n.external(u, name) != want {
			t.Errorf("%s: not %t", name, want)
		}
	}
}

// TestShipped: the value that a file of the same program gives a key, without secrets.
func TestShipped(t *testing.T) {
	t.Parallel()
	p := &operatorPage{sheet: newSheet(Config{Layout: store.Layout{Docs: "docs/causal"}}, nil, "docs/causal/operations.md")}
	for _, x := range [][3]string{{"shop.max-age", "${AGE:5}", ""}, {"shop.size", "${SIZE:1}", ""}, {"shop.port", "90", "dev"}, {"mail.password", "${PASS:guest}", ""}, {"shop.from", "${FROM:}", ""}} {
		p.given = append(p.given, given{manifest.Setting{Name: x[0], Value: x[1], For: x[2]}, "app/src/main/resources/app.yml", false})
	}
	in := " in [`app/src/main/resources/app.yml`](../../app/src/main/resources/app.yml)"
	for name, want := range map[string]string{"shop.maxAge": "`${AGE:5}`" + in, "shop.size": "", "shop.port": "", "mail.password": "`[redacted]`" + in, "shop.from": ""} {
		for module, want := range map[string]string{"app/src/main/java/a": want, "other/src/main/java/a": ""} {
			if got := p.shipped(element{node.Behavior{Name: name, File: "A.java", Default: "1"}, module}); got != want {
				t.Errorf("%s in %s: got %s, want %s", name, module, got, want)
			}
		}
	}
}

// TestDefaultsInFiles: a key has the value in a file of defaults, if the file is of its program.
func TestDefaultsInFiles(t *testing.T) {
	t.Parallel()
	key := element{node.Behavior{Kind: source.Config, Name: "port", Default: "1", File: "shop/config.go"}, "shop"}
	for x, want := range map[given]string{
		{manifest.Setting{Name: "port", Value: "2"}, ".defaults.yml", false}:           "`2` in",
		{manifest.Setting{Name: "port", Value: "2"}, "shop/config/default.yml", false}: "`2` in",
		{manifest.Setting{Name: "port", Value: "1"}, ".defaults.yml", false}:           "",
		{manifest.Setting{Name: "port", Value: "2"}, "mail/defaults.yml", false}:       "",
	} {
		p := &operatorPage{sheet: newSheet(Config{}, nil, "operations.md"), passages: map[string]passage{"port": {set: x}}}
		if got := p.shipped(key); !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%s: %q", x.file, got)
		}
	}
}
