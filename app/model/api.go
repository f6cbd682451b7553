package model

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// api is one address of a program that speaks a protocol of OpenAI, and which model is asked there.
type api struct {
	name, address, key string
	longest            int64 // bytes of an answer
	client             *http.Client
}

// settings are names of environment variables: the model, where its API begins, and the key.
type settings struct{ name, url, key string }

// apiFrom finds an API in settings such as os.Getenv; nil where none is named.
func apiFrom(getenv func(string) string, s settings, path string, patience time.Duration, longest int64) (*api, error) {
	name, base := getenv(s.name), getenv(s.url)
	switch u, err := url.Parse(base); {
	case name == "" && base == "":
		return nil, nil
	case name == "":
		return nil, fmt.Errorf("%s is set, and %s is not: set it to the name of the model", s.url, s.name)
	case base == "":
		return nil, fmt.Errorf("%s is set, and %s is not: set it to the base URL of the model's API, such as http://127.0.0.1:11434/v1", s.name, s.url)
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil:
		return nil, fmt.Errorf("%s is no http or https URL without user and password", s.url)
	}
	// A redirection would take the key, and the question, somewhere else.
	client := &http.Client{Timeout: patience, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return &api{name, strings.TrimSuffix(base, "/") + path, getenv(s.key), longest, client}, nil
}

// ask sends one request, and reads the answer into a value.
func (a *api) ask(ctx context.Context, question, answer any) error {
	body, err := json.Marshal(question)
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, a.address, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("ask %s: %w", a.name, err)
	}
	request.Header.Set("Content-Type", "application/json")
	if a.key != "" {
		request.Header.Set("Authorization", "Bearer "+a.key)
	}
	response, err := a.client.Do(request)
	if err != nil {
		return fmt.Errorf("ask %s: %w", a.name, err)
	}
	defer func() { _ = response.Body.Close() }()
	data, err := io.ReadAll(io.LimitReader(response.Body, a.longest+1))
	switch {
	case err != nil:
		return fmt.Errorf("ask %s: %w", a.name, err)
	case response.StatusCode != http.StatusOK:
		return fmt.Errorf("ask %s: %s says %s", a.name, request.URL.Host, response.Status)
	case int64(len(data)) > a.longest:
		return fmt.Errorf("ask %s: the answer has more than %d bytes", a.name, a.longest)
	}
	if err := json.Unmarshal(data, answer); err != nil {
		return fmt.Errorf("ask %s: the answer does not have OpenAI's format: %w", a.name, err)
	}
	return nil
}
