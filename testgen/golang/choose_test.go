package golang

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
)

// tried is a call of F(n int) int that gave a result and reached blocks, and in which mutants show.
func tried(n int64, from string, result int64, blocks []int, kills ...string) Tried {
	t := Tried{Candidate: Candidate{Args: []spec.Typed{{Type: "int", Value: n}}, From: from, Why: fmt.Sprint(n)}}
	for _, k := range kills {
		t.Kills = append(t.Kills, Mutant{k, "F"})
	}
	for range 3 {
		t.Runs = append(t.Runs, &Outcome{Made: true, Results: []Recorded{{Value: json.RawMessage(fmt.Sprint(result)), Type: "int"}}, Blocks: blocks})
	}
	return t
}

func TestChoose(t *testing.T) {
	p := plan(t, files{"p/p.go": "package p\n\n// F is F.\nfunc F(n int) int { return n }\n"}, "F")
	refused := tried(9, testgen.FromBoundary, 0, []int{1}, "m-9")
	for _, o := range refused.Runs {
		o.Results, o.Fault = nil, true
	}
	unstable := tried(8, testgen.FromDoc, 1, nil, "m-8")
	unstable.Runs[2] = tried(8, testgen.FromDoc, 2, nil).Runs[0]
	many := []Tried{}
	for i := range int64(20) {
		many = append(many, tried(i, testgen.FromLiteral, i, []int{int(i)}, fmt.Sprint("m-", i)))
	}
	tests := []struct {
		name   string
		tried  []Tried
		want   []string
		killed []string
	}{
		{"what kills what nothing else does", []Tried{tried(1, testgen.FromDoc, 5, []int{1}, "m-a"), tried(2, testgen.FromBoundary, 6, []int{1}, "m-b", "m-c"), tried(3, testgen.FromTest, 7, []int{1}, "m-b")}, []string{"1", "2"}, []string{"m-a", "m-b", "m-c"}},
		{"what documentation shows", []Tried{tried(1, testgen.FromDoc, 5, []int{1}, "m-a"), tried(2, testgen.FromDoc, 6, []int{1}), tried(3, testgen.FromDoc, 7, nil), tried(4, testgen.FromDoc, 7, nil), tried(5, testgen.FromTest, 8, nil)}, []string{"1", "2", "3"}, []string{"m-a"}},
		{"the more telling of two that show the same", []Tried{tried(1, testgen.FromBoundary, 5, []int{1}, "m-a"), tried(2, testgen.FromDoc, 5, []int{1}, "m-a")}, []string{"2"}, []string{"m-a"}},
		{"nothing that the others show, too", []Tried{tried(1, testgen.FromDoc, 5, []int{1, 2}, "m-a", "m-b"), tried(2, testgen.FromDoc, 5, []int{2, 3}, "m-b", "m-c"), tried(3, testgen.FromDoc, 5, []int{3, 4}, "m-c", "m-d"), tried(4, testgen.FromDoc, 5, []int{2, 3}, "m-b")}, []string{"1", "3"}, []string{"m-a", "m-b", "m-c", "m-d"}},
		{"results before errors", []Tried{refused, tried(1, testgen.FromBoundary, 5, []int{2}, "m-a")}, []string{"1", "9"}, []string{"m-9", "m-a"}},
		{"nothing of what is not stable", []Tried{unstable, tried(1, testgen.FromDoc, 5, []int{1}, "m-a")}, []string{"8"}, nil},
		{"six at most", many, []string{"0", "1", "2", "3", "4", "5"}, []string{"m-0", "m-1", "m-2", "m-3", "m-4", "m-5"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Choose(p, tt.tried, 0)
			var whys []string
			for _, c := range got.Cases {
				whys = append(whys, c.Why)
			}
			slices.Sort(whys)
			if !slices.Equal(whys, tt.want) || !slices.Equal(got.Killed, tt.killed) {
				t.Errorf("chosen are %v, which notice %v; want %v and %v", whys, got.Killed, tt.want, tt.killed)
			}
			if n := len(got.Cases); n > 1 && got.Cases[0].Law == spec.Error {
				t.Error("an error is before a result")
			}
		})
	}
}

func TestKilledAreThoseOfTheTarget(t *testing.T) {
	p := plan(t, files{"p/p.go": "package p\n\n// F is F.\nfunc F(n int) int { return n }\n"}, "F")
	one := tried(1, testgen.FromDoc, 5, []int{1}, "m-own")
	one.Kills = append(one.Kills, Mutant{"m-other", "helper"})
	if got := Choose(p, []Tried{one}, 0).Killed; !slices.Equal(got, []string{"m-own"}) {
		t.Errorf("the evidence names %v", got)
	}
	one.Kills = one.Kills[1:]
	if got := Choose(p, []Tried{one}, 0).Killed; !slices.Equal(got, []string{"m-other"}) {
		t.Errorf("where it has no mutants itself, the evidence names %v", got)
	}
}

func TestThirsty(t *testing.T) {
	m := files{"p/p.go": "package p\n\nfunc Parse(s string) (int, error) { return 0, nil }\n\nfunc Half(n int) (int, error) { return n, nil }\n\nfunc Len(s string) int { return 0 }\n"}
	refused, given := &Outcome{Made: true, Fault: true}, &Outcome{Made: true}
	tests := []struct {
		symbol string
		tried  []*Outcome
		want   bool
	}{
		{"Parse", []*Outcome{refused, {Made: true, Panic: "x"}}, true}, {"Parse", []*Outcome{refused, given}, false}, {"Half", []*Outcome{refused}, false}, {"Len", []*Outcome{refused}, false},
	}
	for _, tt := range tests {
		if got := Thirsty(plan(t, m, tt.symbol), tt.tried); got != tt.want {
			t.Errorf("%s after %d calls: %t", tt.symbol, len(tt.tried), got)
		}
	}
}
