package model_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/model"
)

func settings(pairs ...string) func(string) string {
	return func(name string) string {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1]
			}
		}
		return ""
	}
}

func TestAnswer(t *testing.T) {
	t.Parallel()
	var got struct {
		Model    string
		Messages []struct{ Role, Content string }
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost || r.URL.Path != "/v1/chat/completions" || r.Header.Get("Authorization") != "Bearer secret" {
			t.Errorf("%s %s with %q", r.Method, r.URL.Path, r.Header.Get("Authorization"))
		}
		if err := json.NewDecoder(r.Body).Decode(&got); err != nil {
			t.Error(err)
		}
		_, _ = io.WriteString(w, `{"choices":[{"index":0,"message":{"role":"assistant","content":"{\"cases\":[]}"},"finish_reason":"stop"}],"usage":{"total_tokens":9}}`)
	}))
	defer server.Close()
	chat, err := model.From(settings(model.NameSetting, "small:7b", model.URLSetting, server.URL+"/v1/", model.KeySetting, "secret"))
	if err != nil {
		t.Fatal(err)
	}
	answer, err := chat.Answer(t.Context(), "what?")
	if answer != `{"cases":[]}` || err != nil {
		t.Errorf("%q, %v", answer, err)
	}
	if chat.Name() != "small:7b" || got.Model != "small:7b" || len(got.Messages) != 1 || got.Messages[0].Content != "what?" {
		t.Errorf("asked %+v", got)
	}
}

// TestNoAnswer: whatever comes back, there is an error that names the model, and never the key.
func TestNoAnswer(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		status int
		body   string
		want   string
	}{
		"refused":      {http.StatusUnauthorized, `{"error":"bad key secret"}`, "401 Unauthorized"},
		"moved":        {http.StatusFound, "", "302 Found"},
		"not JSON":     {http.StatusOK, "<html>", "not have OpenAI's format"},
		"no choice":    {http.StatusOK, `{"choices":[]}`, "no answer"},
		"without end":  {http.StatusOK, strings.Repeat("a", 2<<20), "more than"},
		"another form": {http.StatusOK, `{"choices":"none"}`, "not have OpenAI's format"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/elsewhere" {
					t.Error("a redirection is followed")
				}
				w.Header().Set("Location", "/elsewhere")
				w.WriteHeader(test.status)
				_, _ = io.WriteString(w, test.body)
			}))
			defer server.Close()
			chat, err := model.From(settings(model.NameSetting, "small", model.URLSetting, server.URL, model.KeySetting, "secret"))
			if err != nil {
				t.Fatal(err)
			}
			if _, err = chat.Answer(t.Context(), "what?"); err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), "small") || strings.Contains(err.Error(), "secret") {
				t.Errorf("%v, want %s", err, test.want)
			}
		})
	}
}

func TestSettings(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		settings []string
		want     string
	}{
		{nil, ""},
		{[]string{model.NameSetting, "small"}, model.URLSetting + " is not"},
		{[]string{model.URLSetting, "http://127.0.0.1"}, model.NameSetting + " is not"},
		{[]string{model.NameSetting, "small", model.URLSetting, "127.0.0.1"}, "no http or https URL"},
		{[]string{model.NameSetting, "small", model.URLSetting, "https://me:secret@example.com"}, "no http or https URL"},
	} {
		chat, err := model.From(settings(test.settings...))
		if chat != nil || (err == nil) != (test.want == "") || err != nil && (!strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "secret")) {
			t.Errorf("%v: %v, %v; want %s", test.settings, chat, err, test.want)
		}
	}
}
