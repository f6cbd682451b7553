package model

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/causaldocs/causal/knowledge/redact"
)

// Environment variables for the embedding model.
const (
	EmbeddingsSetting    = "CAUSAL_EMBEDDINGS"     // model id, such as nomic-embed-text
	EmbeddingsURLSetting = "CAUSAL_EMBEDDINGS_URL" // base URL, such as http://127.0.0.1:11434/v1
	EmbeddingsKeySetting = "CAUSAL_EMBEDDINGS_KEY" // optional bearer token
)

// Bounds of an embedding request.
const (
	embeddingsPatience = 30 * time.Second // a user is waiting, and word search is immediate
	largestEmbeddings  = 32 << 20         // 64 vectors of 8192 numbers, one per line with all digits
	mostEmbedded       = 64               // texts
	mostSize           = 8192             // numbers per vector
)

// Embeddings is a client for an embedding model.
type Embeddings struct {
	name, address, host string
	client              *client
}

// EmbeddingsFrom reads the settings from the environment; nil if no model is set, or causal is offline.
func EmbeddingsFrom(getenv func(string) string) (*Embeddings, error) {
	name, base := getenv(EmbeddingsSetting), getenv(EmbeddingsURLSetting)
	switch {
	case name == "", getenv(OfflineSetting) != "":
		return nil, nil
	case base == "":
		return nil, fmt.Errorf("%s is set, and %s is not: set it to the base of the model's API, such as http://127.0.0.1:11434/v1", EmbeddingsSetting, EmbeddingsURLSetting)
	}
	if err := checkURL(EmbeddingsURLSetting, base); err != nil {
		return nil, err
	}
	u, err := url.Parse(base)
	if err != nil {
		return nil, err
	}
	c := newClient(getenv(EmbeddingsKeySetting), EmbeddingsURLSetting, largestEmbeddings)
	c.Timeout = embeddingsPatience
	return &Embeddings{name, strings.TrimSuffix(base, "/") + "/embeddings", u.Host, c}, nil
}

// Name describes the model and its host.
func (e *Embeddings) Name() string { return e.name + " of " + e.host }

// Key identifies vectors of this model and address. It contains no secret.
func (e *Embeddings) Key() string { return e.address + "\x00" + e.name }

// Embed returns a vector for each text. It redacts secrets.
func (e *Embeddings) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	var out [][]float32
	for len(texts) > 0 {
		some := texts[:min(mostEmbedded, len(texts))]
		texts = texts[len(some):]
		vectors, err := e.some(ctx, some)
		if err != nil {
			return nil, err
		}
		out = append(out, vectors...)
	}
	return out, nil
}

func (e *Embeddings) some(ctx context.Context, texts []string) ([][]float32, error) {
	var answer struct {
		Data []struct {
			Index     int
			Embedding []float32
		}
	}
	input := make([]string, len(texts))
	for i, text := range texts {
		input[i] = redact.Text(text)
	}
	body, err := json.Marshal(map[string]any{"model": e.name, "input": input, "encoding_format": "float"})
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, e.address, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("ask %s: %w", e.name, err)
	}
	if err := e.client.post(request, "OpenAI's embeddings", &answer); err != nil {
		return nil, fmt.Errorf("ask %s: %w", e.name, err)
	}
	out := make([][]float32, len(texts))
	for _, d := range answer.Data {
		if d.Index < 0 || d.Index >= len(out) || out[d.Index] != nil {
			return nil, fmt.Errorf("ask %s: a vector in the response belongs to no text", e.name)
		}
		out[d.Index] = d.Embedding
	}
	for _, vector := range out {
		if size := len(vector); size == 0 || size > mostSize || size != len(out[0]) {
			return nil, fmt.Errorf("ask %s: the vectors have %d and %d numbers; all must have the same length, from 1 to %d", e.name, len(out[0]), size, mostSize)
		}
	}
	return out, nil
}
