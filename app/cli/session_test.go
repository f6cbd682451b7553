package cli_test

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/cli"
	"github.com/causaldocs/causal/render/node"
)

// frameOf is the session that concluded a module's node as it is, and the frame; empty when none did.
func (r *repo) frameOf(module string) (session, frame string) {
	r.t.Helper()
	n, err := node.Decode([]byte(r.read(".causal/nodes/" + module + ".yml")))
	if err != nil {
		r.t.Fatalf("%v", err)
	}
	concluded := regexp.MustCompile(`(?m)^- "(\w+) ` + regexp.QuoteMeta(string(n.Digest)+" module/"+module) + ` `)
	for name, text := range r.files(".causal/frames") {
		if m := concluded.FindStringSubmatch(text); m != nil {
			return strings.TrimSuffix(path.Base(name), ".yml"), m[1]
		}
	}
	return "", ""
}

// sessionOf is the session in which a node was concluded.
func (r *repo) sessionOf(module string) string {
	r.t.Helper()
	session, _ := r.frameOf(module)
	if session == "" {
		r.t.Fatalf("no session concluded %s as it is", module)
	}
	return session
}

// unexplained lists the modules whose node no session that is there concluded.
func (r *repo) unexplained() []string {
	r.t.Helper()
	var out []string
	for name := range r.files(".causal/nodes") {
		module := strings.TrimSuffix(strings.TrimPrefix(name, ".causal/nodes/"), ".yml")
		if session, _ := r.frameOf(module); session == "" {
			out = append(out, module)
		}
	}
	slices.Sort(out)
	return out
}

// TestCallTreeThatIsNotThere: a lost frame file loses provenance, and nothing else.
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
			tree := ".causal/frames/" + r.sessionOf("money") + ".yml"
			want := r.files(".causal/nodes", "docs")
			lose(r)
			r.remove(tree)
			r.causal(cli.ExitClean, "check")
			why := r.causal(cli.ExitClean, "why", "money")
			if !strings.Contains(why.out, "money is fresh.") || !strings.Contains(why.out, "frame  none: unknown: no session in .causal/frames") {
				t.Errorf("why says:\n%s", why)
			}
			r.update()
			if diff := difference(want, r.files(".causal", "docs")); diff != "" {
				t.Errorf("an update wrote something (-before +after):\n%s", diff)
			}
		})
	}
}

// TestCallTreeThatIsNotThereAndAnotherEdit: the next session gives all nodes that it evaluated their provenance back.
func TestCallTreeThatIsNotThereAndAnotherEdit(t *testing.T) {
	t.Parallel()
	r := newShop(t)
	r.update()
	r.remove(".causal/frames")
	r.remove(".git/causal")
	r.replace("money/money.go", "Parse reads", "Parse understands")
	got := r.update()
	if !strings.Contains(got.out, "1 updated, 1 unchanged") {
		t.Errorf("update says:\n%s", got)
	}
	if lost := r.unexplained(); len(lost) > 0 {
		t.Errorf("the call trees of these are not there: %q", lost)
	}
	r.causal(cli.ExitClean, "check")
	sameAsScratch(t, r)
}

// TestCallTreeThatCannotBeShown checks that causal why reports a broken frame with a way to repair it, and shows the rest.
func TestCallTreeThatCannotBeShown(t *testing.T) {
	t.Parallel()
	r := newShop(t)
	r.update()
	session, frame := r.frameOf("money")
	tree := ".causal/frames/" + session + ".yml"
	whole := r.read(tree)
	for name, text := range map[string]string{
		"it cannot be read":           "nonsense: [",
		"the conclusion is not in it": strings.ReplaceAll(whole, frame+" ", frame+" x"),
	} {
		r.write(tree, text)
		got := r.causal(cli.ExitClean, "why", "money")
		if !strings.Contains(got.out, "frame  none: unknown: no session in .causal/frames") || !strings.Contains(got.out, "Holds amounts.") {
			t.Errorf("%s: why says:\n%s", name, got)
		}
		if got := r.causal(cli.ExitClean, "why", "money", "--json"); !strings.Contains(got.out, `"lost": "`) {
			t.Errorf("%s: why --json says:\n%s", name, got)
		}
	}
}
