package github

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"sync"
	"time"

	gh "github.com/google/go-github/v66/github"
)

// Delivery is one attempt to deliver a webhook.
type Delivery struct {
	ID         int64  // id of the attempt, for Redeliver
	GUID       string // id of the delivery, common to all attempts
	Event      string
	At         time.Time
	StatusCode int // our server's answer; 0: not reachable
}

// OK reports whether our server accepted the delivery.
func (d Delivery) OK() bool { return d.StatusCode >= 200 && d.StatusCode < 300 }

const mostDeliveries = 20_000

// Deliveries lists the delivery attempts since a time, latest first.
func (a *App) Deliveries(ctx context.Context, since time.Time) ([]Delivery, error) {
	var out []Delivery
	page := gh.ListCursorOptions{PerPage: perPage}
	for len(out) < mostDeliveries {
		found, resp, err := a.api.Apps.ListHookDeliveries(ctx, &page)
		if err != nil {
			return nil, a.opt.explain(ctx, "list webhook deliveries", "", err)
		}
		for _, d := range found {
			if d.GetDeliveredAt().Before(since) {
				return out, nil
			}
			out = append(out, deliveryOf(d))
		}
		if resp.Cursor == "" {
			return out, nil
		}
		page.Cursor = resp.Cursor
	}
	return out, nil
}

func deliveryOf(d *gh.HookDelivery) Delivery {
	return Delivery{d.GetID(), d.GetGUID(), d.GetEvent(), d.GetDeliveredAt().Time, d.GetStatusCode()}
}

// Redeliver requests another attempt. It is idempotent: receivers identify a delivery by its GUID.
func (a *App) Redeliver(ctx context.Context, id int64) error {
	_, _, err := a.api.Apps.RedeliverHookDelivery(repeatable(ctx), id)
	if accepted := (*gh.AcceptedError)(nil); errors.As(err, &accepted) {
		return nil // go-github reports the 202 of a success as an error
	}
	return a.opt.explain(ctx, fmt.Sprintf("redeliver %d", id), "", err)
}

// Hook is the App's webhook configuration.
type Hook struct {
	URL         string
	ContentType string
	Secret      bool // a secret is set; GitHub does not reveal it
	Insecure    bool
}

// Hook looks up the webhook configuration.
func (a *App) Hook(ctx context.Context) (Hook, error) {
	config, _, err := a.api.Apps.GetHookConfig(ctx)
	if err != nil {
		return Hook{}, a.opt.explain(ctx, "look up the App's webhook", "", err)
	}
	return Hook{
		URL: config.GetURL(), ContentType: config.GetContentType(), Secret: config.GetSecret() != "",
		Insecure: config.GetInsecureSSL() == "1",
	}, nil
}

// Credentials are the credentials of a new App. Everything except ID, Slug and Name is secret.
type Credentials struct {
	ID            int64
	Slug, Name    string
	Owner         string
	URL           string
	ClientID      string
	ClientSecret  string
	WebhookSecret string
	PrivateKey    string
}

var manifestCode = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_-]{1,128}$`) })

// ConvertManifest exchanges a manifest code for the new App's credentials. A code works once and for an hour, so the
// request is not retried.
func ConvertManifest(ctx context.Context, options Options, code string) (Credentials, error) {
	at, err := endpointsOf(options.BaseURL)
	if err != nil {
		return Credentials{}, err
	}
	const doing = "create the GitHub App"
	if !manifestCode().MatchString(code) {
		return Credentials{}, &Error{Kind: ErrRefused, Doing: doing, Said: "this is no code of GitHub's"}
	}
	opt := options.filled()
	wire := &meter{next: opt.Transport, opt: opt}
	made, _, err := connect(at, &patient{next: wire, opt: opt, gate: newGate()}).Apps.CompleteAppManifest(ctx, code)
	if err != nil {
		return Credentials{}, opt.explain(ctx, doing, "", err)
	}
	return Credentials{
		ID: made.GetID(), Slug: made.GetSlug(), Name: made.GetName(), Owner: made.GetOwner().GetLogin(), URL: made.GetHTMLURL(),
		ClientID: made.GetClientID(), ClientSecret: made.GetClientSecret(), WebhookSecret: made.GetWebhookSecret(),
		PrivateKey: made.GetPEM(),
	}, nil
}
