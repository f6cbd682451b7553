package cli_test

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/cli"
)

var frameID = regexp.MustCompile(`(?m)^frame_id: (s-[0-9a-f]+)/\w+$`)

// sessionOf is the session in which a node was concluded.
func (r *repo) sessionOf(node string) string {
	r.t.Helper()
	m := frameID.FindStringSubmatch(r.read(node))
	if m == nil {
		r.t.Fatalf("%s names no frame:\n%s", node, r.read(node))
	}
	return m[1]
}

// unexplained lists the nodes that name a session whose call tree is not there.
func (r *repo) unexplained() []string {
	r.t.Helper()
	var out []string
	for name := range r.files(".causal/nodes") {
		if !r.has(".causal/frames/" + r.sessionOf(name) + ".yml") {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// TestCallTreeThatIsNotThere: a run that is killed may leave nodes whose session it had not written yet. They do not
// count as known until an update has concluded them again, which makes the session that was missing.
func TestCallTreeThatIsNotThere(t *testing.T) {
	t.Parallel()
	for name, lose := range map[string]func(r *repo){
		"nothing is remembered":   func(r *repo) { r.remove(".git/causal") },
		"the index is remembered": func(*repo) {},
		"it was committed before": func(r *repo) { r.commit("Document it"); r.causal(cli.ExitClean, "check") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newShop(t)
			r.update()
			tree := ".causal/frames/" + r.sessionOf(".causal/nodes/money.yml") + ".yml"
			want, text := r.files(".causal/nodes", ".causal/frames", "docs"), r.read(tree)
			lose(r)
			r.remove(tree)
			check := r.causal(cli.ExitFindings, "check")
			if !strings.Contains(check.out, tree+": the call tree in which it was concluded is not there") || !strings.Contains(check.out, "2 stale, 0 fresh") {
				t.Errorf("check says:\n%s", check)
			}
			why := r.causal(cli.ExitClean, "why", "money")
			if !strings.Contains(why.out, "money is stale.") || !strings.Contains(why.out, tree+" is not there; to mend it: causal update") {
				t.Errorf("why says:\n%s", why)
			}
			r.write(tree, text)
			r.causal(cli.ExitClean, "check")
			r.remove(tree)
			r.update()
			if diff := difference(want, r.files(".causal/nodes", ".causal/frames", "docs")); diff != "" {
				t.Errorf("not what an undisturbed run writes (-undisturbed +here):\n%s", diff)
			}
			r.causal(cli.ExitClean, "check")
		})
	}
}

// TestCallTreeThatIsNotThereAndAnotherEdit: the session is another one then, and every node names one that is there.
func TestCallTreeThatIsNotThereAndAnotherEdit(t *testing.T) {
	t.Parallel()
	r := newShop(t)
	r.update()
	r.remove(".causal/frames")
	r.replace("money/money.go", "Parse reads", "Parse understands")
	got := r.update()
	if !strings.Contains(got.out, "2 re-run, 1 updated") {
		t.Errorf("update says:\n%s", got)
	}
	if lost := r.unexplained(); len(lost) > 0 {
		t.Errorf("the call trees of these are not there: %q", lost)
	}
	r.causal(cli.ExitClean, "check")
	sameAsScratch(t, r)
}

// TestCallTreeThatCannotBeShown: why says what is wrong with it and what mends it, and tells all else that it knows.
func TestCallTreeThatCannotBeShown(t *testing.T) {
	t.Parallel()
	r := newShop(t)
	r.update()
	session := r.sessionOf(".causal/nodes/money.yml")
	tree := ".causal/frames/" + session + ".yml"
	whole := r.read(tree)
	for name, c := range map[string]struct{ text, says string }{
		"it cannot be read":      {"nonsense: [", "to mend it: remove " + tree + ", then causal update"},
		"the frame is not in it": {strings.ReplaceAll(whole, path.Base(r.frameOf(".causal/nodes/money.yml")), "0123456789abcdef"), "to mend it: remove that file, then causal update"},
	} {
		r.write(tree, c.text)
		got := r.causal(cli.ExitClean, "why", "money")
		if !strings.Contains(got.out, "frame  "+session+"/") || !strings.Contains(got.out, c.says) || !strings.Contains(got.out, "Holds amounts.") {
			t.Errorf("%s: why says:\n%s", name, got)
		}
		if got := r.causal(cli.ExitClean, "why", "money", "--json"); !strings.Contains(got.out, `"lost": "`) {
			t.Errorf("%s: why --json says:\n%s", name, got)
		}
		r.remove(tree)
		r.update()
		if r.read(tree) != whole {
			t.Errorf("%s: the mend does not bring the call tree back", name)
		}
	}
}

// frameOf is the frame in which a node was concluded.
func (r *repo) frameOf(node string) string {
	r.t.Helper()
	return strings.TrimPrefix(strings.TrimSpace(frameID.FindString(r.read(node))), "frame_id: ")
}
