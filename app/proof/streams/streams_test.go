package main

import (
	"strings"
	"testing"
)

// TestStreams: however often a position was changed, what holds is what is told, where a search finds what was given up.
func TestStreams(t *testing.T) {
	t.Parallel()
	for _, changes := range []int{1, 2, 150} {
		s, err := stream(7, changes, 4, 1)
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.ask(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if !got.decisions.right() || !got.memory.right() || got.questions != 8 {
			t.Errorf("%d changes: %+v", changes, got)
		}
		if found := got.search.stale > 0; found != (changes > 1) {
			t.Errorf("%d changes: the search found %+v, so that nothing is proven", changes, got.search)
		}
	}
}

// TestScores: what was given up and what is about something else are told apart.
func TestScores(t *testing.T) {
	t.Parallel()
	s, err := stream(7, 3, 2, 0)
	if err != nil {
		t.Fatal(err)
	}
	var found score
	k := s.keys[0]
	for id := range k.all {
		found.count(k, id)
	}
	found.count(k, s.keys[1].last)
	if found.stale != len(k.all)-1 || found.beside != 1 || found.right() {
		t.Errorf("%+v", found)
	}
	if text := found.of(4); !strings.Contains(text, "stale") || !strings.HasSuffix(text, "25 % beside") {
		t.Error(text)
	}
}
