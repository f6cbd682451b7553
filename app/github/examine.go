package github

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Setup is the expected configuration of the App.
type Setup struct {
	WebhookURL  string // public URL of the server; empty: unknown
	Permissions Permissions
	Events      []string
}

// Problem is a configuration problem of the App and its fix, each in one line.
type Problem struct {
	What string
	Mend string
}

func (p Problem) String() string { return p.What + ": " + p.Mend }

// unasked are events that GitHub sends to every App without listing them.
var unasked = []string{"installation", "installation_repositories", "github_app_authorization", "ping"}

// Examine lists the problems of the App's configuration on GitHub. Refused credentials and a wrong clock are problems
// too; the error reports that GitHub could not be queried.
func (a *App) Examine(ctx context.Context, want Setup) ([]Problem, error) {
	self, err := a.Self(ctx)
	if err != nil {
		if errors.Is(err, ErrCredentials) || errors.Is(err, ErrGone) {
			return []Problem{a.refused(err)}, nil
		}
		return nil, err
	}
	var out []Problem
	if self.skew != "" {
		out = append(out, Problem{What: self.skew, Mend: "the App's tokens are refused when it is off by much more"})
	}
	hook, err := a.Hook(ctx)
	if err != nil {
		return nil, err
	}
	out = append(out, hook.problems(want.WebhookURL)...)
	out = append(out, self.problems(want, a.settings(self))...)
	installations, err := a.Installations(ctx)
	if err != nil {
		return nil, err
	}
	out = append(out, a.installed(self, installations, want.Permissions)...)
	undelivered, err := a.undelivered(ctx)
	return append(out, undelivered...), err
}

func (a *App) settings(self Self) string { return a.at.web + "/settings/apps/" + self.Slug }

func (a *App) refused(err error) Problem {
	var failed *Error
	errors.As(err, &failed)
	if strings.Contains(failed.Said, "clock") {
		what, mend, _ := strings.Cut(failed.Said, ": ")
		return Problem{What: what, Mend: mend}
	}
	return Problem{
		What: fmt.Sprintf("GitHub does not accept the key of App %d (%s)", a.id, failed.Said),
		Mend: "check that ID and private key are of the same App, and make a new key on its settings page",
	}
}

func (h Hook) problems(want string) []Problem {
	const settings = "on the App's settings page, under Webhook"
	var out []Problem
	add := func(wrong bool, what, mend string) {
		if wrong {
			out = append(out, Problem{What: what, Mend: mend})
		}
	}
	at, err := url.Parse(h.URL)
	if h.URL == "" || err != nil {
		return []Problem{{What: "the App has no webhook URL", Mend: "enter " + cmp.Or(want, "the address of the server") + " " + settings}}
	}
	host := at.Hostname()
	ip := net.ParseIP(host)
	private := host == "localhost" || ip != nil && (ip.IsLoopback() || ip.IsPrivate() || ip.IsUnspecified())
	add(want != "" && strings.TrimSuffix(h.URL, "/") != strings.TrimSuffix(want, "/"),
		"the webhook URL is "+h.URL+" and not "+want, "change it "+settings)
	add(private, "GitHub cannot reach the webhook URL "+h.URL, "enter an address that the internet knows, or forward one to the server")
	add(!private && at.Scheme != "https", "the webhook URL is not https", "serve it over TLS, and change it "+settings)
	add(!h.Secret, "the webhook has no secret", "enter the secret of the server, "+settings)
	add(h.ContentType != "json", "the webhook's content type is "+cmp.Or(h.ContentType, "form"), "choose application/json "+settings)
	add(h.Insecure, "GitHub does not check the server's certificate", "enable SSL verification "+settings)
	return out
}

func (s Self) problems(want Setup, settings string) []Problem {
	var out []Problem
	if missing := s.Permissions.lacks(want.Permissions); len(missing) > 0 {
		out = append(out, Problem{What: "the App lacks the permissions " + missing.String(), Mend: "grant them at " + settings + "/permissions"})
	}
	if silent := silentOn(s.Events, want.Events); len(silent) > 0 {
		out = append(out, Problem{
			What: "the App is not subscribed to the events " + strings.Join(silent, ", "),
			Mend: "subscribe to them at " + settings + "/permissions",
		})
	}
	return out
}

func silentOn(events, wanted []string) []string {
	var out []string
	for _, event := range wanted {
		if !slices.Contains(events, event) && !slices.Contains(unasked, event) {
			out = append(out, event)
		}
	}
	slices.Sort(out)
	return out
}

func (a *App) installed(self Self, installations []Installation, want Permissions) []Problem {
	if len(installations) == 0 {
		return []Problem{{What: "the App is not installed anywhere", Mend: "install it at " + self.URL}}
	}
	var out []Problem
	for _, i := range installations {
		settings := cmp.Or(i.URL, fmt.Sprintf("%s/settings/installations/%d", a.at.web, i.ID))
		missing := i.Permissions.lacks(want)
		for name := range self.Permissions.lacks(want) {
			delete(missing, name) // an owner cannot grant permissions that the App does not request
		}
		switch {
		case i.Suspended:
			out = append(out, Problem{What: "the App is suspended by " + i.Account, Mend: "unsuspend it at " + settings})
		case len(missing) > 0:
			out = append(out, Problem{What: i.Account + " has not granted " + missing.String(), Mend: "accept the new permissions at " + settings})
		}
	}
	return out
}

const lately = 24 * time.Hour

func (a *App) undelivered(ctx context.Context) ([]Problem, error) {
	deliveries, err := a.Deliveries(ctx, a.opt.Now().Add(-lately))
	if err != nil || len(deliveries) == 0 || deliveries[0].OK() {
		return nil, err
	}
	failed := 0
	for failed < len(deliveries) && !deliveries[failed].OK() {
		failed++
	}
	answered := "got no answer"
	if code := deliveries[0].StatusCode; code != 0 {
		answered = fmt.Sprintf("was answered %d", code)
	}
	return []Problem{{
		What: fmt.Sprintf("the last %d %s to deliver a webhook failed, the latest %s", failed, plural(failed, "attempt"), answered),
		Mend: "make sure that the server runs and GitHub can reach it; missed deliveries are then repeated",
	}}, nil
}
