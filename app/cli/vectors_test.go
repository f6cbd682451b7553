package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/causaldocs/causal/app/cli"
	"github.com/causaldocs/causal/knowledge/testmode"
)

// history is one of those with the statuses that people agreed on.
type history struct {
	Name   string
	Events []struct {
		ID, Type, Text, Effect, Source      string
		Targets, Resolves, Considers, After []string
		Supersedes                          bool
	}
	Expect map[string]map[string]string
}

// TestStatusesOfCommands records the vectors with commands on branches that git merges, and compares the statuses. knowledge/reasoning
// tests all vectors without git; a long run tests all of them here.
func TestStatusesOfCommands(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(filepath.Join("..", "..", "knowledge", "reasoning", "testdata", "reasoning.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all struct{ Vectors []history }
	if err := json.Unmarshal(data, &all); err != nil || len(all.Vectors) == 0 {
		t.Fatal(err, len(all.Vectors))
	}
	for i, h := range all.Vectors {
		if !testmode.Long() && !h.concurrent() && i%4 != 0 {
			continue
		}
		t.Run(h.Name, func(t *testing.T) {
			t.Parallel()
			r := newRepo(t)
			r.commit("Begin")
			ids := h.record(t, r)
			got := r.decisions(t)
			for name, want := range h.Expect {
				for key, value := range want {
					if id, ok := ids[value]; ok {
						value = id
					}
					if got[ids[name]][key] != value {
						t.Errorf("%s.%s is %q, not %q", name, key, got[ids[name]][key], value)
					}
				}
			}
			r.causal(cli.ExitClean, "verify")
		})
	}
}

// concurrent reports whether an event has not seen all earlier ones.
func (h history) concurrent() bool {
	for _, e := range h.Events {
		if e.After != nil {
			return true
		}
	}
	return false
}

// record records the events of a history, each on a branch with the events that it has seen, and merges the branches.
func (h history) record(t *testing.T, r *repo) map[string]string {
	t.Helper()
	ids, commits := map[string]string{}, map[string]string{}
	merge := func(events []string) {
		for _, e := range events {
			r.git("merge", "--quiet", "--no-edit", commits[e])
		}
	}
	var earlier []string
	for _, e := range h.Events {
		seen := earlier
		if e.After != nil {
			seen = e.After
		}
		r.git("checkout", "--quiet", "-B", "on-"+e.ID, r.git("rev-list", "--max-parents=0", "HEAD"))
		merge(seen)
		args := []string{"record", e.Type, "--json"}
		if e.Text != "" {
			args = append(args, e.Text)
		}
		for flag, list := range map[string][]string{"--target": e.Targets, "--resolves": e.Resolves, "--considers": e.Considers} {
			for _, name := range list {
				args = append(args, flag, ids[name])
			}
		}
		if e.Effect != "" {
			args = append(args, "--effect", e.Effect)
		}
		if e.Supersedes {
			args = append(args, "--supersedes")
		}
		var answer struct{ Recorded []struct{ ID string } }
		if err := json.Unmarshal([]byte(r.causal(cli.ExitClean, args...).out), &answer); err != nil || len(answer.Recorded) != 1 {
			t.Fatalf("%s: %v, %d recorded", e.ID, err, len(answer.Recorded))
		}
		r.commit("Record " + e.ID)
		ids[e.ID], commits[e.ID] = answer.Recorded[0].ID, "on-"+e.ID
		earlier = append(earlier, e.ID)
	}
	merge(earlier)
	return ids
}

// decisions are the statuses of all positions, by id.
func (r *repo) decisions(t *testing.T) map[string]map[string]string {
	t.Helper()
	type item struct {
		ID, Status, Standing string
		SupersededBy         string `json:"superseded_by"`
	}
	var answer struct{ Current, Open, Past []item }
	if err := json.Unmarshal([]byte(r.causal(cli.ExitClean, "decisions", "--all", "--json").out), &answer); err != nil {
		t.Fatal(err)
	}
	out := map[string]map[string]string{}
	for _, list := range [][]item{answer.Current, answer.Open, answer.Past} {
		for _, i := range list {
			out[i.ID] = map[string]string{"status": i.Status, "standing": i.Standing, "superseded_by": i.SupersededBy}
		}
	}
	return out
}
