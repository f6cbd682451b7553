package reference_test

import (
	"reflect"
	"testing"
	"testing/fstest"

	"github.com/causaldocs/causal/app/proof/reference"
)

var pages = fstest.MapFS{
	"commands.md": {Data: []byte("# Commands\n\n## tool\n\n```\ntool [flags]\n```\n\n| Command | |\n|---|---|\n| `list` | Lists |\n\n" +
		"| Flag | Default | |\n|---|---|---|\n| [`-p, --port int`](main.go) | `80` | the port |\n| [<code>--when a&#124;b</code>](main.go) |  | (default: a) |\n\n" +
		"## tool list\n\n| Flag | Default | |\n|---|---|---|\n| `--all` |  | all |\n")},
	"operations.md": {Data: []byte("| `BEFORE` |\n\n## Environment variables\n\n| Variable | Default | Read in |\n|---|---|---|\n| `HOME_URL` | `/a` | [`main.go`](main.go) |\n" +
		"| *computed* |  | [`main.go`](main.go) |\n\n## Routes\n\n### Root\n\n| Route | Handler |\n|---|---|\n| [`GET /a`](main.go) | `a` |\n\n" +
		"## Exit codes\n\n| Code |\n|---|\n| `2` |\n\n## Jobs\n\n| Job |\n|---|\n| `sweep` |\n")},
	"data.md": {Data: []byte("## Tables in `db`\n\n- [`users`](#users)\n- [`carts`](#carts)\n\n### `users`\n\nDeclared in [`a.sql`](a.sql).\n\n| Name |\n|---|\n| `id` |\n\n" +
		"## Django models in `app`\n\n### `Cart`\n\nDeclared in [`m.py`](m.py) as the table `app_cart`.\n\n## Tables in `big`\n\n- `logs` in [`b.sql`](b.sql): `id`\n")},
}

func TestRead(t *testing.T) {
	t.Parallel()
	got, err := reference.Read(pages)
	if err != nil {
		t.Fatal(err)
	}
	want := []reference.Row{
		{Kind: reference.Command, Names: []string{"tool"}},
		{Kind: reference.Flag, Command: "tool", Names: []string{"p", "port"}, Default: "80"},
		{Kind: reference.Flag, Command: "tool", Names: []string{"when"}, Default: "a"},
		{Kind: reference.Command, Names: []string{"tool list"}},
		{Kind: reference.Flag, Command: "tool list", Names: []string{"all"}},
		{Kind: reference.Variable, Names: []string{"HOME_URL"}, Default: "/a"},
		{Kind: reference.Route, Names: []string{"GET /a"}},
		{Kind: reference.Job, Names: []string{"sweep"}},
		{Kind: reference.Table, Names: []string{"users"}},
		{Kind: reference.Table, Names: []string{"Cart", "app_cart"}},
		{Kind: reference.Table, Names: []string{"logs"}},
	}
	if len(got) != len(want) {
		t.Fatalf("got %d rows, want %d: %+v", len(got), len(want), got)
	}
	for i := range want {
		if !reflect.DeepEqual(got[i], want[i]) {
			t.Errorf("row %d: got %+v, want %+v", i, got[i], want[i])
		}
	}
	if none, err := reference.Read(fstest.MapFS{}); err != nil || none != nil {
		t.Errorf("without pages: got %v and %v", none, err)
	}
}
