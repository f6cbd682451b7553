package model

import (
	"encoding/json"
	"testing"

	"github.com/causaldocs/causal/knowledge/prompt"
)

// TestAnswersWithoutTheKey: an answer that contains the key is none, however it is written. Short keys are words.
func TestAnswersWithoutTheKey(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		key, answer string
		ok          bool
	}{
		{"sesame-0123456789", `{"text": "open"}`, true},
		{"sesame-0123456789", `{"text": "the key is sesame-0123456789"}`, false},
		{"sesame-0123456789", `{"text": "the key is \u0073esame-0123456789"}`, false},
		{"sesame-0123456789", `{"text": "x", "sesame-0123456789": 1}`, false},
		{"none", `{"text": "none"}`, true},
		{"", `{"text": ""}`, true},
	} {
		f, err := formOf(prompt.Request{Schema: json.RawMessage(`{"type": "object"}`)}, c.key)
		if err != nil {
			t.Fatal(err)
		}
		if _, wrong := f.read(reply{text: c.answer}); (wrong == nil) != c.ok {
			t.Errorf("key %q, answer %s: %v", c.key, c.answer, wrong)
		}
	}
}
