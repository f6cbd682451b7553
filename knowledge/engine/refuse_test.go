package engine_test

import (
	"math"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/engine/enginetest"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/frame"
)

// spoiler is a plugin that spoils the conclusions of another.
type spoiler struct {
	engine.Plugin
	spoil func(c *engine.Conclusion, r engine.Reader) error
}

func (p spoiler) ParseOutput(raw string, in engine.Input, f frame.Frame) (engine.Conclusion, error) {
	c, err := p.Plugin.ParseOutput(raw, in, f)
	if err == nil {
		err = p.spoil(&c, in)
	}
	return c, err
}

// TestWhatCannotBeKeptIsRefused holds to nothing being stored of a conclusion that no session could keep.
func TestWhatCannotBeKeptIsRefused(t *testing.T) {
	t.Parallel()
	for want, spoil := range map[string]func(c *engine.Conclusion, r engine.Reader) error{
		"without an invalidation condition": func(c *engine.Conclusion, _ engine.Reader) error { c.Condition = ""; return nil },
		"a condition that cannot be evaluated": func(c *engine.Conclusion, _ engine.Reader) error {
			c.Condition = "whenever_it_rains()"
			return nil
		},
		`the digest ""`:        func(c *engine.Conclusion, _ engine.Reader) error { c.Digest = ""; return nil },
		`the digest "two word`: func(c *engine.Conclusion, _ engine.Reader) error { c.Digest = "two words"; return nil },
		`the text ""`:          func(c *engine.Conclusion, _ engine.Reader) error { c.Text = ""; return nil },
		`the text "\xff"`:      func(c *engine.Conclusion, _ engine.Reader) error { c.Text = "\xff"; return nil },
		"a confidence of NaN":  func(c *engine.Conclusion, _ engine.Reader) error { c.Confidence = math.NaN(); return nil },
		"a confidence of 2":    func(c *engine.Conclusion, _ engine.Reader) error { c.Confidence = 2; return nil },
		"nobody answers weather": func(_ *engine.Conclusion, r engine.Reader) error {
			_, err := r.Read(fact.New("weather", "tomorrow"))
			return err
		},
		"has no name": func(_ *engine.Conclusion, r engine.Reader) error {
			_, err := r.Read(fact.New(fact.Blobs, ""))
			return err
		},
	} {
		r := many(t, 1, "one")
		files := r.Files()
		config, err := r.Open(files, spoiler{copies{files, "one"}, spoil})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := engine.New(config).Update(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
		if stored := r.Stored(); len(stored) > 0 {
			t.Errorf("%s: stored %v", want, stored)
		}
	}
}

// TestNothingIsReadAfterTheConclusion holds evidence to being complete: a plugin that keeps its Reader reads nothing with it.
func TestNothingIsReadAfterTheConclusion(t *testing.T) {
	t.Parallel()
	r := many(t, 1, "one")
	files := r.Files()
	var kept engine.Reader
	config, err := r.Open(files, spoiler{copies{files, "one"}, func(_ *engine.Conclusion, r engine.Reader) error { kept = r; return nil }})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := engine.New(config).Update(t.Context()); err != nil {
		t.Fatal(err)
	}
	if v, err := kept.Read(enginetest.PathFact("one/0")); err == nil {
		t.Errorf("read %v", v)
	}
}
