package mcp_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/causaldocs/causal/app/answer"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/reasoning"
)

// tools are what every client finds, with the arguments that it has to give.
var tools = map[string]string{
	"answer_keep": "answer confidence question", "ask": "question", "decisions": "", "memory_add_event": "effect", "memory_query": "query", "node": "target", "orient": "", "prose_open": "", "prose_write": "slots unit", "record_confirm": "actor targets",
	"record_contradiction": "targets text", "record_park": "targets", "record_proposition": "text", "record_refinement": "text", "record_resume": "targets",
	"record_synthesis": "targets text", "record_withdraw": "targets", "review_findings": "", "search": "query", "skills_list": "", "skills_run": "skill", "why": "target",
}

func TestToolsAreDescribed(t *testing.T) {
	t.Parallel()
	a := connect(t, newRepository(t, nil))
	list, err := a.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(list.Tools) != len(tools) {
		t.Errorf("%d tools, not %d", len(list.Tools), len(tools))
	}
	for _, tool := range list.Tools {
		input := tool.InputSchema.(map[string]any)
		var required []string
		list, _ := input["required"].([]any)
		for _, r := range list {
			required = append(required, r.(string))
		}
		slices.Sort(required)
		if want, ok := tools[tool.Name]; !ok || strings.Join(required, " ") != want {
			t.Errorf("%s requires %v, not %q", tool.Name, required, want)
		}
		if !regexp.MustCompile(`^[a-z_]{1,40}$`).MatchString(tool.Name) || len(tool.Description) < 80 || tool.Title == "" {
			t.Errorf("%s is not described: %q", tool.Name, tool.Description)
		}
		for name, p := range input["properties"].(map[string]any) {
			if about, _ := p.(map[string]any)["description"].(string); about == "" {
				t.Errorf("%s of %s is not described", name, tool.Name)
			}
		}
		writes := strings.HasPrefix(tool.Name, "record_") || tool.Name == "memory_add_event" || tool.Name == "prose_write" || tool.Name == "answer_keep"
		if tool.Annotations.ReadOnlyHint == writes || *tool.Annotations.DestructiveHint {
			t.Errorf("%s has hints that are not right: %+v", tool.Name, tool.Annotations)
		}
	}
}

func TestWrongCallsAreAnswered(t *testing.T) {
	t.Parallel()
	a := connect(t, newRepository(t, shop))
	for _, c := range []struct {
		tool string
		args map[string]any
		want string
	}{
		{"memory_add_event", nil, "'effect' parameter is required: the event"},
		{"memory_add_event", map[string]any{"effect": " \n"}, "'effect' parameter is required"},
		{"memory_query", map[string]any{"query": ""}, "'query' parameter is required"},
		{"memory_query", map[string]any{"query": "x", "top": 51}, "'top' parameter should be from 1 to 50"},
		{"memory_query", map[string]any{"query": 7}, "'query' parameter should be string, and is a number"},
		{"memory_query", map[string]any{"query": strings.Repeat("x", 40000)}, "16384 are the most"},
		{"record_park", map[string]any{"targets": []string{" "}}, "'targets' parameter is required"},
		{"record_park", map[string]any{"targets": "that"}, "'targets' parameter should be array, and is a string"},
		{"record_confirm", map[string]any{"targets": []string{"abcdef01"}}, "'actor' parameter is required: the person"},
		{"record_park", map[string]any{"targets": []string{"abcdef01"}}, "there is no event abcdef01 (no_candidate)\nCall decisions"},
		{"record_contradiction", map[string]any{"text": "No", "targets": []string{"it"}}, "too vague"},
		{"record_contradiction", map[string]any{"text": "No", "targets": []string{"it"}, "effect": "kills"}, "(invalid_payload)\nNothing was recorded"},
		{"record_refinement", map[string]any{"text": "Otherwise"}, "needs the event that it is about"},
		{"memory_add_event", map[string]any{"effect": "x", "relationship": "so"}, "cause and relationship belong together"},
		{"orient", map[string]any{"about": "x"}, "'about' is no parameter of orient; it takes focus"},
		{"why", map[string]any{"target": "nothing.like.it"}, "call search to find it by words"},
		{"why", map[string]any{"target": `"nobody said"`}, "nobody said"},
		{"node", map[string]any{"target": "../../etc/passwd"}, "call search"},
		{"review_findings", map[string]any{"base": "no-such"}, "no-such"},
	} {
		text, _, failed := a.ask(c.tool, c.args)
		if !failed || !strings.Contains(text, c.want) {
			t.Errorf("%s %v: %v %q, which lacks %q", c.tool, c.args, failed, text, c.want)
		}
	}
	if _, err := a.CallTool(t.Context(), &sdk.CallToolParams{Name: "memory.query"}); err == nil || !strings.Contains(err.Error(), `unknown tool "memory.query"`) {
		t.Errorf("a tool that is not there: %v", err)
	}
	if len(a.batches()) > 0 {
		t.Error("something was recorded")
	}
}

func TestWhatIsRecordedIsTold(t *testing.T) {
	t.Parallel()
	a := connect(t, newRepository(t, nil))
	first := a.record("record_proposition", map[string]any{"text": "Usage-based pricing aligns incentives"})
	text, _ := a.told("record_contradiction", map[string]any{"text": "Enterprise procurement requires predictable costs", "targets": []string{"usage-based pricing aligns incentives"}})
	a.wants(text, "recorded  ", "now superseded "+first[:10])
	text, _ = a.told("record_refinement", map[string]any{
		"text": "Seats for enterprise, usage for self-serve", "resolves": []string{"enterprise procurement, predictable costs"}, "actor": "Eve", "source": "meeting.md:4",
	})
	a.wants(text, "now resolved ")
	text, state := a.told("decisions", map[string]any{"about": "usage-based pricing"})
	a.wants(text, "Settled", "Seats for enterprise", "(refinement, Eve, 2023-11-14)", "was replaced by")
	if past := state["past"].([]any); past[0].(map[string]any)["source"] != "agent:robot#1" || past[0].(map[string]any)["actor"] != "Ada" {
		t.Errorf("it is not marked as an agent's: %v", past[0])
	}
	text, _ = a.told("why", map[string]any{"target": first[:8]})
	a.wants(text, "proposition "+first[:10]+" is superseded")
	node, _ := a.told("node", map[string]any{"target": `"Usage-based pricing"`})
	if node != text {
		t.Errorf("node tells of an event\n%s", node)
	}

	a.record("memory_add_event", map[string]any{"effect": "A bug report named a crash in the invoice export"})
	a.record("memory_add_event", map[string]any{"effect": "A nil customer was found", "cause": "bug report crash invoice export", "relationship": "the report had the stack"})
	text, _ = a.told("memory_query", map[string]any{"query": "why was a nil customer found"})
	a.wants(text, "Initially, A bug report named a crash in the invoice export. This led to A nil customer was found (the report had the stack).")
	text, _ = a.told("memory_query", map[string]any{"query": "bananas"})
	a.wants(text, "No relevant context found in memory.")

	again := map[string]any{"text": "The same words", "source": "meeting.md:5"}
	a.record("record_proposition", again)
	text, _ = a.told("record_proposition", again)
	a.wants(text, "recorded already", "The event exists already")
	// what an agent puts aside twice with the same words is put aside twice
	for range 2 {
		a.record("record_park", map[string]any{"targets": []string{`"The same words"`}, "text": "not now"})
		a.record("record_resume", map[string]any{"targets": []string{`"The same words"`}})
	}
	for _, program := range []string{"robot", "Robot", "agent:gemini#3", "causal[bot]"} {
		text, _, failed := a.ask("record_confirm", map[string]any{"targets": []string{`"The same words"`}, "actor": program})
		if !failed || !strings.Contains(text, "only a person can confirm") {
			t.Errorf("%s confirms: %v, %s", program, failed, text)
		}
	}
	text, _ = a.told("record_confirm", map[string]any{"targets": []string{`"The same words"`}, "actor": "Eve"})
	a.wants(text, "now settled ")
	a.record("record_withdraw", map[string]any{"targets": []string{`"The same words"`}})
	a.record("record_synthesis", map[string]any{"text": "Price what is worth it", "targets": []string{`"Usage-based pricing"`, `"Seats for enterprise"`}})
}

func TestOrientIsShort(t *testing.T) {
	t.Parallel()
	dir := newRepository(t, shop)
	update(t, dir)
	a := connect(t, dir)
	text, _ := a.told("orient", nil)
	a.wants(text, "No decisions have been recorded yet", "DOCS\nall pages are fresh (2 modules)")

	long := strings.Repeat("words that say ever more of it ", 12)
	var drafts []reasoning.Draft
	for i := range 40 {
		plan := reasoning.Draft{Type: ledger.Proposition, Text: fmt.Sprintf("Plan %d: %s", i, long), Key: fmt.Sprint(i)}
		drafts = append(drafts, plan)
		if i%3 == 0 {
			drafts = append(drafts, reasoning.Draft{Type: ledger.Contradiction, Text: fmt.Sprintf("Objection %d: %s", i, long), Targets: []string{plan.Key}, Effect: ledger.Challenges})
		}
		if i%4 == 1 {
			drafts = append(drafts, reasoning.Draft{Type: ledger.Refinement, Text: fmt.Sprintf("Better %d: %s", i, long), Targets: []string{plan.Key}})
		}
	}
	recordAll(t, dir, drafts)
	parked := a.record("record_proposition", map[string]any{"text": "Rewrite everything in another language"})
	a.record("record_park", map[string]any{"targets": []string{parked}})
	focused := a.record("record_proposition", map[string]any{"text": "Invoices carry a zebra stamp"})
	a.record("record_contradiction", map[string]any{"text": "Customs refuses such marks", "targets": []string{focused}, "effect": "challenges"})
	a.record("record_confirm", map[string]any{"targets": []string{`"Better 1: ` + strings.TrimSpace(long) + `"`}, "actor": "Eve"})
	write(t, dir, map[string]string{"money/more.go": "package money\n\n// Zero is nothing.\nconst Zero = 0\n"})

	for _, focus := range []string{"", "zebra stamp", "nobody speaks of that"} {
		text, state := a.told("orient", map[string]any{"focus": focus})
		if n := len(strings.Fields(text)); n >= 450 {
			t.Errorf("orient %q has %d words", focus, n)
		}
		for line := range strings.Lines(text) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 135 {
				t.Errorf("orient %q has a line of %d characters: %s", focus, n, line)
			}
		}
		a.wants(text, "CONTESTED", "DOCS\nstale: money")
		if strings.Contains(text, "another language") {
			t.Errorf("orient %q tells of what was put aside", focus)
		}
		if focus != "zebra stamp" {
			a.wants(text, "SETTLED", "UNCHALLENGED", "OPEN QUESTIONS", "RECENTLY RESOLVED", "was replaced by")
			if state["more"].(float64) == 0 {
				t.Error("nothing is said to be left out")
			}
			continue
		}
		a.wants(text, "zebra stamp; against it: ", "Customs refuses") // which is about something else
		if strings.Contains(text, "Plan ") {
			t.Errorf("it tells of more than it was asked:\n%s", text)
		}
	}
}

func TestWhatIsKnownIsTold(t *testing.T) {
	t.Parallel()
	dir := newRepository(t, shop)
	update(t, dir)
	a := connect(t, dir)
	a.record("record_proposition", map[string]any{"text": "An amount is in cents of a euro"})
	for _, c := range []struct {
		tool, target string
		want         []string
	}{
		{"why", "money", []string{"money is fresh.", "stale when"}},
		{"why", "money.ParseAmount", []string{"declared in money/money.go"}},
		{"why", "docs/causal/modules/cart.md", []string{"Adds up."}},
		{"why", "principle/no-float", []string{"Money is never a float"}},
		{"node", "cart.Total", []string{"cart  (go, fresh; docs/causal/modules/cart.md)\nAdds up.", "depends on: money", "func Total(n int) money.Amount"}},
		{"node", "money/money.go", []string{"used by: cart"}},
		{"node", "principle/no-float", []string{"Money is never a float"}},
	} {
		text, _ := a.told(c.tool, map[string]any{"target": c.target})
		a.wants(text, c.want...)
	}
	for query, want := range map[string]string{
		"parsing amounts": "symbol     money.ParseAmount", "adds up": "module     cart", "float": "principle  principle/no-float", "cents euro": "event      ",
		"shop": "page       docs/causal/",
	} {
		text, _ := a.told("search", map[string]any{"query": query})
		first, _, _ := strings.Cut(text, "\n")
		if !strings.HasPrefix(first, want) {
			t.Errorf("search %q begins with %q, not %q", query, first, want)
		}
	}
	text, _ := a.told("search", map[string]any{"query": "bananas"})
	a.wants(text, `no match for "bananas"`)

	// the work tree changes under the server
	write(t, dir, map[string]string{"money/money.go": "// Package money holds amounts.\npackage money\n\n// Amount is in cents.\ntype Amount int64\n"})
	text, _ = a.told("why", map[string]any{"target": "money"})
	a.wants(text, "money is stale.", "money/money.go changed")
	git(t, dir, "checkout", "--quiet", "-b", "topic")
	if text, _ := a.told("ask", map[string]any{"question": "Who holds amounts?"}); !strings.Contains(text, "amounts") || !strings.Contains(text, "without a model") {
		t.Errorf("ask says %s", text)
	}
	if text, _ := a.told("ask", map[string]any{"question": "Where is the zeppelin moored?"}); !strings.Contains(text, "no answer was found") {
		t.Errorf("ask says %s", text)
	}
	text, found := a.told("review_findings", nil)
	a.wants(text, "ParseAmount was removed")
	if len(found["findings"].([]any)) == 0 {
		t.Errorf("the change breaks nothing:\n%s", text)
	}
}

// TestCallsAtOnce: calls that write wait for each other, and none is lost.
func TestCallsAtOnce(t *testing.T) {
	t.Parallel()
	dir := newRepository(t, nil)
	agents := []*agent{connect(t, dir), connect(t, dir)}
	var all sync.WaitGroup
	for i := range 12 {
		all.Go(func() {
			agents[i%2].record("memory_add_event", map[string]any{"effect": fmt.Sprintf("Event %d happened", i)})
		})
	}
	all.Wait()
	_, state := agents[0].told("decisions", nil)
	if n := state["as_of"].(map[string]any)["events"].(float64); n != 12 {
		t.Errorf("%v events, not 12", n)
	}
}

// TestAnswersAreBounded: a log of many long texts makes no long answer, and what is missing is told.
func TestAnswersAreBounded(t *testing.T) {
	t.Parallel()
	a := connect(t, newRepository(t, nil))
	var drafts []reasoning.Draft
	for i := range 30 {
		drafts = append(drafts, reasoning.Draft{Type: ledger.Proposition, Text: fmt.Sprintf("%d ", i) + strings.Repeat("many words of it\n", 120)})
	}
	recordAll(t, a.dir, drafts)
	text, state := a.told("decisions", nil)
	a.wants(text, "The answer was shortened: current has 30 entries and is not complete. Name a topic (about)")
	list := state["current"].([]any)
	if len(list) == 0 || len(list) == 30 || len(state["cut"].([]any)) != 1 {
		t.Errorf("%d of 30 are told, cut %v", len(list), state["cut"])
	}
	id := list[0].(map[string]any)["id"].(string)
	for range 3 {
		a.record("record_contradiction", map[string]any{"text": strings.Repeat("x", 16<<10), "targets": []string{id}, "effect": "challenges"})
	}
	_, state = a.told("why", map[string]any{"target": id})
	if cut, _ := state["cut"].([]any); len(cut) == 0 {
		t.Error("long texts are told as a whole")
	}
}

// recordAll records drafts in one go, as another program does beside the server.
func recordAll(t *testing.T, dir string, drafts []reasoning.Draft) {
	t.Helper()
	w, err := workspace.Open(t.Context(), workspace.WorkTree{Dir: dir, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = w.Close() }()
	log, err := w.Ledger(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	var list []reasoning.Imported
	for _, d := range drafts {
		list = append(list, reasoning.Imported{Draft: d})
	}
	done, err := answer.Recording{Actor: "Bob", At: "2023-11-14T22:13:20Z"}.Record(w, log, reasoning.NewRecorder(log.Log), list)
	if err != nil || len(done.Dropped) > 0 {
		t.Fatal(err, done.Dropped)
	}
}
