package cli_test

import (
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/cli"
)

// note is a keep block with everything in it that a careless program would change.
const note = "<!-- causal:keep why -->\n## Not a heading of the page\n\n\n  indented   \n\ttabs\t\n<b>html</b> @everyone | pipe |\n" +
	"```\n<!-- causal:keep inner -->\n```\n<!-- /causal:keep -->"

// insert puts text before a line of a page.
func (r *repo) insert(name, before, text string) {
	r.t.Helper()
	r.replace(name, "\n"+before, "\n"+text+"\n\n"+before)
}

func TestKeepBlockSurvives(t *testing.T) {
	t.Parallel()
	words := strings.Replace(note, "```\n<!-- causal:keep inner -->\n```\n", "```\ncode\n```\n", 1)
	for _, before := range []string{"## Public API", "## Files", "# money", "<details"} {
		t.Run(before, func(t *testing.T) {
			t.Parallel()
			r := newShop(t)
			r.update()
			r.insert(moneyPage, before, words)
			kept := func(when string) {
				t.Helper()
				if !strings.Contains(r.read(moneyPage), "\n"+words+"\n") {
					t.Fatalf("%s: the block is not what it was:\n%s", when, r.read(moneyPage))
				}
			}
			r.causal(cli.ExitClean, "check")
			if got := r.update(); !strings.Contains(got.out, "nothing was written") {
				t.Errorf("a block alone made an update write:\n%s", got)
			}
			kept("after an update with nothing to do")
			r.replace("money/money.go", "Parse reads", "Parse understands")
			r.update()
			kept("after a change of the module")
			if !strings.Contains(r.read(moneyPage), "Parse understands") {
				t.Error("the page was not brought up to date")
			}
			sameAsScratch(t, r)
			r.write(".causal/config.yml", "docs: {front_matter: false}\n")
			r.update()
			kept("after a change of the configuration")
			r.remove(".git/causal")
			r.remove(".causal/nodes")
			r.update()
			kept("after all nodes were lost")
			r.remove("money")
			r.update()
			kept("after the module is gone")
			if !strings.Contains(r.read(moneyPage), farewell) {
				t.Errorf("the page does not say that the module is gone:\n%s", r.read(moneyPage))
			}
			r.causal(cli.ExitClean, "check")
			r.writeAll(shop)
			r.update()
			kept("after the module is back")
			if strings.Contains(r.read(moneyPage), farewell) {
				t.Error("the page still says that the module is gone")
			}
			r.causal(cli.ExitClean, "check")
			sameAsScratch(t, r)
		})
	}
}

// TestPageThatCannotBeMended checks that such a page stays byte for byte, because it may contain text of a person, and that the run says
// what to do. Its node is up to date.
func TestPageThatCannotBeMended(t *testing.T) {
	t.Parallel()
	closed := "<!-- causal:keep a -->\nwords\n<!-- /causal:keep -->"
	for name, c := range map[string]struct {
		text string
		says []string
	}{
		"a block without an end":         {"<!-- causal:keep a -->\nwords", []string{`keep block "a" does not end`, "<!-- /causal:keep -->"}},
		"a block inside a block":         {"<!-- causal:keep a -->\n<!-- causal:keep b -->\nx\n<!-- /causal:keep -->", []string{`keep block "b" begins inside "a"`}},
		"two different blocks of one id": {closed + "\n\n" + strings.Replace(closed, "words", "others", 1), []string{`called "a"`, "another id"}},
		"conflict markers in a block": {
			"<!-- causal:keep a -->\n<<<<<<< ours\nmine\n=======\nyours\n>>>>>>> theirs\n<!-- /causal:keep -->", []string{`keep block "a"`, "conflict markers", "resolve"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newShop(t)
			r.update()
			r.insert(moneyPage, "## Files", c.text)
			r.replace("money/money.go", "Parse reads", "Parse understands")
			before := r.read(moneyPage)
			got := r.causal(cli.ExitFindings, "update")
			for _, text := range append(c.says, moneyPage, "fix: edit "+moneyPage) {
				if !strings.Contains(got.err, text) {
					t.Errorf("the message does not say %q:\n%s", text, got.err)
				}
			}
			if r.read(moneyPage) != before {
				t.Errorf("the page was changed:\n%s", differentLines(before, r.read(moneyPage)))
			}
			if !strings.Contains(r.read(".causal/nodes/money.yml"), "Parse understands") {
				t.Error("the node was not brought up to date")
			}
			for range 2 {
				r.causal(cli.ExitFindings, "check")
				r.causal(cli.ExitFindings, "update")
			}
			r.replace(moneyPage, "\n"+c.text+"\n", "\n")
			r.update()
			r.causal(cli.ExitClean, "check")
			sameAsScratch(t, r)
		})
	}
}

// TestKeepBlockWithLineEndsOfWindows keeps them.
func TestKeepBlockWithLineEndsOfWindows(t *testing.T) {
	t.Parallel()
	r := newShop(t)
	r.update()
	block := "<!-- causal:keep a -->\r\nwords\r\n\r\nmore\r\n<!-- /causal:keep -->\r\n"
	r.insert(moneyPage, "## Files", block)
	r.replace("money/money.go", "Parse reads", "Parse understands")
	r.update()
	if !strings.Contains(r.read(moneyPage), block) {
		t.Errorf("the block is not what it was:\n%q", r.read(moneyPage))
	}
	r.causal(cli.ExitClean, "check")
	r.update()
	if !strings.Contains(r.read(moneyPage), block) {
		t.Errorf("a second update changed the block:\n%q", r.read(moneyPage))
	}
}

// TestMergeKeepsBothSidesWords: two branches add words to one page; git joins them, causal leaves them.
func TestMergeKeepsBothSidesWords(t *testing.T) {
	t.Parallel()
	r := newDocumentedShop(t)
	ours, theirs := "<!-- causal:keep ours -->\nours\n<!-- /causal:keep -->", "<!-- causal:keep theirs -->\ntheirs\n<!-- /causal:keep -->"
	r.git("switch", "--quiet", "--create", "left")
	r.insert(moneyPage, "## Files", ours)
	r.replace("money/money.go", "Parse reads", "Parse understands")
	r.update()
	r.commit("Left")
	r.git("switch", "--quiet", "--create", "right", "main")
	r.insert(moneyPage, "## Public API", theirs)
	r.replace("cart/cart.go", "Total is", "Total says")
	r.update()
	r.commit("Right")
	r.git("merge", "--quiet", "--no-edit", "left")
	r.update()
	r.causal(cli.ExitClean, "check")
	for _, words := range []string{ours, theirs} {
		if !strings.Contains(r.read(moneyPage), "\n"+words+"\n") {
			t.Errorf("lost after the merge: %s", words)
		}
	}
	sameAsScratch(t, r)
}
