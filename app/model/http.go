package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/knowledge/prompt"
	"github.com/causaldocs/causal/knowledge/redact"
)

const (
	longestAnswer = 4 << 20 // bytes
	longestWords  = 300     // displayed bytes of a server's error message
	longestError  = 64 << 10
)

// statusError is a response with a status other than 200.
type statusError struct {
	host, words string
	code        int
	retryAfter  time.Duration // negative if absent
}

func (e *statusError) Error() string {
	text := fmt.Sprintf("%s answered %d %s", e.host, e.code, http.StatusText(e.code))
	if e.words != "" {
		text += ": " + e.words
	}
	return text
}

// busy reports whether a retry may succeed.
func (e *statusError) busy() bool {
	return e.code == http.StatusTooManyRequests || e.code == http.StatusRequestTimeout || e.code >= 500
}

// answerError is a failure that a retry cannot fix.
type answerError struct {
	err    error
	status prompt.Reason // empty: Unavailable, and the run makes no more requests
}

func (e *answerError) Error() string { return e.err.Error() }

func (e *answerError) Unwrap() error { return e.err }

func (e *answerError) reason() prompt.Reason {
	if e.status == "" {
		return prompt.Unavailable
	}
	return e.status
}

func (e *answerError) ends() bool { return e.status == "" }

type connectError struct{ error }

// client sends requests without following redirects, and bounds responses. Its errors never contain the key.
type client struct {
	http.Client
	key     string
	setting string // variable with the address
	longest int64
}

func newClient(key, setting string, longest int64) *client {
	c := &client{key: key, setting: setting, longest: longest}
	c.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return c
}

// Do returns a response with status 200 and its body in memory; or an error for any other status.
func (c *client) Do(request *http.Request) (*http.Response, error) {
	response, err := c.Client.Do(request)
	if err != nil {
		told := errors.New(c.clean(err.Error()))
		var op *net.OpError
		if errors.As(err, &op) && op.Op == "dial" { // a server that is not running does not start within seconds
			return nil, &answerError{told, ""}
		}
		return nil, &connectError{told}
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return nil, c.statusError(request, response)
	}
	data, err := io.ReadAll(io.LimitReader(response.Body, c.longest+1))
	if err != nil {
		return nil, &connectError{fmt.Errorf("read the response of %s: %w", request.URL.Host, err)}
	}
	if int64(len(data)) > c.longest {
		return nil, &answerError{fmt.Errorf("the response of %s is longer than %d bytes", request.URL.Host, c.longest), prompt.NotTheForm}
	}
	response.Body = io.NopCloser(bytes.NewReader(data))
	return response, nil
}

func (c *client) statusError(request *http.Request, response *http.Response) error {
	if where := response.Header.Get("Location"); response.StatusCode/100 == 3 {
		return &answerError{fmt.Errorf("%s redirects to %s, and causal follows no redirect: set %s to the address itself",
			request.URL.Host, plain.Line(c.clean(where), longestWords), c.setting), ""}
	}
	data, _ := io.ReadAll(io.LimitReader(response.Body, longestError))
	return &statusError{request.URL.Host, c.clean(wordsOf(data)), response.StatusCode, retryAfter(response.Header.Get("Retry-After"))}
}

// clean removes secrets from a server's text.
func (c *client) clean(text string) string {
	if c.key != "" {
		text = strings.ReplaceAll(text, c.key, redact.Mark)
	}
	return plain.Line(redact.Text(text), longestWords)
}

// wordsOf extracts the message from the common forms of error responses.
func wordsOf(data []byte) string {
	var said struct {
		Error           json.RawMessage
		Message, Detail json.RawMessage
	}
	if json.Unmarshal(data, &said) != nil {
		text := strings.TrimSpace(string(data))
		if strings.HasPrefix(text, "<") { // an HTML page
			return ""
		}
		return text
	}
	var inner struct{ Message string }
	for _, raw := range []json.RawMessage{said.Error, said.Message, said.Detail} {
		var text string
		if json.Unmarshal(raw, &inner) == nil && inner.Message != "" {
			return inner.Message
		}
		if json.Unmarshal(raw, &text) == nil && text != "" {
			return text
		}
	}
	return ""
}

// retryAfter parses seconds or a date; negative if absent.
func retryAfter(value string) time.Duration {
	if seconds, err := strconv.ParseFloat(value, 64); err == nil && seconds >= 0 && seconds < 1e6 {
		return time.Duration(seconds * float64(time.Second))
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(time.Until(at), 0)
	}
	return -1
}

// post sends JSON and decodes the response. format names the protocol in errors.
func (c *client) post(request *http.Request, format string, into any) error {
	request.Header.Set("Content-Type", "application/json")
	if c.key != "" {
		request.Header.Set("Authorization", "Bearer "+c.key)
	}
	response, err := c.Do(request) //nolint:bodyclose // the body is in memory
	if err != nil {
		return err
	}
	if err := json.NewDecoder(response.Body).Decode(into); err != nil {
		return &answerError{fmt.Errorf("the response of %s does not have the format of %s: %s", request.URL.Host, format, c.clean(err.Error())), prompt.NotTheForm}
	}
	return nil
}
