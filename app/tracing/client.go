package tracing

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	collected "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// client sends spans by OTLP over HTTP. It implements otlptrace.Client. OpenTelemetry's client links gRPC, which adds
// about 4 ms to the start of each command and child process.
type client struct {
	endpoint string
	headers  http.Header
	http     *http.Client
}

// sending is the default time limit of a request, as in the standard.
const sending = 10 * time.Second

// newClient follows the standard variables: a traces endpoint is used unchanged, a general one is the base of its path.
func newClient(getenv func(string) string) (*client, error) {
	setting := func(name string) string {
		return cmp.Or(getenv("OTEL_EXPORTER_OTLP_TRACES_"+name), getenv("OTEL_EXPORTER_OTLP_"+name))
	}
	c := &client{endpoint: getenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"), headers: http.Header{}, http: &http.Client{Timeout: sending}}
	if c.endpoint == "" {
		c.endpoint = strings.TrimSuffix(getenv("OTEL_EXPORTER_OTLP_ENDPOINT"), "/") + "/v1/traces"
	}
	if u, err := url.Parse(c.endpoint); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_ENDPOINT is no address such as http://collector:4318")
	}
	for pair := range strings.SplitSeq(setting("HEADERS"), ",") {
		key, value, found := strings.Cut(pair, "=")
		value, err := url.PathUnescape(strings.TrimSpace(value))
		if found && err == nil {
			c.headers.Set(strings.TrimSpace(key), value)
		}
	}
	if text := setting("TIMEOUT"); text != "" {
		d, err := time.ParseDuration(text + "ms")
		if err != nil || d <= 0 {
			return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_TIMEOUT is %q, which is no number of milliseconds", text)
		}
		c.http.Timeout = d
	}
	return c, nil
}

// Start implements otlptrace.Client.
func (*client) Start(context.Context) error { return nil }

// Stop implements otlptrace.Client.
func (c *client) Stop(context.Context) error {
	c.http.CloseIdleConnections()
	return nil
}

// UploadTraces implements otlptrace.Client. The collector's request message has the wire format of TracesData.
func (c *client) UploadTraces(ctx context.Context, spans []*collected.ResourceSpans) error {
	body, err := proto.Marshal(&collected.TracesData{ResourceSpans: spans})
	if err != nil {
		return fmt.Errorf("send traces: %w", err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.endpoint, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("send traces: %w", err)
	}
	request.Header = c.headers.Clone()
	request.Header.Set("Content-Type", "application/x-protobuf")
	response, err := c.http.Do(request)
	if err != nil {
		return fmt.Errorf("send traces: %w", err)
	}
	defer response.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, mostAnswer)) // allows reuse of the connection
	if response.StatusCode >= http.StatusMultipleChoices {
		return fmt.Errorf("send traces: the collector answered %s", response.Status)
	}
	return nil
}

// mostAnswer bounds the bytes read from a response.
const mostAnswer = 64 << 10
