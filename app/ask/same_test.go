package ask_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/ask"
)

// TestSameQuestion: only other words of the same question get a stored answer, and the answer names the question that it was given to.
func TestSameQuestion(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		question string
		same     []string
		other    []string
	}{
		{"How are amounts read?", []string{"Reading amounts: how?", "How do we read amounts?", "how is an amount read", "HOW are amounts  read"}, []string{"Why are amounts read?", "Are amounts read?", "How are amounts not read?", "How are amounts read before?"}},
		{"Does react import vanilla?", []string{"Is react importing vanilla?"}, []string{"Does vanilla import react?", "Is react imported by vanilla?", "How does react import vanilla?", "Doesn't react import vanilla?"}},
		{"Why does shallow return true?", []string{"why did shallow return true"}, []string{"When does shallow return true?", "Where does shallow not return true?", "Why does shallow not return true?", "Why doesn't shallow return true?"}},
		{"What uses persist?", []string{"What is using persist?"}, []string{"What does persist use?", "What is used by persist?", "Who uses persist?", "What uses no persist?"}},
		{"Can setState be called before create?", []string{"can the setState be called before create"}, []string{"Can create be called after setState?", "Can create be called before setState?", "Can setState be called after create?", "Must setState be called before create?"}},
		{"How is it built with tests?", nil, []string{"How is it built without tests?"}},
		{"What does Parse do?", []string{"what do Parse do"}, []string{"What is Parse for?", "What is done by Parse?"}},
	} {
		r := newRepo(t, nil)
		r.behave = script(readMoney, told)
		first := r.ask(ask.Question{Text: c.question})
		if strings.Contains(first.Text(), "answer to:") {
			t.Errorf("%s: %s", c.question, first.Text())
		}
		for _, q := range c.same {
			a := r.ask(ask.Question{Text: q})
			wording := !strings.EqualFold(strings.Join(strings.Fields(q), " "), strings.TrimSuffix(c.question, "?"))
			if !a.Reused || len(r.requests) > 0 || strings.HasPrefix(a.Text(), "answer to: "+c.question+"\n") != wording {
				t.Errorf("%s: reused %t:\n%s", q, a.Reused, a.Text())
			}
		}
		for _, q := range c.other {
			if a := r.ask(ask.Question{Text: q}); a.Reused || len(r.requests) == 0 {
				t.Errorf("%s gets the answer to %s", q, c.question)
			}
		}
	}
}

// TestKeptQuestion: an answer is kept under the question that it was given to.
func TestKeptQuestion(t *testing.T) {
	t.Parallel()
	r := newRepo(t, nil)
	r.behave = script(readMoney, told)
	r.ask(ask.Question{Text: "How are amounts read?"})
	text := func(a *ask.Answer) string {
		data, err := os.ReadFile(filepath.Join(r.dir, filepath.FromSlash(a.Kept)))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	a := r.ask(ask.Question{Text: "Reading amounts: how?", Keep: true})
	if got := text(a); len(r.requests) > 0 || !strings.Contains(got, "question: \"How are amounts read?\"\n") {
		t.Errorf("%d requests:\n%s", len(r.requests), got)
	}
	again := r.ask(ask.Question{Text: "How do we read amounts?", Keep: true, Fresh: true})
	if got := text(again); again.Kept != a.Kept || !strings.Contains(got, "question: \"How do we read amounts?\"\n") {
		t.Errorf("%s after %s:\n%s", again.Kept, a.Kept, got)
	}
}

// TestKeptHolds: of a stored and a kept answer, the valid one is given, with and without a model.
func TestKeptHolds(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"`Parse` reads the amount with `strconv.Atoi`.", "`Parse` takes a text."} { // the same sentence, and another
		r := newRepo(t, nil)
		r.behave = script(read("money/money.go", 5, 7), told)
		const question = "How are amounts read?"
		kept := r.ask(ask.Question{Text: question, Keep: true})
		r.behave = script(read("money/money.go", 1, 11), answers(0.9, claim(text, "money/money.go:5-7")))
		r.ask(ask.Question{Text: question, Fresh: true})
		r.replace("money/money.go", "Itoa(n)", "Itoa(n+1)") // the stored one is invalid
		for _, model := range []bool{true, false} {
			if !model {
				r.behave = nil
			}
			if a := r.ask(ask.Question{Text: question}); !a.Reused || a.Kept != kept.Kept || len(r.notes) > 0 || !strings.Contains(a.Text(), "strconv.Atoi") {
				t.Errorf("%q, model %t: %+v, notes %q", text, model, a, r.notes)
			}
		}
	}
}
