package main

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/memory"
)

// TestMain makes the test binary measure when it is called so.
func TestMain(m *testing.M) {
	if len(os.Args) == 4 && os.Args[1] == "-measure" {
		main()
		return
	}
	os.Exit(m.Run())
}

// TestProgram: each of them answers each question on a small log, and what is not there is said to be skipped.
func TestProgram(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	if err := run(t.Context(), "2000", 20, "no such program", &out); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{causal, sqlite} {
		line := regexp.MustCompile(`(?m)^ *` + name + `  .*  200 *$`).FindString(out.String())
		if !strings.Contains(line, "µs") && !strings.Contains(line, "ms") {
			t.Errorf("%s does not answer 20 questions with 10 events each:\n%s", name, &out)
		}
	}
	if !strings.Contains(out.String(), "DuckDB cosine is skipped: causal-duckdb is not there") {
		t.Errorf("DuckDB is not said to be skipped:\n%s", &out)
	}
	if err := run(t.Context(), "99", 20, "", &out); err == nil {
		t.Error("99 events are enough")
	}
}

// TestMadeLog: the same seed gives the same log, words are used as people use them, and what is asked has an answer.
func TestMadeLog(t *testing.T) {
	t.Parallel()
	log, err := newWriter(7).log(2000)
	if err != nil {
		t.Fatal(err)
	}
	again, err := newWriter(7).log(2000)
	if err != nil || fmt.Sprint(log.Heads()) != fmt.Sprint(again.Heads()) {
		t.Errorf("the logs differ, %v", err)
	}
	times, all, causes := map[string]int{}, 0, 0
	for i := range log.Events() {
		for _, word := range strings.Fields(log.Events()[i].Text) {
			times[word]++
			all++
		}
		if log.Events()[i].Cause != "" {
			causes++
		}
	}
	most := 0
	for _, n := range times {
		most = max(most, n)
	}
	if most < all/50 || len(times) < all/10 || causes < 1000 {
		t.Errorf("%d words, %d different ones, the most frequent one %d times; %d causes", all, len(times), most, causes)
	}
	m, err := memory.New(t.Context(), log, memory.NewWords())
	if err != nil {
		t.Fatal(err)
	}
	whole := 0
	for i := 0; i < 2000; i += 100 {
		e := &log.Events()[i]
		c, err := m.Recall(t.Context(), e.Text, bestOf)
		if err != nil {
			t.Fatal(err)
		}
		if c.Matches[0].Event.Text == e.Text {
			whole++
		}
	}
	if whole != 20 {
		t.Errorf("%d of 20 texts are found by themselves", whole)
	}
}
