package main

import (
	"strings"
	"testing"

	"github.com/causaldocs/causal/review/life"
	"github.com/causaldocs/causal/review/record"
	"github.com/causaldocs/causal/review/sarif"
)

// TestWhatGrowsIsFound checks that the bounds separate linear from quadratic readers.
func TestWhatGrowsIsFound(t *testing.T) {
	t.Parallel()
	const size = 8 << 10
	of := func(steps, memory func(n uint64) uint64) outcome {
		c := func(n uint64) cost { return cost{Bytes: int(n), Steps: steps(n), Memory: memory(n)} }
		return outcome{Small: c(size), Large: c(size * growth)}
	}
	few := func(n uint64) uint64 { return 20*n + 1000 }
	square := func(n uint64) uint64 { return 20*n + n*n/100 }
	for name, c := range map[string]struct {
		outcome outcome
		want    string
	}{
		"in proportion":   {of(few, few), ""},
		"steps":           {of(square, few), "675 steps per byte, 6."},
		"memory":          {of(few, square), "675 bytes per byte, 6."},
		"many steps each": {of(func(n uint64) uint64 { return 4000 * n }, few), "4000 steps per byte"},
		"stopped":         {outcome{Large: cost{Bytes: 1, Steps: 2000, Refused: true}}, ""},
		"stopped late":    {outcome{Large: cost{Bytes: 1, Steps: 4000, Refused: true}}, "4000 steps per byte"},
		"slow":            {outcome{Slow: true}, "timeout"},
		"broken":          {outcome{Failed: "it exited: fatal error: stack overflow"}, "it exited: "},
	} {
		if got := c.outcome.wrong(); !strings.HasPrefix(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestEveryWayInTakesALetter checks that each reader accepts some text: otherwise its trials would measure nothing.
func TestEveryWayInTakesALetter(t *testing.T) {
	t.Parallel()
	for name, r := range readers {
		if err := r.read("a\n"); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSumCounters(t *testing.T) {
	t.Parallel()
	data := append([]byte("\x00cwm"), make([]byte, flavourAt-4)...)
	data = append(data, flavourULEB, 0, 0, 0, 0, 0, 0, 0)
	data = append(data, 2, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0) // two functions behind five bytes of strings
	data = append(data, "abcde\x00\x00\x00"...)
	data = append(data, 2, 7, 7, 1, 0x80, 1) // two counters: 1 and 128
	data = append(data, 1, 7, 8, 5)
	if got, err := sumCounters(data); err != nil || got != 134 {
		t.Errorf("%d, %v", got, err)
	}
	for cut := range data {
		if _, err := sumCounters(data[:cut]); err == nil {
			t.Errorf("%d of %d bytes are accepted", cut, len(data))
		}
	}
}

func TestFragments(t *testing.T) {
	t.Parallel()
	for _, f := range []fragment{
		{"c", 1, repeated, "int a#;\n", "("}, {"c", 0, nested, "(", ")"},
	} {
		if text := f.text(100); len(text) < 100 || len(text) > 130 {
			t.Errorf("%s has %d bytes", f, len(text))
		}
	}
	if got, want := (fragment{"c", 1, repeated, "a#;", ""}).text(20), "int f() {\na1;a2;a3;a4;"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := (fragment{"c", 0, nested, "(", ")"}).text(6), "(((())))"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestWhatReviewsKeepIsRead: texts that are refused at once would be measured in vain.
func TestWhatReviewsKeepIsRead(t *testing.T) {
	t.Parallel()
	for name, read := range map[string]func(text string) (int, error){
		"state": func(text string) (int, error) {
			s, err := life.Decode([]byte(text))
			if err != nil {
				return 0, err
			}
			return len(s.Findings), nil
		},
		"record": func(text string) (int, error) {
			_, err := record.Decode(recordKey, []byte(text))
			return strings.Count(text, "\n") - 1, err
		},
		"log": func(text string) (int, error) {
			log, err := sarif.Read(strings.NewReader(text), "a.sarif")
			if err != nil {
				return 0, err
			}
			return len(log.Runs[0].Results), nil
		},
	} {
		f := fragment{Reader: name, Form: repeated, A: readers[name].known[0]}
		if n, err := read(f.text(1 << 10)); err != nil || n < 4 {
			t.Errorf("%s: %d are read: %v", name, n, err)
		}
	}
}
