package cli_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/cli"
)

// TestOwnFilesOfOddNames checks that files with odd names in causal's directories are removed or ignored, and the rest is documented.
func TestOwnFilesOfOddNames(t *testing.T) {
	t.Parallel()
	r := newShop(t)
	r.writeAll(map[string]string{
		".causal/nodes/a\xffb.yml": "path: a\n", ".causal/nodes/\xff/a.yml": "", ".causal/frames/\xff.yml": "session_id: a\n",
		"docs/causal/\xff.md": "mine\n", "docs/causal/modules/\xff/a.md": "mine\n",
	})
	r.update()
	r.causal(cli.ExitClean, "check")
	if !r.has(moneyPage) || r.read("docs/causal/\xff.md") != "mine\n" || r.read("docs/causal/modules/\xff/a.md") != "mine\n" {
		t.Error("something is missing")
	}
	if got := r.update(); !strings.Contains(got.out, "nothing was written") {
		t.Errorf("a second update wrote something:\n%s", got)
	}
}

// TestPathsAsLongAsTheyMayBe: the path of a page may be longer than the system takes in one piece, which git says nothing
// against, and ends no run.
func TestPathsAsLongAsTheyMayBe(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("paths of other systems have other limits")
	}
	r := newShop(t)
	const longest = 4095
	dir, room := "n", longest-len(r.path("/n/a.go"))
	for ; room > 200; room -= 201 {
		dir += "/" + strings.Repeat("n", 200)
	}
	dir += "/" + strings.Repeat("n", room-1)
	r.write(dir+"/a.go", "package a\n")
	r.commit("Go deeper")
	r.update()
	r.causal(cli.ExitClean, "check")
}

// TestReviewOfOddNames checks that a file or directory with an invalid name is listed as not analysed, and the rest of the change is
// reviewed.
func TestReviewOfOddNames(t *testing.T) {
	t.Parallel()
	r := newShop(t)
	odd := []string{"money/a\xc0\xafb.go", "o\xffd/odd.go", "money/gone\xff.go", "docs/\xff.md"}
	write := func(parameters string) {
		for i, name := range append(odd, "money/round.go") {
			r.write(name, fmt.Sprintf("package money\n\n// F%d of `money.F4`.\nfunc F%d(%s) {}\n", i, i, parameters))
		}
	}
	write("s string")
	r.commit("Begin")
	write("s, t string")
	r.remove("money/gone\xff.go")
	r.write("lint.sarif", `{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "lint"}}, "results": [
		{"ruleId": "x", "message": {"text": "No."}, "locations": [{"physicalLocation": {"artifactLocation": {"uri": "money/a%C0%AFb.go"}, "region": {"startLine": 4}}}]},
		{"ruleId": "x", "message": {"text": "No."}, "locations": [{"physicalLocation": {"artifactLocation": {"uri": "caf%E9.go"}, "region": {"startLine": 4}}}]}]}]}`)
	for range 2 {
		got := r.causal(cli.ExitFindings, "review", "--base", "HEAD", "--sarif", "lint.sarif", "--state", "state.json", "--json", "--vet=false")
		if strings.Count(got.out, `"id": "f-`) != 1 || !strings.Contains(got.out, `"path": "money/round.go"`) || strings.Count(got.out, "has or had a name that is not UTF-8") != len(odd)+1 {
			t.Fatalf("the review is\n%s", got)
		}
	}
	r.causal(cli.ExitFindings, "review", "--base", "HEAD", "--sarif", "lint.sarif", "--state", "state.json", "--vet=false", "--close", "merged", "--as", "pr-1")
	r.causal(cli.ExitClean, "update")
}

// TestSuggestionsOfOtherEncodings checks that lines that are not valid UTF-8 get no suggestion, which would destroy them.
func TestSuggestionsOfOtherEncodings(t *testing.T) {
	t.Parallel()
	r := newShop(t)
	for text, offered := range map[string]bool{"caf\u00e9": true, "caf\xe9": false} {
		const source = "/**\n * Parses.\n * @param {string} s %s\n */\nexport function parse(%s) {\n}\n"
		r.write("parse.js", fmt.Sprintf(source, text, "s"))
		r.commit("Parse " + text)
		r.write("parse.js", fmt.Sprintf(source, text, "t"))
		got := r.causal(cli.ExitFindings, "review", "--base", "HEAD", "--json", "--vet=false")
		if !strings.Contains(got.out, `"rule": "stale-parameter"`) || strings.Contains(got.out, `"suggestion"`) != offered {
			t.Errorf("%q: %s", text, got)
		}
	}
}
