// Package model reaches models that speak the protocols of OpenAI over HTTP, as hosted ones, gateways and programs on the same machine do: one
// that answers questions, and one that turns texts into vectors. What they answer is for their caller to check.
package model

import (
	"context"
	"errors"
	"fmt"
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
type Chat struct{ api *api }

// From finds the model in settings such as os.Getenv; nil where none is named.
func From(getenv func(string) string) (*Chat, error) {
	a, err := apiFrom(getenv, settings{NameSetting, URLSetting, KeySetting}, "/chat/completions", patience, longest)
	if a == nil {
		return nil, err
	}
	return &Chat{a}, nil
}

// Name is the id of the model.
func (c *Chat) Name() string { return c.api.name }

type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// Answer asks one question, and returns the text of the answer.
func (c *Chat) Answer(ctx context.Context, question string) (string, error) {
	var answer struct {
		Choices []struct{ Message message }
	}
	err := c.api.ask(ctx, map[string]any{"model": c.api.name, "temperature": 0, "messages": []message{{"user", question}}}, &answer)
	if err != nil {
		return "", err
	}
	if len(answer.Choices) == 0 {
		return "", fmt.Errorf("ask %s: %w", c.api.name, errNoAnswer)
	}
	return answer.Choices[0].Message.Content, nil
}

var errNoAnswer = errors.New("the response has no answer")
