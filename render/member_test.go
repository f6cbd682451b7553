package render

import (
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/render/node"
)

// memberPage is the page of a module of one class with members.
func memberPage(t *testing.T, examples []node.Example, members ...node.Symbol) string {
	n := &node.Node{Module: "m", Path: "m", Language: "python", Purpose: "Groups.", PurposeFrom: node.FromDoc, Examples: examples}
	n.Sources = []node.Source{{Path: "m/__init__.py"}}
	owner := node.Symbol{Name: "Group", Kind: source.Class, Signature: "class Group", Doc: "Holds commands.", As: []string{"m.Group"}, Import: "m"}
	for _, s := range append([]node.Symbol{owner}, members...) {
		s.File = "__init__.py"
		n.PublicAPI = append(n.PublicAPI, s)
	}
	text := pageOf(newRepo(t, nil).config, n, &fakeGraph{}, nil)
	faultless(t, map[string]string{"docs/causal/modules/m.md": text}, map[string]string{"m/__init__.py": ""})
	return text
}

// TestMembersAreDocumentedWhole shows all that is said of a member, under the name that its users type.
func TestMembersAreDocumentedWhole(t *testing.T) {
	t.Parallel()
	method := node.Symbol{
		Name: "Group.command", Kind: source.Method, Signature: "def command(self, name)", As: []string{"m.Group.command"},
		Doc: "Adds a command.\n\nIt is found by its name.\n\n:param name: what users type",
	}
	plain := node.Symbol{Name: "Group.name", Kind: source.Field, Signature: "name: str", Doc: "What it is called."}
	long := node.Symbol{Name: "Group.parent", Kind: source.Field, Signature: "parent: Group", Doc: "What it is in. None of the first."}
	bare := node.Symbol{Name: "Group.list", Kind: source.Method, Signature: "def list(self)"}
	shown := node.Symbol{Name: "Group.run", Kind: source.Method, Signature: "def run(self)"}
	text := memberPage(t, []node.Example{{Symbol: "Group.run", Code: "group.run()"}}, method, plain, long, bare, shown)
	at := 0
	for _, want := range []string{
		"### `m.Group`\n", "<summary>Other members</summary>", "\n- [`def list(self)`](", "\n- [`name: str`](", "): What it is called.\n",
		"\n#### `m.Group.command`\n\n```python\ndef command(self, name)\n```\n\nAdds a command.\n\nIt is found by its name.\n", "| `name` | what users type |",
		"\n#### `Group.parent`\n", "None of the first.", "\n#### `Group.run`\n", "group.run()\n",
	} {
		i := strings.Index(text[at:], want)
		if i < 0 {
			t.Fatalf("no %q in its place in\n%s", want, text)
		}
		at += i
	}
	if strings.Contains(text, "#### `Group.list`") || strings.Contains(text, "#### `Group.name`") {
		t.Errorf("a section says no more than a line:\n%s", text)
	}
}

// TestImportRow checks that the row names no members, which cannot be imported.
func TestImportRow(t *testing.T) {
	t.Parallel()
	symbol := func(name, from string, kind source.Kind) node.Symbol {
		return node.Symbol{Name: name, Kind: kind, Signature: name, As: []string{"m." + name}, Import: from}
	}
	text := memberPage(t, nil,
		symbol("Group.get", "m", source.Method), symbol("run", "m", source.Func),
		symbol("lock.One", "m.lock", source.Class), symbol("lock.One.free", "m.lock", source.Method), symbol("lock.One.state", "m.lock", source.Field),
		symbol("lock.Gone.free", "m.lock", source.Method))
	if want := "| Import | `m`; `m.lock` for `One` |\n"; !strings.Contains(text, want) {
		t.Errorf("no %q in\n%s", want, text)
	}
}

// TestMembersWithoutSectionsAreAllOfThem checks the title of the list if no member has a section.
func TestMembersWithoutSectionsAreAllOfThem(t *testing.T) {
	t.Parallel()
	text := memberPage(t, nil, node.Symbol{Name: "Group.list", Kind: source.Method, Signature: "def list(self)"})
	if !strings.Contains(text, "<summary>Members</summary>") {
		t.Errorf("the page is\n%s", text)
	}
}

// TestMembersOutOfRoom: the last members of a type that has very many are left to its list.
func TestMembersOutOfRoom(t *testing.T) {
	t.Parallel()
	var many []node.Symbol
	for _, name := range []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"} {
		many = append(many, node.Symbol{
			Name: "Group." + name, Kind: source.Method, Signature: "def " + name + "(self)", Doc: "Does " + name + ".\n\n" + strings.Repeat("At length it does more. ", 240),
		})
	}
	text := memberPage(t, nil, many...)
	if !strings.Contains(text, "#### `Group.a`") || strings.Contains(text, "#### `Group.l`") || !strings.Contains(text, "- [`def l(self)`](") {
		t.Errorf("%d sections", strings.Count(text, "\n#### "))
	}
}

// TestOverloadsAreDocumentedEach checks that the documentation of each overload follows its declaration.
func TestOverloadsAreDocumentedEach(t *testing.T) {
	t.Parallel()
	s := node.Symbol{
		Name: "Group.get", Kind: source.Method, Signature: "def get(self)\ndef get(self, name)", Doc: "Gets all.",
		Overloads: []source.Overload{{Signature: "def get(self, name)", Doc: "Gets one.\n\n:param name: of the one"}},
	}
	text := memberPage(t, nil, s)
	want := "```python\ndef get(self)\ndef get(self, name)\n```\n\nGets all.\n\n```python\ndef get(self, name)\n```\n\nGets one.\n\n"
	if !strings.Contains(text, want) || !strings.Contains(text, "| `name` | of the one |") {
		t.Errorf("the page is\n%s", text)
	}
	for range 2000 {
		s.Overloads = append(s.Overloads, s.Overloads[0])
	}
	if text = memberPage(t, nil, s); len(text) > 2*overloadBytes || !strings.Contains(text, "[… The rest is in the source](") {
		t.Errorf("with many, the page has %d bytes and does not say that there is more", len(text))
	}
}

// TestSectionsOfConstants: one gets a section when its line does not say all that is said of it.
func TestSectionsOfConstants(t *testing.T) {
	t.Parallel()
	for doc, want := range map[string]bool{
		"":                                   false,
		"Limit is how many there may be.":    false,
		"Limit is how many.\nMore are lost.": true,
		"Limit is how many.\n\nSee also.":    true,
		"Limit is\nhow many there may be":    false,
	} {
		p := modulePage(Config{}, newOutline(&node.Node{Language: "go"}, undivided), &fakeGraph{})
		if got := p.hasSection(&entry{Symbol: &node.Symbol{Name: "Limit", Kind: source.Const, Signature: "const Limit = 1", Doc: doc}}); got != want {
			t.Errorf("%q: %v, want %v", doc, got, want)
		}
	}
}

// TestMembersOfNestedTypes checks that a constructor and members of a nested type are not shown as those of the outer one.
func TestMembersOfNestedTypes(t *testing.T) {
	t.Parallel()
	made := node.Symbol{Name: "Group.__init__", Kind: source.Method, Signature: "def __init__(self, own)"}
	members := []node.Symbol{
		{Name: "Group.Builder", Kind: source.Class, Signature: "class Builder"},
		{Name: "Group.Builder.__init__", Kind: source.Method, Signature: "def __init__(self, url)"},
		{Name: "Group.Builder.build", Kind: source.Method, Signature: "def build(self)"},
		{Name: "Group.list", Kind: source.Method, Signature: "def list(self)"},
	}
	nested := "\n<summary>Members of <code>Group.Builder</code></summary>\n\n- [`def __init__(self, url)`]("
	for head, list := range map[string][]node.Symbol{
		"class Group\n```":                          members,
		"class Group\ndef __init__(self, own)\n```": append([]node.Symbol{made}, members...),
	} {
		text := memberPage(t, nil, list...)
		own, after, ok := strings.Cut(text, nested)
		if !ok || !strings.Contains(own, head) || !strings.Contains(own, "- [`class Builder`](") || !strings.Contains(own, "- [`def list(self)`](") ||
			strings.Contains(own, "def build") || !strings.Contains(after, "- [`def build(self)`](") {
			t.Errorf("no head %q, or members in the wrong list:\n%s", head, text)
		}
	}
}
