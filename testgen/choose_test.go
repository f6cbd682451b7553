package testgen

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/testgen/spec"
)

// shows is a plan whose outcomes are what calls show.
type shows map[string]Sight

func (shows) Fits(*spec.Case) error { return nil }
func (s shows) Look(c *Call) Sight  { return s[c.Why] }
func (*made) Same() string          { return "" }

// made is an outcome that is the same in every run.
type made struct{ RunInfo }

// TestChoose takes calls that are named after what they add.
func TestChoose(t *testing.T) {
	t.Parallel()
	gives := func(n int64, code ...string) Sight {
		return Sight{Want: &spec.Want{Values: []spec.Typed{{Type: "int", Value: n}}}, Shows: code, Class: fmt.Sprint(n)}
	}
	odd := func(reason string) Sight { return Sight{Reason: reason} }
	tests := []struct {
		name string
		of   shows
		want string
	}{
		{"the most informative first, while one adds something", shows{"a": gives(1, "1"), "b": gives(1, "1", "2", "3"), "c": gives(1), "d": gives(1, "4", "5")}, "b d"},
		{"no other with a known result", shows{"a": gives(7, "1"), "b": gives(7), "c": gives(8), "d": gives(9)}, "a c d"},
		{"no more than are asked for", shows{"a": gives(1, "1"), "b": gives(2, "2"), "c": gives(3, "3"), "d": gives(4, "4"), "e": gives(5, "5"), "f": gives(6, "6"), "g": gives(7, "7")}, "a b c d e f"},
		{"one for each reason, and two at most", shows{"a": odd("slow"), "b": odd("slow"), "c": odd("odd"), "d": odd("long")}, "a slow c odd"},
		{"nothing of what is not worth it", shows{"a": {Reason: "slow", Silent: true}, "b": {Unmade: true}, "c": {Accident: true}}, ""},
	}
	for _, tt := range tests {
		var tried []*Call
		target := &Target{Plan: tt.of, Taste: &Taste{Errors: 1, Text: 1, Alone: 1, More: []More{{3, func(*Option) bool { return true }}}}}
		for _, name := range []string{"a", "b", "c", "d", "e", "f", "g"} {
			if _, there := tt.of[name]; there {
				tried = append(tried, &Call{Candidate: Candidate{Why: name}, Target: target, Runs: []Run{&made{}}})
			}
		}
		var got []string
		for _, c := range target.Choose(tried, true).Cases {
			got = append(got, strings.TrimSpace(c.Why+" "+c.Quarantined))
		}
		if slices.Sort(got); strings.Join(got, " ") != tt.want {
			t.Errorf("%s: chose %v, want %s", tt.name, got, tt.want)
		}
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
		{"one parameter", []int{3}, 100, "[0][1][2]"},
		{"all of two", []int{2, 2}, 100, "[0 0][0 1][1 0][1 1] [0 0][1 0][0 1] [1 1]"},
		{"no more than half of most", []int{3, 3}, 8, "[0 0][0 1][1 0][1 1] [0 0][1 0][2 0][0 1][0 2] [1 1]"},
		{"too many parameters", []int{1, 1, 1, 1}, 100, "[0 0 0 0] [1 1 1 1]"},
	}
	for _, tt := range tests {
		got := ""
		lists := make([][]bool, len(tt.sizes))
		for i, size := range tt.sizes {
			lists[i] = make([]bool, size)
		}
		Tuples(lists, 4, 3, tt.most, 2, 0, func(at []int) { got += fmt.Sprint(at) })
		if want := strings.ReplaceAll(tt.want, "] ", "]"); got != want {
			t.Errorf("%s: got %s, want %s", tt.name, got, want)
		}
	}
}
