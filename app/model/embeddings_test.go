package model_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/model"
)

// embedder answers as OpenAI's does, the last text first: a vector has the length of its text.
func embedder(t *testing.T, asked *[]int) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var got struct {
			Model string
			Input []string
		}
		if err := json.NewDecoder(r.Body).Decode(&got); err != nil {
			t.Error(err)
		}
		if r.Method != http.MethodPost || r.URL.Path != "/v1/embeddings" || r.Header.Get("Authorization") != "Bearer secret" || got.Model != "small" {
			t.Errorf("%s %s with %q asks %s", r.Method, r.URL.Path, r.Header.Get("Authorization"), got.Model)
		}
		*asked = append(*asked, len(got.Input))
		var data []string
		for i := len(got.Input) - 1; i >= 0; i-- {
			data = append(data, fmt.Sprintf(`{"object":"embedding","index":%d,"embedding":[%d,0.5]}`, i, len(got.Input[i])))
		}
		_, _ = io.WriteString(w, `{"object":"list","data":[`+strings.Join(data, ",")+`],"usage":{"total_tokens":9}}`)
	}))
	t.Cleanup(server.Close)
	return server
}

func TestEmbed(t *testing.T) {
	t.Parallel()
	var asked []int
	server := embedder(t, &asked)
	e, err := model.EmbeddingsFrom(settings(model.EmbeddingsSetting, "small", model.EmbeddingsURLSetting, server.URL+"/v1/", model.EmbeddingsKeySetting, "secret"))
	if err != nil {
		t.Fatal(err)
	}
	texts := make([]string, 150)
	for i := range texts {
		texts[i] = strings.Repeat("x", i)
	}
	vectors, err := e.Embed(t.Context(), texts)
	if err != nil || len(vectors) != len(texts) || fmt.Sprint(asked) != "[64 64 22]" {
		t.Fatalf("%d vectors, %v, asked %v", len(vectors), err, asked)
	}
	for i, v := range vectors {
		if len(v) != 2 || v[0] != float32(i) {
			t.Errorf("%d: %v", i, v)
		}
	}
	if name := e.Name(); !strings.HasPrefix(name, "small of 127.0.0.1:") || strings.Contains(name+e.Key(), "secret") {
		t.Errorf("%q, %q", name, e.Key())
	}
}

// TestNoVectors: whatever comes back that is no vector for each text is an error that names the model, and never the key.
func TestNoVectors(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		status int
		body   string
		want   string
	}{
		"refused":       {http.StatusUnauthorized, `{"error":"bad key secret"}`, "401 Unauthorized"},
		"moved":         {http.StatusTemporaryRedirect, "", "set CAUSAL_EMBEDDINGS_URL to the address itself"},
		"not JSON":      {http.StatusOK, "<html>", "not have the format of OpenAI's embeddings"},
		"nothing":       {http.StatusOK, `{"data":[]}`, "have 0 and 0 numbers"},
		"one for two":   {http.StatusOK, `{"data":[{"index":0,"embedding":[1]}]}`, "have 1 and 0 numbers"},
		"two sizes":     {http.StatusOK, `{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[1,2]}]}`, "have 1 and 2 numbers"},
		"one twice":     {http.StatusOK, `{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}`, "belongs to no text"},
		"one too many":  {http.StatusOK, `{"data":[{"index":2,"embedding":[1]}]}`, "belongs to no text"},
		"too large":     {http.StatusOK, `{"data":[{"index":0,"embedding":[1e99]}]}`, "not have the format of OpenAI's embeddings"},
		"words":         {http.StatusOK, `{"data":[{"index":0,"embedding":"AACAPw=="}]}`, "not have the format of OpenAI's embeddings"},
		"many numbers":  {http.StatusOK, `{"data":[{"index":0,"embedding":[` + strings.Repeat("1,", 9000) + `1]}]}`, "numbers"},
		"without end":   {http.StatusOK, strings.Repeat("a", 33<<20), "longer than"},
		"below nothing": {http.StatusOK, `{"data":[{"index":-1,"embedding":[1]}]}`, "belongs to no text"},
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
			e, err := model.EmbeddingsFrom(settings(model.EmbeddingsSetting, "small", model.EmbeddingsURLSetting, server.URL, model.EmbeddingsKeySetting, "secret"))
			if err != nil {
				t.Fatal(err)
			}
			if _, err = e.Embed(t.Context(), []string{"a", "b"}); err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), "small") || strings.Contains(err.Error(), "secret") {
				t.Errorf("%v, want %s", err, test.want)
			}
		})
	}
}

func TestEmbeddingsSettings(t *testing.T) {
	t.Parallel()
	if e, err := model.EmbeddingsFrom(settings()); e != nil || err != nil {
		t.Errorf("%v, %v", e, err)
	}
	if _, err := model.EmbeddingsFrom(settings(model.EmbeddingsSetting, "small")); err == nil || !strings.Contains(err.Error(), model.EmbeddingsURLSetting+" is not") {
		t.Error(err)
	}
}
