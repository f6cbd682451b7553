package sarif

import (
	"strings"
	"testing"
)

func TestPaths(t *testing.T) {
	t.Parallel()
	bases := map[string]location{
		"ROOT":   {URI: "file:///work%20tree/shop/"},
		"PARENT": {URI: "file:///work%20tree"},
		"WEB":    {URI: "web/", Base: "ROOT"},
		"DEEP":   {URI: "src", Base: "WEB"},
		"REPO":   {Base: "ROOT"},
		"THERE":  {URI: "file:///home/runner/work/shop/shop/"},
		"BELOW":  {URI: "web/", Base: "THERE"},
		"SITE":   {URI: "https://example.com/shop/"},
		"DRIVE":  {URI: `C:\shop\`},
		"ALL":    {URI: "file:///"},
		"A":      {URI: "a/", Base: "B"},
		"B":      {URI: "b/", Base: "A"},
	}
	for _, test := range []struct{ uri, base, want string }{
		{"web/app.js", "", "web/app.js"},
		{"./web//./app.js", "", "web/app.js"},
		{"web/../app.js", "", "app.js"},
		{"web/my%20cart.js", "", "web/my cart.js"},
		{"web/my cart.js", "", "web/my cart.js"},
		{"web/100%.js", "", "web/100%.js"},
		{"web/%0A::error::x.js", "", "web/\n::error::x.js"},
		{"web/%250A.js", "", "web/%0A.js"},
		{"app/[id]/page#1?.tsx", "", "app/[id]/page#1?.tsx"},
		{`web\app.js`, "", "web/app.js"},
		{"web%5Capp.js", "", `web\app.js`},
		{"caf%E9.js", "", "caf\xe9.js"},
		{"file:///work%20tree/shop/web/app.js", "", "web/app.js"},
		{"FILE://localhost/work%20tree/shop/web/app.js", "", "web/app.js"},
		{"file:/work%20tree/shop/web/app.js", "", "web/app.js"},
		{"/work tree/shop/web/app.js", "", "web/app.js"},
		{"/other/name/web/app.js", "", "web/app.js"},
		{"file:///D:/a/shop/web/app.js", "", "web/app.js"},
		{`D:\a\shop\web\app.js`, "", "web/app.js"},
		{"web/app.js", "%SRCROOT%", "web/app.js"},
		{"web/app.js", "ROOT", "web/app.js"},
		{"shop/web/app.js", "PARENT", "web/app.js"},
		{"app.js", "WEB", "web/app.js"},
		{"../app.js", "WEB", "app.js"},
		{"app.js", "DEEP", "web/src/app.js"},
		{"app.js", "REPO", "app.js"},
		{"web/app.js", "THERE", "web/app.js"},
		{"app.js", "BELOW", "web/app.js"},
		{"web/app.js", "SITE", "web/app.js"},
		{"web/app.js", "DRIVE", "web/app.js"},
		{"web/app.js", "ALL", "web/app.js"},
		{".gitignore", "", ".gitignore"},
		{"/work tree/shop/web/app.js", "THERE", "web/app.js"},

		{"", "", "! without a path"},
		{".", "", "! without a path"},
		{"/work tree/shop", "", "! outside of the repository: \"/work tree/shop\""},
		{"../../etc/passwd", "", "! outside of the repository: \"../../etc/passwd\""},
		{"..", "", "! outside of the repository: \"..\""},
		{"cart/../../../etc/passwd", "", "! outside of the repository: \"cart/../../../etc/passwd\""},
		{"%2e%2e/%2e%2e/etc/passwd", "", "! outside of the repository: \"%2e%2e/%2e%2e/etc/passwd\""},
		{`..\..\etc\passwd`, "", `! outside of the repository: "..\\..\\etc\\passwd"`},
		{"/etc/passwd", "", "! outside of the repository: \"/etc/passwd\""},
		{"//etc/passwd", "", "! outside of the repository: \"//etc/passwd\""},
		{"%2Fetc/passwd", "", "! outside of the repository: \"%2Fetc/passwd\""},
		{"file:///etc/passwd", "", "! outside of the repository: \"file:///etc/passwd\""},
		{"/work tree/shop/../x.js", "", "! outside of the repository: \"/work tree/shop/../x.js\""},
		{"/work tree/shopping/x.js", "", "! outside of the repository: \"/work tree/shopping/x.js\""},
		{"C:/windows/x.js", "", "! outside of the repository: \"C:/windows/x.js\""},
		{"../../x.js", "THERE", "! outside of the repository: \"../../x.js\""},
		{"../../x.js", "WEB", "! outside of the repository: \"../../x.js\""},
		{"file://host/work%20tree/shop/x.js", "", "! on another machine: \"file://host/work%20tree/shop/x.js\""},
		{"https://example.com/web/app.js", "", "! no file: \"https://example.com/web/app.js\""},
		{"untitled:one.js", "", "! no file: \"untitled:one.js\""},
		{"cart/%00.go", "", "! at a path that no file has: \"cart/%00.go\""},
		{".git/config", "", "! in git's own files: \".git/config\""},
		{"sub/.GIT/config", "", "! in git's own files: \"sub/.GIT/config\""},
		{"x.js", "A", "! below bases that lead in a circle: \"x.js\""},
		{"a\n.js", "", "a\n.js"},
	} {
		r := &run{reader: &reader{roots: cleanRoots([]string{root, "/other/name/", `D:\a\shop`, "relative", ""})}, bases: bases}
		got, _, dropped := r.path(location{URI: text(test.uri), Base: text(test.base)})
		if dropped != "" {
			got += "! " + dropped
		}
		if got != test.want {
			t.Errorf("%q %s: %q, expected %q", test.uri, test.base, got, test.want)
		}
	}
}

func TestLongPaths(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("d/", longestPath/2-1)
	for uri, want := range map[string]bool{long + "ab": true, long + "abc": false, strings.Repeat("%61", longestPath): false} {
		got := mustReadOne(t, logOf(nil, res(members{"locations": at(uri, members{"startLine": 1})})))
		if (got.Dropped == "") != want || len(got.Dropped) > 2*longestName {
			t.Errorf("%d bytes: %q", len(uri), got.Dropped)
		}
	}
}

func TestArtifacts(t *testing.T) {
	t.Parallel()
	run := members{"artifacts": []any{members{"location": members{"uri": "b.go"}}, members{"location": members{"uri": "c.go", "uriBaseId": "B"}}},
		"originalUriBaseIds": members{"B": members{"uri": "sub/"}}}
	for want, where := range map[string]members{
		"a.go":     {"uri": "a.go", "index": 1},
		"b.go":     {"index": 0},
		"sub/c.go": {"index": 1},
	} {
		place := []any{members{"physicalLocation": members{"artifactLocation": where, "region": members{"startLine": 1}}}}
		if got := mustReadOne(t, logOf(run, res(members{"locations": place}))); got.Path != want || got.Dropped != "" {
			t.Errorf("%s, %s, expected %s", got.Path, got.Dropped, want)
		}
	}
}

func TestFirstLocationInAFile(t *testing.T) {
	t.Parallel()
	places := append([]any{members{"message": members{"text": "here"}}}, at("a.go", members{"startLine": 7})...)
	if got := mustReadOne(t, logOf(nil, res(members{"locations": append(places, at("b.go", members{"startLine": 8})...)}))); got.Path != "a.go" || got.Line != 7 {
		t.Errorf("%+v", got)
	}
}

// TestBasesComeOnce holds a log that tells its bases again and again to the memory of the last.
func TestBasesComeOnce(t *testing.T) {
	t.Parallel()
	text := `{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "x"}}, "results": [` + encoded(res(members{"locations": []any{members{"physicalLocation": members{
		"artifactLocation": members{"uri": "a.go", "uriBaseId": "A"}, "region": members{"startLine": 1}}}}})) + `],
		"originalUriBaseIds": {"A": {"uri": "a/"}}, "originalUriBaseIds": {"B": {"uri": "b/"}}}]}`
	if got := mustReadOne(t, text); got.Path != "a.go" {
		t.Errorf("%+v", got)
	}
}
