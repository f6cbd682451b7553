package mcp_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// text is what is read at an address; empty where nothing is.
func (a *agent) text(uri string) string {
	a.Helper()
	r, err := a.ReadResource(a.Context(), &sdk.ReadResourceParams{URI: uri})
	if err != nil {
		if !strings.Contains(err.Error(), "not found") {
			a.Errorf("read %s: %v", uri, err)
		}
		return ""
	}
	return r.Contents[0].Text
}

func TestPagesAndNodesAreResources(t *testing.T) {
	t.Parallel()
	dir := newRepository(t, shop)
	update(t, dir)
	a := connect(t, dir)
	templates, err := a.ListResourceTemplates(t.Context(), nil)
	if err != nil || len(templates.ResourceTemplates) != 2 {
		t.Fatal(err, templates)
	}
	kinds := map[string]int{}
	for r, err := range a.Resources(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		kinds[r.MIMEType]++
		if text := a.text(r.URI); text == "" {
			t.Errorf("%s is listed and cannot be read", r.URI)
		}
	}
	if kinds["text/markdown"] < 4 || kinds["application/yaml"] != 2 {
		t.Errorf("the list has %v", kinds)
	}
	a.wants(a.text("causal://page/docs/causal/modules/money.md"), "# money", "ParseAmount")
	a.wants(a.text("causal://node/cart"), "module: cart", "dependencies:")

	// a page or node that the code contradicts is given as an update would write it
	write(t, dir, map[string]string{"cart/cart.go": shop["cart/cart.go"] + "\n// Empty is new.\nfunc Empty() {}\n"})
	for uri, outdated := range map[string]bool{"causal://page/docs/causal/modules/cart.md": true, "causal://node/cart": true, "causal://node/money": false} {
		text := a.text(uri)
		if strings.Contains(text, "Empty is new.") != outdated || strings.Contains(text, "The stored file is out of date") != outdated {
			t.Errorf("%s:\n%s", uri, text)
		}
	}

	// a page that comes is there, and one that is too long is cut
	write(t, dir, map[string]string{"docs/causal/late.md": "# Late\n" + strings.Repeat("one more line of it\n", 9000)})
	late := a.text("causal://page/docs/causal/late.md")
	if len(late) > 65<<10 {
		t.Errorf("%d bytes of a page are told", len(late))
	}
	a.wants(late, "more lines are in docs/causal/late.md.]")
}

// TestNothingElseIsRead: an address leads to what is listed and nowhere else, whatever it looks like.
func TestNothingElseIsRead(t *testing.T) {
	t.Parallel()
	dir := newRepository(t, shop)
	update(t, dir)
	secret := filepath.Join(t.TempDir(), "secret.md")
	if err := os.WriteFile(secret, []byte("# Secret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(secret, filepath.Join(dir, "docs", "causal", "link.md")); err != nil {
		t.Fatal(err)
	}
	a := connect(t, dir)
	for _, name := range []string{
		"README.md", "docs/causal/../../README.md", "docs%2Fcausal%2F..%2F..%2FREADME.md", "../" + filepath.Base(dir) + "/README.md", secret,
		"docs/causal/link.md", ".causal/nodes/money.yml", ".git/config", "docs/causal", "%zz", "docs/causal/index.md%00.md",
	} {
		if text := a.text("causal://page/" + name); text != "" {
			t.Errorf("page %s can be read:\n%s", name, text)
		}
		if text := a.text("causal://node/" + name); text != "" {
			t.Errorf("node %s can be read:\n%s", name, text)
		}
	}
	if text := a.text("causal://page/docs%2Fcausal%2Findex.md"); text == "" {
		t.Error("the same name written otherwise is not read")
	}
}

// TestTheListHasPages: of a list that is long, each resource is on one page.
func TestTheListHasPages(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for i := range 450 {
		files[fmt.Sprintf("docs/causal/modules/m%03d.md", i)] = "# m\n"
	}
	a := connect(t, newRepository(t, files))
	seen, params := map[string]bool{}, &sdk.ListResourcesParams{}
	pages := 0
	for {
		r, err := a.ListResources(t.Context(), params)
		if err != nil {
			t.Fatal(err)
		}
		pages++
		for _, one := range r.Resources {
			if seen[one.URI] {
				t.Errorf("%s is listed twice", one.URI)
			}
			seen[one.URI] = true
		}
		if params.Cursor = r.NextCursor; params.Cursor == "" {
			break
		}
	}
	if len(seen) != 450 || pages != 3 {
		t.Errorf("%d resources on %d pages", len(seen), pages)
	}
}
