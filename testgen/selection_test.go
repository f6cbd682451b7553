package testgen

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/testgen/spec"
)

func TestSelection(t *testing.T) {
	t.Parallel()
	type option struct{ id, gain, result int }
	tests := []struct {
		name    string
		options []option
		want    []int
	}{
		{"the most informative first, while one adds something", []option{{1, 1, 1}, {2, 3, 2}, {3, 0, 3}, {4, 2, 4}}, []int{2, 4, 1, 3}},
		{"no other with a known result", []option{{1, 1, 7}, {2, 0, 7}, {3, 0, 8}, {4, 0, 9}}, []int{1, 3, 4}},
		{"no more than asked for", []option{{1, 1, 1}, {2, 1, 2}, {3, 1, 3}, {4, 1, 4}, {5, 1, 5}}, []int{1, 2, 3, 4}},
	}
	for _, tt := range tests {
		var took []int
		s := Selection[option]{
			Options: tt.options,
			Want: func(o *option) *spec.Want {
				return &spec.Want{Values: []spec.Typed{{Type: "int", Value: int64(o.result)}}}
			},
			Gain: func(o *option) (int, bool) { return o.gain, o.gain > 0 },
			Took: func(o *option) { took = append(took, o.id) },
		}
		s.Take(4)
		s.Others(4, func(o *option) bool { return o.gain == 0 })
		if !slices.Equal(took, tt.want) || len(s.Taken) != len(took) {
			t.Errorf("%s: took %v, want %v", tt.name, took, tt.want)
		}
	}
}

func TestKeptOut(t *testing.T) {
	t.Parallel()
	var s Selection[int]
	for i, reason := range []string{"slow", "slow", "odd", "unstable"} {
		s.KeepOut(spec.Case{ID: fmt.Sprint(i)}, reason, 2)
	}
	var got []string
	for _, c := range s.Out {
		got = append(got, c.ID+" "+c.Quarantined)
	}
	if want := []string{"0 slow", "2 odd"}; !slices.Equal(got, want) {
		t.Errorf("kept out %v, want %v", got, want)
	}
}

func TestTuples(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		sizes []int
		most  int
		want  string
	}{
		{"one parameter", []int{3}, 100, "[0][1][2] [0][1]"},
		{"all of two", []int{2, 2}, 100, "[0 0][0 1][1 0][1 1] [0 0][1 0][0 0][0 1] [0 0][1 1]"},
		{"no more than half of most", []int{3, 3}, 8, "[0 0][0 1][1 0][1 1] [0 0][1 0][2 0][0 0][0 1][0 2] [0 0][1 1]"},
		{"too many parameters", []int{1, 1, 1, 1}, 100, "[0 0 0 0][0 0 0 0][0 0 0 0][0 0 0 0] [0 0 0 0][1 1 1 1]"},
	}
	for _, tt := range tests {
		got := ""
		Tuples(tt.sizes, 4, 3, tt.most, 2, func(at []int) { got += fmt.Sprint(at) })
		if want := strings.ReplaceAll(tt.want, "] ", "]"); got != want {
			t.Errorf("%s: got %s, want %s", tt.name, got, want)
		}
	}
}
