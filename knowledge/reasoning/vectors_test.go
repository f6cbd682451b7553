package reasoning_test

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/reasoning"
)

// vector is a history and what follows from it.
type vector struct {
	Name   string
	Events []struct {
		ID, Type, Text, Effect, Source string
		Targets, Resolves, Considers   []string
		After                          []string
		Supersedes                     bool
	}
	Expect map[string]map[string]string
}

// TestVectors holds the state machine to histories with the statuses that people agreed on.
func TestVectors(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("testdata/reasoning.json")
	if err != nil {
		t.Fatal(err)
	}
	var all struct{ Vectors []vector }
	if err := json.Unmarshal(data, &all); err != nil || len(all.Vectors) == 0 {
		t.Fatal(err, len(all.Vectors))
	}
	for _, v := range all.Vectors {
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			log, ids := v.log(t)
			g := reasoning.New(log)
			for name, want := range v.Expect {
				id := ids[name]
				got := map[string]string{"status": string(g.Status(id)), "standing": string(g.Standing(id)), "superseded_by": string(g.SupersededBy(id))}
				for key, value := range want {
					if to, ok := ids[value]; ok {
						value = string(to)
					}
					if got[key] != value {
						t.Errorf("%s.%s is %q, not %q", name, key, got[key], value)
					}
				}
			}
		})
	}
}

// log records the events of a vector.
func (v vector) log(t *testing.T) (*ledger.Log, map[string]ledger.ID) {
	t.Helper()
	log, _ := ledger.New(nil)
	ids := map[string]ledger.ID{}
	resolve := func(names []string) (out []ledger.ID) {
		for _, n := range names {
			out = append(out, ids[n])
		}
		return out
	}
	for _, e := range v.Events {
		added, err := log.Add(ledger.Event{
			Type: ledger.Type(e.Type), Text: e.Text, Effect: ledger.Effect(e.Effect), Supersedes: e.Supersedes, Source: e.Source,
			Targets: resolve(e.Targets), Resolves: resolve(e.Resolves), Considers: resolve(e.Considers), Parents: resolve(e.After),
		})
		if err != nil {
			t.Fatalf("%s: %v", e.ID, err)
		}
		ids[e.ID] = added.ID
	}
	return log, ids
}
