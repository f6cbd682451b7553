package cli_test

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"github.com/causaldocs/causal/app/cli"
)

// TestServeRefusesFirst checks that configuration errors are reported before an App is created on GitHub.
func TestServeRefusesFirst(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		token, flag, want string
	}{
		{"short", "", "CAUSAL_STATUS_TOKEN: the token of the status page has fewer than 16 characters"},
		{"", "--github-url=github.example.com", "--github-url: \"github.example.com\" is not the URL of a GitHub server"},
		{"", "--github-url=http://github.example.com", "must begin with https://"},
		{"", "--log-level=loud", "--log-level \"loud\" is not one of debug, info, warn and error"},
		{"", "--allow=octo,octo/shop/x", "--allow: \"octo/shop/x\" is neither an owner, such as octo, nor a repository, such as octo/shop"},
		{"", "--listen=127.0.0.1:0", "OTEL_EXPORTER_OTLP_PROTOCOL is \"grpc\", and only http/protobuf is spoken here"},
		{"", "--public-url=causal.example.com", "--public-url"},
		{"", "--listen=8080", "--listen \"8080\" is not an address such as 127.0.0.1:8080"},
		{"", "--admin=127.0.0.1:99999", "--admin \"127.0.0.1:99999\" is not an address"},
		{"", "--workers=0", "--workers must be at least 1"},
		{"", "--database-url=mysql://secret@db/x", "--database-url must begin with postgres:// or sqlite://"},
		{"", "--public-url=https://causal.example.com/x", "must not have a path"},
		{"", "--public-url=https://causal.example.com?x", "--public-url"},
	} {
		args := []string{"serve", "--listen=127.0.0.1:0", "--admin=", "--data=" + t.TempDir()}
		if c.flag != "" {
			args = append(args, c.flag)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		var out bytes.Buffer
		code := cli.Run(ctx, args, cli.IO{Out: &out, Err: &out, Now: time.Now, Getenv: func(name string) string {
			return map[string]string{
				"CAUSAL_STATUS_TOKEN": c.token, "OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1", "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc",
			}[name]
		}})
		cancel()
		if code != cli.ExitUsage || !strings.Contains(out.String(), c.want) {
			t.Errorf("%q %q: exit code %d, %s", c.token, c.flag, code, out.String())
		}
	}
}
