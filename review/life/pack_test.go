package life

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/causaldocs/causal/review/finding"
)

func packed(n int, status func(i int) Status, severity func(i int) finding.Severity) *State {
	s := &State{}
	for i := range n {
		e := &Entry{Finding: finding.Finding{
			ID: fmt.Sprintf("f-%d", i), Rule: "lint/x", Path: "a.go", Line: i + 1, EndLine: i + 1, Side: finding.Right, Severity: severity(i), Quote: fmt.Sprint("quote ", i*7919%1000),
		}, Status: status(i)}
		e.note(Event{Event: New})
		s.Findings = append(s.Findings, e)
	}
	s.sort()
	return s
}

// TestPack: what is packed comes back as it was; what there is no room for is counted, and is what matters least.
func TestPack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		all := []Status{Dismissed, Open, Carried, Fixed, Outdated}
		severities := []finding.Severity{finding.Note, finding.Warning, finding.Error}
		s := packed(rapid.IntRange(0, 60).Draw(t, "findings"), func(int) Status { return rapid.SampledFrom(all).Draw(t, "status") },
			func(int) finding.Severity { return rapid.SampledFrom(severities).Draw(t, "severity") })
		most := rapid.IntRange(200, 3000).Draw(t, "room")
		data, left, err := s.Pack(most)
		if err != nil || len(data) > most {
			t.Fatalf("%d bytes of %d, %v", len(data), most, err)
		}
		back, err := Unpack(data)
		if err != nil || len(back.Findings) != len(s.Findings)-left {
			t.Fatalf("%d of %d findings came back, %d have no room: %v", len(back.Findings), len(s.Findings), left, err)
		}
		kept, worst := map[string]bool{}, 0
		for _, e := range back.Findings {
			kept[e.ID] = true
			worst = max(worst, e.rank())
		}
		for _, e := range s.Findings {
			if !kept[e.ID] && e.rank() < worst {
				t.Fatalf("%s %s has no room, and something that matters less has", e.Severity, e.Status)
			}
		}
		if left == 0 {
			was, _ := s.Encode()
			is, _ := back.Encode()
			if string(was) != string(is) {
				t.Fatalf("%s\nbecame\n%s", was, is)
			}
		}
	})
}

func TestUnpack(t *testing.T) {
	t.Parallel()
	if s, err := Unpack(nil); err != nil || len(s.Findings) > 0 {
		t.Errorf("%+v, %v", s, err)
	}
	data, _, err := packed(3, func(int) Status { return Open }, func(int) finding.Severity { return finding.Note }).Pack(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range [][]byte{data[:len(data)/2], []byte(strings.Repeat("x", 40))} {
		if _, err := Unpack(bad); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
}

func TestReinstate(t *testing.T) {
	t.Parallel()
	s := packed(2, func(int) Status { return Open }, func(int) finding.Severity { return finding.Note })
	if s.Reinstate("f-0", "ann", "head") {
		t.Error("what was not dismissed is told again")
	}
	if err := s.Dismiss("f-0", "no", "bob", "head"); err != nil {
		t.Fatal(err)
	}
	if !s.Reinstate("f-0", "ann", "head2") || s.Findings[0].Status != Open || Last(s.Findings[0].History, Reopened).Actor != "ann" {
		t.Errorf("%+v", s.Findings[0])
	}
}

// TestSince: what is told of a head does not change when that is looked at again.
func TestSince(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "f.js", loud)
	w.run()
	w.heads--
	w.run()
	e := func() *Entry { return w.state.Findings[0] }
	if got := e().Since("head1"); got != New {
		t.Errorf("at the first head it is %s", got)
	}
	w.run()
	if got := e().Since("head2"); got != string(Open) {
		t.Errorf("at the next head it is %s", got)
	}
	w.files["f.js"] = "f {\n}\n"
	w.run()
	w.files["f.js"] = loud
	w.run()
	w.heads--
	w.run()
	if got := e().Since("head4"); got != Reopened {
		t.Errorf("when it is back it is %s: %+v", got, e().History)
	}
}
