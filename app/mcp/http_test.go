package mcp_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/causaldocs/causal/app/mcp"
)

const token = "0123456789abcdef"

// serve runs a server over HTTP until the test ends, and returns its address.
func serve(t *testing.T, dir string) string {
	t.Helper()
	l, err := mcp.Listen(t.Context(), "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	ended := make(chan error, 1)
	go func() { ended <- newServer(dir, &bytes.Buffer{}).ServeHTTP(ctx, l, token) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("the server ended with %v", err)
		}
	})
	return l.Addr().String()
}

// bearer shows a token with each request.
type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

func TestOverHTTP(t *testing.T) {
	t.Parallel()
	address := serve(t, newRepository(t, nil))
	client := sdk.NewClient(&sdk.Implementation{Name: "robot", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: "http://" + address + mcp.Path, HTTPClient: &http.Client{Transport: bearer(token)}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = session.Close() }()
	a := &agent{T: t, ClientSession: session}
	a.record("record_proposition", map[string]any{"text": "Serve it over HTTP"})
	text, _ := a.told("decisions", nil)
	a.wants(text, "Serve it over HTTP", "Ada")

	if _, err := client.Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: "http://" + address + mcp.Path, HTTPClient: &http.Client{Transport: bearer("wrong")}}, nil); err == nil {
		t.Error("a client with a wrong token is served")
	}
}

func TestWhoIsServed(t *testing.T) {
	t.Parallel()
	address := serve(t, newRepository(t, nil))
	_, port, _ := strings.Cut(address, ":")
	for name, c := range map[string]struct {
		header map[string]string
		path   string
		want   int
	}{
		"good":            {header: map[string]string{"Authorization": "Bearer " + token}, want: 200},
		"own origin":      {header: map[string]string{"Authorization": "Bearer " + token, "Origin": "http://localhost:" + port}, want: 200},
		"no token":        {want: 401},
		"wrong token":     {header: map[string]string{"Authorization": "Bearer " + token + "0"}, want: 401},
		"other scheme":    {header: map[string]string{"Authorization": "Basic " + token}, want: 401},
		"foreign origin":  {header: map[string]string{"Authorization": "Bearer " + token, "Origin": "https://evil.example"}, want: 403},
		"other port":      {header: map[string]string{"Authorization": "Bearer " + token, "Origin": "http://localhost:1"}, want: 403},
		"opaque origin":   {header: map[string]string{"Authorization": "Bearer " + token, "Origin": "null"}, want: 403},
		"rebound host":    {header: map[string]string{"Authorization": "Bearer " + token, "Host": "evil.example:" + port}, want: 403},
		"nowhere":         {header: map[string]string{"Authorization": "Bearer " + token}, path: "/", want: 404},
		"too large":       {header: map[string]string{"Authorization": "Bearer " + token, "large": "1"}, want: 413},
		"token of no one": {header: map[string]string{"Authorization": "Bearer "}, want: 401},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			body := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"robot","version":"1"}}}`
			if c.header["large"] != "" {
				body = strings.Repeat(" ", 2<<20) + body
			}
			path := mcp.Path
			if c.path != "" {
				path = c.path
			}
			r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+address+path, strings.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Accept", "application/json, text/event-stream")
			for k, v := range c.header {
				r.Header.Set(k, v)
			}
			if host := c.header["Host"]; host != "" {
				r.Host = host
			}
			got, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = got.Body.Close() }()
			text, err := io.ReadAll(got.Body)
			if err != nil || got.StatusCode != c.want {
				t.Errorf("%d, not %d: %s %v", got.StatusCode, c.want, text, err)
			}
			if strings.Contains(string(text), token) {
				t.Errorf("the token is told: %s", text)
			}
		})
	}
}

func TestOnlyThisMachineIsServed(t *testing.T) {
	t.Parallel()
	for _, address := range []string{":8765", "0.0.0.0:8765", "[::]:8765", "192.168.0.7:8765", "example.com:8765", "8765", "127.0.0.1"} {
		l, err := mcp.Listen(t.Context(), address)
		if err == nil {
			_ = l.Close()
			t.Errorf("%s is listened on", address)
		} else if !strings.Contains(err.Error(), "127.0.0.1:8765") {
			t.Errorf("%s: %v does not say what to do", address, err)
		}
	}
}

func TestTokens(t *testing.T) {
	t.Parallel()
	env := func(value string) func(string) string {
		return func(name string) string {
			if name != mcp.TokenVariable {
				return ""
			}
			return value
		}
	}
	one, made, err := mcp.Token(env(""))
	other, _, _ := mcp.Token(env(""))
	if err != nil || !made || len(one) < 20 || one == other {
		t.Errorf("made up %q and %q: %v %v", one, other, made, err)
	}
	if got, made, err := mcp.Token(env(token)); err != nil || made || got != token {
		t.Errorf("%q %v %v", got, made, err)
	}
	if _, _, err := mcp.Token(env("short")); err == nil || strings.Contains(err.Error(), "short ") {
		t.Errorf("a token that is guessed soon: %v", err)
	}
}
