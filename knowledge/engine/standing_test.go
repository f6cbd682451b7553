package engine

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/index"
)

func someUnits(t *testing.T) *units {
	t.Helper()
	x, err := index.Open(t.TempDir(), "key")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = x.Close() })
	return newUnits(x)
}

func (s *units) holds(subject string, evidence ...fact.Observation) {
	st := s.get(Unit{"a", subject})
	st.known, st.loaded, st.evidence = true, true, evidence
}

// TestObserved checks that if several units observed a fact, the observation of an invalidated unit counts.
func TestObserved(t *testing.T) {
	t.Parallel()
	s := someUnits(t)
	file := func(name, digest string) fact.Observation { return fact.New(fact.Files, name).As(digest) }
	s.holds("1", file("m/a", "new"), file("m/b", "1"), fact.New(fact.Blobs, "m/c").As("1"))
	s.holds("2", file("m", "1"), file("m/b", "2"), file("ma/a", "1"))
	s.saw(Unit{"a", "0"}, []fact.Observation{file("m/a", "old")})
	look := func(prefix, want string) {
		t.Helper()
		var got []string
		for _, o := range s.observed(fact.Files, prefix) {
			got = append(got, o.Name+" "+o.Digest)
		}
		slices.Sort(got)
		if strings.Join(got, ", ") != want {
			t.Errorf("%s: %q, want %q", prefix, got, want)
		}
	}
	look("m/", "m/a old, m/b 2")
	look("ma/", "ma/a 1")
	look("mz/", "")
	s.saw(Unit{"a", "2"}, []fact.Observation{file("mz/a", "old")})
	look("mz/", "mz/a old")
	(&loop{Engine: &Engine{units: s}}).conclude(Unit{"a", "3"}, head{}, []fact.Observation{file("mz/b", "1")})
	look("mz/", "mz/a old, mz/b 1")
}

// TestObservedOfMany checks that the cost of finding an observation does not grow with the number of units.
func TestObservedOfMany(t *testing.T) { // it counts allocations, so it must not run in parallel
	var cost []float64
	for _, n := range []int{10, 10_000} {
		s := someUnits(t)
		for i := range n {
			s.holds(fmt.Sprint(i), fact.New(fact.Files, fmt.Sprintf("m%d/a", i)).As("1"))
		}
		s.observed(fact.Files, "m1/")
		cost = append(cost, testing.AllocsPerRun(10, func() {
			if list := s.observed(fact.Files, "m7/"); len(list) != 1 {
				t.Errorf("%v", list)
			}
		}))
	}
	if cost[0] != cost[1] {
		t.Errorf("%v allocations among 10 units, %v among 10,000", cost[0], cost[1])
	}
}
