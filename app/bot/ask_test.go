package bot_test

import (
	"cmp"
	"context"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/bot"
	"github.com/causaldocs/causal/app/githubsim"
	"github.com/causaldocs/causal/app/sandbox"
	"github.com/causaldocs/causal/app/summary"
)

const (
	howRead = "/causal ask How does `Parse` read an amount?\nMind the currency, @octocat."

	modelAnswer = `{"answer":[{"text":"` + "`Parse`" + ` counts the bytes of the text.","cites":["money/money.go:7-10"]}],"confidence":0.9,"open":["which currencies there are"]}`
	// hostileAnswer has one valid sentence, and four that would act on a page.
	hostileAnswer = `{"answer":[{"text":"Amounts are cents, see #12 and *this*.","cites":["money/money.go:4-5"]},{"text":"Ask @octocat.","cites":["money/money.go:4"]},
		{"text":"See [x](http://e.example).","cites":["money/money.go:4"]},{"text":"<img src=x>","cites":["money/money.go:4"]},{"text":"Invented.","cites":["money/none.go:4"]}],
		"confidence":0.5,"open":["whether @octocat knows, see http://e.example","closes #1"]}`
)

// answers are the App's answers in a pull request, without the comment about the pull request itself.
func (f *fixture) answers(n int) (list []string) {
	f.Helper()
	for _, c := range f.repo.Comments(n) {
		if c.Author == "causal[bot]" && strings.Contains(c.Body, "<!-- causal:reply") {
			list = append(list, c.Body)
		}
	}
	return list
}

// question is a comment in a pull request.
type question struct {
	login, said, config string
	model               map[string]string // its answers; nil for no model
	status              int               // of its responses
	isolated            bool
	requests            int
	want                []string // in the one answer; nil for no answer
}

// TestQuestions: a question in a pull request is answered once, by the model or by quotations from the index. Questions under the same
// configuration are in one pull request.
func TestQuestions(t *testing.T) {
	t.Parallel()
	byConfig := map[string]map[string]question{}
	for name, q := range map[string]question{
		"by a model": {
			login: "octo", said: howRead, model: map[string]string{"causal.answer/v1": modelAnswer}, isolated: true, requests: 2,
			want: []string{
				"**Question:** How does", "- `Parse` counts the bytes of the text. ([`money/money.go:7-10`](", "/money/money.go#L7-L10)", "Open:\n\n- which currencies there are",
				"written by a model", "confidence 0.9",
			},
		},
		"without a model": {
			login: "octo", said: "/causal ask Which package adds up?", want: []string{"- cart: Adds up.", "from the index, no model was asked"},
		},
		"nothing is found": {
			login: "octo", said: "/causal ask Where is the zeppelin moored?", want: []string{"No answer was found."},
		},
		"not allowed by the repository": {
			login: "octo", said: "/causal ask Which package adds up?", config: "model: {use: [docs]}\n", model: map[string]string{},
			want: []string{"- cart: Adds up.", "from the index, no model was asked"},
		},
		"a model that fails": {
			login: "octo", said: "/causal ask Which package adds up?", model: map[string]string{}, status: http.StatusInternalServerError, requests: 4,
			want: []string{"- cart: Adds up.", "from the index: the model gave no answer"},
		},
		"a model that refuses": {
			login: "octo", said: "/causal ask Which package adds up?", model: map[string]string{}, status: http.StatusForbidden, requests: 1,
			want: []string{"- cart: Adds up.", "from the index: the model gave no answer"},
		},
		"a model that finds nothing": {
			login: "octo", said: howRead, model: map[string]string{"causal.answer/v1": `{"answer":[],"confidence":0,"open":["everything"]}`}, requests: 2,
			want: []string{"No answer was found.", "- everything"},
		},
		"a hostile answer": {
			login: "octo", said: howRead, model: map[string]string{"causal.answer/v1": hostileAnswer}, requests: 2,
			want: []string{`- Amounts are cents, see `, `\*this\*`, "confidence 0.5"},
		},
		"a stranger":       {login: "mallory", said: howRead, model: map[string]string{"causal.answer/v1": modelAnswer}},
		"comments are off": {login: "octo", said: howRead, config: "bot: {comments: false}\n", model: map[string]string{"causal.answer/v1": modelAnswer}},
		"a dry run":        {login: "octo", said: howRead, config: "bot: {dry_run: true}\n", model: map[string]string{"causal.answer/v1": modelAnswer}},
		"ignored":          {login: "octo", said: howRead, config: "bot: {ignore: {authors: [octo]}}\n", model: map[string]string{"causal.answer/v1": modelAnswer}},
		"no question":      {login: "octo", said: "/causal ask", want: []string{"/causal ask QUESTION"}},
		"a long question":  {login: "octo", said: "/causal ask " + strings.Repeat("why ", 600), want: []string{"at most 2000 bytes"}},
	} {
		if byConfig[q.config] == nil {
			byConfig[q.config] = map[string]question{}
		}
		byConfig[q.config][name] = q
	}
	for config, questions := range byConfig {
		t.Run(cmp.Or(config, "defaults"), func(t *testing.T) {
			t.Parallel()
			f := setup(t, with(map[string]string{".causal/config.yml": "version: 1\nreview: {off: true}\n" + config}))
			must(f, f.branch)
			n := f.talk()
			f.pull(n)
			for _, name := range slices.Sorted(maps.Keys(questions)) {
				f.poses(n, name, questions[name])
			}
			for _, c := range f.repo.Comments(n) {
				if c.Author == "causal[bot]" {
					continue
				}
				if err := f.repo.EditComment(c.ID, "/causal ask Something else?", c.Author); err != nil {
					t.Fatal(err)
				}
			}
			f.rests(n)
		})
	}
}

// poses adds a question to a pull request, and checks its answer by a server that has none yet.
func (f *fixture) poses(n int, name string, q question) {
	f.Helper()
	f.renew()
	if f.analyse = f.here; q.isolated {
		f.real()
	}
	o := f.withModel(q.model)
	o.status = q.status
	if q.model == nil {
		f.config.Model = nil
		f.bot = bot.New(f.config)
	}
	before := f.answers(n)
	f.repo.AddComment(n, q.said, q.login)
	f.pull(n)
	got := f.answers(n)[len(before):]
	if asked := len(o.asked); asked != q.requests || (q.want != nil) != (len(got) == 1) {
		f.Fatalf("%s: %d requests, answers %q", name, asked, got)
	}
	if f.rests(n); len(o.asked) != q.requests {
		f.Errorf("%s: looking again makes %d requests", name, len(o.asked)-q.requests)
	}
	if len(got) == 0 {
		return
	}
	for _, want := range q.want {
		if !strings.Contains(got[0], want) {
			f.Errorf("%s: the answer does not say %q:\n%s", name, want, got[0])
		}
	}
	bare := regexp.MustCompile("`[^`]*`").ReplaceAllString(got[0], "")
	bare = regexp.MustCompile(`\]\(`+regexp.QuoteMeta(f.sim.URL())+`[^)]*\)`).ReplaceAllString(bare, "]")
	if regexp.MustCompile(`@[a-z]|#\d|https?:|<img|[Ii]nvented`).MatchString(bare) {
		f.Errorf("%s: a text acts:\n%s", name, got[0])
	}
}

// TestAnAnswerStays: a server that does not know which comments were read keeps the answers that there are, and asks nothing.
func TestAnAnswerStays(t *testing.T) {
	t.Parallel()
	f := setup(t, with(map[string]string{".causal/config.yml": "version: 1\nreview: {off: true}\n"}))
	must(f, f.branch)
	n := f.talk()
	f.pull(n)
	o := f.withModel(map[string]string{"causal.answer/v1": modelAnswer})
	f.said(n, "octo", howRead)
	before := f.answers(n)
	f.renew()
	for _, c := range f.repo.Comments(n) {
		if strings.Contains(c.Body, summary.Marker) {
			if err := f.repo.EditComment(c.ID, "<!-- "+summary.Marker+" -->\nlost", c.Author); err != nil {
				t.Fatal(err)
			}
		}
	}
	f.push("topic", map[string]string{"money/money.go": broken})
	asked := len(o.asked)
	f.pull(n)
	if got := f.answers(n); len(before) != 1 || len(got) != 1 || got[0] != before[0] || len(o.asked) != asked {
		t.Errorf("%d requests more, answers\n%q, before\n%q", len(o.asked)-asked, got, before)
	}
}

// TestQuestionsOfForks: nothing is said below a fork's pull request, and the model is not asked.
func TestQuestionsOfForks(t *testing.T) {
	t.Parallel()
	f := setup(t, with(nil))
	must(f, f.branch)
	fork := must(f, func() (*githubsim.Repository, error) { return f.repo.Fork("mallory") })
	must(f, func() (string, error) {
		return fork.Push("topic", githubsim.Change{Write: map[string]string{"README.md": "# Shop\n"}, Message: "Sell less"})
	})
	n := must(f, func() (int, error) { return f.repo.OpenPull("mallory:topic", "main", "Sell less", "mallory") })
	o := f.withModel(map[string]string{"causal.answer/v1": modelAnswer})
	f.repo.AddComment(n, howRead, "octo")
	f.pull(n)
	if len(f.answers(n)) > 0 || len(o.asked) > 0 {
		t.Errorf("%d requests, answers %q", len(o.asked), f.answers(n))
	}
}

// TestProseOfPulls: a pull request only shows how pages change, so its run asks for no prose. The push to the branch does, once.
func TestProseOfPulls(t *testing.T) {
	t.Parallel()
	f := setup(t, shop)
	const task = "causal.prose/v1"
	o := f.withModel(nil) // which leaves all slots open
	f.concludes(bot.Updated)
	n := f.proposal()
	first := len(o.about(task))
	f.pull(n)
	if asked := o.about(task)[first:]; first == 0 || len(asked) > 0 {
		t.Errorf("the branch asks for prose %d times, and the pull request %d times", first, len(asked))
	}
	must(f, func() (string, error) { return f.repo.MergePull(n, "octo") })
	f.concludes(bot.Updated)
	asked := len(o.about(task))
	if asked == first {
		t.Error("the push of the merge asks for no prose")
	}
	f.pull(n)
	must(f, f.branch)
	if more := len(o.about(task)) - asked; more > 0 {
		t.Errorf("looking again asks for prose %d times", more)
	}
}

// TestQuestionsThatStop: the author of a question that exceeds the limits gets the reason, and the analysis continues.
func TestQuestionsThatStop(t *testing.T) {
	t.Parallel()
	f := setup(t, with(nil))
	must(f, f.branch)
	n := f.talk()
	f.analyse = func(ctx context.Context, task sandbox.Task, origin sandbox.Origin) (*sandbox.Result, error) {
		if len(task.Questions) > 0 {
			return nil, &sandbox.StoppedError{Reason: "after 60 s"}
		}
		return f.here(ctx, task, origin)
	}
	f.repo.AddComment(n, howRead, "octo")
	if out := f.pull(n); out.Conclusion != bot.Told {
		t.Errorf("%+v", out)
	}
	if got := f.answers(n); len(got) != 1 || !strings.Contains(got[0], "No answer was found: analysis stopped after 60 s.") {
		t.Errorf("the answer is %q", got)
	}
}
