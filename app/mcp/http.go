package mcp

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Path is the URL path of the protocol.
const Path = "/mcp"

// TokenVariable is the environment variable with the token.
const TokenVariable = "CAUSAL_MCP_TOKEN" //nolint:gosec // it names a variable and no token

// Limits of the HTTP server.
const (
	shortestToken = 16 // characters
	mostBody      = 1 << 20
	patienceHead  = 10 * time.Second // to read request headers
	patienceEnd   = 10 * time.Second // for running calls at shutdown
)

// Listen opens a loopback address for ServeHTTP. Other addresses are refused, because clients act for the user who
// started the server.
func Listen(ctx context.Context, address string) (net.Listener, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("listen on %q: give an address and a port, as 127.0.0.1:8765", address)
	}
	if host == "localhost" {
		host = "127.0.0.1"
	}
	if ip, err := netip.ParseAddr(host); err != nil || !ip.IsLoopback() {
		return nil, fmt.Errorf("listen on %q: only local addresses are allowed, such as 127.0.0.1:8765 or [::1]:8765", address)
	}
	var l net.ListenConfig
	return l.Listen(ctx, "tcp", net.JoinHostPort(host, port))
}

// Token returns the access token: the environment's, or a new random one (made).
func Token(getenv func(string) string) (token string, made bool, err error) {
	switch token = getenv(TokenVariable); {
	case token == "":
		return rand.Text(), true, nil
	case len(token) < shortestToken:
		return "", false, fmt.Errorf("%s has %d characters, at least %d are required: generate one with `openssl rand -hex 16`", TokenVariable, len(token), shortestToken)
	}
	return token, false, nil
}

// ServeHTTP serves clients with the token until the context ends, and then lets running calls finish.
func (s *Server) ServeHTTP(ctx context.Context, l net.Listener, token string) error {
	protocol := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s.sdk }, &mcp.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true, Logger: s.Log, MaxRequestBodyBytes: mostBody, PropagateRequestCancellation: true,
	})
	mux := http.NewServeMux()
	mux.Handle(Path, guarded(l.Addr().String(), token, protocol))
	server := &http.Server{Handler: mux, ReadHeaderTimeout: patienceHead}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	select {
	case err := <-ended:
		return fmt.Errorf("serve %s: %w", l.Addr(), err)
	case <-ctx.Done():
	}
	soon, cancel := context.WithTimeout(context.WithoutCancel(ctx), patienceEnd)
	defer cancel()
	err := server.Shutdown(soon)
	if errors.Is(err, context.DeadlineExceeded) {
		err = server.Close()
	}
	if served := <-ended; !errors.Is(served, http.ErrServerClosed) {
		err = errors.Join(err, served)
	}
	return err
}

// guarded requires the token, and checks host and origin against DNS rebinding by web pages.
func guarded(address, token string, next http.Handler) http.Handler {
	_, port, _ := net.SplitHostPort(address)
	hosts := map[string]bool{address: true, "localhost:" + port: true, "127.0.0.1:" + port: true, "[::1]:" + port: true}
	want := sha256.Sum256([]byte(token))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		scheme, shown, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		got := sha256.Sum256([]byte(shown))
		switch origin, from, _ := strings.Cut(r.Header.Get("Origin"), "://"); {
		case !hosts[r.Host]:
			http.Error(w, "unknown host name: use 127.0.0.1", http.StatusForbidden)
		case r.Header.Get("Origin") != "" && (origin != "http" || !hosts[from]):
			http.Error(w, "requests from other origins are refused", http.StatusForbidden)
		case !strings.EqualFold(scheme, "Bearer") || subtle.ConstantTimeCompare(got[:], want[:]) != 1:
			w.Header().Set("WWW-Authenticate", "Bearer")
			http.Error(w, "send the token of `causal mcp --http`: \"Authorization: Bearer TOKEN\"", http.StatusUnauthorized)
		default:
			next.ServeHTTP(w, r)
		}
	})
}
