package cli_test

import (
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/cli"
)

// TestHandEditsAreMended checks that edited, truncated and deleted files of causal are found and restored.
func TestHandEditsAreMended(t *testing.T) {
	t.Parallel()
	for name, edit := range map[string]func(r *repo){
		"a word on a page":  func(r *repo) { r.replace(moneyPage, "Holds amounts.", "Holds anything.") },
		"a page cut short":  func(r *repo) { r.write(moneyPage, r.read(moneyPage)[:500]) },
		"a page deleted":    func(r *repo) { r.remove(moneyPage) },
		"the index edited":  func(r *repo) { r.replace("docs/causal/index.md", "Adds up.", "Adds down.") },
		"the index deleted": func(r *repo) { r.remove("docs/causal/index.md") },
		"all pages deleted": func(r *repo) { r.remove("docs") },
		"a word in a node":  func(r *repo) { r.replace(".causal/nodes/money.yml", "Holds amounts.", "Holds anything.") },
		"a node cut short":  func(r *repo) { r.write(".causal/nodes/money.yml", r.read(".causal/nodes/money.yml")[:300]) },
		"a node emptied":    func(r *repo) { r.write(".causal/nodes/money.yml", "") },
		"a node of another": func(r *repo) { r.write(".causal/nodes/money.yml", r.read(".causal/nodes/cart.yml")) },
		"a node deleted":    func(r *repo) { r.remove(".causal/nodes/money.yml") },
		"all nodes deleted": func(r *repo) { r.remove(".causal") },
		"a node too many":   func(r *repo) { r.write(".causal/nodes/gone/by.yml", r.read(".causal/nodes/cart.yml")) },
		"a page too many":   func(r *repo) { r.write("docs/causal/modules/gone/by.md", r.read(moneyPage)) },
		"markers in a node": func(r *repo) {
			r.replace(".causal/nodes/money.yml", "\npath:", "\n<<<<<<< a\n=======\n>>>>>>> b\npath:")
		},
		"markers on a page":     func(r *repo) { r.replace(moneyPage, "\n## Files", "\n<<<<<<< a\n=======\n>>>>>>> b\n## Files") },
		"everything but memory": func(r *repo) { r.remove(".causal"); r.remove("docs") },
	} {
		for _, remember := range []bool{true, false} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				r := newDocumentedShop(t)
				before := r.knowledge()
				edit(r)
				if !remember {
					r.remove(".git/causal")
				}
				got := r.causal(cli.ExitFindings, "check")
				if !strings.Contains(got.out, "causal update") {
					t.Errorf("check does not say what mends it:\n%s", got)
				}
				r.update()
				r.causal(cli.ExitClean, "check")
				after := r.knowledge()
				for name, text := range after {
					for _, p := range provenance {
						text = p.pattern.ReplaceAllString(text, p.instead)
						before[name] = p.pattern.ReplaceAllString(before[name], p.instead)
					}
					after[name] = text
				}
				if diff := difference(before, after); diff != "" {
					t.Errorf("the update did not restore (-before +after):\n%s", diff)
				}
			})
		}
	}
}

// TestRealMergeConflictIsMended: both branches changed one module and updated; whatever git leaves in nodes and
// pages, the next update mends it.
func TestRealMergeConflictIsMended(t *testing.T) {
	t.Parallel()
	r := newDocumentedShop(t)
	r.git("switch", "--quiet", "--create", "left")
	r.replace("money/money.go", "Parse reads an amount", "Parse understands")
	r.replace("money/money.go", "Amount is in cents", "Amount counts")
	r.update()
	r.commit("Left")
	r.git("switch", "--quiet", "--create", "right", "main")
	r.replace("money/money.go", "Parse reads an amount", "Parse guesses")
	r.write("money/more.go", "package money\n\n// More is more.\nfunc More() {}\n")
	r.update()
	r.commit("Right")
	if out, err := r.tryGit("merge", "left"); err == nil {
		t.Fatalf("no conflict: %s", out)
	}
	for _, name := range []string{".causal/nodes/money.yml", moneyPage} {
		if !strings.Contains(r.read(name), "<<<<<<<") {
			t.Fatalf("%s has no conflict", name)
		}
	}
	r.git("checkout", "--theirs", "--", "money/money.go")
	r.update()
	for name, text := range r.knowledge() {
		if strings.Contains(text, "<<<<<<<") || strings.Contains(text, ">>>>>>>") {
			t.Errorf("%s still has conflict markers", name)
		}
	}
	r.commit("Merge")
	r.causal(cli.ExitClean, "check")
	if got := r.update(); !strings.Contains(got.out, "nothing was written") {
		t.Errorf("an update after the merge commit wrote:\n%s", got)
	}
	sameAsScratch(t, r)
}

// TestFileThatCannotBeRead: the last text that could be read stays, under a banner, until the file is mended.
func TestFileThatCannotBeRead(t *testing.T) {
	t.Parallel()
	r := newShop(t)
	r.update()
	before := r.content()
	r.commit("Document it")
	whole := r.read("money/money.go")
	r.write("money/money.go", whole+"\nfunc (\n")
	if got := r.causal(cli.ExitFindings, "check"); !strings.Contains(got.out, "money/money.go") || !strings.Contains(got.out, "run: make the file parse, then causal update") {
		t.Errorf("check says:\n%s", got)
	}
	got := r.update()
	if !strings.Contains(got.out, "stale: kept the last readable text") {
		t.Errorf("update says:\n%s", got)
	}
	page := r.read(moneyPage)
	for _, text := range []string{"⚠ **Stale**", "money/money.go could not be read", "line 12", "Parse reads an amount."} {
		if !strings.Contains(page, text) {
			t.Errorf("the page does not say %q:\n%s", text, page)
		}
	}
	if strings.Contains(page, "**Fresh**") {
		t.Error("the page calls itself fresh")
	}
	if got := r.causal(cli.ExitFindings, "check"); !strings.Contains(got.out, "make the file parse, then causal update") {
		t.Errorf("check says:\n%s", got)
	}
	if got := r.causal(cli.ExitClean, "why", "money"); !strings.Contains(got.out, "money is stale.") {
		t.Errorf("why says:\n%s", got)
	}
	if got := r.update(); !strings.Contains(got.out, "stale") {
		t.Errorf("a second update says nothing of it:\n%s", got)
	}
	r.write("money/money.go", whole)
	r.update()
	r.causal(cli.ExitClean, "check")
	if diff := difference(before, r.content()); diff != "" {
		t.Errorf("after the file was mended (-before +after):\n%s", diff)
	}
	sameAsScratch(t, r)
}

// TestFileThatNeverCouldBeRead checks a file without an earlier readable version: the page shows the readable part, and says that it is
// incomplete.
func TestFileThatNeverCouldBeRead(t *testing.T) {
	t.Parallel()
	r := newShop(t)
	r.write("money/money.go", r.read("money/money.go")+"\nfunc (\n")
	if got := r.update(); !strings.Contains(got.out, "partial") {
		t.Errorf("update says:\n%s", got)
	}
	page := r.read(moneyPage)
	if !strings.Contains(page, "⚠ **Partial**") || !strings.Contains(page, "money/money.go") || strings.Contains(page, "**Fresh**") {
		t.Errorf("the page says:\n%s", page)
	}
	sameAsScratch(t, r)
}

// TestNeighboursMerge checks that branches that change symbols of different files merge without conflict, although the symbols are
// adjacent on the page.
func TestNeighboursMerge(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, left, right string // by which the second file, and the third, begin otherwise
	}{
		{"functions", "// Total sums.\nfunc Total() {}", "// Until waits.\nfunc Until() {}"},
		{"a function that has no documentation", "func Total() {}", "func Until(n int) {}"},
		{"types", "// Total is a sum.\ntype Total int", "// Until is a time.\ntype Until int"},
		{"constants", "// Total is most.\nconst Total = 1", "// Until is last.\nconst Until = 2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := newShop(t)
			r.write("cart/b.go", "package cart\n\n"+c.left+"\n")
			r.write("cart/c.go", "package cart\n\n"+c.right+"\n")
			r.commit("Two files more")
			r.update()
			r.commit("Document them")
			r.git("checkout", "--quiet", "-b", "left")
			r.write("cart/b.go", "package cart\n\n"+strings.NewReplacer("sums", "adds", "sum", "number", "most", "enough", "()", "(n int)").Replace(c.left)+"\n")
			r.update()
			r.commit("Say it better")
			r.git("checkout", "--quiet", "main")
			r.write("cart/c.go", "package cart\n\n"+strings.NewReplacer("waits", "rests", "time", "day", "last", "over", "(n int)", "(n, m int)").Replace(c.right)+"\n")
			r.update()
			r.commit("Say that better, too")
			if out, err := r.tryGit("merge", "--quiet", "--no-edit", "left"); err != nil {
				t.Fatalf("%v: %s\n%s", err, out, r.git("diff"))
			}
			r.update()
		})
	}
}
