// Package model reaches a language model: any that speaks the chat protocol of OpenAI over HTTP, as hosted ones, gateways and programs on
// the same machine do. What it answers is for its caller to check.
package model

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// The settings that say which model there is, as environment variables.
const (
	NameSetting = "CAUSAL_MODEL"     // its id, such as qwen2.5-coder:7b
	URLSetting  = "CAUSAL_MODEL_URL" // where its API begins, such as http://127.0.0.1:11434/v1
	KeySetting  = "CAUSAL_MODEL_KEY" // sent as a bearer token, where it is set
)

// The bounds of one question: models on a small machine are slow, and no answer that is of use is long.
const (
	patience = 2 * time.Minute
	longest  = 1 << 20
)

// Chat is one model.
type Chat struct {
	name, address, key string
	client             *http.Client
}

// From finds the model in settings such as os.Getenv; nil where none is named.
func From(getenv func(string) string) (*Chat, error) {
	name, base := getenv(NameSetting), getenv(URLSetting)
	switch u, err := url.Parse(base); {
	case name == "" && base == "":
		return nil, nil
	case name == "":
		return nil, fmt.Errorf("%s is set, and %s is not: it names the model", URLSetting, NameSetting)
	case base == "":
		return nil, fmt.Errorf("%s is set, and %s is not: it says where the API of the model begins, such as http://127.0.0.1:11434/v1", NameSetting, URLSetting)
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil:
		return nil, fmt.Errorf("%s is no http or https URL without user and password", URLSetting)
	}
	// A redirection would take the key, and the question, somewhere else.
	client := &http.Client{Timeout: patience, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return &Chat{name, strings.TrimSuffix(base, "/") + "/chat/completions", getenv(KeySetting), client}, nil
}

// Name is the id of the model.
func (c *Chat) Name() string { return c.name }

type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// Answer asks one question, and returns the text of the answer.
func (c *Chat) Answer(ctx context.Context, question string) (string, error) {
	body, err := json.Marshal(map[string]any{"model": c.name, "temperature": 0, "messages": []message{{"user", question}}})
	if err != nil {
		return "", err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.address, bytes.NewReader(body))
	if err != nil {
		return "", fmt.Errorf("ask %s: %w", c.name, err)
	}
	request.Header.Set("Content-Type", "application/json")
	if c.key != "" {
		request.Header.Set("Authorization", "Bearer "+c.key)
	}
	response, err := c.client.Do(request)
	if err != nil {
		return "", fmt.Errorf("ask %s: %w", c.name, err)
	}
	defer func() { _ = response.Body.Close() }()
	data, err := io.ReadAll(io.LimitReader(response.Body, longest+1))
	switch {
	case err != nil:
		return "", fmt.Errorf("ask %s: %w", c.name, err)
	case response.StatusCode != http.StatusOK:
		return "", fmt.Errorf("ask %s: %s says %s", c.name, request.URL.Host, response.Status)
	case len(data) > longest:
		return "", fmt.Errorf("ask %s: the answer has more than %d bytes", c.name, longest)
	}
	var answer struct {
		Choices []struct{ Message message }
	}
	if err := json.Unmarshal(data, &answer); err != nil {
		return "", fmt.Errorf("ask %s: the answer is not of OpenAI's form: %w", c.name, err)
	}
	if len(answer.Choices) == 0 {
		return "", fmt.Errorf("ask %s: %w", c.name, errNoAnswer)
	}
	return answer.Choices[0].Message.Content, nil
}

var errNoAnswer = errors.New("there is no answer in what came")
