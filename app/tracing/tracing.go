// Package tracing exports the server's traces to the endpoint in the standard variables of OpenTelemetry. Without an
// endpoint it starts nothing: no exporter, goroutine or request.
package tracing

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
)

// longestValue bounds the bytes of an attribute, since names of repositories and branches are untrusted.
const longestValue = 256

// flushing is the time limit for exporting the last traces at shutdown.
const flushing = 5 * time.Second

// Provider creates and exports traces.
type Provider struct{ *sdk.TracerProvider }

// protocol is the only supported one.
const protocol = "http/protobuf"

// Start returns nil if the variables name no endpoint or disable tracing. It follows the variables for time limits,
// headers, sampling and the resource; the latter two are read from the process environment.
func Start(ctx context.Context, getenv func(string) string) (*Provider, error) {
	if cmp.Or(getenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"), getenv("OTEL_EXPORTER_OTLP_ENDPOINT")) == "" ||
		strings.EqualFold(getenv("OTEL_SDK_DISABLED"), "true") || getenv("OTEL_TRACES_EXPORTER") == "none" {
		return nil, nil
	}
	if p := cmp.Or(getenv("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL"), getenv("OTEL_EXPORTER_OTLP_PROTOCOL"), protocol); p != protocol {
		return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_PROTOCOL is %q, and only %s is spoken here", p, protocol)
	}
	c, err := newClient(getenv)
	if err != nil {
		return nil, err
	}
	exporter, err := otlptrace.New(ctx, c)
	if err != nil {
		return nil, fmt.Errorf("prepare traces: %w", err)
	}
	about, err := resource.New(ctx, resource.WithAttributes(attribute.String("service.name", "causal")), resource.WithFromEnv())
	if err != nil && !errors.Is(err, resource.ErrPartialResource) {
		return nil, fmt.Errorf("prepare traces: %w", err)
	}
	limits := sdk.NewSpanLimits()
	limits.AttributeValueLengthLimit = longestValue
	return &Provider{sdk.NewTracerProvider(sdk.WithBatcher(exporter), sdk.WithResource(about), sdk.WithRawSpanLimits(limits))}, nil
}

// Stop exports the remaining traces within a time limit.
func (p *Provider) Stop(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), flushing)
	defer cancel()
	if err := p.Shutdown(ctx); err != nil {
		return fmt.Errorf("send the last traces: %w", err)
	}
	return nil
}
