package manual_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/manual"
)

var names = map[string]bool{"SHOP_URL": true, "SHOP_TOKEN": true, "HTTPS": true, "server.port": true, "demo": true}

// TestFind: each form in which documents describe names.
func TestFind(t *testing.T) {
	t.Parallel()
	for name, x := range map[string]struct{ file, content, want string }{
		"heading":            {"README.md", "# Shop\n\n## `SHOP_URL`\n\nThe address of the shop.\nIt has a default.\n\nMore.\n", "SHOP_URL #shop_url: The address of the shop. It has a default."},
		"heading of two":     {"README.md", "### SHOP_URL, `SHOP_TOKEN`\n\nBoth are needed.\n", "SHOP_TOKEN #shop_url-shop_token: Both are needed.|SHOP_URL #shop_url-shop_token: Both are needed."},
		"table":              {"README.md", "| Variable | Default | Description |\n|---|---|---|\n| `SHOP_URL` | a long value of words | Its address |\n", "SHOP_URL #: Its address"},
		"table, no head":     {"README.md", "| A | B |\n|---|---|\n| **SHOP_URL** (string) | The address of the shop. |\n", "SHOP_URL #: The address of the shop."},
		"list":               {"README.md", "## Env\n- `SHOP_URL`: its [address](x.md)\n- **SHOP_TOKEN** – what it sends\n  to the shop\n", "SHOP_TOKEN #env: what it sends to the shop|SHOP_URL #env: its address"},
		"sentence":           {"README.md", "`SHOP_URL` sets the address.\n", "SHOP_URL #: SHOP_URL sets the address."},
		"fence":              {"README.md", "```\nSHOP_URL=x  # the address of it\nexport SHOP_TOKEN=y\n```\n", "SHOP_TOKEN #: |SHOP_URL #: the address of it"},
		"a default before":   {"README.md", "## SHOP_URL\n\n_Default:_ `None`\n\nThe address of the shop.\n\n## SHOP_TOKEN\n\n**Default**: `x` and more\n\n## Other\n", "SHOP_TOKEN #shop_token: |SHOP_URL #shop_url: The address of the shop."},
		"key":                {"README.md", "- server.port: the port of it\n", "server.port #: the port of it"},
		"word":               {"README.md", "- demo: a word, not the key\n\nRun HTTPS or set SHOP_URL.\n", "SHOP_URL #: "},
		"within a paragraph": {"README.md", "It needs\nHTTPS: or nothing else at all.\n", ""},
		"word in code":       {"README.md", "## Options\n\n### Screen\n\n- `demo`: shows the shop\n\n## Carts\n\n- `demo`: another thing\n", "demo #screen: shows the shop"},
		"word of another":    {"api.md", "## Carts\n\n- `demo`: a field of the answer\n\nIt has a `demo`.\n", ""},
		"lines below titles": {"a.rst", "Shop\n~~~~\n\nCarts\n~~~~~\n\n- SHOP_URL: the address of it\n", "SHOP_URL #carts: the address of it"},
		"setext":             {"README.md", "Settings\n====\n\n## Settings\n\n- SHOP_URL: the address of it\n", "SHOP_URL #settings-1: the address of it"},
		"fence in a fence":   {"README.md", "````\n```\n## SHOP_TOKEN\n```\n````\n\n- SHOP_URL: the address of it\n", "SHOP_TOKEN #: |SHOP_URL #: the address of it"},
		"comment":            {"README.md", "<!-- SHOP_TOKEN: a note\nSHOP_TOKEN -->\n- SHOP_URL: the address of it\n", "SHOP_URL #: the address of it"},
		"leads to code":      {"README.md", "`SHOP_URL` is set like this:\n", "SHOP_URL #: "},
		"later description":  {"README.md", "Set SHOP_URL.\n\n## More\n\n- SHOP_URL: the address of it\n", "SHOP_URL #more: the address of it"},
		"listing in reST":    {"a.rst", "Variables\n=========\n\n::\n\n    SHOP_URL     The address (replaces -u)\n", "SHOP_URL #variables: The address (replaces -u)"},
		"directive":          {"a.rst", ".. envvar:: SHOP_URL\n\n   The address of it.\n", "SHOP_URL #: The address of it."},
		"definition":         {"a.rst", "``SHOP_URL``\n    The address of it.\n\nOther text.\n", "SHOP_URL #: The address of it."},
		"manual page":        {"shop.1", ".TP\n.B SHOP_URL\nThe address, see\n\\fBSHOP_TOKEN\\fR\\&.\n.br\nDefault is empty\\&.\n.TP\n.B HTTPS\n", "HTTPS #: |SHOP_URL #: The address, see SHOP_TOKEN. Default is empty."},
		"AsciiDoc":           {"a.adoc", "Shop\n----\n\n*SHOP_URL*::\n  The address of it.\n\n[source]\n----\n== SHOP_TOKEN\n----\n\n== HTTPS\n\nWhether it is safe.\n", "HTTPS #https: Whether it is safe.|SHOP_TOKEN #shop: |SHOP_URL #shop: The address of it."},
		"note":               {"README.md", "## SHOP_URL\n\n> since 2.0 or so\n\nThe address of the shop.\n", "SHOP_URL #shop_url: The address of the shop."},
		"mdoc":               {"shop.1", ".It Ev SHOP_URL\nThe address of it.\n.El\n", "SHOP_URL #: The address of it."},
		"long":               {"README.md", "- SHOP_URL: " + strings.Repeat("This is a sentence. ", 20), "SHOP_URL #: " + strings.TrimSpace(strings.Repeat("This is a sentence. ", 12))},
	} {
		found := manual.Find(x.file, []byte(x.content), names)
		var got []string
		for _, n := range slices.Sorted(maps.Keys(found)) {
			got = append(got, n+" #"+found[n].Anchor+": "+found[n].Text)
		}
		if got := strings.Join(got, "|"); got != x.want {
			t.Errorf("%s:\ngot  %s\nwant %s", name, got, x.want)
		}
	}
}

// FuzzFind: whatever a document holds, a passage is about a name that was asked for, and short.
func FuzzFind(f *testing.F) {
	f.Add("README.md", "# SHOP_URL\n| `demo` | x |\n- HTTPS: y\n")
	f.Add("a.rst", "HTTPS\n=====\n\nSHOP_URL   x\n")
	f.Add("shop.1", ".B demo\nx\n.TP\n")
	f.Fuzz(func(t *testing.T, file, content string) {
		for name, p := range manual.Find(file, []byte(content), names) {
			if !names[name] || len(p.Text) > 300 {
				t.Errorf("%q: %q", name, p.Text)
			}
		}
	})
}

// TestFindInSamples: comments and defaults of keys in samples, by the path to the key.
func TestFindInSamples(t *testing.T) {
	t.Parallel()
	names := map[string]bool{"server.port": true, "client.port": true, "client": true, "shops.*.port": true, "shops.*": true, "rules[].name": true, "level": true, "log.maxAge": true, "mail.**": true, "mail.from": true}
	for name, x := range map[string]struct{ file, content, want string }{
		"TOML":                       {"README.md", "## A\n```toml\n[server] # x\nport = 1 # Where it listens\n[client] # Optional, as a whole\nport = \"#\" # Where it calls\n```\n", "client #a: Optional, as a whole|client.port #a: Where it calls|server.port #a: Where it listens"},
		"a comment above":            {"README.md", "```\n[server]\n# Where it\n# listens.\nport = 1\n\n# About all.\n\n[client]\nport = 2\n```\n", "client #: |client.port #: |server.port #: Where it listens."},
		"YAML":                       {"README.md", "```yaml\nserver:\n  # Where it listens\n  port: 1\nclient:\n    host: x # not the port\n    port: 2\n```\n", "client #: |client.port #: |server.port #: Where it listens"},
		"map and list":               {"README.md", "```yaml\nshops:\n  one: # One of the shops\n    port: 1 # the port of it\nrules:\n- name: a # the name of it\n- name: b # the name of b\n```\n", "rules[].name #: the name of it|shops.* #: One of the shops|shops.*.port #: the port of it"},
		"array of tables":            {"README.md", "```toml\n[[rules]]\nname = \"a\" # the name of it\n```\n", "rules[].name #: the name of it"},
		"another case":               {"README.md", "```yaml\nlog:\n  max-age: 1 # how long it is kept\n```\n", "log.maxAge #: how long it is kept"},
		"a value":                    {"README.md", "```yaml\nserver:\n  port: 1 # http\nclient:\n  port: 1 # 0x50 - the port\n```\n", "client #: |client.port #: |server.port #: "},
		"the title of a group":       {"README.md", "```yaml\n# Settings of logs\nlevel: 1\nserver: 2\n# How it is kept\nclient: x\n```\n", "client #: How it is kept|level #: "},
		"one key":                    {"README.md", "```yaml\nlevel: 1 # of another tool\n```\n", ""},
		"commands":                   {"README.md", "```sh\n# Start the server\nlevel=1\nclient: 1\n```\n", ""},
		"the fullest":                {"README.md", "```\n[client]\nport = 2 # my own port\n```\n\n```\n[client]\nport = 2 # the port to call\n[server]\nport = 1\n```\n", "client #: |client.port #: the port to call|server.port #: "},
		"types":                      {"README.md", "```\n[ server: <server_config> ]\nclient:\n  [ <server_config> ]\nshops:\n  [ <string>: <server_config>, ... ]\nrules:\n  [ - <rule> ]\n```\n### `<server_config>`\n```\n# Where it is.\n[ port: <int> | default = 80 ]\n```\n### `<rule>`\n```\n[ name: <string | default: \"x\"> ]\n```\n", "client #: |client.port #server_config: Where it is. =80|rules[].name #rule: =x|server.port #server_config: Where it is. =80|shops.* #: |shops.*.port #server_config: Where it is. =80"},
		"keys of another type":       {"README.md", "```yaml\nmail:\n  to: x # who gets it\n  from: y # who sends it\n  tls:\n    on: true\n```\n", "mail.from #: who sends it|mail.tls #: |mail.tls.on #: |mail.to #: who gets it"},
		"commented out":              {"app.example.toml", "[server]\n# Where it listens\n#port = 1\n# level = 2 is not below it\n[client]\nport = 2\n", "client #: |client.port #: |server.port #: Where it listens"},
		"blank lines below comments": {"app.example.toml", "##########\n# Global #\n##########\n\n## How it is kept\n## for the shops\n\nlevel = 1\n\n## About the section.\n\n[server]\n\n## Where it listens on the host\n\n# port = 1\n\n## Of no key.\n\n\n[client]\n\n## Where it calls the other one\n\nport = 2\n", "client #: |client.port #: Where it calls the other one|level #: How it is kept for the shops|server.port #: Where it listens on the host"},
		"rules around a title":       {"app.example.toml", "# Of this server\n# -----\nlevel = 1\n[client]\n# It goes deep\nport = 2\n", "client #: |client.port #: It goes deep|level #: "},
		"a comment at the margin":    {"app.example.yml", "server:\n# Where it listens\n  port: 1\n", "server.port #: Where it listens"},
		"the head of a file":         {"app.example.toml", "# The settings of the shop.\n\nlevel = 1\n# How it is kept\nclient = 2\n", "client #: How it is kept|level #: "},
		"a file":                     {"conf/app.example.ini", "; All of it\n[server]\n; Where it listens\nport = 1\n", "server.port #: Where it listens"},
		"below the program":          {"app.example.yml", "shop:\n  level: 1 # How it is kept\n  server:\n    port: 1 # Where it listens\n  client:\n    port: 2 # Where it calls\nother:\n  level: 2 # not it\n", "client #: |client.port #: Where it calls|level #: How it is kept|server.port #: Where it listens"},
		"keys in a file":             {"config.sample.yml", "mail:\n  to: x # who gets it\n", ""},
		"names of sample files":      {"config.go", "[server]\nport = 1 # Where it listens\n", ""},
	} {
		found := manual.Find(x.file, []byte(x.content), names)
		var got []string
		for _, n := range slices.Sorted(maps.Keys(found)) {
			text := found[n].Text
			if found[n].Default != "" {
				text = strings.TrimSpace(text + " =" + found[n].Default)
			}
			got = append(got, n+" #"+found[n].Anchor+": "+text)
		}
		if got := strings.Join(got, "|"); got != x.want {
			t.Errorf("%s:\ngot  %s\nwant %s", name, got, x.want)
		}
	}
}

// TestKeys: a sample is read by its structure: indents, or braces however they are indented.
func TestKeys(t *testing.T) {
	t.Parallel()
	for name, x := range map[string]struct{ file, content, want string }{
		"JSON":             {"conf/config.sample.json", "{\n  \"a\": {\n\"b\" : 1, // How many.\n    /*\n     * Where\n     * it is.\n     */\n\t\"c\": \"x // y\",\n\"d\": [\n{\"e\": 1},\n{\n\"f\": 2\n}, {\n\"g\": true /* Whether it is */\n}\n]\n},\n    \"h\": {}\n}\n", "a=|a.b=1 How many.|a.c=x // y Where it is.|a.d=|a.d[].f=2|a.d[].g=true Whether it is|h={}"},
		"HOCON":            {"reference.conf", "//////\n// All //\n//////\n\n\n// The first one,\n// here; there;\na = \"@x\"\n\n\nb {\n  c = [ d ] # The list of it\n  e.f=0.5\n}\n", "a=@x The first one, here; there;|b=|b.c=[ d ] The list of it|b.e.f=0.5"},
		"a text":           {"app.example.toml", "a = \"\"\"\n  b = 1\n\"\"\"\nc = 2\n#d = 3\n", "a=|c=2"},
		"commented out":    {"conf/app.example.yml", "a:\n  b: 1\n  # How many.\n  #c: 2\n  # See d:\n  #d: 3\n  # Where it\n  # is.\n  #e:\n    # - x\n    # Who it is.\n    #f: \"g h\"\n  # Note: not this\n  h: 4\n# Of all\n#i:\n  # The last.\n  #j: k\n  #m: 1\n", "a=|a.b=1|a.c=2 How many.|a.e= Where it is.|a.e.f=g h Who it is.|a.h=4 Note: not this|i= Of all|i.j=k The last."},
		"an example above": {"app.example.toml", "# As here:\n# a = 1\na = 2\n\n# [b]\n# Where it is.\n# c = 3\n\n# it = the one\nd = 4\n", "a=2|b.c=3 Where it is.|d=4"},
		"a text in YAML":   {"conf/app.example.yml", "a:\n  b: |\n    c: 1\n\n    d: 2\n  e: 3\n", "a=|a.b=|a.e=3"},
		"none of settings": {"data/sample.json", "{\n\"a\": 1\n}\n", ""},
	} {
		var got []string
		for _, k := range manual.Keys(x.file, []byte(x.content), nil) {
			got = append(got, strings.TrimSpace(k.Name+"="+k.Value+" "+k.Text))
		}
		if strings.Join(got, "|") != x.want {
			t.Errorf("%s:\ngot  %s\nwant %s", name, strings.Join(got, "|"), x.want)
		}
	}
	for name, want := range map[string][2]bool{
		".defaults.yml": {true, true}, "config/default.json": {true, true}, "reference.conf": {true, true}, "settings.json.template": {true, false},
		"config.yml_example": {true, false}, "themes/default.json": {}, "config.toml": {}, "config.go": {},
	} {
		if got := [2]bool{manual.IsShipped(name), manual.IsDefaults(name)}; got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestIsSample(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"app.example.ini": true, "config.yml.sample": true, "a/example.toml": true, "defaults.yaml": true, "conf/config.toml": true, "sample.go": false,
		"docker-compose.yml": false, "examples.yml": false, "Cargo.toml": false, "config.json": false,
	} {
		if manual.IsSample(name) != want {
			t.Errorf("%s: not %t", name, want)
		}
	}
}

// TestWholeConfiguration: a document shows a configuration of this program if its code has some of the keys, and most have a comment.
func TestWholeConfiguration(t *testing.T) {
	t.Parallel()
	known := map[string]bool{"k0": true, "k1": true, "k2": true}
	for name, x := range map[string]struct {
		comment string
		keys    int
		names   map[string]bool
		want    int
	}{
		"all described": {"# What it does.\n", 12, known, 12},
		"too few":       {"# What it does.\n", 9, known, 0},
		"no comments":   {"", 12, known, 0},
		"another tool":  {"# What it does.\n", 12, map[string]bool{"k0": true, "k1": true}, 0},
	} {
		var b strings.Builder
		b.WriteString("# Shop\n\n```yaml\n")
		for i := range x.keys {
			fmt.Fprintf(&b, "%sk%d: %d\n", x.comment, i, i)
		}
		b.WriteString("```\n")
		if got := manual.Keys("docs/config.md", []byte(b.String()), x.names); len(got) != x.want {
			t.Errorf("%s: got %d keys, want %d", name, len(got), x.want)
		}
	}
}
