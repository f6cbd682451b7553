package render

import "testing"

func TestManifestsNameARepository(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		manifests map[string]string
		want      string
	}{
		"none":                     {nil, "Repository"},
		"a Go module":              {map[string]string{"go.mod": "// about\nmodule example.com/acme/shop/v2\n\ngo 1.26\n"}, "shop"},
		"a crate":                  {map[string]string{"Cargo.toml": "[package]\nversion = \"1\"\nkeywords = [\"a\"]\nname = \"shop\"\n"}, "shop"},
		"a workspace of crates":    {map[string]string{"Cargo.toml": "[workspace]\nmembers = [\"a\"]\n\n[profile.release]\nname = \"fast\"\n"}, "Repository"},
		"a project":                {map[string]string{"pyproject.toml": "[build-system]\nrequires = []\n\n[project]\r\nname='shop'\r\n"}, "shop"},
		"an older project":         {map[string]string{"pyproject.toml": "[tool.poetry]\n\nname = \"shop\"\n"}, "shop"},
		"a broken crate":           {map[string]string{"Cargo.toml": "[package]\nversion =\nname = \"shop\"\n[lib\n"}, "shop"},
		"a set-up in code":         {map[string]string{"setup.py": "from setuptools import setup\n\nsetup(\n    version=read('x.py'),\n    name='shop.io',\n    description='Sells.',\n)\n"}, "shop.io"},
		"a set-up with a variable": {map[string]string{"setup.py": "setup(name=NAME, version='1')\n", "package.json": `{"name": "shop"}`}, "shop"},
		"a set-up":                 {map[string]string{"setup.cfg": "[metadata]\nname = shop\n", "pyproject.toml": "[tool.black]\n"}, "shop"},
		"a package":                {map[string]string{"package.json": `{"name": "@acme/shop", "private": true}`}, "shop"},
		"a package without name":   {map[string]string{"package.json": `{"private": true}`}, "Repository"},
		"a broken package":         {map[string]string{"package.json": `{"name": "shop`}, "Repository"},
		"a package of a workspace": {map[string]string{"package.json": `{"name": "shop-root"}`}, "shop"},
		"two, of which one names": {map[string]string{
			"package.json": `{"name": "shop"}`, "Cargo.toml": "[workspace]\n",
		}, "shop"},
	} {
		in := introduction{manifest: func(name string) []byte {
			if content, ok := c.manifests[name]; ok {
				return []byte(content)
			}
			return nil
		}}
		if got, _, _ := in.of(Config{}, &fakeGraph{}); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		in.readme.Content = []byte("# The shop\n\nSells things.\n")
		if got, _, _ := in.of(Config{}, &fakeGraph{}); got != "The shop" {
			t.Errorf("%s: a README does not come first: %q", name, got)
		}
	}
}

// TestNewsNameNoRepository checks that a title such as "X is now unmaintained" is not taken for the name.
func TestNewsNameNoRepository(t *testing.T) {
	t.Parallel()
	for title, want := range map[string]string{"Shop is now unmaintained": "shop", "This Shop": "This Shop", "Introduction": "shop", "Table of Contents": "shop", "Overview of shops": "Overview of shops"} {
		in := introduction{}
		in.readme.Content = []byte("# " + title + "\n\nSells things.\n")
		if got, _, _ := in.of(Config{Repository: "https://example.com/acme/shop"}, &fakeGraph{}); got != want {
			t.Errorf("%s: %q, want %q", title, got, want)
		}
	}
}
