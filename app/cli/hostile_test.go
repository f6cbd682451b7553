package cli_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/cli"
)

// TestOwnFilesOfOddNames: whoever puts files that are called anything where causal's own are has them removed or left, and all
// else is documented.
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
