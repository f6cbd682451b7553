package site

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	renderer "github.com/yuin/goldmark/renderer/html"
	"golang.org/x/net/html"
)

// differences returns, by page, the first place where the HTML of the site differs from GitHub's rendering.
func differences(t *testing.T, pages, built fs.FS) map[string]string {
	t.Helper()
	github := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(renderer.WithUnsafe()))
	out := map[string]string{}
	err := fs.WalkDir(pages, ".", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || path.Ext(name) != ".md" {
			return err
		}
		source, err := fs.ReadFile(pages, name)
		if err != nil {
			return err
		}
		page, err := fs.ReadFile(built, builtAt(name))
		if err != nil {
			return err
		}
		_, text, _ := strings.Cut(string(source), "\n---\n")
		var want bytes.Buffer
		if err := github.Convert([]byte(text), &want); err != nil {
			return err
		}
		if d := firstDifference(shapeOf(t, want.Bytes(), "body"), shapeOf(t, page, "article")); d != "" {
			out[name] = d
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// builtAt is where MkDocs writes a page.
func builtAt(name string) string {
	base := strings.TrimSuffix(name, ".md")
	if b := path.Base(base); b == "README" || b == "index" {
		return path.Join(path.Dir(base), "index.html")
	}
	return base + "/index.html"
}

func firstDifference(want, got []string) string {
	for i := range max(len(want), len(got)) {
		w, g := "nothing", "nothing"
		if i < len(want) {
			w = want[i]
		}
		if i < len(got) {
			g = got[i]
		}
		if w != g {
			return fmt.Sprintf("%.200q and not %.200q", g, w)
		}
	}
	return ""
}

// shapeOf lists the texts below an element, each with its enclosing meaningful elements.
func shapeOf(t *testing.T, page []byte, below string) []string {
	t.Helper()
	root, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	for n := range root.Descendants() {
		if n.Type == html.ElementNode && n.Data == below {
			var x shape
			x.add(n, "")
			return x.texts()
		}
	}
	t.Fatalf("there is no %s", below)
	return nil
}

// meaningful are the elements that make a difference to who reads a text.
var meaningful = strings.Fields("a blockquote code del details em h1 h2 h3 h4 h5 h6 img li ol pre strong summary table td th tr ul")

// shape is a text after the other, each with its elements.
type shape struct{ in, text []string }

func (x *shape) add(n *html.Node, in string) {
	switch {
	case n.Type == html.TextNode:
		x.say(in, strings.Join(strings.Fields(n.Data), ""))
		return
	case n.Type == html.ElementNode && added(n):
		return
	case n.Type == html.ElementNode && n.Data == "pre":
		in = "/pre" // the theme adds elements for colours
	case n.Type == html.ElementNode && slices.Contains(meaningful, n.Data) && in != "/pre":
		in += "/" + n.Data
	}
	for c := range n.ChildNodes() {
		x.add(c, in)
	}
}

// added reports whether the theme adds an element: the sign that leads to a heading, and buttons.
func added(n *html.Node) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool {
		return a.Key == "class" && (a.Val == "headerlink" || n.Data != "article" && strings.Contains(a.Val, "md-"))
	})
}

func (x *shape) say(in, text string) {
	switch last := len(x.in) - 1; {
	case text == "":
	case last >= 0 && x.in[last] == in:
		x.text[last] += text
	default:
		x.in, x.text = append(x.in, in), append(x.text, text)
	}
}

func (x *shape) texts() []string {
	out := make([]string, len(x.in))
	for i := range x.in {
		out[i] = x.in[i] + ": " + x.text[i]
	}
	return out
}
