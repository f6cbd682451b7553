package render

import (
	"fmt"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
	"pgregory.net/rapid"

	"github.com/causaldocs/causal/knowledge/keep"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/render/node"
	"github.com/causaldocs/causal/render/pagecheck"
)

// words that YAML, Markdown, HTML, Mermaid or this program could take for something else.
var weird = []string{
	"", "plain", "yes", "null", "~", "1.0", "0x1F", "2026-02-18", "- a", "a: b", "#tag", "&a", "*b", "!c", "|", ">", "%d", "@user", "`code`", "'", "\"",
	"\\", "{a}", "[b](c)", "<script>", "-->", "<!-- causal:keep x -->", "<!-- /causal:keep -->", "---", "```", "~~~", "</details>", "| a | b |",
	"\u202e", "\u200b", "\ufeff", "\u0000", "\x1b[31m", "\u2028", "é☃𝄞", "end", "graph", "%%", "\"]; click n0", "import x", "{{ y }}", "$x$", ":smile:", "#12",
	"https://example.com/?a=b&c=d", "www.example.com", "\t", "\r\n", "\n\n# Heading\n\n", "   leading", "trailing   ",
}

func weirdText(rt *rapid.T, label string) string {
	parts := rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(weird), rapid.String()), 0, 6).Draw(rt, label)
	return strings.Join(parts, rapid.SampledFrom([]string{"", " ", "\n"}).Draw(rt, "joint"))
}

// TestAnyModuleGivesASoundPage renders modules with arbitrary names and words. The page has no fault, and its front matter matches the
// node.
func TestAnyModuleGivesASoundPage(t *testing.T) {
	t.Parallel()
	config := newRepo(t, nil).config
	rapid.Check(t, func(rt *rapid.T) {
		line := func(label string) string {
			return strings.Join(strings.Fields(strings.ToValidUTF8(weirdText(rt, label), "")), " ")
		}
		n := &node.Node{
			Module: "m" + line("module"), Path: "dir/m", Language: rapid.SampledFrom([]string{"go", "python", "c", "java", "typescript"}).Draw(rt, "language"),
			Purpose: "P" + line("purpose"), PurposeFrom: rapid.SampledFrom([]string{node.FromDoc, node.FromDerived}).Draw(rt, "from"),
			Doc: weirdText(rt, "doc"), Stale: rapid.SampledFrom([]string{"", "dir/m/a: line 1: " + line("stale")}).Draw(rt, "state"),
			External: []string{line("external")}, Tests: []string{line("test")}, InvalidationCondition: `modified("dir/m/*")`,
			Behaviour: []node.Behavior{{Kind: source.Env, Name: line("variable"), File: "a.go"}},
			Examples:  []node.Example{{Doc: weirdText(rt, "example"), Code: weirdText(rt, "code"), Output: weirdText(rt, "output")}},
			Sources:   []node.Source{{Path: "dir/m/a.go", About: line("about")}, {Path: "dir/m/" + strings.ReplaceAll(line("file"), "/", "") + ".go"}},
		}
		for i := range rapid.IntRange(0, 4).Draw(rt, "symbols") {
			kind := rapid.SampledFrom([]source.Kind{source.Func, source.Struct, source.Const, source.Var, source.Macro, source.Reexport}).Draw(rt, "kind")
			n.PublicAPI = append(n.PublicAPI, node.Symbol{
				Name: fmt.Sprintf("S%d%s", i, line("name")), Kind: kind, Signature: "s" + weirdText(rt, "signature"), Doc: weirdText(rt, "doc"),
				Deprecated: line("deprecated"), Aliases: []string{line("alias")}, File: "a.go", At: headID, Lines: "1-2",
			})
		}
		sound(rt, config, n)
	})
}

func sound(rt *rapid.T, config Config, n *node.Node) {
	g := &fakeGraph{code: map[string][]string{"dir/m": {"dir/m"}}}
	text := pageOf(config, n, g, nil)
	page := pagecheck.Page{Path: config.Layout.Page(n.Path), Content: []byte(text)}
	for _, p := range pagecheck.Check([]pagecheck.Page{page}, func(string) bool { return true }) {
		rt.Fatalf("line %d: %s\n%s", p.Line, p.What, text)
	}
	head, _, closed := strings.Cut(strings.TrimPrefix(text, "---\n"), "\n---\n")
	var front struct{ Title string }
	if err := yaml.Unmarshal([]byte(head), &front); err != nil || !closed {
		rt.Fatalf("front matter: %v\n%s", err, head)
	}
	if front.Title != n.Module || strings.Count(head, "\n") > 3 {
		rt.Fatalf("front matter of the module %q:\n%s", n.Module, head)
	}
	rest, keeps, err := keep.Split([]byte(text))
	if err != nil || len(keeps) > 0 || rest != text {
		rt.Fatalf("the page holds %d keep blocks: %v\n%s", len(keeps), err, text)
	}
	if !keep.Ours([]byte(text)) {
		rt.Fatal("the page is not known as ours")
	}
}
