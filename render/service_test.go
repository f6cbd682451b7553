package render

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/engine"
)

// provided is a repository in Java whose services are provided by files alone.
var provided = map[string]string{
	"api/src/main/java/org/shop/api/Plug.java":                   "package org.shop.api;\n\n/** Fits. */\npublic interface Plug {\n    void fit();\n}\n",
	"app/src/main/java/org/shop/plug/Round.java":                 "package org.shop.plug;\n\nimport org.shop.api.Plug;\n\npublic class Round implements Plug {\n    public void fit() {}\n}\n",
	"app/src/main/java/org/shop/plug/Flat.java":                  "package org.shop.plug;\n\npublic class Flat {\n    public static class Plugged {}\n}\n",
	"old/src/main/java/org/shop/plug/Round.java":                 "package org.shop.plug;\n\npublic class Round {}\n",
	"core/src/main/java/org/shop/other/Only.java":                "package org.shop.other;\n\npublic class Only {}\n",
	"app/src/main/resources/META-INF/services/org.shop.api.Plug": "# those that fit\norg.shop.plug.Round # the first\n\norg.shop.plug.Flat$Plugged\norg.shop.plug.Gone\nno name\n",
	"app/src/main/resources/META-INF/services/java.sql.Driver":   "org.shop.other.Only\n",
	"app/src/main/resources/META-INF/services/README":            "org.shop.other.Only\n",
}

func TestServices(t *testing.T) {
	t.Parallel()
	r := newRepo(t, provided)
	r.nodes()
	got := r.conclude(r.plugin(), engine.Unit{Kind: PageKind, Subject: extensionPage}, nil).Body.(*Page).generated
	for _, want := range []string{
		"### [`org.shop.api.Plug`](modules/api/src/main/java/org/shop/api.md#orgshopapiplug)\n\nFits.\n\n| What | In |\n|---|---|\n",
		"| [`org.shop.plug.Flat.Plugged`](modules/app/src/main/java/org/shop/plug.md) | [`app/src/main/resources/META-INF/services/org.shop.api.Plug`](../../app/src/main/resources/META-INF/services/org.shop.api.Plug) |\n" +
			"| [`org.shop.plug.Round`](modules/app/src/main/java/org/shop/plug.md#orgshoppluground) |",
		"### `java.sql.Driver`\n\nOf `java.sql`, which is not of this repository.\n\n| What | In |\n|---|---|\n| [`org.shop.other.Only`](modules/core/src/main/java/org/shop/other.md) |",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not on the page:\n%s", want, got)
		}
	}
	for _, not := range []string{"Gone", "no name", "README", "modules/old"} {
		if strings.Contains(got, not) {
			t.Errorf("%q is on the page:\n%s", not, got)
		}
	}
}

// TestRegistriesHaveRoom checks that registrations are shown even if the interfaces alone exceed the page.
func TestRegistriesHaveRoom(t *testing.T) {
	t.Parallel()
	files := maps.Clone(provided)
	for i := range 60 {
		methods := ""
		for j := range 40 {
			methods += fmt.Sprintf("    void aMethodOfTheInterface%d(String text);\n", j)
		}
		files[fmt.Sprintf("many%d/I.java", i)] = fmt.Sprintf("package many%d;\n\npublic interface I {\n%s}\n", i, methods)
		for _, by := range []string{"A", "B"} {
			files[fmt.Sprintf("many%d/%s.java", i, by)] = fmt.Sprintf("package many%d;\n\npublic class %s implements I {}\n", i, by)
		}
	}
	r := newRepo(t, files)
	r.nodes()
	got := r.conclude(r.plugin(), engine.Unit{Kind: PageKind, Subject: extensionPage}, nil).Body.(*Page).generated
	if !strings.Contains(got, "### `java.sql.Driver`\n") || !strings.Contains(got, "\nMore are listed") || len(got) > extensionBytes+pointsBytes+1<<10 {
		t.Errorf("%d bytes:\n%s", len(got), got[max(0, len(got)-200):])
	}
}
