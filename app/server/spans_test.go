package server_test

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/causaldocs/causal/app/githubsim"
	"github.com/causaldocs/causal/app/server"
	"github.com/causaldocs/causal/app/web"
)

// TestSpans: a push can be followed from the delivery to the commit, and nothing of it is a secret.
func TestSpans(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.eventually("the first docs are there", f.has(moneyPage, "Holds amounts."))
	f.quiet()
	f.stop()
	kept := tracetest.NewInMemoryExporter()
	app := f.sim.App()
	f.run(server.Options{
		GitHubURL: f.sim.URL(), Out: io.Discard, StatusToken: token, Traces: sdk.NewTracerProvider(sdk.WithSyncer(kept)), Credentials: &web.Credentials{
			Host: f.sim.URL(), ID: app.ID, Slug: app.Slug, WebhookSecret: app.Secret, PrivateKey: app.PEM(),
		},
	})
	f.sim.SetWebhook(f.server.WebhookURL())
	f.push(map[string]string{"money/money.go": strings.Replace(shop["money/money.go"], "int64", "uint64", 1)})
	f.eventually("the page follows a push", f.has(moneyPage, "uint64"))
	f.quiet()
	f.stop()

	spans := kept.GetSpans()
	names, below := map[string]int{}, map[string][]string{}
	parents := map[string]string{}
	for _, s := range spans {
		parents[s.SpanContext.SpanID().String()] = s.Name
	}
	for _, s := range spans {
		names[s.Name]++
		below[parents[s.Parent.SpanID().String()]] = append(below[parents[s.Parent.SpanID().String()]], s.Name)
		text := fmt.Sprintf("%+v", s.Attributes)
		for _, secret := range []string{app.Secret, token, "ghs_", "uint64"} {
			if strings.Contains(text, secret) {
				t.Errorf("%s tells %q: %s", s.Name, secret, text)
			}
		}
		if s.Name == "job" && !strings.Contains(text, "octo/shop") || s.Name == "delivery" && !strings.Contains(text, "push") {
			t.Errorf("%s tells %s", s.Name, text)
		}
	}
	for parent, children := range map[string][]string{"": {"delivery", "job"}, "job": {"analysis", "publish", "GET repos/{owner}/{repo}/branches"}, "analysis": {"git fetch"}, "publish": {"POST graphql"}} {
		for _, child := range children {
			if !slices.Contains(below[parent], child) {
				t.Errorf("below %q there is no %q, but %v", parent, child, below[parent])
			}
		}
	}
}

// TestASpanOfAFailure checks that a span has the kind of a failure, and not its message.
func TestASpanOfAFailure(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.eventually("the first docs are there", f.has(moneyPage, "Holds amounts."))
	f.quiet()
	f.stop()
	kept := tracetest.NewInMemoryExporter()
	app := f.sim.App()
	f.sim.Faults(githubsim.Fault{Operation: "repos/get", Times: -1, Effect: githubsim.Refuse(403, "a word of GitHub's")})
	f.run(server.Options{
		GitHubURL: f.sim.URL(), Out: io.Discard, StatusToken: token, Traces: sdk.NewTracerProvider(sdk.WithSyncer(kept)), Credentials: &web.Credentials{
			Host: f.sim.URL(), ID: app.ID, Slug: app.Slug, WebhookSecret: app.Secret, PrivateKey: app.PEM(),
		},
	})
	f.sim.SetWebhook(f.server.WebhookURL())
	f.push(map[string]string{"a.go": "package a\n"})
	var failed []string
	f.eventually("a job has failed", func() bool {
		for _, s := range kept.GetSpans() {
			if s.Name == "job" && s.Status.Description != "" {
				failed = append(failed, s.Status.Description)
			}
		}
		return len(failed) > 0
	})
	if strings.Contains(fmt.Sprint(failed), "word") {
		t.Errorf("the status is %v", failed)
	}
	f.sim.Heal()
}
