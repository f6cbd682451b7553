package mcp_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
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

// TestVectors holds what is recorded by calls to the histories with the statuses that people agreed on. What happened on branches that did
// not know of each other is recorded as it is there: in a log that has what that branch has.
func TestVectors(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("../../knowledge/reasoning/testdata/reasoning.json")
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
			a := connect(t, newRepository(t, nil))
			ids := v.record(a)
			_, state := a.told("decisions", map[string]any{"all": true})
			got := map[string]map[string]any{}
			for _, list := range []string{"current", "open", "past"} {
				items, _ := state[list].([]any)
				for _, i := range items {
					item := i.(map[string]any)
					got[item["id"].(string)] = item
				}
			}
			for name, want := range v.Expect {
				for key, value := range want {
					if to, ok := ids[value]; ok {
						value = to
					}
					have, _ := got[ids[name]][key].(string)
					if have != value && !(value == "" && got[ids[name]] == nil) {
						t.Errorf("%s.%s is %q, not %q", name, key, have, value)
					}
				}
			}
		})
	}
}

// record records the events of a vector by calls.
func (v vector) record(a *agent) map[string]string {
	a.Helper()
	ids, past, files := map[string]string{}, map[string][]string{}, map[string]map[string]string{}
	named := func(keys []string) (out []string) {
		for _, k := range keys {
			out = append(out, ids[k])
		}
		return out
	}
	for _, e := range v.Events {
		before := slices.Collect(maps.Keys(ids))
		if e.After != nil {
			before = nil
			for _, k := range e.After {
				before = append(append(before, k), past[k]...)
			}
		}
		past[e.ID] = before
		a.only(files, before)
		args := map[string]any{"actor": "Ada"}
		for key, value := range map[string]string{"text": e.Text, "effect": e.Effect, "source": e.Source} {
			if value != "" {
				args[key] = value
			}
		}
		for key, list := range map[string][]string{"targets": e.Targets, "resolves": e.Resolves, "considers": e.Considers} {
			if len(list) > 0 {
				args[key] = named(list)
			}
		}
		if e.Supersedes {
			args["supersedes"] = true
		}
		ids[e.ID] = a.record("record_"+e.Type, args)
		files[e.ID] = a.batches()
		for _, k := range before {
			for name := range files[k] {
				delete(files[e.ID], name)
			}
		}
	}
	a.only(files, slices.Collect(maps.Keys(ids)))
	return ids
}

// batches are the files of the log.
func (a *agent) batches() map[string]string {
	a.Helper()
	names, err := filepath.Glob(filepath.Join(a.dir, ".causal", "log", "*", "*.jsonl"))
	if err != nil {
		a.Fatal(err)
	}
	out := map[string]string{}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			a.Fatal(err)
		}
		rel, err := filepath.Rel(a.dir, name)
		if err != nil {
			a.Fatal(err)
		}
		out[rel] = string(data)
	}
	return out
}

// only leaves in the log what some events are.
func (a *agent) only(files map[string]map[string]string, keys []string) {
	a.Helper()
	if err := os.RemoveAll(filepath.Join(a.dir, ".causal", "log")); err != nil {
		a.Fatal(err)
	}
	for _, k := range keys {
		write(a.T, a.dir, files[k])
	}
}
