package render

import (
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/render/node"
)

func TestJobsAreListed(t *testing.T) {
	t.Parallel()
	job := func(name, when, handler, file string) node.Behavior {
		return node.Behavior{Kind: source.Job, Name: name, Usage: when, Value: handler, ID: handler, File: file}
	}
	text := renderOperations(Config{Layout: store.Layout{Docs: "docs/causal"}}, &fakeGraph{}, []surface{
		{module: "shop", Elements: []node.Behavior{job("clean", "every 2 h", "clean", "tasks.py"), job(source.Unknown, "@daily", "", "cron.py")}},
		{module: "scripts", Elements: []node.Behavior{job("never", "", "never", "x.py")}},
	}, settings{}, nil, nil, 0)
	want := "## Jobs\n\nFunctions that the code runs by a schedule or takes from a queue, without those of tests, examples and scripts.\n\n" +
		"| Job | Schedule | Handler | Declared in |\n|---|---|---|---|\n" +
		"| `clean` | `every 2 h` | [`clean`](../../shop/tasks.py) | [`shop/tasks.py`](../../shop/tasks.py) |\n" +
		"| *computed* | `@daily` |  | [`shop/cron.py`](../../shop/cron.py) |\n"
	if !strings.HasSuffix(text, want) {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
}
