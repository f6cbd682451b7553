package node

import (
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/causaldocs/causal/knowledge/rapidseed"
	"github.com/causaldocs/causal/knowledge/source"
)

// anyNode draws nodes with lists of any length and strings that YAML could take for something else.
func anyNode() *rapid.Generator[*Node] {
	return rapid.Custom(func(t *rapid.T) *Node {
		text := func(label string) string {
			return rapid.OneOf(rapid.String(), rapid.StringMatching("[ \\n\\t#:|>'\"{}\\[\\],a-e0-9.~-]{0,30}"), rapid.SampledFrom([]string{
				"", "name", "a/b.go", "1e3", "null", "- a", "key: value", "a\n\n b\n\tc", "a\n \nb", "é\u2028x", "it's \"so\"", "say \"so\"",
			})).Draw(t, label)
		}
		texts := func(label string) []string {
			return rapid.SliceOfN(rapid.Custom(func(*rapid.T) string { return text(label) }), 0, 3).Draw(t, label)
		}
		n := &Node{
			Module: text("module"), Path: text("path"), Kind: text("kind"), Purpose: text("purpose"), Doc: text("doc"),
			Dependencies: texts("dependencies"), External: texts("external"), Tests: texts("tests"), Stale: text("stale"),
			InvalidationCondition: text("condition"), Commit: text("commit"),
		}
		for range rapid.IntRange(0, 3).Draw(t, "symbols") {
			n.PublicAPI = append(n.PublicAPI, Symbol{
				Name: text("name"), Kind: source.Func, Signature: text("signature"), Doc: text("doc"), Aliases: texts("aliases"), File: text("file"), Lines: "1-2",
			})
		}
		for range rapid.IntRange(0, 2).Draw(t, "others") {
			n.Behaviour = append(n.Behaviour, Behavior{source.Env, text("name"), text("file")})
			n.Examples = append(n.Examples, Example{Symbol: text("symbol"), Code: text("code"), Output: text("output")})
			n.Sources = append(n.Sources, Source{Path: text("path"), Role: text("role")})
			n.Uses = append(n.Uses, Use{Module: text("module"), Name: text("name")})
		}
		n.Seal()
		return n
	})
}

// TestReadIsYAML: what is read without a YAML reader is what a YAML reader finds, and every node that Encode wrote is.
func TestReadIsYAML(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		data := anyNode().Draw(t, "node").Encode()
		got, ok := read(data)
		if !ok {
			t.Fatalf("not read:\n%s", data)
		}
		want, err := load(data)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("got  %+v\nwant %+v\n%s", got, want, data)
		}
	})
}

// TestReadRefusesOtherForms: a file that somebody changed is either in the canonical form still, and read as YAML reads
// it, or left to YAML.
func TestReadRefusesOtherForms(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		data := anyNode().Draw(t, "node").Encode()
		at := rapid.IntRange(0, len(data)-1).Draw(t, "at")
		end := rapid.IntRange(at, min(at+20, len(data))).Draw(t, "end")
		with := rapid.SampledFrom([]string{"", " ", "\n", "- ", "'", "\"", "x", ": ", "#", "\\", "[]", "\r\n"}).Draw(t, "with")
		changed := []byte(string(data[:at]) + with + string(data[end:]))
		got, ok := read(changed)
		if !ok {
			return
		}
		want, err := load(changed)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("got  %+v\nwant %+v, %v\n%s", got, want, err, changed)
		}
	})
}

// TestOwnNodesAreRead: the nodes of this repository have the canonical form.
func TestOwnNodesAreRead(t *testing.T) {
	t.Parallel()
	count := 0
	err := filepath.WalkDir(filepath.Join("..", "..", ".causal", "nodes"), func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if _, ok := read(data); !ok {
			t.Errorf("%s is not read", name)
		}
		count++
		return nil
	})
	if err != nil || count == 0 {
		t.Errorf("%d nodes, %v", count, err)
	}
}
