// Package tracing sends what the server tells of its work, as traces, to where the standard variables of OpenTelemetry say. Without an
// endpoint there is nothing: no exporter, no goroutine, no request.
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

// longestValue is how many bytes of an attribute are kept: names of repositories and branches come from strangers.
const longestValue = 256

// flushing is how long a server that stops waits for the last traces to be taken.
const flushing = 5 * time.Second

// Provider makes traces, and sends them.
type Provider struct{ *sdk.TracerProvider }

// protocol is the only one that is spoken.
const protocol = "http/protobuf"

// Start returns nil when the variables name no endpoint, or switch tracing off. What they say of time limits, headers
// and sampling is followed, of sampling and of the resource as it stands in the environment of the process.
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

// Stop sends what is left, for as long as that may take.
func (p *Provider) Stop(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), flushing)
	defer cancel()
	if err := p.Shutdown(ctx); err != nil {
		return fmt.Errorf("send the last traces: %w", err)
	}
	return nil
}
