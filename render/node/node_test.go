package node_test

import (
	"bytes"
	"flag"
	"os"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/causaldocs/causal/knowledge/costtest"
	_ "github.com/causaldocs/causal/knowledge/rapidseed"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/render/node"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func sample() *node.Node {
	n := &node.Node{
		Module: "money", Path: "internal/money", Language: "go", Purpose: "Holds amounts: \"exact\" ones.", PurposeFrom: node.FromDoc,
		PurposeFile: "money.go", Doc: "Package money holds amounts.\n\n\tcode(1)\n\nThe end.", Dependencies: []string{"."},
		PublicAPI: []node.Symbol{
			{Name: "Parse", Kind: source.Func, Signature: "func Parse(s string) (Amount, error)", Doc: "Parse reads.", File: "money.go", At: "4c1f0aa", Lines: "10-24"},
			{Name: "Item", Kind: source.Struct, Signature: "type Item struct {\n\tName string\n\tPrice Amount\n}", Inside: true, As: []string{"money.Item"}, File: "money.go"},
		},
		Behaviour: []node.Behavior{{Kind: source.Env, Name: "SHOP_ADDR", File: "money.go"}},
		Examples:  []node.Example{{Symbol: "Parse", Code: "a := 1", Output: "1"}},
		Sources:   []node.Source{{Path: "internal/money/money.go"}},
		Prose: []node.Sentence{
			{Slot: "how", Text: "Reads digits: `Parse` skips blanks.", Cites: []string{"money.go#Parse", "\"odd\\xff.go\""}}, {Slot: "overview"},
		},
		ProseEvidence:         []node.Evidence{{Of: "file money.go", Digest: "3fa9"}, {Of: "files .", Digest: "b1c2"}},
		InvalidationCondition: `modified("internal/money/*") or symbol_changed(".", "Root")`,
	}
	n.Seal()
	return n
}

func TestEncodeGolden(t *testing.T) {
	t.Parallel()
	const file = "testdata/money.yml"
	got := sample().Encode()
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestWholeCoversWhatTheFileLeavesOut: pages show all of the documentation, and the tests.
func TestWholeCoversWhatTheFileLeavesOut(t *testing.T) {
	t.Parallel()
	for name, edit := range map[string]func(n *node.Node){
		"documentation": func(n *node.Node) { n.PublicAPI[0].Doc += " Blanks are skipped." },
		"an overload": func(n *node.Node) {
			n.PublicAPI[0].Overloads = []source.Overload{{Signature: "func Parse(b []byte)", Doc: "Of bytes."}}
		},
		"a test": func(n *node.Node) { n.Tests = []string{"TestParse"} },
	} {
		n := sample()
		whole, digest := n.Whole(), n.Digest
		edit(n)
		if n.Seal(); n.Whole() == whole || n.Digest != digest {
			t.Errorf("%s: whole %s -> %s, digest %s -> %s", name, whole, n.Whole(), digest, n.Digest)
		}
	}
}

func TestDigestLeavesPlacesOut(t *testing.T) {
	t.Parallel()
	n := sample()
	sealed := n.Digest
	n.PublicAPI[0].At, n.PublicAPI[0].Lines = "dddd", "1-2"
	if n.Seal(); n.Digest != sealed {
		t.Error("a place changes the digest")
	}
	n.Purpose += "!"
	if n.Seal(); n.Digest == sealed {
		t.Error("another purpose keeps the digest")
	}
}

// TestReadsEarlierForm: what nodes held before is left out, and nothing else of them is lost.
func TestReadsEarlierForm(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("testdata/earlier.yml")
	if err != nil {
		t.Fatal(err)
	}
	got, err := node.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	want := sample()
	want.Outdated, want.Prose, want.ProseEvidence = true, nil, nil
	want.Seal()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
	// Files with a line for each field of a symbol had another first line.
	want = sample()
	want.Outdated = true
	_, rest, _ := bytes.Cut(sample().Encode(), []byte("\n"))
	if got, err = node.Decode(append([]byte("# Written by causal: `causal why` tells how it is known.\n"), rest...)); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v\nwant %+v", got, err, want)
	}
}

// TestOpening checks that the opening of a written documentation decodes to the same opening.
func TestOpening(t *testing.T) {
	t.Parallel()
	for doc, want := range map[string]string{
		"": "", "Parse reads.": "Parse reads.", "Parse reads. And more.": "Parse reads.", "Parse reads\nwhole numbers.\nAnd more.": "Parse reads\nwhole numbers.",
		"A title\n\nand a text": "A title", "see v1.2 of it": "see v1.2 of it",
		"Sets it (if it can; i.e. \"DELETE\" cannot). More.": "Sets it (if it can; i.e. \"DELETE\" cannot).", "By J. Smith. More.": "By J. Smith.",
	} {
		if got := node.Opening(doc); got != want {
			t.Errorf("Opening(%q) = %q, want %q", doc, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		once := node.Opening(rapid.OneOf(rapid.String(), rapid.StringMatching(`[ab. \n]{0,300}`)).Draw(t, "doc"))
		if twice := node.Opening(once); twice != once || len(once) > 200 {
			t.Fatalf("%q, then %q", once, twice)
		}
	})
}

func TestDecodeErrors(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"unknown key":      "path: a\ncolour: red\n",
		"duplicate key":    "path: a\npath: b\n",
		"no path":          "module: a\n",
		"two documents":    "path: a\n---\npath: b\n",
		"a broken path":    "path: '\"a'\n",
		"conflict markers": "path: a\n<<<<<<< HEAD\nmodule: a\n=======\nmodule: b\n>>>>>>> one\n",
		"not a mapping":    "- a\n",
		"empty":            "",
	} {
		if n, err := node.Decode([]byte(text)); err == nil {
			t.Errorf("%s: decoded to %+v", name, n)
		}
	}
}

// TestRoundTrip: whatever strings the code of a repository holds, the node reads back as it was written.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	text := rapid.OneOf(rapid.String(), rapid.StringMatching("[ \\n\\t#:|>'\"{}a-e0-9.~-]{0,40}"),
		rapid.SampledFrom([]string{"1e3", "0x1f", "010", "null", "~", "- a", "a: b", "2026-02-18", "line\n", "\n a", "a\n\n b\n\tc", "é\u2028x", "…"}))
	path := rapid.Map(rapid.SliceOfN(rapid.SampledFrom([]byte("a/. \"\\\xc3\xa9\xff")), 1, 8), func(b []byte) string { return string(b) })
	rapid.Check(t, func(t *rapid.T) {
		n := sample()
		for _, p := range []*string{
			&n.Path, &n.Dependencies[0], &n.PublicAPI[0].From, &n.PublicAPI[0].File, &n.Behaviour[0].File, &n.Sources[0].Path,
		} {
			*p = path.Draw(t, "path")
		}
		n.Purpose = text.Draw(t, "purpose")
		n.Doc = text.Draw(t, "doc")
		n.PublicAPI[0].Signature = text.Draw(t, "signature")
		n.PublicAPI[1].Name = "n" + text.Draw(t, "name")
		n.Examples[0].Code = text.Draw(t, "code")
		n.Seal()
		encoded := n.Encode()
		got, err := node.Decode(encoded)
		if err != nil {
			t.Fatalf("%v\n%s", err, encoded)
		}
		if again := got.Encode(); !bytes.Equal(again, encoded) {
			t.Fatalf("written again it is\n%s\nand was\n%s", again, encoded)
		}
		if strings.Join(strings.Fields(got.Doc), " ") != strings.Join(strings.Fields(n.Doc), " ") {
			t.Fatalf("the words of %q are %q", n.Doc, got.Doc)
		}
		if got.Doc = n.Doc; !reflect.DeepEqual(got, n) { // its lines may be wrapped in another way
			t.Fatalf("got  %+v\nwant %+v\n%s", got, n, encoded)
		}
	})
}

// TestWrappedAnew: wrapping the lines of a documentation in another way changes no node, and another list does.
func TestWrappedAnew(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		before, after string
		same          bool
	}{
		"prose":      {"One two\nthree.\n\nFour\nfive.", "One\ntwo three.\n\nFour five.", true},
		"paragraphs": {"One two.\n\nThree.", "One two. Three.", false},
		"a list":     {"One:\n- two\n- three", "One:\n- two - three", false},
		"numbers":    {"1. one\n2. two", "1. one 2. two", false},
		"code":       {"\ta\n\tb", "\ta b", false},
	} {
		a, b := sample(), sample()
		a.Doc, b.Doc = c.before, c.after
		if same := bytes.Equal(a.Encode(), b.Encode()); same != c.same {
			t.Errorf("%s: the same is %t", name, same)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(sample().Encode())
	f.Add([]byte("path: a\nsources:\n- {path: b}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		costtest.Hold(t, data, func(data []byte) { _, _ = node.Decode(data) })
		n, err := node.Decode(data)
		if err != nil {
			return
		}
		n.Seal()
		if _, err := node.Decode(n.Encode()); err != nil {
			t.Fatalf("what was decoded does not decode again: %v\n%s", err, n.Encode())
		}
	})
}

func BenchmarkEncode(b *testing.B) {
	n := sample()
	b.SetBytes(int64(len(n.Encode())))
	for b.Loop() {
		n.Encode()
	}
}

func BenchmarkDecode(b *testing.B) {
	data := sample().Encode()
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := node.Decode(data); err != nil {
			b.Fatal(err)
		}
	}
}

// TestLineOfBehaviour checks that the line of a behaviour is a number in the file.
func TestLineOfBehaviour(t *testing.T) {
	t.Parallel()
	n := sample()
	n.Behaviour[0].At, n.Behaviour[0].Line = "4c1f0aa", 7
	got, err := node.Decode(n.Encode())
	if err != nil {
		t.Fatal(err)
	}
	if got.Behaviour[0] != n.Behaviour[0] {
		t.Errorf("got %+v, want %+v", got.Behaviour[0], n.Behaviour[0])
	}
}
