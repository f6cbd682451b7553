package cause_test

import (
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/cause"
	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/render/node"
	"github.com/causaldocs/causal/review/principle"
)

// auth is a module that offers some functions.
func auth(change func(n *node.Node), names ...string) *node.Node {
	n := &node.Node{Module: "auth", Path: "internal/auth"}
	for _, name := range names {
		name, params, _ := strings.Cut(name, "(")
		n.PublicAPI = append(n.PublicAPI, node.Symbol{Name: name, Kind: "func", Signature: "func " + name + "(" + params})
	}
	if change != nil {
		change(n)
	}
	return n
}

func TestOfModule(t *testing.T) {
	t.Parallel()
	many := []string{"A()", "B()", "C()", "D()", "E()", "F()", "G()", "H()"}
	for name, c := range map[string]struct {
		before, now *node.Node
		want        string
	}{
		"the same":               {auth(nil, "Login()"), auth(func(n *node.Node) { n.Doc = "more" }, "Login()"), ""},
		"a signature":            {auth(nil, "Login()", "Logout()"), auth(nil, "Login(name)", "Logout()"), "internal/auth: Login changed its signature"},
		"all three":              {auth(nil, "A()", "B()", "C()"), auth(nil, "C(x)", "D()"), "internal/auth: A and B were removed, C changed its signature, D was added"},
		"many":                   {auth(nil), auth(nil, many...), "internal/auth: A, B, C, D, E, F and 2 more were added"},
		"an overload":            {auth(nil, "A()", "A(x)"), auth(nil, "A()"), "internal/auth: A changed its signature"},
		"a new module":           {nil, auth(nil, "Login()"), "internal/auth is new, with Login"},
		"a new one of nothing":   {nil, auth(nil), ""},
		"it is gone":             {auth(nil, "Login()"), nil, "internal/auth is no longer documented; it had Login"},
		"the root":               {auth(func(n *node.Node) { n.Path = "." }), auth(func(n *node.Node) { n.Path = "." }, "A()"), "auth: A was added"},
		"an earlier format":      {auth(func(n *node.Node) { n.Outdated = true }, "A()"), auth(nil), ""},
		"a file does not parse":  {auth(nil, "A()"), auth(func(n *node.Node) { n.Sources = []node.Source{{Path: "a.go", Problem: "it does not parse"}} }), ""},
		"it did not parse":       {auth(func(n *node.Node) { n.Stale = "a.go does not parse" }, "A()"), auth(nil, "A()", "B()"), ""},
		"what nobody can reach":  {auth(nil), auth(func(n *node.Node) { n.PublicAPI[0].Inside = true }, "A()"), ""},
		"what tests declare":     {auth(nil), auth(func(n *node.Node) { n.Kind = "tests" }, "A()"), ""},
		"a name that turns text": {auth(nil), auth(nil, "A\u202eB()"), "internal/auth: A?B was added"},
	} {
		got, ok := cause.OfModule(c.before, c.now)
		if ok != (c.want != "") || ok && (got.Text != c.want || got.How == "" || !strings.HasPrefix(got.About, "module/")) {
			t.Errorf("%s: %+v, %v", name, got, ok)
		}
	}
}

func TestOfPrinciple(t *testing.T) {
	t.Parallel()
	of := func(s principle.Status) *principle.Principle {
		return &principle.Principle{Slug: "quiet", Rule: "Print nothing.", Status: s}
	}
	for name, c := range map[string]struct {
		before, now *principle.Principle
		want        string
	}{
		"promoted":           {nil, of(principle.Active), "Recurring review findings became the principle quiet: Print nothing."},
		"a candidate":        {nil, of(principle.Candidate), ""},
		"found once more":    {of(principle.Active), of(principle.Active), ""},
		"demoted":            {of(principle.Active), of(principle.Demoted), "The principle is over: quiet: Print nothing."},
		"not seen for long":  {of(principle.Active), of(principle.Expired), "The principle is over: quiet: Print nothing."},
		"declined by people": {of(principle.Candidate), of(principle.Declined), ""},
	} {
		got, ok := cause.OfPrinciple(c.before, c.now)
		if ok != (c.want != "") || ok && (got.Text != c.want || got.About != "principle/quiet" || got.How == "") {
			t.Errorf("%s: %+v, %v", name, got, ok)
		}
	}
}

// TestRecord: a push stands with what it caused, once, in the same words whoever records it.
func TestRecord(t *testing.T) {
	t.Parallel()
	push := cause.Push{
		Commit: strings.Repeat("1a2b3c4d5e", 4), Subjects: []string{"Add a currency\n\nSigned-off-by: x", "Remove Logout", "Fix #1"}, More: 2, Author: "Ada", At: "2026-01-02T03:04:05Z",
	}
	list := []cause.Consequence{{"module/cart", "cart: Total was removed", "it changed its public interface"}, {"module/" + strings.Repeat("x", 2000), "x", "y"}}
	log, _ := ledger.New(nil)
	if recorded, err := cause.Record(log, push, nil); recorded || err != nil || len(log.Events()) > 0 {
		t.Fatalf("nothing was caused, and %v, %v", recorded, err)
	}
	if recorded, err := cause.Record(log, push, list); !recorded || err != nil {
		t.Fatal(recorded, err)
	}
	events := log.Events()
	if len(events) != 2 || len(log.Added()) != 1 {
		t.Fatalf("%+v", events)
	}
	if want := "Pushed 5 commits up to 1a2b3c4d5e: Add a currency  Signed-off-by: x; Remove Logout; Fix #1; and 2 more"; events[0].Text != want {
		t.Errorf("the push is %q", events[0].Text)
	}
	for i, e := range events {
		if e.Source != push.Commit || e.Actor != "Ada" || e.At != push.At || e.Type != ledger.Happening || i == 1 && (e.Cause != events[0].ID || e.About != "module/cart" || e.Relationship == "") {
			t.Errorf("%+v", e)
		}
	}
	again, _ := ledger.New(log.Added())
	if recorded, err := cause.Record(again, push, list); recorded || err != nil || len(again.Added()) > 0 {
		t.Errorf("the same push is recorded again: %v, %v", recorded, err)
	}
	other, _ := ledger.New(nil)
	if _, err := cause.Record(other, push, list); err != nil || other.Added()[0].Path != log.Added()[0].Path {
		t.Errorf("another replica records other events: %v", err)
	}
}

// TestMuchAtOnce: a push that changes everything is told in a bounded number of events.
func TestMuchAtOnce(t *testing.T) {
	t.Parallel()
	log, _ := ledger.New(nil)
	var list []cause.Consequence
	for range 1000 {
		list = append(list, cause.Consequence{About: "module/m", Text: strings.Repeat("x", len(list)+1), How: "it changed it"})
	}
	if _, err := cause.Record(log, cause.Push{Commit: "1a2b3c4d5e"}, list); err != nil {
		t.Fatal(err)
	}
	events := log.Events()
	if last := events[len(events)-1]; len(events) != 52 || len(log.Added()) != 1 {
		t.Errorf("%d events, the last of which is %+v", len(events), last)
	}
}
