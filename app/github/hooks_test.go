package github

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

const listDeliveries = "GET /app/hook/deliveries"

// deliveryLog answers pages of two attempts, one a minute before the other.
func (f *fake) deliveryLog(codes ...int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var first int
		_, _ = fmt.Sscanf(r.URL.Query().Get("cursor"), "v1_%d", &first)
		var page []object
		for i := first; i < min(first+2, len(codes)); i++ {
			page = append(page, object{
				"id": 100 - i, "guid": fmt.Sprint("g", i), "status_code": codes[i], "event": "push", "installation_id": 3,
				"delivered_at": start.Add(-time.Duration(i) * time.Minute),
			})
		}
		if first+2 < len(codes) {
			w.Header().Set("Link", fmt.Sprintf(`<%s/api/v3/app/hook/deliveries?cursor=v1_%d>; rel="next"`, f.server.URL, first+2))
		}
		says(200, page)(w, r)
	}
}

func TestDeliveries(t *testing.T) {
	for _, test := range []struct {
		since time.Duration
		want  []string
		pages int
	}{
		{time.Hour, []string{"g0", "g1", "g2", "g3", "g4"}, 3},
		{2 * time.Minute, []string{"g0", "g1", "g2"}, 2}, // the moment itself belongs to it
		{-time.Minute, nil, 1},
	} {
		f := newFake(t)
		f.on(listDeliveries, f.deliveryLog(200, 502, 0, 202, 400))
		found, err := f.app().Deliveries(t.Context(), start.Add(-test.since))
		if err != nil {
			t.Fatal(err)
		}
		var guids, failed []string
		for _, d := range found {
			guids = append(guids, d.GUID)
			if !d.OK() {
				failed = append(failed, d.GUID)
			}
		}
		if !slices.Equal(guids, test.want) || f.times(listDeliveries) != test.pages {
			t.Errorf("since %s: %v in %d pages, want %v in %d", test.since, guids, f.times(listDeliveries), test.want, test.pages)
		}
		if len(test.want) == 5 && !slices.Equal(failed, []string{"g1", "g2", "g4"}) {
			t.Errorf("failed: %v", failed)
		}
	}
}

func TestRedeliver(t *testing.T) {
	for _, test := range []struct {
		answers []http.HandlerFunc
		want    error
		asked   int
	}{
		{[]http.HandlerFunc{says(202, object{})}, nil, 1},
		{[]http.HandlerFunc{says(502, nil), says(202, object{})}, nil, 2},
		{[]http.HandlerFunc{says(404, message("Not Found"))}, ErrGone, 1},
	} {
		f := newFake(t)
		f.on("POST /app/hook/deliveries/99/attempts", test.answers...)
		if err := f.app().Redeliver(t.Context(), 99); !errors.Is(err, test.want) {
			t.Error(problem(err, test.want))
		}
		if got := len(f.seen); got != test.asked {
			t.Errorf("asked %d times, want %d", got, test.asked)
		}
	}
}

func TestConvertManifest(t *testing.T) {
	f := newFake(t)
	const convert = "POST /app-manifests/abc-123/conversions"
	f.on(convert, says(201, object{
		"id": 9, "slug": "causal-octo", "pem": "KEY", "webhook_secret": "s", "client_id": "Iv1", "client_secret": "cs",
		"html_url": "https://github.com/apps/causal-octo", "name": "causal octo", "owner": object{"login": "octo"},
	}))
	got, err := ConvertManifest(t.Context(), f.options(), "abc-123")
	want := Credentials{
		ID: 9, Slug: "causal-octo", Name: "causal octo", Owner: "octo", URL: "https://github.com/apps/causal-octo",
		ClientID: "Iv1", ClientSecret: "cs", WebhookSecret: "s", PrivateKey: "KEY",
	}
	if err != nil || got != want {
		t.Errorf("got %+v, %v", got, err)
	}
	f.on(convert, says(404, message("Not Found")))
	if _, err := ConvertManifest(t.Context(), f.options(), "abc-123"); !errors.Is(err, ErrGone) {
		t.Error(problem(err, ErrGone))
	}
	f.on(convert, says(502, nil))
	if _, err := ConvertManifest(t.Context(), f.options(), "abc-123"); !errors.Is(err, ErrUnavailable) || f.times(convert) != 3 {
		t.Errorf("%s, asked %d times: a code is good once", problem(err, ErrUnavailable), f.times(convert))
	}
	for _, code := range []string{"", "../../user", "a b", "a?b"} {
		if _, err := ConvertManifest(t.Context(), f.options(), code); !errors.Is(err, ErrRefused) || f.times(convert) != 3 {
			t.Errorf("code %q was sent, or %v", code, err)
		}
	}
}

// wanted is a set-up as the server asks for it.
var wanted = Setup{
	WebhookURL:  "https://causal.example/webhook",
	Permissions: Permissions{"contents": "write", "checks": "write"},
	Events:      []string{"push", "pull_request", "installation"},
}

func TestExamine(t *testing.T) {
	app := func(permissions object, events ...string) http.HandlerFunc {
		return says(200, object{"id": 7, "slug": "causal", "html_url": "https://gh/apps/causal", "permissions": permissions, "events": events})
	}
	granted := object{"contents": "write", "checks": "write", "metadata": "read"}
	good := app(granted, "push", "pull_request")
	hook := func(url, kind, secret, insecure string) http.HandlerFunc {
		return says(200, object{"url": url, "content_type": kind, "secret": secret, "insecure_ssl": insecure})
	}
	goodHook := hook(wanted.WebhookURL, "json", "********", "0")
	installed := func(permissions object, more ...string) http.HandlerFunc {
		one := object{"id": 3, "account": object{"login": "octo"}, "permissions": permissions}
		if len(more) > 0 {
			one["suspended_at"] = more[0]
		}
		return says(200, []object{one})
	}
	late := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Date", start.Add(2*time.Minute).Format(http.TimeFormat))
		good(w, r)
	}
	refused := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Date", start.Add(-time.Hour).Format(http.TimeFormat))
		says(401, message("'Expiration time' claim ('exp') is too far in the future"))(w, r)
	}
	for name, test := range map[string]struct {
		app, hook, installations http.HandlerFunc
		codes                    []int
		want                     []string // parts of each problem
	}{
		"all well":        {good, goodHook, installed(granted), []int{202, 500}, nil},
		"clock off":       {late, goodHook, installed(granted), nil, []string{"2m0s behind GitHub's"}},
		"clock far off":   {refused, nil, nil, nil, []string{"1h0m0s ahead of GitHub's: set it"}},
		"wrong key":       {says(401, message("A JSON web token could not be decoded")), nil, nil, nil, []string{"key of App 7"}},
		"no App":          {says(404, message("Integration not found")), nil, nil, nil, []string{"key of App 7 (Integration not found)"}},
		"no hook":         {good, hook("", "form", "", "0"), installed(granted), nil, []string{"no webhook URL: enter " + wanted.WebhookURL}},
		"another hook":    {good, hook("https://old.example/webhook", "json", "x", "0"), installed(granted), nil, []string{"is https://old.example/webhook and not"}},
		"nothing secret":  {good, hook(wanted.WebhookURL+"/", "form", "", "1"), installed(granted), nil, []string{"no secret", "content type is form", "certificate"}},
		"private address": {good, hook("http://10.0.0.8/webhook", "json", "x", "0"), installed(granted), nil, []string{"and not", "cannot reach"}},
		"plain http":      {good, hook("http://causal.example/webhook", "json", "x", "0"), installed(granted), nil, []string{"and not", "not https"}},
		"too few permissions": {app(object{"contents": "read"}, "push", "pull_request"), goodHook, installed(object{"contents": "read"}), nil,
			[]string{"lacks the permissions checks=write contents=write"}},
		"not granted yet": {good, goodHook, installed(object{"contents": "write"}), nil, []string{"octo has not granted checks=write: accept"}},
		"silent events":   {app(granted, "issues"), goodHook, installed(granted), nil, []string{"events pull_request, push: subscribe"}},
		"suspended":       {good, goodHook, installed(granted, "2026-01-01T00:00:00Z"), nil, []string{"suspended by octo: unsuspend"}},
		"not installed":   {good, goodHook, says(200, []object{}), nil, []string{"not installed anywhere: install it at https://gh/apps/causal"}},
		"not delivered":   {good, goodHook, installed(granted), []int{502, 0, 202}, []string{"last 2 attempts to deliver a webhook failed, the latest was answered 502"}},
		"not reached":     {good, goodHook, installed(granted), []int{0}, []string{"last 1 attempt to deliver a webhook failed, the latest got no answer"}},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t)
			f.on("GET /app", test.app)
			f.on("GET /app/hook/config", test.hook)
			f.on("GET /app/installations", test.installations)
			f.on(listDeliveries, f.deliveryLog(test.codes...))
			got, err := f.app().Examine(t.Context(), wanted)
			if err != nil || len(got) != len(test.want) {
				t.Fatalf("got %v, %v, want %d problems", got, err, len(test.want))
			}
			for i, p := range got {
				if !strings.Contains(p.String(), test.want[i]) || p.Mend == "" || strings.Contains(p.String(), "\n") {
					t.Errorf("got %q, want %q in one line", p, test.want[i])
				}
			}
		})
	}
	f := newFake(t)
	f.on("GET /app", says(502, nil))
	if _, err := f.app().Examine(t.Context(), wanted); !errors.Is(err, ErrUnavailable) {
		t.Error(problem(err, ErrUnavailable))
	}
}
