package model

import (
	"context"
	"fmt"
	"net/url"
	"time"
)

// The settings that say which model turns texts into vectors, as environment variables.
const (
	EmbeddingsSetting    = "CAUSAL_EMBEDDINGS"     // its id, such as nomic-embed-text
	EmbeddingsURLSetting = "CAUSAL_EMBEDDINGS_URL" // where its API begins, such as http://127.0.0.1:11434/v1
	EmbeddingsKeySetting = "CAUSAL_EMBEDDINGS_KEY" // sent as a bearer token, where it is set
)

// The bounds of one request for vectors.
const (
	embeddingsPatience = 30 * time.Second // somebody waits for an answer that words would give at once
	largestEmbeddings  = 32 << 20         // 64 of 8192 numbers, each with all its digits and a line of its own
	mostEmbedded       = 64               // texts
	mostSize           = 8192             // numbers of a vector
)

// Embeddings is one model that turns texts into vectors.
type Embeddings struct {
	api  *api
	host string
}

// EmbeddingsFrom finds the model in settings such as os.Getenv; nil where none is named.
func EmbeddingsFrom(getenv func(string) string) (*Embeddings, error) {
	a, err := apiFrom(getenv, settings{EmbeddingsSetting, EmbeddingsURLSetting, EmbeddingsKeySetting}, "/embeddings", embeddingsPatience, largestEmbeddings)
	if a == nil {
		return nil, err
	}
	u, err := url.Parse(a.address)
	if err != nil {
		return nil, err
	}
	return &Embeddings{a, u.Host}, nil
}

// Name says what made the vectors.
func (e *Embeddings) Name() string { return e.api.name + " of " + e.host }

// Key tells the vectors of one model at one address from all others. It holds no secret.
func (e *Embeddings) Key() string { return e.api.address + "\x00" + e.api.name }

// Embed returns a vector for each text.
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
	if err := e.api.ask(ctx, map[string]any{"model": e.api.name, "input": texts, "encoding_format": "float"}, &answer); err != nil {
		return nil, err
	}
	out := make([][]float32, len(texts))
	for _, d := range answer.Data {
		if d.Index < 0 || d.Index >= len(out) || out[d.Index] != nil {
			return nil, fmt.Errorf("ask %s: a vector in the response belongs to no text", e.api.name)
		}
		out[d.Index] = d.Embedding
	}
	for _, vector := range out {
		if size := len(vector); size == 0 || size > mostSize || size != len(out[0]) {
			return nil, fmt.Errorf("ask %s: the vectors have %d and %d numbers; all must have the same length, from 1 to %d", e.api.name, len(out[0]), size, mostSize)
		}
	}
	return out, nil
}
