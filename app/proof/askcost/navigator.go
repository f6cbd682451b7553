package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
)

// navigator is a model that searches for the words of the question, reads the lines around the best hit, and answers from these lines. It
// speaks the protocol of OpenAI.
type navigator struct {
	*httptest.Server
	requests, tokens, longest int
}

func newNavigator() *navigator {
	n := &navigator{}
	n.Server = httptest.NewServer(n)
	return n
}

func (n *navigator) env() []string {
	return []string{"CAUSAL_MODEL=navigator", "CAUSAL_MODEL_PROVIDER=openai", "CAUSAL_MODEL_URL=" + n.URL + "/v1"}
}

var (
	hit    = regexp.MustCompile(`(?m)^(\S+):(\d+)\t`)
	around = 20 // lines
	fact   = regexp.MustCompile(`(?m)^(\d+)\t.*\b(\w+) = (\d+) \* time\.Minute`)
)

// ServeHTTP implements http.Handler.
func (n *navigator) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	raw, err := io.ReadAll(r.Body)
	var q struct {
		Messages []struct{ Role, Content string }
	}
	if err == nil {
		err = json.Unmarshal(raw, &q)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	size := len(raw) / perToken // with the tools and the whole conversation so far
	n.requests, n.tokens, n.longest = n.requests+1, n.tokens+size, max(n.longest, size)
	var shown []string
	for _, m := range q.Messages {
		if m.Role == "tool" {
			shown = append(shown, m.Content)
		}
	}
	tool, arguments := n.next(shown)
	text, err := json.Marshal(arguments)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	call := map[string]any{"id": fmt.Sprint("c", len(shown)), "type": "function", "function": map[string]string{"name": tool, "arguments": string(text)}}
	_ = json.NewEncoder(w).Encode(map[string]any{
		"choices": []any{map[string]any{"finish_reason": "tool_calls", "message": map[string]any{"role": "assistant", "content": nil, "tool_calls": []any{call}}}},
		"usage":   map[string]int{"prompt_tokens": size, "completion_tokens": len(text) / perToken},
	})
}

// next is the next call of a tool after some outputs.
func (n *navigator) next(shown []string) (tool string, arguments map[string]any) {
	none := map[string]any{"answer": []any{}, "confidence": 0, "open": []string{"nothing was found"}}
	switch len(shown) {
	case 0:
		return "search", map[string]any{"query": "courier wait frozen groceries"}
	case 1:
		found := hit.FindStringSubmatch(shown[0])
		if found == nil {
			return "answer", none
		}
		line, _ := strconv.Atoi(found[2]) // it is a number
		return "read", map[string]any{"path": found[1], "from": max(line-around, 1), "to": line + around}
	}
	found, file := fact.FindStringSubmatch(shown[1]), hit.FindStringSubmatch(shown[0])
	if found == nil {
		return "answer", none
	}
	return "answer", map[string]any{
		"answer":     []any{map[string]any{"text": "A courier waits " + found[3] + " minutes, as `" + found[2] + "` says.", "cites": []string{file[1] + ":" + found[1]}}},
		"confidence": 1, "open": []string{},
	}
}
