package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
)

// verdict is the judgement of a reader of the change and the repository.
type verdict struct {
	Repo    string `json:"repo"`
	Commit  string `json:"commit"`
	Rule    string `json:"rule"`
	Place   string `json:"place"`
	Symbol  string `json:"symbol,omitempty"`
	Verdict string `json:"verdict"` // real or wrong
	Why     string `json:"why"`
}

const (
	real  = "real"
	wrong = "wrong"
)

// verdicts are judgements by told.key.
type verdicts map[[5]string]string

func readVerdicts(name string) (verdicts, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("read verdicts: %w", err)
	}
	list := verdicts{}
	number := 0
	for line := range bytes.Lines(data) {
		number++
		var v verdict
		d := json.NewDecoder(bytes.NewReader(line))
		d.DisallowUnknownFields()
		err := d.Decode(&v)
		if err == nil && v.Verdict != real && v.Verdict != wrong {
			err = fmt.Errorf("the verdict %q is neither %s nor %s", v.Verdict, real, wrong)
		}
		if err == nil && v.Why == "" {
			err = fmt.Errorf("the reason is missing")
		}
		if err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", name, number, err)
		}
		list[told{Repo: v.Repo, Commit: v.Commit, Rule: v.Rule, Place: v.Place, Symbol: v.Symbol}.key()] = v.Verdict
	}
	return list, nil
}

// figures count findings of a rule.
type figures struct{ told, real, wrong int }

func (f figures) share() float64 { return float64(f.wrong) / float64(max(f.real+f.wrong, 1)) }

// tally holds the counts of a walk.
type tally struct {
	*sum
	beside, listed figures
	rules          map[string]figures
}

func count(s *sum, judged verdicts) *tally {
	t := &tally{sum: s, rules: map[string]figures{}}
	for _, one := range s.told {
		f := figures{told: 1}
		switch judged[one.key()] {
		case real:
			f.real = 1
		case wrong:
			f.wrong = 1
		}
		rule := one.Rule
		if strings.HasPrefix(rule, "principle/") {
			rule = "principle"
		}
		if one.Listed {
			rule += ", listed"
			t.listed = t.listed.plus(f)
		} else {
			t.beside = t.beside.plus(f)
		}
		t.rules[rule] = t.rules[rule].plus(f)
	}
	return t
}

func (f figures) plus(g figures) figures {
	return figures{f.told + g.told, f.real + g.real, f.wrong + g.wrong}
}

// mostWrong is the greatest share of wrong findings.
const mostWrong = 0.05

// holds reports whether few enough findings beside lines are wrong. Without verdicts, it is false.
func (t *tally) holds() bool {
	return t.beside.real+t.beside.wrong > 0 && t.beside.share() <= mostWrong
}

func (t *tally) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d changes; skipped: %d with more than %d files, %d too slow, %d incomplete in the clone\n\n", t.changes, t.large, mostFiles, t.slow, t.absent)
	fmt.Fprintf(&b, "%-20s %6s %6s %6s %7s\n", "rule", "told", "real", "wrong", "wrong")
	row := func(name string, f figures) {
		fmt.Fprintf(&b, "%-20s %6d %6d %6d %6.1f%%\n", name, f.told, f.real, f.wrong, 100*f.share())
	}
	for _, rule := range slices.Sorted(maps.Keys(t.rules)) {
		row(rule, t.rules[rule])
	}
	row("all beside lines", t.beside)
	row("all in lists", t.listed)
	return b.String()
}
