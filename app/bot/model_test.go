package bot_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/causaldocs/causal/app/bot"
	"github.com/causaldocs/causal/app/github"
	"github.com/causaldocs/causal/app/githubsim"
	"github.com/causaldocs/causal/app/model"
)

// oracle is a model behind OpenAI's protocol.
type oracle struct {
	*fixture
	url   string
	asked []string // the bodies of requests
	used  int      // tokens

	status int // of its responses, instead of an answer; 0 for none
}

// called is a message that calls a tool.
func called(name, arguments string) map[string]any {
	call := map[string]any{"id": "c1", "type": "function", "function": map[string]string{"name": name, "arguments": arguments}}
	return map[string]any{"role": "assistant", "content": nil, "tool_calls": []any{call}}
}

// withModel lets the repository use a model that gives each task its answer.
func (f *fixture) withModel(answers map[string]string) *oracle {
	o := &oracle{fixture: f}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			f.Error(err)
		}
		o.asked = append(o.asked, string(body))
		answer := `{"slots":[]}`
		for task, text := range answers {
			if strings.Contains(string(body), `"`+task+`"`) {
				answer = text
			}
		}
		if o.status != 0 {
			w.WriteHeader(o.status)
			return
		}
		message := map[string]any{"role": "assistant", "content": answer}
		if strings.Contains(string(body), `"causal.answer/v1"`) { // it looks at a file before it answers
			message = called("read", `{"path":"money/money.go"}`)
			if strings.Contains(string(body), `"role":"tool"`) {
				message = called("answer", answer)
			}
		}
		_ = json.NewEncoder(w).Encode(map[string]any{
			"choices": []any{map[string]any{"message": message, "finish_reason": "stop"}},
			"usage":   map[string]int{"prompt_tokens": 1000, "completion_tokens": 100},
		})
	}))
	f.Cleanup(server.Close)
	o.url = server.URL
	f.config.Model = func(_ context.Context, repo github.Repository, dir string) (*model.Run, func()) {
		if repo.Owner != "octo" {
			f.Errorf("asked for a model of %s", repo.Owner)
		}
		run := model.Open(model.Settings{Provider: model.OpenAI, Name: "fake-1", URL: server.URL + "/v1", Key: "k-secret-1"}, model.Options{
			Dir: dir, Sleep: func(context.Context, time.Duration) error { return nil },
		})
		return run, func() { o.used += run.Report().TokensIn + run.Report().TokensOut }
	}
	f.bot = bot.New(f.config)
	return o
}

// about are the requests of a task.
func (o *oracle) about(task string) (list []string) {
	for _, body := range o.asked {
		if strings.Contains(body, `"`+task+`"`) {
			list = append(list, body)
		}
	}
	return list
}

const (
	modelFindings = `{"findings":[{"file":"money/money.go","quote":"func Parse(s, currency string)","title":"The currency is ignored","why":"Every amount counts as cents.","severity":"warning","suggestion":""},
		{"file":"money/money.go","quote":"func Parse(s, currency string)","title":"Ask @octocat, see [x](http://e.example)","why":"Because.","severity":"error","suggestion":""}]}`
	modelSummary = `{"sentences":[{"text":"` + "`Parse`" + ` takes a currency, see #12.","cites":["money/money.go:8"]},{"text":"Thanks @octocat for it.","cites":["money/money.go:8"]}]}`
)

// TestModelOfAPull: the server asks the model for the child process, which has no key. The comment has the findings and the summary, and
// the same pull request costs nothing a second time.
func TestModelOfAPull(t *testing.T) {
	t.Parallel()
	f := setup(t, market)
	n := f.breaking()
	f.real()
	o := f.withModel(map[string]string{"causal.review/v1": modelFindings, "causal.summary/v1": modelSummary})
	f.pull(n)
	f.says(n, "written by a model", "- `Parse` takes a currency", "money/money.go:8", "`model/review`", "The currency is ignored. Every amount counts as cents.", "fake-1")
	body := f.comment(n).Body
	if regexp.MustCompile("(^|[^\\w`])@octocat").MatchString(body) || strings.Contains(body, "e.example") {
		t.Errorf("a model's text acts:\n%s", body)
	}
	if len(o.about("causal.review/v1")) != 1 || len(o.about("causal.summary/v1")) != 1 || o.used == 0 {
		t.Errorf("%d requests, %d tokens", len(o.asked), o.used)
	}
	if !strings.Contains(o.about("causal.review/v1")[0], "unit: change/") || strings.Contains(strings.Join(o.asked, ""), "k-secret-1") {
		t.Errorf("the request is %s", o.asked[0])
	}
	asked := len(o.asked)
	writes := len(f.sim.Writes(f.repo))
	f.pull(n)
	if len(o.asked) != asked || len(f.sim.Writes(f.repo)) != writes {
		t.Errorf("a second look makes %d requests and %d writes", len(o.asked)-asked, len(f.sim.Writes(f.repo))-writes)
	}
}

// TestModelIsUsedWhereAllowed: the configuration of the base branch decides, and a fork gets no model.
func TestModelIsUsedWhereAllowed(t *testing.T) {
	t.Parallel()
	f := setup(t, market)
	n := f.breaking()
	o := f.withModel(map[string]string{"causal.review/v1": modelFindings, "causal.summary/v1": modelSummary})
	f.push("main", map[string]string{".causal/config.yml": "version: 1\nmodel:\n  use: [ask]\n"})
	f.push("wider", map[string]string{".causal/config.yml": "version: 1\nmodel:\n  use: [review]\n"})
	f.pull(n)
	fork := must(f, func() (*githubsim.Repository, error) { return f.repo.Fork("mallory") })
	must(f, func() (string, error) {
		return fork.Push("wider", githubsim.Change{Write: map[string]string{"money/money.go": broken}, Message: "Break it"})
	})
	f.pull(must(f, func() (int, error) { return f.repo.OpenPull("mallory:wider", "main", "Read currencies", "mallory") }))
	if len(o.asked) != 0 {
		t.Errorf("%d requests: %s", len(o.asked), o.asked[0])
	}
}
