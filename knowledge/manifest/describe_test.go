package manifest

import "testing"

func TestDescribe(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ file, content, name, about string }{
		{"go.mod", "module example.com/o/shop/v2\n", "shop", ""},
		{"settings.gradle", "include 'a'\nrootProject.name = 'shop'\n", "shop", ""},
		{"settings.gradle.kts", `rootProject.name = "shop"`, "shop", ""},
		{"package.json", `{"name": "@o/shop", "description": "Sells."}`, "shop", "Sells."},
		{"pom.xml", "<project><description> Sells &amp; buys. </description></project>", "", "Sells & buys."},
		{"setup.cfg", "[options]\nname = no\n[metadata]\nname = shop\ndescription = Sells.\n", "shop", "Sells."},
		{"pyproject.toml", "[project]\nname = 'shop'\ndescription = 'Add your description here'\n", "shop", ""},
		{"other.xml", "", "", ""},
	} {
		if name, about := Describe(c.file, []byte(c.content)); name != c.name || about != c.about {
			t.Errorf("%s: %q, %q, want %q, %q", c.file, name, about, c.name, c.about)
		}
	}
}
