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
	"github.com/causaldocs/causal/knowledge/redact"
	"github.com/causaldocs/causal/knowledge/prompt"
)

// The bounds of a response.
const (
	longestAnswer = 4 << 20 // bytes
	longestWords  = 300     // bytes of a server's error message that are shown
	longestError  = 64 << 10
)

// statusError is a response with another status than 200, with the server's own words.
type statusError struct {
	host, words string
	code        int
	retryAfter  time.Duration // below 0 if the server names none
}

func (e *statusError) Error() string {
	text := fmt.Sprintf("%s answered %d %s", e.host, e.code, http.StatusText(e.code))
	if e.words != "" {
		text += ": " + e.words
	}
	return text
}

// busy reports whether the same request may succeed later.
func (e *statusError) busy() bool {
	return e.code == http.StatusTooManyRequests || e.code == http.StatusRequestTimeout || e.code >= 500
}

// answerError is a response, or the lack of one, for which another attempt is of no use.
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

// connectError is a failure of the connection.
type connectError struct{ error }

// client sends requests, follows no redirect, and reads a bounded response. The key never appears in its errors.
type client struct {
	http.Client
	key     string
	setting string // the variable with the address
	longest int64
}

func newClient(key, setting string, longest int64) *client {
	c := &client{key: key, setting: setting, longest: longest}
	c.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return c
}

// Do returns a response with status 200 and its body in memory; every other status is a *statusError.
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

// clean makes a text of a server one that may be shown.
func (c *client) clean(text string) string {
	if c.key != "" {
		text = strings.ReplaceAll(text, c.key, redact.Mark)
	}
	return plain.Line(redact.Text(text), longestWords)
}

// wordsOf is the message of an error response, in the forms that servers use.
func wordsOf(data []byte) string {
	var said struct {
		Error           json.RawMessage
		Message, Detail json.RawMessage
	}
	if json.Unmarshal(data, &said) != nil {
		text := strings.TrimSpace(string(data))
		if strings.HasPrefix(text, "<") { // a page
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

// retryAfter reads the header: seconds, or a date.
func retryAfter(value string) time.Duration {
	if seconds, err := strconv.ParseFloat(value, 64); err == nil && seconds >= 0 && seconds < 1e6 {
		return time.Duration(seconds * float64(time.Second))
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(time.Until(at), 0)
	}
	return -1
}

// post sends JSON and decodes the answer into a value. format names the protocol in an error.
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
