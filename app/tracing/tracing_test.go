package tracing_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"
	collector "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/causaldocs/causal/app/tracing"
)

// TestTracesAreSent to the endpoint of the environment, at the latest when the server stops.
func TestTracesAreSent(t *testing.T) {
	got := make(chan *collector.TracesData, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		sent := &collector.TracesData{}
		if err != nil || r.URL.Path != "/v1/traces" || r.Header.Get("X-Key") != "k" || proto.Unmarshal(body, sent) != nil {
			t.Errorf("%s: %v, %d bytes", r.URL.Path, err, len(body))
		}
		got <- sent
	}))
	defer server.Close()
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", server.URL)
	t.Setenv("OTEL_EXPORTER_OTLP_HEADERS", "x-key=k")
	t.Setenv("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment=test")
	p, err := tracing.Start(t.Context(), os.Getenv)
	if err != nil || p == nil {
		t.Fatalf("%v, %v", p, err)
	}
	_, span := p.Tracer("causal").Start(t.Context(), "job", trace.WithAttributes(attribute.String("long", strings.Repeat("x", 1000))))
	span.End()
	if err := p.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	sent := <-got
	text := sent.String()
	for _, want := range []string{"service.name", `"causal"`, "deployment.environment", `name:"job"`} {
		if !strings.Contains(strings.ReplaceAll(text, " ", ""), want) {
			t.Errorf("%s is not in %s", want, text)
		}
	}
	if value := sent.GetResourceSpans()[0].GetScopeSpans()[0].GetSpans()[0].GetAttributes()[0].GetValue().GetStringValue(); len(value) != 256 {
		t.Errorf("an attribute has %d bytes", len(value))
	}
}

func TestWhatCannotBeFollowed(t *testing.T) {
	t.Parallel()
	for name, env := range map[string]map[string]string{
		"no address":   {"OTEL_EXPORTER_OTLP_ENDPOINT": "collector:4318"},
		"no time":      {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1", "OTEL_EXPORTER_OTLP_TIMEOUT": "soon"},
		"less than no": {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1", "OTEL_EXPORTER_OTLP_TIMEOUT": "-1"},
	} {
		if _, err := tracing.Start(t.Context(), func(name string) string { return env[name] }); err == nil || !strings.Contains(err.Error(), "OTEL_EXPORTER_OTLP_") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestNoEndpointNoTraces(t *testing.T) {
	t.Parallel()
	for name, env := range map[string]map[string]string{
		"nothing":          {},
		"switched off":     {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1", "OTEL_SDK_DISABLED": "true"},
		"another exporter": {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1", "OTEL_TRACES_EXPORTER": "none"},
	} {
		if p, err := tracing.Start(t.Context(), func(name string) string { return env[name] }); p != nil || err != nil {
			t.Errorf("%s: %v, %v", name, p, err)
		}
	}
	env := map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1", "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}
	if _, err := tracing.Start(t.Context(), func(name string) string { return env[name] }); err == nil {
		t.Error("gRPC is not spoken, and nobody says so")
	}
}
