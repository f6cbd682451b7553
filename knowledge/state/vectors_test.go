package state

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
)

type vectors struct {
	State   map[Namespace]map[string]any
	Resolve []struct {
		Ref, Value any
		Error      Kind
	}
	Write []struct {
		Mapping              map[string]string
		Produced             any
		Strategy             Strategy
		Before, After        map[string]any
		WrittenByEarlierStep []string `json:"written_by_earlier_step"`
		Error                Kind
	}
}

func readVectors(t *testing.T) (v vectors) {
	t.Helper()
	data, err := os.ReadFile("testdata/state.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func (v vectors) begin() *State {
	s := New(Options{Inputs: v.State[Inputs], Frame: v.State[Frame]})
	for n, values := range v.State {
		if n != Inputs && n != Frame {
			s.Load(n, values)
		}
	}
	return s
}

func kindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return ""
}

// at is the value at a path; it fails the test where there is none.
func at(t *testing.T, s *State, ref string) any {
	t.Helper()
	words := strings.Split(ref, ".")
	v, ok := walk(s.spaces[Namespace(words[0])], words[1:], true)
	if !ok {
		t.Errorf("%s is not set", ref)
	}
	return v
}

func TestVectorsResolve(t *testing.T) {
	t.Parallel()
	v := readVectors(t)
	for _, c := range v.Resolve {
		got, err := v.begin().Resolve(c.Ref)
		if kindOf(err) != c.Error || !reflect.DeepEqual(got, c.Value) {
			t.Errorf("%v: got %v, %v; want %v, %s", c.Ref, got, err, c.Value, c.Error)
		}
	}
}

func TestVectorsWrite(t *testing.T) {
	t.Parallel()
	v := readVectors(t)
	for i, c := range v.Write {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			s := v.begin()
			for target, value := range c.Before {
				mustWrite(t, s, target, value, Replace)
			}
			for _, target := range c.WrittenByEarlierStep {
				mustWrite(t, s, target, 1.0, Overwrite)
			}
			before := s.Space(Vars)
			_, err := s.Write(c.Mapping, c.Produced, c.Strategy)
			if kindOf(err) != c.Error {
				t.Fatalf("got %v, want %s", err, c.Error)
			}
			if err != nil && !reflect.DeepEqual(s.Space(Vars), before) {
				t.Error("a refused write changed the state")
			}
			for ref, want := range c.After {
				if got := at(t, s, ref); !reflect.DeepEqual(got, want) {
					t.Errorf("%s: got %v, want %v", ref, got, want)
				}
			}
		})
	}
}

func mustWrite(t *testing.T, s *State, target string, value any, how Strategy) {
	t.Helper()
	if _, err := s.Write(map[string]string{"x": target}, map[string]any{"x": value}, how); err != nil {
		t.Fatal(err)
	}
}
