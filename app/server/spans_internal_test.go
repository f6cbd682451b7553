package server

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	sdk "go.opentelemetry.io/otel/sdk/trace"
)

// TestTracesKeepDeadlines: the door interrupts slow senders, also where it is traced.
func TestTracesKeepDeadlines(t *testing.T) {
	t.Parallel()
	traced := newSpans(sdk.NewTracerProvider()).door(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if err := http.NewResponseController(w).SetReadDeadline(time.Time{}); err != nil {
			t.Errorf("a sender cannot be interrupted: %v", err)
		}
	}), time.Now)
	server := httptest.NewServer(traced)
	defer server.Close()
	answer, err := http.Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
}
