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
func tried(n int64, from string, result int64, blocks []int, kills ...string) *testgen.Call {
	t := &testgen.Call{Candidate: testgen.Candidate{Args: []spec.Typed{{Type: "int", Value: n}}, From: from, Why: fmt.Sprint(n)}}
	var noticed []testgen.Mutant
	for _, k := range kills {
		noticed = append(noticed, testgen.Mutant{ID: k, Func: "F"})
	}
	for range 3 {
		t.Runs = append(t.Runs, &Outcome{RunInfo: testgen.RunInfo{Made: true}, Kills: noticed, Results: []Recorded{{Value: json.RawMessage(fmt.Sprint(result)), Type: "int"}}, Blocks: blocks})
	}
	return t
}

func TestChoose(t *testing.T) {
	p := plan(t, files{"p/p.go": "package p\n\n// F is F.\nfunc F(n int) int { return n }\n"}, "F")
	refused := tried(9, testgen.FromBoundary, 0, []int{1}, "m-9")
	for _, r := range refused.Runs {
		o, _ := r.(*Outcome)
		o.Results, o.Fault = nil, true
	}
	unstable := tried(8, testgen.FromDoc, 1, nil, "m-8")
	unstable.Runs[2] = tried(8, testgen.FromDoc, 2, nil).Runs[0]
	many := []*testgen.Call{}
	for i := range int64(20) {
		many = append(many, tried(i, testgen.FromLiteral, i, []int{int(i)}, fmt.Sprint("m-", i)))
	}
	tests := []struct {
		name   string
		tried  []*testgen.Call
		want   []string
		killed []string
	}{
		{"what kills what nothing else does", []*testgen.Call{tried(1, testgen.FromDoc, 5, []int{1}, "m-a"), tried(2, testgen.FromBoundary, 6, []int{1}, "m-b", "m-c"), tried(3, testgen.FromTest, 7, []int{1}, "m-b")}, []string{"1", "2"}, []string{"m-a", "m-b", "m-c"}},
		{"what documentation shows", []*testgen.Call{tried(1, testgen.FromDoc, 5, []int{1}, "m-a"), tried(2, testgen.FromDoc, 6, []int{1}), tried(3, testgen.FromDoc, 7, nil), tried(4, testgen.FromDoc, 7, nil), tried(5, testgen.FromTest, 8, nil)}, []string{"1", "2", "3"}, []string{"m-a"}},
		{"the more telling of two that show the same", []*testgen.Call{tried(1, testgen.FromBoundary, 5, []int{1}, "m-a"), tried(2, testgen.FromDoc, 5, []int{1}, "m-a")}, []string{"2"}, []string{"m-a"}},
		{"nothing that the others show, too", []*testgen.Call{tried(1, testgen.FromDoc, 5, []int{1, 2}, "m-a", "m-b"), tried(2, testgen.FromDoc, 5, []int{2, 3}, "m-b", "m-c"), tried(3, testgen.FromDoc, 5, []int{3, 4}, "m-c", "m-d"), tried(4, testgen.FromDoc, 5, []int{2, 3}, "m-b")}, []string{"1", "3"}, []string{"m-a", "m-b", "m-c", "m-d"}},
		{"results before errors", []*testgen.Call{refused, tried(1, testgen.FromBoundary, 5, []int{2}, "m-a")}, []string{"1", "9"}, []string{"m-9", "m-a"}},
		{"an unstable call", []*testgen.Call{unstable, tried(1, testgen.FromDoc, 5, []int{1}, "m-a")}, []string{"8"}, nil},
		{"six at most", many, []string{"0", "1", "2", "3", "4", "5"}, []string{"m-0", "m-1", "m-2", "m-3", "m-4", "m-5"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := p.Choose(tt.tried, true)
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
	first, _ := one.Runs[0].(*Outcome)
	first.Kills = append(first.Kills, testgen.Mutant{ID: "m-other", Func: "helper"})
	if got := p.Choose([]*testgen.Call{one}, true).Killed; !slices.Equal(got, []string{"m-own"}) {
		t.Errorf("the evidence names %v", got)
	}
	first.Kills = first.Kills[1:]
	if got := p.Choose([]*testgen.Call{one}, true).Killed; !slices.Equal(got, []string{"m-other"}) {
		t.Errorf("where it has no mutants itself, the evidence names %v", got)
	}
}

func TestThirsty(t *testing.T) {
	m := files{"p/p.go": "package p\n\nfunc Parse(s string) (int, error) { return 0, nil }\n\nfunc Half(n int) (int, error) { return n, nil }\n\nfunc Len(s string) int { return 0 }\n"}
	refused, given := &Outcome{RunInfo: testgen.RunInfo{Made: true}, Fault: true}, &Outcome{RunInfo: testgen.RunInfo{Made: true}}
	tests := []struct {
		symbol string
		tried  []testgen.Run
		want   bool
	}{
		{"Parse", []testgen.Run{refused, &Outcome{RunInfo: testgen.RunInfo{Made: true}, Panic: "x"}}, true}, {"Parse", []testgen.Run{refused, given}, false}, {"Half", []testgen.Run{refused}, false}, {"Len", []testgen.Run{refused}, false},
	}
	for _, tt := range tests {
		if got := Thirsty(plan(t, m, tt.symbol), tt.tried); got != tt.want {
			t.Errorf("%s after %d calls: %t", tt.symbol, len(tt.tried), got)
		}
	}
}
