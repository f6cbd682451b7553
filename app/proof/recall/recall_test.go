package main

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/proof/clones"
	"github.com/causaldocs/causal/app/proof/reference"
)

func TestLists(t *testing.T) {
	t.Parallel()
	all, err := readLists()
	if err != nil {
		t.Fatal(err)
	}
	unseen, applications := 0, 0
	for _, l := range all {
		if l.Repository == "" || len(l.Commit) < 9 || len(l.Sources) == 0 || !slices.Contains([]string{"application", "CLI", "library"}, l.Kind) {
			t.Errorf("%s: incomplete head", l.Repository)
		}
		for kind, entries := range l.entries {
			for _, e := range entries {
				if slices.ContainsFunc(e.names, func(name string) bool { return l.outside[kind][name] }) {
					t.Errorf("%s: %s %s is asked for and outside", l.Repository, kind, e.names[0])
				}
			}
			if l.skipped[kind] {
				t.Errorf("%s: %s is skipped and listed", l.Repository, kind)
			}
		}
		if !l.Seen {
			unseen++
			if l.Kind == "application" {
				applications++
			}
		}
	}
	if unseen < 20 || applications < 10 {
		t.Errorf("%d repositories that were not seen, %d of them applications", unseen, applications)
	}
	for _, text := range []string{"variable A\n", "env\n", "GET /a\n"} {
		if _, err := readList(text); err == nil {
			t.Errorf("%q is a line of a list", text)
		}
	}
}

func TestKey(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		kind       reference.Kind
		name, want string
	}{
		{reference.Route, "GET /a/{id:[0-9]{2}}/", "GET /a/{}"},
		{reference.Route, "/a/:id/<int:n>/[slug]/[...rest]/[[...opt]]", "/a/{}/{}/{}/{}/{}"},
		{reference.Route, `^a/(?P<slug>[-\w]+(x)?)/?$`, "/a/{}"},
		{reference.Route, "GET /{$}", "GET /"},
		{reference.Route, "GET /static/*any", "GET /static/{}"},
		{reference.Route, "GET /?/a", "GET /?/a"},
		{reference.Flag, "tool list --all", "tool list all"},
		{reference.Flag, "tool -v", "tool v"},
		{reference.Variable, "A_B", "A_B"},
	} {
		if got := key(test.kind, test.name); got != test.want {
			t.Errorf("%s: got %s, want %s", test.name, got, test.want)
		}
	}
}

const shop = `repository a/shop
commit 0123456789ab
kind application
source the code, read
skip table
env HOST
env PORT = 80
env TOKEN_FILE
env GONE
route GET /cart/:id
route /any
route POST /pay
route GET /back
command shop | cmd
flag shop --all | cmd --all
flag shop --none
outside env PATH
`

func TestCompare(t *testing.T) {
	t.Parallel()
	l, err := readList(shop)
	if err != nil {
		t.Fatal(err)
	}
	row := func(kind reference.Kind, fallback string, names ...string) reference.Row {
		return reference.Row{Kind: kind, Default: fallback, Names: names}
	}
	got := compare(l, []reference.Row{
		row(reference.Variable, "", "HOST"), row(reference.Variable, "", "HOST"), row(reference.Variable, "81", "PORT"), row(reference.Variable, "", "PATH"),
		row(reference.Variable, "", "*_FILE"), row(reference.Variable, "", "*_KEY"),
		row(reference.Route, "", "GET /cart/{id}"), row(reference.Route, "", "GET /any"), row(reference.Route, "", "POST /?/pay"), row(reference.Route, "", "POST /other"),
		row(reference.Route, "", "/back"),
		row(reference.Command, "", "cmd"),
		{Kind: reference.Flag, Command: "cmd", Names: []string{"a", "all"}}, {Kind: reference.Flag, Command: "other", Names: []string{"none"}},
		row(reference.Table, "", "users"), row(reference.Job, "", "sweep"),
	})
	for kind, want := range map[reference.Kind]tally{
		reference.Variable: {4, 1, 5, 4, []string{"PORT = 80", "TOKEN_FILE", "GONE"}, []string{"*_KEY"}},
		reference.Route:    {4, 2, 5, 3, []string{"POST /pay", "GET /back"}, []string{"POST /other", "/back"}},
		reference.Command:  {1, 1, 1, 1, nil, nil},
		reference.Flag:     {2, 1, 2, 1, []string{"shop none"}, []string{"other none"}},
		reference.Job:      {0, 0, 1, 0, nil, []string{"sweep"}},
	} {
		if !reflect.DeepEqual(got[kind], want) {
			t.Errorf("%s: got %+v, want %+v", kind, got[kind], want)
		}
	}
	if _, asked := got[reference.Table]; asked {
		t.Error("tables are compared, which the list skips")
	}
	r := report{{list: l, tallies: got}, {list: list{Repository: "a/gone"}, skipped: "not in x"}}
	var out bytes.Buffer
	r.print(&out, true)
	for _, want := range []string{"shop                               1/4 4/5", "missing env:\n      PORT = 80\n", "gone                               skipped: not in x\n", "5/11 9/14: recall 0.455, precision 0.643\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in:\n%s", want, &out)
		}
	}
}

// TestMeasureSkips checks that repositories without a clone are skipped with a reason.
func TestMeasureSkips(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	causal := filepath.Join(dir, "causal")
	if err := os.WriteFile(causal, nil, 0o700); err != nil {
		t.Fatal(err)
	}
	w, err := clones.Open(t.Context(), causal)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	r, err := measure(t.Context(), w, dir, []string{"listmonk", "just"})
	if err != nil || len(r) != 2 || r[0].skipped != "not in "+dir || r[1].tallies != nil {
		t.Errorf("got %+v and %v", r, err)
	}
}
