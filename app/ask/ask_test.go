package ask_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/ask"
	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/knowledge/grounding"
	"github.com/causaldocs/causal/knowledge/prompt"
)

// TestAnswer: an answer cites lines, and is reused while its evidence is unchanged.
func TestAnswer(t *testing.T) {
	t.Parallel()
	r := newRepo(t, nil)
	r.behave = script(readMoney, told)
	const question = "How are amounts read?"
	a := r.ask(ask.Question{Text: question})
	if len(a.Sentences) != 1 || a.Sentences[0].Cites[0] != (ask.Cite{File: "money/money.go", From: 5, To: 7}) || a.From != report.FromModel || a.Confidence != 0.9 {
		t.Fatalf("%+v", a)
	}
	if a.Condition != `modified("money/money.go")` || !slices.Equal(a.Evidence, []string{"file: money/money.go:1-11"}) {
		t.Errorf("evidence %q, condition %s", a.Evidence, a.Condition)
	}
	for _, again := range []string{question, "how is an amount read", "Reading amounts: how?"} {
		if a := r.ask(ask.Question{Text: again}); !a.Reused || len(r.requests) > 0 {
			t.Errorf("%s: asked again: %d requests", again, len(r.requests))
		}
	}
	if a := r.ask(ask.Question{Text: question, Fresh: true}); a.Reused || len(r.requests) != 2 || !strings.Contains(first(r.requests[0]), "Attempt: 2") {
		t.Errorf("not asked again: %d requests", len(r.requests))
	}
	r.replace("tax/tax.go", "19", "20")
	if a := r.ask(ask.Question{Text: question}); !a.Reused {
		t.Error("another file invalidates it")
	}
	r.replace("money/money.go", "Atoi(s)", "Atoi(s[1:])")
	if a := r.ask(ask.Question{Text: question}); a.Reused || len(r.requests) != 2 {
		t.Error("a change of its evidence does not invalidate it")
	}
	r.replace("money/money.go", "Atoi(s[1:])", "Atoi(s)")
	if a := r.ask(ask.Question{Text: question}); a.Reused {
		t.Error("the answer about another state is given")
	}
}

// TestEvidence: all outputs are evidence, and the cited lines are.
func TestEvidence(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name      string
		steps     []prompt.Response
		edit      [3]string
		fell      bool
		condition string
	}{
		{"read, other lines", []prompt.Response{read("money/money.go", 5, 7), told}, [3]string{"money/money.go", "Itoa(n)", "Itoa(n+1)"}, false, `modified("money/money.go")`},
		{"read, and not cited", []prompt.Response{read("tax/tax.go", 1, 9), readMoney, told}, [3]string{"tax/tax.go", "19", "20"}, true, `modified("money/money.go") or modified("tax/tax.go")`},
		{"grep, a match", []prompt.Response{call("grep", map[string]any{"pattern": "func (Parse|Rate)"}), answers(1, claim("`Parse` takes a text.", "money/money.go:5"))}, [3]string{"tax/tax.go", "Rate(country", "Rate(c"}, true, `modified("money/money.go") or shown_changed("grep", "func (Parse|Rate)")`},
		{"grep, no match", []prompt.Response{call("grep", map[string]any{"pattern": "func (Parse|Rate)"}), answers(1, claim("`Parse` takes a text.", "money/money.go:5"))}, [3]string{"tax/tax.go", "19", "20"}, false, `modified("money/money.go") or shown_changed("grep", "func (Parse|Rate)")`},
		{"grep, the cited line moves", []prompt.Response{call("grep", map[string]any{"pattern": "func Parse"}), answers(1, claim("`Parse` takes a text.", "money/money.go:5"))}, [3]string{"money/money.go", "package money\n", "package money\n\n"}, false, `modified("money/money.go") or shown_changed("grep", "func Parse")`},
		{"search in vain", []prompt.Response{call("search", map[string]any{"query": "zeppelin"}), readMoney, told}, [3]string{"tax/tax.go", "19", "19 // zeppelin"}, true, `modified("money/money.go") or shown_changed("search", "zeppelin")`},
		{"node, its interface", []prompt.Response{call("node", map[string]any{"target": "tax"}), answers(1, claim("`tax.Rate` gives a rate.", "tax"))}, [3]string{"tax/tax.go", "Rate(country", "Rate(n int, country"}, true, `conclusion_changed("module/tax")`},
		{"node, a body", []prompt.Response{call("node", map[string]any{"target": "tax"}), answers(1, claim("`tax.Rate` gives a rate.", "tax.Rate"))}, [3]string{"tax/tax.go", "19", "20"}, false, `conclusion_changed("module/tax")`},
		{"why, another module", []prompt.Response{call("why", map[string]any{"target": "tax.Rate"}), answers(1, claim("It gives a rate.", "node tax"))}, [3]string{"money/money.go", "Parse(s string)", "Parse(s, t string)"}, false, `conclusion_changed("module/tax")`},
		{"a whole file", []prompt.Response{readMoney, answers(1, claim("`Parse` reads.", "money/money.go"))}, [3]string{"money/money.go", "Itoa(n)\n}\n", "Itoa(n)\n}\n// More.\n"}, true, `modified("money/money.go")`},
		{"history", []prompt.Response{call("history", map[string]any{"path": "tax/tax.go"}), readMoney, told}, [3]string{"tax/tax.go", "19", "20"}, true, `modified("money/money.go") or modified("tax/tax.go")`},
		{"decisions", []prompt.Response{call("decisions", nil), readMoney, told}, [3]string{"tax/tax.go", "19", "20"}, false, `modified("money/money.go") or shown_changed("events", "positions")`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := newRepo(t, nil)
			r.behave = script(c.steps...)
			a := r.ask(ask.Question{Text: "What is it?"})
			if len(a.Sentences) != 1 || a.Condition != c.condition {
				t.Fatalf("%d sentences, %v dropped; the condition is %s, want %s", len(a.Sentences), r.dropped, a.Condition, c.condition)
			}
			r.replace(c.edit[0], c.edit[1], c.edit[2])
			if a := r.ask(ask.Question{Text: "What is it?"}); a.Reused == c.fell {
				t.Errorf("reused: %t", a.Reused)
			}
		})
	}
}

// TestChildren: each call of ask is a frame, and a change re-asks only the frames that depend on it, the root last.
func TestChildren(t *testing.T) {
	t.Parallel()
	r := newRepo(t, nil)
	part := func(q string) prompt.Response { return call("ask", map[string]any{"question": q, "context": "a shop"}) }
	root := script(part("PART-MONEY?"), part("PART-TAX?"), part("PART-MONEY?"), answers(1, claim("`Parse` and `Rate` do it.", "money/money.go:5-7", "tax/tax.go:5-7")))
	r.behave = func(q prompt.Request) (prompt.Response, error) {
		switch text := first(q); {
		case strings.Contains(text, "PART-MONEY"):
			return script(readMoney, told)(q)
		case strings.Contains(text, "PART-TAX"):
			return script(part("PART-DEEP?"), read("tax/tax.go", 1, 7), answers(1, claim("`Rate` gives 19.", "tax/tax.go:5-7")))(q)
		case strings.Contains(text, "PART-DEEP"):
			return script(read("cart/cart.go", 1, 8), answers(1, claim("`Total` calls `money.Parse`.", "cart/cart.go:5-8")))(q)
		}
		return root(q)
	}
	const question = "How does a shop work?"
	depths := func(a *ask.Answer) (out []int) {
		for _, f := range a.Frames {
			out = append(out, f.Depth)
		}
		return out
	}
	a := r.ask(ask.Question{Text: question})
	if !slices.Equal(depths(a), []int{0, 1, 1, 2}) || len(a.Sentences) != 1 || a.Frames[3].Parent != a.Frames[2].ID {
		t.Fatalf("%+v", a.Frames)
	}
	for _, c := range []struct {
		file, old, text string
		asked           []string
	}{
		{"tax/tax.go", "19", "20", []string{"TAX", "root"}},
		{"cart/cart.go", "return n", "return n + 1", []string{"DEEP", "TAX", "root"}},
		{"money/money.go", "Atoi(s)", "Atoi(s[1:])", []string{"MONEY", "root"}},
		{"go.mod", "1.22", "1.23", nil},
	} {
		r.replace(c.file, c.old, c.text)
		a := r.ask(ask.Question{Text: question})
		var asked []string
		for _, q := range r.requests {
			name := "root"
			if _, after, ok := strings.Cut(first(q), "PART-"); ok {
				name, _, _ = strings.Cut(after, "?")
			}
			if !slices.Contains(asked, name) {
				asked = append(asked, name)
			}
		}
		if !slices.Equal(asked, c.asked) || !slices.Equal(depths(a), []int{0, 1, 1, 2}) || len(a.Sentences) != 1 {
			t.Errorf("%s: asked again: %v, want %v; frames %v", c.file, asked, c.asked, depths(a))
		}
		for _, f := range a.Frames {
			if name := strings.Trim(f.Query, "PARTF-?"); f.Depth > 0 && f.Asked != slices.Contains(c.asked, strings.TrimSuffix(strings.TrimPrefix(f.Query, "PART-"), "?")) {
				t.Errorf("%s: frame %s: asked is %t", c.file, name, f.Asked)
			}
		}
	}
}

// TestBounds: depth, calls and requests have an end, whatever a model does.
func TestBounds(t *testing.T) {
	t.Parallel()
	deeper := func(q prompt.Request) (prompt.Response, error) {
		if slices.ContainsFunc(q.Tools, func(t prompt.Tool) bool { return t.Name == "ask" }) && step(q) < 2 {
			return call("ask", map[string]any{"question": "deeper", "context": strings.Repeat("x", 1+len(q.Turns))}), nil
		}
		return told, nil
	}
	for _, c := range []struct {
		name            string
		behave          func(prompt.Request) (prompt.Response, error)
		depth, requests int
	}{
		{"always deeper", deeper, 3, 30},
		{"deeper although no tool does it", script(call("ask", map[string]any{"question": "deeper"})), 3, 45},
		{"never an answer", script(call("search", map[string]any{"query": "x"})), 0, 41},
		{"many calls at once", script(prompt.Response{Calls: slices.Repeat(readMoney.Calls, 30)}), 0, 3},
		{"neither answer nor call", script(prompt.Response{}), 0, 1},
		{"an unknown tool", script(call("bash", map[string]any{"command": "rm"})), 0, 41},
	} {
		r := newRepo(t, nil)
		r.behave = c.behave
		a := r.ask(ask.Question{Text: "How deep?"})
		for _, f := range a.Frames {
			if f.Depth > c.depth {
				t.Errorf("%s: a frame at depth %d", c.name, f.Depth)
			}
		}
		if len(r.requests) > c.requests || len(a.Sentences) > 0 {
			t.Errorf("%s: %d requests, %d sentences", c.name, len(r.requests), len(a.Sentences))
		}
	}
}

// TestGrounded: only output in the same frame supports a sentence.
func TestGrounded(t *testing.T) {
	t.Parallel()
	r := newRepo(t, nil)
	for _, c := range []struct {
		claim grounding.Claim
		why   prompt.Reason // empty if it is valid
	}{
		{claim("`Parse` reads.", "money/money.go:5-7"), ""},
		{claim("`Parse` reads.", "money/money.go"), ""},
		{claim("`Parse` reads.", "money/money.go:5-99"), prompt.NoSuchPlace},
		{claim("`Rate` is 19.", "tax/tax.go:4-7"), prompt.NoSuchPlace},
		{claim("`Guess` guesses.", "money/money.go:5-7"), prompt.NameNotFound},
		{claim("Reads with parseAmount.", "money/money.go:5-7"), prompt.NameNotFound},
		{claim("No source."), prompt.NotCited},
		{claim("From the index.", "tax"), prompt.NoSuchPlace},
		{claim("See [this](http://e.example).", "money/money.go:5-7"), prompt.NotTheForm},
	} {
		r.behave = script(readMoney, answers(0.9, c.claim))
		a := r.ask(ask.Question{Text: "What is it?", Fresh: true})
		if stands := len(a.Sentences) == 1; stands != (c.why == "") || !stands && (len(r.dropped) != 1 || r.dropped[0].Reason != c.why) {
			t.Errorf("%v: %d sentences, dropped %v", c.claim, len(a.Sentences), r.dropped)
		}
	}
}

// TestFailures: a model that fails costs the answer its reasoning only.
func TestFailures(t *testing.T) {
	t.Parallel()
	for _, reason := range []prompt.Reason{prompt.Unavailable, prompt.Budget, prompt.Offline, prompt.NotTheForm, prompt.Refused} {
		r := newRepo(t, nil)
		r.behave = func(q prompt.Request) (prompt.Response, error) {
			if step(q) == 0 {
				return readMoney, nil
			}
			return prompt.Response{}, &prompt.FailedError{Reason: reason}
		}
		a := r.ask(ask.Question{Text: "Who knows the rates of countries?"})
		if a.From != report.FromIndex || len(a.Sentences) == 0 || len(r.notes) != 1 || !strings.Contains(r.notes[0], string(reason)) {
			t.Errorf("%s: from %s: %v; notes %q", reason, a.From, a.Sentences, r.notes)
		}
		if a := r.ask(ask.Question{Text: "Where is the zeppelin moored?"}); a.From != report.FromIndex || len(a.Sentences) > 0 {
			t.Errorf("%s: from %s: %v", reason, a.From, a.Sentences)
		}
	}
	r := newRepo(t, nil)
	wrong := errors.New("the disk is full")
	r.behave = func(prompt.Request) (prompt.Response, error) { return prompt.Response{}, wrong }
	if _, err := r.tryAsk(ask.Question{Text: "Why?"}); !errors.Is(err, wrong) {
		t.Errorf("another error: %v", err)
	}
}

// TestIndex: without a model, an answer quotes search results with places; without a matching word, none is found.
func TestIndex(t *testing.T) {
	t.Parallel()
	r := newRepo(t, nil)
	for question, want := range map[string]string{
		"Who knows the rates of countries?": "tax", "Which country has which rate?": "tax", "What knows a country?": "tax",
		"Where is the zeppelin moored?": "", "Why?": "", "How does a zeppelin know its way home?": "", "the of and": "",
	} {
		a := r.ask(ask.Question{Text: question})
		if got := a.Text(); a.From != report.FromIndex || (len(a.Sentences) > 0) != (want != "") || !strings.Contains(got, want) {
			t.Errorf("%s: %s", question, got)
		}
	}
}

// TestIndexPages: without a model, a page is quoted by a line of it, never by its title, and the page of answers is not. The
// entry page describes the project.
func TestIndexPages(t *testing.T) {
	t.Parallel()
	r := newRepo(t, map[string]string{
		"README.md":  "# Shop\n\nShop sells tea to sailors. It has a harbour.\n",
		"cmd/env.go": "package main\n\nimport \"os\"\n\nfunc main() { println(os.Getenv(\"SHOP_RATE\")) }\n",
	})
	r.behave = script(readMoney, told)
	r.ask(ask.Question{Text: "How are kept zeppelins moored?", Keep: true})
	r.update()
	r.behave = nil
	for question, want := range map[string]string{
		"What is this project?":                       "docs/causal/index.md: Shop sells tea to sailors.\n    docs/causal/index.md:",
		"what does this repository do":                "docs/causal/index.md: Shop sells tea to sailors.\n    docs/causal/index.md:",
		"What is the repo for?":                       "docs/causal/index.md: Shop sells tea to sailors.\n    docs/causal/index.md:",
		"Which environment variables and exit codes?": "no answer",
		"Which environment variables are there?":      "docs/causal/operations.md: environment variables: SHOP_RATE\n    docs/causal/operations.md\n",
		"Where is the tax?":                           "tax: Knows the rates of countries.",
		"What is Total?":                              "cart.Total: ",
		"How do I run the tests?":                     "docs/causal/index.md: test: go test ./...\n    docs/causal/index.md:",
		"How do I build this project?":                "docs/causal/index.md: build: go build ./...\n    docs/causal/index.md:",
		"How are rates built?":                        "no answer",
		"Which operations are listed?":                "no answer",
		"Does it support rates in GraphQL?":           "no answer",
		"Where are country ducks stored?":             "no answer",
		"How do I rate countries in a duck?":          "no answer",
		"How do I rate the ducks of countries?":       "no answer",
		"Is there a rate of countries?":               "tax: Knows the rates of countries.",
		"Who uses money?":                             "money: used by cart\n    docs/causal/modules/money.md\n",
		"which modules depend on the cmd module?":     "cmd: no module of this repository uses it\n    docs/causal/modules/cmd.md\n",
		"Who uses zeppelins?":                         "no answer",
		"Where are kept zeppelins moored?":            "no answer",
		"What is set by SHOP_RATE?":                   "docs/causal/operations.md: SHOP_RATE cmd/env.go\n    docs/causal/operations.md:",
	} {
		if got := r.ask(ask.Question{Text: question}).Text(); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s", question, got)
		}
	}
	// the text is that of the code, even before an update
	r.replace("cmd/env.go", "SHOP_RATE", "SHOP_TOLL")
	r.replace("tax/tax.go", "// Rate ", "// Rate asks the harbour master. It ")
	for question, want := range map[string]string{
		"What is set by SHOP_RATE?": "no answer", "What is set by SHOP_TOLL?": "docs/causal/operations.md: SHOP_TOLL cmd/env.go\n    docs/causal/operations.md\n",
		"Who asks the harbour master?": "tax.Rate: Rate asks the harbour master.\n    tax/tax.go:",
	} {
		if got := r.ask(ask.Question{Text: question}).Text(); !strings.HasPrefix(got, want) {
			t.Errorf("after an edit, %s: %s", question, got)
		}
	}
}

// TestIndexRoot: what no page says is quoted from the README, the license and the Dockerfile.
func TestIndexRoot(t *testing.T) {
	t.Parallel()
	r := newRepo(t, map[string]string{
		"README.md":  "# Shop\n\n![Windows](badge.svg)\n\n- Runs on Windows. It needs a harbour.\n\n## Weighing tea\n\nPut it on the scales:\n\n```sh\nweigh tea\n```\n",
		"LICENSE":    "\n  MIT License\n\nAll terms of a license.\n",
		"Dockerfile": "# syntax\nFROM scratch\n",
	})
	for question, want := range map[string]string{
		"Does it run on Windows?":                 "README.md: Runs on Windows. It needs a harbour.\n    README.md:5\n",
		"What license is it?":                     "LICENSE: MIT License\n    LICENSE:2\n",
		"How do I weigh tea?":                     "README.md: Weighing tea: Put it on the scales: weigh tea\n    README.md:9\n",
		"Which Go version is required?":           "go.mod: go 1.22\n    go.mod:3\n",
		"Which Java version is required?":         "no answer",
		"What is the capital of France?":          "no answer",
		"Is there a docker image?":                "Dockerfile: FROM scratch\n    Dockerfile:2\n",
		"Does it run on Windows without harbour?": "no answer",
		"Who built the harbour of Windows 95?":    "no answer",
		"Who needs it?":                           "no answer",
		"Who knows the rates of countries?":       "tax: ",
	} {
		if got := r.ask(ask.Question{Text: question}).Text(); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s", question, got)
		}
	}
}

// TestBranches: refinement, pivot, backtrack and resume in one session.
func TestBranches(t *testing.T) {
	t.Parallel()
	r := newRepo(t, nil)
	r.behave = script(readMoney, told)
	in := func(q ask.Question) *ask.Answer { q.Session = "s"; return r.ask(q) }
	suspended := func() (out []string) {
		err := r.with(func(a *ask.Asker) error {
			for _, s := range a.Branches("s") {
				out = append(out, s.Query)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	why := in(ask.Question{Text: "Why are amounts wrong?"}).Frames[0]
	narrower := in(ask.Question{Text: "Which amounts are negative?"})
	if narrower.Frames[0].Parent != why.ID || !strings.Contains(first(r.requests[0]), "earlier in this session") || !slices.Contains(narrower.Evidence, "file: money/money.go:1-11") {
		t.Errorf("no refinement: %+v", narrower.Frames)
	}
	if again := in(ask.Question{Text: "which amounts are negative"}).Frames[0]; again.ID != narrower.Frames[0].ID {
		t.Errorf("the same question is another frame: %+v", again)
	}
	pivot := in(ask.Question{Text: "wait, could it be the tax?"}).Frames[0]
	if got := suspended(); pivot.Parent != why.ID || !slices.Equal(got, []string{"Which amounts are negative?"}) {
		t.Errorf("after a pivot: %+v; suspended %q", pivot, got)
	}
	over := in(ask.Question{Text: "How do carts add up?", Backtrack: true}).Frames[0]
	if got := suspended(); over.Parent != "" || len(got) != 3 {
		t.Errorf("after backtracking: %+v; suspended %q", over, got)
	}
	if a := r.ask(ask.Question{Text: "Are the amounts negative?"}); len(a.Suspended) == 0 || !slices.ContainsFunc(a.Suspended, func(s ask.Suspended) bool { return s.Frame == narrower.Frames[0].ID }) {
		t.Errorf("a similar question does not list the suspended one: %+v", a.Suspended)
	}
	resumed := r.ask(ask.Question{Resume: narrower.Frames[0].ID})
	if got := suspended(); !resumed.Reused || resumed.Session != "s" || resumed.Question != "Which amounts are negative?" || !slices.Equal(got, []string{"wait, could it be the tax?", "How do carts add up?"}) {
		t.Errorf("after resuming: %+v; suspended %q", resumed, got)
	}
	for _, frame := range []string{narrower.Frames[0].ID, "nope", "../x"} {
		var wrong *ask.UsageError
		if _, err := r.tryAsk(ask.Question{Resume: frame}); !errors.As(err, &wrong) {
			t.Errorf("resumed %s: %v", frame, err)
		}
	}
	r.replace("money/money.go", "Atoi(s)", "Atoi(s[1:])")
	if a := r.ask(ask.Question{Resume: pivot.ID}); a.Reused || len(r.requests) == 0 {
		t.Error("an invalid answer is reused on resume")
	}
}

// TestRemembered: sure answers are recalled while they hold.
func TestRemembered(t *testing.T) {
	t.Parallel()
	r := newRepo(t, nil)
	recall := func() (n int) {
		err := r.with(func(a *ask.Asker) error {
			list, err := ask.Recall(t.Context(), a.Workspace, "amounts", 5)
			n = len(list)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	for _, c := range []struct {
		answer prompt.Response
		sure   int
	}{
		{answers(0.5, claim("`Parse` reads.", "money/money.go:5-7")), 0},
		{answers(0.9, claim("`Parse` reads.", "money/money.go:5-7"), claim("`Guess` guesses.", "money/money.go:5-7")), 0},
		{answers(0.9), 0},
		{told, 1},
	} {
		r.behave = script(readMoney, c.answer)
		r.ask(ask.Question{Text: "How are amounts read?", Fresh: true})
		if got := recall(); got != c.sure {
			t.Errorf("%s: %d recalled", c.answer.Answer, got)
		}
	}
	r.replace("money/money.go", "Atoi(s)", "Atoi(s[1:])")
	if got := recall(); got != 0 {
		t.Error("an invalid answer is recalled")
	}
}

// TestKeep: a kept answer is a file of the repository, valid in every clone, and re-asked when it is invalid.
func TestKeep(t *testing.T) {
	t.Parallel()
	r := newRepo(t, nil)
	r.behave = script(readMoney, told)
	a := r.ask(ask.Question{Text: "How are amounts read?", Keep: true})
	if a.Kept == "" {
		t.Fatalf("not kept: %v", r.notes)
	}
	if err := os.RemoveAll(filepath.Join(r.dir, ".git", "causal")); err != nil {
		t.Fatal(err)
	}
	if again := r.ask(ask.Question{Text: "how is an amount read"}); !again.Reused || again.Kept != a.Kept || len(r.requests) > 0 {
		t.Errorf("another clone asks again: %+v", again)
	}
	r.replace("money/money.go", "Atoi(s)", "Atoi(s[1:])")
	renew := func() string {
		r.requests, r.notes = nil, nil
		if err := r.with(func(a *ask.Asker) error { return a.Renew(t.Context()) }); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(filepath.Join(r.dir, filepath.FromSlash(a.Kept)))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	before := renew()
	r.behave = func(prompt.Request) (prompt.Response, error) {
		return prompt.Response{}, &prompt.FailedError{Reason: prompt.Unavailable}
	}
	r.replace("money/money.go", "Atoi(s[1:])", "Atoi(s[2:])")
	if got := renew(); got != before || len(r.notes) != 1 {
		t.Errorf("a model that fails changes the answer: %v\n%s", r.notes, got)
	}
	r.behave = script(readMoney, answers(0.9, claim("`Parse` skips two characters.", "money/money.go:5-7")))
	if got := renew(); !strings.Contains(got, "skips two") || strings.Contains(got, "reads the amount") {
		t.Errorf("not asked again:\n%s", got)
	}
	if renew(); len(r.requests) > 0 {
		t.Error("an answer that holds is asked again")
	}
	r.behave = nil
	if a := r.ask(ask.Question{Text: "Who knows the rates of countries?", Keep: true}); a.Kept != "" || len(r.notes) == 0 {
		t.Errorf("a quotation is kept: %+v", a)
	}
}

// TestWrongQuestions: an invalid question is an error of usage.
func TestWrongQuestions(t *testing.T) {
	t.Parallel()
	r := newRepo(t, nil)
	for _, q := range []ask.Question{{}, {Text: " \n"}, {Text: strings.Repeat("why ", 999)}, {Text: "Why?", Depth: 4}, {Text: "Why?", Depth: -1}} {
		var wrong *ask.UsageError
		if _, err := r.tryAsk(q); !errors.As(err, &wrong) {
			t.Errorf("%.20q: %v", q.Text, err)
		}
	}
}

// TestEvents: status events say what goes on, also when the answer is stored.
func TestEvents(t *testing.T) {
	t.Parallel()
	r := newRepo(t, nil)
	r.behave = script(readMoney, told)
	for _, want := range []string{"[RLM:START] [RLM:QUERY] [RLM:QUERY] [RLM:DONE] [RLM:DONE]", "[RLM:START] [RLM:DONE] [RLM:DONE]"} {
		r.ask(ask.Question{Text: "How are amounts read?"})
		var got []string
		for _, e := range r.events {
			got = append(got, strings.Fields(e)[0])
		}
		if strings.Join(got, " ") != want {
			t.Errorf("the events are %q", r.events)
		}
	}
}

// TestDamagedStore: what cannot be read in the clone's own directory is asked again.
func TestDamagedStore(t *testing.T) {
	t.Parallel()
	r := newRepo(t, nil)
	r.behave = script(readMoney, told)
	for _, data := range []string{"", "{", "null", `{"Root":{}}`, `{"Root":{"Sentences":[{"Text":"x"}],"Evidence":[{"family":"nonsense","name":"x"}],"Condition":"x"}}`} {
		r.ask(ask.Question{Text: "How are amounts read?", Session: "s"})
		err := filepath.WalkDir(filepath.Join(r.dir, ".git", "causal", "ask"), func(name string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			return os.WriteFile(name, []byte(data), 0o644)
		})
		if err != nil {
			t.Fatal(err)
		}
		if a := r.ask(ask.Question{Text: "How are amounts read?", Session: "s"}); len(a.Sentences) != 1 || a.Reused {
			t.Errorf("%q: %+v", data, a)
		}
	}
}
