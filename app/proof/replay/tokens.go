package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/causaldocs/causal/app/model"
)

// tokens counts the tokens of updates with a model, and those of tools that write all prose of the touched modules, or all prose, again after
// every commit. Such a tool sends the source of a module and gets as much text back as causal does in its first run.
type tokens struct {
	Updates int     `json:"updates"`
	Touched int     `json:"touched_modules"` // after every commit
	All     int     `json:"all_modules"`     // after every commit
	OfTouch float64 `json:"of_touched"`      // Updates as a share of Touched
	OfAll   float64 `json:"of_all"`
	First   int     `json:"first_run"`
}

// perToken is how many bytes count as one token.
const perToken = 4

// writer is a model that answers each request for prose with one sentence a slot. It speaks the protocol of OpenAI.
type writer struct{ *httptest.Server }

func newWriter() *writer {
	return &writer{httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q struct {
			Messages []struct{ Content string }
		}
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		size, text := 0, ""
		for _, m := range q.Messages {
			size, text = size+len(m.Content), m.Content
		}
		answer := proseFor(text)
		_ = json.NewEncoder(w).Encode(map[string]any{
			"choices": []any{map[string]any{"message": map[string]any{"role": "assistant", "content": answer}, "finish_reason": "stop"}},
			"usage":   map[string]any{"prompt_tokens": size / perToken, "completion_tokens": len(answer) / perToken},
		})
	}))}
}

// getenv are the settings of a run that asks the writer.
func (w *writer) getenv(name string) string {
	return map[string]string{model.NameSetting: "writer", model.ProviderSetting: "openai", model.URLSetting: w.URL + "/v1"}[name]
}

var (
	slotAsked = regexp.MustCompile("slot `(\\w+)`")
	citable   = regexp.MustCompile(`(?m)^(module/\S+) |^\S+ \((\S+:\d+-\d+)\) |<data \w+ (\S+)>\n\d+\t`)
)

// proseFor answers a request: each slot gets a sentence of usual length that cites the first place.
func proseFor(request string) string {
	found := citable.FindStringSubmatch(request)
	if found == nil {
		return `{"slots": []}`
	}
	cite := found[1] + found[2] + found[3]
	var list []string
	for _, slot := range slotAsked.FindAllStringSubmatch(request, -1) {
		list = append(list, fmt.Sprintf(`{"slot": %q, "sentences": [{"text": "Does what the cited lines show, and is described in a sentence of the usual length.", "cites": [%q]}]}`, slot[1], cite))
	}
	return `{"slots": [` + strings.Join(list, ", ") + `]}`
}

// count adds an update, and the tokens that other tools would need for the same commit.
func (t *tokens) count(ctx context.Context, w *walk, used int) error {
	if w.at == 0 {
		t.First = used
		return nil
	}
	t.Updates += used
	out, err := git(ctx, w.walked, "diff-tree", "-r", "--name-only", "--no-renames", w.history[w.at-1].ID, w.history[w.at].ID)
	if err != nil {
		return err
	}
	touched := map[string]bool{}
	for name := range strings.Lines(out) {
		touched[path.Dir(strings.TrimSpace(name))] = true
	}
	stored, err := written(w.walked)
	if err != nil {
		return err
	}
	for module, n := range stored.nodes() {
		size := 0
		for _, s := range n.Sources {
			info, err := os.Stat(filepath.Join(w.walked, filepath.FromSlash(s.Path)))
			if err == nil && s.Role != "test" {
				size += int(info.Size())
			}
		}
		t.All += size / perToken
		if touched[module] {
			t.Touched += size / perToken
		}
	}
	return nil
}

func (t *tokens) finish() {
	t.OfTouch, t.OfAll = float64(t.Updates)/float64(max(t.Touched, 1)), float64(t.Updates)/float64(max(t.All, 1))
}

// show prints the token counts.
func (t *tokens) show(w io.Writer) error {
	_, err := fmt.Fprintf(w, "first run        %d tokens\nupdates          %d tokens: %.1f%% of writing the touched modules again (%d), %.2f%% of writing all again (%d)\n",
		t.First, t.Updates, 100*t.OfTouch, t.Touched, 100*t.OfAll, t.All)
	return err
}
